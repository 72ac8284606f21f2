"""Random models of one Shape node: mostly right ones, the rest with one fault, seldom two.

The first ones go through every opset with every element type, which are too many pairs to be left to chance. A
model follows from the seed and its number alone, so that one of them can be made again by itself.
"""

import dataclasses
import random

from sample import OPTIONAL, SEQUENCE, SPARSE, Attribute, Declaration, Sample

SMALLEST, LARGEST = -(2**63), 2**63 - 1
NEWEST = 28
ELEMS = 28
MATRIX = NEWEST * ELEMS
# Each version, and the opset before the next one: where a wrong lookup would show.
EDGES = [1, 12, 13, 14, 15, 18, 19, 20, 21, 22, 23, 24, 25, NEWEST]
# The newest IR version of the release that brought an opset; 3 is the first with imports.
IR = {9: 4, 10: 5, 11: 6, 12: 7, 13: 7, 14: 7, 19: 9, 20: 9, 21: 10, 22: 10, 23: 11, 24: 12} | {
    **dict.fromkeys(range(1, 9), 3),
    **dict.fromkeys(range(15, 19), 8),
    **dict.fromkeys(range(25, 28), 13),
}
# The first opset whose Shape takes an element type, for those that came after the first fifteen.
SINCE = {16: 13, 17: 19, 18: 19, 19: 19, 20: 19, 21: 21, 22: 21, 23: 23, 24: 24, 25: 25, 26: 25}
# `unk__0` is a name that the reference makes up by itself, and that a model may have all the same.
SYMBOLS = ["batch", "seq", "N", "M", "unk__0", "h * w"]
EXTREMES = [SMALLEST, SMALLEST + 1, LARGEST, LARGEST - 1, -(2**32), -(2**31), 2**31, 2**32, 1000, -500]


def dimension(rng):
    return rng.choices(
        [rng.randrange(1, 9), 0, rng.choice(SYMBOLS), None, "", rng.choice([2**31, 2**32 + 1, LARGEST])],
        [45, 10, 28, 10, 2, 5],
    )[0]


def dims(rng):
    if rng.random() < 0.1:
        return None
    return tuple(dimension(rng) for _ in range(rng.randrange(9)))


def axis(rng):
    return rng.choice(EXTREMES) if rng.random() < 0.2 else rng.randrange(-10, 11)


def declared_output(rng):
    """What does not contradict a 1-D int64 tensor whose length is known from elsewhere, or is not known."""
    if rng.random() < 0.3:
        return None
    form = rng.choice([None, (None,), ("n",), ("batch",), ("",)])
    return Declaration(rng.choices([7, 0], [9, 1])[0], form)


def valid(rng, opset=None):
    if opset is None:
        opset = rng.choice(EDGES) if rng.random() < 0.6 else rng.randrange(1, NEWEST + 1)
    elems = list(range(1, 16)) + [elem for elem, since in SINCE.items() if since <= opset]
    # The late types are few, and where versions differ.
    elem = rng.choice(elems[15:] or elems) if rng.random() < 0.4 else rng.choice(elems)
    names = ["start", "end"] if opset >= 15 else []
    attributes = [Attribute(name, "INT", axis(rng)) for name in names if rng.random() < 0.6]
    rng.shuffle(attributes)
    x = Declaration(elem, dims(rng))
    return Sample(
        opset=opset,
        ir=IR.get(opset, 14),
        import_domain=rng.choices(["", "ai.onnx"], [9, 1])[0],
        node_domain=rng.choices(["", "ai.onnx"], [9, 1])[0],
        node_name=rng.choice(["", "shape", "/attn/Shape"]),
        x=x,
        y=exact_output(rng, x, attributes) if rng.random() < 0.2 else declared_output(rng),
        inputs=("x",),
        outputs=("y",),
        attributes=tuple(attributes),
    )


def exact_output(rng, x, attributes):
    """The right length where it needs no slicing to be known, and any length for an unknown rank."""
    if x.dims is None:
        return Declaration(7, (rng.randrange(9),))
    return Declaration(7, (len(x.dims),)) if not attributes else declared_output(rng)


def change(sample, **fields):
    return dataclasses.replace(sample, **fields)


def attach(rng, sample, attribute):
    """The attribute in the place of one of its name, or somewhere among the others."""
    others = [other for other in sample.attributes if other.name != attribute.name]
    others.insert(rng.randrange(len(others) + 1), attribute)
    return change(sample, attributes=tuple(others))


