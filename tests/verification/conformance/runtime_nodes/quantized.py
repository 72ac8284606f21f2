"""Operators on elements that stand for real numbers by a scale and a zero point."""

from .drawing import Size, Tensor, operator
from .matmul import batch

BYTES = ("uint8", "int8")


def scale(*dims):
    return Tensor("float", *dims, values=0.02)


def zero(type, *dims):  # noqa: A002: ONNX's word
    return Tensor(type, *dims, values=0)


def parameters(draw, type, *, listed=True, given=1.0):  # noqa: A002
    """A scale and a zero point for all elements: scalars, or each a list of one; the zero point may be left out."""
    dims = [[1] if listed and draw.chance(0.3) else [] for _ in range(2)]
    return [scale(*dims[0]), draw.optional(zero(type, *dims[1]), given)]


def trimmed(inputs):
    """The inputs without those at the end that are left out."""
    return trimmed(inputs[:-1]) if inputs[-1] is None else inputs


def image(draw, last, *, low=1, high=3):
    """The dimensions of an image of 1 to 3 axes, with the channels last or not."""
    space = [draw.size(f"d{axis}", 8, 14) for axis in range(draw.number(low, high))]
    batch, channels = draw.size("batch"), draw.size("channels")
    return [batch, *space, channels] if last else [batch, channels, *space]


def numbers(draw, count, low, high):
    return [draw.number(low, high) for _ in range(count)]


def stretched(draw, dims):
    """The dimensions without some at the front, and with 1 for others."""
    return [1 if draw.chance(0.2) else dim for dim in dims[draw.number(0, len(dims)):]]


def padding(draw, axes, *, most=1):
    auto_pad = draw.choice(None, None, "NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER")
    pads = draw.optional(numbers(draw, 2 * axes, 0, most)) if auto_pad in (None, "NOTSET") else None
    return {"auto_pad": auto_pad, "pads": pads}


@operator("QLinearAdd")
@operator("QLinearMul")
def qlinear_binary(draw):
    type = draw.choice(*BYTES)  # noqa: A001
    dims = batch(draw, "abc")
    a, b = [stretched(draw, dims), dims][:: draw.choice(1, -1)]
    left, right = parameters(draw, type, listed=False), parameters(draw, type, listed=False)
    result = parameters(draw, type, listed=False, given=0.5)
    return draw.node(trimmed([Tensor(type, *a), *left, Tensor(type, *b), *right, *result]))


@operator("QLinearLeakyRelu")
def qlinear_leaky_relu(draw):
    node = qlinear_sigmoid(draw)
    node.attributes |= draw.choice({}, {"alpha": 0.3})
    return node


@operator("QLinearSigmoid")
def qlinear_sigmoid(draw):
    # A list of inputs that ends before the last one makes the kernel crash.
    type = draw.choice(*BYTES)  # noqa: A001
    of_x, of_y = parameters(draw, type, given=0.7), parameters(draw, type, given=0.7)
    return draw.node([Tensor(type, *batch(draw)), *of_x, *of_y])


@operator("QLinearSoftmax")
def qlinear_softmax(draw):
    type, dims = draw.choice(*BYTES), [*batch(draw), draw.size("d")]  # noqa: A001
    axis = draw.optional(draw.number(-len(dims), len(dims) - 1))
    inputs = [Tensor(type, *dims), *parameters(draw, type, given=0.7), *parameters(draw, type)]
    node = draw.node(inputs, axis=axis)
    node.attributes["opset"] = draw.choice(1, 11, 12, 13, 18)
    return node


@operator("QLinearAveragePool")
def qlinear_average_pool(draw):
    type, last = draw.choice(*BYTES), draw.number(0, 1)  # noqa: A001
    dims = image(draw, last)
    axes = len(dims) - 2
    kernel = numbers(draw, axes, 1, 4)
    given = padding(draw, axes)
    if given["pads"]:
        given["pads"] = [min(pad, size - 1) for pad, size in zip(given["pads"], 2 * kernel)]
    result = parameters(draw, type, listed=False, given=0.7)
    return draw.node(
        trimmed([Tensor(type, *dims), *parameters(draw, type, listed=False), *result]),
        kernel_shape=kernel,
        strides=draw.optional(numbers(draw, axes, 1, 4), 0.7),
        ceil_mode=draw.optional(draw.number(0, 1)),
        count_include_pad=draw.optional(draw.number(0, 1)),
        channels_last=last or draw.optional(0),
        **given,
    )


