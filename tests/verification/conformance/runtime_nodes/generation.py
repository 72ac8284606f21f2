"""Operators that continue texts, take texts and tokens apart, and some that stand alone."""

import numpy
from onnx import TensorProto, helper, numpy_helper

from .drawing import Tensor, operator

FLOAT, INT32 = TensorProto.FLOAT, TensorProto.INT32
KEY_VALUE = ("key", "value")


def number(type, value, constant=True):
    return Tensor(type, 1, values=[value], constant=constant)


class Graph:
    """A decoder or encoder for the attribute of a node. Its state are copies of its tokens."""

    def __init__(self, vocabulary, heads, size):
        self.vocabulary, self.heads, self.size = vocabulary, heads, size
        self.nodes, self.inputs, self.outputs = [], [], []
        table = numpy.random.default_rng(vocabulary).random((vocabulary, vocabulary), numpy.float32)
        constants = {"table": table, "axes": numpy.array([1, 3]), "kept": numpy.array([1, heads, 1, size])}
        constants |= {"pair": numpy.array([0, 2, 4]), "both": numpy.array([2, 1, heads, 1, size]), "one": numpy.array([1])}
        self.constants = [numpy_helper.from_array(array, name) for name, array in constants.items()]

    def takes(self, elem, *dims, name):
        self.inputs.append(helper.make_tensor_value_info(name, elem, dims))

    def gives(self, *dims, name):
        self.outputs.append(helper.make_tensor_value_info(name, FLOAT, dims))

    def does(self, op_type, inputs, output, **attributes):
        self.nodes.append(helper.make_node(op_type, inputs, [output], **attributes))

    def logits(self, tokens, steps):
        self.does("Gather", ["table", tokens], "logits")
        self.gives("B", steps, self.vocabulary, name="logits")

    def spread(self, tokens, output, axes="axes", to="kept"):
        """One number for each step as the state of all heads."""
        self.does("Cast", [tokens], f"{output}_numbers", to=FLOAT)
        self.does("Unsqueeze", [f"{output}_numbers", axes], f"{output}_column")
        self.does("Expand", [f"{output}_column", to], output)

    def appended(self, tokens, layers):
        """The inputs and outputs of the states that grow with each step."""
        self.spread(tokens, "now")
        for past in [f"{kind}_self_{layer}" for layer in range(layers) for kind in KEY_VALUE]:
            self.takes(FLOAT, "B", self.heads, "P", self.size, name=f"past_{past}")
            self.does("Concat", [f"past_{past}", "now"], f"present_{past}", axis=2)
            self.gives("B", self.heads, "T", self.size, name=f"present_{past}")

    def kept(self, layers):
        """The inputs of the states that stay as they are."""
        for past in [f"{kind}_cross_{layer}" for layer in range(layers) for kind in KEY_VALUE]:
            self.takes(FLOAT, "B", self.heads, "E", self.size, name=f"past_{past}")

    def copies(self, value, steps, kind, layers):
        for name in [f"present_{each}_{kind}_{layer}" for layer in range(layers) for each in KEY_VALUE]:
            self.does("Identity", [value], name)
            self.gives("B", self.heads, steps, self.size, name=name)

    def proto(self):
        return helper.make_graph(self.nodes, "graph", self.inputs, self.outputs, self.constants)


def decoder(graph, layers):
    """A decoder by itself, as of GPT-2."""
    for name, steps in [("input_ids", "S"), ("position_ids", "S"), ("attention_mask", "T")]:
        graph.takes(INT32, "B", steps, name=name)
    graph.logits("input_ids", "S")
    graph.spread("input_ids", "now", "pair", "both")
    for layer in range(layers):
        graph.takes(FLOAT, 2, "B", graph.heads, "P", graph.size, name=f"past_{layer}")
        graph.does("Concat", [f"past_{layer}", "now"], f"present_{layer}", axis=3)
        graph.gives(2, "B", graph.heads, "T", graph.size, name=f"present_{layer}")
    return graph.proto()


def decoder_behind(graph, layers, mask):
    """A decoder behind an encoder, which wants the mask of a text."""
    graph.takes(INT32, "B", 1, name="input_ids")
    if mask:
        graph.takes(INT32, "B", "E", name="encoder_attention_mask")
    graph.logits("input_ids", 1)
    graph.appended("input_ids", layers)
    graph.kept(layers)
    return graph.proto()


