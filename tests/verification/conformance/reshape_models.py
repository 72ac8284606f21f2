"""Models of one Reshape node, with what gives it its target."""

from math import prod

from generator import (
    IR,
    LARGEST,
    SMALLEST,
    SYMBOLS,
    an_elem,
    an_opset,
    any_elem,
    attach,
    axis,
    container,
    foreign_attribute,
    later_opset,
    negative_dim,
    no_such_elem,
    odd_attribute,
    odd_outputs,
    twice,
    wrong_kind,
)
from sample import EXTERNAL, RAW, TYPED, Attribute, Declaration, Initializer, Node, Sample, change

OP_TYPE = "Reshape"
INT64 = 7
# The first opsets in which the target is an input, and with `allowzero`.
TARGET_INPUT, ALLOWZERO = 5, 14
NAMES = ["allowzero", "shape"]


def data_dims(rng):
    """Small sizes for the most part, so that the data can be made up too."""
    if rng.random() < 0.07:
        return None
    wild = rng.random() < 0.05

    def dimension():
        return rng.choices(
            [rng.choice([1, 2, 3, 4, 6, 12]), 0, rng.choice(SYMBOLS[:4]), rng.choice(SYMBOLS[4:]), None, ""],
            [58, 5, 25, 3, 8, 1],
        )[0]

    dims = [dimension() for _ in range(rng.randrange(6))]
    if wild:
        dims.insert(rng.randrange(len(dims) + 1), rng.choice([2**31, 2**32, 2**40, LARGEST]))
    return tuple(dims)


def factors(number):
    """The prime factors of a small number, and the large ones as they are."""
    found, divisor = [], 2
    while divisor * divisor <= number and divisor < 1000:
        while number % divisor == 0:
            found.append(divisor)
            number //= divisor
        divisor += 1
    return found + [number] * (number > 1)


def regrouped(rng, number, groups):
    """So many sizes whose product is the number."""
    sizes = [1] * groups
    if number == 0:
        sizes = [rng.choice([1, 2, 5, 7]) for _ in sizes]
        sizes[rng.randrange(groups)] = 0
        return sizes
    for factor in factors(number):
        sizes[rng.randrange(groups)] *= factor
    return sizes


def right_target(rng, dims):
    """Entries that go with the dimensions: numbers, names, None for an unknown size, -1 and 0."""
    if dims is None:
        return [rng.choice([1, 2, 3, 4]) for _ in range(rng.randrange(5))] + [-1] * rng.randrange(2)
    known = [dim for dim in dims if isinstance(dim, int)]
    others = [dim or None for dim in dims if not isinstance(dim, int)]
    if not others and prod(known) == 1 and rng.random() < 0.3:
        return []
    # A file holds no number past int64.
    target = regrouped(rng, prod(known), rng.randrange(1, 5)) if prod(known) <= LARGEST else known
    for other in others:
        target.insert(rng.randrange(len(target) + 1), other)
    return target


def copied(rng, target, dims):
    """Zeros in the place of what stands at the same place in the data."""
    for place, (entry, dim) in enumerate(zip(target, dims or (), strict=False)):
        if entry == dim and (dim or isinstance(dim, int)) and rng.random() < 0.6:
            target[place] = 0
    return target


def inferred(rng, target, allowzero):
    """A -1 in the place of an entry, if it is allowed there."""
    if -1 in target or not target:
        return target
    # What is not known in advance can only be written as -1.
    unknown = [place for place, entry in enumerate(target) if not isinstance(entry, int)]
    place = rng.choice(unknown or range(len(target)))
    rest = target[:place] + target[place + 1 :]
    if unknown or (rng.random() < 0.5 and not (allowzero and 0 in rest)):
        target[place] = -1
    return target


def settled(rng, target):
    """Numbers in the place of what is left of names."""
    return tuple(entry if isinstance(entry, int) else rng.choice([1, 2, 3]) for entry in target)


