"""Runs a folder of cases in onnxruntime, on the CPU and without optimisations.

    onnxruntime_runner.py CASES OUT

A case runs in a process that was forked for some of them, and is forked again when it dies or gives no answer in time.
"""

import argparse
import json
import multiprocessing
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

LIMIT = 20
# onnxruntime gives these to numpy as the integers that hold them.
HELD = {"tensor(bfloat16)": TensorProto.BFLOAT16, "tensor(float8e4m3fn)": TensorProto.FLOAT8E4M3FN,
        "tensor(float8e5m2)": TensorProto.FLOAT8E5M2, "tensor(float8e4m3fnuz)": TensorProto.FLOAT8E4M3FNUZ,
        "tensor(float8e5m2fnuz)": TensorProto.FLOAT8E5M2FNUZ}
NAMES = {number: name.lower() for name, number in TensorProto.DataType.items()}


def input_value(path, kind):
    """The value of a file, as onnxruntime takes it."""
    if kind.startswith("tensor("):
        proto = onnx.load_tensor(str(path))
        array = numpy_helper.to_array(proto)
        if kind in HELD:
            held = array.view(np.uint16 if kind == "tensor(bfloat16)" else np.uint8)
            return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(np.ascontiguousarray(held), proto.data_type)
        return array
    if kind.startswith("seq("):
        sequence = onnx.SequenceProto()
        sequence.ParseFromString(path.read_bytes())
        return numpy_helper.to_list(sequence)
    optional = onnx.OptionalProto()
    optional.ParseFromString(path.read_bytes())
    return numpy_helper.to_optional(optional)


def output_proto(value, name, kind):
    """The message for an output, and its type and dims as the results have them."""
    if isinstance(value, list):
        return numpy_helper.from_list(value, name), {"name": name, "type": kind, "dims": [len(value)]}
    array = np.asarray(value)
    if kind in HELD:
        proto = helper.make_tensor(name, HELD[kind], array.shape, array.tobytes(), raw=True)
    else:
        proto = numpy_helper.from_array(array, name)
    return proto, {"name": name, "type": f"tensor({NAMES[proto.data_type]})", "dims": list(array.shape)}


def run(folder, case, out):
    """What onnxruntime makes of a case."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    answer = {"case": case["name"], "outcome": "ran", "message": "", "outputs": []}
    try:
        session = onnxruntime.InferenceSession(str(folder / case["name"] / "model.onnx"), options,
                                               providers=["CPUExecutionProvider"])
        data = folder / case["name"] / "test_data_set_0"
        feeds = {each["name"]: input_value(data / f"input_{at}.pb", each["type"]) for at, each in enumerate(case["inputs"])}
        held = any(isinstance(value, onnxruntime.OrtValue) for value in feeds.values())
        kinds = [output.type for output in session.get_outputs()]
        names = [output.name for output in session.get_outputs()]
        if held:
            feeds = {name: value if isinstance(value, onnxruntime.OrtValue) else onnxruntime.OrtValue.ortvalue_from_numpy(value)
                     for name, value in feeds.items()}
            values = [value.numpy() for value in session.run_with_ort_values(names, feeds)]
        else:
            values = session.run(None, feeds)
        for at, (value, name, kind) in enumerate(zip(values, names, kinds)):
            proto, said = output_proto(value, name, kind)
            (out / case["name"]).mkdir(exist_ok=True)
            (out / case["name"] / f"output_{at}.pb").write_bytes(proto.SerializeToString())
            answer["outputs"].append(said)
    except Exception as error:  # whatever it raises is how it refuses
        answer.update(outcome="refused", message=str(error), outputs=[])
    return answer


def work(pipe, folder, out):
    """Runs the cases that come through a pipe."""
    while (case := pipe.recv()) is not None:
        pipe.send(run(folder, case, out))


def started(folder, out):
    """A process that runs cases, and the pipe to it."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, folder, out), daemon=True)
    process.start()
    theirs.close()
    return process, ours


def ended(process, case, outcome):
    """Ends a process that gave no answer, and says how it ended."""
    if outcome == "hung":
        process.kill()
    process.join()
    message = f"no answer in {LIMIT} s" if outcome == "hung" else f"exit code {process.exitcode}"
    return {"case": case["name"], "outcome": outcome, "message": message, "outputs": []}


def main():
    """Runs every case of a folder."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("cases", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    cases = json.loads((args.cases / "manifest.json").read_text())["cases"]
    process, pipe = started(args.cases, args.out)
    results = []
    for case in cases:
        try:
            pipe.send(case)
            outcome = "" if pipe.poll(LIMIT) else "hung"
            results.append(pipe.recv() if not outcome else ended(process, case, outcome))
        except (EOFError, OSError):
            outcome = "crashed"
            results.append(ended(process, case, outcome))
        if outcome:
            process, pipe = started(args.cases, args.out)
    pipe.send(None)
    results = {"schema_version": 1, "runtime": {"name": "onnxruntime", "version": onnxruntime.__version__}, "results": results}
    (args.out / "results.json").write_text(json.dumps(results))


if __name__ == "__main__":
    main()
