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

SOURCE, SOURCE_TITLE = "backend", "node test cases of the onnx package "
EARLIER_SOURCE, EARLIER_TITLE = "earlier", "node test cases of earlier releases of the onnx package"

# How many cases of an operator are chosen, where it has as many that differ; how many lines a small example has, how
# many elements it lists, and how wide a line is.
MOST, LEAST, LINES, ELEMENTS, WIDTH = 10, 3, 30, 24, 120


# --- Cases ------------------------------------------------------------------------------------------------------------


class Case:
    """A node, and what it is given and gives: pairs of a type and the data; None for what the node leaves out."""

    def __init__(self, name, model, inputs, outputs):
        [self.node] = model.graph.node
        self.name = name
        self.domain = self.node.domain or "ai.onnx"
        self.operator = self.node.op_type
        [self.opset] = [opset.version for opset in model.opset_import if opset.domain == self.node.domain]
        self.schema = defs.get_schema(self.operator, self.opset, self.node.domain)
        declared = [*model.graph.input, *model.graph.output]
        given = {info.name: (info.type, data) for info, data in zip(declared, [*inputs, *outputs], strict=True)}
        self.inputs = [given[name] if name else None for name in self.node.input]
        self.outputs = [given[name] if name else None for name in self.node.output]
        self.attributes = {attribute.name: attribute for attribute in self.node.attribute}

    def value(self, attribute):
        """What the node says of an attribute, or None."""
        found = self.attributes.get(attribute) and helper.get_attribute_value(self.attributes[attribute])
        return found.decode() if isinstance(found, bytes) else found

    def rank(self, input):
        return len(dims(self.inputs[input]))

    def element(self):
        """The element type of the first output."""
        return bare(type_text(self.outputs[0][0]))

    def input_names(self):
        """The names that the schema has for the inputs."""
        last = len(self.schema.inputs) - 1
        return [self.schema.inputs[min(index, last)].name for index in range(len(self.inputs))]


def of_this_release():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases("")
    return [Case(case.name, case.model, *case.data_sets[0]) for case in cases if "_expanded" not in case.name]


def of_wheel(path, written):
    """A case of an earlier release, which has them as files."""
    with zipfile.ZipFile(path) as wheel:
        names = [f"onnx/backend/test/data/node/{name}" for name in (written, re.sub(r"_opset\d+$", "", written))]
        folder = next(name for name in names if f"{name}/model.onnx" in wheel.namelist())
        model = onnx.load_from_string(wheel.read(f"{folder}/model.onnx"))

        def data(side, index):
            return onnx.TensorProto.FromString(wheel.read(f"{folder}/test_data_set_0/{side}_{index}.pb"))

        inputs = [data("input", index) for index in range(len(model.graph.input))]
        outputs = [data("output", index) for index in range(len(model.graph.output))]
        return Case(written, model, inputs, outputs)


# --- Values -----------------------------------------------------------------------------------------------------------


def type_text(of):
    """`tensor(float)`"""
    kind = of.WhichOneof("value")
    if kind == "tensor_type":
        return f"tensor({element_text(of.tensor_type.elem_type)})"
    if kind == "sequence_type":
        return f"seq({type_text(of.sequence_type.elem_type)})"
    if kind == "optional_type":
        return f"optional({type_text(of.optional_type.elem_type)})"
    sys.exit(f"there is a {kind}, which this script does not know how to write")


def element_text(number):
    return onnx.TensorProto.DataType.Name(number).lower()


def bare(text):
    """A type as a descriptor writes it: `float` for `tensor(float)`."""
    inner = re.fullmatch(r"tensor\((\w+)\)", text)
    return inner[1] if inner else text


def declared_dims(of):
    """The dimensions in a type: sizes, symbols and `?`, or `?` where there are none."""
    while not of.HasField("tensor_type"):
        of = (of.sequence_type if of.HasField("sequence_type") else of.optional_type).elem_type
    if not of.tensor_type.HasField("shape"):
        return "?"
    sizes = of.tensor_type.shape.dim
    return [dim.dim_value if dim.HasField("dim_value") else Plain(dim.dim_param) or "?" for dim in sizes]


