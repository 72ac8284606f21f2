"""The node cases of the installed onnx package, written as test-case folders and run by `shape test`.

No case may fail. How many are right by their elements, by their dimensions alone, and how many cannot be judged, and
why, is in `backend_cases.json`, of which the tests make a table in `COVERAGE.md`; `--record` writes the file, and a run
without it fails where less is judged than it says. The package holds its node cases as Python and no longer as files,
so that they have to be written first.
"""

import argparse
import json
import re
import warnings
from collections import Counter
from pathlib import Path

import command
import onnx
import summary
from onnx import OptionalProto, TensorProto, numpy_helper
from onnx.backend.test.case.node import collect_testcases

RECORD = Path(__file__).parent / "backend_cases.json"
# So that none is lost in silence.
CASES = 1884
# What `shape test` says, the better one first.
OUTCOMES = ["pass", "dims", "skip"]
# What stands in the way of judging a case, without the names that differ from case to case.
PLACE = re.compile(r"^test_data_set_\d+: |`[^`]*` ")


def serialized(value, info):
    kind = info.type.WhichOneof("value")
    if isinstance(value, TensorProto):
        return value.SerializeToString()
    if kind == "sequence_type":
        return numpy_helper.from_list(value, info.name).SerializeToString()
    if kind == "optional_type":
        element = info.type.optional_type.elem_type.WhichOneof("value")
        kinds = {"tensor_type": OptionalProto.TENSOR, "sequence_type": OptionalProto.SEQUENCE}
        return numpy_helper.from_optional(value, info.name, kinds[element]).SerializeToString()
    return numpy_helper.from_array(value, info.name).SerializeToString()


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
            (data / f"{side}_{index}.pb").write_bytes(serialized(value, info))
    return folder


def cases():
    with warnings.catch_warnings():
        # The cases of all operators are computed on the way, and some are meant to overflow.
        warnings.simplefilter("ignore")
        # Once for all: asked a second time, the package has none left.
        collected = collect_testcases("")
    assert len(collected) == CASES, f"onnx {onnx.__version__} has {len(collected)} cases, not {CASES}"
    return collected


def record(counts, reasons):
    lines = ",\n".join(f"    {json.dumps(why)}: {count}" for why, count in sorted(reasons.items()))
    totals = json.dumps({outcome: counts[outcome] for outcome in OUTCOMES})
    RECORD.write_text(f'{{\n  "cases": {CASES},\n  "totals": {totals},\n  "not judged": {{\n{lines}\n  }}\n}}\n')


def held(counts):
    """Where less is judged than is recorded."""
    totals = json.loads(RECORD.read_text())["totals"]
    for at in range(1, len(OUTCOMES)):
        better = OUTCOMES[:at]
        least, now = (sum(numbers[outcome] for outcome in better) for numbers in (totals, counts))
        if now < least:
            yield f"{now} cases are {' or '.join(better)}, and {least} are recorded"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, help="where the cases are written")
    parser.add_argument("--record", action="store_true", help="write backend_cases.json")
    options = parser.parse_args()
    folders = [write(case, options.folder) for case in cases()]
    try:
        found = command.cases(folders)
    except command.Broken as error:
        # Nothing is known of any of them then.
        summary.close("backend cases", 0, [str(error)])
    counts = Counter(case["outcome"] for case in found)
    reasons = Counter(PLACE.sub("", case["detail"]) for case in found if case["outcome"] == "skip")
    problems = [f"{case['name']}: {case['detail']}" for case in found if case["outcome"] not in OUTCOMES]
    print(", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES))
    if options.record and not problems:
        record(counts, reasons)
    problems += held(counts)
    summary.close("backend cases", len(found) - len(problems), problems)


if __name__ == "__main__":
    main()
