"""Operators that carry a state from step to step, and those of sparse attention and of several streams."""

from .drawing import Size, Tensor, operator

FLOATS = ("float", "float16")


def sequences(draw, rows):
    """The number of sequences, and where each begins among the rows, with the number of these last."""
    begins = draw.size("starts", low=2)
    inner = sorted(draw.sizes.sample(range(1, rows), begins - 2))
    return Size(begins - 1, "batch"), Tensor("int32", begins, values=[0, *inner, int(rows)])


def scalar(type, value):  # noqa: A002: ONNX's word
    return Tensor(type, values=value)


@operator("LinearAttention")
def linear_attention(draw):
    batch, steps = draw.size("batch"), draw.size("steps")
    type, fewer, more = draw.choice(*FLOATS), draw.number(1, 3), draw.number(1, 3)
    queries, values = draw.choice((fewer * more, fewer), (fewer, fewer * more))
    keys = draw.choice(values, 1)
    wide_key, wide_value = draw.number(1, 4), draw.number(1, 4)
    rule = draw.choice("linear", "gated", "delta", "gated_delta")
    state_type = draw.choice(type, "float")
    state = draw.optional(Tensor(state_type, batch, values, wide_key, wide_value))
    decay = Tensor(type, batch, steps, draw.choice(values, values * wide_key)) if "gated" in rule else None
    beta = Tensor(type, batch, steps, draw.choice(values, 1)) if "delta" in rule else None
    inputs = [Tensor(type, batch, steps, heads * wide) for heads, wide in ((queries, wide_key), (keys, wide_key), (values, wide_value))]
    return draw.node([*inputs, state, decay, beta], 2, q_num_heads=queries, kv_num_heads=values, update_rule=rule)


@operator("LinearAttention")
def linear_attention_window(draw):
    batch, steps, window = draw.size("batch"), draw.size("steps"), draw.number(1, 8)
    inputs = [Tensor("bfloat16", batch, steps, wide) for wide in (12, 6, 10)]
    state = draw.optional(Tensor("bfloat16", window, batch, 2, 3, 5))
    return draw.node([*inputs, state], 2, q_num_heads=4, kv_num_heads=2, update_rule="linear", state_window=window)


@operator("LinearAttentionGate")
def linear_attention_gate(draw):
    dims = [draw.size("batch"), draw.size("steps"), draw.size("heads")][draw.number(0, 2) :]
    type, both = draw.choice(*FLOATS, "bfloat16"), draw.chance()
    b = Tensor(type, *dims) if both else None
    return draw.node([Tensor(type, *dims), Tensor("float", dims[-1]), Tensor("float", dims[-1]), b], 2 if both else 1)


def delta_net(draw, axes):
    """The inputs from `query` to `initial_state`, with the steps on one axis or on two, and the number of sequences."""
    batch, type = draw.size("batch"), draw.choice(*FLOATS, "bfloat16")
    steps = draw.size("steps")
    dims = [batch, steps] if axes == 2 else [Size(batch * steps, "rows")]
    heads, times, wide_key, wide_value = draw.number(1, 2), draw.number(1, 2), draw.number(1, 4), draw.number(1, 4)
    values = heads * times
    state = Tensor("float", batch, values, wide_value, wide_key)
    decay, beta = Tensor("float", *dims, values), Tensor("float", *dims, values)
    if draw.chance(0.3):
        features = 2 * heads * wide_key + values * wide_value
        return [Tensor(type, *dims, features), None, None, None, decay, beta, state], batch
    inputs = [Tensor(type, *dims, *of) for of in ((heads, wide_key), (heads, wide_key), (values, wide_value))]
    return [*inputs, None, decay, beta, state if draw.chance() or axes == 1 else None], batch


