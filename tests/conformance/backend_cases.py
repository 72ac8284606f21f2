"""The eleven Shape cases of the installed onnx package, written as test-case folders and run by `shape test`.

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

EXPECTED = 11


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


def main():
    parent = Path(sys.argv[1])
    with warnings.catch_warnings():
        # The cases of all operators are computed on the way, and some are meant to overflow.
        warnings.simplefilter("ignore")
        cases = [case for case in collect_testcases("Shape") if case.name.startswith("test_shape")]
    assert all(node.op_type == "Shape" for case in cases for node in case.model.graph.node)
    assert len(cases) == EXPECTED, f"onnx {onnx.__version__} has {len(cases)} Shape cases, not {EXPECTED}"
    folders = [write(case, parent) for case in cases]
    try:
        problems = command.test(folders)
    except command.Broken as error:
        # Nothing is known of any of them then.
        problems = [f"{folder.name}: {error}" for folder in folders]
    summary.close("backend cases", len(folders) - len(problems), problems)


if __name__ == "__main__":
    main()