def text_encoder(graph, layers):
    for name in ("encoder_input_ids", "encoder_attention_mask"):
        graph.takes(INT32, "B", "E", name=name)
    graph.spread("encoder_input_ids", "then")
    graph.copies("then", "E", "cross", layers)
    return graph.proto()


def sound_encoder(graph, layers):
    graph.takes(FLOAT, "B", "C", "E", name="encoder_input_ids")
    graph.takes(INT32, "B", "S", name="decoder_input_ids")
    graph.logits("decoder_input_ids", "S")
    graph.does("Transpose", ["encoder_input_ids"], "encoder_hidden_states", perm=[0, 2, 1])
    graph.gives("B", "E", "C", name="encoder_hidden_states")
    graph.spread("decoder_input_ids", "now")
    graph.copies("now", "S", "self", layers)
    graph.does("ReduceSum", ["encoder_input_ids", "one"], "frames", keepdims=0)
    graph.spread("frames", "then")
    graph.copies("then", "E", "cross", layers)
    return graph.proto()


class Search:
    """What all searches are given."""

    def __init__(self, draw):
        self.draw, self.batch, self.vocabulary = draw, draw.size("batch", 1, 4), draw.number(5, 9)
        self.heads, self.size, self.layers = draw.number(1, 3), draw.number(1, 4), draw.number(1, 2)
        self.steps = draw.size("steps", 1, 5)
        self.ids = Tensor("int32", self.batch, self.steps, low=2, high=self.vocabulary)
        self.longest = number("int32", draw.number(6, 9), draw.chance(0.7))
        self.masks = [
            draw.optional(Tensor("int32", self.vocabulary, values=1)),
            draw.optional(Tensor("int32", self.batch, self.vocabulary, values=1)),
            draw.optional(Tensor("int32", self.batch, self.steps, values=1)),
        ]
        self.attributes = {
            "eos_token_id": draw.choice(0, 3),
            "pad_token_id": 1,
            "vocab_size": draw.choice(None, self.vocabulary, self.vocabulary - 1 if self.masks[:2] == [None, None] else 0),
            "no_repeat_ngram_size": draw.choice(None, 2),
        }

    def graph(self, make, *more):
        return make(Graph(self.vocabulary, self.heads, self.size), self.layers, *more)

    def prompts(self):
        """The inputs of a search without beams."""
        least, penalty = self.draw.optional(number("int32", 2)), self.draw.optional(number("float", 1.2))
        return [self.ids, self.longest, least, penalty, *self.masks]

    def beams(self):
        """The five inputs behind the first of a beam search, and the repetition penalty."""
        draw, beams = self.draw, self.draw.number(1, 3)
        returned = number("int32", draw.number(1, beams), draw.chance(0.7))
        kept = number("int32", beams, draw.chance(0.7))
        penalty = draw.optional(number("float", 1.2))
        return [self.longest, number("int32", 2), kept, returned, number("float", 1.0), penalty]

    def some(self, inputs):
        """The inputs up to the last one that is given."""
        while inputs[-1] is None:
            inputs.pop()
        return inputs


@operator("GreedySearch")
def greedy_search(draw):
    search = Search(draw)
    inputs = search.prompts()
    return draw.node(search.some(inputs), decoder=search.graph(decoder), **search.attributes)


@operator("Sampling")
def sampling(draw):
    # On the CPU, the second output gets no value.
    search = Search(draw)
    inputs = search.prompts()
    presence = Tensor("int32", search.batch, search.vocabulary)
    attributes = search.attributes
    if draw.chance():
        attributes |= {"custom": 1, "presence_penalty": 0.5}
        if attributes["vocab_size"] not in (None, 0, search.vocabulary):
            attributes["vocab_size"] = None
        inputs += [presence, draw.optional(number("int32", 7))]
    attributes |= {"top_p": draw.choice(None, 0.5, 0.9), "temperature": draw.choice(None, 0.7)}
    return draw.node(search.some(inputs), decoder=search.graph(decoder), **attributes)


def beam_outputs(draw):
    return draw.choice([True], [True, True], [True, True, True], [True, False, True])


@operator("BeamSearch")
def beam_search(draw):
    search, kind = Search(draw), draw.choice(0, 0, 1)
    inputs = [search.ids, *search.beams(), *search.masks]
    attributes = {"early_stopping": draw.choice(None, 1), "model_type": kind or None, **search.attributes}
    if kind == 0:
        return draw.node(search.some(inputs), beam_outputs(draw), decoder=search.graph(decoder), **attributes)
    graphs = {"encoder": search.graph(text_encoder), "decoder": search.graph(decoder_behind, True)}
    return draw.node(search.some(inputs), beam_outputs(draw), decoder_start_token_id=2, **graphs, **attributes)


