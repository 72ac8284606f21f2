"""The node cases of the installed onnx package for each operator, written as test-case folders and run by `shape test`.

The package holds its node cases as Python and no longer as files, so that they have to be written first.
"""

import sys
import warnings
from pathlib import Path

import command
import onnx
import summary
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

# How many there are of an operator, so that none is lost in silence.
EXPECTED = {"Shape": 11, "Reshape": 10}


def write(case, parent):
    folder = parent / case.name
    ((inputs, outputs),) = case.data_sets
    data = folder / "test_data_set_0"
    data.mkdir(parents=True, exist_ok=True)
    onnx.save(case.model, folder / "model.onnx")
    for side, values, declared in (
        ("input", inputs, case.model.graph.input),
        ("output", outputs, case.model.graph.output),
    ):
        for index, (value, info) in enumerate(zip(values, declared, strict=True)):
            tensor = numpy_helper.from_array(value, info.name)
            (data / f"{side}_{index}.pb").write_bytes(tensor.SerializeToString())
    return folder


def cases():
    """Those whose model is one node of an operator that is described, and nothing else."""
    with warnings.catch_warnings():
        # The cases of all operators are computed on the way, and some are meant to overflow.
        warnings.simplefilter("ignore")
        # Once for all: asked a second time, the package has none left.
        collected = collect_testcases("")
    found = {op_type: [] for op_type in EXPECTED}
    for case in collected:
        match [node.op_type for node in case.model.graph.node]:
            case [op_type] if op_type in EXPECTED:
                found[op_type].append(case)
    numbers = {op_type: len(cases) for op_type, cases in found.items()}
    assert numbers == EXPECTED, f"onnx {onnx.__version__} has {numbers} cases, not {EXPECTED}"
    return [case for cases in found.values() for case in cases]


def main():
    parent = Path(sys.argv[1])
    folders = [write(case, parent) for case in cases()]
    try:
        problems = command.test(folders)
    except command.Broken as error:
        # Nothing is known of any of them then.
        problems = [f"{folder.name}: {error}" for folder in folders]
    summary.close("backend cases", len(folders) - len(problems), problems)


if __name__ == "__main__":
    main()
