"""Operators on images whose channels lie in blocks, of 8 or 16 as the processor has it: their numbers are multiples of 16."""

from .drawing import Tensor, operator

DOMAIN = "com.microsoft.nchwc"
# The numbers that each takes.
ACTIVATIONS = dict.fromkeys(["Relu", "Tanh", "Sigmoid", "HardSwish"])
ACTIVATIONS |= {"LeakyRelu": [0.1], "Clip": [0.0, 6.0], "HardSigmoid": [0.2, 0.5]}


def image(draw, channels=None):
    channels = draw.choice(16, 32, draw.size("channels", high=3, multiple=16)) if channels is None else channels
    return Tensor("float", draw.size("batch"), channels, draw.size("height", 9, 15), draw.size("width", 9, 15))


def windows(draw, kernel):
    """Strides, dilations and padding of a window of 2 axes. Not both dilations and SAME: Conv
    refuses them, and the rule of pools leaves the sizes open."""
    strides = draw.optional([draw.number(1, 3), draw.number(1, 3)])
    dilations = draw.optional([draw.number(1, 2), draw.number(1, 2)])
    pads = [draw.number(0, kernel[axis] - 1) for axis in (0, 1, 0, 1)]
    how = draw.choice("none", "pads", "VALID", "SAME_UPPER", "SAME_LOWER")
    dilations = None if how.startswith("SAME") else dilations
    return {
        "strides": strides,
        "dilations": dilations,
        "pads": pads if how == "pads" else None,
        "auto_pad": None if how in ("none", "pads") else how,
    }


@operator("Conv", DOMAIN)
def conv(draw):
    kernel, filters = [draw.number(1, 3), draw.number(1, 3)], draw.choice(16, 32)
    kind = draw.choice("blocks", "first layer", "groups", "each channel")
    if kind == "groups":
        filters = 32
    channels = {"blocks": draw.choice(16, 32), "first layer": draw.number(1, 7), "groups": 32, "each channel": filters}[kind]
    group = {"groups": 2, "each channel": filters}.get(kind)
    activation = draw.optional(draw.choice(*ACTIVATIONS))
    inputs = [image(draw, channels), Tensor("float", filters, channels // (group or 1), *kernel)]
    attributes = windows(draw, kernel)
    bias = draw.optional(Tensor("float", filters))
    if draw.chance(0.3):
        # With windows of one place the output is as large as the input.
        inputs[1].dims, attributes = (*inputs[1].dims[:2], 1, 1), {}
        kernel = [1, 1]
        inputs += [bias, Tensor("float", inputs[0].dims[0], filters, *inputs[0].dims[2:])]
    elif bias:
        inputs.append(bias)
    params = ACTIVATIONS.get(activation)
    said = draw.optional(kernel)
    return draw.node(inputs, kernel_shape=said, group=group, activation=activation, activation_params=params, **attributes)


def pool(draw, **attributes):
    kernel = [draw.number(1, 4), draw.number(1, 4)]
    attributes |= {"kernel_shape": kernel, "ceil_mode": draw.choice(None, 0, 1)}
    return draw.node([image(draw)], **windows(draw, kernel), **attributes)


@operator("MaxPool", DOMAIN)
def max_pool(draw):
    return pool(draw, storage_order=draw.choice(None, 1))


@operator("AveragePool", DOMAIN)
def average_pool(draw):
    return pool(draw, count_include_pad=draw.choice(None, 1))


@operator("GlobalMaxPool", DOMAIN)
@operator("GlobalAveragePool", DOMAIN)
def global_pool(draw):
    return draw.node([image(draw)])


@operator("ReorderInput", DOMAIN)
def reorder_input(draw):
    batch, _, height, width = image(draw, 16).dims
    channels = draw.choice(16, 32, 12, 28, draw.size("channels", high=3, multiple=16))
    if draw.chance():
        return draw.node([Tensor("float", batch, channels, height, width)])
    return draw.node([Tensor("float", batch, height, width, channels)], channels_last=1)


@operator("ReorderOutput", DOMAIN)
def reorder_output(draw):
    blocks = draw.number(1, 3)
    return draw.node(
        [image(draw, 16 * blocks)], channels=16 * blocks - draw.number(0, 7), channels_last=draw.choice(None, 1)
    )


@operator("Upsample", DOMAIN)
def upsample(draw):
    mode = draw.choice(None, "nearest", "linear")
    how = draw.choice("asymmetric", "half_pixel", "align_corners") if mode == "linear" else None
    scales = [1, 1, draw.number(1, 3), draw.number(1, 3)]
    return draw.node([image(draw)], scales=scales, mode=mode, coordinate_transformation_mode=how)
