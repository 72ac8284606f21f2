"""Operators of ai.onnx with the channels last, as onnxruntime's layout transformation makes them.

No execution provider of the package has kernels for them, but a model may import their domain, and its session infers
what they give before it looks for kernels. Of an operator's versions the opset says which one is meant. What that inference
and the descriptors are known to see differently is not drawn: `channels_last` of QLinearAveragePool, and a last window
that begins in the end padding.
"""

from dataclasses import replace

from .drawing import Tensor, operator

DOMAIN, LAST_OPSET = "com.ms.internal.nhwc", 21
FLOATS, BYTES = ("float", "float16", "double"), ("uint8", "int8")


def versions(name, *since):
    """Registers a function for each version of an operator, which it is given beside what draws."""

    def register(draws):
        for version, following in zip(since, (*since[1:], LAST_OPSET + 1)):
            opsets = range(max(version, 7), following)

            def of_version(draw, version=version, opsets=opsets):
                return replace(draws(draw, version), opset=draw.choice(*opsets))

            operator(name, DOMAIN, version)(of_version)
        return draws

    return register


def image(draw, *, channels=None, low=1, high=3):
    """The dimensions of a tensor, with `low` to `high` spatial axes that are large enough for all windows."""
    space = [draw.size(f"d{axis}", 8, 14) for axis in range(draw.number(low, high))]
    return [draw.size("batch"), *space, draw.size("channels") if channels is None else channels]


def numbers(draw, count, low, high):
    return [draw.number(low, high) for _ in range(count)]


def padding(draw, axes, *, end=1):
    """How a window is padded: by `auto_pad`, or by `pads` of up to 1 before and up to `end` behind each axis."""
    auto_pad = draw.choice(None, None, "NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER")
    pads = draw.optional(numbers(draw, axes, 0, 1) + numbers(draw, axes, 0, end))
    return {"auto_pad": auto_pad, "pads": pads if auto_pad in (None, "NOTSET") else None}


def activation(draw):
    return draw.choice({}, {}, {"activation": "Relu"}, {"activation": "Clip", "activation_params": [0.0, 6.0]})


def window(draw, axes, *, rounds=False, dilates=False):
    """The attributes of a pool. Where the number of windows is rounded up, none of them begins in the end padding."""
    ceil_mode = draw.optional(draw.number(0, 1)) if rounds else None
    low, end = (3, 0) if ceil_mode else (1, 2)
    given = {"kernel_shape": numbers(draw, axes, low, 4), "ceil_mode": ceil_mode, **padding(draw, axes, end=end)}
    given["strides"] = draw.optional(numbers(draw, axes, 1, 3), 0.7)
    if dilates and given["auto_pad"] not in ("SAME_UPPER", "SAME_LOWER"):
        given["dilations"] = draw.optional(numbers(draw, axes, 1, 2))
    return given


@versions("AveragePool", 7, 10, 11, 19)
def average_pool(draw, version):
    dims = image(draw)
    given = window(draw, len(dims) - 2, rounds=version >= 10, dilates=version >= 19)
    given["count_include_pad"] = draw.optional(draw.number(0, 1))
    return draw.node([Tensor(draw.choice(*FLOATS), *dims)], **given, **activation(draw))


@versions("LpPool", 11, 18)
def lp_pool(draw, version):
    dims = image(draw)
    given = window(draw, len(dims) - 2, rounds=version >= 18, dilates=version >= 18)
    return draw.node([Tensor(draw.choice(*FLOATS), *dims)], p=draw.optional(draw.number(1, 3)), **given)


@versions("MaxPool", 1, 8, 10, 11, 12)
def max_pool(draw, version):
    dims, outputs = image(draw), 1
    given = window(draw, len(dims) - 2, rounds=version >= 10, dilates=version >= 10)
    if version >= 8:
        given["storage_order"], outputs = draw.optional(draw.number(0, 1)), draw.number(1, 2)
    types = FLOATS if version < 12 else (*FLOATS, *BYTES)
    return draw.node([Tensor(draw.choice(*types), *dims)], outputs, **given, **activation(draw))


