"""Functions of the model, and calls of them."""

from onnx import AttributeProto, helper

from . import FLOAT, INT64, OURS, base, invalid, model, value


def function(name, nodes, opset=17, **fields):
    imports = [helper.make_opsetid("", opset), helper.make_opsetid("my", 1)]
    return helper.make_function("my", name, ["a"], ["b"], nodes, imports, **fields)


@base
def with_function():
    body = helper.make_node("Flatten", ["a"], ["f"])
    body.attribute.add(name="axis", type=AttributeProto.INT, ref_attr_name="from")
    nodes = [body, helper.make_node("Relu", ["f"], ["b"])]
    call = helper.make_node("F", ["x"], ["y"], domain="my", **{"from": 0})
    functions = [function("F", nodes, attributes=["from"])]
    return model([call], [value("x")], [value("y", FLOAT, (1, 2))], functions=functions, domains=["my"])


@base
def with_imports_that_change_nothing():
    """The function imports an opset of its own that its operators do not notice, and a domain that it does not use."""
    given = with_function()
    given.functions[0].opset_import[0].version = 16
    given.functions[0].opset_import.add(domain="ai.onnx.ml", version=2)
    return given


F = "function my::F"


@invalid("function-duplicate", F, of=with_function)
def two_functions_of_one_name(m):
    m.functions.add().CopyFrom(m.functions[0])


@invalid("field-missing", F.replace("F", ""), of=with_function)
def function_without_name(m):
    m.functions.add().CopyFrom(m.functions[0])
    m.functions[1].ClearField("name")


@invalid("value-redefined", F, of=with_function)
def input_of_a_function_twice(m):
    m.functions[0].input.append("a")


@invalid("output-duplicate", F, of=with_function)
def output_of_a_function_twice(m):
    m.functions[0].output.append("b")


@invalid("attribute-duplicate", F, of=with_function)
def attribute_of_a_function_twice(m):
    m.functions[0].attribute.append("from")


@invalid("attribute-duplicate", F, OURS, of=with_function)
def attribute_of_a_function_with_and_without_default(m):
    m.ir_version = 9
    m.functions[0].attribute_proto.append(helper.make_attribute("from", 0))


@invalid("output-undefined", F, OURS, of=with_function)
def output_of_a_function_that_nothing_gives(m):
    m.functions[0].output[0] = "c"


@invalid("value-undefined", F + "#0", of=with_function)
def body_out_of_order(m):
    m.functions[0].node[0].input[0] = "b"


@invalid("value-undefined", F + "#0", of=with_function)
def body_that_reads_the_graph(m):
    m.functions[0].node[0].input[0] = "x"


@invalid("value-redefined", F + "#1", of=with_function)
def body_that_gives_a_value_twice(m):
    m.functions[0].node[1].output[0] = "f"
    m.functions[0].output[0] = "f"


@invalid("domain-not-imported", F + "#0", of=with_function)
def body_of_a_domain_that_the_function_does_not_import(m):
    del m.functions[0].opset_import[0]


@invalid("function-opset", F + "#0", of=with_function)
def body_of_another_version_than_the_model(m):
    m.opset_import[0].version = 11
    m.functions[0].node[1].CopyFrom(helper.make_node("Identity", ["f"], ["b"]))
    m.functions[0].node[0].CopyFrom(helper.make_node("Flatten", ["a"], ["f"], axis=0))
    m.graph.node[0].ClearField("attribute")
    m.functions[0].ClearField("attribute")


@invalid("function-opset", "function my::G#0", of=with_function)
def bodies_of_two_versions_of_a_domain_of_their_own(m):
    for version, name in [(1, "G"), (3, "H")]:
        labels = {"classlabels_int64s": [0, 1]}
        body = helper.make_node("TreeEnsembleClassifier", ["a"], ["b", "c"], domain="ai.onnx.ml", **labels)
        m.functions.append(function(name, [body]))
        m.functions[-1].opset_import.add(domain="ai.onnx.ml", version=version)
    # The first function that imports a domain settles its version.
    m.functions[-1].name, m.functions[-2].name = "G", "H"


