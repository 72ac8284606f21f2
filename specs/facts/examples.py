"""Writes node cases of the installed onnx package into the descriptors, as examples.

    python3 specs/facts/examples.py            writes what is not there yet, and anew what the package says otherwise
    python3 specs/facts/examples.py --check    writes nothing, and fails where it would

An example that is called as a case stays at its place and says what the package says; the other chosen cases come
behind all examples that stand there, by name. Nothing else in a file is touched. Versions that no case of this release
reaches have cases of earlier ones, see `EARLIER`: they are read where the wheels of those releases are given as
arguments, and otherwise have to stand there, and are not compared.

Of the inputs only those elements are listed that a rule reads, and of the outputs those that a rule gives. Whether the
descriptors agree, `shape specs lint` tells.
"""

import argparse
import json
import math
import re
import sys
import warnings
import zipfile
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

import numpy
import onnx
from dump import shortest
from onnx import defs, helper, numpy_helper
from onnx.backend.test.case.node import collect_testcases

SPECS = Path(__file__).resolve().parent.parent

# The sources of the examples, and what they are called.
TITLE = "node test cases of the onnx package "
SOURCES = {
    "backend": f"{TITLE}{onnx.__version__}",
    "earlier": "node test cases of earlier releases of the onnx package",
}

# How many cases of an operator are chosen, where it has as many that differ; how many elements an example lists of a
# tensor, and how wide a line is.
MOST, LEAST, ELEMENTS, WIDTH = 10, 3, 24, 120


# --- Cases ------------------------------------------------------------------------------------------------------------


class Case:
    """A node, and the values that it is given and gives: None for what it leaves out."""

    def __init__(self, source, name, model, inputs, outputs):
        [node] = model.graph.node
        [opset] = [opset.version for opset in model.opset_import if opset.domain == node.domain]
        declared = [*model.graph.input, *model.graph.output]
        values = {info.name: Value(info.type, data) for info, data in zip(declared, [*inputs, *outputs], strict=True)}
        self.source = source
        self.name = name
        self.domain = node.domain or "ai.onnx"
        self.operator = node.op_type
        self.schema = defs.get_schema(node.op_type, opset, node.domain)
        self.inputs = [values[name] if name else None for name in node.input]
        self.outputs = [values[name] if name else None for name in node.output]
        self.attributes = {attribute.name: attribute for attribute in node.attribute}

    def value(self, attribute):
        """What the node says of an attribute, or None."""
        found = self.attributes.get(attribute)
        return found and plain(helper.get_attribute_value(found))

    def input_names(self):
        """The names that the schema has for the inputs."""
        last = len(self.schema.inputs) - 1
        return [self.schema.inputs[min(index, last)].name for index in range(len(self.inputs))]


def of_this_release():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases("")
    cases = [case for case in cases if "_expanded" not in case.name and case.name not in LEFT_OUT]
    return [Case("backend", case.name, case.model, *case.data_sets[0]) for case in cases]


def of_wheel(path, name):
    """A case of an earlier release, which has them as files."""
    with zipfile.ZipFile(path) as wheel:
        folders = [f"onnx/backend/test/data/node/{folder}" for folder in (name, re.sub(r"_opset\d+$", "", name))]
        folder = next(folder for folder in folders if f"{folder}/model.onnx" in wheel.namelist())
        model = onnx.load_from_string(wheel.read(f"{folder}/model.onnx"))

        def data(side, infos):
            files = [f"{folder}/test_data_set_0/{side}_{index}.pb" for index in range(len(infos))]
            return [onnx.TensorProto.FromString(wheel.read(file)) for file in files]

        return Case("earlier", name, model, data("input", model.graph.input), data("output", model.graph.output))


# --- Values -----------------------------------------------------------------------------------------------------------

# The types of elements that rules follow.
FOLLOWED = "bool float double int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()


