"""Attention, and what stands before and behind it: positions, and padding that is taken away and put back."""

from .drawing import Tensor, operator


def mask(draw, batch, steps, total, of="int32"):
    """A mask of one of the kinds that all kernels have, or none: how many keys a sample has, or which are seen."""
    lengths = {"low": 1, "high": 2}
    return draw.choice(
        None,
        Tensor(of, batch, **lengths),
        Tensor(of, 3 * batch + 2, values=0),
        Tensor(of, batch, total),
        Tensor(of, batch, steps, total),
    )


def added(draw, elem, batch, heads, steps, total, probability=0.3):
    """Numbers that are added to the scores, or None."""
    bias = Tensor(elem, draw.choice(batch, 1), draw.choice(heads, 1), steps, total)
    return draw.optional(bias, probability)


def step(draw, name, with_past):
    """A number of steps, and that with the ones before: a symbol where there are none."""
    steps, past = draw.size(name), draw.size("past") if with_past else None
    return steps, past, steps + past if with_past else steps


def weights_of(draw, values):
    """Numbers of heads and of features of queries, keys and values, those of the latter another one where `values` is."""
    heads, size = draw.number(1, 3), draw.number(1, 3)
    return heads, size, draw.number(1, 3) if values else size


@operator("Attention")
def attention(draw):
    elem, with_past = draw.choice("float", "bfloat16"), draw.chance(0.4)
    heads, size, v_size = weights_of(draw, not with_past and draw.chance(0.4))
    batch, features = draw.size("batch"), draw.size("features")
    steps, past, total = step(draw, "steps", with_past)
    columns = heads * (2 * size + v_size)
    shared = with_past and elem == "bfloat16" and draw.chance()
    inputs = [
        Tensor(elem, batch, steps, features),
        Tensor(elem, features, columns),
        # The kernel for CPUs ends the process without it.
        Tensor(elem, columns) if elem == "float" or draw.chance() else None,
        None if shared else mask(draw, batch, steps, total),
        Tensor(elem, 2, batch, heads, past, size) if with_past else None,
        None if with_past else added(draw, elem, batch, heads, steps, total),
        Tensor("int32", 1, values=[1]) if shared else None,
    ]
    sizes = [heads * size, heads * size, heads * v_size] if size != v_size or draw.chance(0.3) else None
    return draw.node(
        inputs,
        2 if with_past or draw.chance() else 1,
        num_heads=heads,
        qkv_hidden_sizes=sizes,
        past_present_share_buffer=int(shared) if shared or draw.chance(0.3) else None,
        unidirectional=draw.choice(0, 1),
    )


@operator("QAttention")
def quantized_attention(draw):
    elem, with_past = draw.choice("float", "float16"), draw.chance(0.4)
    heads, size = draw.number(1, 3), draw.number(1, 3)
    batch, features = draw.size("batch"), draw.size("features")
    steps, past, total = step(draw, "steps", with_past)
    columns, weights = 3 * heads * size, draw.choice("uint8", "int8")
    one = [[], [1]]
    inputs = [
        Tensor("uint8", batch, steps, features),
        Tensor(weights, features, columns),
        Tensor(elem, columns),
        Tensor(elem, *draw.choice(*one), values=0.1),
        Tensor(elem, *draw.choice(*one, [columns]), values=0.1),
        mask(draw, batch, steps, total),
        draw.optional(Tensor("uint8", *draw.choice(*one), values=1)),
        draw.optional(Tensor(weights, *draw.choice(*one, [columns]), values=1)),
        Tensor(elem, 2, batch, heads, past, size) if with_past else None,
    ]
    outputs = 2 if with_past or draw.chance() else 1
    return draw.node(inputs, outputs, num_heads=heads, unidirectional=draw.choice(0, 1))


