"""The tools that are compared, each as one function, and the processes of their own that they run in.

A tool takes a model, its inputs and the options of a fault, and gives its outputs, or raises: that is a refusal. Tools that
make a model of a model are judged by what onnxruntime computes from theirs.
"""

import ctypes
import json
import multiprocessing
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import warnings

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

SECONDS, BYTES = 20, 8 << 30
RUNNERS = ("tract", "rten", "candle", "burn")
HERE = pathlib.Path(__file__).parent


class Invalid(Exception):
    """A tool made a model of a valid one that is not."""


def type_name(number):
    return TensorProto.DataType.Name(number).lower()


def element_type(array):
    return type_name(helper.np_dtype_to_tensor_dtype(array.dtype)) if array.dtype != object else "string"


def described(value):
    """A value that was computed, as the register writes it."""
    if value is None:
        return {"type": "optional"}
    if isinstance(value, (list, tuple)):
        return {"type": "seq", "items": [described(item) for item in value]}
    if isinstance(value, dict):
        return {"type": "map", "items": sorted(map(str, value.items()))}
    array = numpy.asarray(value)
    name = "string" if array.dtype.kind in "OUS" else element_type(array)
    return {"type": name, "dims": list(array.shape), "data": array}


def declared(kind):
    """A type of a graph, with "?" for a dimension that is not known, and without dims for a rank that is not."""
    which = kind.WhichOneof("value")
    if which is None:
        return {"type": "unknown"}
    if which != "tensor_type":
        return {"type": which.removesuffix("_type").replace("sequence", "seq")}
    tensor = kind.tensor_type
    found = {"type": type_name(tensor.elem_type)}
    if tensor.HasField("shape"):
        found["dims"] = [d.dim_value if d.HasField("dim_value") else d.dim_param or "?" for d in tensor.shape.dim]
    return found


def untyped(model):
    """What was declared of the outputs would hide what is inferred."""
    bare = onnx.ModelProto()
    bare.CopyFrom(model)
    for output in bare.graph.output:
        output.ClearField("type")
    del bare.graph.value_info[:]
    return bare


def inference(model, inputs, options):
    made = onnx.shape_inference.infer_shapes(
        untyped(model), check_type=True, strict_mode=options.get("strict", True), data_prop=True
    )
    return [declared(output.type) for output in made.graph.output]


def symbolic(model, inputs, options):
    import onnx_ir
    import onnx_shape_inference

    read = onnx_ir.from_proto(untyped(model))
    made = onnx_shape_inference.infer_symbolic_shapes(read, policy=options.get("policy", "refine"))
    return [declared(output.type) for output in onnx_ir.to_proto(made).graph.output]


def checked(model, inputs, options):
    onnx.checker.check_model(model, full_check=True)
    return []


def evaluated(model, inputs, options):
    from onnx.reference import ReferenceEvaluator

    return [described(value) for value in ReferenceEvaluator(model).run(None, inputs)]


def runtime_value(onnxruntime, value):
    plain = not isinstance(value, numpy.ndarray) or value.dtype.kind in "OUS" or value.dtype.isbuiltin == 1
    if plain:
        return value
    return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(value, helper.np_dtype_to_tensor_dtype(value.dtype))


def run_session(model, inputs, options):
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    level = {"none": "DISABLE_ALL", "basic": "ENABLE_BASIC", "extended": "ENABLE_EXTENDED", "all": "ENABLE_ALL"}
    settings.graph_optimization_level = getattr(
        onnxruntime.GraphOptimizationLevel, "ORT_" + level[options.get("level", "none")]
    )
    session = onnxruntime.InferenceSession(model.SerializeToString(), settings, providers=["CPUExecutionProvider"])
    names = {value.name for value in session.get_inputs()}
    feeds = {name: runtime_value(onnxruntime, value) for name, value in inputs.items() if name in names}
    return [described(value) for value in session.run(None, feeds)]


def run_openvino(model, inputs, options):
    import openvino

    core = openvino.Core()
    settings = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32", "EXECUTION_MODE_HINT": "ACCURACY"}
    read = core.read_model(model.SerializeToString())
    compiled = core.compile_model(read, "CPU", settings)
    request = compiled.create_infer_request()
    # A value that is passed through bears the name of the output alone, so that the name does not tell the input.
    initializers = {tensor.name for tensor in model.graph.initializer}
    names = [value.name for value in model.graph.input if value.name not in initializers]
    given = {port: inputs[name] for port, name in zip(compiled.inputs, names)}
    found = request.infer(given)
    # The arrays are views of memory that goes with the request.
    return [described(numpy.array(found[port])) for port in compiled.outputs]


