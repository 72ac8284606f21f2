"""Operators that do at once what several of ONNX do one after another."""

from .drawing import Tensor, operator


def any_dims(draw, least=0, most=4):
    """Axes of sizes with names, how many of them is drawn."""
    return [draw.size(name, high=5) for name in "abcd"[: draw.number(least, most)]]


def elements(type, dims):
    """A tensor of elements; one without axes has a 1, since such an element is not drawn."""
    return Tensor(type, *dims) if dims else Tensor(type, values=1)


@operator("Gelu")
def gelu(draw):
    return draw.node([elements(draw.choice("float", "float16", "double", "bfloat16"), any_dims(draw))])


@operator("QuickGelu")
def quick_gelu(draw):
    type, dims = draw.choice("float", "float16", "double", "bfloat16"), any_dims(draw)
    return draw.node([elements(type, dims)], alpha=draw.choice(None, 1.0))


@operator("FastGelu")
def fast_gelu(draw):
    type, dims = draw.choice("float", "float16", "double", "bfloat16"), any_dims(draw, 1)
    return draw.node([Tensor(type, *dims), draw.optional(Tensor(type, dims[-1]))])


@operator("BiasGelu")
def bias_gelu(draw):
    type, dims = draw.choice("float", "float16", "double", "bfloat16"), any_dims(draw, 1)
    return draw.node([Tensor(type, *dims), Tensor(type, dims[-1])])


@operator("BiasSplitGelu")
def bias_split_gelu(draw):
    batch, steps, channels = draw.size("batch"), draw.size("steps"), draw.size("channels", multiple=2)
    type = draw.choice("float", "float16")
    return draw.node([Tensor(type, batch, steps, channels), Tensor(type, channels)])


@operator("BiasAdd")
def bias_add(draw):
    dims, type = [draw.size("batch"), draw.size("steps"), draw.size("channels")], draw.choice("float", "float16")
    return draw.node([Tensor(type, *dims), Tensor(type, dims[-1]), Tensor(type, *dims)])


@operator("BiasSoftmax")
def bias_softmax(draw):
    type, dims, inner = draw.choice("float", "float16", "double"), any_dims(draw, 1), draw.number(0, 1)
    axis = draw.number(0, len(dims) - 1)
    repeated = draw.number(0, axis)
    bias = [*dims[:repeated], *[1] * (axis - repeated)] if inner else [*[1] * repeated, *dims[repeated:axis]]
    counted = axis if draw.chance() else axis - len(dims)
    return draw.node([Tensor(type, *dims), Tensor(type, *bias, *dims[axis:])], axis=counted, is_inner_broadcast=inner)


def dropped(draw):
    """The probability with which elements are dropped, whether they are, and the seed."""
    ratio = draw.optional(Tensor(draw.choice("float", "float16", "double"), values=0.25))
    return [ratio, draw.optional(Tensor("bool", values=True))], {"seed": draw.optional(3)}


def biased(draw):
    """Elements with a bias and perhaps with what is added at the end."""
    type, dims = draw.choice("float", "float16", "double", "bfloat16"), any_dims(draw, 1)
    bias = dims if draw.chance(0.3) else dims[-1:]
    return [Tensor(type, *dims), Tensor(type, *bias), draw.optional(Tensor(type, *dims))]


@operator("BiasDropout")
def bias_dropout(draw):
    scalars, attributes = dropped(draw)
    return draw.node([*biased(draw), *scalars], draw.number(1, 2), **attributes)


@operator("BitmaskDropout")
def bitmask_dropout(draw):
    data = elements(draw.choice("float", "float16", "double", "bfloat16"), any_dims(draw))
    scalars, attributes = dropped(draw)
    return draw.node([data, *scalars], draw.number(1, 2), **attributes)


@operator("BitmaskBiasDropout")
def bitmask_bias_dropout(draw):
    scalars, attributes = dropped(draw)
    return draw.node([*biased(draw), *scalars], draw.number(1, 2), **attributes)


@operator("SwiGLU")
def swi_glu(draw):
    type, dims, both = draw.choice("float", "float16", "bfloat16"), any_dims(draw, 0, 3), draw.chance()
    if both:
        return draw.node([elements(type, dims), elements(type, dims)], limit=draw.optional(7.0))
    return draw.node([Tensor(type, *dims, draw.size("both", multiple=2))], round_activation=draw.choice(None, 0, 1))
