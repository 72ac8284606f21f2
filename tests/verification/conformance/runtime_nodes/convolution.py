"""Filters and windows that slide over images, with the channels behind the batch or last."""

from .drawing import Tensor, operator

# The numbers that each activation takes.
ACTIVATIONS = {
    "Relu": None, "Tanh": None, "Sigmoid": None, "HardSwish": None,
    "LeakyRelu": [0.1], "Clip": [0.0, 6.0], "HardSigmoid": [0.2, 0.5],
}


def windows(draw, axes, dilated=True):
    """Attributes of windows over so many axes, and the sizes of the windows."""
    kernel = [draw.number(1, 3) for _ in range(axes)]
    attributes = {"strides": draw.optional([draw.number(1, 3) for _ in range(axes)])}
    if dilated:
        attributes["dilations"] = draw.optional([draw.number(1, 2) for _ in range(axes)])
    if draw.chance(0.4):
        # The kernel of Conv takes no dilations with SAME_UPPER and SAME_LOWER.
        gaps = attributes.get("dilations")
        attributes["auto_pad"] = draw.choice("VALID", "NOTSET") if gaps else draw.choice("SAME_UPPER", "SAME_LOWER", "VALID")
    elif draw.chance(0.7):
        attributes["pads"] = [draw.number(0, size - 1) for size in kernel + kernel]
    return kernel, attributes


def image(draw, axes, channels, last, fixed=False):
    """The dimensions of images with so many axes, each at least as large as any window."""
    space = [draw.number(7, 13) if fixed else draw.size(f"axis{axis}", 7, 13) for axis in range(axes)]
    batch = draw.size("batch", 1, 3)
    return [batch, *space, channels] if last else [batch, channels, *space]


def reached(size, kernel, attributes, axis):
    """How many places a window has along an axis."""
    stride = (attributes.get("strides") or [1] * 3)[axis]
    extent = (kernel - 1) * (attributes.get("dilations") or [1] * 3)[axis] + 1
    if attributes.get("auto_pad", "NOTSET").startswith("SAME"):
        return -(-size // stride)
    pads = attributes.get("pads")
    padded = size + (pads[axis] + pads[axis + len(pads) // 2] if pads else 0)
    return (padded - extent) // stride + 1


def convolution(draw, last=False, filters_last=False, fused=True, types=("float",)):
    """Images and filters, with a bias, a sum and an activation where it has them."""
    axes, groups, type = draw.number(1, 3), draw.number(1, 3), draw.choice(*types)
    inner, filters = draw.number(1, 3), groups * draw.number(1, 3)
    kernel, attributes = windows(draw, axes)
    # What is added has the dimensions of the output, which are numbers where those of the input are.
    added = fused and draw.chance(0.3)
    dims = image(draw, axes, groups * inner, last, fixed=added)
    weights = [filters, *kernel, inner] if filters_last else [filters, inner, *kernel]
    inputs = [Tensor(type, *dims), Tensor(type, *weights), draw.optional(Tensor(type, filters))]
    attributes["group"] = groups if groups > 1 else draw.optional(1)
    attributes["kernel_shape"] = kernel if filters_last else draw.optional(kernel)
    if fused and draw.chance():
        attributes["activation"] = draw.choice(*ACTIVATIONS)
        attributes["activation_params"] = ACTIVATIONS[attributes["activation"]]
    if added:
        space = [reached(dims[axis + (1 if last else 2)], size, attributes, axis) for axis, size in enumerate(kernel)]
        inputs.append(Tensor(type, dims[0], *([*space, filters] if last else [filters, *space])))
    return draw.node(inputs, **attributes)


@operator("FusedConv")
def fused_conv(draw):
    return convolution(draw)


@operator("NhwcConv")
def nhwc_conv(draw):
    return convolution(draw, last=True, filters_last=True, fused=False, types=("float", "float16", "double"))


@operator("NhwcFusedConv")
def nhwc_fused_conv(draw):
    return convolution(draw, last=True, types=("float", "float16"))


@operator("NhwcMaxPool")
def nhwc_max_pool(draw):
    axes = draw.number(1, 3)
    kernel, attributes = windows(draw, axes)
    x = Tensor(draw.choice("uint8", "int8"), *image(draw, axes, draw.size("channels"), last=True))
    return draw.node([x], kernel_shape=kernel, ceil_mode=draw.choice(None, 0, 1), **attributes)


@operator("MaxpoolWithMask")
def max_pool_with_mask(draw):
    axes = draw.number(1, 3)
    kernel, attributes = windows(draw, axes, dilated=False)
    dims = image(draw, axes, draw.size("channels"), last=False)
    mask = draw.choice(dims, [1, 1, *dims[2:]], [draw.size("samples"), draw.size("masks"), *dims[2:]])
    inputs = [Tensor("float", *dims), Tensor("int32", *mask)]
    return draw.node(inputs, kernel_shape=kernel, storage_order=draw.choice(None, 0, 1), **attributes)


@operator("ConvTransposeWithDynamicPads")
def conv_transpose_with_dynamic_pads(draw):
    axes, groups, type = draw.number(1, 3), draw.number(1, 3), draw.choice("float", "float16")
    inner, outer = draw.number(1, 3), draw.number(1, 3)
    kernel, attributes = windows(draw, axes)
    pads = attributes.pop("pads", [0] * 2 * axes)
    extra = [draw.number(0, stride - 1) for stride in attributes["strides"] or [1] * axes]
    attributes |= {"kernel_shape": draw.optional(kernel), "output_padding": draw.optional(extra)}
    dims = image(draw, axes, groups * inner, last=False)
    inputs = [Tensor(type, *dims), Tensor(type, groups * inner, outer, *kernel)]
    inputs += [Tensor("int64", values=pads, constant=draw.chance()), draw.optional(Tensor(type, groups * outer))]
    return draw.node(inputs, group=groups if groups > 1 else draw.optional(1), **attributes)
