"""Random models of one Shape node, through `shape infer` and through the inference engine of the onnx package.

Each is decided twice. What `shape` says must be exactly what the rulings make of the model, as `expected.py` has them:
the codes of all findings and, where none is an error, the output's type, dimensions and elements. And where it differs
from the onnx package, one of `rulings.py` must claim the difference. A ruling that claims nothing in a whole run has
lost its reason, which is a failure too.
"""

import argparse
import dataclasses
import shutil
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import command
import generator
import onnx
import sample as samples
import summary
from expected import NAMES, expected
from rulings import Difference, all_rulings, claimed_by
from upstream import UNOBSERVED, upstream

SEED = 20260101
COUNT = generator.MATRIX + 2000


def frozen(items):
    return None if items is None else tuple(items)


class Ours:
    """The answer of `shape infer`, in the terms of the other two."""

    def __init__(self, answer):
        values = {value["name"]: value for value in answer["values"]}
        y = values.get("y", {})
        findings = answer["findings"]
        self.codes = frozenset(finding["code"] for finding in findings)
        self.errors = frozenset(finding["code"] for finding in findings if finding["severity"] == "error")
        self.x = frozen(values.get("x", {}).get("dims"))
        self.type = y.get("type")
        self.dims = frozen(y.get("dims"))
        self.elements = frozen(y.get("value"))


def against_rulings(ours, wanted):
    """What `shape` says and the rulings do not, as texts."""
    if ours.codes != wanted.codes:
        return [f"findings: {sorted(ours.codes)}, by the rulings {sorted(wanted.codes)}"]
    if ours.errors != wanted.errors:
        return [f"errors: {sorted(ours.errors)}, by the rulings {sorted(wanted.errors)}"]
    if wanted.errors:
        return []
    return [
        f"{aspect}: {getattr(ours, aspect)}, by the rulings {getattr(wanted, aspect)}"
        for aspect in ("x", "type", "dims", "elements")
        if getattr(ours, aspect) != getattr(wanted, aspect)
    ]


def differences(ours, theirs):
    """Where `shape` and the onnx package differ."""
    if theirs.refused is not None:
        return [] if ours.errors else [Difference("refused", None, theirs.refused)]
    if ours.errors:
        return [Difference("error", code, None) for code in sorted(ours.errors)]
    name = None if theirs.type is None else NAMES[theirs.type - 1]
    pairs = [("type", ours.type, name), ("dims", ours.dims, theirs.dims)]
    if theirs.elements != UNOBSERVED:
        # Where only the number of elements is known, the reference may have as many unknown ones.
        blank = theirs.elements is not None and (len(theirs.elements),) == ours.dims and not any(theirs.elements)
        pairs.append(("elements", ours.elements, None if ours.elements is None and blank else theirs.elements))
    return [Difference(aspect, left, right) for aspect, left, right in pairs if left != right]


def decide(sample, path):
    """The problems of one model, as texts, and the rulings that it needed."""
    try:
        ours = Ours(command.infer(path))
    except command.Broken as error:
        return [f"the command: {error}"], set()
    problems = against_rulings(ours, expected(sample))
    # Compared is what the reference says of the domain's empty name, the one that it knows.
    short = dataclasses.replace(sample, node_domain="")
    theirs = upstream(short)
    found = differences(ours, theirs)
    if short != sample and (spelled := upstream(sample)) != theirs:
        found.append(Difference("spelling", theirs, spelled))
    claims = set()
    for difference in found:
        ruling = claimed_by(sample, difference, theirs)
        if ruling is None:
            problems.append(f"{difference.aspect}: {difference.ours}, by the onnx package {difference.theirs}")
        else:
            claims.add(ruling)
    return problems, claims


def keep(failures, number, path, sample, problems):
    """Moves the model to where it can be looked at, and tells of it."""
    failures.mkdir(parents=True, exist_ok=True)
    kept = failures / path.name
    shutil.copyfile(path, kept)
    told = "\n".join(f"    {problem}" for problem in problems)
    print(f"model {number}, kept as {kept}:\n{told}\n{samples.show(sample)}\n", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("failures", type=Path, help="where models that fail are kept")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--only", type=int, help="the number of one model")
    options = parser.parse_args()
    numbers = range(options.count) if options.only is None else [options.only]
    shutil.rmtree(options.failures, ignore_errors=True)

    counted = Counter()
    failed = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:

        def one(number):
            sample = generator.sample(options.seed, number)
            path = Path(folder, f"{number:05}.onnx")
            path.write_bytes(samples.model(sample).SerializeToString())
            return sample, path, *decide(sample, path)

        for number, (sample, path, problems, claims) in zip(numbers, pool.map(one, numbers), strict=True):
            counted.update(claims)
            if problems:
                keep(options.failures, number, path, sample, problems)
                failed.append(f"model {number}: {problems[0]}")
            path.unlink()

    for ruling in all_rulings():
        print(f"{counted[ruling.id]:5}  {ruling.id}: {ruling.why}")
    passed = len(numbers) - len(failed)
    if options.only is None and options.seed == SEED and options.count == COUNT:
        failed += [f"the ruling {ruling.id} claimed nothing" for ruling in all_rulings() if not counted[ruling.id]]
    print(f"onnx {onnx.__version__}, seed {options.seed}, {sum(counted.values())} differences by ruling")
    summary.close("random models", passed, failed)


if __name__ == "__main__":
    main()