def sounds(draw, search):
    """The inputs, graphs and start of a search by recordings."""
    recordings = Tensor("float", search.batch, draw.number(1, 4), draw.size("frames"))
    mask = draw.optional(Tensor("int32", *recordings.dims, values=1))
    begins = Tensor("int32", search.batch, draw.size("begins", 1, 4), low=2, high=search.vocabulary)
    inputs = [recordings, *search.beams(), *search.masks[:2], mask, draw.optional(begins)]
    start = None if inputs[-1] and draw.chance() else 2
    graphs = {"encoder": search.graph(sound_encoder), "decoder": search.graph(decoder_behind, False)}
    return inputs, {"decoder_start_token_id": start, **graphs}


@operator("BeamSearch")
def beam_search_of_recordings(draw):
    search = Search(draw)
    inputs, attributes = sounds(draw, search)
    return draw.node(search.some(inputs), beam_outputs(draw), model_type=2, **attributes, **search.attributes)


@operator("WhisperBeamSearch")
def whisper_beam_search(draw):
    # The output with the products of queries and keys is for GPUs only.
    search = Search(draw)
    inputs, attributes = sounds(draw, search)
    outputs = beam_outputs(draw)
    if draw.chance():
        outputs = [*outputs, *[False] * (4 - len(outputs)), True]
        attributes["no_speech_token_id"] = 2
    inputs += [None, None, None, draw.optional(number("float", 0.7))]
    return draw.node(search.some(inputs), outputs, **attributes, **search.attributes)


@operator("NGramRepeatBlock")
def ngram_repeat_block(draw):
    batch, vocabulary = draw.size("batch"), draw.size("vocabulary", 3, 9)
    tokens = Tensor("int64", batch, draw.size("steps"), low=0, high=3)
    return draw.node([tokens, Tensor("float", batch, vocabulary)], ngram_size=draw.number(1, 4))


@operator("BifurcationDetector")
def bifurcation_detector(draw):
    source, current = draw.size("source", 3, 9), draw.size("current")
    place = draw.number(0, 3)
    before = Tensor("int64", *draw.choice([1], []), values=place, constant=draw.chance())
    inputs = [Tensor("int64", source), Tensor("int64", current), before]
    if draw.chance():
        inputs.append(Tensor("int64", source + 1 - place))
    return draw.node(inputs, 2, min_ngram_size=draw.choice(None, 2), max_ngram_size=draw.choice(None, 4))


@operator("Tokenizer")
def tokenizer(draw):
    # Strings are constants, since there is no OrtValue of them in Python; so their dimensions are numbers.
    dims = draw.choice([draw.number(0, 4)], [draw.number(0, 3), draw.number(0, 4)], [draw.number(1, 3), draw.number(1, 4)])
    text = draw.choice("one two three", "word", "  ", "ab,cd e")
    attributes = draw.choice({"separators": [" "]}, {"separators": [""]}, {"tokenexp": "[a-z]+"}, {"tokenexp": "."})
    if draw.chance(0.2):
        attributes = {"separators": [",", " "], "tokenexp": "[a-z]"}
    shortest = 1 if attributes.get("separators") == [""] or attributes.get("tokenexp") == "." else draw.number(1, 3)
    strings = Tensor("string", *dims, values=text, constant=True)
    return draw.node([strings], mark=draw.number(0, 1), mincharnum=shortest, pad_value="#", **attributes)


@operator("MurmurHash3")
def murmur_hash3(draw):
    type = draw.choice("int32", "uint32", "int64", "uint64", "float", "double", "string")
    if type == "string":
        hashed = Tensor(type, *draw.choice([3], [2, 3]), values="text", constant=True)
    else:
        hashed = Tensor(type, *draw.choice([], [draw.size("rows")], [draw.size("rows"), 3]), values=7)
    return draw.node([hashed], positive=draw.choice(None, 0, 1), seed=draw.choice(None, 5))


@operator("TorchEmbedding")
def torch_embedding(draw):
    type = draw.choice("float", "float16", "double", "int32")
    dims = draw.choice([], [draw.size("steps")], [draw.size("batch"), draw.size("steps")])
    inputs = [Tensor(type, draw.size("count"), draw.size("features")), Tensor("int64", *dims, low=0, high=1)]
    if draw.chance():
        inputs += [Tensor("int64", values=0), draw.optional(Tensor("bool", values=1))]
    return draw.node(inputs if inputs[-1] else inputs[:-1])


