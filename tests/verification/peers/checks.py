"""Checks, here and in onnx, in turns: medians, their ratios, the goals, and with --record a row of the history."""

import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx
import recorded
from onnx import TensorProto, checker, helper

from reshape import median, medians

OPSET, IR = 21, 10
TURNS = 3
LENGTHS = [1_000, 10_000, 100_000]
WEIGHTS, WEIGHT = 125, 4_000_000
FASTER_LOOKUP, FASTER_NODE, FASTER_MODEL, LINEAR = 100, 10, 10, 2
BENCHES = pathlib.Path(__file__).parents[3] / "shape-core/benches"


def model(nodes, given, initializers=()):
    info = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", 64])
    graph = helper.make_graph(nodes, "g", [info(given)], [info(nodes[-1].output[0])], list(initializers))
    return helper.make_model(graph, ir_version=IR, opset_imports=[helper.make_opsetid("", OPSET)])


def chain(length):
    """Relu, Neg and LeakyRelu in turn."""
    kinds = [("Relu", {}), ("Neg", {}), ("LeakyRelu", {"alpha": 0.1})]
    made = []
    for index in range(length):
        op_type, attributes = kinds[index % 3]
        made.append(helper.make_node(op_type, [f"v{index}"], [f"v{index + 1}"], f"n{index}", **attributes))
    return model(made, "v0")


def weighty(folder, external):
    """500 MB of weights, each added to the one value."""
    data = numpy.zeros(WEIGHT // 4, numpy.float32)
    tensors = [onnx.numpy_helper.from_array(data, f"w{index}") for index in range(WEIGHTS)]
    made = [helper.make_node("Shape", [f"w{index}"], [f"s{index}"]) for index in range(WEIGHTS)]
    made.append(helper.make_node("Relu", ["x"], ["y"]))
    path = str(folder / f"weights_{'external' if external else 'inline'}.onnx")
    onnx.save_model(
        model(made, "x", tensors), path, save_as_external_data=external, location="weights.bin", size_threshold=0
    )
    return path


def ours(program, models):
    command = [program, "--bench", *models]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def theirs(models):
    node = helper.make_node(
        "Conv", ["x", "w", "b"], ["y"], dilations=[1, 1], kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2]
    )
    content = node.SerializeToString()
    context = checker.C.CheckerContext()
    context.ir_version, context.opset_imports = IR, {"": OPSET}
    scope = checker.C.LexicalScopeContext()
    checker.C.check_node(content, context, scope)
    found = {
        "lookup": median(lambda: onnx.defs.get_schema("Conv", OPSET, "")),
        "node": median(lambda: checker.C.check_node(content, context, scope)),
        "node_python": median(lambda: checker.check_node(node, context, scope)),
    }
    for path in models:
        found[path] = median(lambda: checker.check_model(path, full_check=True))
    return found


def memory(command):
    return int(subprocess.run(command, capture_output=True, check=True, text=True).stdout) / 1024


THEIR_MEMORY = """
import sys
from onnx import checker
checker.check_model(sys.argv[1], full_check=True)
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM:")))
"""


def main():
    program, record = sys.argv[1], "--record" in sys.argv
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        chains = [str(folder / f"chain_{length}.onnx") for length in LENGTHS]
        for path, length in zip(chains, LENGTHS):
            onnx.save(chain(length), path)
        turns = [(ours(program, chains), theirs(chains)) for _ in range(TURNS)]
        here, there = medians([here for here, _ in turns]), medians([there for _, there in turns])
        rows = [
            ("look-up of a version; `onnx.defs.get_schema`", here["lookup"], there["lookup"], FASTER_LOOKUP),
            ("a node, parsed; `check_node`, from bytes in C++", here["node"], there["node"], FASTER_NODE),
            ("a node, from bytes; the same", here["node_bytes"], there["node"], None),
            ("a node, parsed; `check_node`, from Python", here["node"], there["node_python"], FASTER_NODE),
        ]
        for path in chains:
            name = pathlib.Path(path).stem
            rows.append((f"`{name}`; `check_model(full_check=True)`", here[path], there[path], FASTER_MODEL))
        table = "| what | here | there | ratio | goal |\n|---|---|---|---|---|\n"
        for what, ours_ns, theirs_ns, goal in rows:
            ratio = theirs_ns / ours_ns
            verdict = "" if goal is None else f"{goal}, {'met' if ratio >= goal else 'missed'}"
            table += f"| {what} | {ours_ns:,.0f} ns | {theirs_ns:,.0f} ns | {ratio:.1f} | {verdict} |\n"
        each = [here[path] / length for path, length in zip(chains, LENGTHS)]
        verdict = "met" if max(each) <= LINEAR * each[0] else "missed"
        table += f"| a node of the chains | {', '.join(f'{ns:,.0f}' for ns in each)} ns | | | {LINEAR} times the first, {verdict} |\n"
        for external in (False, True):
            path = weighty(folder, external)
            mine = memory([program, "--memory", path])
            other = memory([sys.executable, "-c", THEIR_MEMORY, path])
            where = "external" if external else "inline"
            table += f"| peak with 500 MB of weights, {where} | {mine:,.1f} MB | {other:,.0f} MB | {other / mine:.1f} | |\n"
            rows.append((f"memory_{where}_mb", mine, other, None))
    print(f"onnx {onnx.__version__}; medians of {TURNS} turns\n\n{table}")
    if record:
        write(table, rows)


def write(table, rows):
    recorded.replace(BENCHES / "README.md", "checks", table.splitlines())
    recorded.append(BENCHES / "history/checks.csv", ((what, f"{here:.1f}", f"{there:.1f}") for what, here, there, _ in rows))


if __name__ == "__main__":
    main()
