"""Runs a folder of cases, each in a process that is started again when it ends or gives no answer in time.

A runner in Python gives `main` what runs a case; SUITE.md of the command says what a runner does.
"""

import argparse
import json
import multiprocessing
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

LIMIT = 20
NAMES = {number: name.lower() for name, number in TensorProto.DataType.items()}


def value_of(path, kind):
    """The value of the file of an input: an array, a list of arrays, or what an optional holds."""
    if kind.startswith("tensor("):
        return numpy_helper.to_array(onnx.load_tensor(str(path)))
    if kind.startswith("seq("):
        sequence = onnx.SequenceProto()
        sequence.ParseFromString(path.read_bytes())
        return numpy_helper.to_list(sequence)
    optional = onnx.OptionalProto()
    optional.ParseFromString(path.read_bytes())
    return numpy_helper.to_optional(optional)


def proto_of(value, name, kind, held=None):
    """The message for an output, and its type and dims as the results have them. `held` is the element type of an array that
    holds it as integers."""
    if kind.startswith("optional("):
        return numpy_helper.from_optional(value, name), {"name": name, "type": kind, "dims": None}
    if isinstance(value, list):
        return numpy_helper.from_list(value, name), {"name": name, "type": kind, "dims": None}
    array = np.asarray(value)
    if held is not None:
        proto = helper.make_tensor(name, held, array.shape, array.tobytes(), raw=True)
    else:
        proto = numpy_helper.from_array(array, name)
    return proto, {"name": name, "type": f"tensor({NAMES[proto.data_type]})", "dims": list(array.shape)}


def ran(run, folder, case, out):
    """What a runtime makes of a case: the messages of the outputs, or why it refuses."""
    answer = {"case": case["name"], "outcome": "ran", "message": "", "outputs": []}
    data = folder / case["name"] / "test_data_set_0"
    try:
        for at, (proto, said) in enumerate(run(folder / case["name"] / "model.onnx", case, data)):
            (out / case["name"]).mkdir(exist_ok=True)
            (out / case["name"] / f"output_{at}.pb").write_bytes(proto.SerializeToString())
            answer["outputs"].append(said)
    except Exception as error:  # whatever it raises is how it refuses
        answer.update(outcome="refused", message=f"{type(error).__name__}: {error}"[:2000], outputs=[])
    return answer


def work(pipe, run, folder, out):
    """Runs the cases that come through a pipe."""
    while (case := pipe.recv()) is not None:
        pipe.send(ran(run, folder, case, out))


def started(run, folder, out):
    """A process that runs cases, and the pipe to it."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, run, folder, out), daemon=True)
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


def main(description, name, version, run):
    """Runs every case of a folder with `run(model, case, data)`, which gives pairs of `proto_of` or raises."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("cases", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    cases = json.loads((args.cases / "manifest.json").read_text())["cases"]
    process, pipe = started(run, args.cases, args.out)
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
            process, pipe = started(run, args.cases, args.out)
    pipe.send(None)
    results = {"schema_version": 1, "runtime": {"name": name, "version": version}, "results": results}
    (args.out / "results.json").write_text(json.dumps(results))