@operator("WordConvEmbedding")
def word_conv_embedding(draw):
    words, filters, vector = draw.size("words"), draw.size("filters"), draw.size("vector")
    window, characters = draw.number(1, 4), draw.size("characters", 4, 9)
    inputs = [Tensor("int32", words, characters, low=0, high=3), Tensor("float", filters, 1, window, vector)]
    inputs += [Tensor("float", filters), Tensor("float", draw.size("known", 3, 9), vector)]
    return draw.node(inputs, conv_window_size=draw.choice(None, -1, window))


@operator("AttnLSTM")
def attn_lstm(draw):
    steps, batch, features, depth = (draw.size(name) for name in ("steps", "batch", "features", "depth"))
    align, hidden, attention = draw.size("align"), draw.number(1, 5), draw.optional(draw.number(1, 4))
    direction = draw.choice(None, "forward", "reverse", "bidirectional")
    ways = 2 if direction == "bidirectional" else 1
    tensors = [
        Tensor("float", steps, batch, features),
        Tensor("float", ways, 4 * hidden, features + (attention or depth)),
        Tensor("float", ways, 4 * hidden, hidden),
        draw.optional(Tensor("float", ways, 8 * hidden)),
        draw.optional(Tensor("int32", batch, values=1)),
        draw.optional(Tensor("float", ways, batch, hidden)),
        draw.optional(Tensor("float", ways, batch, hidden)),
        draw.optional(Tensor("float", ways, 3 * hidden)),
        Tensor("float", ways, hidden, align),
        Tensor("float", ways, depth, align),
        Tensor("float", ways, align),
        Tensor("float", batch, draw.size("memory"), depth),
        draw.optional(Tensor("int32", batch, values=1)),
        Tensor("float", ways, depth + hidden, attention) if attention else None,
    ]
    while tensors[-1] is None:
        tensors.pop()
    outputs = draw.choice([True], [True, True, True], [False, True], [False, False, True])
    clip, forget = draw.choice(None, 3.0), draw.choice(None, 1)
    return draw.node(tensors, outputs, hidden_size=hidden, direction=direction, clip=clip, input_forget=forget)


@operator("DynamicTimeWarping")
def dynamic_time_warping(draw):
    return draw.node([Tensor("float", *draw.choice([], [1]), draw.size("rows"), draw.size("columns"))])


@operator("UnfoldTensor")
def unfold_tensor(draw):
    rank = draw.number(1, 4)
    axis, size = draw.number(-rank, rank - 1), draw.number(1, 4)
    dims = [draw.size(f"size{each}", 4, 9) for each in range(rank)]
    type = draw.choice("float", "double", "int32", "int64")
    return draw.node([Tensor(type, *dims)], dim=None if axis == -1 else axis, size=size, step=draw.choice(None, 1, 2, 3))


@operator("IsAllFinite")
def is_all_finite(draw):
    type = draw.choice("float", "float16", "double")
    tensors = [Tensor(type, *[draw.size(f"size{each}{axis}") for axis in range(each)]) for each in range(draw.number(1, 4))]
    return draw.node(tensors, **draw.choice({}, {"isinf_only": 1}, {"isnan_only": 1}))


@operator("SampleOp")
def sample_op(draw):
    return draw.node([Tensor("float", *draw.choice([], [draw.size("rows"), 3], [draw.size("rows")]), values=0.5)])


@operator("Snpe")
def snpe(draw):
    type = draw.choice("float", "uint8", "uint16")
    inputs = [Tensor(type, draw.size("batch"), 4) for _ in range(draw.number(1, 2))]
    return draw.node(inputs, draw.number(1, 2), DLC="network")


@operator("SpeculativePrefixCommit")
def speculative_prefix_commit(draw):
    rows, wide, one = draw.choice(None, 3, 8), draw.number(0, 2), draw.chance(0.3)
    places = rows or 8
    batch = [] if one else [draw.size("batch")]
    tokens = [Tensor("int64", *batch, places), Tensor("int64", *batch, places + wide), Tensor("int32", draw.size("words"))]
    state = [Tensor("int64", *batch, 16), Tensor("int64", *batch, 2), Tensor("int64", *batch, 2 * places)]
    return draw.node([*tokens, *state, Tensor("int64", 2)], 3, head_rows=rows)