@operator("GatedDeltaNet")
def gated_delta_net(draw):
    inputs, batch = delta_net(draw, draw.number(1, 2))
    capacity, given = draw.choice(0, 0, 3), draw.chance()
    count = Tensor("int32", batch) if capacity else None
    heads = inputs[4].dims[-1]
    qwen = [Tensor("float", heads), Tensor("float", heads)] if given else [None, None]
    attributes = {"gate_activation": "qwen"} if given else {"beta_activation": "sigmoid", "qk_l2_norm": 1}
    return draw.node([*inputs, *qwen, count], draw.number(1, 3), state_update_capacity=capacity or None, **attributes)


@operator("GatedDeltaNet")
def gated_delta_net_of_lengths(draw):
    rows, capacity = draw.size("rows", low=7, high=9), draw.choice(None, 1, 8)
    batch, where = sequences(draw, rows)
    inputs = [Tensor("float16", rows, 2, 3), Tensor("float16", rows, 2, 3), Tensor("float16", rows, 4, 5), where]
    gates = [Tensor("float", rows, 4), Tensor("float", rows, 4), draw.optional(Tensor("float", batch, 4, 5, 3))]
    count = [None, None, Tensor("int32", batch)] if capacity else []
    return draw.node([*inputs, *gates, *count], 3 if capacity else 2, state_update_capacity=capacity)


@operator("GatedDeltaNet")
def gated_delta_net_of_bounded_gates(draw):
    batch, steps, type = draw.size("batch"), draw.size("steps"), draw.choice(*FLOATS, "bfloat16")
    heads, times, wide_key, wide_value = draw.number(1, 2), draw.number(1, 2), draw.number(1, 4), draw.number(1, 4)
    values, gates, of_rows = heads * times, draw.choice("float", type), draw.chance()
    decay = Tensor(gates, batch, steps, values, wide_key) if of_rows else Tensor(gates, batch, steps, values)
    bias = draw.choice((values, wide_key), (values * wide_key,)) if of_rows else (values,)
    queries = [Tensor(type, batch, steps, *of) for of in ((heads, wide_key), (heads, wide_key), (values, wide_value))]
    state = draw.optional(Tensor("float", batch, values, wide_value, wide_key))
    updates = draw.optional(draw.number(1, 8))
    inputs = [*queries, None, decay, Tensor(gates, batch, steps, values), state, Tensor("float", values), Tensor("float", *bias),
              Tensor("int32", batch) if updates else None]
    return draw.node(inputs, draw.number(1, 3), gate_activation=draw.choice("softplus", "sigmoid", "kda"),
                     gate_lower_bound=draw.optional(-2.0), state_update_capacity=updates)


@operator("CausalConvWithState")
def causal_conv_with_state(draw):
    batch, steps, type = draw.size("batch"), draw.size("steps"), draw.choice(*FLOATS)
    channels = [draw.number(1, 4) for _ in range(draw.number(1, 3))]
    last, dilation, wide = draw.chance(), draw.number(1, 3), draw.number(1, 4)
    channels = channels if last else channels[:1]
    count = 1
    for of in channels:
        count *= of
    state = (wide - 1) * dilation
    layout = (lambda along: [batch, along, *channels]) if last else (lambda along: [batch, *channels, along])
    activation = draw.choice("none", "silu", "swish")
    return draw.node([Tensor(type, *layout(steps)), Tensor(type, count, 1, wide), draw.optional(Tensor(type, count)),
                      draw.optional(Tensor(type, *layout(state)))], 2,
                     channels_last=int(last), dilation=dilation, activation=activation)


