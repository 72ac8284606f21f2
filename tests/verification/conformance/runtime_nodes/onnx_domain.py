"""Operators that onnxruntime registers on its own in the domain of ONNX."""

from .drawing import Tensor, operator


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


def alike(name, opset=9, **attributes):
    """An operator whose output has the dimensions of its input."""
    of_onnx(name, opset)(lambda draw: draw.node([Tensor("float", *image(draw))], **attributes))


for each, given in {
    "Affine": {"alpha": 2.0, "beta": 1.0},
    "ParametricSoftplus": {"alpha": 1.0, "beta": 1.0},
    "Scale": {"scale": 2.0},
    "ScaledTanh": {"alpha": 1.0, "beta": 1.0},
    "ThresholdedRelu": {"alpha": 0.5},
    "MeanVarianceNormalization": {"opset": 8, "across_channels": 1},
}.items():
    alike(each, **given)


@of_onnx("ImageScaler")
def image_scaler(draw):
    dims = image(draw)
    return draw.node([Tensor("float", *dims)], bias=[0.5] * dims[1], scale=2.0)


@of_onnx("Crop")
def crop(draw):
    border, scale = [draw.number(0, 2) for _ in range(4)], [draw.number(1, 3), draw.number(1, 3)]
    return draw.node([Tensor("float", *image(draw))], border=border, scale=draw.optional(scale))


@of_onnx("DynamicSlice")
def dynamic_slice(draw):
    axes = draw.optional(Tensor("int64", values=[1, 2], constant=True))
    starts, ends = ([draw.number(0, 1), draw.number(0, 1)], [draw.number(2, 9), -1])
    given = [Tensor("int64", values=list, constant=True) for list in (starts, ends)]  # noqa: A001
    return draw.node([Tensor("float", *image(draw)), *given, *([axes] if axes else [])])


def normalized(draw, outputs, has_bias):
    dims = [draw.size("n"), draw.size("s"), draw.number(1, 8)]
    axis = draw.choice(-1, 2)
    parameters = [Tensor("float", dims[-1]) for _ in range(2 if has_bias else 1)]
    return draw.node([Tensor("float", *dims), *parameters], draw.number(1, outputs), axis=axis)


@of_onnx("LayerNormalization", 16)
def layer_normalization(draw):
    return normalized(draw, 3, draw.chance())


@of_onnx("SimplifiedLayerNormalization", 16)
def simplified_layer_normalization(draw):
    return normalized(draw, 2, False)


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
    inputs = [Tensor("float", images, boxes, 4), Tensor("float", images, boxes, classes)]
    return draw.node(inputs, 4, **settings, **more)


def pyramid(draw, **attributes):
    images, channels = draw.size("n"), draw.size("c")
    maps = [Tensor("float", images, channels, 2 ** (5 - level), 2 ** (5 - level)) for level in range(4)]
    boxes = Tensor("float", images, draw.size("boxes"), 4)
    return draw.node([boxes, *maps], pooled_size=draw.number(1, 7), plugin_version="1", **attributes)


of_onnx("PyramidROIAlign_TRT", 16)(pyramid)
of_onnx("MultilevelCropAndResize_TRT", 16)(lambda draw: pyramid(draw, image_size=[3, 64, 64]))
