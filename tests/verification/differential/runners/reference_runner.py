"""Runs a folder of cases in the reference evaluator of the onnx package.

    reference_runner.py CASES OUT
"""

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

import runner


def run(model, case, data):
    """The outputs of a case."""
    evaluator = ReferenceEvaluator(str(model))
    feeds = {each["name"]: runner.value_of(data / f"input_{at}.pb", each["type"]) for at, each in enumerate(case["inputs"])}
    with np.errstate(all="ignore"):
        values = evaluator.run(None, feeds)
    for value, name, expected in zip(values, evaluator.output_names, case["outputs"]):
        if value is None and not expected["type"].startswith("optional("):
            raise ValueError(f"{name} has no value")
        yield runner.proto_of(value, name, expected["type"])


if __name__ == "__main__":
    runner.main(__doc__.split("\n", 1)[0], "onnx reference evaluator", onnx.__version__, run)
