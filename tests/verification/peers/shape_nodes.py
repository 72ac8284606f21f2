"""Which nodes of a model compute shapes, by the flow of data."""

import onnx
from onnx import TensorProto, inliner, shape_inference
from simplify_checks import graphs_of, inside

SOURCES = ("Shape", "Size")
COUNTED = {
    TensorProto.BOOL, TensorProto.INT8, TensorProto.INT16, TensorProto.INT32, TensorProto.INT64,
    TensorProto.UINT8, TensorProto.UINT16, TensorProto.UINT32, TensorProto.UINT64,
}


def kinds(model):
    """The element type of each value, as far as the onnx package infers it."""
    found = {}
    for graph in inside(shape_inference.infer_shapes(model).graph):
        for info in (*graph.input, *graph.value_info, *graph.output):
            found[info.name] = info.type.tensor_type.elem_type
    return found


def counted(graph, kinds, known):
    """The nodes of a graph, and of those inside of it, that compute shapes; `known` has what follows from shapes and
    constants outside."""
    known = known | {tensor.name for tensor in graph.initializer}
    count = 0
    for node in graph.node:
        inner = list(graphs_of(node))
        count += sum(counted(each, kinds, known) for each in inner)
        follows = node.input and not inner and all(name in known for name in node.input if name)
        if node.op_type == "Constant":
            known.update(node.output)
        elif node.op_type in SOURCES or follows:
            known.update(node.output)
            # What is of floats on the way is not counted, but what is made of it is.
            count += all(kinds.get(name) in COUNTED for name in node.output if name)
    return count


def counts(model):
    """How many nodes compute shapes, and how many there are: a node computes shapes if it gives integers or truth values that
    follow from Shape, Size and constants alone. A Constant computes nothing, and a function counts where it is called."""
    if model.functions:
        model = inliner.inline_local_functions(model)
    total = sum(len(graph.node) for graph in inside(model.graph))
    return counted(model.graph, kinds(model), set()), total


def is_symbolic(model):
    """Whether a dimension of an input is a symbol."""
    return any(dim.dim_param for info in model.graph.input for dim in info.type.tensor_type.shape.dim)


def counts_of(path):
    return counts(onnx.load(path))