@operator("CausalConvWithState")
def causal_conv_with_state_of_some_channels(draw):
    """What has no kernel for the CPU: bfloat16."""
    batch, steps, most, taps = draw.size("batch"), draw.size("steps"), draw.number(1, 6), draw.number(1, 4)
    some = draw.optional(draw.number(1, most))
    read, dilation, first = some or most, draw.number(1, 3), draw.chance()
    state = (taps - 1) * dilation
    longer = draw.optional(state + draw.number(1, 3))
    updates = draw.optional(draw.number(1, 8))
    past = [batch, read, longer or state] if first else [batch, longer or state, read]
    inputs = [Tensor("bfloat16", batch, steps, most), Tensor("bfloat16", read, 1, taps), None, draw.optional(Tensor("bfloat16", *past))]
    return draw.node(inputs, 3 if updates else 2, channels_last=1, dilation=dilation, input_channels=some,
                     input_channel_offset=draw.optional(draw.number(0, most - read)) if some else None, state_length=longer,
                     state_channels_last=0 if first else draw.choice(None, 1), state_update_capacity=updates)


@operator("CausalConvWithState")
def causal_conv_with_state_of_symbols(draw):
    batch, channels = draw.size("batch"), draw.size("channels")
    weight = Tensor("float", channels, 1, draw.size("taps"))
    return draw.node([Tensor("float", batch, channels, draw.size("steps")), weight], 2, dilation=draw.number(1, 3))


@operator("CausalConvWithState")
def causal_conv_with_state_of_a_window(draw):
    """What has no kernel for the CPU: bfloat16."""
    space = draw.number(1, 3)
    places, window = [draw.size(f"place{axis}") for axis in range(space)], draw.choice(None, 1, 8)
    batch, channels, taps = draw.size("batch"), draw.size("channels"), [draw.number(1, 4) for _ in range(space)]
    return draw.node([Tensor("bfloat16", batch, channels, *places), Tensor("bfloat16", channels, 1, *taps)], 2,
                     ndim=space, state_window=window, dilation=draw.number(1, 2))


@operator("VarlenCausalConvWithState")
def varlen_causal_conv_with_state(draw):
    rows, channels, type = draw.size("rows", low=7, high=9), draw.size("channels"), draw.choice(*FLOATS, "bfloat16")
    taps, dilation, capacity = draw.number(1, 4), draw.number(1, 3), draw.choice(None, 1, 8)
    batch, where = sequences(draw, rows)
    count = Tensor("int32", batch) if capacity else None
    return draw.node([Tensor(type, rows, channels), Tensor(type, channels, 1, taps), where,
                      draw.optional(Tensor(type, channels)), Tensor(type, batch, channels, (taps - 1) * dilation), count],
                     3 if capacity else 2, dilation=dilation, state_update_capacity=capacity)


@operator("EngramGate")
def engram_gate(draw):
    batch, tokens, streams, wide = draw.size("batch"), draw.size("tokens"), draw.size("streams"), draw.size("wide")
    type, both = draw.choice(*FLOATS, "bfloat16"), draw.chance()
    key, scale = Tensor(type, batch, tokens, streams, wide), Tensor(type, streams, wide)
    return draw.node([key, key, Tensor(type, batch, tokens, wide), scale, scale, scale if both else None], 1 + both)


def hashes(draw, type):  # noqa: A002: ONNX's word
    """The length of the state, the inputs that say how tokens are hashed, and the attributes."""
    longest, heads = draw.number(2, 4), draw.number(1, 3)
    count = (longest - 1) * heads
    inputs = [Tensor(type, longest + draw.number(0, 2)), Tensor(type, count, low=5, high=9)]
    return longest - 1, inputs, draw.optional(Tensor(type, count)), draw.optional(scalar(type, 1)), {
        "max_ngram_size": longest, "n_head_per_ngram": heads, "pad_id": draw.number(0, 3), "reset_on_eos": draw.number(0, 1)}


@operator("NGramHashMapping")
def ngram_hash_mapping(draw):
    batch, tokens, type = draw.size("batch"), draw.size("tokens"), draw.choice("int32", "int64")
    state, inputs, offsets, end, attributes = hashes(draw, type)
    return draw.node([Tensor(type, batch, tokens), *inputs, draw.optional(Tensor(type, batch, state)), offsets, end,
                      draw.optional(Tensor("int32", batch, tokens))], draw.number(1, 2), **attributes)