@versions("QLinearAveragePool", 1)
def qlinear_average_pool(draw, _):
    dims, kind = image(draw), draw.choice(*BYTES)
    given = window(draw, len(dims) - 2)
    given["ceil_mode"] = draw.optional(draw.number(0, 1))
    given["count_include_pad"] = draw.optional(draw.number(0, 1))
    zero_point = [Tensor(kind)] * draw.number(0, 1)
    return draw.node([Tensor(kind, *dims), Tensor("float"), Tensor(kind), Tensor("float"), *zero_point], **given)


@versions("GlobalAveragePool", 1)
@versions("GlobalMaxPool", 1)
def global_pool(draw, _):
    return draw.node([Tensor(draw.choice(*FLOATS), *image(draw))])


@versions("GlobalLpPool", 2)
def global_lp_pool(draw, _):
    return draw.node([Tensor(draw.choice(*FLOATS), *image(draw))], p=draw.optional(draw.number(1, 3)))


@versions("MaxUnpool", 9, 11)
def max_unpool(draw, _):
    dims, kind = image(draw), draw.choice(*FLOATS)
    batch, *space, channels = dims
    pads, strides = padding(draw, len(space))["pads"], draw.optional(numbers(draw, len(space), 1, 3))
    # Where these are given, inference leaves the sizes open.
    shape = draw.optional(Tensor("int64", len(dims), constant=True), 0.2)
    inputs = [Tensor(kind, *dims), Tensor("int64", batch, channels, *space), *([shape] if shape else [])]
    return draw.node(inputs, kernel_shape=numbers(draw, len(space), 1, 4), pads=pads, strides=strides, **activation(draw))


