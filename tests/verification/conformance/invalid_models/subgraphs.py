"""Graphs inside of nodes."""

from onnx import helper

from . import BOOL, DOUBLE, FLOAT, INT32, INT64, base, constant, invalid, model, value


def branch(name, output, elem=FLOAT, given="x"):
    return helper.make_graph([helper.make_node("Identity", [given], [output])], name, [], [value(output, elem)])


@base
def with_if():
    node = helper.make_node(
        "If", ["c"], ["y"], then_branch=branch("then", "a"), else_branch=branch("else", "b")
    )
    return model([node], [value("c", BOOL, ()), value("x")], [value("y")])


def then_branch(m):
    return next(each.g for each in m.graph.node[0].attribute if each.name == "then_branch")


THEN = "graph/0:If.then_branch"


@invalid("field-missing", THEN, of=with_if)
def branch_without_name(m):
    then_branch(m).ClearField("name")


@invalid("field-missing", THEN, of=with_if)
def output_of_a_branch_without_name(m):
    then_branch(m).output.append(value(""))


@invalid("output-undefined", THEN, of=with_if)
def output_of_a_branch_from_the_graph_around_it(m):
    then_branch(m).output[0].name = "x"


@invalid("value-redefined", THEN + "#0", of=with_if)
def name_of_the_graph_around_a_branch(m):
    then_branch(m).node[0].output[0] = "x"
    then_branch(m).output[0].name = "x"


@invalid("value-undefined", THEN + "#0", of=with_if)
def name_that_nothing_gives_to_a_branch(m):
    then_branch(m).node[0].input[0] = "b"


@invalid("tensor-data", THEN, of=with_if)
def tensor_of_a_branch(m):
    then_branch(m).initializer.add(name="v", data_type=FLOAT, dims=[2])


@invalid("attribute-fields", THEN + "#1", of=with_if)
def reference_with_a_value(m):
    node = helper.make_node("Flatten", ["x"], ["z"], axis=0)
    node.attribute[0].ref_attr_name = "axis"
    then_branch(m).node.append(node)


@invalid("subgraph-count", "graph#0", of=with_if)
def branches_of_one_and_two_outputs(m):
    then_branch(m).node.append(helper.make_node("Identity", ["x"], ["z"]))
    then_branch(m).output.append(value("z"))


@invalid("subgraph-count", "graph#0", of=with_if)
def branch_with_an_input(m):
    then_branch(m).input.append(value("i"))


@invalid("subgraph-type", "graph#0", of=with_if)
def branches_of_two_types(m):
    for each in m.graph.node[0].attribute:
        if each.name == "else_branch":
            each.g.CopyFrom(branch("else", "b", DOUBLE, "d"))
    m.graph.input.append(value("d", DOUBLE))


@invalid("output-type", "graph#0", of=with_if)
def output_of_another_type_than_its_branches(m):
    m.graph.output[0].type.tensor_type.elem_type = DOUBLE


@base
def with_loop():
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["cond"], ["cond_out"]),
            helper.make_node("Add", ["v", "x"], ["v_out"]),
            helper.make_node("Identity", ["v"], ["scan"]),
        ],
        "body",
        [value("i", INT64, ()), value("cond", BOOL, ()), value("v")],
        [value("cond_out", BOOL, ()), value("v_out"), value("scan")],
    )
    node = helper.make_node("Loop", ["n", "c", "x"], ["y", "z"], body=body)
    inputs = [value("n", INT64, ()), value("c", BOOL, ()), value("x")]
    return model([node], inputs, [value("y"), value("z", FLOAT, (None, 2))])


def body(m):
    return m.graph.node[0].attribute[0].g


@invalid("subgraph-count", "graph#0", of=with_loop)
def body_without_the_condition(m):
    del body(m).output[0]


@invalid("subgraph-count", "graph#0", of=with_loop)
def body_with_one_input_too_many(m):
    body(m).input.append(value("u"))


@invalid("subgraph-type", "graph#0", of=with_loop)
def body_that_takes_another_type(m):
    body(m).input[2].type.tensor_type.elem_type = DOUBLE


@invalid("subgraph-type", "graph#0", of=with_loop)
def body_that_counts_in_another_type(m):
    body(m).input[0].type.tensor_type.elem_type = INT32


@invalid("subgraph-type", "graph#0", of=with_loop)
def body_that_carries_another_type_on(m):
    body(m).node[1].CopyFrom(helper.make_node("Cast", ["v"], ["v_out"], to=DOUBLE))
    body(m).output[1].type.tensor_type.elem_type = DOUBLE


@invalid("initializer-input", "graph/0:Loop.body", of=with_loop)
def input_of_a_body_with_an_initializer(m):
    body(m).initializer.append(constant("v", [1, 2]))


@base
def with_scan():
    body = helper.make_graph(
        [helper.make_node("Add", ["s", "e"], ["s_out"]), helper.make_node("Identity", ["s"], ["scan"])],
        "body",
        [value("s"), value("e")],
        [value("s_out"), value("scan")],
    )
    node = helper.make_node("Scan", ["x", "l"], ["y", "z"], body=body, num_scan_inputs=1)
    return model([node], [value("x"), value("l", FLOAT, (5, 2))], [value("y"), value("z", FLOAT, (5, 2))])


@invalid("input-count", "graph#0", of=with_scan)
def scan_of_more_inputs_than_there_are(m):
    m.graph.node[0].attribute[1].i = 3


@invalid("subgraph-count", "graph#0", of=with_scan)
def scan_body_of_too_few_outputs(m):
    del body(m).output[1]


@invalid("subgraph-type", "graph#0", of=with_scan)
def scan_body_of_another_type(m):
    body(m).input[1].type.tensor_type.elem_type = DOUBLE
