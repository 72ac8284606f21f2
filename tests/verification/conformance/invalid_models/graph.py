"""The graph: its names, what it declares of its values, and what stands beside it."""

from onnx import helper

from . import FLOAT, INT64, OURS, invalid, value


@invalid("field-missing")
def graph_without_name(m):
    m.graph.ClearField("name")


@invalid("field-missing")
def input_without_name(m):
    m.graph.input.append(value(""))


@invalid("field-missing")
def output_without_name(m):
    m.graph.output.append(value(""))


@invalid("input-untyped")
def input_without_type(m):
    m.graph.input.add(name="z")


@invalid("input-untyped")
def input_with_an_empty_type(m):
    m.graph.input.add(name="z").type.SetInParent()


@invalid("declaration-incomplete")
def output_without_type(m):
    m.graph.output[0].ClearField("type")


@invalid("input-untyped")
def input_without_element_type(m):
    m.graph.input[0].type.tensor_type.ClearField("elem_type")


@invalid("input-untyped")
def input_of_an_undefined_element_type(m):
    m.graph.input[0].type.tensor_type.elem_type = 0


@invalid("declaration-incomplete")
def input_without_rank(m):
    m.graph.input[0].type.tensor_type.ClearField("shape")


@invalid("declaration-incomplete")
def sparse_input_without_rank(m):
    m.graph.input.add(name="z").type.sparse_tensor_type.elem_type = FLOAT


@invalid("input-untyped")
def sequence_of_nothing(m):
    m.graph.input.add(name="z").type.sequence_type.SetInParent()


@invalid("input-untyped")
def optional_of_nothing(m):
    m.graph.input.add(name="z").type.optional_type.SetInParent()


@invalid("input-untyped")
def map_without_value_type(m):
    m.graph.input.add(name="z").type.map_type.key_type = INT64


@invalid("input-untyped")
def map_without_key_type(m):
    m.graph.input.add(name="z").type.map_type.value_type.CopyFrom(value("a").type)


@invalid("input-untyped")
def opaque_type_without_name(m):
    m.ir_version = 14
    m.graph.input.add(name="z").type.opaque_type.SetInParent()


@invalid("map-key-type", "graph", OURS)
def map_from_numbers_with_fractions(m):
    map_type = m.graph.input.add(name="z").type.map_type
    map_type.key_type = FLOAT
    map_type.value_type.CopyFrom(value("a").type)


@invalid("element-type-unknown")
def element_type_that_does_not_exist(m):
    m.graph.input[0].type.tensor_type.elem_type = 99


@invalid("dims-negative")
def negative_dimension(m):
    m.graph.input[0].type.tensor_type.shape.dim[0].dim_value = -2


@invalid("dims-minus-one")
def dimension_of_minus_one(m):
    m.graph.input[0].type.tensor_type.shape.dim[0].dim_value = -1


@invalid("value-redefined")
def input_with_two_initializers(m):
    m.graph.input.append(value("w"))
    m.graph.initializer.append(m.graph.initializer[0])


@invalid("value-redefined")
def input_twice(m):
    m.graph.input.append(value("x"))


@invalid("output-undefined")
def output_that_nothing_gives(m):
    m.graph.output.append(value("z"))


@invalid("value-undefined", "graph#0")
def nodes_out_of_order(m):
    m.graph.node.append(helper.make_node("Relu", ["x"], ["z"]))
    m.graph.node[0].input[0] = "z"


@invalid("value-undefined", "graph#0")
def name_that_nothing_gives(m):
    m.graph.node[0].input[0] = "z"


@invalid("value-redefined", "graph#1")
def value_given_twice(m):
    m.graph.node.append(helper.make_node("Relu", ["x"], ["y"]))


@invalid("value-redefined", "graph#1")
def input_given_by_a_node(m):
    m.graph.node.append(helper.make_node("Relu", ["x"], ["x"]))


@invalid("node-name-duplicate", "graph#1", OURS)
def two_nodes_of_one_name(m):
    m.graph.node.append(helper.make_node("Relu", ["x"], ["z"], "add"))


@invalid("reference-undefined", "graph", OURS)
def quantization_of_nothing(m):
    m.graph.quantization_annotation.add(tensor_name="nothing")


@invalid("reference-undefined", "graph", OURS)
def quantization_by_nothing(m):
    annotation = m.graph.quantization_annotation.add(tensor_name="x")
    annotation.quant_parameter_tensor_names.add(key="SCALE_TENSOR", value="nothing")


@invalid("reference-undefined", "", OURS)
def training_of_nothing(m):
    m.training_info.add().update_binding.add(key="nothing", value="y")


@invalid("reference-undefined", "", OURS)
def training_by_nothing(m):
    m.training_info.add().update_binding.add(key="w", value="nothing")


@invalid("key-duplicate", "", OURS)
def training_twice(m):
    for _ in range(2):
        m.training_info.add().update_binding.add(key="w", value="y")