@operator("MultiHeadAttention")
def multi_head_attention(draw):
    form = draw.choice("keys", "keys", "keys", "heads", "keys and values", "all")
    # The kernel for CPUs has no forms with several in one.
    elem = "bfloat16" if form in ("keys and values", "all") else draw.choice("float", "float16")
    with_past = draw.chance()
    heads, size, v_size = weights_of(draw, form == "keys" and not with_past and draw.chance(0.4))
    batch, steps = draw.size("batch"), draw.size("steps")
    kv_steps = steps if form == "all" else draw.size("kv_steps")
    shared = with_past and draw.chance(0.4)
    # A buffer has room for all steps, which are filled before the kernel runs.
    filled = draw.number(0, 3)
    past = draw.size("buffer", low=12, high=20) if shared else draw.size("past")
    total = kv_steps + filled if shared else kv_steps + past if with_past else kv_steps
    heads_first = [batch, heads, kv_steps, size]
    query, key, value = {
        "keys": ([batch, steps, heads * size], [batch, kv_steps, heads * size], [batch, kv_steps, heads * v_size]),
        "heads": ([batch, steps, heads * size], heads_first, heads_first),
        "keys and values": ([batch, steps, heads * size], [batch, kv_steps, heads, 2, size], None),
        "all": ([batch, steps, heads, 3, size], None, None),
    }[form]
    cache = Tensor(elem, batch, heads, past, size) if with_past else None
    length = Tensor("int32", *draw.choice([], [1]), values=filled, constant=draw.chance()) if shared else None
    inputs = [
        Tensor(elem, *query),
        Tensor(elem, *key) if key else None,
        Tensor(elem, *value) if value else None,
        draw.optional(Tensor(elem, heads * (2 * size + v_size)), 0.3) if form in ("keys", "heads") else None,
        mask(draw, batch, steps, total) if elem != "bfloat16" else None,
        added(draw, elem, batch, heads, steps, total),
        cache,
        cache,
        length,
    ]
    kept = shared or draw.chance()
    # onnxruntime infers no type of the weights, so that only a run gives their dimensions.
    weights = elem != "bfloat16" and draw.chance()
    outputs = [True, kept, kept, True][: 4 if weights else 3 if kept else 1]
    return draw.node(inputs, outputs, types=[elem] * 4, num_heads=heads, unidirectional=draw.choice(0, 1, None))


