"""What nodes imply of the sizes of others: random graphs whose inputs have symbols of their own, held against runs.

Each axis of three matrices has a symbol, and the nodes mostly run only where some of these are equal: products,
squeezed axes, entries that are gathered. onnxruntime runs each graph with many sizes, half of them drawn at will, zero
among them. Whatever `shape infer` says must be so in each run that succeeds, and a graph that it refuses may not run.

Concat and targets that are computed are left out: by onnxruntime a tensor without elements is joined to any other, and
an entry of a target that comes out as 0 copies a dimension.
"""

import argparse
import random
import tempfile
from pathlib import Path

import command
import expressions
import numpy
import onnx
import onnxruntime
import runtime
import summary
from onnx import TensorProto, helper, numpy_helper

SEED, COUNT, DRAWS = 20261123, 1000, 40
INPUTS = {name: (f"s{2 * at}", f"s{2 * at + 1}") for at, name in enumerate("abc")}
SYMBOLS = [symbol for symbols in INPUTS.values() for symbol in symbols]
LARGEST = 2**62
TARGETS = ([-1, 2], [2, -1], [0, -1], [1, -1], [2, 3], [0, 3], [-1, 1])


def graph(draw):
    """A graph of a few nodes, each value of which is an output."""
    values, nodes, constants = list(INPUTS), [], []

    def constant(numbers):
        name = f"k{len(constants)}"
        constants.append(numpy_helper.from_array(numpy.array(numbers, numpy.int64), name))
        return name

    def node(op_type, inputs, output, **attributes):
        nodes.append(helper.make_node(op_type, inputs, [output] if isinstance(output, str) else output, **attributes))

    def sliced(one, out, start, end):
        node("Slice", [one, constant([start]), constant([end]), constant([draw.randint(0, 1)])], out)

    def squeezed(one, out):
        node("Squeeze", [one, constant([draw.randint(0, 1)])], out + "q")
        node("Unsqueeze", [out + "q", constant([draw.randint(0, 1)])], out)

    def through(first, second, one, other, out, **attributes):
        node(first, one, out + "i")
        node(second, [each or out + "i" for each in other], out, **attributes)

    kinds = (
        lambda x, y, out: node("MatMul", [x, y], out),
        lambda x, y, out: node("Gemm", [x, y], out, transA=draw.randint(0, 1), transB=draw.randint(0, 1)),
        lambda x, y, out: node("Add", [x, y], out),
        lambda x, y, out: node("Relu", [x], out),
        lambda x, y, out: node("Transpose", [x], out),
        lambda x, y, out: node("Gather", [x, constant([draw.choice([0, -1, 1])])], out, axis=draw.randint(0, 1)),
        lambda x, y, out: node("Reshape", [x, constant(draw.choice(TARGETS))], out),
        lambda x, y, out: node("Split", [x], [out, out + "z"], axis=draw.randint(0, 1), num_outputs=2),
        lambda x, y, out: sliced(x, out, draw.choice([1, 2, -2]), LARGEST),
        lambda x, y, out: sliced(x, out, 0, draw.choice([-1, 1, 3])),
        lambda x, y, out: squeezed(x, out),
        lambda x, y, out: through("Shape", "Expand", [y], [x, None], out),
        lambda x, y, out: through("Greater", "Where", [x, y], [None, x, y], out),
        lambda x, y, out: through("NonZero", "Cast", [x], [None], out, to=TensorProto.FLOAT),
    )
    for at in range(draw.randint(3, 9)):
        draw.choice(kinds)(draw.choice(values), draw.choice(values), f"v{at}")
        values.append(f"v{at}")
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, dims) for name, dims in INPUTS.items()]
    outputs = [helper.make_empty_tensor_value_info(name) for each in nodes for name in each.output]
    made = helper.make_graph(nodes, "equal", inputs, outputs, constants)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


def sizes(draw, at, told):
    """Sizes at will, mostly the same, or such as the findings ask for."""
    drawn = {symbol: draw.choice([0, 1, 1, 2, 2, 3, 4]) for symbol in SYMBOLS}
    if at % 2:
        same = draw.choice([1, 2, 3])
        drawn = {symbol: size if draw.random() < 0.3 else same for symbol, size in drawn.items()}
    if at % 4 == 3:
        for finding in told:
            wanted = finding["expected"]
            drawn[finding["found"]] = int(wanted) if wanted.isdigit() else drawn.get(wanted, 1)
    return drawn


def contradictions(answer, arrays, bound):
    numbers = expressions.with_fresh(answer, arrays, bound)
    for value in answer["values"]:
        array = arrays.get(value["name"])
        if array is None or value["dims"] is None:
            continue
        if len(value["dims"]) != array.ndim:
            yield f"`{value['name']}` has rank {len(value['dims'])}, and {array.ndim} in a run"
            continue
        pairs = [*zip(value["dims"], array.shape), *zip(value["value"] or (), array.flatten().tolist())]
        for entry, found in pairs:
            try:
                expected = expressions.known(entry, numbers)
            except ZeroDivisionError:
                continue
            if expected not in (None, found):
                yield f"`{value['name']}`: {entry} is {expected}, and {found} in a run with {bound}"


def problems(draw, path):
    """What is wrong with one graph; how many runs succeeded, and whether sizes are equal in all of them."""
    onnx.save(graph(draw), path)
    answer = command.infer(path)
    told = [finding for finding in answer["findings"] if finding["code"] == "symbols-equal"]
    refused = [finding["message"] for finding in answer["findings"] if finding["severity"] == "error"]
    found, ran = [], 0
    try:
        session = runtime.session(path)
    except Exception:  # noqa: BLE001: a graph that it refuses says nothing of sizes
        return found, ran, bool(told)
    names = [output.name for output in session.get_outputs()]
    for at in range(DRAWS):
        bound = sizes(draw, at, told)
        filled = numpy.random.default_rng(at)
        given = {name: (filled.random([bound[symbol] for symbol in dims]) > 0.3).astype(numpy.float32)
                 for name, dims in INPUTS.items()}
        try:
            arrays = dict(zip(names, session.run(names, given)))
        except Exception:  # noqa: BLE001: these sizes do not fit
            continue
        ran += 1
        if refused:
            return [f"refused, and runs with {bound}: {refused[0]}"], ran, bool(told)
        found += contradictions(answer, {**given, **arrays}, bound)
    return found[:3], ran, bool(told)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="not used: what is written is written for the time of the run")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    options = parser.parse_args()
    onnxruntime.set_default_logger_severity(runtime.SILENT)
    bad, runs, equal = [], 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        for at in range(options.count):
            try:
                found, ran, has_equal = problems(random.Random(f"{options.seed} {at}"), Path(scratch) / "equal.onnx")
            except command.Broken as error:
                found, ran, has_equal = [f"the command: {error}"], 0, False
            bad += [f"graph {at}: {what}" for what in found]
            runs += ran
            equal += has_equal
    print(f"{options.count} graphs, {equal} of them with symbols that must be equal, {runs} runs that succeeded")
    summary.close("equal sizes", options.count - len({what.split(':')[0] for what in bad}), bad)


if __name__ == "__main__":
    main()