def shared_dims(data):
    """The dimensions of a tensor, or those that the tensors of a sequence share."""
    if data is None:
        return None
    if isinstance(data, onnx.TensorProto):
        return list(data.dims)
    if not isinstance(data, list):
        return list(numpy.shape(data))
    each = [shared_dims(one) for one in data]
    if len({len(one) for one in each}) != 1:
        return "?"
    return [sizes[0] if len(set(sizes)) == 1 else "?" for sizes in zip(*each)]


def dims(value):
    """The dimensions of a value: those of the data, and in a sequence the symbols that the case declares."""
    of, data = value
    declared = declared_dims(of)
    has_symbols = declared != "?" and any(isinstance(dim, str) and dim != "?" for dim in declared)
    return declared if has_symbols else shared_dims(data)


def array_of(data):
    return numpy_helper.to_array(data) if isinstance(data, onnx.TensorProto) else numpy.asarray(data)


# The types of elements that rules follow.
FOLLOWED = {"bool", "float", "double"} | {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}


def numbers(value):
    """The elements of a tensor, where there are few and rules follow them, or None."""
    of, data = value
    if data is None or bare(type_text(of)) not in FOLLOWED:
        return None
    array = array_of(data)
    if array.size > ELEMENTS:
        return None
    elements = array.reshape(-1).tolist()
    return [shortest(element) for element in elements] if array.dtype == numpy.float32 else elements


def exact_numbers(value):
    """The same, where each of them is a short number and exact."""
    elements = numbers(value)
    is_exact = elements is not None and all(
        not isinstance(element, float) or (abs(element) < 10**6 and (element * 64).is_integer()) for element in elements
    )
    return elements if is_exact else None


# --- What the rules read and give -------------------------------------------------------------------------------------

REDUCTIONS = ["L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare"]