def slice_before_15(rng, sample):
    opset = rng.choice([1, 11, 12, 13, 14])
    elem = sample.x.elem if sample.x.elem < 16 else 1
    sample = change(sample, opset=opset, ir=IR[opset], x=Declaration(elem, sample.x.dims))
    return attach(rng, sample, Attribute(rng.choice(["start", "end"]), "INT", axis(rng)))


def any_elem(rng, sample):
    return change(sample, x=Declaration(rng.randrange(1, ELEMS + 1), sample.x.dims))


def no_such_elem(rng, sample):
    """An element type that ONNX does not have, or none, at times of an input that the node does not read."""
    inputs = rng.choices([sample.inputs, ("",)], [4, 1])[0]
    return change(sample, x=Declaration(rng.choice([0, ELEMS + 1, 99, -1]), sample.x.dims), inputs=inputs)


def container(rng, sample):
    return change(sample, x=dataclasses.replace(sample.x, container=rng.choice([OPTIONAL, SEQUENCE, SPARSE])))


def negative_dim(rng, sample):
    known = list(sample.x.dims or [2, 3])
    known.insert(rng.randrange(len(known) + 1), rng.choice([-1, -2, SMALLEST]))
    return change(sample, x=Declaration(sample.x.elem, tuple(known)))


def wrong_kind(rng, sample):
    name = rng.choice(["start", "end"])
    kind, value = rng.choice([("FLOAT", 1.0), ("FLOAT", -1.0), ("INTS", (1,)), ("STRING", b"1"), ("FLOAT", 0.0)])
    return attach(rng, sample, Attribute(name, kind, value))


def odd_attribute(rng, sample):
    """Without a value, without a kind, without either, without a name."""
    name = rng.choice(["start", "end"])
    attribute = rng.choice(
        [
            Attribute(name, "INT", None),
            Attribute(name, "", axis(rng)),
            Attribute(name, "", None),
            Attribute("", "INT", 1),
        ]
    )
    return attach(rng, sample, attribute)


def foreign_attribute(rng, sample):
    return attach(rng, sample, Attribute(rng.choice(["axis", "Start", "ends", "__note"]), "INT", axis(rng)))


def twice(rng, sample):
    name = rng.choice(["start", "end"])
    sample = attach(rng, sample, Attribute(name, "INT", axis(rng)))
    return change(sample, attributes=(*sample.attributes, Attribute(name, "INT", axis(rng))))


def odd_inputs(rng, sample):
    return change(sample, inputs=rng.choice([(), ("",), ("x", "x"), ("x", ""), ("w",)]))


def odd_outputs(rng, sample):
    return change(sample, outputs=rng.choice([(), ("",), ("y", "z"), ("y", ""), ("", "y")]))


def contradiction(rng, sample):
    """A declared output of another type, rank or, for most inputs, length."""
    elem = rng.choices([7, 1, 6, 12, 29], [6, 2, 1, 1, 1])[0]
    form = rng.choice([None, (), (1, 1), ("n", None), (9,), (0,), (3,), (-1,), (LARGEST,)])
    return change(sample, y=Declaration(elem, form))


def later_opset(rng, sample):
    return change(sample, opset=rng.choice([NEWEST + 1, 100, 999, 2**31, LARGEST]), ir=14)


FAULTS = [
    (slice_before_15, 8),
    (any_elem, 8),
    (no_such_elem, 3),
    (container, 2),
    (negative_dim, 3),
    (wrong_kind, 4),
    (odd_attribute, 4),
    (foreign_attribute, 4),
    (twice, 2),
    (odd_inputs, 3),
    (odd_outputs, 3),
    (contradiction, 8),
    (later_opset, 2),
]


def sample(seed, number):
    """The model of that number."""
    rng = random.Random(f"{seed}/{number}")
    if number < MATRIX:
        opset, elem = number // ELEMS + 1, number % ELEMS + 1
        made = valid(rng, opset)
        return change(made, x=Declaration(elem, made.x.dims))
    made = valid(rng)
    for _ in range(rng.choices([0, 1, 2], [60, 36, 4])[0]):
        (fault,) = rng.choices([fault for fault, _ in FAULTS], [weight for _, weight in FAULTS])
        made = fault(rng, made)
    return made