def filters(draw, *, transposed=False):
    """The dimensions of a tensor and of filters for it, the number of output channels, and the attributes."""
    group = draw.choice(1, 1, 2, 3)
    channels = draw.size("channels", multiple=group) if group > 1 else draw.size("channels")
    dims = image(draw, channels=channels)
    axes = len(dims) - 2
    kernel = numbers(draw, axes, 1, 4)
    features = group * draw.number(1, 3)
    kernels = [channels, features // group, *kernel] if transposed else [features, channels // group, *kernel]
    if group == 1 and not transposed:
        kernels[1] = channels
    given = {"group": draw.optional(group) if group == 1 else group, "kernel_shape": draw.optional(kernel)}
    given |= padding(draw, axes)
    given["strides"] = draw.optional(numbers(draw, axes, 1, 3), 0.7)
    given["dilations"] = draw.optional(numbers(draw, axes, 1, 2))
    if transposed and given["auto_pad"] in (None, "NOTSET", "VALID"):
        given["output_padding"] = draw.optional([draw.number(0, step - 1) for step in given["strides"] or [1] * axes])
    if transposed:
        given["output_shape"] = draw.optional(numbers(draw, axes, 20, 30), 0.2)
    return dims, kernels, features, given


def convolution(draw, transposed):
    kind = draw.choice(*FLOATS)
    dims, kernels, features, given = filters(draw, transposed=transposed)
    bias = [Tensor(kind, features)] * draw.number(0, 1)
    return draw.node([Tensor(kind, *dims), Tensor(kind, *kernels), *bias], **given, **activation(draw))


@versions("Conv", 1, 11)
def conv(draw, _):
    return convolution(draw, transposed=False)


@versions("ConvTranspose", 1, 11)
def conv_transpose(draw, _):
    return convolution(draw, transposed=True)


def quantized_convolution(draw, transposed):
    kinds = [draw.choice(*BYTES) for _ in range(3)]
    dims, kernels, features, given = filters(draw, transposed=transposed)
    # A transposed one with an output of another type, or with a scale for each channel, is not loaded.
    if transposed:
        kinds[2] = kinds[0]
    of_filters = [features] if not transposed and draw.chance() else []
    bias = [Tensor("int32", features)] * draw.number(0, 1)
    inputs = []
    for kind, shape, scales in zip(kinds, (dims, kernels), ([], of_filters)):
        inputs += [Tensor(kind, *shape), Tensor("float", *scales), Tensor(kind, *scales)]
    return draw.node([*inputs, Tensor("float"), Tensor(kinds[2]), *bias], **given)


@versions("QLinearConv", 10)
def qlinear_conv(draw, _):
    return quantized_convolution(draw, transposed=False)


@versions("QLinearConvTranspose", 1)
def qlinear_conv_transpose(draw, _):
    return quantized_convolution(draw, transposed=True)


@versions("BatchNormalization", 7, 9, 14, 15)
def batch_normalization(draw, version):
    dims, kind = image(draw), draw.choice(*FLOATS)
    parameters, given, outputs = dims[-1:], {"momentum": draw.optional(0.5)}, draw.choice(1, 5)
    statistics = kind if version < 14 else draw.choice(*FLOATS)
    scale = kind if version < 15 else draw.choice(*FLOATS)
    if version == 7:
        given["spatial"] = draw.optional(draw.number(0, 1))
        if given["spatial"] == 0:
            parameters = [dims[-1], *dims[1:-1]]
    if version >= 14:
        given["training_mode"] = draw.number(0, 1)
        outputs = 3 if given["training_mode"] else 1
    kinds = [scale, scale, statistics, statistics]
    inputs = [Tensor(kind, *dims), *(Tensor(each, *parameters) for each in kinds)]
    return draw.node(inputs, outputs, **given, **activation(draw))


@versions("InstanceNormalization", 6)
def instance_normalization(draw, _):
    dims, kind = image(draw), draw.choice(*FLOATS)
    inputs = [Tensor(kind, *dims), Tensor(kind, dims[-1]), Tensor(kind, dims[-1])]
    return draw.node(inputs, epsilon=draw.optional(0.01), **activation(draw))


@versions("LRN", 1, 13)
def lrn(draw, version):
    kind = draw.choice(*FLOATS, *["bfloat16"] * (version >= 13))
    return draw.node([Tensor(kind, *image(draw))], size=draw.number(1, 5), bias=draw.optional(2.0))


@versions("DepthToSpace", 1, 11, 13)
def depth_to_space(draw, version):
    block = draw.number(1, 3)
    dims = image(draw, channels=draw.size("channels", multiple=block * block), low=2, high=2)
    mode = draw.choice(None, "DCR", "CRD") if version >= 11 else None
    return draw.node([Tensor(draw.choice("float", "int64", "uint8"), *dims)], blocksize=block, mode=mode)


@versions("SpaceToDepth", 1, 13)
def space_to_depth(draw, _):
    block = draw.number(1, 3)
    space = [draw.size(name, multiple=block) for name in ("height", "width")]
    dims = [draw.size("batch"), *space, draw.size("channels")]
    return draw.node([Tensor(draw.choice("float", "int64", "uint8"), *dims)], blocksize=block)


@versions("GridSample", 16, 20)
def grid_sample(draw, version):
    dims = image(draw, low=2, high=3 if version >= 20 else 2)
    places = [draw.size(f"place{axis}") for axis in range(len(dims) - 2)]
    mode = draw.choice(None, "nearest", *(("linear", "cubic") if version >= 20 else ("bilinear", "bicubic")))
    inputs = [Tensor(draw.choice("float", "uint8"), *dims), Tensor(draw.choice(*FLOATS), dims[0], *places, len(places))]
    return draw.node(inputs, mode=mode, align_corners=draw.optional(draw.number(0, 1)))


@versions("Resize", 11, 13, 18, 19)
def resize(draw, version):
    dims = image(draw, low=0)
    axes = draw.optional(draw.structure.sample(range(len(dims)), draw.number(1, len(dims)))) if version >= 18 else None
    count = len(dims) if axes is None else len(axes)
    given = {"axes": axes, "mode": draw.choice(None, "nearest", "linear", "cubic")}
    absent = Tensor("float", 0, constant=True) if version < 13 or draw.chance() else None
    if draw.chance():
        factors = [draw.choice(1.0, 2.0, 0.5, 1.5, 3.0) for _ in range(count)]
        inputs = [Tensor("float", values=factors, constant=True)]
    else:
        inputs = [absent, Tensor("int64", values=numbers(draw, count, 1, 20), constant=True)]
    return draw.node([Tensor(draw.choice("float", "uint8"), *dims), absent, *inputs], **given)