@operator("VarlenNGramHashMapping")
def varlen_ngram_hash_mapping(draw):
    rows, type = draw.size("rows", low=7, high=9), draw.choice("int32", "int64")
    batch, where = sequences(draw, rows)
    state, inputs, offsets, end, attributes = hashes(draw, type)
    segments, capacity = draw.chance(), draw.choice(None, 1, 8)
    past = [draw.optional(Tensor(type, batch, state)), offsets, end]
    marks = [Tensor("int32", rows), draw.optional(Tensor("int32", batch, state))] if segments else [None, None]
    count = Tensor("int32", batch) if capacity else None
    return draw.node([Tensor(type, rows), *inputs, where, *past, *marks, count], [True, True, segments, True],
                     state_update_capacity=capacity, **attributes)


def streams_of(draw, type):  # noqa: A002: ONNX's word
    """The axes before the streams, the streams, their number, the size of each, and the number if they stand on one axis."""
    before = [draw.size("batch"), draw.size("tokens")][: draw.number(0, 2)]
    branches, flat = draw.number(1, 4), draw.chance()
    wide = draw.number(1, 4) if flat else draw.size("wide")
    dims = [branches * wide] if flat else [branches, wide]
    return before, Tensor(type, *before, *dims), branches, wide, branches if flat else None


@operator("HyperConnectionPreMix")
def hyper_connection_pre_mix(draw):
    before, streams, branches, wide, flat = streams_of(draw, draw.choice(*FLOATS, "bfloat16"))
    weights = [[branches], [branches, 1], [branches, wide]] + [[branches * wide]] * bool(flat)
    weight = Tensor(draw.choice(*FLOATS), *before, *draw.choice(*weights))
    return draw.node([streams, weight], num_branches=flat, reduction_scale=draw.optional(0.5))


@operator("HyperConnectionPreMix")
def hyper_connection_pre_mix_of_symbols(draw):
    rows, wide, branches = draw.size("rows"), draw.size("wide", multiple=4), draw.choice(1, 2, 4)
    return draw.node([Tensor("float", rows, wide), Tensor("float", rows, draw.choice(wide, branches))], num_branches=branches)


@operator("HyperConnectionPostMix")
def hyper_connection_post_mix(draw):
    type, mix = draw.choice(*FLOATS, "bfloat16"), draw.choice(*FLOATS)
    before, streams, branches, wide, flat = streams_of(draw, type)
    share = draw.choice([branches], [branches, 1], [branches, wide])
    return draw.node([streams, Tensor(type, *before, wide), Tensor(mix, *before, *share),
                      draw.optional(Tensor(mix, *before, branches, branches))], num_branches=flat)


@operator("BranchwiseRMSNorm")
def branchwise_rms_norm(draw):
    _, streams, branches, wide, flat = streams_of(draw, draw.choice(*FLOATS, "bfloat16"))
    scale = draw.choice(None, [wide], [branches, wide])
    return draw.node([streams, scale and Tensor(draw.choice(*FLOATS), *scale)], num_branches=flat)


@operator("GatedRMSNorm")
def gated_rms_norm(draw):
    type, before = draw.choice(*FLOATS, "bfloat16"), [draw.size("batch"), draw.size("tokens")][: draw.number(0, 2)]
    group, groups = draw.number(1, 4), draw.number(1, 3)
    X = Tensor(type, *before, group * groups)
    return draw.node([X, Tensor(type, group), X], activation=draw.choice(None, "silu", "swish", "sigmoid"))


@operator("GatedAdd")
def gated_add(draw):
    type, before = draw.choice(*FLOATS, "bfloat16"), [draw.size("batch"), draw.size("tokens")][: draw.number(0, 2)]
    X = Tensor(type, *before, draw.size("wide"))
    return draw.node([X, X, Tensor(type, *before, 1)])


