"""Operators that give elements the mean 0 and the variance 1, often after a sum."""

from .drawing import Tensor, operator


def given(draw, count, after=1):
    """Which of so many outputs the node has: the first ones always, of the others any."""
    marks = [True] * after + [draw.chance() for _ in range(count - after)]
    while not marks[-1]:
        marks.pop()
    return marks


def skip_layer_normalization(draw, optional):
    """Sequences or tokens, a summand that may lack the batch, and the parameters."""
    batch, steps, hidden = draw.size("batch"), draw.size("steps"), draw.size("hidden")
    type = draw.choice("float", "float16")
    dims = draw.choice([batch, steps, hidden], [steps, hidden])
    skip = draw.choice(dims, [1, steps, hidden], [steps, hidden]) if len(dims) == 3 else dims
    parameters = [Tensor(type, hidden)] + [draw.optional(Tensor(type, hidden)) for _ in range(optional)]
    return draw.node([Tensor(type, *dims), Tensor(type, *skip), *parameters], given(draw, 4), epsilon=draw.optional(1e-5))


@operator("SkipLayerNormalization")
def skip_layer_normalization_full(draw):
    return skip_layer_normalization(draw, 2)


@operator("SkipSimplifiedLayerNormalization")
def skip_layer_normalization_simplified(draw):
    return skip_layer_normalization(draw, 1)


@operator("EmbedLayerNormalization")
def embed_layer_normalization(draw):
    batch, steps, words = draw.size("batch"), draw.size("steps"), draw.size("words", low=2)
    # The inference of onnxruntime wants the number of features.
    hidden = draw.number(1, 8)
    ids = [Tensor("int32", batch, steps) for _ in range(3)]
    segments = draw.chance()
    positions = Tensor("int32", draw.choice(1, batch), steps, low=0, high=7)
    inputs = [ids[0], ids[1] if segments else None, Tensor("float", words, hidden), Tensor("float", 7, hidden)]
    inputs += [Tensor("float", 2, hidden) if segments or draw.chance() else None]
    inputs += [Tensor("float", hidden), Tensor("float", hidden), draw.optional(ids[2]), draw.optional(positions)]
    return draw.node(inputs, draw.choice([True, True], [True, True, True], [True, False, True]))


def group_norm(draw, skip=False):
    """Images with their channels last or not; the kernels are those of GPUs, and the inference says what the sizes are."""
    groups, width, last = draw.number(1, 4), draw.number(1, 3), draw.chance()
    batch, channels = draw.size("batch"), groups * width
    image = [draw.size("height"), draw.size("width")]
    dims = [batch, *image, channels] if last else [batch, channels, *image]
    type, of = draw.choice("float", "float16"), draw.choice("float", "float16")
    inputs = [Tensor(type, *dims), Tensor(of, channels), Tensor(of, channels)]
    outputs = 1
    if skip:
        inputs.append(Tensor(type, *draw.choice(dims, [batch, 1, 1, channels], [batch, channels])))
        inputs.append(draw.optional(Tensor(type, channels)))
        outputs = draw.number(1, 2)
    attributes = {"activation": draw.number(0, 1), "groups": groups, "channels_last": int(last)}
    if last and draw.chance():
        del attributes["channels_last"]
    return draw.node(inputs, outputs, **attributes)


@operator("GroupNorm")
def group_norm_alone(draw):
    return group_norm(draw)


@operator("SkipGroupNorm")
def group_norm_of_sum(draw):
    return group_norm(draw, skip=True)


@operator("RMSNormRotary")
def rms_norm_rotary(draw):
    batch, steps, heads, stride = draw.size("batch"), draw.size("steps"), draw.size("heads"), 2 * draw.number(1, 5)
    type, angles, half = draw.choice("float16", "bfloat16"), draw.choice("float", "bfloat16"), draw.optional(1)
    start = draw.number(0, stride - 2) if draw.chance() else None
    width = stride if start is None else draw.number(2, stride - start)
    turned = draw.choice(2, width // 2 * 2)
    cosine = Tensor(angles, draw.size("positions"), turned // 2)
    positions = draw.choice(Tensor("int64", batch, steps), Tensor("int64", 1))
    inputs = [Tensor(type, batch, steps, heads, stride), Tensor("float", width), positions, cosine, cosine,
              draw.optional(Tensor("int32", values=1), 0.3)]
    return draw.node(inputs, given(draw, 2), rotary_embedding_dim=turned, input_start=start, output_fp16=half,
                     input_width=None if start is None else width, flatten_batch=draw.choice(None, 1))