@operator("QLinearGlobalAveragePool")
def qlinear_global_average_pool(draw):
    type, last = draw.choice(*BYTES), draw.number(0, 1)  # noqa: A001
    inputs = [Tensor(type, *image(draw, last, high=4)), *parameters(draw, type), *parameters(draw, type)]
    return draw.node(inputs, channels_last=last or draw.optional(0))


@operator("QLinearConv")
def qlinear_conv(draw):
    x, w = draw.choice(("uint8", "uint8"), ("uint8", "int8"), ("int8", "int8"))
    last, group = draw.number(0, 1), draw.choice(1, 1, 2, 3)
    dims = image(draw, last)
    axes = len(dims) - 2
    channels, filters = draw.number(1, 3), group * draw.number(1, 3)
    dims[-1 if last else 1] = group * channels
    kernel = numbers(draw, axes, 1, 3)
    per_filter = [filters] if draw.chance() else []
    given = padding(draw, axes, most=2)
    dilated = given["auto_pad"] not in ("SAME_UPPER", "SAME_LOWER") and draw.chance()
    weights = Tensor(w, filters, channels, *kernel, constant=draw.chance())
    return draw.node(
        trimmed([
            Tensor(x, *dims), *parameters(draw, x), weights, scale(*per_filter), zero(w, *per_filter),
            *parameters(draw, x), draw.optional(Tensor("int32", filters)),
        ]),
        kernel_shape=draw.optional(kernel),
        strides=draw.optional(numbers(draw, axes, 1, 3)),
        dilations=numbers(draw, axes, 1, 2) if dilated else None,
        group=group if group > 1 else draw.optional(1),
        channels_last=last or draw.optional(0),
        **given,
    )


@operator("QLinearConcat")
def qlinear_concat(draw):
    type, dims = draw.choice(*BYTES), [*batch(draw), draw.size("d")]  # noqa: A001
    axis = draw.number(-len(dims), len(dims) - 1)
    inputs = parameters(draw, type)
    for index in range(draw.number(1, 4)):
        joined = list(dims)
        joined[axis] = draw.size(f"joined{index}")
        inputs += [Tensor(type, *joined), *parameters(draw, type)]
    return draw.node(inputs, axis=axis)


@operator("QLinearReduceMean")
def qlinear_reduce_mean(draw):
    type, dims = draw.choice(*BYTES), [*batch(draw), draw.size("d")]  # noqa: A001
    axes = sorted({draw.number(0, len(dims) - 1) for _ in range(draw.number(1, 3))})
    axes = [axis - len(dims) if draw.chance() else axis for axis in axes]
    result = parameters(draw, type, listed=False, given=0.7)
    inputs = trimmed([Tensor(type, *dims), *parameters(draw, type, listed=False), *result])
    return draw.node(inputs, axes=axes, keepdims=draw.number(0, 1))


@operator("QLinearWhere")
def qlinear_where(draw):
    type, dims = draw.choice(*BYTES), batch(draw, "abc")  # noqa: A001
    condition, x, y = (draw.choice(dims, stretched(draw, dims)) for _ in range(3))
    values = [[Tensor(type, *each), *parameters(draw, type)] for each in (x, y)]
    return draw.node([Tensor("bool", *condition), *values[0], *values[1], *parameters(draw, type)])


@operator("QGemm")
def q_gemm(draw):
    a_type, b_type = draw.choice(("uint8", "uint8"), ("uint8", "int8"), ("int8", "int8"))
    rows, inner, columns = draw.size("M"), draw.size("K"), draw.size("N")
    trans_a, trans_b = draw.number(0, 1), draw.number(0, 1)
    a = Tensor(a_type, *([inner, rows] if trans_a else [rows, inner]))
    b = Tensor(b_type, *([columns, inner] if trans_b else [inner, columns]))
    of_b = draw.choice([], [1], [columns])
    bias = draw.choice(None, None, [], [1], [columns], [rows, 1], [1, columns], [rows, columns])
    result = draw.optional(parameters(draw, a_type)) or [None, None]
    return draw.node(
        trimmed([
            a, *parameters(draw, a_type), b, scale(*of_b), zero(b_type, *of_b),
            None if bias is None else Tensor("int32", *bias), *result,
        ]),
        transA=trans_a or draw.optional(0),
        transB=trans_b or draw.optional(0),
        alpha=draw.optional(0.5),
    )


