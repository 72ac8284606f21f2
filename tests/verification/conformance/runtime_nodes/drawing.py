"""What a function that draws a node is given, and how it is found by the name of its operator.

    @operator("BiasGelu")
    def bias_gelu(draw):
        batch, steps, hidden = draw.size("batch"), draw.size("steps"), draw.size("hidden")
        type = draw.choice("float", "float16")
        return draw.node([Tensor(type, batch, steps, hidden), Tensor(type, hidden)])

A function is called several times: whatever `choice`, `number` and `chance` give is the same in all calls for one case,
and sizes are others. So the node can be written once with a symbol for each size, and be run with numbers for them.
"""

import random
from dataclasses import dataclass, field

import numpy
from onnx import TensorProto, helper

NODES = {}


def operator(name, domain="com.microsoft", since=1):
    """Registers a function that draws nodes of an operator."""

    def register(draws):
        NODES.setdefault((domain, name, since), []).append(draws)
        return draws

    return register


class Size(int):
    """A number that is a symbol in the model that is not run. What is computed from it is a plain number there."""

    def __new__(cls, number, name):
        size = super().__new__(cls, number)
        size.name = name
        return size


class Tensor:
    """An input: its element type, its dimensions and its elements.

    Without `values` these are drawn, from `low` up to `high`, which is left out; with `constant` they are an initializer.
    """

    def __init__(self, type, *dims, low=None, high=None, values=None, constant=False):  # noqa: A002: ONNX's word
        self.elem = TensorProto.DataType.Value(type.upper())
        self.dims, self.low, self.high, self.constant = dims, low, high, constant
        self.values = None if values is None else numpy.asarray(values)
        if self.values is not None and not dims:
            self.dims = self.values.shape

    def array(self, rng):
        kind = helper.tensor_dtype_to_np_dtype(self.elem)
        return numpy.asarray(self.drawn(rng, kind)).astype(kind)

    def drawn(self, rng, kind):
        if self.values is not None:
            return numpy.broadcast_to(self.values, self.dims)
        if kind.kind in "iu" or kind == bool:
            low, high = (0, 2) if self.low is None else (self.low, self.high)
            return rng.integers(low, high, self.dims)
        low, high = (-1, 1) if self.low is None else (self.low, self.high)
        return low + (high - low) * rng.random(self.dims)


@dataclass
class Node:
    """A node that was drawn: None for an input that it leaves out, and for an output; the element types of outputs where
    onnxruntime does not infer them."""

    inputs: list
    outputs: int | list
    attributes: dict
    opset: int
    types: list = field(default_factory=list)


class Draw:
    """Draws a node: `structure` decides what stays the same between calls, `sizes` what does not."""

    def __init__(self, structure, sizes):
        self.structure, self.sizes = random.Random(structure), random.Random(sizes)
        self.known = {}

    def size(self, name, low=1, high=7, multiple=1):
        """A size with a name, the same wherever the name is used: a multiple of `multiple`, from `low` to `high` times it."""
        if name not in self.known:
            self.known[name] = Size(multiple * self.sizes.randint(low, high), name)
        return self.known[name]

    def number(self, low, high):
        """A number from `low` to `high`."""
        return self.structure.randint(low, high)

    def choice(self, *of):
        return self.structure.choice(of)

    def chance(self, probability=0.5):
        return self.structure.random() < probability

    def optional(self, what, probability=0.5):
        """It, or None."""
        return what if self.chance(probability) else None

    def node(self, inputs, outputs=1, *, opset=21, types=(), **attributes):
        """The node. `outputs` is their number, or a list with False for each that is left out; `opset` that of ai.onnx, and of
        the node's domain where it has several; `types` the element types of the outputs where onnxruntime does not infer
        them."""
        given = {name: value for name, value in attributes.items() if value is not None}
        return Node(list(inputs), outputs, given, opset, list(types))