@operator("GroupQueryAttention")
def group_query_attention(draw):
    elem = draw.choice("float", "float16")
    kv_heads, size = draw.number(1, 2), 16 * draw.number(1, 2)
    heads = kv_heads * draw.number(1, 2)
    kind = draw.choice("first", "first", "later", "later", "room", "window")
    packed, with_past = draw.chance(0.3), kind != "first"
    # Several steps beside past ones only for one sample, whose batch is then a number.
    several = with_past and draw.chance(0.3)
    batch = 1 if several else draw.size("batch")
    steps = draw.number(2, 3) if several else 1 if with_past else draw.size("steps")
    # What lies before is a number where the total is one that the model has.
    constant = with_past and draw.chance()
    past = draw.number(3, 6) if constant else draw.size("past", low=3)
    total = {"first": steps, "later": past + steps, "room": steps, "window": past + steps}[kind]
    bits = draw.choice(0, 0, 8, 4) if with_past and kind != "window" else 0
    cached = {0: draw.choice("float", "float16"), 8: "int8", 4: "uint8"}[bits]
    cache = Tensor(cached, batch, kv_heads, past, size // 2 if bits == 4 else size) if with_past else None
    by_feature = draw.chance()
    scale = Tensor("float", *([1, kv_heads, 1, size] if by_feature else [1])) if bits else None
    kv = None if packed else Tensor(elem, batch, steps, kv_heads * size)
    rotary = draw.chance(0.3)
    angles = Tensor(elem, 32, 8) if rotary else None
    inputs = [
        Tensor(elem, batch, steps, (heads + 2 * kv_heads if packed else heads) * size),
        kv,
        kv,
        cache,
        cache,
        Tensor("int32", batch, values=total - 1),
        Tensor("int32", *draw.choice([], [1]), values=total, constant=constant),
        angles,
        angles,
        draw.optional(Tensor("int64", batch, steps)) if rotary else None,
        added(draw, elem, batch, heads, steps, total) if kind != "window" else None,
        draw.optional(Tensor(elem, heads), 0.3),
        scale,
        scale,
    ]
    scores = kind != "window" and draw.chance(0.4)
    kept = kind == "window" or bits > 0 or draw.chance(0.7)
    mode = ("PER_CHANNEL" if by_feature else "PER_TENSOR") if bits else None
    return draw.node(
        inputs,
        [True, kept, kept, True][: 4 if scores else 3 if kept else 1],
        num_heads=heads,
        kv_num_heads=kv_heads,
        do_rotary=int(rotary) if rotary or draw.chance(0.3) else None,
        qk_output=draw.choice(1, 2) if scores else None,
        kv_cache_bit_width=bits or None,
        k_quant_type=mode,
        v_quant_type=mode,
        sliding_window_cache=1 if kind == "window" else None,
        local_window_size=draw.number(1, 3) if kind == "window" else draw.choice(None, 2),
    )


@operator("GroupQueryAttention")
def group_query_attention_of_counts(draw):
    elem, kv_heads, size = draw.choice("float", "float16"), draw.number(1, 2), 16 * draw.number(1, 2)
    heads, steps, batch, packed = kv_heads * draw.number(1, 2), draw.number(1, 3), draw.size("batch"), draw.chance(0.3)
    room = draw.size("room", low=8, high=12)
    total = draw.choice(6, 20)
    cache = Tensor(elem, batch, kv_heads, room, size)
    kv = None if packed else Tensor(elem, batch, steps, kv_heads * size)
    query = Tensor(elem, batch, steps, (heads + 2 * kv_heads if packed else heads) * size)
    inputs = [query, kv, kv, cache, cache, Tensor("int32", batch, values=4), Tensor("int32", 1, values=total, constant=True)]
    return draw.node([*inputs, *[None] * 9, Tensor("int32", batch, low=1, high=steps + 1)], 3, num_heads=heads,
                     kv_num_heads=kv_heads, q_norm_epsilon=draw.optional(1e-5), k_norm_epsilon=draw.optional(1e-4))


def turned(draw, several):
    """What is turned by positions: the inputs and attributes of RotaryEmbedding and of its kin with several positions."""
    elem, with_heads = draw.choice("float", "float16"), draw.chance()
    heads, size = draw.number(1, 3), 2 * draw.number(2, 4)
    part = draw.choice(0, 0, 2, 4)
    batch, steps, angles = draw.size("batch"), draw.size("steps"), draw.size("angles", low=8, high=12)
    needed = part or several and not with_heads
    count = (part or size) // 2
    positions = [3, batch, steps] if several else draw.choice([], [1], [batch, steps])
    inputs = [
        Tensor(elem, *([batch, heads, steps, size] if with_heads else [batch, steps, heads * size])),
        Tensor("int64", *positions, low=0, high=1),
        Tensor(elem, angles, count),
        Tensor(elem, angles, count),
    ]
    given = {
        "num_heads": heads if needed or draw.chance() else None,
        "rotary_embedding_dim": part or None,
        "interleaved": draw.choice(None, 0, 1),
        "is_packed_batching": draw.choice(None, 0, 1),
    }
    return inputs, given, count


@operator("RotaryEmbedding")
def rotary_embedding(draw):
    inputs, given, _ = turned(draw, several=False)
    return draw.node(inputs, **given)


@operator("MRotaryEmbedding")
def multimodal_rotary_embedding(draw):
    inputs, given, count = turned(draw, several=True)
    return draw.node(inputs, mrope_section=[count - 1, 1, 0], mrope_layout=draw.choice(None, 0, 1), **given)


def packed(draw):
    """The inputs that say where the tokens of sequences without padding belong, and the sizes of the padded ones."""
    batch, steps = draw.size("batch"), draw.size("steps")
    return [Tensor("int32", batch, steps), Tensor("int32", batch + 1)], batch, steps


@operator("PackedAttention")
def packed_attention(draw):
    heads, size, v_size = weights_of(draw, draw.chance())
    tokens, features, columns = draw.size("tokens"), draw.size("features"), heads * (2 * size + v_size)
    places, batch, steps = packed(draw)
    inputs = [Tensor("float", tokens, features), Tensor("float", features, columns), Tensor("float", columns), *places]
    sizes = [heads * size, heads * size, heads * v_size] if size != v_size or draw.chance(0.3) else None
    return draw.node([*inputs, added(draw, "float", batch, heads, steps, steps)], num_heads=heads, qkv_hidden_sizes=sizes)


@operator("PackedMultiHeadAttention")
def packed_multi_head_attention(draw):
    in_one = draw.chance(0.3)
    heads, size, v_size = weights_of(draw, not in_one)
    tokens, columns = draw.size("tokens"), heads * (2 * size + v_size)
    places, batch, steps = packed(draw)
    query = Tensor("float", *([tokens, heads, 3, size] if in_one else [tokens, heads * size]))
    key = None if in_one else Tensor("float", tokens, heads * size)
    value = None if in_one else Tensor("float", tokens, heads * v_size)
    bias = draw.optional(Tensor("float", columns))
    inputs = [query, key, value, bias, *places, added(draw, "float", batch, heads, steps, steps)]
    return draw.node(inputs, num_heads=heads)


@operator("DecoderAttention")
def decoder_attention(draw):
    heads, batch, steps = draw.number(1, 3), draw.size("batch"), draw.size("steps")
    hidden = heads * draw.number(1, 3)
    cache = Tensor("float", batch, heads, draw.size("past"), hidden // heads) if draw.chance() else None
    inputs = [
        Tensor("float", steps, batch, hidden),
        Tensor("float", draw.size("kv_steps"), batch, hidden),
        Tensor("float", hidden, hidden),
        Tensor("float", hidden, 2 * hidden),
        Tensor("float", 3 * hidden),
        None,
        cache,
        cache,
        *[Tensor("bool", values=False)] * 4,
    ]
    return draw.node(inputs, draw.choice(1, 3), num_heads=heads)


@operator("DecoderMaskedSelfAttention")
def decoder_masked_self_attention(draw):
    heads, size, batch, features = draw.number(1, 3), 32, draw.size("batch"), draw.size("features")
    total, columns = draw.size("total"), 3 * heads * size
    inputs = [
        Tensor("float", batch, 1, features),
        Tensor("float", features, columns),
        Tensor("float", columns),
        draw.optional(Tensor("int32", batch, total)),
        Tensor("float", 2, batch, heads, draw.size("buffer"), size),
        None,
        Tensor("int32", *draw.choice([], [1]), values=1),
    ]
    return draw.node(inputs, 2, num_heads=heads, past_present_share_buffer=1)


@operator("DecoderMaskedMultiHeadAttention")
def decoder_masked_multi_head_attention(draw):
    elem, form = draw.choice("float", "float16"), draw.choice("past", "past", "alone", "heads")
    heads, size = draw.number(1, 3), draw.number(1, 3)
    batch, with_past, filled = draw.size("batch"), form == "past", draw.number(0, 3)
    steps = draw.size("kv_steps") if form == "heads" else 1
    total = steps + filled if with_past else steps
    key = Tensor(elem, *([batch, heads, steps, size] if form == "heads" else [batch, 1, heads * size]))
    buffer = draw.size("buffer", low=4)
    cache = Tensor(elem, batch, heads, buffer, size) if with_past else None
    inputs = [
        Tensor(elem, batch, 1, heads * size),
        key,
        key,
        draw.optional(Tensor("int32", batch, total)),
        added(draw, elem, batch, heads, 1, total) if with_past else None,
        cache,
        cache,
        Tensor("int32", *draw.choice([], [1]), values=filled, constant=draw.chance()) if with_past else None,
        draw.optional(Tensor("int32", 1, values=[1])) if with_past else None,
        Tensor("int32", batch, 1, buffer, values=0) if with_past and draw.chance(0.3) else None,
        draw.optional(Tensor(elem, 3 * heads * size)),
    ]
    weights = draw.chance()
    outputs = [True, with_past, with_past, True][: 4 if weights else 3 if with_past else 1]
    given = {"output_qk": int(weights) or None, "past_present_share_buffer": int(with_past) or None}
    return draw.node(inputs, outputs, types=[elem] * 4, num_heads=heads, **given)


@operator("SparseAttention")
def sparse_attention(draw):
    # The kernel for CPUs needs an input and an output in the same memory; it has no bfloat16.
    kv_heads, size, in_one = draw.number(1, 2), 8 * draw.number(1, 2), draw.chance(0.3)
    heads = kv_heads * draw.number(1, 2)
    batch, steps = draw.size("batch"), draw.size("steps")
    key = None if in_one else Tensor("bfloat16", batch, steps, kv_heads * size)
    cache = Tensor("bfloat16", batch, kv_heads, draw.size("buffer", low=16, high=20), size)
    inputs = [
        Tensor("bfloat16", batch, steps, (heads + 2 * kv_heads if in_one else heads) * size),
        key,
        key,
        cache,
        cache,
        Tensor("int32", heads, 3),
        Tensor("int32", heads, draw.number(2, 4)),
        Tensor("int32", *draw.choice([], [1]), values=8),
        Tensor("int32", batch, values=8),
    ]
    return draw.node(inputs, 3, num_heads=heads, kv_num_heads=kv_heads, sparse_block_size=draw.choice(16, 32, 64, 128))


@operator("PagedAttention")
def paged_attention(draw):
    # Nodes of float16 alone become invalid where casts are put before what no kernel is for.
    form = draw.choice("separate", "packed", "latent")
    latent = form == "latent"
    kv_heads, size = 1 if latent else draw.number(1, 2), 8 * draw.number(1, 2)
    heads = kv_heads * draw.number(1, 3)
    tokens, batch = draw.size("tokens"), draw.size("batch")
    bits = draw.choice(16, 8, 4)
    cached = {16: "bfloat16", 8: "int8", 4: "uint8"}[bits]
    cache = Tensor(cached, draw.size("blocks"), 16, kv_heads, size // 2 if bits == 4 else size)
    key = None if form == "packed" else Tensor("bfloat16", tokens, kv_heads * size)
    scale = Tensor("float", kv_heads, 1, size) if bits < 16 else None
    inputs = [
        Tensor("bfloat16", tokens, (heads + 2 * kv_heads if form == "packed" else heads) * size),
        key,
        None if latent else key,
        cache,
        None if latent else cache,
        Tensor("int32", batch + 1),
        Tensor("int32", batch),
        Tensor("int32", batch, draw.size("table")),
        None,
        None,
        draw.optional(Tensor("int32", tokens)),
        draw.optional(Tensor("bfloat16", heads)),
        None,
        None,
        scale,
        None if latent else scale,
    ]
    kind, packing = "PER_CHANNEL" if bits < 16 else None, "int4" if bits == 4 else None
    return draw.node(
        inputs,
        draw.choice(1, 2 if latent else 3),
        num_heads=heads,
        kv_num_heads=kv_heads,
        kv_cache_layout="LATENT" if latent else draw.choice(None, "SEPARATE"),
        v_head_size=draw.choice(None, 0, size // 2) if latent else None,
        k_quant_type=kind,
        v_quant_type=None if latent else kind,
        k_cache_dtype=packing,
        v_cache_dtype=None if latent else packing,
    )


@operator("LongformerAttention")
def longformer_attention(draw):
    heads, window = draw.number(1, 3), draw.number(1, 2)
    hidden, batch = heads * draw.number(1, 3), draw.size("batch")
    steps = draw.size("steps", multiple=2 * window)
    weights = [Tensor("float", hidden, 3 * hidden), Tensor("float", 3 * hidden)]
    inputs = [Tensor("float", batch, steps, hidden), *weights, Tensor("float", batch, steps), *weights]
    return draw.node([*inputs, Tensor("int32", batch, steps)], num_heads=heads, window=window)


@operator("RelativePositionBias")
def relative_position_bias(draw):
    length = Tensor("int64", *draw.choice([], [1]), values=draw.number(1, 9), constant=draw.chance())
    table = Tensor("float", draw.size("buckets"), draw.size("heads"))
    return draw.node([table, length, length], max_distance=draw.number(1, 9), is_bidirectional=draw.choice(None, 0, 1))


@operator("GatedRelativePositionBias")
def gated_relative_position_bias(draw):
    heads, size, gates = draw.number(1, 3), draw.number(1, 3), 2 * draw.number(1, 3)
    batch, steps, without_padding = draw.size("batch"), draw.size("steps"), draw.chance()
    inputs = [
        Tensor("float", *([draw.size("tokens")] if without_padding else [batch, steps]), heads * size),
        Tensor("float", heads * size),
        Tensor("float", 1, heads, steps, steps),
        Tensor("float", size, gates),
        Tensor("float", gates),
        Tensor("float", 1, heads, 1, 1),
        Tensor("int32", batch, steps) if without_padding else None,
    ]
    return draw.node(inputs, num_heads=heads)


@operator("RemovePadding")
def remove_padding(draw):
    batch, steps, hidden = draw.size("batch"), draw.size("steps"), draw.size("hidden")
    return draw.node([Tensor("float", batch, steps, hidden), Tensor("int32", batch)], 4)


@operator("RestorePadding")
def restore_padding(draw):
    places, _, _ = packed(draw)
    return draw.node([Tensor("float", draw.size("tokens"), draw.size("hidden")), places[0]])
