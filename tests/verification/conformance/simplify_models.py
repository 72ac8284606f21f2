"""Random models with all that `shape simplify` takes away, and with what looks like it and must stay.

They are those of `fold_models.py`, with further element types, opsets down to 9, the nodes of `simplify_nodes.py`, what nothing
reads, functions, and the data about a model that no runtime reads.
"""

import random

import numpy
from fold_models import SYMBOLS, Made
from onnx import StringStringEntryProto, TensorAnnotation, TensorProto, helper, numpy_helper
from simplify_nodes import LOCAL, Builder

OPSETS = range(9, 24)
# What data may be, the commonest several times.
KINDS = [TensorProto.FLOAT] * 4 + [TensorProto.FLOAT16, TensorProto.INT32, TensorProto.INT64, TensorProto.BOOL]


def functions(opset):
    make, imports = helper.make_node, [helper.make_opsetid("", opset)]
    whole = numpy_helper.from_array(numpy.array([-1], dtype=numpy.int64))
    flat = [make("Constant", [], ["t"], value=whole), make("Identity", ["x"], ["i"]), make("Reshape", ["i", "t"], ["y"])]
    same = [make("Shape", ["x"], ["s"]), make("Shape", ["x"], ["u"]), make("Reshape", ["x", "s"], ["y"])]
    bodies = {"Flat": flat, "Same": same, "Nobody": same}
    return [helper.make_function(LOCAL, name, ["x"], ["y"], nodes, imports) for name, nodes in bodies.items()]


COMMON = ("reshape", "expand", "computed_target", "plain", "any_sizes", "transposes", "reshapes", "squeezes", "slices")
RARE = (
    "filled", "choice", "open_choice", "loop", "identity", "dropout", "cast", "concats", "expands", "pads", "tiles", "ranges",
    "lengths", "whole", "again", "weight", "call",
)


def types(builder):
    """The element type and the rank of each value."""
    rank = {name: len(dims) for name, dims in builder.data.items()}
    rank |= {name: elements.ndim for name, elements in builder.sizes.items()}
    return dict.fromkeys(builder.sizes, TensorProto.INT64) | builder.kinds, rank


def described(generator, made, builder):
    """Adds what a model says of itself."""
    graph = made.graph
    note = lambda key: StringStringEntryProto(key=key, value=str(generator.randrange(100)))
    made.doc_string, made.producer_name, made.producer_version = "a model", "exporter", "1.2"
    made.metadata_props.append(note("author"))
    graph.doc_string = "a graph"
    for node in graph.node:
        if generator.random() < 0.3:
            node.doc_string = f"from line {generator.randrange(1000)}"
        if made.ir_version >= 10 and generator.random() < 0.3:
            node.metadata_props.append(note("namespace"))
    values = sorted({*builder.data, *builder.sizes} - {value.name for value in (*graph.input, *graph.output)})
    kinds, rank = types(builder)
    for name in generator.sample(values, min(4, len(values))):
        graph.value_info.append(helper.make_tensor_value_info(name, kinds[name], [None] * rank[name], "a value"))
    for name in generator.sample(values, min(3, len(values))):
        scale = f"{name}_scale"
        graph.initializer.append(numpy_helper.from_array(numpy.array(0.5, numpy.float32), scale))
        pair = [StringStringEntryProto(key="SCALE_TENSOR", value=scale)]
        graph.quantization_annotation.append(TensorAnnotation(tensor_name=name, quant_parameter_tensor_names=pair))
    if made.ir_version >= 10:
        graph.metadata_props.append(note("part"))


def make(seed):
    """The model of a seed."""
    generator = random.Random(seed)
    opset = generator.choice(OPSETS)
    builder = Builder(generator, opset)
    sizes = {symbol: generator.randint(1, 5) for symbol in SYMBOLS}
    inputs = []
    for at in range(generator.randint(1, 3)):
        dims = [generator.choice([*SYMBOLS, *SYMBOLS, 1, 2, 4]) for _ in range(generator.randint(1, 4))]
        kind = generator.choice(KINDS) if at else TensorProto.FLOAT
        inputs.append(helper.make_tensor_value_info(f"x{at}", kind, dims))
        builder.add(f"x{at}", [sizes.get(dim, dim) for dim in dims], kind)
    declared = {dim.dim_param for value in inputs for dim in value.type.tensor_type.shape.dim} - {""}
    if generator.random() < 0.3:
        inputs.append(helper.make_tensor_value_info("flag", TensorProto.BOOL, []))
        builder.flags.append("flag")
    wanted = generator.randint(8, 50)
    while len(builder.nodes) < wanted:
        getattr(builder, generator.choice(COMMON if generator.random() < 0.5 else RARE))()
    given = [name for node in builder.nodes for name in node.output]
    read = {name for node in builder.nodes for name in node.input}
    known = {**builder.data, **builder.sizes}
    # Some of what is not read is not given either.
    kept = [name for name in given if name in known and generator.random() < (0.1 if name in read else 0.8)]
    kept = kept or [name for name in given if name in known][-1:]
    kinds, rank = types(builder)
    outputs = [helper.make_tensor_value_info(name, kinds[name], [None] * rank[name]) for name in kept]
    # Defaults, which a caller may replace.
    if generator.random() < 0.2:
        for tensor in generator.sample(builder.initializers, min(2, len(builder.initializers))):
            inputs.append(helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims)))
    graph = helper.make_graph(builder.nodes, f"seed_{seed}", inputs, outputs, builder.initializers)
    imports = [helper.make_opsetid("", opset)]
    local = functions(opset) if builder.called or generator.random() < 0.2 else []
    if local:
        imports.append(helper.make_opsetid(LOCAL, 1))
    if generator.random() < 0.3:
        imports.append(helper.make_opsetid("ai.onnx.ml", 3))
    made = helper.make_model(graph, opset_imports=imports, ir_version=generator.choice([8, 10]), functions=local)
    described(generator, made, builder)
    return Made(made, {symbol: sizes[symbol] for symbol in SYMBOLS if symbol in declared})