def valid(rng, opset=None):
    opset = opset or an_opset(rng, OP_TYPE)
    attributes = []
    if opset >= ALLOWZERO and rng.random() < 0.4:
        attributes.append(Attribute("allowzero", "INT", rng.choice([0, 1, 1])))
    x = Declaration(an_elem(rng, OP_TYPE, opset), data_dims(rng))
    target = right_target(rng, x.dims)
    made = Sample(
        opset=opset,
        ir=rng.choices([IR.get(opset, 14), 3, 8], [7, 2, 1])[0],
        import_domain=rng.choices(["", "ai.onnx"], [9, 1])[0],
        x=x,
        y=declared_output(rng, target, x),
        node=Node(
            OP_TYPE,
            inputs=("x",) if opset < TARGET_INPUT else ("x", "t"),
            outputs=("y",),
            attributes=tuple(attributes),
            name=rng.choice(["", "reshape", "/attn/Reshape"]),
            domain=rng.choices(["", "ai.onnx"], [19, 1])[0],
        ),
    )
    source = "attribute" if opset < TARGET_INPUT else rng.choices(SOURCES, WEIGHTS)[0]
    if source is through_shape and -1 not in target:
        return through_shape(rng, made, tuple(target))
    allowzero = any(given.value == 1 for given in attributes)
    if not allowzero:
        target = copied(rng, target, x.dims)
    target = settled(rng, inferred(rng, target, allowzero))
    if source == "attribute":
        return attach(rng, legacy(rng, made), Attribute("shape", "INTS", target))
    return (constant if source is through_shape else source)(rng, made, target)


def legacy(rng, sample):
    return attach(rng, sample, Attribute("consumed_inputs", "INTS", (0,))) if rng.random() < 0.1 else sample


def encoding(rng):
    return rng.choices([RAW, TYPED, EXTERNAL], [5, 4, 1])[0]


def initialized(rng, sample, name, target):
    given = Initializer(INT64, (len(target),), target, encoding(rng))
    return change(sample, initializers=(*sample.initializers, (name, given)))


def constant(rng, sample, target):
    if sample.ir == 3 and rng.random() < 0.8:
        # There a constant is a graph input too, as the files of the time have it.
        return default(rng, sample, target)
    return initialized(rng, sample, "t", target)


def default(rng, sample, target):
    """The initializer of a graph input, a constant for old IR versions only."""
    form = rng.choice([(len(target),), (len(target),), (None,), ("n",), None])
    sample = change(sample, others=(("t", Declaration(INT64, form)),))
    sample = change(sample, ir=rng.choice([3, sample.ir]))
    return initialized(rng, sample, "t", target)


def given(rng, sample, target):
    """A graph input."""
    length = rng.choices([len(target), 1024, 1025, 5000], [20, 1, 1, 1])[0]
    form = rng.choices([(length,), (None,), ("n",), None], [6, 2, 1, 1])[0]
    return change(sample, others=(("t", Declaration(INT64, form)),))


def through_shape(rng, sample, target):
    """The dimensions of another graph input."""
    other = Declaration(1, target)
    return change(sample, others=(("s", other),), before=(Node("Shape", ("s",), ("t",)),))


def reshaped_target(rng, sample, target):
    """A target that went through another Reshape."""
    sample = initialized(rng, sample, "entries", target)
    flat = rng.choice([(-1,), (len(target),)])
    sample = initialized(rng, sample, "flat", flat)
    return change(sample, before=(Node(OP_TYPE, ("entries", "flat"), ("t",)),))


def twice_reshaped(rng, sample, target):
    """The data go through another Reshape before."""
    sample = initialized(rng, sample, "t", target)
    first = settled(rng, inferred(rng, copied(rng, right_target(rng, sample.x.dims), sample.x.dims), False))
    if sample.x.dims is None or target.count(0):
        # What is copied by a 0 would be another dimension.
        return sample
    sample = initialized(rng, sample, "first", first)
    sample = change(sample, before=(Node(OP_TYPE, ("x", "first"), ("m",)),))
    return change(sample, inputs=("m", "t"))


SOURCES = [constant, default, given, through_shape, reshaped_target, twice_reshaped]
WEIGHTS = [45, 15, 12, 18, 4, 6]


