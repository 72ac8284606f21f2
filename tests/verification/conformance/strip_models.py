"""Makes small models of large ones for `infer_corpus.py`.

`strip_models.py FROM TO` writes each model of a folder with its weights left out.

A tensor of floats with more than a few elements becomes the output of a ConstantOfShape with the same type and
dimensions, so that the graph and everything that inference looks at stay, and the model still runs.
"""

import sys
from math import prod
from pathlib import Path

import onnx
from onnx import TensorProto, helper

MOST_ELEMENTS = 64
FLOATS = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE)


def stripped(model):
    kept, nodes = [], []
    inputs = {info.name for info in model.graph.input}
    for tensor in model.graph.initializer:
        if tensor.data_type not in FLOATS or prod(tensor.dims) <= MOST_ELEMENTS or tensor.name in inputs:
            kept.append(tensor)
            continue
        dims = helper.make_tensor("value", TensorProto.INT64, [len(tensor.dims)], tensor.dims)
        name = f"{tensor.name}.dims"
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


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.glob("*.onnx")):
        onnx.save(stripped(onnx.load(path)), target / path.name)
