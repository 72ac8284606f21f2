"""The graph: its names, what it declares of its values, and what stands beside it."""

from onnx import helper

from . import FLOAT, INT64, OURS, value, wrong


@wrong("field-missing")
def graph_without_name(m):
    m.graph.ClearField("name")


@wrong("field-missing")
def input_without_name(m):
    m.graph.input.append(value(""))


@wrong("field-missing")
def output_without_name(m):
    m.graph.output.append(value(""))


@wrong("input-untyped")
def input_without_type(m):
    m.graph.input.add(name="z")


@wrong("input-untyped")
def input_with_an_empty_type(m):
    m.graph.input.add(name="z").type.SetInParent()


@wrong("declaration-incomplete")
def output_without_type(m):
    m.graph.output[0].ClearField("type")


@wrong("input-untyped")
def input_without_element_type(m):
    m.graph.input[0].type.tensor_type.ClearField("elem_type")


@wrong("input-untyped")
def input_of_an_undefined_element_type(m):
    m.graph.input[0].type.tensor_type.elem_type = 0


@wrong("declaration-incomplete")
def input_without_rank(m):
    m.graph.input[0].type.tensor_type.ClearField("shape")


@wrong("declaration-incomplete")
def sparse_input_without_rank(m):
    m.graph.input.add(name="z").type.sparse_tensor_type.elem_type = FLOAT


@wrong("input-untyped")
def sequence_of_nothing(m):
    m.graph.input.add(name="z").type.sequence_type.SetInParent()


@wrong("input-untyped")
def optional_of_nothing(m):
    m.graph.input.add(name="z").type.optional_type.SetInParent()


@wrong("input-untyped")
def map_without_value_type(m):
    m.graph.input.add(name="z").type.map_type.key_type = INT64


@wrong("input-untyped")
def map_without_key_type(m):
    m.graph.input.add(name="z").type.map_type.value_type.CopyFrom(value("a").type)


@wrong("input-untyped")
def opaque_type_without_name(m):
    m.ir_version = 14
    m.graph.input.add(name="z").type.opaque_type.SetInParent()


@wrong("map-key-type", "graph", OURS)
def map_from_numbers_with_fractions(m):
    map_type = m.graph.input.add(name="z").type.map_type
    map_type.key_type = FLOAT
    map_type.value_type.CopyFrom(value("a").type)


@wrong("element-type-unknown")
def element_type_that_does_not_exist(m):
    m.graph.input[0].type.tensor_type.elem_type = 99


@wrong("dims-negative")
def negative_dimension(m):
    m.graph.input[0].type.tensor_type.shape.dim[0].dim_value = -1


@wrong("value-redefined")
def input_twice(m):
    m.graph.input.append(value("x"))


@wrong("output-undefined")
def output_that_nothing_gives(m):
    m.graph.output.append(value("z"))


@wrong("value-undefined", "graph#0")
def nodes_out_of_order(m):
    m.graph.node.append(helper.make_node("Relu", ["x"], ["z"]))
    m.graph.node[0].input[0] = "z"


@wrong("value-undefined", "graph#0")
def name_that_nothing_gives(m):
    m.graph.node[0].input[0] = "z"


@wrong("value-redefined", "graph#1")
def value_given_twice(m):
    m.graph.node.append(helper.make_node("Relu", ["x"], ["y"]))


@wrong("value-redefined", "graph#1")
def input_given_by_a_node(m):
    m.graph.node.append(helper.make_node("Relu", ["x"], ["x"]))


@wrong("node-name-duplicate", "graph#1", OURS)
def two_nodes_of_one_name(m):
    m.graph.node.append(helper.make_node("Relu", ["x"], ["z"], "add"))


@wrong("reference-undefined", "graph", OURS)
def quantization_of_nothing(m):
    m.graph.quantization_annotation.add(tensor_name="nothing")


@wrong("reference-undefined", "graph", OURS)
def quantization_by_nothing(m):
    annotation = m.graph.quantization_annotation.add(tensor_name="x")
    annotation.quant_parameter_tensor_names.add(key="SCALE_TENSOR", value="nothing")


@wrong("reference-undefined", "", OURS)
def training_of_nothing(m):
    m.training_info.add().update_binding.add(key="nothing", value="y")


@wrong("reference-undefined", "", OURS)
def training_by_nothing(m):
    m.training_info.add().update_binding.add(key="w", value="nothing")


@wrong("key-duplicate", "", OURS)
def training_twice(m):
    for _ in range(2):
        m.training_info.add().update_binding.add(key="w", value="y")
