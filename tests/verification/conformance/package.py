"""Answers as `command` does, but by the Python package `onnxspec` in this process: what the command would print as JSON.

So what is held against upstream's tests through the command is held against them through the package too, with the same
rulings, and no process is started for a call.
"""

import onnxspec


def finding(found):
    node = found.node and {"op_type": found.node.op_type}
    return {"code": found.code, "severity": found.severity, "message": found.message, "node": node}


def value(known):
    dims = None if known.dims is None else list(known.dims)
    row = {"name": known.name, "type": known.type, "dims": dims}
    return {**row, "graph": known.graph} if known.graph else row


def check(path):
    """The findings of a check; the exception of `check_model` has the errors among them, and only those."""
    findings = onnxspec.open(path).findings
    try:
        onnxspec.check_model(path)
        raised = ()
    except onnxspec.ValidationError as error:
        raised = error.findings
    if list(raised) != list(findings.errors):
        raise AssertionError(f"check_model raises {raised}, and the findings are {findings}")
    return {"findings": [finding(found) for found in findings]}


def infer(path):
    """What is known of the values, with the errors that the strict inference raises."""
    opened = onnxspec.open(path)
    try:
        onnxspec.infer_shapes(path, strict_mode=True)
        raised = ()
    except onnxspec.InferenceError as error:
        raised = error.findings
    symbols = [{"name": name} for name in opened.fresh_symbols]
    return {
        "values": [value(known) for known in opened.values],
        "symbols": symbols,
        "findings": [finding(found) for found in raised],
    }


def convert(path, opset, target):
    try:
        converted = onnxspec.convert_version(path, int(opset))
    except onnxspec.ConvertError as error:
        return {"findings": [finding(found) for found in error.findings]}
    with open(target, "wb") as file:
        file.write(converted)
    return {"findings": []}


def run(name, path, *options, unreadable=False):
    """The exit code and the answer of a command, from the package."""
    try:
        match name, options:
            case "check", ():
                answer = check(path)
            case "infer", ():
                answer = infer(path)
            case "convert", ("--opset", opset, "-o", target):
                answer = convert(path, opset, target)
            case _:
                raise AssertionError(f"no answer to {name} {options}")
    except (onnxspec.ModelError, OverflowError) as error:
        if not unreadable:
            raise
        return 2, str(error)
    errors = [found for found in answer["findings"] if found["severity"] == "error"]
    return int(bool(errors)), answer
