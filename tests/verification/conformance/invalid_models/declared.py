"""Types and dimensions, declared and inferred."""

import numpy
from onnx import helper

from . import DOUBLE, FLOAT, INT64, base, constant, invalid, model, valid, value


@invalid("type-not-allowed", "graph#1")
def type_that_the_operator_does_not_take(m):
    m.graph.initializer.append(constant("k", [1], numpy.int64))
    m.graph.node.append(helper.make_node("Sqrt", ["k"], ["z"]))


@invalid("type-mismatch", "graph#0")
def one_type_variable_with_two_types(m):
    m.graph.input[0].type.tensor_type.elem_type = DOUBLE


@invalid("output-type", "graph#0")
def output_of_another_type_than_declared(m):
    m.graph.output[0].type.tensor_type.elem_type = DOUBLE


@invalid("output-type", "graph#0")
def tensor_declared_as_a_sequence(m):
    m.graph.output[0].type.CopyFrom(helper.make_sequence_type_proto(value("a").type))


@invalid("output-dims", "graph#0")
def dimensions_that_the_operator_cannot_give(m):
    m.graph.output[0].type.tensor_type.shape.dim[0].dim_value = 3


@base
def with_sequence():
    given = valid()
    given.graph.node.append(helper.make_node("SequenceConstruct", ["x"], ["s"]))
    given.graph.output.append(helper.make_tensor_sequence_value_info("s", FLOAT, [2]))
    return given


@invalid("output-type", "graph#1", of=with_sequence)
def sequence_of_another_type_than_declared(m):
    m.graph.output[1].type.sequence_type.elem_type.tensor_type.elem_type = DOUBLE


@invalid("output-type", "graph#1")
def type_that_an_attribute_decides(m):
    m.graph.node.append(helper.make_node("Cast", ["x"], ["z"], to=INT64))
    m.graph.output.append(value("z"))


@base
def with_shape():
    nodes = [helper.make_node("Shape", ["x"], ["y"])]
    return model(nodes, [value("x")], [value("y", INT64, (1,))])


@invalid("output-dims", "graph#0", of=with_shape)
def output_of_another_size_than_declared(m):
    m.graph.output[0].type.tensor_type.shape.dim[0].dim_value = 2


@invalid("output-dims", "graph#0", of=with_shape)
def output_of_another_rank_than_declared(m):
    m.graph.output[0].type.tensor_type.shape.dim.add().dim_value = 1


@invalid("output-dims", "graph#0", of=with_shape)
def value_of_another_size_than_declared(m):
    m.graph.node[0].output[0] = "s"
    m.graph.value_info.append(value("s", INT64, (2,)))
    m.graph.node.append(helper.make_node("Identity", ["s"], ["y"]))