class Value:
    """A type, and the data: an array, a list of what a sequence has, or None."""

    def __init__(self, type, data):
        self.type = type_text(type)
        self.declared = declared_dims(type)
        self.data = numpy_helper.to_array(data) if isinstance(data, onnx.TensorProto) else data

    def dims(self):
        """The dimensions: those of the data, and in a sequence the symbols that the case declares."""
        has_symbols = any(isinstance(dim, str) and dim != "?" for dim in self.declared)
        return list(self.declared) if has_symbols else shared_dims(self.data)

    def numbers(self):
        """The elements, where there are few and rules follow them, or None."""
        if self.data is None or bare(self.type) not in FOLLOWED or numpy.size(self.data) > ELEMENTS:
            return None
        return elements(numpy.asarray(self.data))

    def exact_numbers(self):
        """The same, where each of them is a short number and exact."""
        numbers = self.numbers()
        is_exact = numbers is not None and all(
            not isinstance(number, float) or (abs(number) < 10**6 and (number * 64).is_integer()) for number in numbers
        )
        return numbers if is_exact else None


def type_text(type):
    """`tensor(float)`"""
    kind = type.WhichOneof("value")
    if kind == "tensor_type":
        return f"tensor({element_text(type.tensor_type.elem_type)})"
    around = {"sequence_type": "seq", "optional_type": "optional"}[kind]
    return f"{around}({type_text(getattr(type, kind).elem_type)})"


def element_text(number):
    return onnx.TensorProto.DataType.Name(number).lower()


def bare(text):
    """A type as a descriptor writes it: `float` for `tensor(float)`."""
    inner = re.fullmatch(r"tensor\((\w+)\)", text)
    return inner[1] if inner else text


def declared_dims(type):
    """The dimensions in a type: sizes, symbols and `?`, or `?` where there are none."""
    while not type.HasField("tensor_type"):
        type = getattr(type, type.WhichOneof("value")).elem_type
    if not type.tensor_type.HasField("shape"):
        return "?"
    sizes = type.tensor_type.shape.dim
    return [dim.dim_value if dim.HasField("dim_value") else dim.dim_param or "?" for dim in sizes]


def shared_dims(data):
    """The dimensions of a tensor, or those that the tensors of a sequence share."""
    if data is None:
        return None
    if not isinstance(data, list):
        return list(numpy.shape(data))
    each = [shared_dims(one) for one in data]
    if len({len(one) for one in each}) != 1:
        return "?"
    return [sizes[0] if len(set(sizes)) == 1 else "?" for sizes in zip(*each)]


def elements(array):
    """The elements of an array, row by row, as they are written."""
    found = array.reshape(-1).tolist()
    if array.dtype == numpy.float32:
        return [shortest(element) for element in found]
    return [element.decode() if isinstance(element, bytes) else element for element in found]


# --- What the rules read and give -------------------------------------------------------------------------------------

REDUCTIONS = [f"Reduce{name}" for name in "L1 L2 LogSum LogSumExp Max Mean Min Prod Sum SumSquare".split()]

# The inputs whose elements decide dimensions.
READ = dict.fromkeys(REDUCTIONS, ["axes"]) | {
    "AffineGrid": ["size"],
    "BlackmanWindow": ["size"],
    "CenterCropPad": ["shape"],
    "Col2Im": ["image_shape", "block_shape"],
    "ConstantOfShape": ["input"],
    "DFT": ["dft_length", "axis"],
    "Expand": ["shape"],
    "HammingWindow": ["size"],
    "HannWindow": ["size"],
    "If": ["cond"],
    "MaxUnpool": ["output_shape"],
    "MelWeightMatrix": ["num_mel_bins", "dft_length"],
    "OneHot": ["depth"],
    "Pad": ["pads", "axes"],
    "Range": ["start", "limit", "delta"],
    "Reshape": ["shape"],
    "Resize": ["scales", "sizes"],
    "STFT": ["frame_step", "frame_length"],
    "Slice": ["starts", "ends", "axes", "steps"],
    "Split": ["split"],
    "SplitToSequence": ["split"],
    "Squeeze": ["axes"],
    "Tile": ["repeats", "tiles", "axis"],
    "TopK": ["K"],
    "Unsqueeze": ["axes"],
    "Upsample": ["scales"],
}


def always(case):
    return True


def gives_integers(case):
    return "int" in case.outputs[0].type


def gives_no_bools(case):
    return case.outputs[0].type != "tensor(bool)"