def per_axis(draw, dims, narrow):
    """A scale and a zero point for all elements, or for each place on an axis, and the attribute. `dims` are those of
    the tensor, `narrow` is the type of the zero point; one of 4 bits is a constant."""
    axis = draw.optional(draw.number(-len(dims), len(dims) - 1)) if dims else None
    of_axis = dims[1 if axis is None else axis] if len(dims) > (axis is None) else None
    shared = of_axis is None or draw.chance()
    scale_dims, zero_dims = ([draw.choice([], [1]) for _ in range(2)] if shared else [[of_axis]] * 2)
    constant = narrow.endswith("int4")
    if constant and any(isinstance(dim, Size) for dim in zero_dims):
        return scale(*scale_dims), None, axis
    return scale(*scale_dims), Tensor(narrow, *zero_dims, values=0, constant=constant), axis


@operator("QuantizeLinear")
def quantize_linear(draw):
    wide, dims = draw.choice("float", "float16"), batch(draw)
    factor, offset, axis = per_axis(draw, dims, draw.choice(*BYTES, "uint16", "int16", "uint4", "int4"))
    x = Tensor(wide, *dims, values=None if dims else 0.5)
    inputs = [x, Tensor(wide, *factor.dims, values=0.02), draw.optional(offset, 0.7)]
    return draw.node(trimmed(inputs), axis=axis)


@operator("DequantizeLinear")
def dequantize_linear(draw):
    wide, narrow = draw.choice("float", "float16"), draw.choice(*BYTES, "uint16", "int16", "int32", "uint4", "int4")
    constant = narrow.endswith("int4")
    dims = numbers(draw, 2, 2, 5) if constant else batch(draw)
    factor, offset, axis = per_axis(draw, dims, narrow)
    x = Tensor(narrow, *dims, constant=constant, values=1 if constant else None)
    inputs = [x, Tensor(wide, *factor.dims, values=0.02), draw.optional(offset, 0.7)]
    return draw.node(trimmed(inputs), axis=axis)


def quantized_factors(draw, a_type, b_type):
    """Two factors, the parameters of the right one, each for all or for each column, and a bias."""
    left, right = batch(draw), batch(draw)
    short, long = sorted((left, right), key=len)
    short[:] = long[len(long) - len(short):]
    rows, inner, columns = draw.size("M"), draw.size("K"), draw.size("N")
    a = [inner] if draw.chance(0.15) else [*left, rows, inner]
    b = [inner] if draw.chance(0.15) else [*right, inner, columns]
    if len(b) == 1:
        factor, offset, bias = [], [], [1]
    else:
        of_each = [*right, 1, columns] if right else [columns]
        factor, offset = draw.choice([], [1], of_each if len(a) > 1 else []), draw.choice([], [1], of_each)
        bias = [columns]
    given = [scale(*factor), draw.optional(zero(b_type, *offset)), draw.optional(Tensor("float", *bias))]
    return Tensor(a_type, *a), Tensor(b_type, *b), *given


@operator("DynamicQuantizeMatMul")
def dynamic_quantize_mat_mul(draw):
    return draw.node(trimmed(quantized_factors(draw, "float", draw.choice(*BYTES))))


@operator("MatMulIntegerToFloat")
def mat_mul_integer_to_float(draw):
    a_type, b_type = draw.choice(("uint8", "uint8"), ("uint8", "int8"), ("int8", "int8"))
    a, b, factor, offset, bias = quantized_factors(draw, a_type, b_type)
    rows = [a.dims[-2], 1] if len(a.dims) > 1 and len(b.dims) > 1 and draw.chance(0.3) else draw.choice([], [1])
    of_a = draw.optional(zero(a_type, *draw.choice([], [1])))
    wide = draw.choice("float", "float", "float16")
    scales = [Tensor(wide, *rows, values=0.02), Tensor(wide, *factor.dims, values=0.02)]
    bias = bias and Tensor(wide, *bias.dims)
    return draw.node(trimmed([a, b, *scales, of_a, offset, bias]))


