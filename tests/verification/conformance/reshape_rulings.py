"""The rulings on Reshape."""

import re
from math import prod

from rulings import Ruling
from sample import EXTERNAL
from symbolic import LARGEST

TARGET_INPUT, PROPAGATED = 5, 14
REFUSALS = ("target-entry", "target-zero", "target-rank", "element-count", "element-overflow", "output-dims")


def target_name(sample):
    return sample.node.inputs[1] if len(sample.node.inputs) > 1 else None


def constant(sample):
    """The initializer that is the target."""
    return dict(sample.initializers).get(target_name(sample))


def declared_target(sample):
    return dict(sample.graph_inputs).get(target_name(sample))


def computed(sample):
    return any(target_name(sample) in node.outputs for node in sample.before)


def replaceable(sample):
    """Whether some initializer is a graph input too, and no constant any more."""
    return sample.ir >= 4 and any(name in dict(sample.graph_inputs) for name, _ in sample.initializers)


def from_the_attribute(sample, difference, theirs):
    refusals = (*REFUSALS, "target-missing")
    told = difference.ours in refusals if difference.aspect == "error" else difference.ours is not None
    return sample.opset < TARGET_INPUT and told


def from_values(sample, difference, theirs):
    told = difference.ours in REFUSALS if difference.aspect == "error" else difference.ours is not None
    return TARGET_INPUT <= sample.opset < PROPAGATED and computed(sample) and told


def through_reshape(sample, difference, theirs):
    through = any(node.op_type == "Reshape" and target_name(sample) in node.outputs for node in sample.before)
    told = difference.ours in REFUSALS if difference.aspect == "error" else difference.ours is not None
    return through and told


def length_before_14(sample, difference, theirs):
    declared = declared_target(sample)
    told = difference.ours in REFUSALS if difference.aspect == "error" else difference.ours is not None
    return TARGET_INPUT <= sample.opset < PROPAGATED and declared is not None and declared.dims is not None and told


def constant_length(sample):
    """The declared length of a target."""
    declared = declared_target(sample)
    if declared is None or declared.dims is None or len(declared.dims) != 1:
        return None
    return declared.dims[0] if isinstance(declared.dims[0], int) else None


def endless_target(sample, difference, theirs):
    return difference.ours == "target-length" and (constant_length(sample) or 0) > 1_000_000


def no_list(sample, difference, theirs):
    target = constant(sample)
    return difference.ours == "target-rank" and target is not None and len(target.dims) != 1


def counts_differ(sample, difference, theirs):
    return difference.ours == "element-count"


def data_overflow(sample, difference, theirs):
    sizes = [dim for dim in sample.x.dims or () if isinstance(dim, int)]
    return difference.ours == "element-overflow" and prod(sizes) > LARGEST


def zero_first(sample, difference, theirs):
    return 0 in (sample.x.dims or ()) and "Dimension product overflow" in difference.theirs


def zero_beside_inferred(sample, difference, theirs):
    allowzero = any((given.name, given.value) == ("allowzero", 1) for given in sample.node.attributes)
    beside = any({0, -1} <= set(given.elements) for _, given in sample.initializers)
    return allowzero and beside and (difference.ours == "target-zero" or "a -1 and a dimension of zero" in difference.ours)


def allowzero_values(sample, difference, theirs):
    values = [given.value for given in sample.node.attributes if given.name == "allowzero"]
    return difference.ours == "attribute-value" and any(value not in (0, 1) for value in values)


def default(sample, difference, theirs):
    if difference.aspect in ("dim", "dims"):
        declared = sample.y.dims if sample.y is not None else None
        return replaceable(sample) and (difference.ours is None or difference.ours in (declared or ()))
    return replaceable(sample) and "ShapeInferenceError" in difference.theirs


def default_contradicts(sample, difference, theirs):
    declared, given = declared_target(sample), constant(sample)
    return (
        difference.ours in ("output-type", "output-dims")
        and declared is not None
        and given is not None
        and (declared.elem != given.elem or declared.dims != given.dims)
    )


def untyped_constant(sample, difference, theirs):
    read = {node.inputs[0] for node in sample.nodes if node.inputs}
    untyped = sample.ir < 4 and bool(read & set(dict(sample.initializers)))
    return untyped and "Input 0 expected to have type" in difference.theirs


def external(sample, difference, theirs):
    return any(given.encoding == EXTERNAL for _, given in sample.initializers) and "external" in difference.theirs


def left_open(sample, difference):
    """The reference has no more at that place than what the model declares."""
    declared = sample.y.dims if sample.y is not None else None
    return difference.theirs is None or (isinstance(difference.theirs, str) and difference.theirs in (declared or ()))