# The operators whose outputs have elements where all their inputs have some: always, or when.
COMPUTED = dict.fromkeys(
    """
    Abs Add And Cast CastLike Ceil Concat Div Equal Expand Flatten Floor Gather Greater GreaterOrEqual Identity If Less
    LessOrEqual Max Min Mod Mul Neg Not Or ReduceProd ReduceSum Reshape Round Slice Split Sqrt Squeeze Sub Tile
    Transpose Unsqueeze Where Xor
    """.split(),
    always,
)
COMPUTED |= dict.fromkeys(["Pow", "Range"], gives_integers)
COMPUTED |= dict.fromkeys(["ReduceMax", "ReduceMin"], gives_no_bools)
# Of weights, the rule gives a few alone.
COMPUTED["ConstantOfShape"] = lambda case: gives_integers(case) or case.outputs[0].data.size <= 16

# The operators whose outputs have elements whatever is known of the inputs'.
ALWAYS_COMPUTED = ["Shape", "Size"]


def open_in_loop(case, output):
    """Of what is carried along, what a sequence grows to; of what is put side by side, how often."""
    if output >= len(case.inputs) - 2:
        return [0]
    return None if case.outputs[output].declared == "?" else []


# Whether dimensions depend on elements that no rule reads: the axes of an output, or None for all of it.
OPEN = {
    "Compress": lambda case, output: [case.value("axis") or 0],
    "ImageDecoder": lambda case, output: [0, 1],
    "Loop": open_in_loop,
    "NonMaxSuppression": lambda case, output: [0],
    "NonZero": lambda case, output: [1],
    "Range": lambda case, output: [] if bare(case.outputs[0].type) in FOLLOWED else [0],
    "StringNormalizer": lambda case, output: [-1],
    "StringSplit": lambda case, output: [-1] if output == 0 else [],
    "Unique": lambda case, output: [[case.value("axis") or 0], [0], [], [0]][output],
}

# The cases that stand nowhere, and why.
LEFT_OUT = {
    "test_constant": "Its elements are random numbers, and there is nothing else to it.",
    "test_constantofshape_int_zeros": "It gives 60 elements.",
    "test_loop16_seq_none": "Its body declares a sequence of scalars, and gives one of scalars and 1-D tensors.",
    "test_sequence_map_identity_1_sequence": "Its body calls one size N where it is given and M where it is returned.",
}


# --- For which versions a case holds ----------------------------------------------------------------------------------

HISTORY = defaultdict(list)
for schema in sorted(defs.get_all_schemas_with_history(), key=lambda schema: schema.since_version):
    HISTORY[schema.domain, schema.name].append(schema)


def is_called(name):
    return lambda case: case.name == name


def shapes_differ(case):
    return len({str(value.dims()) for value in case.inputs}) > 1


def axis_is_negative(case):
    of = [case.value(name) for name in ("axis", "axes")]
    return any(axis < 0 for axes in of if axes is not None for axis in (axes if isinstance(axes, list) else [axes]))


def is_not_along_the_last_axis(case):
    """Whether it matters that elements are taken together along one axis, and not along all from that one on."""
    rank, axis = len(case.inputs[0].dims()), case.value("axis")
    return rank != 2 if axis is None else axis % rank != rank - 1


def has(attribute, *values):
    return lambda case: case.value(attribute) in values


def has_negative(index):
    """Whether an input that the node gives has elements below 0."""
    return lambda case: index < len(case.inputs) and (case.inputs[index].data < 0).any()


def saturates_fnuz(case):
    return "fnuz" in case.outputs[0].type and case.value("saturate") != 0


def is_per_axis(case):
    return len(case.inputs[1].dims()) == 1