# The inputs whose elements decide dimensions.
READ = {f"Reduce{name}": ["axes"] for name in REDUCTIONS} | {
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


def gives_integers(case):
    return "int" in case.element()


def gives_no_bools(case):
    return case.element() != "bool"


# The operators whose outputs have elements where all their inputs have some: always, or when.
COMPUTED = dict.fromkeys(
    """
    Abs Add And Cast CastLike Ceil Concat Div Equal Expand Flatten Floor Gather Greater GreaterOrEqual Identity If Less
    LessOrEqual Max Min Mod Mul Neg Not Or ReduceProd ReduceSum Reshape Round Slice Split Sqrt Squeeze Sub Tile
    Transpose Unsqueeze Where Xor
    """.split(),
    lambda case: True,
)
COMPUTED |= dict.fromkeys(["Pow", "Range"], gives_integers)
COMPUTED |= dict.fromkeys(["ReduceMax", "ReduceMin"], gives_no_bools)
# Of weights, the rule gives a few alone.
COMPUTED["ConstantOfShape"] = lambda case: gives_integers(case) or case.outputs[0][1].size <= 16

# The operators whose outputs have elements whatever is known of the inputs'.
ALWAYS_COMPUTED = ["Shape", "Size"]


def open_in_loop(case, output):
    """Of what is carried along, what a sequence grows to; of what is put side by side, how often."""
    if output >= len(case.inputs) - 2:
        return [0]
    return None if declared_dims(case.outputs[output][0]) == "?" else []


# Whether dimensions depend on elements that no rule reads: the axes of an output, or None for all of it.
OPEN = {
    "Compress": lambda case, output: [case.value("axis") or 0],
    "ImageDecoder": lambda case, output: [0, 1],
    "Loop": open_in_loop,
    "NonMaxSuppression": lambda case, output: [0],
    "NonZero": lambda case, output: [1],
    "Range": lambda case, output: [] if case.element() in FOLLOWED else [0],
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


def always(case):
    return True


def shapes_differ(case):
    return len({str(dims(value)) for value in case.inputs}) > 1


def axis_is_negative(case):
    of = [case.value(name) for name in ("axis", "axes")]
    return any(axis < 0 for axes in of if axes is not None for axis in (axes if isinstance(axes, list) else [axes]))


def is_not_along_the_last_axis(case):
    """Whether it matters that elements are taken together along one axis, and not along all from that one on."""
    rank, axis = case.rank(0), case.value("axis")
    return rank != 2 if axis is None else axis % rank != rank - 1


def has(attribute, *values):
    return lambda case: case.value(attribute) in values


def lacks(attribute):
    return lambda case: case.value(attribute) is None


def has_negative(index):
    """Whether an input that the node gives has elements below 0."""
    return lambda case: index < len(case.inputs) and (array_of(case.inputs[index][1]) < 0).any()


def is_per_axis(case):
    return case.rank(1) == 1


def gives_sizes_with_empty_scales(case):
    return len(case.inputs) > 3 and None not in case.inputs[2:]


# The versions that mean something else by nodes that the version before them takes too, and by which nodes. That they
# know a new value of an attribute stands here too, as the schemas do not tell.
MEANING = {
    "AveragePool": [(22, lambda case: case.name == "test_averagepool_2d_ceil_last_window_starts_on_pad")],
    "BatchNormalization": [(7, always)],
    "Cast": [(24, lambda case: "fnuz" in case.element() and case.value("saturate") != 0)],
    "CastLike": [(24, lambda case: "fnuz" in case.element() and case.value("saturate") != 0)],
    "Clip": [(13, lambda case: case.name == "test_clip_min_greater_than_max")],
    "ConvTranspose": [(11, has("auto_pad", "SAME_LOWER", "SAME_UPPER"))],
    "DFT": [(20, always)],
    "DequantizeLinear": [(13, is_per_axis)],
    "Dropout": [(7, always)],
    "Gather": [(11, has_negative(1))],
    "Gemm": [(7, lambda case: len(case.inputs) > 2 and dims(case.inputs[2]) != dims(case.outputs[0]))],
    "GridSample": [(20, lambda case: case.rank(0) != 4 or case.value("mode") in ("linear", "cubic"))],
    "GroupNormalization": [(21, always)],
    "MaxPool": [(22, lambda case: case.name == "test_maxpool_2d_ceil_output_size_reduce_by_one")],
    "Mod": [(28, lambda case: not gives_integers(case) and not case.value("fmod"))],
    "OneHot": [(11, has_negative(0))],
    "PRelu": [(7, always)],
    "Pad": [(19, has("mode", "wrap")), (2, always)],
    "QuantizeLinear": [(13, is_per_axis)],
    "Resize": [
        (11, always),
        (13, gives_sizes_with_empty_scales),
        (19, has("coordinate_transformation_mode", "half_pixel_symmetric")),
    ],
    "RoiAlign": [(16, lacks("coordinate_transformation_mode"))],
    "Scan": [(9, always)],
    "Scatter": [(11, has_negative(1))],
    "ScatterElements": [(18, has("reduction", "max", "min"))],
    "ScatterND": [(18, has("reduction", "max", "min"))],
    "Slice": [(11, has_negative(3))],
    "Split": [(18, lambda case: len(case.inputs) < 2 and case.value("num_outputs") is None)],
    "Tile": [(6, always)],
    "Upsample": [(7, always)],
}
ALIKE = [
    ("Add And Div Equal Greater Less Mul Or Pow Sub Xor", 7, shapes_differ),
    ("Max Mean Min Sum", 8, shapes_differ),
    ("Hardmax LogSoftmax Softmax", 13, is_not_along_the_last_axis),
    ("ArgMax ArgMin Compress Concat Flatten Hardmax LogSoftmax Slice Softmax Split", 11, axis_is_negative),
    ("Squeeze Unsqueeze " + " ".join(f"Reduce{name}" for name in REDUCTIONS), 11, axis_is_negative),
]
for names, version, concerns in ALIKE:
    for name in names.split():
        MEANING.setdefault(name, []).append((version, concerns))

# Attributes of which `MEANING` tells what another default changes.
DEFAULT_TOLD = {("Hardmax", "axis"), ("LogSoftmax", "axis"), ("Softmax", "axis")}


def takes(schema, case):
    """Whether a version takes the node, and means the same by the attributes that it leaves out."""
    if schema.deprecated:
        return False
    for name, attribute in case.attributes.items():
        if name not in schema.attributes or int(schema.attributes[name].type) != attribute.type:
            return False
    for name, attribute in schema.attributes.items():
        if name in case.attributes:
            continue
        known = case.schema.attributes.get(name)
        has_changed = known and known.default_value != attribute.default_value
        if attribute.required or (has_changed and (schema.name, name) not in DEFAULT_TOLD):
            return False
    if not schema.min_input <= len(case.inputs) <= schema.max_input:
        return False
    if not schema.min_output <= len(case.outputs) <= schema.max_output:
        return False
    bound = {}
    for values, parameters in [(case.inputs, schema.inputs), (case.outputs, schema.outputs)]:
        for index, value in enumerate(values):
            parameter = parameters[min(index, len(parameters) - 1)]
            if value is None:
                if parameter.option != defs.OpSchema.FormalParameterOption.Optional:
                    return False
                continue
            found = type_text(value[0])
            if found not in parameter.types:
                return False
            if parameter.is_homogeneous and bound.setdefault(parameter.type_str, found) != found:
                return False
    return True


def versions(case):
    """The first version that the case holds for, and that from which on it holds no longer: None for the ends."""
    history = HISTORY[case.schema.domain, case.operator]
    changes = {version for version, concerns in MEANING.get(case.operator, []) if concerns(case)}
    last = next(at for at, schema in enumerate(history) if schema.since_version == case.schema.since_version)
    # There are cases of old that their own version refuses.
    last = next((at for at in range(last, -1, -1) if takes(history[at], case)), last)
    first = last
    while first > 0 and history[first].since_version not in changes and takes(history[first - 1], case):
        first -= 1
    behind = history[last + 1 :]
    while behind and behind[0].since_version not in changes and takes(behind[0], case):
        behind = behind[1:]
    since = history[first].since_version if first > 0 else None
    return since, behind[0].since_version if behind else None


# --- What an example says ---------------------------------------------------------------------------------------------


class Plain(str):
    """A text that needs no quotes."""


def tensor(type, sizes, elements):
    entry = {"type": Plain(type)}
    if sizes is not None and (elements is None or len(sizes) != 1):
        entry["dims"] = sizes
    if elements is not None:
        entry["values"] = elements
    return entry


def value_of_graph(info, graph):
    """An input or output of a graph in an attribute. What its symbols stand for, nobody outside knows."""
    sizes = declared_dims(info.type)
    constants = [node for node in graph.node if node.op_type == "Constant" and info.name in node.output]
    tensors = [attribute.t for node in constants for attribute in node.attribute if attribute.name == "value"]
    elements = exact_numbers((info.type, tensors[0])) if tensors else None
    return tensor(bare(type_text(info.type)), sizes, elements)


def argument(attribute):
    """An attribute that the node gives."""
    kinds = onnx.AttributeProto
    kind, value = attribute.type, helper.get_attribute_value(attribute)
    name = {"name": Plain(attribute.name)}
    if kind == kinds.FLOAT:
        return name | {"value": shortest(value)}
    if kind == kinds.FLOATS:
        return name | {"value": [shortest(number) for number in value]}
    if kind == kinds.INT:
        return name | {"value": value}
    if kind == kinds.INTS:
        return name | {"value": list(value)}
    if kind == kinds.STRING:
        return name | {"value": value.decode()}
    if kind == kinds.STRINGS:
        return name | {"value": [text.decode() for text in value]}
    if kind == kinds.TYPE_PROTO:
        return name | {"type": Plain(type_text(value))}
    if kind == kinds.TENSOR:
        array = numpy_helper.to_array(value)
        elements = array.reshape(-1).tolist()
        if array.dtype == numpy.float32:
            elements = [shortest(element) for element in elements]
        elements = [element.decode() if isinstance(element, bytes) else element for element in elements]
        return name | {"tensor": tensor(element_text(value.data_type), list(value.dims), elements)}
    if kind == kinds.GRAPH:
        inputs = [value_of_graph(info, value) for info in value.input]
        outputs = [value_of_graph(info, value) for info in value.output]
        return name | {"graph": ({"inputs": inputs} if inputs else {}) | {"outputs": outputs}}
    sys.exit(f"{attribute.name} is a {kinds.AttributeType.Name(kind)}, which this script does not know how to write")


def example(case, source):
    """The fields of an example."""
    since, until = versions(case)
    entry = {"name": Plain(case.name), "since": since, "until": until, "source": Plain(source)}
    entry = {field: said for field, said in entry.items() if said is not None}
    values = [value for value in case.inputs + case.outputs if value]
    computed = case.operator in COMPUTED and COMPUTED[case.operator](case)
    if case.operator != "ConstantOfShape":
        computed = computed and all(exact_numbers(value) is not None for value in values)
    computed = computed and any(numbers(value) for value in case.outputs if value)
    read = READ.get(case.operator, [])

    def given(value, name):
        elements = exact_numbers(value) if computed else numbers(value) if name in read else None
        return tensor(bare(type_text(value[0])), dims(value), elements)

    def comes(value, index):
        if computed or case.operator in ALWAYS_COMPUTED:
            return tensor(bare(type_text(value[0])), dims(value), numbers(value))
        axes = OPEN[case.operator](case, index) if case.operator in OPEN else []
        sizes = "?" if axes is None else dims(value)
        for axis in axes or []:
            sizes[axis] = "?"
        return tensor(bare(type_text(value[0])), sizes, None)

    inputs = [value and given(value, name) for value, name in zip(case.inputs, case.input_names())]
    if inputs:
        entry["inputs"] = inputs
    if case.attributes:
        entry["attributes"] = [argument(attribute) for attribute in case.node.attribute]
    entry["outputs"] = [value and comes(value, index) for index, value in enumerate(case.outputs)]
    return entry


# --- How it is written ------------------------------------------------------------------------------------------------

# What a reader of YAML may take for something else than a text.
WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"}


def flow(said):
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
        return str(said) if is_plain or isinstance(said, Plain) else json.dumps(said, ensure_ascii=False)
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
            place = (side, min(index, 4))
            sizes = value and value.get("dims", value.get("values"))
            rank = 1 if value and "dims" not in value else len(sizes) if isinstance(sizes, list) else None
            found |= {(*place, value and value["type"]), (*place, "rank", rank)}
            if isinstance(sizes, list) and "dims" in value and 0 in sizes:
                found.add((*place, "empty"))
            if side == "outputs" and value and "values" in value:
                found.add((*place, "elements"))
    attributes = entry.get("attributes", [])
    found.add(("attributes", frozenset(attribute["name"] for attribute in attributes)))
    for attribute in attributes:
        value = attribute.get("value")
        if isinstance(value, str | int):
            found.add((attribute["name"], value))
        if isinstance(value, list):
            found |= {(attribute["name"], len(value)), (attribute["name"], flow(value))}
    return found


def chosen(cases, entries):
    """Of the cases of an operator, those that show most: few, small, and none that differs in its name alone."""
    different = {}
    for case in sorted(cases, key=lambda case: case.name):
        said = {field: of for field, of in entries[case.name].items() if field != "name"}
        different.setdefault(flow(said), case)
    rest = {case.name: features(case, entries[case.name]) for case in different.values()}
    length = {name: text_of(entries[name]).count("\n") for name in rest}
    small = {name: shows for name, shows in rest.items() if length[name] <= LINES}
    rest = small if len(small) >= LEAST else rest
    shown, begun, names = set(), set(), set()

    def rank(name):
        """A version that none begins with comes first, then what shows most; of these the shortest, then by name."""
        return entries[name].get("since") in begun, -len(rest[name] - shown), length[name], name

    while rest and len(names) < MOST:
        best = min(rest, key=rank)
        if len(names) >= LEAST and rank(best)[:2] == (True, 0):
            break
        begun.add(entries[best].get("since"))
        shown |= rest.pop(best)
        names.add(best)
    return names


# --- Cases of earlier releases ----------------------------------------------------------------------------------------

# The release, the operator, and the name: behind one that this release has too stands the opset that the case is for.
# pip download --no-deps --only-binary=:all: --python-version 3.6 --abi cp36m onnx==1.7.0
EARLIER = """
    1.1.2  Add  test_add_bcast_opset6
    1.1.2  And  test_and_axis0
    1.1.2  And  test_and_axis3
    1.1.2  Cast  test_cast_DOUBLE_to_FLOAT16_opset6
    1.1.2  Cast  test_cast_FLOAT16_to_FLOAT_opset6
    1.1.2  Div  test_div_bcast_opset6
    1.1.2  Equal  test_equal_bcast_opset6
    1.1.2  Greater  test_greater_bcast_opset6
    1.1.2  Less  test_less_bcast_opset6
    1.1.2  Mul  test_mul_bcast_opset6
    1.1.2  Or  test_or_axis0
    1.1.2  Or  test_or_axis3
    1.1.2  Pow  test_pow_bcast
    1.1.2  Pow  test_pow_bcast_axis0
    1.1.2  Sub  test_sub_bcast_opset6
    1.1.2  Xor  test_xor_axis0
    1.1.2  Xor  test_xor_axis3
    1.3.0  Upsample  test_upsample_nearest_opset8
    1.4.1  Slice  test_slice_opset9
    1.4.1  Slice  test_slice_default_axes_opset9
    1.4.1  Slice  test_slice_end_out_of_bounds_opset9
    1.4.1  Slice  test_slice_neg_opset9
    1.4.1  TopK  test_top_k_opset9
    1.5.0  Clip  test_clip_opset9
    1.5.0  Clip  test_clip_default_max_opset9
    1.5.0  Clip  test_clip_default_min_opset9
    1.5.0  DepthToSpace  test_depthtospace
    1.5.0  Pad  test_constant_pad_opset9
    1.5.0  Pad  test_edge_pad_opset9
    1.5.0  Pad  test_reflect_pad_opset9
    1.5.0  Resize  test_resize_downsample_linear
    1.5.0  Resize  test_resize_upsample_linear
    1.7.0  ReduceL1  test_reduce_l1_default_axes_keepdims_example_opset9
    1.7.0  ReduceL1  test_reduce_l1_do_not_keepdims_example_opset9
    1.7.0  ReduceL1  test_reduce_l1_negative_axes_keep_dims_example_opset11
    1.7.0  ReduceL2  test_reduce_l2_default_axes_keepdims_example_opset9
    1.7.0  ReduceL2  test_reduce_l2_do_not_keepdims_example_opset9
    1.7.0  ReduceL2  test_reduce_l2_negative_axes_keep_dims_example_opset11
    1.7.0  ReduceLogSum  test_reduce_log_sum
    1.7.0  ReduceLogSum  test_reduce_log_sum_default_opset9
    1.7.0  ReduceLogSum  test_reduce_log_sum_negative_axes_opset11
    1.7.0  ReduceLogSumExp  test_reduce_log_sum_exp_default_axes_keepdims_example_opset9
    1.7.0  ReduceLogSumExp  test_reduce_log_sum_exp_do_not_keepdims_example_opset9
    1.7.0  ReduceLogSumExp  test_reduce_log_sum_exp_negative_axes_keepdims_example_opset11
    1.7.0  ReduceMax  test_reduce_max_keepdims_example_opset9
    1.7.0  ReduceMax  test_reduce_max_do_not_keepdims_example_opset9
    1.7.0  ReduceMax  test_reduce_max_negative_axes_keepdims_example_opset11
    1.7.0  ReduceMean  test_reduce_mean_default_axes_keepdims_example_opset9
    1.7.0  ReduceMean  test_reduce_mean_do_not_keepdims_example_opset9
    1.7.0  ReduceMean  test_reduce_mean_negative_axes_keepdims_example_opset11
    1.7.0  ReduceMin  test_reduce_min_keepdims_example_opset9
    1.7.0  ReduceMin  test_reduce_min_do_not_keepdims_example_opset9
    1.7.0  ReduceMin  test_reduce_min_negative_axes_keepdims_example_opset11
    1.7.0  ReduceProd  test_reduce_prod_default_axes_keepdims_example_opset9
    1.7.0  ReduceProd  test_reduce_prod_do_not_keepdims_example_opset9
    1.7.0  ReduceProd  test_reduce_prod_negative_axes_keepdims_example_opset11
    1.7.0  ReduceSum  test_reduce_sum_default_axes_keepdims_example_opset9
    1.7.0  ReduceSum  test_reduce_sum_do_not_keepdims_example_opset9
    1.7.0  ReduceSum  test_reduce_sum_negative_axes_keepdims_example_opset11
    1.7.0  ReduceSumSquare  test_reduce_sum_square_default_axes_keepdims_example_opset9
    1.7.0  ReduceSumSquare  test_reduce_sum_square_do_not_keepdims_example_opset9
    1.7.0  ReduceSumSquare  test_reduce_sum_square_negative_axes_keepdims_example_opset11
    1.7.0  Resize  test_resize_downsample_scales_cubic_opset11
    1.7.0  Resize  test_resize_downsample_sizes_nearest_tf_half_pixel_for_nn
    1.7.0  Resize  test_resize_tf_crop_and_resize_opset11
    1.7.0  RoiAlign  test_roialign
    1.7.0  Split  test_split_variable_parts_1d
    1.7.0  Split  test_split_variable_parts_2d
    1.7.0  Split  test_split_variable_parts_default_axis
    1.7.0  Split  test_split_zero_size_splits
    1.7.0  Squeeze  test_squeeze_opset9
    1.7.0  Squeeze  test_squeeze_negative_axes_opset11
    1.7.0  Unsqueeze  test_unsqueeze_axis_0_opset11
    1.7.0  Unsqueeze  test_unsqueeze_negative_axes_opset11
    1.7.0  Unsqueeze  test_unsqueeze_three_axes_opset11
"""


# --- The files --------------------------------------------------------------------------------------------------------


def with_source(head, id, title):
    """The part of a file before its examples, with a source."""
    row = f'  - {{ id: {id}, title: "{title}" }}\n'
    standing = re.search(rf'^  - {{ id: {id}, title: "(.*)" }}\n', head, re.MULTILINE)
    if standing:
        is_of_another_release = standing[1].startswith(SOURCE_TITLE)
        return head.replace(standing[0], row) if is_of_another_release else head
    return re.sub(r"(\nsources:\n(?:  .*\n)+)", lambda found: found[1] + row, head, count=1)


def revised(text, entries, names):
    """A descriptor with the examples of these names, and with what is said here of all that it has."""
    head, _, behind = text.partition("\nexamples:\n")
    first, *parts = re.split(r"^(?=  - )", behind, flags=re.MULTILINE)
    called = [re.match(r"  - (?:{ )?name: (\w+)", part)[1] for part in parts]
    for index, name in enumerate(called):
        if name in entries:
            # Comments behind it are about the next one.
            comments = re.search(r"(?:^ *(?:#.*)?\n)*\Z", parts[index], re.MULTILINE)[0]
            parts[index] = text_of(entries[name]) + comments
    parts += [text_of(entries[name]) for name in sorted(names - set(called))]
    head = head.rstrip("\n") + "\n"
    sources = {entries[name]["source"] for name in names | set(called) if name in entries}
    if SOURCE in sources:
        head = with_source(head, SOURCE, f"{SOURCE_TITLE}{onnx.__version__}")
    if EARLIER_SOURCE in sources:
        head = with_source(head, EARLIER_SOURCE, EARLIER_TITLE)
    return f"{head}\nexamples:\n{first}{''.join(parts)}" if parts else text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, and fail where something is to be written")
    parser.add_argument("wheels", nargs="*", help="wheels of earlier releases, called as the package index has them")
    arguments = parser.parse_args()
    wheels = {Path(wheel).name.split("-")[1]: wheel for wheel in arguments.wheels}

    of_operator = defaultdict(list)
    for case in of_this_release():
        if case.name not in LEFT_OUT:
            of_operator[case.domain, case.operator].append(case)
    entries, names, missing = defaultdict(dict), {}, []
    for operator, cases in of_operator.items():
        entries[operator] = {case.name: example(case, SOURCE) for case in cases}
        names[operator] = chosen(cases, entries[operator])
    for release, operator, name in map(str.split, EARLIER.strip().splitlines()):
        if release in wheels:
            entries["ai.onnx", operator][name] = example(of_wheel(wheels[release], name), EARLIER_SOURCE)
            names["ai.onnx", operator].add(name)
        elif not re.search(rf"name: {name}\b", (SPECS / "ai.onnx" / f"{operator}.yaml").read_text()):
            missing.append(f"{operator}: {name} of {release}")

    differing = []
    for (domain, operator), of in sorted(entries.items()):
        path = SPECS / domain / f"{operator}.yaml"
        text = path.read_text()
        revision = revised(text, of, names[domain, operator])
        if revision != text:
            differing.append(f"{domain}/{operator}.yaml")
            if not arguments.check:
                path.write_text(revision)
    for name in differing:
        print(f"{'differs from the package' if arguments.check else 'written'}: {name}")
    for name in missing:
        print(f"missing: {name}")
    return 1 if missing or (arguments.check and differing) else 0


if __name__ == "__main__":
    sys.exit(main())
