#!/usr/bin/env python3
"""Runs the conformance suites of two opsets in the runtimes that have a runner, and writes what came of it: runtimes.json, and
of that RUNTIMES.md.

    SHAPE=shape python runtimes.py --runners DIR [--work DIR]
    python runtimes.py             write RUNTIMES.md alone, from runtimes.json
    python runtimes.py --check     fail if RUNTIMES.md is not what runtimes.json says

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
PAGE, RECORD = HERE / "RUNTIMES.md", HERE / "runtimes.json"
OPSETS = (21, 17)
PYTHON = {"onnxruntime": "onnxruntime_runner.py", "reference": "reference_runner.py"}
RUST = {"tract": "tract-runner", "rten": "rten-runner"}
INTRODUCTION = """# What runtimes make of the conformance suite

Written by `tests/verification/differential/runtimes.py` from `runtimes.json`; edit that, not this page.
`runtimes.py --runners DIR` runs the suites anew and writes it.

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


def rows(table):
    """The cells of a table in Markdown, without the line below its head."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.strip().splitlines()]
    return [lines[0], *lines[2:]]


def measured(shape, runners, work, opset):
    """What came of the suite of an opset."""
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
    sums, versions = run([shape, "suite", "judge", suite, *results.values(), "--format", "markdown"]).split("\n\n", 1)
    judged = json.loads(run([shape, "suite", "judge", suite, *results.values(), "--format", "json"]))
    valid = sum(case["valid"] for case in cases)
    failed = (
        (each["runtime"]["name"], failed)
        for each in judged["runtimes"]
        for version in each["versions"]
        for failed in version["failed"]
    )
    return {
        "valid": valid,
        "invalid": len(cases) - valid,
        "versions": len({(case["domain"], case["operator"], case["version"]) for case in cases}),
        **{key: agreed[key] for key in ("by_rules", "to_the_bit", "within_a_tolerance", "disputed")},
        "sums": rows(sums),
        "passed": rows(versions),
        "wrong": [[name, of["case"], of["message"]] for name, of in failed if of["verdict"].startswith("wrong")],
        "disputes": [
            [
                dispute["case"],
                dispute["output"],
                [side["by"] + (f" is {side['difference']}" if side["difference"] else "") for side in dispute["sides"]],
            ]
            for dispute in agreed["disputes"]
        ],
    }


def shown(content):
    """The record as JSON, each row of it on a line."""
    if isinstance(content, dict):
        return "{\n" + ",\n".join(f"{json.dumps(key)}: {shown(part)}" for key, part in content.items()) + "\n}"
    if isinstance(content, list):
        return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in content) + "\n]"
    return json.dumps(content)


def table(rows):
    """A table in Markdown, numbers to the right."""
    lines = [f"| {' | '.join(row)} |" if row[0] else f"| | {' | '.join(row[1:])} |" for row in rows]
    return [lines[0], "|---" + "|---:" * (len(rows[0]) - 1) + "|", *lines[1:]]


def page(found):
    """The page, of what came of the suite of each opset."""
    lines = []
    for opset, of in found.items():
        lines += [
            f"\n## Opset {opset}\n",
            f"{of['valid']:,} valid and {of['invalid']:,} invalid cases of {of['versions']} versions. Elements of "
            f"{of['by_rules']:,} outputs follow from rules. Of the others, two runtimes or more agree on "
            f"{of['to_the_bit']:,} to the bit and on {of['within_a_tolerance']:,} within a tolerance; on "
            f"{of['disputed']:,} they do not agree.\n",
            *table(of["sums"]), "", *table(of["passed"]),
            "\nCases that are not as expected:\n",
            *(f"- {name}, `{case}`: {message}" for name, case, message in of["wrong"]),
            "\nOutputs whose elements they do not agree on, each with how it differs from the first:\n",
            *(f"- `{case}`, output {output}: {'; '.join(sides)}" for case, output, sides in of["disputes"]),
        ]  # fmt: skip
    return INTRODUCTION + "\n".join(lines) + "\n"


def main():
    """Writes the record, if it runs the suites, and the page."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--runners", type=pathlib.Path, help="run the suites, with the programs of this folder")
    parser.add_argument("--work", type=pathlib.Path, help="a folder for suites and results; a temporary one without it")
    parser.add_argument("--check", action="store_true", help="only say whether RUNTIMES.md is up to date")
    args = parser.parse_args()
    if args.runners:
        with tempfile.TemporaryDirectory() as scratch:
            work = args.work or pathlib.Path(scratch)
            found = {str(opset): measured(os.environ["SHAPE"], args.runners, work, opset) for opset in OPSETS}
        RECORD.write_text(shown(found) + "\n")
    told = page(json.loads(RECORD.read_text()))
    if not args.check:
        PAGE.write_text(told)
    elif PAGE.read_text() != told:
        sys.exit("RUNTIMES.md is not what runtimes.json says: run runtimes.py")


if __name__ == "__main__":
    main()
