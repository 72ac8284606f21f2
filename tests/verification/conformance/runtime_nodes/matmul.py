"""Products of matrices: transposed, fused with what follows, of weights in a few bits, and of experts."""

from .drawing import Size, Tensor, operator


def ceil(a, b):
    return -(-a // b)


def batch(draw, names="abc", most=3):
    """Up to `most` axes before those of a matrix."""
    return [draw.size(name, high=4) for name in names[: draw.number(0, most)]]


def factors(draw, type, *, stacks=True, batches=False):
    """Two factors that fit, and the attributes that say how they are transposed."""
    rows, inner, columns = draw.size("M"), draw.size("K"), draw.size("N")
    trans_a, trans_b = draw.chance(), draw.chance()
    if batches and draw.chance(0.4):
        # The axes of the batch stand between those of the matrix.
        axes = [draw.size(name, high=4) for name in "ab"[: draw.number(1, 2)]]
        one = [1] * len(axes) if draw.chance(0.2) else axes
        batch_a, batch_b = draw.choice((1, 0), (0, 1), (1, 1))
        a, b = ((inner, rows) if trans_a else (rows, inner)), ((columns, inner) if trans_b else (inner, columns))
        a = [a[0], *axes, a[1]] if batch_a else [*axes, *a]
        b = [b[0], *one, b[1]] if batch_b else [*one, *b]
        attributes = {"transBatchA": batch_a, "transBatchB": batch_b}
    else:
        left, right = (batch(draw, "abc"), batch(draw, "abc")) if stacks else ([], [])
        # The shorter batch ends where the longer one does, and an axis of either may be 1.
        short, long = sorted((left, right), key=len)
        short[:] = long[len(long) - len(short):]
        for axes in (left, right):
            axes[:] = [1 if draw.chance(0.2) else axis for axis in axes]
        a = [*left, inner, rows] if trans_a else [*left, rows, inner]
        b = [*right, columns, inner] if trans_b else [*right, inner, columns]
        a = [inner] if stacks and draw.chance(0.15) else a
        b = [inner] if stacks and draw.chance(0.15) else b
        attributes = {}
    return Tensor(type, *a), Tensor(type, *b), {"transA": int(trans_a), "transB": int(trans_b)} | attributes


@operator("FusedMatMul")
def fused_mat_mul(draw):
    a, b, attributes = factors(draw, draw.choice("float", "float", "double", "float16", "bfloat16"), batches=True)
    return draw.node([a, b], **attributes, alpha=draw.optional(0.5))


@operator("TransposeMatMul")
def transpose_mat_mul(draw):
    a, b, attributes = factors(draw, draw.choice("float", "float", "double", "bfloat16"))
    return draw.node([a, b], **attributes, alpha=draw.optional(0.5))


@operator("FusedMatMulActivation")
def fused_mat_mul_activation(draw):
    a, b, attributes = factors(draw, draw.choice("float", "double", "bfloat16"), batches=True)
    return draw.node([a, b], **attributes, activation=draw.choice("Relu", "Tanh", "Sigmoid"))


@operator("FusedGemm")
def fused_gemm(draw):
    # The kernel is for float alone.
    type = draw.choice("float", "float", "double", "int64")
    a, b, attributes = factors(draw, type, stacks=False)
    rows, columns = draw.size("M"), draw.size("N")
    dims = draw.choice((rows, columns), (columns,), (1, columns), (rows, 1), (1,))
    function = draw.choice({"activation": "Relu"}, {"activation": "LeakyRelu", "activation_alpha": 0.1},
                           {"activation": "HardSigmoid", "activation_alpha": 0.2, "activation_beta": 0.5})
    return draw.node([a, b, draw.optional(Tensor(type, *dims))], **attributes, **function, beta=draw.optional(0.5))


@operator("GemmFastGelu")
def gemm_fast_gelu(draw):
    type = draw.choice("float", "bfloat16")
    inner, columns, axes = draw.size("K"), draw.size("N"), batch(draw)
    stack = draw.choice((), tuple(axes))
    bias = draw.optional(Tensor(type, columns))
    return draw.node([Tensor(type, *axes, draw.size("M"), inner), Tensor(type, *stack, inner, columns), bias])


@operator("GemmFloat8")
def gemm_float8(draw):
    types = {"float": 1, "bfloat16": 16, "float8e4m3fn": 17, "float8e5m2": 19}
    a, b, attributes = factors(draw, draw.choice("float", "bfloat16", "float8e4m3fn"), stacks=False)
    result = draw.choice(None, *types)
    scales = [Tensor("float", 1)] * 3 if draw.chance() else []
    c = draw.optional(Tensor("float", draw.size("M"), draw.size("N")))
    return draw.node([a, b, c, *scales], **attributes, dtype=types.get(result), activation=draw.optional("RELU"))


def packed(draw, rows, inner, bits, block):
    """The bytes of a matrix in blocks."""
    return Tensor("uint8", rows, ceil(inner, block), block * bits // 8, low=0, high=256, constant=draw.chance())


@operator("MatMulNBits")
def mat_mul_n_bits(draw):
    type = draw.choice("float", "float", "float16", "bfloat16")
    inner, rows, bits, block = draw.number(1, 70), draw.number(1, 9), draw.choice(2, 4, 8), draw.choice(16, 32, 64)
    blocks = ceil(inner, block)
    scales = draw.choice((rows, blocks), (rows * blocks,))
    zeros = ceil(blocks * bits, 8)
    zeros = draw.choice((), ("uint8", rows, zeros), ("uint8", rows * zeros), (type, rows, blocks), (type, rows * blocks))
    # The kernel for the CPU knows no zero points that are floats with 8 bits, and block numbers with 4 alone.
    zeros = Tensor(*zeros) if zeros and (bits != 8 or zeros[0] == "uint8") else None
    index = Tensor("int32", draw.choice(inner, blocks * block), low=0, high=blocks) if bits == 4 and draw.chance(0.3) else None
    inputs = [Tensor(type, *batch(draw), inner), packed(draw, rows, inner, bits, block), Tensor(type, *scales), zeros, index,
              draw.optional(Tensor(type, rows))]
    attributes = {"bits": None if bits == 4 else bits, "accuracy_level": draw.choice(None, 0, 1, 4)}
    return draw.node(inputs, K=inner, N=rows, block_size=block, **attributes)


def normalised(draw, type, inner, scaled):
    """A tensor with what is added to it, and the scale of its columns."""
    axes = [*batch(draw), inner]
    skip = draw.optional(Tensor(type, *axes)) if scaled else None
    return [Tensor(type, *axes), skip, Tensor(type, inner) if scaled else None]


def projection(draw, type, rows, inner, block):
    """A matrix in blocks, their scales and perhaps a bias."""
    return [packed(draw, rows, inner, 4, block), Tensor(type, rows, ceil(inner, block)), draw.optional(Tensor(type, rows))]


@operator("MatMulNBitsMlp")
def mat_mul_n_bits_mlp(draw):
    type, inner, rows, block = draw.choice("float", "bfloat16"), draw.number(1, 70), draw.number(1, 9), draw.choice(16, 32)
    inputs = normalised(draw, type, inner, draw.chance(0.7))
    outputs = draw.number(1, 2) if inputs[1] else 1
    inputs += projection(draw, type, rows, inner, block) + projection(draw, type, rows, inner, block)
    return draw.node(inputs, outputs, K=inner, N=rows, block_size=block, activation="silu", bits=4)


@operator("MatMulNBitsQkv")
def mat_mul_n_bits_qkv(draw):
    type, inner, block = draw.choice("float", "bfloat16"), draw.number(1, 70), draw.choice(16, 32)
    queries, keys = draw.number(1, 9), draw.number(1, 9)
    inputs = normalised(draw, type, inner, True)
    outputs = draw.number(3, 4) if inputs[1] else 3
    for rows in (queries, keys, keys):
        inputs += projection(draw, type, rows, inner, block)
    return draw.node(inputs, outputs, K=inner, Nq=queries, Nkv=keys, block_size=block)


@operator("MatMulBnb4")
def mat_mul_bnb4(draw):
    type = draw.choice("float", "float", "float16", "bfloat16")
    inner, rows, block, transposed = draw.number(1, 40), draw.number(1, 9), draw.choice(16, 32, 64), draw.choice(None, 0, 1)
    left = Tensor(type, *batch(draw), rows if transposed == 0 else inner)
    bytes_of_b = Tensor("uint8", ceil(rows * inner, 2), low=0, high=256, constant=draw.chance())
    scales = Tensor(type, ceil(rows * inner, block))
    attributes = {"quant_type": draw.number(0, 1), "transB": transposed}
    return draw.node([left, bytes_of_b, scales], K=inner, N=rows, block_size=block, **attributes)


@operator("MatMulFpQ4")
def mat_mul_fp_q4(draw):
    inner, columns, kind = draw.number(1, 70), draw.number(1, 9), draw.choice(None, 0, 1, 2)
    length = columns * ceil(inner, 32) * (20 if kind == 0 else 21)
    left = Tensor("float", *batch(draw), inner)
    blocks = Tensor("uint8", length, constant=draw.chance())
    shape = Tensor("int64", values=[inner, columns], constant=True)
    return draw.node([left, blocks, shape], blk_quant_type=kind)


@operator("MatMulBlockQuantizedFp4Weight")
def mat_mul_fp4_weight(draw):
    # It takes float16 too, but a cast is put before each such input where no provider has a kernel.
    half, rows, block = draw.number(1, 40), draw.size("N"), draw.choice(None, 16, 32)
    scales = Tensor("uint8", rows, ceil(2 * half, block or 16))
    one = Tensor("float", 1)
    inputs = [Tensor("bfloat16", *batch(draw), 2 * half), Tensor("uint8", rows, half), scales, one, draw.optional(one),
              draw.optional(Tensor("bfloat16", rows))]
    return draw.node(inputs, block_size=block)


@operator("MatMulBlockQuantizedFp8Weight")
def mat_mul_fp8_weight(draw):
    inner, rows, block = draw.number(1, 200), draw.size("N"), draw.choice(None, 16, 128)
    scales = Tensor("float", rows, ceil(inner, block or 128))
    inputs = [Tensor("bfloat16", *batch(draw), inner), Tensor("float8e4m3fn", rows, inner), scales,
              draw.optional(Tensor("float", 1)), draw.optional(Tensor("bfloat16", rows))]
    return draw.node(inputs, block_size=block)


@operator("GatherBlockQuantized")
def gather_bytes(draw):
    bits, block, type = draw.choice(2, 4, 8), draw.choice(16, 32), draw.choice("float", "float16", "bfloat16")
    rows, middle = draw.size("rows"), [draw.size("middle") for _ in range(draw.number(0, 1))]
    width = draw.number(1, 12)
    blocks = ceil(width * 8 // bits, block)
    indices = Tensor(draw.choice("int32", "int64"), *batch(draw, "xyz", 2), low=0, high=1)
    zeros = draw.optional(Tensor("uint8", rows, *middle, ceil(blocks * bits, 8), low=0, high=256))
    inputs = [Tensor("uint8", rows, *middle, width, low=0, high=256), scalar(indices), Tensor(type, rows, *middle, blocks), zeros]
    axes = {"gather_axis": draw.choice(None, 0, -2 - len(middle)), "quantize_axis": draw.choice(-1, 1 + len(middle))}
    return draw.node(inputs, bits=None if bits == 4 else bits, block_size=block, **axes)


@operator("GatherBlockQuantized")
def gather_small(draw):
    # Elements of less than a byte can only be constants, and so have no symbols in their dimensions.
    kind = draw.choice("int4", "uint4", "float4e2m1", "float8e4m3fn", "float8e5m2")
    constant, block, rank = not kind.startswith("float8"), draw.choice(16, 32), draw.number(2, 3)
    quantised, gathered = draw.number(0, rank - 1), draw.number(0, rank - 1)
    dims = [draw.number(1, 40) if constant or axis == quantised else draw.size("stu"[axis]) for axis in range(rank)]
    floats = kind.startswith("float")
    whole = floats and draw.chance(0.3)
    scales = [1 if floats and draw.chance(0.3) else dim for dim in dims]
    scales[quantised] = 1 if whole else ceil(dims[quantised], block)
    zeros = None if floats else draw.optional(Tensor(kind, *scales, constant=True))
    indices = Tensor(draw.choice("int32", "int64"), *batch(draw, "xyz", 2), low=0, high=1)
    inputs = [Tensor(kind, *dims, constant=constant), scalar(indices), Tensor(draw.choice("float", "float16"), *scales), zeros]
    axes = {"gather_axis": gathered - draw.choice(0, rank), "quantize_axis": quantised - draw.choice(0, rank)}
    return draw.node(inputs, block_size=0 if whole else block, **axes)


def scalar(indices):
    """The tensor, or a 0 in place of one without axes, whose elements are not drawn."""
    return indices if indices.dims else Tensor("int64", values=0)


def routed(draw, type, hidden):
    """Tokens, a score for each of them and each expert, and the number of experts; and how the experts are chosen."""
    experts = draw.number(2, 5)
    rows = draw.size("tokens")
    tokens = [rows, hidden]
    if draw.chance():
        tokens = [draw.size("batch", high=3), draw.size("steps", high=3), hidden]
        rows = Size(tokens[0] * tokens[1], "rows")
    mixed = draw.chance(0.2)
    choice = {"k": 2 if mixed else draw.number(1, experts), "use_sparse_mixer": 1 if mixed else None,
              "normalize_routing_weights": draw.choice(None, 1)}
    return Tensor(type, *tokens), Tensor(type, rows, experts), experts, choice


def activated(draw, fused, separate):
    """The activation and how often the first layer is as large as the second; some kernels know one form of swiglu alone."""
    function = draw.choice("relu", "gelu", "silu", "identity", "swiglu")
    if function != "swiglu":
        return {"activation_type": draw.optional(function) if function == "relu" else function}, 1
    fusion = draw.choice(*fused, *separate)
    return {"activation_type": function, "swiglu_fusion": fusion, "swiglu_limit": draw.optional(7.0)}, 2 if fusion else 1


@operator("MoE")
def moe(draw):
    # The kernel for the CPU takes no third layer, and swiglu in one form alone; bfloat16 has no kernel.
    type = draw.choice("float", "float16", "bfloat16")
    free = type == "bfloat16"
    hidden, inner = draw.number(1, 8), draw.number(1, 8)
    tokens, scores, experts, choice = routed(draw, type, hidden)
    function, times = activated(draw, (1, 2) if free else (1,), (0,) if free else ())
    first, second = (experts, times * inner, hidden), (experts, hidden, inner)
    if hidden != inner and draw.chance(0.2):
        first, second = (experts, hidden, times * inner), (experts, inner, hidden)
    biases = [draw.optional(Tensor(type, experts, times * inner)), draw.optional(Tensor(type, experts, hidden))]
    third = [Tensor(type, experts, inner, hidden), draw.optional(Tensor(type, experts, inner))] if free and draw.chance() else []
    layers = [Tensor(type, *first), biases[0], Tensor(type, *second), biases[1]]
    return draw.node([tokens, scores, *layers, *third], **choice, **function)


@operator("MoE")
def moe_of_gelu(draw):
    """What has no kernel for the CPU: bfloat16."""
    hidden, inner, gated = draw.number(1, 8), draw.number(1, 8), draw.chance()
    tokens, scores, experts, choice = routed(draw, "bfloat16", hidden)
    rows, function = (2 * inner, "geglu") if gated else (inner, "relu2")
    layers = [Tensor("bfloat16", experts, rows, hidden), None, Tensor("bfloat16", experts, hidden, inner)]
    return draw.node([tokens, scores, *layers], **choice, activation_type=function, swiglu_fusion=draw.choice(1, 2) if gated else None)


@operator("QMoE")
def qmoe(draw):
    type, bits, block = draw.choice("float", "float16"), draw.choice(2, 4, 8), draw.choice(None, 16)
    hidden, inner = 16 * draw.number(1, 3), 16 * draw.number(1, 3)
    tokens, scores, experts, choice = routed(draw, type, hidden)
    function, times = activated(draw, (1,), ())
    layers, zeros, zero_given = [], [], draw.chance(0.3)
    for rows, columns in ((times * inner, hidden), (hidden, inner)):
        scales = (rows, ceil(columns, block)) if block else (rows,)
        layers += [Tensor("uint8", experts, rows, columns * bits // 8, low=0, high=256), Tensor(type, experts, *scales),
                   draw.optional(Tensor(type, experts, rows))]
        packed_zeros = (rows, ceil(columns // block * bits, 8)) if block else (ceil(rows * bits, 8),)
        zeros.append(Tensor("uint8", experts, *packed_zeros) if zero_given else None)
    weights = draw.optional(Tensor(type, *scores.dims), 0.3)
    inputs = [tokens, scores, *layers, None, None, None, *zeros, None, weights]
    of_layers = {f"fc{layer}_expert_weight_bits": bits for layer in (1, 2, 3)} if draw.chance(0.3) else {}
    return draw.node(inputs, **choice, **function, **of_layers, expert_weight_bits=bits, block_size=block,
                     accuracy_level=draw.choice(None, 4))


@operator("QMoE")
def qmoe_of_three_bits(draw):
    type, block = draw.choice("float16", "bfloat16"), draw.choice(32, 64, 128)
    hidden, inner = block * draw.number(1, 2), block * draw.number(1, 2)
    tokens, scores, experts, choice = routed(draw, type, hidden)
    del choice["use_sparse_mixer"]
    layers = []
    for rows, columns in ((2 * inner, hidden), (hidden, inner)):
        weights = Tensor("uint8", experts, rows, columns * 3 // 8, low=0, high=256)
        layers += [weights, Tensor(type, experts, rows, columns // block), draw.optional(Tensor(type, experts, rows))]
    return draw.node([tokens, scores, *layers], **choice, activation_type="swiglu", swiglu_fusion=1, expert_weight_bits=3,
                     block_size=block, weights_prepacked=0)


# The formats of packed tables: numbers and bytes of a block.
PACKED = {0: (1, 4), 1: (1, 2), 2: (32, 18), 6: (32, 22), 8: (32, 34), 13: (256, 176), 14: (256, 210), 16: (256, 66),
          17: (256, 74), 18: (256, 98), 20: (32, 18), 22: (256, 82), 23: (256, 136), 30: (1, 2), 42: (64, 18)}


def packed_row(draw, *formats):
    """A format of these, or any; the numbers of a row in it, and their bytes."""
    kind = draw.choice(*(formats or PACKED))
    numbers, size = PACKED[kind]
    blocks = draw.number(1, 3) if numbers > 1 else draw.number(1, 9)
    return kind, blocks * numbers, blocks * size


@operator("GatherPacked")
def gather_packed(draw):
    kind, inner, row = packed_row(draw)
    indices = scalar(Tensor(draw.choice("int32", "int64"), *batch(draw, "xyz"), low=-2, high=9))
    table = Tensor("uint8", draw.size("rows"), row)
    output = draw.choice(None, 1, 10, 16)
    return draw.node([table, indices], K=inner, packed_type=kind, output_dtype=output)


@operator("MatMulPacked")
def mat_mul_packed(draw):
    kind, inner, row = packed_row(draw)
    type, rows = draw.choice("float16", "bfloat16"), draw.number(1, 9)
    scale = draw.optional(Tensor("float", values=2), 0.3)
    function = draw.choice(None, "relu2", "relu_squared", "silu")
    return draw.node([Tensor(type, *batch(draw), inner), Tensor("uint8", rows, row), scale],
                     K=inner, N=rows, packed_type=kind, activation_type=function)


@operator("MoEPacked")
def moe_packed(draw):
    squares, given = draw.chance(0.3), draw.chance()
    gate, hidden, _ = packed_row(draw, *([16] if squares else [2, 8, 14, 16]))
    down, inner, of_inner = packed_row(draw, *([16] if squares else [2, 8, 14, 16]))
    of_hidden = hidden // PACKED[gate][0] * PACKED[gate][1]
    type = draw.choice("float16", "bfloat16")
    tokens, scores, experts, choice = routed(draw, type, hidden)
    del choice["use_sparse_mixer"]
    kind = draw.choice("float", type)
    scores = Tensor(kind, *scores.dims)
    first = Tensor("uint8", experts, inner, of_hidden)
    second, weights = Tensor("uint8", experts, hidden, of_inner), scores if given else None
    inputs = [tokens, scores, first, None if squares else first, second, weights]
    scaled = {"routed_scaling_factor": 2.5, "routing_epsilon": 1e-20} if given and draw.chance() else {}
    function = {"activation_type": draw.choice("relu2", "relu_squared")} if squares else {"up_type": gate}
    return draw.node(inputs, gate_type=gate, down_type=down, **function, **scaled, **choice)


@operator("MoEGroupRouter")
def moe_group_router(draw):
    type, groups, of_group = draw.choice("float", "float16", "bfloat16"), draw.number(1, 4), draw.number(1, 4)
    experts, best = groups * of_group, draw.number(1, groups)
    logits = Tensor(type, *(batch(draw, most=2) or [draw.size("tokens")]), experts)
    return draw.node([logits, Tensor("float", *draw.choice([experts], [1, experts]))], top_k=draw.number(1, best * of_group),
                     n_group=groups, topk_group=best, group_topk=draw.choice(None, 1, 9), router_sentinel=draw.optional(-5.0))


@operator("MoEGroupRouter")
def moe_group_router_of_all(draw):
    type, experts, rows = draw.choice("float", "float16", "bfloat16"), draw.number(1, 9), draw.size("rows")
    bias, project = Tensor("float", experts), draw.chance()
    weight = Tensor(type, experts, 256) if project else None
    logits = Tensor(type, rows, 256) if project else Tensor(type, *batch(draw, most=1), rows, experts)
    return draw.node([logits, bias, weight], [False, True, True], top_k=draw.number(1, experts))


@operator("RouterGateUpProj")
def router_gate_up_proj(draw):
    type, inner, router = draw.choice("float16", "bfloat16"), draw.size("K"), draw.number(1, 5)
    width = router + 2 * draw.number(1, 5)
    return draw.node([Tensor(type, *batch(draw), inner), Tensor(type, inner, width)], 2, router_size=router,
                     limit=draw.optional(7.0), activation=draw.optional("swiglu"))


@operator("MatMulNBitsQLoRA")
def mat_mul_n_bits_q_lora(draw):
    type, inner, rows, rank = draw.choice("float", "float16"), draw.number(1, 70), draw.number(1, 9), draw.number(1, 40)
    bits, block, thin_bits, thin = draw.choice(2, 4, 8), draw.choice(16, 32), draw.choice(2, 4, 8), draw.choice(16, 64)
    blocks, thin_blocks, between = ceil(inner, block), ceil(inner, thin), ceil(rank, thin)
    scales = draw.choice((rows, blocks), (rows * blocks,))
    low = Tensor("uint8", rank if draw.chance(0.8) else 0, thin_blocks, thin * thin_bits // 8)
    high = Tensor("uint8", rows, between if draw.chance(0.8) else 0, thin * thin_bits // 8)
    inputs = [Tensor(type, *batch(draw), inner), packed(draw, rows, inner, bits, block), Tensor(type, *scales),
              low, Tensor(type, rank, thin_blocks), high, Tensor(type, rows, between)]
    return draw.node(inputs, K=inner, N=rows, bits=bits, block_size=block, lora_bits=thin_bits, lora_block_size=thin,
                     accuracy_level=draw.choice(None, 4))
