"""Runs the conformance suites of two opsets in the runtimes that have a runner, and writes RUNTIMES.md.

    SHAPE=shape python runtimes.py --runners DIR [--work DIR]

DIR has the programs `tract-runner` and `rten-runner`; the runners in Python run with this interpreter. What all of them agree on
is what is expected of elements. Suites and results that are in the folder of --work are kept.
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

Written by `tests/verification/differential/runtimes.py` from what the runners give for a suite of `shape suite`; edit these, not this page.

`shape suite -o suite --opset N` writes cases for each operator version in force at an opset, `shape suite expect` adds the
elements that all of these runtimes agree on that ran a case, and `shape suite judge` gives these tables. A cell is how many of the valid
cases of a version pass: they ran, and types, dimensions and, where they are known, elements are as expected.

What does not pass is refused, most of the time: a runtime has no kernel for a type, which is no fault, or for a rank or a value of an
attribute. `shape suite judge` lists these choices for each version. Where the runtimes do not agree on elements, nothing is expected of
them, and the last list of each opset says who gives what: one of them may be at fault, or the page leaves the result open, as it does for
two updates of one place, a cast of a number that the type does not have, and what is drawn at random. Doubles are held as floats by rten.
[FOUND.md](FOUND.md) has what was looked into.
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
    if not suite.exists():
        run([shape, "suite", "-o", suite, "--opset", opset])
    cases = json.loads((suite / "manifest.json").read_text())["cases"]
    programs = {name: [sys.executable, HERE / "runners" / script] for name, script in PYTHON.items()}
    programs.update((name, [runners / program]) for name, program in RUST.items())
    results = {name: work / f"{name}_{opset}" for name in programs}
    for name, program in programs.items():
        if not (results[name] / "results.json").exists():
            run([*program, suite, results[name]])
    agreed = json.loads(run([shape, "suite", "expect", suite, *results.values(), "--format", "json"]))
    table = run([shape, "suite", "judge", suite, *results.values(), "--format", "markdown"])
    judged = json.loads(run([shape, "suite", "judge", suite, *results.values(), "--format", "json"]))
    yield f"\n## Opset {opset}\n"
    valid = sum(case["valid"] for case in cases)
    versions = {(case["domain"], case["operator"], case["version"]) for case in cases}
    yield (f"{valid:,} valid and {len(cases) - valid:,} invalid cases of {len(versions)} versions. Elements of "
           f"{agreed['by_rules']:,} outputs follow from rules. Of the others, two runtimes or more agree on "
           f"{agreed['to_the_bit']:,} to the bit and on {agreed['within_a_tolerance']:,} within a tolerance; on "
           f"{agreed['disputed']:,} they do not agree.\n")
    sums, versions = table.split("\n\n", 1)
    yield sums + "\n"
    yield versions.rstrip()
    yield "\nCases that are not as expected:\n"
    for each in judged["runtimes"]:
        wrong = [failed for version in each["versions"] for failed in version["failed"] if failed["verdict"].startswith("wrong")]
        for failed in wrong:
            yield f"- {each['runtime']['name']}, `{failed['case']}`: {failed['message']}"
    yield "\nOutputs whose elements they do not agree on, each with how it differs from the first:\n"
    for dispute in agreed["disputes"]:
        told = [side["by"] + (f" is {side['difference']}" if side["difference"] else "") for side in dispute["sides"]]
        yield f"- `{dispute['case']}`, output {dispute['output']}: {'; '.join(told)}"


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