# The versions that mean something else by nodes that the version before them takes too, and by which nodes. That they
# know a new value of an attribute stands here too, as the schemas do not tell.
MEANING = defaultdict(list)
for names, version, concerns in [
    ("Add And Div Equal Greater Less Mul Or Pow Sub Xor", 7, shapes_differ),
    ("ArgMax ArgMin Compress Concat Flatten Hardmax LogSoftmax Slice Softmax Split", 11, axis_is_negative),
    ("AveragePool", 22, is_called("test_averagepool_2d_ceil_last_window_starts_on_pad")),
    ("BatchNormalization Dropout PRelu Upsample", 7, always),
    ("Cast CastLike", 24, saturates_fnuz),
    ("Clip", 13, is_called("test_clip_min_greater_than_max")),
    ("ConvTranspose", 11, has("auto_pad", "SAME_LOWER", "SAME_UPPER")),
    ("DFT", 20, always),
    ("DequantizeLinear QuantizeLinear", 13, is_per_axis),
    ("Gather Scatter", 11, has_negative(1)),
    ("Gemm", 7, lambda case: len(case.inputs) > 2 and case.inputs[2].dims() != case.outputs[0].dims()),
    ("GridSample", 20, lambda case: len(case.inputs[0].dims()) != 4 or case.value("mode") in ("linear", "cubic")),
    ("GroupNormalization", 21, always),
    ("Hardmax LogSoftmax Softmax", 13, is_not_along_the_last_axis),
    ("Max Mean Min Sum", 8, shapes_differ),
    ("MaxPool", 22, is_called("test_maxpool_2d_ceil_output_size_reduce_by_one")),
    ("Mod", 28, lambda case: not gives_integers(case) and not case.value("fmod")),
    ("OneHot", 11, has_negative(0)),
    ("Pad", 2, always),
    ("Pad", 19, has("mode", "wrap")),
    ("Resize", 11, always),
    ("Resize", 13, lambda case: len(case.inputs) > 3 and None not in case.inputs[2:]),  # sizes beside empty scales
    ("Resize", 19, has("coordinate_transformation_mode", "half_pixel_symmetric")),
    ("RoiAlign", 16, has("coordinate_transformation_mode", None)),
    ("Scan", 9, always),
    ("ScatterElements ScatterND", 18, has("reduction", "max", "min")),
    ("Slice", 11, has_negative(3)),
    ("Split", 18, lambda case: len(case.inputs) < 2 and case.value("num_outputs") is None),
    (" ".join(["Squeeze", "Unsqueeze", *REDUCTIONS]), 11, axis_is_negative),
    ("Tile", 6, always),
]:
    for name in names.split():
        MEANING[name].append((version, concerns))

# The operators of which `MEANING` tells what another default changes.
DEFAULT_TOLD = ["Hardmax", "LogSoftmax", "Softmax"]


def takes(schema, case):
    """Whether a version takes the node, and means the same by the attributes that it leaves out."""
    if schema.deprecated:
        return False
    for name, attribute in case.attributes.items():
        if name not in schema.attributes or int(schema.attributes[name].type) != attribute.type:
            return False
    for name, attribute in schema.attributes.items():
        known = case.schema.attributes.get(name)
        has_changed = known and known.default_value != attribute.default_value and schema.name not in DEFAULT_TOLD
        if name not in case.attributes and (attribute.required or has_changed):
            return False
    for values, parameters, least, most in [
        (case.inputs, schema.inputs, schema.min_input, schema.max_input),
        (case.outputs, schema.outputs, schema.min_output, schema.max_output),
    ]:
        if not least <= len(values) <= most:
            return False
        for index, value in enumerate(values):
            parameter = parameters[min(index, len(parameters) - 1)]
            if value is None:
                if parameter.option != defs.OpSchema.FormalParameterOption.Optional:
                    return False
            elif value.type not in parameter.types:
                return False
    return True


def versions(case):
    """The first version that the case holds for, and that from which on it holds no longer: None for the ends."""
    history = HISTORY[case.schema.domain, case.operator]
    changes = {version for version, concerns in MEANING[case.operator] if concerns(case)}
    last = next(at for at, schema in enumerate(history) if schema.since_version == case.schema.since_version)
    # There are cases of old that their own version refuses.
    last = next((at for at in range(last, -1, -1) if takes(history[at], case)), last)
    first = last
    while first > 0 and history[first].since_version not in changes and takes(history[first - 1], case):
        first -= 1
    end = last + 1
    while end < len(history) and history[end].since_version not in changes and takes(history[end], case):
        end += 1
    since = history[first].since_version if first > 0 else None
    return since, history[end].since_version if end < len(history) else None


# --- What an example says ---------------------------------------------------------------------------------------------


def tensor(type, dims, elements):
    entry = {"type": bare(type)}
    if dims is not None and (elements is None or len(dims) != 1):
        entry["dims"] = dims
    if elements is not None:
        entry["values"] = elements
    return entry


def value_of_graph(info, graph):
    """An input or output of a graph in an attribute. What its symbols stand for, nobody outside knows."""
    constants = [node for node in graph.node if node.op_type == "Constant" and info.name in node.output]
    tensors = [attribute.t for node in constants for attribute in node.attribute if attribute.name == "value"]
    value = Value(info.type, tensors[0] if tensors else None)
    return tensor(value.type, value.declared, value.exact_numbers())


