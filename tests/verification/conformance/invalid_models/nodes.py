"""Nodes and their attributes."""

import numpy
from onnx import AttributeProto, helper

from . import OURS, base, constant, invalid, valid


@invalid("field-missing", "graph#0")
def node_without_operator(m):
    m.graph.node[0].ClearField("op_type")


@invalid("node-unconnected", "graph#1")
def node_without_inputs_and_outputs(m):
    m.opset_import.add(domain="com.acme", version=1)
    m.graph.node.add(op_type="Nothing", domain="com.acme")


@invalid("domain-not-imported", "graph#1")
def node_of_a_domain_that_is_not_imported(m):
    m.graph.node.append(helper.make_node("Blur", ["x"], ["z"], domain="com.acme"))


@invalid("operator-unknown", "graph#1")
def operator_that_does_not_exist(m):
    m.graph.node.append(helper.make_node("Blur", ["x"], ["z"]))


@invalid("no-descriptor", "graph#1", OURS)
def operator_of_a_domain_that_nobody_knows(m):
    m.opset_import.add(domain="com.acme", version=1)
    m.graph.node.append(helper.make_node("Blur", ["x"], ["z"], domain="com.acme"))


@invalid("operator-experimental", "graph#1", OURS)
def operator_that_never_became_one(m):
    m.graph.node.append(helper.make_node("ScaledTanh", ["x"], ["z"]))


@invalid("operator-too-new", "graph#1")
def operator_of_a_later_opset(m):
    m.graph.node.append(helper.make_node("Gelu", ["x"], ["z"]))


@invalid("operator-deprecated", "graph#1")
def operator_that_was_given_up(m):
    m.graph.node.append(helper.make_node("Upsample", ["x", "w"], ["z"]))


@invalid("input-count", "graph#0")
def too_few_inputs(m):
    m.graph.node[0].input.pop()


@invalid("output-count", "graph#0")
def too_many_outputs(m):
    m.graph.node[0].output.append("z")


@invalid("input-missing", "graph#0")
def required_input_left_out(m):
    m.graph.node[0].input[0] = ""


@invalid("input-missing", "graph#1")
def one_of_many_inputs_left_out(m):
    m.graph.node.append(helper.make_node("Max", ["", "x"], ["z"]))


@invalid("output-missing", "graph#1")
def required_output_left_out(m):
    m.graph.initializer.append(constant("k", [1], numpy.int64))
    m.graph.node.append(helper.make_node("TopK", ["x", "k"], ["", "i"]))


@invalid("output-count", "graph#1")
def only_output_left_out(m):
    m.graph.node.append(helper.make_node("Relu", ["x"], [""]))


@base
def with_flatten():
    given = valid()
    given.graph.node.append(helper.make_node("Flatten", ["x"], ["z"], axis=0))
    return given


def axis(m):
    return m.graph.node[1].attribute[0]


@invalid("field-missing", "graph#1", of=with_flatten)
def attribute_without_name(m):
    axis(m).name = ""


@invalid("field-missing", "graph#1", of=with_flatten)
def attribute_without_kind(m):
    axis(m).ClearField("type")


@invalid("field-missing", "graph#1", of=with_flatten)
def attribute_of_no_kind(m):
    axis(m).type = AttributeProto.UNDEFINED


@invalid("attribute-fields", "graph#1", of=with_flatten)
def attribute_with_a_value_of_another_kind(m):
    axis(m).ClearField("i")
    axis(m).f = 0


@invalid("attribute-fields", "graph#1", of=with_flatten)
def attribute_with_two_values(m):
    axis(m).ints.extend([0])


@invalid("attribute-no-value", "graph#1", OURS, of=with_flatten)
def number_without_a_value(m):
    axis(m).ClearField("i")


@invalid("attribute-fields", "graph#1")
def tensor_attribute_without_a_value(m):
    node = helper.make_node("ConstantOfShape", ["k"], ["z"])
    node.attribute.add(name="value", type=AttributeProto.TENSOR)
    m.graph.initializer.append(constant("k", [1], numpy.int64))
    m.graph.node.append(node)


@invalid("attribute-unknown", "graph#1", of=with_flatten)
def attribute_that_the_operator_does_not_have(m):
    axis(m).name = "axes"


@invalid("attribute-duplicate", "graph#1", of=with_flatten)
def attribute_twice(m):
    m.graph.node[1].attribute.add().CopyFrom(axis(m))


@invalid("attribute-type", "graph#1", of=with_flatten)
def attribute_of_another_kind(m):
    m.graph.node[1].attribute[0].CopyFrom(helper.make_attribute("axis", 0.5))


@invalid("attribute-value", "graph#1", OURS)
def value_that_the_attribute_may_not_have(m):
    m.graph.node.append(helper.make_node("DepthToSpace", ["x"], ["z"], blocksize=1, mode="CDR"))
    m.graph.input[0].type.tensor_type.shape.ClearField("dim")
    for _ in range(4):
        m.graph.input[0].type.tensor_type.shape.dim.add()
    m.graph.output[0].type.tensor_type.shape.CopyFrom(m.graph.input[0].type.tensor_type.shape)


@invalid("attribute-missing", "graph#1")
def required_attribute_left_out(m):
    m.graph.node.append(helper.make_node("Concat", ["x", "x"], ["z"]))


@invalid("attribute-reference", "graph#1", OURS, of=with_flatten)
def reference_outside_of_a_function(m):
    axis(m).ClearField("i")
    axis(m).ref_attr_name = "axis"


@invalid("reference-undefined", "graph#0", OURS)
def devices_of_no_configuration(m):
    m.ir_version = 11
    m.graph.node[0].device_configurations.add(configuration_id="nothing")


@invalid("reference-undefined", "graph#0", OURS)
def devices_for_no_value(m):
    m.ir_version = 11
    m.configuration.add(name="two", num_devices=2)
    configuration = m.graph.node[0].device_configurations.add(configuration_id="two")
    configuration.sharding_spec.add(tensor_name="nothing")
