"""Random models of one operator: mostly right ones, the rest with one fault, seldom two.

The first ones go through every opset with every element type, which are too many pairs to be left to chance. A
model follows from the seed and its number alone, so that one of them can be made again by itself.

What is here serves any operator; `shape_models.py` and `reshape_models.py` make its right models and its own faults.
"""

import dataclasses
import random

from sample import OPTIONAL, SEQUENCE, SPARSE, Attribute, Declaration, change
from schema import NEWEST_OPSET, OPERATORS, version

SMALLEST, LARGEST = -(2**63), 2**63 - 1
ELEMS = 28
MATRIX = NEWEST_OPSET * ELEMS
# The newest IR version of the release that brought an opset; 3 is the first with imports.
IR = {9: 4, 10: 5, 11: 6, 12: 7, 13: 7, 14: 7, 19: 9, 20: 9, 21: 10, 22: 10, 23: 11, 24: 12} | {
    **dict.fromkeys(range(1, 9), 3),
    **dict.fromkeys(range(15, 19), 8),
    **dict.fromkeys(range(25, 28), 13),
}
# `unk__0` is a name that the reference makes up by itself, and that a model may have all the same; some are written
# out as expressions, and the last one only looks like one.
SYMBOLS = ["batch", "seq", "N", "M", "unk__0", "h * w", "past + 1", "batch-size"]
EXTREMES = [SMALLEST, SMALLEST + 1, LARGEST, LARGEST - 1, -(2**32), -(2**31), 2**31, 2**32, 1000, -500]


def an_opset(rng, op_type):
    """Often a version's first, or the last before the next one, where a wrong look-up would show."""
    since = list(OPERATORS[op_type])
    edges = sorted({*since, *(opset - 1 for opset in since[1:]), NEWEST_OPSET})
    return rng.choice(edges) if rng.random() < 0.6 else rng.randrange(1, NEWEST_OPSET + 1)


def an_elem(rng, op_type, opset):
    elems = sorted(version(op_type, opset).allowed)
    # The late types are few, and where versions differ.
    return rng.choice(elems[15:] or elems) if rng.random() < 0.4 else rng.choice(elems)


def dimension(rng):
    return rng.choices(
        [rng.randrange(1, 9), 0, rng.choice(SYMBOLS), None, "", rng.choice([2**31, 2**32 + 1, LARGEST])],
        [45, 10, 28, 10, 2, 5],
    )[0]


def dims(rng, most=8):
    if rng.random() < 0.1:
        return None
    return tuple(dimension(rng) for _ in range(rng.randrange(most + 1)))


def axis(rng):
    return rng.choice(EXTREMES) if rng.random() < 0.2 else rng.randrange(-10, 11)


def attach(rng, sample, attribute):
    """The attribute in the place of one of its name, or somewhere among the others."""
    others = [other for other in sample.node.attributes if other.name != attribute.name]
    others.insert(rng.randrange(len(others) + 1), attribute)
    return change(sample, attributes=tuple(others))


def any_elem(rng, sample):
    return change(sample, x=Declaration(rng.randrange(1, ELEMS + 1), sample.x.dims))


def no_such_elem(rng, sample):
    """An element type that ONNX does not have, or none, at times of an input that the node does not read."""
    inputs = rng.choices([sample.node.inputs, ("", *sample.node.inputs[1:])], [4, 1])[0]
    return change(sample, x=Declaration(rng.choice([0, ELEMS + 1, 99, -1]), sample.x.dims), inputs=inputs)


def container(rng, sample):
    return change(sample, x=dataclasses.replace(sample.x, container=rng.choice([OPTIONAL, SEQUENCE, SPARSE])))


def negative_dim(rng, sample):
    known = list(sample.x.dims or [2, 3])
    known.insert(rng.randrange(len(known) + 1), rng.choice([-1, -2, SMALLEST]))
    return change(sample, x=Declaration(sample.x.elem, tuple(known)))


def wrong_kind(rng, sample, names):
    kind, value = rng.choice([("FLOAT", 1.0), ("FLOAT", -1.0), ("INTS", (1,)), ("STRING", b"1"), ("FLOAT", 0.0)])
    return attach(rng, sample, Attribute(rng.choice(names), kind, value))


def odd_attribute(rng, sample, names, value):
    """Without a value, without a kind, without either, without a name."""
    name = rng.choice(names)
    attribute = rng.choice(
        [
            Attribute(name, "INT", None),
            Attribute(name, "", value),
            Attribute(name, "", None),
            Attribute("", "INT", 1),
        ]
    )
    return attach(rng, sample, attribute)


def foreign_attribute(rng, sample, names):
    return attach(rng, sample, Attribute(rng.choice(names), "INT", axis(rng)))


def twice(rng, sample, name, values):
    sample = attach(rng, sample, Attribute(name, "INT", rng.choice(values)))
    return change(sample, attributes=(*sample.node.attributes, Attribute(name, "INT", rng.choice(values))))


def odd_outputs(rng, sample):
    return change(sample, outputs=rng.choice([(), ("",), ("y", "z"), ("y", ""), ("", "y")]))


def later_opset(rng, sample):
    return change(sample, opset=rng.choice([NEWEST_OPSET + 1, 100, 999, 2**31, LARGEST]), ir=14)


def sample(operator, seed, number):
    """The model of that number; `operator` is a module with `valid` and `FAULTS`."""
    rng = random.Random(f"{seed}/{number}")
    if number < MATRIX:
        opset, elem = number // ELEMS + 1, number % ELEMS + 1
        made = operator.valid(rng, opset)
        # Where the output has the type of the input, its declaration goes along.
        follows = made.y and made.y.elem == made.x.elem and version(operator.OP_TYPE, opset).output is None
        y = Declaration(elem, made.y.dims) if follows else made.y
        return change(made, x=Declaration(elem, made.x.dims), y=y)
    made = operator.valid(rng)
    for _ in range(rng.choices([0, 1, 2], [60, 36, 4])[0]):
        (fault,) = rng.choices([fault for fault, _ in operator.FAULTS], [weight for _, weight in operator.FAULTS])
        made = fault(rng, made)
    return made