@operator("GatedAdd")
def gated_add_of_features(draw):
    """What has no kernel for the CPU: bfloat16."""
    before, features = [draw.size("batch"), draw.size("tokens")][: draw.number(0, 2)], draw.size("features")
    X = Tensor("bfloat16", *before, draw.size("wide"))
    return draw.node([X, X, Tensor("bfloat16", *before, features), Tensor("bfloat16", features, 1)])


@operator("ScaledSiLU")
def scaled_silu(draw):
    dims = [draw.size("batch"), draw.size("tokens"), draw.size("wide")][draw.number(0, 3) :]
    type = draw.choice(*FLOATS, "bfloat16")
    X = Tensor(type, *dims) if dims else scalar(type, 0.5)
    return draw.node([X, draw.optional(scalar(draw.choice(*FLOATS), 0.5))], alpha=draw.optional(2.0))


def heads(draw, type, *before):  # noqa: A002: ONNX's word
    """The numbers of heads, the size of one, and queries, keys and values, in one tensor or in three."""
    few, more, wide = draw.number(1, 3), draw.number(1, 3), 8 * draw.number(1, 2)
    many = few * more
    if draw.chance():
        return many, few, wide, [Tensor(type, *before, (many + 2 * few) * wide), None, None]
    return many, few, wide, [Tensor(type, *before, of * wide) for of in (many, few, few)]


@operator("DynamicSparseAttention")
def dynamic_sparse_attention(draw):
    batch, steps, type = draw.size("batch"), draw.size("steps"), draw.choice(*FLOATS)
    many, few, wide, inputs = heads(draw, type, batch, steps)
    past = draw.optional(Tensor(type, batch, few, draw.size("room", low=7, high=9), wide))
    other = draw.optional(Tensor(type, batch, few, draw.size("others"), wide))
    attributes = {"attention_mode": "local_plus_selected", "selected_kv_source": "auxiliary", "local_window_size": 4} if other else {}
    queries = Size(batch * steps, "queries")
    picked = [Tensor("int32", queries, draw.size("picked")), Tensor("int32", queries), Tensor("int32", batch)]
    return draw.node([*inputs, past, past, other, other, *picked, scalar("int32", 7)], draw.choice(1, 3),
                     num_heads=many, kv_num_heads=few, **attributes)


@operator("DynamicSparseAttention")
def dynamic_sparse_attention_of_bytes(draw):
    """What has no kernel for the CPU: buffers of bytes."""
    batch, steps, room = draw.size("batch"), draw.size("steps"), draw.size("room", low=7, high=9)
    many, few, wide, inputs = heads(draw, "float16", batch, steps)
    past, scale = Tensor("int8", batch, few, room, wide), Tensor("float", few * wide)
    queries = Size(batch * steps, "queries")
    picked = [Tensor("int32", queries, draw.size("picked")), Tensor("int32", queries), Tensor("int32", batch)]
    committed = draw.optional(Tensor("int32", draw.choice(1, batch)))
    more = [*[None] * 6, committed, scale, scale]
    wider = 1 if inputs[1] and draw.chance() else None
    return draw.node([*inputs, past, past, None, None, *picked, scalar("int32", 7), *more], draw.choice(3, 4),
                     num_heads=many, kv_num_heads=few, output_bf16=wider)


@operator("SparsePagedAttention")
def sparse_paged_attention(draw):
    rows, batch = draw.size("rows"), draw.size("batch")
    many, few, wide, inputs = heads(draw, "bfloat16", rows)
    quantised = draw.chance()
    cache = Tensor("int8" if quantised else "bfloat16", draw.size("blocks"), 4, few, wide)
    places = [Tensor("int32", draw.size("starts")), Tensor("int32", batch), Tensor("int32", batch, draw.size("most")),
              draw.optional(Tensor("int32", rows)), Tensor("int32", rows, draw.size("picked")), Tensor("int32", rows)]
    kind = "PER_TENSOR" if quantised else None
    return draw.node([*inputs, cache, cache, *places], draw.choice(1, 3), num_heads=many, kv_num_heads=few,
                     k_quant_type=kind, v_quant_type=kind)