def argument(attribute):
    """An attribute that the node gives."""
    name, value = {"name": attribute.name}, helper.get_attribute_value(attribute)
    if isinstance(value, onnx.TensorProto):
        said = tensor(element_text(value.data_type), list(value.dims), elements(numpy_helper.to_array(value)))
        return name | {"tensor": said}
    if isinstance(value, onnx.GraphProto):
        sides = {"inputs": value.input, "outputs": value.output}
        said = {side: [value_of_graph(info, value) for info in infos] for side, infos in sides.items() if infos}
        return name | {"graph": said}
    return name | {"value": plain(value)}


def plain(value):
    """A number, a text or a list of them, as it is written."""
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, bytes):
        return value.decode()
    return shortest(value) if isinstance(value, float) else value


def example(case):
    """The fields of an example."""
    values = [value for value in case.inputs + case.outputs if value]
    computed = case.operator in COMPUTED and COMPUTED[case.operator](case)
    computed = computed and all(value.exact_numbers() is not None for value in values)
    computed = computed and any(value.numbers() for value in case.outputs if value)
    read = READ.get(case.operator, [])

    def given(value, name):
        return tensor(value.type, value.dims(), value.numbers() if computed or name in read else None)

    def comes(value, index):
        if computed or case.operator in ALWAYS_COMPUTED:
            return tensor(value.type, value.dims(), value.numbers())
        axes = OPEN[case.operator](case, index) if case.operator in OPEN else []
        dims = "?" if axes is None else value.dims()
        for axis in axes or []:
            dims[axis] = "?"
        return tensor(value.type, dims, None)

    since, until = versions(case)
    entry = {
        "name": case.name,
        "since": since,
        "until": until,
        "source": case.source,
        "inputs": [value and given(value, name) for value, name in zip(case.inputs, case.input_names())],
        "attributes": [argument(attribute) for attribute in case.attributes.values()],
        "outputs": [value and comes(value, index) for index, value in enumerate(case.outputs)],
    }
    return {field: said for field, said in entry.items() if said}


# --- How it is written ------------------------------------------------------------------------------------------------

# What a reader of YAML may take for something else than a text.
WORDS = {"true", "false", "null", "yes", "no", "on", "off", "nan", "inf"}


def flow(said):
    """It on one line."""
    if said is None:
        return "~"
    if isinstance(said, dict):
        return "{ " + ", ".join(f"{field}: {flow(of)}" for field, of in said.items()) + " }"
    if isinstance(said, list):
        return "[" + ", ".join(map(flow, said)) + "]"
    if isinstance(said, bool):
        return str(said).lower()
    if isinstance(said, float) and not math.isfinite(said):
        return ".nan" if math.isnan(said) else ".inf" if said > 0 else "-.inf"
    if isinstance(said, float):
        text = format(Decimal(repr(said)), "f")
        return text if "." in text else f"{text}.0"
    if isinstance(said, str):
        is_plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_()]*", said) and said.lower() not in WORDS
        return said if is_plain else json.dumps(said, ensure_ascii=False)
    return str(said)


def lines(said, indent, head):
    """It behind a head such as `dims: `: on one line where it fits, otherwise on one or more for each of its parts."""
    line = f"{indent}{head}{flow(said)}"
    if len(line) <= WIDTH or not isinstance(said, dict | list):
        return [line]
    if isinstance(said, list):
        parts = [part for item in said for part in lines(item, f"{indent}  ", "- ")]
        return [f"{indent}{head.rstrip()}", *parts]
    parts = [part for field, of in said.items() for part in lines(of, f"{indent}  ", f"{field}: ")]
    return [f"{indent}- {parts[0].lstrip()}", *parts[1:]] if head == "- " else [f"{indent}{head.rstrip()}", *parts]


def text_of(entry):
    return "".join(f"{line}\n" for line in lines(entry, "  ", "- "))


# --- Which cases are chosen -------------------------------------------------------------------------------------------


