"""Operators that pick, pad, lay out or transform the elements of tensors."""

from .drawing import Tensor, operator


def sizes(draw, rank, prefix="axis"):
    return [draw.size(f"{prefix}{axis}") for axis in range(rank)]


@operator("CropAndResize")
def crop_and_resize(draw):
    batch, channels, height, width = (draw.size(name) for name in ("batch", "channels", "height", "width"))
    regions, type = draw.size("regions"), draw.choice("float", "float16")
    crop = Tensor("int32", values=[draw.number(1, 6), draw.number(1, 6)], constant=draw.chance())
    inputs = [Tensor(type, batch, channels, height, width), Tensor(type, regions, 4)]
    inputs += [Tensor("int32", regions, low=0, high=1), crop]
    return draw.node(inputs, mode=draw.choice(None, "bilinear", "nearest"), extrapolation_value=draw.optional(2.0))


@operator("GridSample")
def grid_sample(draw):
    batch, channels, type = draw.size("batch"), draw.size("channels"), draw.choice("float", "double")
    if type == "double":
        mode = draw.choice("nearest", "bilinear")
    else:
        mode = draw.choice(None, "bilinear", "nearest", "bicubic")
    inputs = [Tensor(type, batch, channels, *sizes(draw, 2)), Tensor(type, batch, *sizes(draw, 2, "place"), 2)]
    padding = draw.choice(None, "zeros", "border", "reflection")
    return draw.node(inputs, mode=mode, padding_mode=padding, align_corners=draw.choice(None, 0, 1))


@operator("Pad")
def pad(draw):
    rank, type = draw.number(1, 4), draw.choice("float", "float16")
    mode = draw.choice(None, "constant", "reflect", "edge", "wrap")
    low = 0 if mode in ("reflect", "wrap") else -1
    pads = [draw.number(low, 2) for _ in range(2 * rank)]
    pads = Tensor("int64", values=[pads] if draw.chance(0.3) else pads, constant=draw.chance(0.7))
    value = draw.choice(None, Tensor(type, values=2), Tensor(type, 1))
    return draw.node([Tensor(type, *[draw.size(f"axis{axis}", 3, 8) for axis in range(rank)]), pads, value], mode=mode)


@operator("Range")
def range_of_numbers(draw):
    type = draw.choice("int64", "int32", "int16", "float", "double")
    start, step = draw.number(-9, 9), draw.choice(None, -3, -1, 1, 2, 4)
    limit = start + draw.number(0, 20) * (-1 if step and step < 0 else 1)
    dims = draw.choice([], [1])
    numbers = [None if of is None else [of] if dims else of for of in (start, limit, step)]
    constant = draw.chance()
    return draw.node([of if of is None else Tensor(type, values=of, constant=constant) for of in numbers])


@operator("Unique")
def unique(draw):
    return draw.node([Tensor("float", draw.size("elements"), low=0, high=1)], 3)


@operator("Trilu")
def trilu(draw):
    matrices = sizes(draw, draw.number(2, 4))
    k = draw.choice(None, Tensor("int64", values=draw.number(-3, 3)), Tensor("int64", values=[1]))
    return draw.node([Tensor(draw.choice("float", "double", "int64", "bool"), *matrices), k], upper=draw.choice(None, 0, 1))


@operator("GatherND")
def gather_nd(draw):
    rank, type = draw.number(1, 4), draw.choice("float", "int64", "bool", "double")
    tuples = [*sizes(draw, draw.number(0, 2), "tuple"), draw.number(0, rank)]
    indices = Tensor(draw.choice("int32", "int64"), *tuples, low=0, high=1)
    return draw.node([Tensor(type, *sizes(draw, rank)), indices])


@operator("ExpandDims")
def expand_dims(draw):
    rank, type = draw.number(0, 4), draw.choice("float", "int64", "bool", "float16")
    axis = draw.number(-rank - 1, rank)
    axis = Tensor("int32", values=[axis] if draw.chance(0.3) else axis, constant=draw.chance(0.7))
    return draw.node([Tensor(type, *sizes(draw, rank)) if rank else Tensor(type, values=1), axis])


@operator("Inverse")
def inverse(draw):
    side = draw.size("side")
    return draw.node([Tensor(draw.choice("float", "double", "float16"), *sizes(draw, draw.number(0, 2)), side, side)])


@operator("CDist")
def distances(draw):
    type, numbers = draw.choice("float", "double"), draw.size("numbers")
    inputs = [Tensor(type, draw.size("points"), numbers), Tensor(type, draw.size("others"), numbers)]
    return draw.node(inputs, types=[type], metric=draw.choice(None, "sqeuclidean", "euclidean"))


@operator("Rfft")
def rfft(draw):
    count, type = draw.number(1, 3), draw.choice("float", "float16", "double")
    dims = sizes(draw, draw.number(count - 1, 3))
    return draw.node([Tensor(type, *dims, draw.size("steps", multiple=2))], types=[type], signal_ndim=count)


@operator("Irfft")
def irfft(draw):
    count, type = draw.number(1, 3), draw.choice("float", "float16", "double")
    dims = sizes(draw, draw.number(count - 1, 3))
    return draw.node([Tensor(type, *dims, draw.size("half", low=2), 2)], types=[type], signal_ndim=count)


def complex_product(draw):
    """Two tensors of complex numbers, either broadcast to the other."""
    rank, type = draw.number(0, 3), draw.choice("float", "float16", "double")
    full = sizes(draw, rank)
    part = [1 if draw.chance(0.3) else size for size in full][draw.number(0, rank):]
    inputs = [Tensor(type, *full, 2), Tensor(type, *part, 2)]
    return draw.node(reversed(inputs) if draw.chance() else inputs, types=[type])


@operator("ComplexMul")
def complex_mul(draw):
    return complex_product(draw)


@operator("ComplexMulConj")
def complex_mul_conj(draw):
    return complex_product(draw)
