"""The rulings that hold for every operator: attributes, inputs and outputs, declarations, names."""

from rulings import Ruling
from schema import NAMES, NEWEST_OPSET, version
from symbolic import dimension, shown

# How the reference's checker begins when it refuses what its inference engine lets pass.
CHECKER = {
    "attribute-unknown": ("Unrecognized attribute: ",),
    "attribute-type": ("Mismatched attribute type in ",),
    "attribute-duplicate": ("Attribute '",),
    "field-missing": ("Field 'type' of 'attr' is required", "Field 'name' of 'attr' is required"),
}
ATTRIBUTE = tuple(start for starts in CHECKER.values() for start in starts)


def unknown_names(sample):
    known = version(sample.node.op_type, sample.opset).attributes
    return {given.name for given in sample.node.attributes} - {"", *known}


def left_to_the_checker(sample, difference, theirs):
    # One message tells the first mistake of a node; a second one of the node is then claimed along with it.
    return difference.ours in CHECKER and (theirs.checked or "").startswith(ATTRIBUTE)


def underscores(sample, difference, theirs):
    names = unknown_names(sample)
    return difference.ours == "attribute-unknown" and bool(names) and all(name.startswith("__") for name in names)


def negative(declaration):
    return declaration is not None and any(isinstance(dim, int) and dim < 0 for dim in declaration.dims or ())


def negative_dim(sample, difference, theirs):
    # A negative size in the declared output of an unknown rank goes through as well.
    declared = negative(sample.y) and theirs.dims is not None
    return difference.ours == "dims-negative" and (negative(sample.x) or declared)


def minus_one(sample, difference, theirs):
    declared = any(-1 in (each.dims or ()) for each in (sample.x, sample.y) if each is not None)
    # Its message of a declared output, and the one of elements that it takes for the dims of a probe.
    told = any(text in str(difference.theirs) for text in ("(-1)", "non-negative elements"))
    return declared and (difference.theirs == -1 or told)


def empty_input(sample, difference, theirs):
    return difference.ours == "input-missing" and "" in sample.node.inputs


def undefined_input(sample, difference, theirs):
    return difference.ours == "value-undefined" and "w" in sample.node.inputs


def empty_output(sample, difference, theirs):
    return difference.ours in ("output-count", "output-undefined") and sample.node.outputs == ("",)


def opset_too_new(sample, difference, theirs):
    told = difference.ours == "opset-too-new" and sample.opset > NEWEST_OPSET
    # Past 32 bits the reference finds no operator at all, and says nothing more of the model.
    return told or (difference.aspect == "error" and sample.opset >= 2**31)


def has_elem(declaration):
    return declaration is None or 1 <= declaration.elem <= len(NAMES)


def unread_type(sample, difference, theirs):
    return difference.ours == "element-type-unknown" and not has_elem(sample.x) and "x" not in sample.node.inputs


def undeclared_type(sample, difference, theirs):
    told = ("Invalid tensor data type 0.", "Element type of input 0 unknown")
    return sample.x.elem == 0 and any(text in difference.theirs for text in told)


def no_type_at_all(sample, difference, theirs):
    declared = [sample.x, *([] if sample.y is None else [sample.y])]
    return any(each.elem == 0 for each in declared) and difference.theirs.endswith("Invalid tensor data type 0.")


def kind_left_out(sample, difference, theirs):
    return "Field 'type' of 'attr' is required" in difference.theirs


def one_domain(sample, difference, theirs):
    return sample.node.domain == "ai.onnx"


def written_out(sample, difference, theirs):
    name = difference.theirs
    return isinstance(name, str) and name != difference.ours and shown(dimension(name)) == difference.ours


def unheeded(sample, difference, theirs):
    """A declared output of other dimensions than those that come out."""
    if sample.y is None or sample.y.dims is None:
        return False
    if difference.aspect == "ran" and difference.ours not in ("output-dims", "dims-negative"):
        return False
    came, sizes = difference.theirs.dims, difference.theirs.sizes
    declared = [sizes.get(dim) if isinstance(dim, str) else dim for dim in sample.y.dims]
    return len(declared) != len(came) or any(a not in (None, b) for a, b in zip(declared, came, strict=True))


