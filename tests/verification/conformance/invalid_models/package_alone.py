"""What the package alone refuses, each with the reason why we do not."""

from onnx import helper

from . import FLOAT, HARD_LINK, LINK, constant, theirs, value
from .functions import function, with_function
from .tensors import elsewhere


@theirs('the empty name and "ai.onnx" are one domain')
def domain_spelled_out_in_a_node(m):
    m.graph.node[0].domain = "ai.onnx"


@theirs("the other name of the file may lie anywhere, and so may the file by any name; caches have such links")
def elements_in_a_file_of_two_names(m):
    elsewhere(m, location=HARD_LINK)


@theirs("the link leads to a file of the same folder; caches have such links")
def elements_behind_a_link(m):
    elsewhere(m, location=LINK)


@theirs("a limit of a hundred on chains of calls keeps its own stack from running over", of=with_function)
def calls_two_thousand_deep(m):
    for index in range(2000):
        m.functions.append(function(f"G{index}", [helper.make_node(f"G{index + 1}", ["a"], ["b"], domain="my")]))
    m.functions.append(function("G2000", [helper.make_node("Relu", ["a"], ["b"])]))


@theirs("an empty string and none are the same to a reader of proto3")
def function_that_leaves_its_domain_out(m):
    m.functions.add(name="G", input=["a"], output=["b"], node=[helper.make_node("Relu", ["a"], ["b"])])
    m.functions[0].opset_import.add(version=17)


@theirs("ONNX leaves it to the reader what a function in its domain is, and this one says it", of=with_function)
def function_in_the_default_domain(m):
    m.functions[0].domain = ""
    m.graph.node[0].domain = ""


@theirs("stored sparsely, it is a dense tensor to the nodes that read it")
def sparse_initializer_of_a_dense_input(m):
    m.graph.input.append(value("s", FLOAT, (4,)))
    values, indices = constant("s", [1.0]), constant("i", [2], "int64")
    m.graph.sparse_initializer.append(helper.make_sparse_tensor(values, indices, [4]))
