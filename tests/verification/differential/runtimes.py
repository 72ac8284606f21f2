"""Runs the conformance suites of two opsets in the runtimes that have a runner, and writes RUNTIMES.md.

    SHAPE=shape python runtimes.py --runners DIR [--work DIR]

DIR has the programs `tract-runner` and `rten-runner`; the runners in Python run with this interpreter. What onnxruntime and
the reference evaluator agree on is what is expected of elements.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
OPSETS = (21, 17)
PYTHON = {"onnxruntime": "onnxruntime_runner.py", "reference": "reference_runner.py"}
RUST = {"tract": "tract-runner", "rten": "rten-runner"}
INTRODUCTION = """# What runtimes make of the conformance suite

`shape suite -o suite --opset N` writes cases for each operator version in force at an opset, `shape suite expect` adds the
elements that onnxruntime and the reference evaluator of onnx agree on, and `shape suite judge` gives these tables. A cell is how many
of the valid cases of a version pass: they ran, and types, dimensions and, where they are known, elements are as expected.

What does not pass is refused, most of the time: a runtime has no kernel for a type, which is no fault, or for a rank or a value of an
attribute. `shape suite judge` lists these choices for each version, and each case that is wrong with what is expected. Doubles
are held as floats by rten, and judged as doubles. What two implementations agree on is evidence, and no definition: where a page
leaves a result open, such as a cast of a number that the type does not have, a third one may be right as well.

`runtimes.py` writes this page.
"""


def run(command, **options):
    """Runs a command, whose exit code may say that there are findings."""
    done = subprocess.run(list(map(str, command)), check=False, capture_output=True, text=True, **options)
    if done.returncode > 1:
        sys.exit(f"{command}: {done.stderr[-2000:]}")
    return done.stdout


def tables(shape, runners, work, opset):
    """The tables of an opset, and the cases that are wrong in each runtime."""
    suite = work / f"suite_{opset}"
    made = json.loads(run([shape, "suite", "-o", suite, "--opset", opset, "--format", "json"]))
    results = {}
    for name, script in PYTHON.items():
        results[name] = work / f"{name}_{opset}"
        run([sys.executable, HERE / "runners" / script, suite, results[name]])
    for name, program in RUST.items():
        results[name] = work / f"{name}_{opset}"
        run([runners / program, suite, results[name]])
    agreed = json.loads(run([shape, "suite", "expect", suite, *(results[name] for name in PYTHON), "--format", "json"]))
    table = run([shape, "suite", "judge", suite, *results.values(), "--format", "markdown"])
    judged = json.loads(run([shape, "suite", "judge", suite, *results.values(), "--format", "json"]))
    yield f"\n## Opset {opset}\n"
    yield (f"{made['valid']:,} valid and {made['invalid']:,} invalid cases of {len(made['versions'])} versions. Elements of "
           f"{agreed['by_rules']:,} outputs follow from rules; on {agreed['to_the_bit']:,} the two agree to the bit, on "
           f"{agreed['within_a_tolerance']:,} within a tolerance, and on {agreed['disputed']:,} they do not agree.\n")
    sums, versions = table.split("\n\n", 1)
    yield sums + "\n"
    yield versions.rstrip()
    yield "\nCases that are wrong:\n"
    for each in judged["runtimes"]:
        wrong = [failed for version in each["versions"] for failed in version["failed"] if failed["verdict"].startswith("wrong")]
        for failed in wrong:
            yield f"- {each['runtime']['name']}, `{failed['case']}`: {failed['message']}"


def main():
    """Writes the page."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--runners", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, help="a folder for suites and results; a temporary one without it")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = args.work or pathlib.Path(scratch)
        lines = [line for opset in OPSETS for line in tables(os.environ["SHAPE"], args.runners, work, opset)]
    (HERE / "RUNTIMES.md").write_text(INTRODUCTION + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