def features(case, entry):
    """What an example may show that others do not."""
    found = set()
    for name, value in zip(case.input_names(), entry.get("inputs", [])):
        if value and name in READ.get(case.operator, []):
            found.add((name, flow(value.get("values", []))))
    for side in ("inputs", "outputs"):
        values = entry.get(side, [])
        found.add((side, len(values)))
        for index, value in enumerate(values):
            value = value or {"type": None, "dims": "?"}
            dims = value.get("dims", [None])
            rank = None if dims == "?" else len(dims)
            found |= {(side, index, value["type"]), (side, index, "rank", rank)}
            if rank and 0 in dims:
                found.add((side, index, "empty"))
            if side == "outputs" and "values" in value:
                found.add((side, index, "elements"))
    attributes = entry.get("attributes", [])
    found.add(("attributes", frozenset(attribute["name"] for attribute in attributes)))
    for attribute in attributes:
        value = attribute.get("value")
        if isinstance(value, str | int | list):
            found.add((attribute["name"], flow(value)))
    return found


def chosen(cases, entries):
    """Of the cases of an operator, those that show most: few, small, and none that differs in its name alone."""
    different = {}
    for case in sorted(cases, key=lambda case: case.name):
        different.setdefault(flow(entries[case.name] | {"name": None}), case)
    rest = {case.name: features(case, entries[case.name]) for case in different.values()}
    shown, begun, names = set(), set(), set()

    def rank(name):
        """A version that none begins with comes first, then what shows most; of these the shortest, then by name."""
        length = text_of(entries[name]).count("\n")
        return entries[name].get("since") in begun, -len(rest[name] - shown), length, name

    while rest and len(names) < MOST:
        best = min(rest, key=rank)
        if len(names) >= LEAST and rank(best)[:2] == (True, 0):
            break
        begun.add(entries[best].get("since"))
        shown |= rest.pop(best)
        names.add(best)
    return names


# --- Cases of earlier releases ----------------------------------------------------------------------------------------

# By release the names: behind one that this release has too stands the opset that the case is for.
# pip download --no-deps --only-binary=:all: --python-version 3.6 --abi cp36m onnx==1.7.0
EARLIER = {
    "1.1.2": """
        test_add_bcast_opset6 test_and_axis0 test_and_axis3 test_cast_DOUBLE_to_FLOAT16_opset6
        test_cast_FLOAT16_to_FLOAT_opset6 test_div_bcast_opset6 test_equal_bcast_opset6 test_greater_bcast_opset6
        test_less_bcast_opset6 test_mul_bcast_opset6 test_or_axis0 test_or_axis3 test_pow_bcast test_pow_bcast_axis0
        test_sub_bcast_opset6 test_xor_axis0 test_xor_axis3
    """,
    "1.3.0": "test_upsample_nearest_opset8",
    "1.4.1": """
        test_slice_opset9 test_slice_default_axes_opset9 test_slice_end_out_of_bounds_opset9 test_slice_neg_opset9
        test_top_k_opset9
    """,
    "1.5.0": """
        test_clip_opset9 test_clip_default_max_opset9 test_clip_default_min_opset9 test_depthtospace
        test_constant_pad_opset9 test_edge_pad_opset9 test_reflect_pad_opset9 test_resize_downsample_linear
        test_resize_upsample_linear
    """,
    "1.7.0": """
        test_reduce_l1_default_axes_keepdims_example_opset9 test_reduce_l1_do_not_keepdims_example_opset9
        test_reduce_l1_negative_axes_keep_dims_example_opset11 test_reduce_l2_default_axes_keepdims_example_opset9
        test_reduce_l2_do_not_keepdims_example_opset9 test_reduce_l2_negative_axes_keep_dims_example_opset11
        test_reduce_log_sum test_reduce_log_sum_default_opset9 test_reduce_log_sum_negative_axes_opset11
        test_reduce_log_sum_exp_default_axes_keepdims_example_opset9
        test_reduce_log_sum_exp_do_not_keepdims_example_opset9
        test_reduce_log_sum_exp_negative_axes_keepdims_example_opset11 test_reduce_max_keepdims_example_opset9
        test_reduce_max_do_not_keepdims_example_opset9 test_reduce_max_negative_axes_keepdims_example_opset11
        test_reduce_mean_default_axes_keepdims_example_opset9 test_reduce_mean_do_not_keepdims_example_opset9
        test_reduce_mean_negative_axes_keepdims_example_opset11 test_reduce_min_keepdims_example_opset9
        test_reduce_min_do_not_keepdims_example_opset9 test_reduce_min_negative_axes_keepdims_example_opset11
        test_reduce_prod_default_axes_keepdims_example_opset9 test_reduce_prod_do_not_keepdims_example_opset9
        test_reduce_prod_negative_axes_keepdims_example_opset11 test_reduce_sum_default_axes_keepdims_example_opset9
        test_reduce_sum_do_not_keepdims_example_opset9 test_reduce_sum_negative_axes_keepdims_example_opset11
        test_reduce_sum_square_default_axes_keepdims_example_opset9
        test_reduce_sum_square_do_not_keepdims_example_opset9
        test_reduce_sum_square_negative_axes_keepdims_example_opset11 test_resize_downsample_scales_cubic_opset11
        test_resize_downsample_sizes_nearest_tf_half_pixel_for_nn test_resize_tf_crop_and_resize_opset11
        test_roialign test_split_variable_parts_1d test_split_variable_parts_2d
        test_split_variable_parts_default_axis test_split_zero_size_splits test_squeeze_opset9
        test_squeeze_negative_axes_opset11 test_unsqueeze_axis_0_opset11 test_unsqueeze_negative_axes_opset11
        test_unsqueeze_three_axes_opset11
    """,
}