def no_elements(sample, difference, theirs):
    return difference.ours == 0 and left_open(sample, difference)


def expression(difference):
    return isinstance(difference.ours, str) and bool(re.search(r"[*+]", difference.ours))


def factors_cancel(sample, difference, theirs):
    known = difference.ours is not None and not expression(difference)
    return known and left_open(sample, difference) and not isinstance(difference.theirs, str)


def product(sample, difference, theirs):
    return expression(difference) and left_open(sample, difference)


def inferred_name_first(sample, difference, theirs):
    declared = sample.y.dims if sample.y is not None else None
    return (
        isinstance(difference.ours, str)
        and isinstance(difference.theirs, str)
        and declared is not None
        and difference.theirs in declared
    )


def only_empty(_, difference, __):
    return difference.ours == 0 and not isinstance(difference.theirs, int)


RULINGS = [
    Ruling(
        "replaceable-default",
        ("dim", "dims", "refused", "would not run"),
        "An initializer that is also a graph input is a default from IR 4 on, which the caller may replace; the "
        "reference takes it for a constant.",
        default,
    ),
    Ruling(
        "contradicting-default",
        ("error", "ran"),
        "An initializer that contradicts the graph input of its name is an error; the others do not compare them.",
        default_contradicts,
    ),
    Ruling(
        "untyped-constant",
        ("refused",),
        "An initializer has a type; up to IR 3 the reference looks for it among the graph inputs alone.",
        untyped_constant,
    ),
    Ruling(
        "target-of-version-1",
        ("error", "dim", "dims"),
        "Reshape-1 is inferred from its attribute like every later version; the reference infers nothing there.",
        from_the_attribute,
    ),
    Ruling(
        "values-before-14",
        ("error", "dim", "dims"),
        "A target that follows from dimensions is followed in every version; the reference looks only at constants "
        "before version 14.",
        from_values,
    ),
    Ruling(
        "values-through-reshape",
        ("error", "dim", "dims"),
        "Reshape keeps the elements, so that a target is followed through one; the reference loses it.",
        through_reshape,
    ),
    Ruling(
        "length-before-14",
        ("error", "dims"),
        "The length of a target is the rank of the output in every version; the reference looks at it from version 14 "
        "on.",
        length_before_14,
    ),
    Ruling(
        "endless-target",
        ("error", "refused"),
        "A target of more than a million entries is an error; the reference says nothing.",
        endless_target,
    ),
    Ruling(
        "target-is-a-list",
        ("error",),
        "A target that is not 1-D is an error; the reference reads a constant of another rank as if it were.",
        no_list,
    ),
    Ruling(
        "counts-differ",
        ("error",),
        "It is an error where the numbers of elements cannot be the same; the reference infers what the target says.",
        counts_differ,
    ),
    Ruling(
        "data-past-int64",
        ("error",),
        "The elements of the data are counted in int64 like those of the target; the reference counts the target's.",
        data_overflow,
    ),
    Ruling(
        "zero-whatever-the-others",
        ("refused", "would not run"),
        "A product with a zero among its factors is zero; the others multiply before they come to it, and overflow.",
        zero_first,
    ),
    Ruling(
        "zero-beside-inferred",
        ("ran", "test"),
        "Under allowzero=1 a 0 beside a -1 is an error; onnxruntime makes up a number where it knows the target at run "
        "time only.",
        zero_beside_inferred,
    ),
    Ruling(
        "allowzero-values",
        ("error", "ran"),
        "allowzero is 0 or 1, and anything else an error; the reference tests for 0, and so does onnxruntime.",
        allowzero_values,
    ),
    Ruling(
        "external-target",
        ("refused", "would not run"),
        "A target in external data is read; the others refuse the model.",
        external,
    ),
    Ruling(
        "no-elements",
        ("dim",),
        "Of no elements the -1 is zero, whatever the symbols: [N,0] -> [-1] is [0]; the reference leaves it open.",
        no_elements,
    ),
    Ruling(
        "factors-cancel",
        ("dim",),
        "Equal factors cancel, symbolic ones too: [N,3,4] -> [-1,12] is [N,12]; the reference leaves it open.",
        factors_cancel,
    ),
    Ruling(
        "product",
        ("dim",),
        "What a -1 stands for may be an expression: [N,4,T] -> [0,-1] is [N,4*T]; the reference leaves it open.",
        product,
    ),
    Ruling(
        "inferred-name-first",
        ("dim",),
        "Of two names for one dimension the inferred one is given; the reference gives the declared one.",
        inferred_name_first,
    ),
    Ruling(
        "only-empty",
        ("dim",),
        "A symbol that is 0 in every run that succeeds is 0: [M,0] -> [M,3] runs only with M = 0; the reference keeps it.",
        only_empty,
    ),
]
