"""Sessions of onnxruntime: in this process, or in one of another release of it.

As a script it is that other process: each line of its input is a question, and each line of its output the answer. It
imports nothing but onnxruntime, which PYTHONPATH may have in another release than the environment.
"""

import json
import os
import subprocess
import sys

import onnxruntime

SILENT = 4
# What a session says of a node that the schemas of the release do not allow.
INVALID = (
    "Unrecognized attribute",
    "Required attribute",
    "inputs than declared",
    "outputs than declared",
    "not in range",
    "is marked single but has an empty string",
    "Type Error: Type",
    "bound to different types",
    "Mismatched attribute type",
    "Invalid tensor data type",
    "is not a registered function/op",
)
# What it says of an opset that is newer than all it knows.
NEWER = "is under development and support for this is limited"
# What it says of a kernel that is missing, of the node, of one in its function's body, or of float16 that is cast where that
# cannot be.
NO_KERNEL = ("Could not find an implementation", "Failed to find kernel for", "InsertedPrecisionFreeCast")


class Refused(Exception):
    """With what onnxruntime said."""


def session(model):
    """A session without optimizations, of a path or of bytes."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = SILENT
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise Refused(str(error).strip()) from None


class Sessions:
    """A process with a release of onnxruntime, in a folder if it is not that of the environment."""

    def __init__(self, folder=None):
        self.environment = os.environ | ({"PYTHONPATH": str(folder)} if folder else {})
        self.process = None

    def asked(self, question):
        """The answer; None where the question ends the process, as some models do."""
        if self.process is None:
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(
                [sys.executable, __file__], stdin=pipe, stdout=pipe, env=self.environment, text=True
            )
        print(json.dumps(question), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        self.close()
        return None

    def says(self, path):
        """What a session says against the model in a file, and nothing if it opens."""
        told = self.asked({"open": str(path)})
        return "it ends the process" if told is None else told

    def release(self):
        return self.asked({})

    def schemas(self):
        """The schemas of the domains that onnxruntime changes in place, by domain, name and version."""
        return {tuple(key): schema for key, schema in self.asked({"schemas": True})}

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.stdout.close()
            self.process.wait()
            self.process = None


def answer(question):
    if "open" in question:
        try:
            session(question["open"])
        except Refused as error:
            return str(error)
        return ""
    return list(schemas()) if "schemas" in question else onnxruntime.__version__


def schemas():
    from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema

    for schema in get_all_operator_schema():
        if schema.domain == "" or schema.domain.startswith("ai.onnx"):
            continue
        types = {of.type_param_str: sorted(set(of.allowed_type_strs)) for of in schema.type_constraints}
        sides = [
            [(each.name, each.typeStr, each.option.name.lower()) for each in side] for side in (schema.inputs, schema.outputs)
        ]
        attributes = {
            name: (of.type.name, of.required, of._default_value.hex()) for name, of in schema.attributes.items()
        }
        of = {"input": sides[0], "output": sides[1], "attributes": attributes, "types": types}
        of |= {"least": {"input": schema.min_input, "output": schema.min_output}}
        yield (schema.domain, schema.name, schema.since_version), of


def main():
    told = os.fdopen(os.dup(1), "w")
    # What ends the process is also told on stderr, by C++.
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    onnxruntime.set_default_logger_severity(SILENT)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), file=told, flush=True)


if __name__ == "__main__":
    main()
