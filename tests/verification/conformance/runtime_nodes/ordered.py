"""Operators on quantised matrices in the memory orders of cuBLASLt."""

from .drawing import Tensor, operator


def scale():
    return Tensor("float", values=0.5)


def stack(draw):
    return [draw.size("batch"), draw.size("rows"), draw.size("columns")][draw.number(0, 2) :]


@operator("QuantizeWithOrder")
def quantize_with_order(draw):
    type = draw.choice("float", "float16")
    return draw.node([Tensor(type, *stack(draw)), scale()], order_input=1, order_output=draw.number(2, 4))


@operator("DequantizeWithOrder")
def dequantize_with_order(draw):
    to = draw.choice(1, 10)
    return draw.node([Tensor("int8", *stack(draw)), scale()], order_input=draw.number(2, 4), order_output=1, to=to)


@operator("QOrderedGelu")
def q_ordered_gelu(draw):
    order = draw.choice(None, 1, 2)
    return draw.node([Tensor("int8", *stack(draw)), scale(), scale()], order_X=order, order_Y=draw.optional(order))


@operator("QOrderedLayerNormalization")
def q_ordered_layer_normalization(draw):
    dims, type = stack(draw), draw.choice("float", "float16")
    parameter = Tensor(type, dims[-1])
    return draw.node([Tensor("int8", *dims), scale(), parameter, draw.optional(parameter), scale()],
                     axis=draw.choice(None, -1, len(dims) - 1))


@operator("QOrderedMatMul")
def q_ordered_mat_mul(draw):
    batch, M, K, N = draw.size("batch"), draw.size("M"), draw.size("K"), draw.size("N")
    left, right = draw.choice(([batch], []), ([batch], [batch]), ([batch], [1]), ([], []))
    order = draw.choice(1, 2)
    more = [Tensor("float", N)] if order == 1 else [None]
    more += [Tensor("int8", *left, M, N), scale()] if draw.chance() else []
    return draw.node([Tensor("int8", *left, M, K), scale(), Tensor("int8", *right, K, N), scale(), scale(), *more],
                     order_A=order, order_B=0 if order == 1 else draw.number(3, 4), order_Y=order)


@operator("QOrderedAttention")
def q_ordered_attention(draw):
    """With as many features as the input has, since the inference takes these for those of the output."""
    batch, steps, heads = draw.size("batch"), draw.size("steps", multiple=16), draw.number(1, 3)
    features = 16 * heads
    weight, bias = Tensor("int8", features, features), Tensor("float", features)
    scales = [draw.choice(scale(), bias)] * 3
    mask = draw.optional(Tensor("int32", batch, steps))
    return draw.node([Tensor("int8", batch, steps, features), *[scale()] * 4, *[weight] * 3, *scales, *[bias] * 3,
                      *[scale()] * 3, mask], num_heads=heads, order_input=1, order_output=1, order_weight=0,
                     qkv_hidden_sizes=draw.optional([features] * 3), unidirectional=draw.number(0, 1))


@operator("QOrderedLongformerAttention")
def q_ordered_longformer_attention(draw):
    batch, window, heads = draw.size("batch"), draw.number(1, 3), draw.number(1, 3)
    steps, features = draw.size("steps", multiple=2 * window), 4 * heads
    weight, bias = Tensor("int8", features, 3 * features), Tensor("float", 3 * features)
    return draw.node([Tensor("int8", batch, steps, features), scale(), weight, scale(), bias, scale(), scale(),
                      Tensor("float16", batch, steps), weight, scale(), bias, scale(), Tensor("int32", batch, steps), scale()],
                     num_heads=heads, window=window, order_input=1, order_output=1, order_weight=0, order_global_weight=0)
