"""Where this project and the onnx package part, and why: a difference that no ruling here claims is a mistake.

A ruling's predicate sees one difference: an error of ours that the reference does not see (`error`), a model that it
refuses and we accept (`refused`), another `type`, `dims` or `elements` for a model that both accept, or a model that
the reference takes for another one when the node's domain is spelled out (`spelling`).
"""

from collections.abc import Callable
from dataclasses import dataclass

from expected import NEWEST_OPSET


@dataclass(frozen=True)
class Difference:
    aspect: str
    ours: object
    theirs: object


@dataclass(frozen=True)
class Ruling:
    id: str
    why: str
    claims: Callable


# How the reference's checker begins when it refuses what its inference engine lets pass.
CHECKER = {
    "attribute-unknown": ("Unrecognized attribute: ",),
    "attribute-type": ("Mismatched attribute type in ",),
    "attribute-duplicate": ("Attribute '",),
    "field-missing": ("Field 'type' of 'attr' is required", "Field 'name' of 'attr' is required"),
}
ATTRIBUTE = tuple(start for starts in CHECKER.values() for start in starts)


def unknown_names(sample):
    known = ("start", "end") if sample.opset >= 15 else ()
    return {given.name for given in sample.attributes} - {"", *known}


def slice_before_15(sample, difference, theirs):
    names = unknown_names(sample)
    return (
        difference.ours == "attribute-unknown"
        and sample.opset < 15
        and names <= {"start", "end"}
        and (theirs.checked or "").startswith(ATTRIBUTE)
    )


def left_to_the_checker(sample, difference, theirs):
    # One message tells the first mistake of a node; a second one of the node is then claimed along with it.
    return difference.ours in CHECKER and (theirs.checked or "").startswith(ATTRIBUTE)


def underscores(sample, difference, theirs):
    names = unknown_names(sample)
    return difference.ours == "attribute-unknown" and bool(names) and all(name.startswith("__") for name in names)


def negative(declaration):
    return any(isinstance(dim, int) and dim < 0 for dim in declaration.dims or ())


def negative_dim(sample, difference, theirs):
    return difference.ours == "dims-negative" and (negative(sample.x) or theirs.dims == (-1,))


def empty_input(sample, difference, theirs):
    return difference.ours == "input-missing" and sample.inputs == ("",)


def undefined_input(sample, difference, theirs):
    return difference.ours == "value-undefined" and sample.inputs == ("w",)


def empty_output(sample, difference, theirs):
    return difference.ours in ("output-count", "output-undefined") and sample.outputs == ("",)


def opset_too_new(sample, difference, theirs):
    told = difference.ours == "opset-too-new" and sample.opset > NEWEST_OPSET
    # Past 32 bits the reference finds no operator at all, and says nothing more of the model.
    return told or sample.opset >= 2**31


def unread_type(sample, difference, theirs):
    return difference.ours == "element-type-unknown" and sample.x.elem not in range(29) and sample.inputs == ("",)


def undeclared_type(sample, difference, theirs):
    return sample.x.elem == 0 and difference.theirs == "Invalid tensor data type 0."


def one_domain(sample, difference, theirs):
    return sample.node_domain == "ai.onnx"


RULINGS = {
    "error": [
        Ruling(
            "slice-before-15",
            "Shape-1 and Shape-13 have no start and no end; the reference's inference honours them there, and its "
            "checker refuses them.",
            slice_before_15,
        ),
        Ruling(
            "underscores",
            "An attribute that the version does not have is an error whatever its name begins with; the reference "
            "lets those with two underscores pass.",
            underscores,
        ),
        Ruling(
            "left-to-the-checker",
            "Attributes are checked before a node is inferred; the reference's inference leaves that to its checker, "
            "which refuses the same node.",
            left_to_the_checker,
        ),
        Ruling(
            "negative-dim",
            "A declared dimension below zero is an error; the reference hands it on as a size.",
            negative_dim,
        ),
        Ruling(
            "empty-input",
            "An empty name leaves out an input that Shape requires; the reference's inference takes it for a value "
            "of unknown rank.",
            empty_input,
        ),
        Ruling(
            "unread-type",
            "An element type that ONNX does not have is an error wherever it is declared; the reference looks only at "
            "what a node reads.",
            unread_type,
        ),
        Ruling(
            "undefined-input",
            "A name that nothing gives is an error; the reference's inference takes it for a value of unknown rank.",
            undefined_input,
        ),
        Ruling(
            "empty-output",
            "An empty name leaves out the only output, so that nothing gives `y`; the reference's inference infers "
            "nothing then, and is content.",
            empty_output,
        ),
        Ruling(
            "opset-too-new",
            "What Shape means in an opset later than the newest known is not known; the reference applies its newest.",
            opset_too_new,
        ),
    ],
    "refused": [
        Ruling(
            "undeclared-type",
            "An input without an element type is unknown, which contradicts nothing: the output follows from its "
            "dimensions; the reference refuses it.",
            undeclared_type,
        ),
    ],
    "spelling": [
        Ruling(
            "one-domain",
            "The empty domain and `ai.onnx` are one; the reference does not find Shape of a node that says `ai.onnx`.",
            one_domain,
        ),
    ],
}


def claimed_by(sample, difference, theirs):
    """The id of the ruling, or None."""
    for ruling in RULINGS.get(difference.aspect, ()):
        if ruling.claims(sample, difference, theirs):
            return ruling.id
    return None


def all_rulings():
    return [ruling for rulings in RULINGS.values() for ruling in rulings]
