"""Makes small models of large ones for `infer_corpus.py`.

`strip_models.py FROM TO` writes each model of a folder with its weights left out.

A tensor of floats with more than a few elements becomes the output of a ConstantOfShape with the same type and
dimensions, so that the graph and everything that inference looks at stay, and the model still runs. `filled` is the way
back, with weights that are random.
"""

import sys
from math import prod
from pathlib import Path

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

MOST_ELEMENTS = 64
# Of the names of the dimensions of what is left out.
ENDING = ".dims"
FLOATS = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE)


def stripped(model):
    kept, nodes = [], []
    inputs = {info.name for info in model.graph.input}
    for tensor in model.graph.initializer:
        if tensor.data_type not in FLOATS or prod(tensor.dims) <= MOST_ELEMENTS or tensor.name in inputs:
            kept.append(tensor)
            continue
        dims = helper.make_tensor("value", TensorProto.INT64, [len(tensor.dims)], tensor.dims)
        name = tensor.name + ENDING
        nodes.append(helper.make_node("Constant", [], [name], value=dims))
        filled = helper.make_tensor("value", tensor.data_type, [1], [0.01])
        nodes.append(helper.make_node("ConstantOfShape", [name], [tensor.name], value=filled))
    nodes += model.graph.node
    for node in nodes:
        node.doc_string = ""
        del node.metadata_props[:]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    del model.graph.value_info[:]
    del model.metadata_props[:]
    del model.graph.metadata_props[:]
    return model


def filled(model, seed):
    """The model with random weights in the place of those that `stripped` left out, and how many there are."""
    random, nodes, weights = numpy.random.default_rng(seed), [], 0
    constants = (node for node in model.graph.node if node.op_type == "Constant")
    dims = {node.output[0]: node.attribute[0].t for node in constants if node.output[0].endswith(ENDING)}
    for node in model.graph.node:
        if node.op_type == "ConstantOfShape" and node.input[0] in dims and node.input[0] == node.output[0] + ENDING:
            kind = helper.tensor_dtype_to_np_dtype(node.attribute[0].t.data_type)
            data = random.normal(scale=0.1, size=numpy_helper.to_array(dims[node.input[0]])).astype(kind)
            model.graph.initializer.append(numpy_helper.from_array(data, node.output[0]))
            weights += 1
        elif not node.output or node.output[0] not in dims:
            nodes.append(node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model, weights


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.glob("*.onnx")):
        onnx.save(stripped(onnx.load(path)), target / path.name)
