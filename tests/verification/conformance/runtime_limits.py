"""Why onnxruntime refuses generated models that are valid, where no relation of `limits.yaml` can say it: what it tells, and why.

A row is about some operators, or all, and a part of the message. It is as narrow as what it explains: a message that could
also come of a fault of the generator is no part of it.
"""

# Refused by onnxruntime alone, which takes less than the pages allow; what no fact of the generator says, such as how long a
# sequence is; and what the Python package, not the runtime, lacks.
RUNTIME, DATA, PACKAGE = "runtime", "data", "package"

# Operators (empty: all), a part of the message, whose limit that is, and the reason.
LIMITS = [
    (set(), "The element type in the input tensor is UNDEFINED", PACKAGE, "an optional without a value cannot be fed"),
    (set(), "The element type in the input sequence is not supported", PACKAGE, "a sequence of this type cannot be fed"),
    (set(), "Items size in the incoming array", PACKAGE, "an array of strings is taken for one of another type"),
    (set(), "Only OrtValues that are Tensors are convertible to Numpy", PACKAGE, "a sequence of this type cannot be fetched"),
    ({"Squeeze"}, "axes_tensor != nullptr was false. Axes input is null", RUNTIME, 'a last input that is "" counts as given'),
    ({"Split"}, "input should not be provided", RUNTIME, 'a last input that is "" counts as given'),
    ({"MaxUnpool"}, "input count mismatch", RUNTIME, 'a last input that is "" counts as given'),
    ({"Resize"}, "Number of elements of input 'sizes' (0)", RUNTIME, "a size that is a symbol counts as 0"),
    ({"Resize", "Upsample"}, "Either scales or sizes MUST be provided", RUNTIME, "no scales, as a scalar has, count as absent"),
    ({"Attention"}, "cannot be reshaped to the requested shape", RUNTIME, "heads of attributes beside those of axes"),
    ({"Attention"}, "of Optype (Add) bound to different types", RUNTIME, "nodes that stand for Attention add a float to a double"),
    ({"QMoE"}, "must produce byte-aligned weights", DATA, "sizes of experts that a number of bits makes bytes of"),
    ({"QMoE"}, "requires FC1 and FC2 expert weight bits to match", DATA, "bits that follow from dimensions"),
    ({"LinearAttentionGate"}, "when the beta output is requested", RUNTIME, 'a last output that is "" counts as asked for'),
    ({"Clip"}, "of operator (Where) in node () is invalid", RUNTIME, "nodes that stand for Clip have a Where without bfloat16"),
    (set(), "an optional type OrtValue which contains no data", DATA, "whether an optional has a value"),
    ({"MaxUnpool"}, "output_shape batch and channel dimensions must match", DATA, "elements of an input against dimensions"),
    ({"TfIdfVectorizer"}, "Duplicate ngram detected", DATA, "parts of the pool against each other"),
    ({"ConvTransposeWithDynamicPads"}, "must be less than max(stride, dilation)", DATA, "the entries of three lists in pairs"),
    ({"Conv", "ReorderOutput"}, "blocked layout", RUNTIME, "blocks of channels that are those of the machine"),
    ({"Conv"}, "input and output channels must be greater than", RUNTIME, "blocks of channels that are those of the machine"),
    ({"ReorderOutput"}, "NCHWc block-aligned channel count", RUNTIME, "blocks of channels that are those of the machine"),
    (set(), "Invalid sequence index", DATA, "a position against the length of a sequence, which is no fact"),
    ({"ConcatFromSequence"}, "Non concat axis dimensions must match", DATA, "tensors of one sequence have dimensions of their own"),
    ({"MelWeightMatrix"}, "produces a mel triangle filter bank that is out of range", DATA, "an edge against the last bin"),
    ({"MaxRoiPool"}, "roi_batch_id", DATA, "the first number of a region against the batch"),
    ({"Col2Im"}, "does not match the number of sliding blocks", DATA, "the number of blocks against the image"),
    ({"Col2Im"}, "Padded image extent is smaller than the dilated kernel", DATA, "the blocks against the image"),
    ({"TfIdfVectorizer"}, "Number of items must compose whole", DATA, "the pool against `ngram_counts`"),
    ({"Cast", "CastLike"}, "Status Message: sto", DATA, "a text that is no number, of which the page says that it is undefined"),
    ({"Clip"}, "min should be less than or equal to max", DATA, "two floats against each other"),
    ({"Clip"}, "min_ <= max_ was false", DATA, "two floats against each other"),
    ({"TreeEnsembleClassifier", "TreeEnsembleRegressor"}, "must have the same size", DATA, "lists that make a tree together"),
    ({"TreeEnsembleClassifier", "TreeEnsembleRegressor"}, "must be empty or match", DATA, "lists that make a tree together"),
    ({"TreeEnsembleClassifier", "TreeEnsembleRegressor"}, "must match target_class_nodeids", DATA, "lists that make a tree together"),
    ({"TreeEnsembleClassifier", "TreeEnsembleRegressor"}, "could not unpack tensor attribute", DATA, "tensors that make a tree together"),
    ({"TreeEnsembleClassifier"}, "n_targets_or_classes must be positive", DATA, "labels and classes of leaves"),
    ({"TreeEnsemble"}, "could not unpack tensor attribute", DATA, "tensors that make a tree together"),
    ({"SVMClassifier"}, "expected feature_count", DATA, "the support vectors against the sum of their numbers"),
    ({"SVMClassifier"}, "for the given class_count and vector_count", DATA, "coefficients against the sum of numbers of vectors"),
    ({"FeatureVectorizer"}, "does not match number of inputdimensions", DATA, "a list against the number of inputs"),
    ({"QLinearConcat"}, "Input scale is not float", DATA, "which inputs are scales is no matter of types"),
    ({"QLinearConcat"}, "must be (tensor, scale, zero_point) tuple", DATA, "how many inputs there are is a multiple of three"),
    ({"QLinearGlobalAveragePool", "QLinearAveragePool"}, "parameter out of computation range", DATA, "the quotient of two scales"),
    ({"VarlenNGramHashMapping"}, "cumulative_sequence_length", DATA, "a list that grows from 0 to the number of tokens"),
    ({"SparseAttention"}, "block_row_indices", DATA, "a list that grows from 0 to the number of blocks"),
    ({"SparseAttention"}, "monotonically non-decreasing", DATA, "a list that grows from 0 to the number of blocks"),
    ({"SparseAttention"}, "block_col_indices", DATA, "a list of blocks that grows in each row"),
    ({"EmbedLayerNormalization", "QEmbedLayerNormalization"}, "dimension size", RUNTIME, "a size that is a symbol counts as wrong"),
    ({"EmbedLayerNormalization", "QEmbedLayerNormalization"}, "must have a non null shape", RUNTIME, "an unknown rank counts as wrong"),
    ({"MatMulNBits"}, "bias shape must be", RUNTIME, "a size that is a symbol counts as wrong"),
    ({"MatMulFpQ4"}, "not yet supported on this hardware platform", RUNTIME, "a kernel that this machine has no instructions for"),
    ({"FusedConv"}, "output and sum shape must match", DATA, "what is added against the size that follows from the window"),
]


def explained(operator, message):
    """Whose limit a refusal shows, with the reason: a list of one text, or none for what nothing explains.

    `operator` is that of a single node; the message of a graph must name it.
    """
    for operators, part, whose, reason in LIMITS:
        meant = operators if operator is None else operators & {operator}
        if part in message and (not operators or any(each == operator or each in message for each in meant)):
            return [f"{whose}: {reason}"]
    return []
