"""Operators that onnxruntime registers on its own in the domain of ONNX."""

from .drawing import Tensor, operator
from .fused import any_dims, elements


def of_onnx(name, opset=9):
    """Registers a function that draws nodes of an operator, at an opset that has it."""

    def register(draws):
        def drawn(draw):
            node = draws(draw)
            node.opset = opset
            return node

        return operator(name, domain="")(drawn)

    return register


def image(draw):
    return [draw.size("n"), draw.number(1, 4), draw.size("h", 6, 12), draw.size("w", 6, 12)]


def alike(name, opset=9, least=0, **attributes):
    """An operator whose output has the dimensions of its input."""

    def draws(draw):
        return draw.node([elements(draw.choice("float", "float16", "double"), any_dims(draw, least))], **attributes)

    of_onnx(name, opset)(draws)


for each, given in {
    "Affine": {"alpha": 2.0, "beta": 1.0},
    "MemcpyFromHost": {"opset": 16},
    "MemcpyToHost": {"opset": 16},
    "ParametricSoftplus": {"alpha": 1.0, "beta": 1.0},
    "Scale": {"scale": 2.0},
    "ScaledTanh": {"alpha": 1.0, "beta": 1.0},
    "ThresholdedRelu": {"alpha": 0.5},
    "MeanVarianceNormalization": {"opset": 8, "least": 2, "across_channels": 1},
}.items():
    alike(each, **given)


@of_onnx("ImageScaler")
def image_scaler(draw):
    dims = image(draw)
    more = [draw.number(2, 3)] if draw.chance(0.2) else []
    return draw.node([Tensor("float", *dims, *more)], bias=[0.5] * dims[1], scale=2.0)


@of_onnx("Crop")
def crop(draw):
    border, scale = [draw.number(0, 3) for _ in range(4)], [draw.number(0, 3), draw.number(0, 3)]
    return draw.node([Tensor("float", *image(draw))], border=border, scale=draw.optional(scale))


@of_onnx("DynamicSlice")
def dynamic_slice(draw):
    type, known = draw.choice("int32", "int64"), draw.chance(0.8)
    axes = draw.choice(None, [1, 2], [-1, 0], [3], [-3, 3, 0])
    count = len(axes) if axes else draw.number(1, 4)
    starts = [draw.choice(-9, -2, 0, 1, 9) for _ in range(count)]
    ends = [draw.choice(-9, -1, 0, 2, 4, 99) for _ in range(count)]
    given = [Tensor(type, values=values, constant=known) for values in (starts, ends)]
    axes = [Tensor(type, values=axes, constant=known or draw.chance())] if axes else []
    return draw.node([Tensor("float", *image(draw)), *given, *axes])


@of_onnx("GivenTensorFill")
def given_tensor_fill(draw):
    dims = [draw.number(1, 5) for _ in range(draw.number(0, 4))] or None
    further = draw.choice(None, [3], [2, 0])
    return draw.node([Tensor("float", *any_dims(draw, 1))], shape=dims, extra_shape=further, values=[1.0])


KERNELS = [("float", "float"), ("float16", "float16"), ("double", "double"), ("float16", "float"), ("float", "float16")]


def normalized(draw, outputs, parameters, pairs, is_body=False, **attributes):
    type, of_scale = draw.choice(*pairs)
    dims = any_dims(draw, 1)
    axis = draw.number(0, len(dims) - 1)
    # The body takes no scale of other axes.
    scale = dims[axis:] if is_body else draw.choice(dims[axis:], dims[-1:], dims, [1] * len(dims))
    inputs = [Tensor(type, *dims), *[Tensor(of_scale, *scale)] * parameters]
    counted = axis if draw.chance() else axis - len(dims)
    given = [True, *[draw.chance() for _ in range(outputs - 1)]]
    return draw.node(inputs, given, axis=counted, **attributes)


@of_onnx("LayerNormalization", 16)
def layer_normalization(draw):
    return normalized(draw, 3, draw.number(1, 2), KERNELS[:3])


@of_onnx("LayerNormalization", 16)
def layer_normalization_by_its_body(draw):
    pairs = [("float", "float"), ("float16", "float"), ("double", "float"), ("float", "double")]
    return normalized(draw, 3, draw.number(1, 2), pairs, True, stash_type=draw.choice(1, 11))


@of_onnx("SimplifiedLayerNormalization", 16)
def simplified_layer_normalization(draw):
    return normalized(draw, 2, 1, KERNELS)


@of_onnx("DisentangledAttention_TRT", 16)
def disentangled_attention(draw):
    heads, steps, span = draw.size("heads"), draw.size("steps", 4, 9), draw.number(4, 8)
    positions = [Tensor("float", heads, steps, 2 * span) for _ in range(2)]
    return draw.node([Tensor("float", heads, steps, steps), *positions], factor=0.1, span=span)


@of_onnx("EfficientNMS_TRT", 16)
def efficient_nms(draw):
    images, boxes, classes = draw.size("n"), draw.size("boxes", 4, 9), draw.number(2, 5)
    settings = {"background_class": -1, "box_coding": draw.number(0, 1), "iou_threshold": 0.5, "score_threshold": 0.1}
    more = {"max_output_boxes": draw.number(1, 9), "plugin_version": "1", "score_activation": draw.number(0, 1)}
    type, each = draw.choice("float", "float16"), draw.choice([], [classes])
    anchors = draw.choice([], [Tensor(type, draw.choice(1, images), boxes, 4)])
    inputs = [Tensor(type, images, boxes, *each, 4), Tensor(type, images, boxes, classes), *anchors]
    return draw.node(inputs, 4, **settings, **more)


def pyramid(draw, **attributes):
    images, channels = draw.size("n"), draw.size("c")
    maps = [Tensor("float", images, channels, 2 ** (5 - level), 2 ** (5 - level)) for level in range(4)]
    boxes = Tensor("float", images, draw.size("boxes"), 4)
    return draw.node([boxes, *maps], pooled_size=draw.number(1, 7), plugin_version="1", **attributes)


of_onnx("PyramidROIAlign_TRT", 16)(pyramid)
of_onnx("MultilevelCropAndResize_TRT", 16)(lambda draw: pyramid(draw, image_size=[3, 64, 64]))
