"""A plugin of pytest: what the tests hand to the onnx package, and what it makes of it, call by call.

The tests run with the package as it is. `RECORDED_CALLS` names the file that the calls are written to, a pickle of
plain values.
"""

import os
import pickle
from functools import wraps

import onnx
import onnx.checker
import onnx.shape_inference
import onnx.version_converter
from google.protobuf.message import Message

# Module, function, and the names of its arguments in their order.
FUNCTIONS = [
    (onnx.checker, "check_model", ["full_check", "skip_opset_compatibility_check", "check_custom_domain"]),
    (onnx.checker, "check_graph", ["ctx"]),
    (onnx.checker, "check_node", ["ctx"]),
    (onnx.checker, "check_function", ["ctx"]),
    (onnx.checker, "check_attribute", ["ctx"]),
    (onnx.checker, "check_tensor", ["ctx"]),
    (onnx.checker, "check_sparse_tensor", ["ctx"]),
    (onnx.checker, "check_value_info", ["ctx"]),
    (onnx.shape_inference, "infer_shapes", ["check_type", "strict_mode", "data_prop"]),
    (
        onnx.shape_inference,
        "infer_node_outputs",
        ["node", "input_types", "input_data", "input_sparse_data", "opset_imports", "ir_version"],
    ),
    (onnx.shape_inference, "infer_function_output_types", ["input_types", "attributes"]),
    (onnx.version_converter, "convert_version", ["target_version"]),
]

calls, outcomes = [], {}
# The test that runs, how deep in recorded functions, and the operators that tests have registered.
current, depth, registered = None, 0, set()


def plain(value):
    """A value without types of the package, but for messages, which become their bytes."""
    if isinstance(value, Message):
        return value.SerializeToString()
    if isinstance(value, onnx.checker.C.CheckerContext):
        return {"ir_version": value.ir_version, "opset_imports": dict(value.opset_imports)}
    if isinstance(value, onnx.defs.OpSchema):
        return {"domain": value.domain, "name": value.name, "since_version": value.since_version}
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)) or hasattr(value, "MergeFrom"):
        return [plain(each) for each in value]
    return value if isinstance(value, (bool, int, str, bytes, type(None))) else repr(value)


def subject_of(value):
    """The kind and the bytes of what a call is about; a model may be a path or bytes."""
    if isinstance(value, Message):
        return type(value).__name__, value.SerializeToString()
    if isinstance(value, (str, os.PathLike)):
        try:
            with open(value, "rb") as file:
                return "ModelProto", file.read()
        except OSError:
            return "path", None
    return ("ModelProto", value) if isinstance(value, bytes) else (type(value).__name__, plain(value))


def recorded(function, names):
    @wraps(function)
    def call(subject, *arguments, **options):
        global depth
        if depth or current is None:
            return function(subject, *arguments, **options)
        given = {**dict(zip(names, arguments)), **options}
        kind, data = subject_of(subject)
        entry = {
            "test": current,
            "function": function.__name__,
            "kind": kind,
            "subject": data,
            "options": {name: plain(value) for name, value in given.items()},
            "registered": sorted(registered),
            "returned": None,
            "raised": None,
        }
        calls.append(entry)
        depth += 1
        try:
            returned = function(subject, *arguments, **options)
        except Exception as error:
            entry["raised"] = f"{type(error).__name__}: {error}"
            raise
        finally:
            depth -= 1
        entry["returned"] = plain(returned)
        return returned

    return call


def registering(function, note):
    @wraps(function)
    def call(*arguments):
        note(*arguments)
        return function(*arguments)

    return call


for module, name, names in FUNCTIONS:
    setattr(module, name, recorded(getattr(module, name), names))
onnx.defs.register_schema = registering(
    onnx.defs.register_schema, lambda schema: registered.add((schema.domain, schema.name))
)
onnx.defs.deregister_schema = registering(
    onnx.defs.deregister_schema, lambda name, version, domain: registered.discard((domain, name))
)


def pytest_runtest_logstart(nodeid, location):
    global current
    current = nodeid


def pytest_runtest_logreport(report):
    worst = ("failed", "skipped", "passed")
    outcomes[report.nodeid] = min(outcomes.get(report.nodeid, "passed"), report.outcome, key=worst.index)


def pytest_sessionfinish(session, exitstatus):
    with open(os.environ["RECORDED_CALLS"], "wb") as file:
        pickle.dump({"calls": calls, "outcomes": outcomes}, file)