def indexer(draw, type, *before):  # noqa: A002: ONNX's word
    """Whether windows are picked, the number of heads, the size of one, the inputs up to the rotation, and the attributes."""
    windows, count, wide, joined = draw.chance(), draw.number(1, 3), 4 * draw.number(1, 2), draw.number(1, 4)
    features = 2 * wide if windows else wide
    inputs = [Tensor(type, *before, count * wide), Tensor(type, *before, features)]
    if not windows and draw.chance():
        inputs = [Tensor(type, *before, (count + 1) * wide), None]
    norms, rotation = [Tensor(type, wide)] * 2, [Tensor(type, 16, 2)] * 2
    picks = {"index_topk": draw.number(1, 5)} if windows else {"token_budget": joined * draw.number(1, 3)}
    return windows, count, wide, joined, [*inputs, *norms, *rotation], {
        "policy_mode": "csa" if windows else "qsa", "compress_ratio": joined, **picks}


@operator("SparseAttentionIndexer")
def sparse_attention_indexer(draw):
    batch, steps, type = draw.size("batch"), draw.size("steps"), draw.choice(*FLOATS, "bfloat16")
    windows, count, wide, joined, inputs, attributes = indexer(draw, type, batch, steps)
    before = draw.size("before", low=0)
    past, filled = Tensor(type, batch, before, wide), draw.optional(Tensor("int32", values=[1]))
    if not windows:
        mask = draw.optional(Tensor("int64", batch, Size(before + steps, "total")))
        return draw.node([*inputs, mask, past, None, None, None, None, filled], 2, **attributes)
    waiting = Tensor(type, 2, batch, draw.number(0, 2 * joined - 1), 2 * wide)
    return draw.node([*inputs, None, past, Tensor(type, batch, steps, 2 * wide), Tensor(type, joined, 2 * wide),
                      Tensor(type, batch, steps, count), Tensor("int64", batch, steps), filled, waiting], 3, **attributes)


@operator("PackedSparseAttentionIndexer")
def packed_sparse_attention_indexer(draw):
    rows, type = draw.size("rows", low=7, high=9), draw.choice(*FLOATS, "bfloat16")
    windows, count, wide, joined, inputs, attributes = indexer(draw, type, rows)
    capacity = draw.number(1, 9)
    batch, where = sequences(draw, rows)
    features, room = 2 * wide if windows else wide, 2 * joined - 1
    lengths = [where, Tensor("int32", batch)]
    state, buffer = Tensor(type, batch, capacity, wide), Tensor(type, batch, room, features)
    attributes["state_capacity"] = capacity
    if windows:
        gates = [Tensor(type, rows, 2 * wide), Tensor(type, joined, 2 * wide), Tensor(type, rows, count), Tensor("int64", rows)]
        return draw.node([*inputs, *lengths, *gates, state, buffer, buffer, Tensor("int32", batch, 2)], 6, **attributes)
    updates = draw.choice(None, 1, 8)
    count = Tensor("int32", batch) if updates else None
    given = [True, True, True, True, False, True, bool(updates)][: 7 if updates else 6]
    return draw.node([*inputs, *lengths, None, None, None, None, state, buffer, None, Tensor("int32", batch, 2), count], given,
                     state_update_capacity=updates, **attributes)


