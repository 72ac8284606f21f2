"""Runs the faults of the register again, and tells which do not show."""

import collections

import numpy
import onnx
from onnx import helper

import tools


def tensor(given):
    dtype = helper.tensor_dtype_to_np_dtype(onnx.TensorProto.DataType.Value(given["type"].upper()))
    return numpy.array(given["data"]).astype(dtype).reshape(given["dims"])


def value(given):
    if "items" in given:
        return [value(item) for item in given["items"]]
    return None if given["type"] == "none" else tensor(given)


def same_data(found, wanted):
    found = numpy.asarray(found)
    if found.dtype.kind in "OUS":
        return [str(item) for item in found.ravel()] == [str(item) for item in wanted]
    left, right = found.ravel().astype(float), numpy.array(wanted, float)
    return left.shape == right.shape and numpy.allclose(left, right, rtol=1e-4, atol=1e-6, equal_nan=True)


def differs(result, expect):
    """What a result is instead of what is expected; None where it is that."""
    if result["outcome"] != expect["outcome"]:
        return f"{result['outcome']}: {result.get('message', '')[:200]}"
    if expect.get("message", "") not in result.get("message", ""):
        return result["message"][:200]
    outputs = result.get("outputs", [])
    for key in ("type", "dims", "contains"):
        if key + "s" in expect or key in expect:
            wanted = expect.get(key + "s", expect.get(key))
            found = [output.get(key, "none") for output in outputs]
            if found != wanted:
                return f"{key} {found}"
    for output, wanted in zip(outputs, expect.get("data", [])):
        if not same_data(output["data"], wanted):
            return f"data {numpy.asarray(output['data']).ravel()[:20]}"
    return None


def run(fault, runners):
    """What the tool of a fault does now; None where the tool is not there."""
    model = onnx.parser.parse_model(fault["model"])
    inputs = {name: value(given) for name, given in fault.get("inputs", {}).items()}
    if fault["tool"] in tools.TOOLS:
        worker = tools.Worker()
        result = worker.run(fault["tool"], model, inputs, fault.get("with", {}))
        worker.stop()
        return result
    program = runners and runners / f"{fault['tool']}-runner"
    return tools.run_apart(program, model, inputs) if program and program.exists() else None


def verify(faults, runners):
    shown, failed, absent = 0, 0, collections.Counter()
    for fault in faults:
        try:
            result = run(fault, runners)
            problem = "absent" if result is None else differs(result, fault["expect"])
        except Exception as error:
            problem = f"it cannot be run: {type(error).__name__}: {error}"
        if problem == "absent":
            absent[fault["tool"]] += 1
        elif problem:
            failed += 1
            print(f"{fault['file']}: {fault['id']}: {problem}")
        else:
            shown += 1
    for tool, count in sorted(absent.items()):
        print(f"{tool}: {count} faults not run, since its runner is not built")
    print(f"register: {shown} passed, {failed} failed")
    return failed == 0