def as_constants(model, inputs):
    """The model with its inputs as initializers, which is what there is to be folded."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    made.ir_version = max(made.ir_version, 4)
    kept = []
    for value in made.graph.input:
        if value.type.HasField("tensor_type") and isinstance(inputs.get(value.name), numpy.ndarray):
            made.graph.initializer.append(numpy_helper.from_array(inputs[value.name], value.name))
        else:
            kept.append(value)
    del made.graph.input[:]
    made.graph.input.extend(kept)
    return made


def rewritten(rewrite):
    """A tool that makes models, from the function that does."""

    def run(model, inputs, options):
        made = rewrite(as_constants(model, inputs) if options.get("constants") else model, options)
        if "contains" in options:
            made_text = onnx.printer.to_text(made)
            return [{"type": "text", "contains": options["contains"] in made_text}]
        try:
            onnx.checker.check_model(made, full_check=True)
        except Exception as error:
            raise Invalid(f"the checker: {error}") from error
        try:
            return run_session(made, inputs, {})
        except Exception as error:
            raise Invalid(f"onnxruntime: {error}") from error

    return run


def convert(model, options):
    return onnx.version_converter.convert_version(model, options["to"])


def simplified(model, options):
    import onnxsim

    made = onnxsim.simplify(model)
    return made[0]


def slimmed(model, options):
    import onnxslim

    return onnxslim.slim(model)


TOOLS = {
    "onnx inference": inference,
    "onnx checker": checked,
    "onnx version converter": rewritten(convert),
    "onnx reference evaluator": evaluated,
    "onnxruntime": run_session,
    "onnxsim": rewritten(simplified),
    "onnxslim": rewritten(slimmed),
    "onnx-shape-inference": symbolic,
    "openvino": run_openvino,
}


def attempt(tool, model, inputs, options):
    """What a tool does with a model, in this process."""
    try:
        return {"outcome": "ran", "outputs": TOOLS[tool](model, inputs, options)}
    except Invalid as error:
        return {"outcome": "invalid", "message": str(error)}
    except BaseException as error:
        outcome = "crashed" if type(error).__name__ == "PanicException" else "refused"
        while error.__cause__ is not None:
            error = error.__cause__
        return {"outcome": outcome, "message": f"{type(error).__name__}: {error}"}


def serve(channel):
    """The loop of a process that runs what it is sent."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")
    numpy.seterr(all="ignore")
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    while True:
        try:
            tool, content, inputs, options = channel.recv()
        except EOFError:
            return
        answer = attempt(tool, onnx.ModelProto.FromString(content), inputs, options)
        try:
            channel.send(answer)
        except Exception as error:
            channel.send({"outcome": "refused", "message": f"its result cannot be sent: {error}"})


class Worker:
    """A process that runs tools, which is replaced when it dies or does not answer."""

    def __init__(self, seconds=SECONDS):
        self.seconds, self.process = seconds, None

    def start(self):
        context = multiprocessing.get_context("fork")
        self.channel, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.channel.close()
            self.process = None

    def run(self, tool, model, inputs, options=None):
        if self.process is None:
            self.start()
        try:
            self.channel.send((tool, model.SerializeToString(), inputs, options or {}))
            if not self.channel.poll(self.seconds):
                self.stop()
                return {"outcome": "hung", "message": f"no answer in {self.seconds} seconds"}
            return self.channel.recv()
        except (EOFError, ConnectionError, BrokenPipeError):
            self.process.join(5)
            code = self.process.exitcode
            self.stop()
            name = signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"
            return {"outcome": "crashed", "message": name}


def read_value(content, kind):
    """The value of a file of a test case."""
    if kind.startswith("seq"):
        return numpy_helper.to_list(onnx.SequenceProto.FromString(content))
    if kind.startswith("optional"):
        return numpy_helper.to_optional(onnx.OptionalProto.FromString(content))
    return numpy_helper.to_array(TensorProto.FromString(content))


def read_case(folder, case):
    """The model and the inputs of a case of a manifest."""
    place = folder / case["name"]
    model = onnx.load(place / "model.onnx")
    data = place / "test_data_set_0"
    inputs = {
        value["name"]: read_value((data / f"input_{index}.pb").read_bytes(), value["type"])
        for index, value in enumerate(case["inputs"])
    }
    return model, inputs


def write_case(folder, model, inputs):
    """One case as a runner takes it: `folder` with a manifest."""
    place = folder / "case"
    data = place / "test_data_set_0"
    data.mkdir(parents=True)
    onnx.save(model, place / "model.onnx")
    values = []
    for index, value in enumerate(model.graph.input):
        proto = numpy_helper.from_array(inputs[value.name], value.name)
        (data / f"input_{index}.pb").write_bytes(proto.SerializeToString())
        kind = declared(value.type)
        values.append({"name": value.name, "type": f"tensor({kind['type']})", "dims": list(inputs[value.name].shape)})
    outputs = []
    for value in model.graph.output:
        kind = declared(value.type)
        outputs.append({"name": value.name, "type": f"tensor({kind['type']})", "dims": None})
    node = model.graph.node[0]
    case = {
        "name": "case", "kind": "node", "valid": True, "code": None, "domain": node.domain or "ai.onnx",
        "operator": node.op_type, "version": 0, "opset": model.opset_import[0].version, "inputs": values, "outputs": outputs,
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps({"schema_version": 1, "seed": 0, "cases": [case]}))


def run_apart(program, model, inputs):
    """A runner that is a program of its own, on one model; None where it is not built."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        write_case(folder, model, inputs)
        made = folder / "results"
        subprocess.run([program, folder, made], capture_output=True, timeout=3 * SECONDS, check=False)
        (result,) = json.loads((made / "results.json").read_text())["results"]
        outputs = []
        for index, value in enumerate(result.get("outputs") or []):
            path = made / "case" / f"output_{index}.pb"
            if path.exists():
                outputs.append(described(read_value(path.read_bytes(), "tensor")))
            else:
                outputs.append({"type": value["type"].removeprefix("tensor(").removesuffix(")"), "dims": value["dims"]})
        return {"outcome": result["outcome"], "message": result.get("message") or "", "outputs": outputs}


if __name__ == "__main__":
    print("\n".join(TOOLS), file=sys.stderr)
