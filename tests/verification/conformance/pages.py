#!/usr/bin/env python3
"""Writes the pages of what the steps recorded: INFER.md, CONVERT.md and SUITES.md, each from the files that its first line
names. It takes nothing but Python.

    python3 pages.py            writes the pages, as each step with `--record` does
    python3 pages.py --check    ends with 1 where a page is not what its data say
"""

import argparse
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
WIDTH = 160
COMMAND = "tests/verification/conformance/pages.py"

INFER = """# Inference beside the onnx package

Written by `{command}` from `infer.json`, `infer_corpus.json`, `other_corpora.json` and `runtime_operators.json`; edit these, not \
this page.
`run infer --record`, `run infer_corpus --record` and `run runtime_operators --record` measure anew and write them.

## Node cases

The package's node cases with every declared output shape taken away, inferred by `shape infer` and by
`onnx.shape_inference` (strict, with data propagation), output by output, and held against the tensors that the cases
record.

- exact: both know every dimension; equal: both know the same part of them.
- stronger: more is known here than there; weaker: less, or something else. Whatever is weaker is listed by the first
  operator to blame, with the reason that `shape infer` gives.
- wrong: contradicts a recorded tensor, or refuses the model.

What the package says and the tensors contradict counts there as nothing known.

{cases}

## Whole models beside other tools

Models that exporters wrote, with random weights and open axes. onnxruntime runs each twice with different sizes and
keeps every value; what a tool says of a value must be so in both runs. Known are numbers and expressions over the
symbols of the inputs, fresh what needs a symbol that the tool made; wrong is what a run contradicts. The last column
counts the values that the tool knows and `shape` does not.

The models of `corpus` were written by `export_corpus.py`, and `strip_models.py` left out their weights; `--corpus FOLDER`
takes others, such as `export_models.py` writes. A tool that the Python environment does not have is left out, and so is
the crate onnx-runtime-shape-inference without `RIVALS`, the program of `../peers/rivals`.

{models}

## Operators that onnxruntime registers on its own

Random valid nodes of each version (`runtime_nodes/`), with a symbol for each size, inferred by `shape infer`,
`onnxruntime.tools.symbolic_shape_infer` and onnx-shape-inference of PyPI, and held against the dimensions of two nodes with
other sizes: those of a run where onnxruntime has a kernel for the CPU, those of its own inference otherwise. What a tool
fails on counts as unknown.

{operators}
"""

CONVERT = """# Conversion beside the onnx package

Written by `{command}` from `convert.json`; edit that, not this page.
`run convert --all --reference --record` measures anew and writes it.

The node cases of nine releases of the onnx package, converted by `shape convert` and by the package's converter to the
opsets at which the versions of their operators begin and end, and run before and after.

- same: onnxruntime gives the same to the bit, in type, dimensions and elements. evaluated: so does the evaluator of the
  package, where onnxruntime has no kernel; it is asked only for versions of which it gets every case right.
- kernel: the nodes are the same, and onnxruntime's kernels for the two versions differ within the tolerance of the
  package's backend tests. rewritten: other nodes compute the same within it.
- recorded: one of the two models cannot be run, and the other gives what the case records, or what the other engine
  gives for the first, within the tolerance.
- unknown: nothing can run both, the outputs are random, or a ruling (`conversion_rulings.py`) claims the complaint.
- refused; invalid: the package's full check refuses the result; wrong: other outputs, or it does not run.

The package is asked where the command refuses, and with `--reference` always.

{totals}

Of the {possible} conversions that the package does right, {refused} are refused here ({share:.2f} %).

## Refused here, and converted rightly by the package

{alone}

## Faults of the converter of onnx {onnx}

{faults}
"""

SUITES = """# Upstream's own tests

Written by `{command}` from `suites.json`; edit that, not this page.
`run suites --record` measures anew and writes it.

- same: both refuse, or both accept and know the same, and a conversion computes the same; stronger: more is known here.
- by ruling: every difference is claimed by a ruling, named below.
- weaker: less is known here; refused: an error here, and none there; let pass: an error there, and none here; wrong:
  another type, another dimension, or a conversion that computes something else.

Tests that ask nothing of inference, checker and converter are not counted.

{files}

{rulings}
"""


def data(name):
    """What a step recorded."""
    return json.loads((HERE / name).read_text())


def write(name, content):
    """Writes a record: what fits a line stands on one."""
    (HERE / name).write_text(shown(content) + "\n")