# --- The files --------------------------------------------------------------------------------------------------------


def with_source(head, id):
    """The part of a file before its examples, with a source; a title that names another release names this one."""
    row = f'  - {{ id: {id}, title: "{SOURCES[id]}" }}\n'
    if f"  - {{ id: {id}," in head:
        return re.sub(rf'  - {{ id: {id}, title: "{TITLE}.*" }}\n', row, head)
    return re.sub(r"\nsources:\n(?:  .*\n)+", lambda found: found[0] + row, head, count=1)


def revised(text, entries, names):
    """A descriptor with the examples of these names, and with what is said here of all that it has."""
    head, _, behind = text.partition("\nexamples:\n")
    first, *parts = re.split(r"^(?=  - )", behind, flags=re.MULTILINE)
    standing = [re.match(r"  - (?:{ )?name: (\w+)", part)[1] for part in parts]
    for index, name in enumerate(standing):
        if name in entries:
            # Comments behind it are about the next one.
            comments = re.search(r"(?:^ *(?:#.*)?\n)*\Z", parts[index], re.MULTILINE)[0]
            parts[index] = text_of(entries[name]) + comments
    parts += [text_of(entries[name]) for name in sorted(names - set(standing))]
    head = head.rstrip("\n") + "\n"
    for source in sorted({entries[name]["source"] for name in names.union(standing) if name in entries}):
        head = with_source(head, source)
    return f"{head}\nexamples:\n{first}{''.join(parts)}" if parts else text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, and fail where something is to be written")
    parser.add_argument("wheels", nargs="*", help="wheels of earlier releases, called as the package index has them")
    arguments = parser.parse_args()
    wheels = {Path(wheel).name.split("-")[1]: wheel for wheel in arguments.wheels}

    cases = defaultdict(list)
    for case in of_this_release():
        cases[case.domain, case.operator].append(case)
    entries = {operator: {case.name: example(case) for case in of} for operator, of in cases.items()}
    names = {operator: chosen(of, entries[operator]) for operator, of in cases.items()}
    paths = {(domain, name): SPECS / domain / f"{name}.yaml" for domain, name in sorted(cases)}
    texts = {operator: path.read_text() for operator, path in paths.items()}
    standing = set(re.findall(r"name: (\w+)", "".join(texts.values())))
    missing = []
    for release, name in [(release, name) for release, listed in EARLIER.items() for name in listed.split()]:
        if release in wheels:
            case = of_wheel(wheels[release], name)
            entries[case.domain, case.operator][name] = example(case)
            names[case.domain, case.operator].add(name)
        elif name not in standing:
            missing.append(f"{name} of {release}")

    differing = []
    for operator, text in texts.items():
        revision = revised(text, entries[operator], names[operator])
        if revision != text:
            differing.append("/".join(operator))
            if not arguments.check:
                paths[operator].write_text(revision)
    for name in differing:
        print(f"{'differs from the package' if arguments.check else 'written'}: {name}.yaml")
    for name in missing:
        print(f"missing: {name}")
    return 1 if missing or (arguments.check and differing) else 0


if __name__ == "__main__":
    sys.exit(main())