def only_declared(sample, difference, theirs):
    """A size that the reference takes from the declaration of the output, as many elements as that declares, or the
    name of an input's size for another expression."""
    if sample.y is None or sample.y.dims is None:
        return False
    if difference.aspect == "error":
        names = {dim for dim in sample.y.dims if isinstance(dim, str) and dim}
        return difference.ours == "output-dims" and bool(names & set(sample.x.dims or ()))
    if difference.ours is not None:
        return False
    if difference.aspect == "elements":
        return difference.theirs == (None,) * len(difference.theirs) and sample.y.dims == (len(difference.theirs),)
    return difference.theirs in sample.y.dims


def one_of_two(sample, difference, theirs):
    return difference.ours == "attribute-duplicate"


RULINGS = [
    Ruling(
        "underscores",
        ("error", "ran"),
        "An attribute that the version does not have is an error whatever its name begins with; the others let those "
        "with two underscores pass.",
        underscores,
    ),
    Ruling(
        "left-to-the-checker",
        ("error",),
        "Attributes are checked before a node is inferred; the reference's inference leaves that to its checker, which "
        "refuses the same node.",
        left_to_the_checker,
    ),
    Ruling(
        "negative-dim",
        ("error",),
        "A declared dimension below -1 is an error; the reference hands it on as a size.",
        negative_dim,
    ),
    Ruling(
        "minus-one",
        ("refused", "dim", "elements"),
        "A declared dimension of -1 is unknown, as runtimes read it; the reference takes it for a size.",
        minus_one,
    ),
    Ruling(
        "empty-input",
        ("error",),
        "An empty name leaves out an input that the operator requires; the reference's inference takes it for a value "
        "of unknown rank.",
        empty_input,
    ),
    Ruling(
        "unread-type",
        ("error",),
        "An element type that ONNX does not have is an error wherever it is declared; the reference looks only at what "
        "a node reads.",
        unread_type,
    ),
    Ruling(
        "undefined-input",
        ("error",),
        "A name that nothing gives is an error; the reference's inference takes it for a value of unknown rank.",
        undefined_input,
    ),
    Ruling(
        "empty-output",
        ("error",),
        "An empty name leaves out the only output, so that nothing gives `y`; the reference's inference infers nothing "
        "then, and is content.",
        empty_output,
    ),
    Ruling(
        "opset-too-new",
        ("error",),
        "What an operator means in an opset later than the newest known is not known; the reference applies the newest "
        "that it has.",
        opset_too_new,
    ),
    Ruling(
        "undeclared-type",
        ("refused",),
        "An input without an element type is unknown, which contradicts nothing: the output follows from its "
        "dimensions; the reference refuses it.",
        undeclared_type,
    ),
    Ruling(
        "one-domain",
        ("spelling",),
        "The empty domain and `ai.onnx` are one; the reference does not find the operator of a node that says "
        "`ai.onnx`.",
        one_domain,
    ),
    Ruling(
        "written-out",
        ("dim", "element"),
        "A dim_param that writes out sums and products is that expression, and is given in one form; the reference "
        "takes the text for a name.",
        written_out,
    ),
    Ruling(
        "declared-of-an-output",
        ("dim", "elements", "error"),
        "A size that a caller chooses stays open, whatever is declared of the output: of x: [?,3] and t = [-1,3], "
        "y: [2,3] is true in some runs alone; the reference takes the 2. A name for its double is an error.",
        only_declared,
    ),
    Ruling(
        "undeclared-type-at-run",
        ("would not run",),
        "A declaration without an element type declares dimensions alone; onnxruntime does not load it.",
        no_type_at_all,
    ),
    Ruling(
        "kind-left-out",
        ("would not run",),
        "Without a stated kind, the field that is set tells an attribute's, as in the first files; onnxruntime does "
        "not load it.",
        kind_left_out,
    ),
    Ruling(
        "one-of-two-attributes",
        ("ran",),
        "Two attributes of one name are an error; onnxruntime takes one of them.",
        one_of_two,
    ),
    Ruling(
        "unheeded-declaration",
        ("ran", "gave"),
        "What is declared of an output is taken where nothing follows from the inputs, and a contradiction is an "
        "error; onnxruntime runs the model whatever is declared.",
        unheeded,
    ),
]
