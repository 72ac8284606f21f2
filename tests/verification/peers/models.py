"""The models whose inference is measured, made on the spot."""

import pathlib

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET, IR = 21, 10
ROOT = pathlib.Path(__file__).parents[3]
LENGTHS = [100, 1_000, 10_000, 100_000]
QUADRATIC = [1_000, 2_000, 4_000]
REPEATED = 100
WEIGHTS, WEIGHT = 125, 1_000_000


def info(name, dims, elem=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, elem, dims)


def ints(name, *numbers):
    return helper.make_tensor(name, TensorProto.INT64, [len(numbers)], numbers)


def model(nodes, inputs, initializers=(), functions=(), output=None):
    outputs = [output or helper.make_empty_tensor_value_info(nodes[-1].output[0])]
    if not outputs[0].HasField("type"):
        outputs = [info(nodes[-1].output[0], None)]
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers))
    imports = [helper.make_opsetid("", OPSET)] + [helper.make_opsetid("my", 1)] * bool(functions)
    return helper.make_model(graph, ir_version=IR, opset_imports=imports, functions=list(functions))


def shapes(length):
    """Shape, Gather, Unsqueeze, Concat, Reshape: what exporters write around every head, one behind the other."""
    nodes, value = [], "x"
    for at in range(length // 5):
        name = lambda what: f"{what}_{at}"
        nodes += [
            helper.make_node("Shape", [value], [name("shape")], f"/layer.{at}/Shape"),
            helper.make_node("Gather", [name("shape"), "zero"], [name("batch")], f"/layer.{at}/Gather", axis=0),
            helper.make_node("Unsqueeze", [name("batch"), "zeros"], [name("row")], f"/layer.{at}/Unsqueeze"),
            helper.make_node(
                "Concat", [name("row"), "there" if at % 2 else "back"], [name("target")], f"/layer.{at}/Concat", axis=0
            ),
            helper.make_node("Reshape", [value, name("target")], [name("y")], f"/layer.{at}/Reshape"),
        ]
        value = name("y")
    zero = helper.make_tensor("zero", TensorProto.INT64, [], [0])
    return model(nodes, [info("x", ["batch", 12, 64])], [zero, ints("zeros", 0), ints("there", 12, -1), ints("back", 64, -1)])


def heads(count, seq="seq"):
    """Attention's heads split off and put together again, 13 nodes each time: the shape is asked for each dimension before one
    Reshape, as exporters do that trace, and cut before the other."""
    nodes, value = [], "x"
    for at in range(count):

        def node(op_type, inputs, output, **attributes):
            nodes.append(helper.make_node(op_type, inputs, [f"{output}_{at}"], f"/layer.{at}/{output}", **attributes))
            return f"{output}_{at}"

        rows = []
        for index, name in (("zero", "batch"), ("one", "seq")):
            size = node("Gather", [node("Shape", [value], f"{name}_shape"), index], name, axis=0)
            rows.append(node("Unsqueeze", [size, "zeros"], f"{name}_row"))
        split = node("Reshape", [value, node("Concat", [*rows, "split"], "split_dims", axis=0)], "heads")
        active = node("Sigmoid", [split], "active")
        front = node("Slice", [node("Shape", [active], "shape"), "zeros", "twos"], "front")
        value = node("Reshape", [active, node("Concat", [front, "whole"], "whole_dims", axis=0)], "merged")
    numbers = [helper.make_tensor(name, TensorProto.INT64, [], [number]) for name, number in (("zero", 0), ("one", 1))]
    numbers += [ints("zeros", 0), ints("twos", 2), ints("split", 4, 16), ints("whole", 64)]
    return model(nodes, [info("x", ["batch", seq, 64])], numbers, output=info(value, ["batch", seq, 64]))


def activations(length):
    """Relu and Add in turn."""
    bias = numpy_helper.from_array(numpy.ones(64, numpy.float32), "bias")
    nodes = [
        helper.make_node(*(("Add", [f"v{at}", "bias"]) if at % 2 else ("Relu", [f"v{at}"])), [f"v{at + 1}"], f"n{at}")
        for at in range(length)
    ]
    return model(nodes, [info("v0", ["batch", "seq", 64])], [bias])


def ifs(count):
    nodes = []
    for at in range(count):
        branch = lambda op_type: helper.make_graph(
            [helper.make_node(op_type, [f"v{at}"], [f"{op_type}_{at}"])], op_type, [], [info(f"{op_type}_{at}", None)]
        )
        nodes.append(
            helper.make_node("If", ["c"], [f"v{at + 1}"], f"n{at}", then_branch=branch("Relu"), else_branch=branch("Neg"))
        )
    return model(nodes, [info("c", [], TensorProto.BOOL), info("v0", ["N", 64])])


def functions(count):
    """As many local functions, each called once."""
    imports = [helper.make_opsetid("", OPSET)]
    made = [
        helper.make_function("my", f"F{at}", ["a"], ["b"], [helper.make_node("Relu", ["a"], ["b"])], imports)
        for at in range(count)
    ]
    nodes = [helper.make_node(f"F{at}", [f"v{at}"], [f"v{at + 1}"], f"n{at}", domain="my") for at in range(count)]
    return model(nodes, [info("v0", ["N", 64])], functions=made)


def growing(count):
    """A Concat that is one longer than the one before it."""
    nodes = [
        helper.make_node("Concat", [f"v{at}" if at else "one", "one"], [f"v{at + 1}"], f"n{at}", axis=0)
        for at in range(count)
    ]
    return model(nodes, [], [ints("one", 1)], output=info(f"v{count}", None, TensorProto.INT64))


def attention():
    """The attention model behind itself, with the same weights."""
    one = onnx.load(ROOT / "tests/models/attention.onnx")
    (given,), (made,) = one.graph.input, one.graph.output
    shared = {given.name, *(tensor.name for tensor in one.graph.initializer)}
    nodes, value = [], given.name
    for at in range(REPEATED):
        names = lambda name: value if name == given.name else name if name in shared or not name else f"{at}{name}"
        for node in one.graph.node:
            copy = onnx.NodeProto.FromString(node.SerializeToString())
            copy.name = f"{at}{node.name}"
            copy.input[:] = [names(name) for name in node.input]
            copy.output[:] = [f"{at}{name}" for name in node.output]
            nodes.append(copy)
        value = f"{at}{made.name}"
    graph = helper.make_graph(nodes, "g", [given], [info(value, None)], list(one.graph.initializer))
    return helper.make_model(graph, ir_version=one.ir_version, opset_imports=list(one.opset_import))


def weighty(folder, external):
    """500 MB of weights, and a Shape of each."""
    data = numpy.ones(WEIGHT, numpy.float32)
    tensors = [numpy_helper.from_array(data, f"w{at}") for at in range(WEIGHTS)]
    nodes = [helper.make_node("Shape", [f"w{at}"], [f"s{at}"]) for at in range(WEIGHTS)]
    nodes.append(helper.make_node("Relu", ["x"], ["y"]))
    path = folder / f"weights_{'external' if external else 'inline'}.onnx"
    made = model(nodes, [info("x", ["N", 64])], tensors)
    onnx.save_model(made, path, save_as_external_data=external, location="weights.bin", size_threshold=0)
    return path


def light():
    return sorted(pathlib.Path(onnx.__file__).parent.glob("backend/test/data/light/light_*.onnx"))


def write(folder):
    """The files of inference, by what they are called: models of one kind and several lengths."""
    made = {f"shapes, {length:,} nodes": shapes(length) for length in LENGTHS}
    made |= {f"Relu and Add, {length:,} nodes": activations(length) for length in LENGTHS}
    for what, make in (("If", ifs), ("functions", functions), ("growing Concat", growing)):
        made |= {f"{what}, {count:,}": make(count) for count in QUADRATIC}
    paths = {}
    for name, each in made.items():
        paths[name] = folder / f"{len(paths)}.onnx"
        onnx.save(each, paths[name])
    return paths
