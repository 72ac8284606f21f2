"""Where a run of a generated case is not what the page of an operator says, and why: each is a fault of onnxruntime, or
something that the pages leave open.

A ruling looks at the nodes of a case, each with what is known of its inputs, and claims what is wrong of a case that has such
a node.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

import engines
import numpy
from onnx import TensorProto, helper, numpy_helper


class Values:
    """What is known of the values of a case: data that it is given, constants and inferred dimensions."""

    def __init__(self, case):
        self.outputs = {output.name for output in case.model.graph.output}
        self.dims = {value["name"]: value["dims"] for value in case.inferred if not value.get("graph")}
        self.types = {value["name"]: value["type"] for value in case.inferred if not value.get("graph")}
        self.data = {tensor.name: tensor for tensor in case.model.graph.initializer}
        self.data.update((name, each) for name, each in case.given.items() if isinstance(each, TensorProto))
        for name, tensor in self.data.items():
            self.dims[name] = list(tensor.dims)

    def type(self, name):
        """The type of a value as a page names it; None where it is unknown."""
        return self.types.get(name)

    def size(self, name):
        """The dimensions of a value; None where the rank is unknown."""
        return self.dims.get(name)

    def numbers(self, name):
        """The elements of a value; None where they are unknown."""
        found = self.data.get(name)
        return None if found is None else numpy_helper.to_array(found).reshape(-1).tolist()


@dataclass(frozen=True)
class Node:
    node: object
    values: Values

    def attribute(self, name, default=None):
        found = (each for each in self.node.attribute if each.name == name)
        return next((helper.get_attribute_value(each) for each in found), default)

    def given(self, index):
        return len(self.node.input) > index and self.node.input[index] != ""

    def dims(self, index):
        return self.values.size(self.node.input[index]) if self.given(index) else None

    def axes(self):
        """Those of an attribute or of the second input; None where they are unknown."""
        for name in ("axes", "axis"):
            found = self.attribute(name)
            if found is not None:
                return list(numpy.atleast_1d(numpy.array(found)).tolist())
        return self.values.numbers(self.node.input[1]) if self.given(1) else []


@dataclass(frozen=True)
class Ruling:
    """Claims problems in which `text` is found, a regular expression, of a case with a node of one of the operators, or of any
    where none is named, for which `claims` is true."""

    id: str
    operators: tuple
    claims: Callable
    why: str
    # A run of the same nodes at another opset has the same fault.
    text: str = "^(?!convert)"


REDUCTIONS = tuple(f"Reduce{each}" for each in "L1 L2 LogSum LogSumExp Max Mean Min Prod Sum SumSquare".split())


def may_be_empty(dims):
    return dims is None or not all(isinstance(dim, int) and dim > 0 for dim in dims)


def reduces_nothing(node):
    axes = node.axes()
    return may_be_empty(node.dims(0)) and (axes is None or any(axis < 0 for axis in axes))


POOLS = ("AveragePool", "LpPool", "MaxPool")


def exceeds_input(node):
    dims, sizes = node.dims(0), node.attribute("kernel_shape")
    dilations = node.attribute("dilations") or [1] * len(sizes)
    pairs = zip((dims or [])[2:], sizes, dilations, strict=False)
    return dims is None or any(not isinstance(dim, int) or dim < (size - 1) * by + 1 for dim, size, by in pairs)


def has_no_channels(node):
    return 0 in (node.dims(3 if node.node.op_type == "QLinearConv" else 1) or [])


def has_empty_axes(node):
    # In a function they are a parameter, and unknown here.
    return node.axes() in (None, []) and (node.given(1) or node.attribute("axes") is not None)


def has_unsorted_axes(node):
    # Counted from the end, they may be in another order.
    axes = node.axes()
    return axes is None or axes != sorted(axes) or any(axis < 0 for axis in axes)


def is_whole(node):
    """Whether the first input has whole numbers; of a node in a function that is not known."""
    return "int" in (node.values.type(node.node.input[0]) or "int")


def is_half(node):
    return any(node.values.type(name) in ("float16", "bfloat16") for name in node.node.input)


def has_heads_twice(node):
    return node.dims(0) is None or (len(node.dims(0)) == 4 and node.attribute("q_num_heads") is not None)


def shares_statistics(node):
    """Whether a mean or a variance that training reads is another input, too, or an output of the graph; of a node in a
    function that is not known."""
    inputs, values = list(node.node.input), node.values
    shared = (inputs.count(name) > 1 or name in values.outputs or values.type(name) is None for name in inputs[3:])
    return node.attribute("training_mode") == 1 and any(shared)


def drops_axis(node):
    return node.given(1) and node.attribute("keepdims") == 0 and node.dims(1) in (None, [])


RULINGS = [
    Ruling(
        "scalar-nonzero",
        ("NonZero",),
        lambda node: node.dims(0) in (None, []),
        "The page of NonZero says (0, N) of a scalar, as NumPy did; onnxruntime takes it for a tensor of one axis.",
    ),
    Ruling(
        "no-axes",
        ("Squeeze",),
        has_empty_axes,
        "The page of Squeeze takes all axes of size 1 away where no axes are given. An empty list is given, and names none; "
        "onnxruntime takes it for absent.",
    ),
    Ruling(
        "negative-axis-of-nothing",
        (*REDUCTIONS, "ArgMax", "ArgMin"),
        reduces_nothing,
        "onnxruntime does not count negative axes from the end where the input has no elements, and leaves these axes.",
    ),
    Ruling(
        "fewer-outputs-than-parts",
        ("Split",),
        lambda node: len(node.node.output) < (node.attribute("num_outputs") or 0),
        "The page of Split says that `num_outputs` is the number of parts; onnxruntime makes as many as the node has outputs.",
    ),
    Ruling(
        "sum-of-nothing",
        ("Conv", "ConvInteger", "QLinearConv"),
        has_no_channels,
        "Where there is nothing to sum up, onnxruntime writes nothing into the output, and gives what was in the memory.",
        ": ",
    ),
    Ruling(
        "product-of-nothing",
        ("MatMul", "MatMulInteger", "QLinearMatMul", "MatMulInteger16", "TransposeMatMul", "FusedMatMul"),
        lambda node: any(map(may_be_empty, map(node.dims, range(len(node.node.input))))),
        "MatMul broadcasts the axes before the last two; onnxruntime does not where there are no elements.",
        "the run",
    ),
    Ruling(
        "negative-length",
        ("MelWeightMatrix",),
        lambda node: any(number < 0 for number in node.values.numbers(node.node.input[1]) or [-1]),
        "The page of MelWeightMatrix halves `dft_length` and rounds down, onnxruntime towards zero, which is another number "
        "for a negative one; no page rules that out.",
    ),
    Ruling(
        "window-past-input",
        POOLS,
        exceeds_input,
        "Where a window is larger than the input, the kernels of versions differ: some give one window, others none.",
        "convert",
    ),
    Ruling(
        "negative-padding",
        POOLS,
        lambda node: True,
        "With `auto_pad` and strides that leave elements out, the older kernel computes negative padding, and refuses it.",
        "padding values must be non-negative",
    ),
    Ruling(
        "scalar-resize",
        ("Upsample", "Resize"),
        lambda node: node.dims(0) in (None, []),
        "A scalar has no scales; onnxruntime takes no scales for absent ones.",
        "Either scales or sizes MUST be provided",
    ),
    Ruling(
        "parts-of-nothing",
        ("Split",),
        lambda node: True,
        "onnxruntime refuses more parts than there are elements along the axis; the page lets the last ones be smaller.",
        "Invalid num_outputs value",
    ),
    Ruling(
        "heads-of-four-axes",
        ("Attention",),
        has_heads_twice,
        "Versions 23 and 24 of Attention let numbers of heads stand beside inputs that have an axis of heads. The package's own "
        "nodes for it, which onnxruntime runs where it has no kernel, take such inputs for 3-D ones.",
        "the run|other outputs",
    ),
    Ruling(
        "sizes-of-one-at-least",
        ("Softmax", "LogSoftmax", "Hardmax"),
        lambda node: may_be_empty(node.dims(0)),
        "What computes an entry of the target of a Reshape is taken to give 1 at least, for a 0 is no size there before version "
        "14. The Reshape that stands for the flattening of older versions fails where a symbol turns out to be 0, or gives other "
        "dimensions, one of which is 0 too.",
        "convert.*(Reshape|other outputs)",
    ),
    Ruling(
        "unsorted-axes",
        ("Squeeze",),
        has_unsorted_axes,
        "The package's inference of Squeeze before version 13 takes axes away in rising order alone.",
        "convert.*ShapeInferenceError.*Squeeze",
    ),
    Ruling(
        "whole-numbers-as-floats",
        ("Pow", "ReduceProd"),
        is_whole,
        "onnxruntime computes powers and products of whole numbers as floats, which lose digits of large ones.",
        "is written as|the elements|other outputs|rewritten",
    ),
    Ruling(
        "halves-as-floats",
        (),
        is_half,
        "Where onnxruntime has no kernel for float16 it computes as float, and rounds to float16 only where a node that it has one "
        "for reads the value.",
        "rewritten",
    ),
    Ruling(
        "zero-of-where",
        ("Where",),
        lambda node: True,
        "Where takes an element as it is; onnxruntime makes the zero of -0.0.",
        "rewritten",
    ),
    Ruling(
        "statistics-in-place",
        ("BatchNormalization",),
        shares_statistics,
        "Training reads a mean and a variance and gives new ones; onnxruntime writes these over what was read, whoever else "
        "reads it.",
        "the elements|other outputs|rewritten",
    ),
    Ruling(
        "kept-axis",
        ("SplitToSequence",),
        drops_axis,
        "The page of SplitToSequence ignores `keepdims` where `split` is given; onnxruntime does where it is a list alone.",
        "the run|the elements|other outputs",
    ),
    Ruling(
        "window-without-rank",
        ("STFT",),
        lambda node: node.dims(2) is None or len(node.dims(2)) == 1,
        "The package's inference, which onnxruntime asks, takes a window of unknown dimensions for a scalar.",
        "window input must have rank = 1",
    ),
    Ruling(
        "absent-split",
        ("Split",),
        lambda node: not node.given(1) and len(node.node.input) > 1,
        "An input with an empty name is absent; onnxruntime takes it for one that is given, and refuses `num_outputs` beside it.",
        "the 'split' input should not be provided",
    ),
]


def ruling(case, problem):
    """The ruling that claims a problem of a case, or None."""
    values = Values(case)
    for node in engines.every_node(case.model):
        for each in RULINGS:
            concerned = not each.operators or node.op_type in each.operators
            if concerned and re.search(each.text, problem) and each.claims(Node(node, values)):
                return each
    return None