def shown(content, indent=""):
    """A record as JSON; Python's own puts each entry on a line, or all on one."""
    line, deeper = json.dumps(content, ensure_ascii=False), indent + "  "
    if len(indent) + len(line) < WIDTH or not isinstance(content, dict | list):
        return line
    if isinstance(content, dict):
        lines = [f"{deeper}{json.dumps(key, ensure_ascii=False)}: {shown(part, deeper)}" for key, part in content.items()]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    return "[\n" + ",\n".join(deeper + shown(part, deeper) for part in content) + f"\n{indent}]"


def table(head, rows):
    """A table in Markdown."""
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    return "\n".join(lines + [f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in row)} |" for row in rows])


def summed(counts):
    """Counts added up, key by key."""
    counts = list(counts)
    return {key: sum(count[key] for count in counts) for key in counts[0]}


def cases(found):
    """The outputs of the node cases, by what the package knows of them."""
    total = summed(found["counts"].values())
    rows = [(there, sum(count.values()), *count.values()) for there, count in found["counts"].items()]
    rows.append((f"all of {found['models']} models", sum(total.values()), *total.values()))
    told = table([f"onnx {found['onnx']} knows", "outputs", *total], rows)
    if found["weaker"]:
        weaker = ((name, count, why) for name, (count, why) in found["weaker"].items())
        told += "\n\n" + table(["weaker at", "outputs", "because"], weaker)
    return told


def models(corpora):
    """A row for each corpus and tool."""
    rows = []
    for corpus in corpora:
        what = f"{corpus['models']} {corpus['what']}"
        for tool, counts in corpus["tools"].items():
            rows.append((what, tool, *counts.values()))
            what = ""
    head = ["models", "tool", "known", "fresh", "unknown", "wrong", "models failed", "known there and not here"]
    return "\n\n".join([table(head, rows), *(corpus["note"] for corpus in corpora if "note" in corpus)])


def operators(found):
    """A row for each domain, and one for each tool."""
    rows = [(name, count["run"] + count["inferred"], count["run"], count["inferred"]) for name, count in found["domains"].items()]
    there = table(["domain", "versions", "run by onnxruntime", "inferred by it alone"], rows)
    rows = [(tool, *counts.values()) for tool, counts in found["tools"].items()]
    head = [f"outputs of {len(found['known'])} versions", "known", "fresh", "unknown", "wrong"]
    return there + "\n\n" + table([*head, "versions with every output known or fresh"], rows)


def conversions(found):
    """The totals: a row for each kind of model and each converter."""
    rows = []
    for variant, sides in found["totals"].items():
        for who, key in (("`shape convert`", "here"), (f"onnx {found['onnx']}", "there")):
            rows.append((f"{variant}: {who}", sum(sides[key].values()), *sides[key].values()))
    outcomes = next(iter(found["totals"].values()))["here"]
    return table([f"conversions of {found['cases']} models", "all", *outcomes], rows)


def suites(found):
    """A row for each file of tests, and one for each ruling."""
    rows = [(name, sum(row.values()), *row.values()) for name, row in found["files"].items()]
    total = summed(found["files"].values())
    files = table(["tests", "run", *total], [*rows, ("all", sum(total.values()), *total.values())])
    rulings = ((name, each["claimed"], each["why"]) for name, each in found["rulings"].items())
    return {"files": files, "rulings": table(["ruling", "tests", "because"], rulings)}


def convert(found):
    alone = sum(row[1] for row in found["refused alone"])
    return {
        "totals": conversions(found), "possible": found["possible"], "refused": alone,
        "share": 100 * alone / max(found["possible"], 1), "onnx": found["onnx"],
        "alone": table(["step", "conversions", "because", "such as"], found["refused alone"]),
        "faults": table(["step", "conversions", "what", "such as"], found["faults"]),
    }  # fmt: skip


def pages():
    """Each page and its text."""
    corpora = [data("infer_corpus.json")["beside"], *data("other_corpora.json")]
    infer = {
        "cases": cases(data("infer.json")),
        "models": models(corpora),
        "operators": operators(data("runtime_operators.json")),
    }
    texts = (
        ("INFER.md", INFER, infer),
        ("CONVERT.md", CONVERT, convert(data("convert.json"))),
        ("SUITES.md", SUITES, suites(data("suites.json"))),
    )
    for name, text, parts in texts:
        yield HERE / name, text.format(command=COMMAND, **parts)


def write_pages():
    for path, text in pages():
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--check", action="store_true", help="write nothing, and end with 1 where a page is out of date")
    if not parser.parse_args().check:
        write_pages()
        return
    stale = [path.name for path, text in pages() if not path.exists() or path.read_text() != text]
    if stale:
        sys.exit(f"{', '.join(stale)}: not what the data say; `{COMMAND}` writes them")


if __name__ == "__main__":
    main()