def declared_output(rng, target, x):
    """What does not contradict the output, for the most part."""
    if rng.random() < 0.4:
        return None
    elem = rng.choices([x.elem, 0], [9, 1])[0]
    names = tuple(rng.choice(["n", "N", None, ""]) for _ in target)
    form = rng.choice([None, None, (None,) * len(target), names])
    return Declaration(elem, form)


def target_of(sample):
    """The numbers of the target, where it has them."""
    for name, given in sample.initializers:
        if name == "t" and given.elem == INT64:
            return given.elements
    for given in sample.node.attributes:
        if given.name == "shape" and isinstance(given.value, tuple):
            return given.value
    return None


def retarget(rng, sample, target):
    """The sample with another constant target."""
    if sample.opset < TARGET_INPUT:
        return attach(rng, sample, Attribute("shape", "INTS", target))
    sample = change(sample, initializers=(), others=(), before=(), inputs=("x", "t"))
    return (default if rng.random() < 0.15 else constant)(rng, sample, target)


def junk(rng, sample):
    """Entries at random."""
    return retarget(rng, sample, tuple(rng.choice([-1, 0, 0, 1, 2, 3, 4, 6, 12]) for _ in range(rng.randrange(6))))


def spoilt(rng, sample):
    """One wrong entry."""
    target = list(target_of(sample) or (2, 3))
    entry = rng.choice([-1, -1, -1, -2, SMALLEST, 0, 0, 5, 7, 2**31, 2**40, LARGEST])
    target.insert(rng.randrange(len(target) + 1), entry)
    return retarget(rng, sample, tuple(target))


def dropped(rng, sample):
    """One entry less."""
    target = list(target_of(sample) or ())
    if target:
        target.pop(rng.randrange(len(target)))
    return retarget(rng, sample, tuple(target))


def zeros(rng, sample):
    """Zeros in data and target, with and without -1."""
    dims = rng.choice([(0, 3), (2, 0, 3), ("N", 0), (0,), (0, "N", 3)])
    target = rng.choice([(-1,), (0, -1), (-1, 3), (0, 0), (0, 3), (3, 0), (0, 0, -1), (5, 0), (-1, 0), (2, -1, 0)])
    sample = retarget(rng, change(sample, x=Declaration(sample.x.elem, dims)), target)
    return sample if rng.random() < 0.5 else allowed_zero(rng, sample, [0, 1, 1])


def allowed_zero(rng, sample, values=(0, 1, 1, 2, -1, LARGEST)):
    """`allowzero`, at times with a value that it cannot have, or in a version without it."""
    return attach(rng, sample, Attribute("allowzero", "INT", rng.choice(values)))


def zero_and_inferred(rng, sample):
    """A 0 beside a -1 under allowzero=1, in a target that is a default only."""
    opset = rng.choice([14, 18, 21, 25])
    sample = change(sample, opset=opset, x=Declaration(rng.choice([1, 7]), (2, 0, 3)), inputs=("x", "t"), before=())
    sample = change(sample, y=None, attributes=(Attribute("allowzero", "INT", 1),), initializers=())
    return change(default(rng, sample, rng.choice([(0, -1), (-1, 0, 5)])), ir=IR[opset])


def enormous(rng, sample):
    """A product past int64."""
    dims = rng.choice([(2**32, 2**31), (2**40, 2**40), ("N", 2**40, 2**40), (2**40, 2**40, 0), (65536,) * 4])
    target = rng.choice([(-1,), dims if isinstance(dims[0], int) else (-1,), (0, 0), (2**40, -1), (0, -1)])
    return retarget(rng, change(sample, x=Declaration(sample.x.elem, dims)), target)


def no_list(rng, sample):
    """A target that is not 1-D."""
    if sample.opset < TARGET_INPUT:
        return sample
    target = rng.choice([(2,), (6,), (-1,), (1, 6), (3, -1)])
    form = () if len(target) == 1 and rng.random() < 0.5 else (1, len(target))
    sample = change(sample, initializers=(), others=(), before=(), inputs=("x", "t"))
    if rng.random() < 0.5:
        return change(sample, others=(("t", Declaration(INT64, form)),))
    return change(sample, initializers=(("t", Initializer(INT64, form, target, rng.choice([RAW, TYPED]))),))


