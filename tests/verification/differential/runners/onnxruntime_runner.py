"""Runs a folder of cases in onnxruntime, on the CPU and without optimisations.

    onnxruntime_runner.py CASES OUT
"""

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto

import runner

# onnxruntime gives these to numpy as the integers that hold them.
HELD = {"tensor(bfloat16)": TensorProto.BFLOAT16, "tensor(float8e4m3fn)": TensorProto.FLOAT8E4M3FN,
        "tensor(float8e5m2)": TensorProto.FLOAT8E5M2, "tensor(float8e4m3fnuz)": TensorProto.FLOAT8E4M3FNUZ,
        "tensor(float8e5m2fnuz)": TensorProto.FLOAT8E5M2FNUZ}


def input_value(path, kind):
    """The value of a file, as onnxruntime takes it."""
    value = runner.value_of(path, kind)
    if kind not in HELD:
        return value
    held = value.view(np.uint16 if kind == "tensor(bfloat16)" else np.uint8)
    return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(held, onnx.load_tensor(str(path)).data_type)


def run(model, case, data):
    """The outputs of a case."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    feeds = {each["name"]: input_value(data / f"input_{at}.pb", each["type"]) for at, each in enumerate(case["inputs"])}
    kinds = [output.type for output in session.get_outputs()]
    names = [output.name for output in session.get_outputs()]
    if any(isinstance(value, onnxruntime.OrtValue) for value in feeds.values()):
        feeds = {name: value if isinstance(value, onnxruntime.OrtValue) else onnxruntime.OrtValue.ortvalue_from_numpy(value)
                 for name, value in feeds.items()}
        values = [value.numpy() for value in session.run_with_ort_values(names, feeds)]
    else:
        values = session.run(None, feeds)
    for value, name, kind in zip(values, names, kinds):
        yield runner.proto_of(value, name, kind, HELD.get(kind))


if __name__ == "__main__":
    runner.main(__doc__.split("\n", 1)[0], "onnxruntime", onnxruntime.__version__, run)