@invalid("operator-unknown", F + "#1", of=with_function)
def operator_of_a_body_that_does_not_exist(m):
    m.functions[0].node[1].op_type = "Blur"


@invalid("attribute-unknown", F + "#1", of=with_function)
def attribute_of_a_body_that_does_not_exist(m):
    m.functions[0].node[1].attribute.append(helper.make_attribute("alpha", 0.5))


@invalid("attribute-reference", F + "#0", OURS, of=with_function)
def reference_to_an_attribute_that_the_function_does_not_have(m):
    m.functions[0].node[0].attribute[0].ref_attr_name = "to"
    m.graph.output[0].CopyFrom(value("y", FLOAT, (None, None)))


@invalid("function-recursive", F, of=with_function)
def function_that_calls_itself(m):
    m.functions[0].node[1].CopyFrom(helper.make_node("F", ["f"], ["b"], domain="my"))


@invalid("function-recursive", F, of=with_function)
def functions_that_call_each_other(m):
    m.functions[0].node[1].CopyFrom(helper.make_node("G", ["f"], ["b"], domain="my"))
    m.functions.append(function("G", [helper.make_node("F", ["a"], ["b"], domain="my")]))


@invalid("function-recursive", F, of=with_function)
def function_that_calls_itself_in_a_branch(m):
    inner = [helper.make_node("F", ["f"], ["c"], domain="my")]
    graph = helper.make_graph(inner, "inner", [], [value("c")])
    m.functions[0].node[1].CopyFrom(helper.make_node("If", ["f"], ["b"], then_branch=graph, else_branch=graph))


@invalid("domain-not-imported", "graph#0", of=with_function)
def call_of_a_domain_that_is_not_imported(m):
    del m.opset_import[1]


@invalid("type-not-allowed", "graph#0", of=with_function)
def call_with_a_type_that_its_body_does_not_take(m):
    m.functions[0].node[1].op_type = "Sqrt"
    m.graph.input[0].type.tensor_type.elem_type = INT64
    m.graph.output[0].type.tensor_type.elem_type = INT64


@invalid("output-type", "graph#0", of=with_function)
def output_of_a_call_of_another_type_than_declared(m):
    m.graph.output[0].type.tensor_type.elem_type = INT64


@invalid("input-missing", "graph#0", of=with_function)
def call_without_an_input_that_the_body_needs(m):
    m.graph.node[0].ClearField("input")


@invalid("attribute-duplicate", "graph#0", of=with_function)
def attribute_of_a_call_twice(m):
    m.graph.node[0].attribute.add().CopyFrom(m.graph.node[0].attribute[0])


@invalid("input-count", "graph#0", OURS, of=with_function)
def call_with_too_many_inputs(m):
    m.graph.node[0].input.append("x")


@invalid("output-count", "graph#0", OURS, of=with_function)
def call_with_too_many_outputs(m):
    m.graph.node[0].output.append("z")


@invalid("attribute-unknown", "graph#0", OURS, of=with_function)
def call_with_an_attribute_that_the_function_does_not_have(m):
    m.graph.node[0].attribute.append(helper.make_attribute("to", 0))


@invalid("attribute-type", "graph#0", OURS, of=with_function)
def call_with_an_attribute_of_another_kind(m):
    m.ir_version = 9
    m.functions[0].ClearField("attribute")
    m.functions[0].attribute_proto.append(helper.make_attribute("from", 0))
    m.graph.node[0].attribute[0].CopyFrom(helper.make_attribute("from", 0.5))


@invalid("attribute-missing", "graph#0", of=with_function)
def call_without_an_attribute_that_the_body_needs(m):
    concat = helper.make_node("Concat", ["a", "a"], ["f"])
    concat.attribute.add(name="axis", type=AttributeProto.INT, ref_attr_name="from")
    m.functions[0].node[0].CopyFrom(concat)
    m.graph.node[0].ClearField("attribute")
    m.graph.output[0].CopyFrom(value("y", FLOAT, (4,)))


@invalid("ir-version-too-old", "", OURS, of=with_function)
def functions_before_there_were_any(m):
    m.ir_version = 7
    m.opset_import[0].version = 14
    m.functions[0].opset_import[0].version = 14