@operator("PackedSparseAttentionIndexer")
def packed_sparse_attention_indexer_of_given_lists(draw):
    rows, type = draw.size("rows", low=7, high=9), draw.choice(*FLOATS, "bfloat16")
    count, wide, joined, capacity = draw.number(1, 3), 4 * draw.number(1, 2), draw.number(1, 4), draw.number(1, 9)
    batch, where = sequences(draw, rows)
    width, windows, picks = 2 * wide, draw.number(1, 5), draw.number(0, 3)
    norms, rotation = [Tensor(type, wide)] * 2, [Tensor(type, 16, 2)] * 2
    gates = [Tensor(type, rows, width), Tensor(type, joined, width), Tensor(type, rows, count), Tensor("int64", rows)]
    state, buffer = Tensor(type, batch, capacity, wide), Tensor(type, batch, 2 * joined - 1, width)
    room, lists = windows + picks, draw.choice(0, batch)
    shared = [Tensor("int32", 1), Tensor("int32", lists, room), Tensor("int32", lists), Tensor("int32", lists)]
    inputs = [Tensor(type, rows, count * wide), Tensor(type, rows, width), *norms, *rotation, where, Tensor("int32", batch), *gates]
    return draw.node([*inputs, state, buffer, buffer, Tensor("int32", batch, 2), None, None, *shared],
                     [True] * 6 + [False, True, draw.chance()], policy_mode="csa", compress_ratio=joined, index_topk=windows,
                     state_capacity=capacity, max_output_entries=room,
                     indexshare_state_policy=draw.choice(None, "default", "hold", "advance"))


@operator("PackedSparseAttentionIndexerMerge")
def packed_sparse_attention_indexer_merge(draw):
    lists, queries, ranges = draw.size("lists"), draw.size("queries"), draw.chance()
    kept = [Tensor("int32", lists, draw.size("entries")), Tensor("int32", lists), Tensor("int32", queries)]
    row = Tensor("int32", queries)
    more = [row, row] if ranges else [None, None, Tensor("int32", queries, draw.size("more")), row]
    mode = "append_range" if ranges else "append_indices"
    return draw.node([*kept, *more], 3, policy_mode=mode, max_output_entries=draw.number(1, 99))


@operator("HyperConnectionLowRankMix")
def hyper_connection_low_rank_mix(draw):
    type, branches, wide, rank = draw.choice(*FLOATS, "bfloat16"), draw.number(1, 4), draw.number(1, 5), draw.size("rank")
    before, flat = [draw.size(name, high=4) for name in "xyz"[: draw.number(0, 3)]], branches * wide
    weights = [Tensor(type, *dims) for dims in ((flat,), (flat, rank), (rank, flat), (flat, branches))]
    last = [Tensor(type, *before, wide), Tensor(type, *before, branches)] if draw.chance() else []
    return draw.node([Tensor(type, *before, flat), *weights, *last], draw.number(2, 3), num_branches=branches)


@operator("ConvStateReplay")
def conv_state_replay(draw):
    type = draw.choice("float", "float16")
    buffers = [Tensor(type, draw.size(name)) for name in ("source", "kept", "room")]
    return draw.node([*buffers, Tensor("int64", 8)])


@operator("GatedDeltaNetStateReplay")
def gated_delta_net_state_replay(draw):
    buffers = [Tensor("float", draw.size(name)) for name in ("source", "kept", "room")]
    return draw.node([*buffers, Tensor("int64", 11)])


@operator("Mamba2Verify")
def mamba2_verify(draw):
    groups, rows, slots = draw.number(1, 2), draw.size("rows"), draw.size("slots")
    heads = groups * draw.number(1, 2)
    features = 64 * heads
    channels = features + 256 * groups
    projection = Tensor("bfloat16", rows, features + channels + heads)
    states = [Tensor("bfloat16", slots, channels, 3), Tensor("float", slots, heads, 128, 64)]
    weight = Tensor("bfloat16", *draw.choice((channels, 4), (channels, 1, 4)))
    of_heads = [Tensor("float", heads)] * 3
    inputs = [projection, *states, weight, Tensor("bfloat16", channels), *of_heads, Tensor("float", features), Tensor("int32", 1)]
    return draw.node(inputs, draw.number(3, 5), heads=heads, n_groups=groups)
