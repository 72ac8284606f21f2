"""Reshape, timed here and in other engines, in turns: medians of all rounds, their ratios, and the goals."""

import json
import statistics
import subprocess
import sys
import time

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, shape_inference

OPSET, IR = 21, 10
TURNS = 5
# A round is as many calls as take about so long.
ROUND = 0.02
ROUNDS = 9
FASTER_INFERENCE, FASTER_RUN, EQUAL = 50, 100, 1.5
SMALL, LARGE = 4096, 400 << 20


def median(call):
    """The median of the nanoseconds that a call takes."""

    def timed(calls):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        return time.perf_counter() - start

    calls = 1
    while (took := timed(calls)) < ROUND and calls < 1 << 20:
        calls = max(calls * 2, int(calls * ROUND / max(took, 1e-9) / 2))
    return statistics.median(timed(calls) / calls * 1e9 for _ in range(ROUNDS))


def chain(length):
    """A model of so many Reshapes in a row, [N,3,4] -> [-1,12] and back."""
    there = helper.make_tensor("there", TensorProto.INT64, [2], [-1, 12])
    back = helper.make_tensor("back", TensorProto.INT64, [3], [-1, 3, 4])
    nodes = [
        helper.make_node("Reshape", [f"v{index}", "back" if index % 2 else "there"], [f"v{index + 1}"])
        for index in range(length)
    ]
    graph = helper.make_graph(
        nodes,
        "chain",
        [helper.make_tensor_value_info("v0", TensorProto.FLOAT, ["N", 3, 4])],
        [helper.make_tensor_value_info(f"v{length}", TensorProto.FLOAT, None)],
        [there, back],
    )
    return helper.make_model(graph, ir_version=IR, opset_imports=[helper.make_opsetid("", OPSET)])


def inference(onnx_model):
    """The engine's own call: a serialized model in, a serialized model out, no Python between."""
    content = onnx_model.SerializeToString()
    infer = shape_inference.C.infer_shapes
    assert infer(content, False, True, True)
    return lambda: infer(content, False, True, True)


def through_python(onnx_model):
    return lambda: shape_inference.infer_shapes(onnx_model, strict_mode=True, data_prop=True)


class Session:
    """One Reshape of so many bytes, loaded, its data in place."""

    def __init__(self, size):
        target = helper.make_tensor("t", TensorProto.INT64, [2], [-1, 16])
        graph = helper.make_graph(
            [helper.make_node("Reshape", ["x", "t"], ["y"])],
            "one",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, [16, None])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
            [target],
        )
        model = helper.make_model(graph, ir_version=IR, opset_imports=[helper.make_opsetid("", OPSET)])
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        self.data = numpy.ones((16, size // 64), numpy.float32)

    def run(self):
        """The plain call, with what Python adds to it."""
        return lambda: self.session.run(None, {"x": self.data})

    def bound(self):
        """Input and output bound beforehand to memory of this process: as little beside the run as there can be."""
        binding = self.session.io_binding()
        given = onnxruntime.OrtValue.ortvalue_from_numpy(self.data)
        made = onnxruntime.OrtValue.ortvalue_from_shape_and_type([self.data.shape[1], 16], numpy.float32)
        binding.bind_ortvalue_input("x", given)
        binding.bind_ortvalue_output("y", made)
        # The binding refers to both and owns neither.
        self.kept = binding, given, made
        return lambda: self.session.run_with_iobinding(binding)


def ours(program):
    return json.loads(subprocess.run([program, "--bench"], capture_output=True, check=True, text=True).stdout)


def theirs(small, large):
    one, thousand = chain(1), chain(1001)
    a_node = (median(inference(thousand)) - median(inference(one))) / 1000
    return {
        "one-node model, bytes to bytes": median(inference(one)),
        "one-node model, through Python": median(through_python(one)),
        "each further node": a_node,
        "run, 4 KB, memory bound before": median(small.bound()),
        "run, 4 KB, through Python": median(small.run()),
        "run, 400 MB, memory bound before": median(large.bound()),
    }


def medians(turns):
    return {name: statistics.median(turn[name] for turn in turns) for name in turns[0]}


def table(here, there):
    """What is compared: a text, the nanoseconds here and there, and how many times faster the goal is."""
    numbers, symbols, small = here["node_numbers"], here["node_symbols"], here["evaluate_4_kb"]
    model, python = there["one-node model, bytes to bytes"], there["one-node model, through Python"]
    run, python_run = there["run, 4 KB, memory bound before"], there["run, 4 KB, through Python"]
    return [
        ("a node's inference, numbers; onnx: a one-node model, bytes to bytes", numbers, model, FASTER_INFERENCE),
        ("a node's inference, symbols; onnx: the same", symbols, model, FASTER_INFERENCE),
        ("a node's inference, symbols; onnx: the same through Python", symbols, python, FASTER_INFERENCE),
        ("a node's inference, symbols; onnx: each further node", symbols, there["each further node"], None),
        ("a one-node model, from bytes; onnx: bytes to bytes", here["model_symbols"], model, None),
        ("a run on 4 KB; onnxruntime: memory bound before", small, run, FASTER_RUN),
        ("a run on 4 KB; onnxruntime: through Python", small, python_run, FASTER_RUN),
        ("a run on 400 MB", here["evaluate_400_mb"], there["run, 400 MB, memory bound before"], FASTER_RUN),
    ]


def main():
    small, large = Session(SMALL), Session(LARGE)
    # In turns, so that what else the machine does falls on all.
    turns = [(ours(sys.argv[1]), theirs(small, large)) for _ in range(TURNS)]
    here, there = medians([here for here, _ in turns]), medians([there for _, there in turns])

    print(f"onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}; medians of {TURNS} turns, in nanoseconds\n")
    print(f"{'':<70} {'here':>8} {'there':>12} {'ratio':>9}")
    for what, ours_ns, theirs_ns, goal in table(here, there):
        ratio = theirs_ns / ours_ns
        verdict = "" if goal is None else f"  goal {goal}: {'met' if ratio >= goal else 'MISSED'}"
        print(f"{what:<70} {ours_ns:>8,.0f} {theirs_ns:>12,.0f} {ratio:>9,.1f}{verdict}")
    ratio = here["evaluate_400_mb"] / here["evaluate_4_kb"]
    verdict = "met" if 1 / EQUAL <= ratio <= EQUAL else "MISSED"
    print(f"\n400 MB take {ratio:.2f} times as long as 4 KB here; goal equal, within {EQUAL}: {verdict}")


if __name__ == "__main__":
    main()