@operator("MatMulInteger16")
def mat_mul_integer16(draw):
    types = draw.choice(("int16", "int16"), ("int16", "int16"), ("int16", "uint16"), ("uint16", "uint16"))
    a, b, *_ = quantized_factors(draw, *types)
    return draw.node([a, b])


@operator("MulInteger")
def mul_integer(draw):
    type, dims = draw.choice(*BYTES), batch(draw, "abc")  # noqa: A001
    a, b = [stretched(draw, dims), dims][:: draw.choice(1, -1)]
    return draw.node([Tensor(type, *a), zero(type), Tensor(type, *b), zero(type)])


@operator("DynamicQuantizeLSTM")
def dynamic_quantize_lstm(draw):
    steps, samples, features = draw.size("steps"), draw.size("batch"), draw.size("features")
    hidden, type = draw.number(1, 5), draw.choice(*BYTES)  # noqa: A001
    direction = draw.choice(None, "forward", "reverse", "bidirectional")
    directions = 2 if direction == "bidirectional" else 1
    state = [directions, samples, hidden]
    of = [draw.choice([directions], [directions, 4 * hidden]) for _ in range(4)]
    return draw.node(
        [
            Tensor("float", steps, samples, features),
            Tensor(type, directions, features, 4 * hidden),
            Tensor(type, directions, hidden, 4 * hidden),
            draw.optional(Tensor("float", directions, 8 * hidden)),
            draw.optional(Tensor("int32", samples, values=1)),
            draw.optional(Tensor("float", *state)),
            draw.optional(Tensor("float", *state)),
            draw.optional(Tensor("float", directions, 3 * hidden)),
            scale(*of[0]), zero(type, *of[1]), scale(*of[2]), zero(type, *of[3]),
        ],
        draw.choice(1, 2, 3, [False, True], [False, True, True], [False, False, True]),
        hidden_size=hidden,
        direction=direction,
        input_forget=draw.optional(draw.number(0, 1)),
        clip=draw.optional(2.0),
        activations=draw.optional(["Sigmoid", "Tanh", "Relu"] * directions),
    )


@operator("QuantizeBFP")
def quantize_bfp(draw):
    x = Tensor(draw.choice("float", "float16", "bfloat16"), *batch(draw), draw.size("d"))
    return draw.node([x], 3, bfp_type=draw.number(0, 13), block_dim=draw.optional(0))


@operator("DequantizeBFP")
def dequantize_bfp(draw):
    rank = draw.number(1, 3)
    inputs = [Tensor("uint8", draw.size("bytes")), Tensor("int64", rank), Tensor("int64", rank)]
    return draw.node(inputs, bfp_type=draw.number(0, 13), dtype=draw.choice(None, 1, 10, 16))


@operator("QEmbedLayerNormalization")
def q_embed_layer_normalization(draw):
    samples, steps, hidden = draw.size("batch"), draw.size("steps"), draw.number(1, 6)
    type, segments = draw.choice(*BYTES), draw.chance()  # noqa: A001
    ids, row = Tensor("int32", samples, steps), Tensor(type, hidden)
    dims = [draw.choice([], [1]) for _ in range(10)]
    scales, zeros = [scale(*each) for each in dims[:5]], [zero(type, *each) for each in dims[5:]]
    segment_ids, segment_embedding = Tensor("int32", samples, steps), Tensor(type, 2, hidden)
    if not segments:
        segment_ids = segment_embedding = scales[2] = zeros[2] = None
    words, positions = Tensor(type, draw.size("words", 2, 9), hidden), Tensor(type, draw.number(7, 9), hidden)
    mask = draw.optional(Tensor("int32", samples, steps))
    embeddings = [words, positions, segment_embedding, row, row, mask]
    return draw.node([ids, segment_ids, *embeddings, *scales, *zeros], 2, epsilon=draw.optional(1e-6))


@operator("ReduceSumInteger")
def reduce_sum_integer(draw):
    type, dims = draw.choice(*BYTES), [*batch(draw), draw.size("d")]  # noqa: A001
    axes = sorted({draw.number(0, len(dims) - 1) for _ in range(draw.number(1, 3))})
    axes = [axis - len(dims) if draw.chance() else axis for axis in axes]
    given = {"axes": axes, "keepdims": draw.number(0, 1)}
    return draw.node([Tensor(type, *dims)], types=["uint32" if type == "uint8" else "int32"], **given)
