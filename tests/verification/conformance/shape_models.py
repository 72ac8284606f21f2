"""Models of one Shape node."""

from generator import (
    IR,
    LARGEST,
    an_elem,
    an_opset,
    any_elem,
    attach,
    axis,
    container,
    dims,
    foreign_attribute,
    later_opset,
    negative_dim,
    no_such_elem,
    odd_attribute,
    odd_outputs,
    twice,
    wrong_kind,
)
from sample import Attribute, Declaration, Node, Sample, change
from schema import version

OP_TYPE = "Shape"
AXES = ["start", "end"]


def declared_output(rng):
    """What does not contradict a 1-D int64 tensor whose length is known from elsewhere, or is not known."""
    if rng.random() < 0.3:
        return None
    form = rng.choice([None, (None,), ("n",), ("batch",), ("",)])
    return Declaration(rng.choices([7, 0], [9, 1])[0], form)


def exact_output(rng, x, attributes):
    """The right length where it needs no slicing to be known, and any length for an unknown rank."""
    if x.dims is None:
        return Declaration(7, (rng.randrange(9),))
    return Declaration(7, (len(x.dims),)) if not attributes else declared_output(rng)


def valid(rng, opset=None):
    opset = opset or an_opset(rng, OP_TYPE)
    names = version(OP_TYPE, opset).attributes
    attributes = [Attribute(name, "INT", axis(rng)) for name in names if rng.random() < 0.6]
    rng.shuffle(attributes)
    x = Declaration(an_elem(rng, OP_TYPE, opset), dims(rng))
    return Sample(
        opset=opset,
        ir=IR.get(opset, 14),
        import_domain=rng.choices(["", "ai.onnx"], [9, 1])[0],
        x=x,
        y=exact_output(rng, x, attributes) if rng.random() < 0.2 else declared_output(rng),
        node=Node(
            OP_TYPE,
            inputs=("x",),
            outputs=("y",),
            attributes=tuple(attributes),
            name=rng.choice(["", "shape", "/attn/Shape"]),
            domain=rng.choices(["", "ai.onnx"], [9, 1])[0],
        ),
    )


def slice_before_15(rng, sample):
    opset = rng.choice([1, 11, 12, 13, 14])
    elem = sample.x.elem if sample.x.elem < 16 else 1
    sample = change(sample, opset=opset, ir=IR[opset], x=Declaration(elem, sample.x.dims))
    return attach(rng, sample, Attribute(rng.choice(AXES), "INT", axis(rng)))


def odd_inputs(rng, sample):
    return change(sample, inputs=rng.choice([(), ("",), ("x", "x"), ("x", ""), ("w",)]))


def contradiction(rng, sample):
    """A declared output of another type, rank or, for most inputs, length."""
    elem = rng.choices([7, 1, 6, 12, 29], [6, 2, 1, 1, 1])[0]
    form = rng.choice([None, (), (1, 1), ("n", None), (9,), (0,), (3,), (-1,), (LARGEST,)])
    return change(sample, y=Declaration(elem, form))


FAULTS = [
    (slice_before_15, 8),
    (any_elem, 8),
    (no_such_elem, 3),
    (container, 2),
    (negative_dim, 3),
    (lambda rng, sample: wrong_kind(rng, sample, AXES), 4),
    (lambda rng, sample: odd_attribute(rng, sample, AXES, axis(rng)), 4),
    (lambda rng, sample: foreign_attribute(rng, sample, ["axis", "Start", "ends", "__note"]), 4),
    (lambda rng, sample: twice(rng, sample, rng.choice(AXES), [axis(rng), axis(rng)]), 2),
    (odd_inputs, 3),
    (odd_outputs, 3),
    (contradiction, 8),
    (later_opset, 2),
]