def no_int64(rng, sample):
    """A target of another type."""
    if sample.opset < TARGET_INPUT:
        return sample
    elem = rng.choice([6, 1])
    target = (2.0, 3.0) if elem == 1 else (2, 3)
    sample = change(sample, initializers=(), others=(), before=(), inputs=("x", "t"))
    if rng.random() < 0.5:
        return change(sample, others=(("t", Declaration(rng.choice([elem, 8, 9, 13]), (2,))),))
    return change(sample, initializers=(("t", Initializer(elem, (2,), target, rng.choice([RAW, TYPED]))),))


def too_long(rng, sample):
    """More entries than a tensor can have dimensions."""
    if sample.opset < TARGET_INPUT:
        return sample
    length = rng.choice([1_000_001, 2**31, LARGEST])
    sample = change(sample, initializers=(), before=(), inputs=("x", "t"))
    return change(sample, others=(("t", Declaration(INT64, (length,))),))


def contradicting_default(rng, sample):
    """A graph input whose declaration contradicts its initializer."""
    if sample.opset < TARGET_INPUT:
        return sample
    sample = retarget(rng, sample, (2, 3))
    sample = change(sample, others=(("t", Declaration(rng.choice([INT64, 6]), rng.choice([(3,), (2,), (1, 2)]))),))
    return change(sample, ir=rng.choice([3, 8]))


def odd_inputs(rng, sample):
    if sample.opset < TARGET_INPUT:
        return change(sample, inputs=rng.choice([(), ("",), ("x", "x"), ("x", ""), ("w",)]))
    odd = [(), ("x",), ("x", ""), ("", "t"), ("x", "t", "t"), ("x", "w"), ("w", "t")]
    return change(sample, inputs=rng.choice(odd))


def swapped(rng, sample):
    return change(sample, inputs=sample.node.inputs[::-1])


def contradiction(rng, sample):
    """A declared output of another type, rank or sizes, for most."""
    elem = rng.choices([sample.x.elem, 1, 7, 29], [7, 1, 1, 1])[0]
    form = rng.choice([None, (), (1, 1), (5, None), (9,), (0,), (7, 7, 7), (-1,), ("N", "n"), (LARGEST,)])
    return change(sample, y=Declaration(elem, form))


def attribute_too_early(rng, sample):
    """The attribute of another version."""
    if sample.opset < TARGET_INPUT:
        return attach(rng, sample, Attribute("allowzero", "INT", rng.choice([0, 1])))
    return attach(rng, sample, Attribute("shape", "INTS", (2, 3)))


def no_target(rng, sample):
    """Version 1 without its attribute, and later ones without their input."""
    if sample.opset >= TARGET_INPUT:
        return change(sample, inputs=rng.choice([("x",), ("x", "")]))
    return change(sample, attributes=tuple(given for given in sample.node.attributes if given.name != "shape"))


FAULTS = [
    (junk, 10),
    (spoilt, 12),
    (dropped, 6),
    (zeros, 8),
    (allowed_zero, 6),
    (zero_and_inferred, 3),
    (enormous, 4),
    (no_list, 5),
    (no_int64, 4),
    (too_long, 2),
    (contradicting_default, 2),
    (no_target, 3),
    (odd_inputs, 3),
    (swapped, 2),
    (attribute_too_early, 3),
    (contradiction, 6),
    (any_elem, 4),
    (no_such_elem, 2),
    (container, 2),
    (negative_dim, 2),
    (odd_outputs, 2),
    (later_opset, 1),
    (lambda rng, sample: wrong_kind(rng, sample, NAMES), 2),
    (lambda rng, sample: odd_attribute(rng, sample, NAMES, axis(rng)), 2),
    (lambda rng, sample: foreign_attribute(rng, sample, ["axis", "AllowZero", "dims", "__note"]), 2),
    (lambda rng, sample: twice(rng, sample, "allowzero", [0, 1]), 1),
]
