"""Writes `attention.onnx` beside this file: one attention block, batch and sequence left symbolic.

The point of the model is its shape arithmetic, in both forms that exporters write: the older one (`Shape` of the whole
tensor, then `Gather` and `Unsqueeze` for each dimension) and the newer one (`Shape` with `start` and `end`, whose slice
goes into `Concat` as it is). No intermediate value is declared, so that whatever is known of one was inferred.

| node | of | attributes | shows |
|---|---|---|---|
| `/attn/Shape`   | `x` | none              | all dimensions, symbols and a number: `[batch, seq, 64]` |
| `/attn/Shape_1` | `x` | `start=0, end=1`  | the first, by a slice: `[batch]` |
| `/attn/Shape_2` | `x` | `start=1, end=2`  | one from the middle: `[seq]` |
| `/attn/Shape_3` | `x` | `start=2, end=-1` | a start that is not before its end, which counts from the rank: `[]` |
| `/attn/Shape_4` | `q` | none              | an intermediate, unknown as long as `MatMul` has no rule |
| `/attn/Shape_5` | `q` by head | `start=-1` | a slice of an unknown rank: not even its length is known |
| `/attn/Shape_6` | `x` | `end=-1`          | all but the last, with a negative end: `[batch, seq]` |
| `/attn/Shape_7` | `x` | `start=-1`        | the last, with a negative start: `[64]` |

The weights come from integer arithmetic and not from a random generator, so that the bytes are the same with every
version of numpy. Needs numpy and onnx 1.23.2.
"""

from pathlib import Path

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

HIDDEN = 64
HEADS = 4
HEAD = HIDDEN // HEADS


class Graph:
    """Nodes and constants in the order in which they are asked for, named as an exporter names them."""

    def __init__(self):
        self.nodes = []
        self.initializers = []
        self.count = {}

    def node(self, op_type, *inputs, output=None, scope="/attn", **attributes):
        number = self.count.get((scope, op_type), 0)
        self.count[scope, op_type] = number + 1
        name = f"{scope}/{op_type}" + (f"_{number}" if number else "")
        output = output or f"{name}_output_0"
        self.nodes.append(helper.make_node(op_type, list(inputs), [output], name, **attributes))
        return output

    def constant(self, name, values):
        self.initializers.append(numpy_helper.from_array(numpy.asarray(values), name))
        return name

    def sizes(self, name, values):
        return self.constant(f"/attn/{name}", numpy.asarray(values, numpy.int64))


def weight(number):
    """Small multiples of 1/512 of both signs, exact in float32, and others for each number."""
    row, column = numpy.indices((HIDDEN, HIDDEN))
    return ((row * 31 + column * 17 + number * 7) % 127 - 63).astype(numpy.float32) / 512


def projection(graph, number, name, value):
    weights = graph.constant(f"attn.{name}.weight", weight(number))
    product = graph.node("MatMul", value, weights, scope=f"/attn/{name}")
    bias = graph.constant(f"attn.{name}.bias", weight(number)[0])
    return graph.node("Add", product, bias, scope=f"/attn/{name}")


def block():
    graph = Graph()
    heads = graph.sizes("heads", [HEADS])
    head = graph.sizes("head", [HEAD])
    axis = graph.sizes("axis", [0])

    q = projection(graph, 0, "q_proj", "x")
    k = projection(graph, 1, "k_proj", "x")
    v = projection(graph, 2, "v_proj", "x")

    # The older form.
    whole = graph.node("Shape", "x")
    batch_and_seq = []
    for index in range(2):
        size = graph.node("Gather", whole, graph.sizes(f"index_{index}", index), axis=0)
        batch_and_seq.append(graph.node("Unsqueeze", size, axis))
    target = graph.node("Concat", *batch_and_seq, heads, head, axis=0)
    q = graph.node("Transpose", graph.node("Reshape", q, target), perm=[0, 2, 1, 3])

    # The newer form. The axes between the sequence and the features are none here; a module that takes any number of
    # them exports them all the same.
    batch = graph.node("Shape", "x", start=0, end=1)
    seq = graph.node("Shape", "x", start=1, end=2)
    between = graph.node("Shape", "x", start=2, end=-1)
    target = graph.node("Concat", batch, seq, between, heads, head, axis=0)
    k_heads = graph.node("Reshape", k, target)
    v = graph.node("Transpose", graph.node("Reshape", v, target), perm=[0, 2, 1, 3])
    # The last two axes of k change places here already, which saves the exporter a Transpose.
    k = graph.node("Transpose", k_heads, perm=[0, 2, 3, 1])

    # Hidden size and head size, both read from values that a MatMul stands before.
    hidden = graph.node("Gather", graph.node("Shape", "/attn/q_proj/Add_output_0"), graph.sizes("last", [-1]), axis=0)
    width = graph.node("Shape", q, start=-1)
    scale = graph.node("Sqrt", graph.node("Cast", width, to=TensorProto.FLOAT))

    scores = graph.node("Div", graph.node("MatMul", q, k), scale)
    context = graph.node("MatMul", graph.node("Softmax", scores, axis=-1), v)
    context = graph.node("Transpose", context, perm=[0, 2, 1, 3])

    leading = graph.node("Shape", "x", end=-1)
    merged = graph.node("Reshape", context, graph.node("Concat", leading, hidden, axis=0))
    merged = projection(graph, 3, "out_proj", merged)

    # The features of the residual are those of x; written out, it is the last use of Shape.
    features = graph.node("Shape", "x", start=-1)
    same = graph.node("Reshape", merged, graph.node("Concat", leading, features, axis=0))
    graph.node("Add", "x", same, output="y")
    return graph


def model():
    dims = ["batch", "seq", HIDDEN]
    graph = block()
    return helper.make_model(
        helper.make_graph(
            graph.nodes,
            "attention",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, dims)],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, dims)],
            graph.initializers,
        ),
        opset_imports=[helper.make_opsetid("", 21)],
        ir_version=10,
        producer_name="attention.py",
    )


def main():
    attention = model()
    onnx.checker.check_model(attention, full_check=True)
    data = attention.SerializeToString(deterministic=True)
    path = Path(__file__).with_suffix(".onnx")
    path.write_bytes(data)
    shapes = sum(node.op_type == "Shape" for node in attention.graph.node)
    print(f"{path.name}: {len(attention.graph.node)} nodes, {shapes} of them Shape, {len(data)} bytes")


if __name__ == "__main__":
    main()
