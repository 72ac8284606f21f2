"""Random models of one operator, through `shape infer`, the inference engine of the onnx package, and onnxruntime.

Each is decided twice. What `shape` says must be exactly what the rulings make of the model, as `expected.py` has them:
the codes of all findings and, where none is an error, the type, dimensions and elements of every value. And where it
differs from the onnx package or from onnxruntime, one of `rulings.py` must claim the difference. A ruling that claims
nothing in a whole run has lost its reason, which is a failure too. What onnxruntime computed is put before `shape test`
in the end.
"""

import argparse
import re
import shutil
import sys
import tempfile
import textwrap
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import command
import expressions
import generator
import reshape_models
import reshape_rulings
import sample as samples
import shape_models
import shape_rulings
import shared_rulings
import summary
from expected import WARNINGS, expected
from rulings import Difference, claimed_by
from runtime import runtime, versions
from schema import NAMES
from upstream import UNOBSERVED, upstream

SEED = 20260101
# How the models of an operator are made, how many beside every opset with every type, and its own rulings.
OPERATORS = {
    "Shape": (shape_models, 2000, shape_rulings.RULINGS),
    "Reshape": (reshape_models, 3000, reshape_rulings.RULINGS),
}


class Quotient(str):
    """Equals anything: the others leave it open, and what it comes to is seen in a run."""

    __hash__ = str.__hash__

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False


def with_quotients(dims):
    return dims and [Quotient(dim) if isinstance(dim, str) and "//" in dim else dim for dim in dims]


def elements(value, answer):
    """The elements, or None where each has a symbol that no dimension has: then nothing is known of them."""
    sizes = {dim for each in answer["values"] for dim in each["dims"] or ()}
    names = expressions.fresh(answer).keys() - sizes
    return None if value["value"] and names.issuperset(value["value"]) else frozen(expressions.of_model(value["value"], answer))


def frozen(items):
    return None if items is None else tuple(items)


class Ours:
    """The answer of `shape infer`, in the terms of the other two, which leave a size open that the model does not name.
    `exact` has the dimensions of `y` with the quotients as texts, for the runtime."""

    def __init__(self, answer):
        exact = {value["name"]: expressions.of_model(value["dims"], answer) for value in answer["values"]}
        self.values = {
            value["name"]: (value["type"], frozen(with_quotients(exact[value["name"]])), elements(value, answer))
            for value in answer["values"]
        }
        self.exact = frozen(exact.get("y"))
        self.type, self.dims, self.elements = self.values.get("y", (None, None, None))
        findings = answer["findings"]
        # That symbols are equal is no fault, and the rulings are on faults.
        self.told = [finding["code"] for finding in findings if finding["code"] != "symbols-equal"]
        self.codes = frozenset(self.told)
        self.errors = frozenset(finding["code"] for finding in findings if finding["severity"] == "error")


def against_rulings(ours, wanted):
    """What `shape` says and the rulings do not, as texts."""
    refusals = Counter(code for code in ours.told if code not in wanted.codes)
    open_sets = sorted(wanted.refusals, key=len)
    matched = 0
    for accepted in open_sets:
        code = next((code for code in sorted(accepted) if refusals[code]), None)
        if code is not None:
            refusals[code] -= 1
            matched += 1
    if matched < len(open_sets) or any(refusals.values()) or not wanted.codes <= ours.codes:
        right = [*sorted(wanted.codes), *(" or ".join(sorted(each)) for each in wanted.refusals)]
        return [f"findings: {sorted(ours.told)}, by the rulings {right}"]
    errors = bool(wanted.codes - WARNINGS or wanted.refusals)
    if errors != bool(ours.errors) or ours.errors & WARNINGS:
        return [f"errors: {sorted(ours.errors)}, by the rulings {'some' if errors else 'none'}"]
    if errors:
        return []
    return [
        f"{name}: {ours.values.get(name)}, by the rulings {right}"
        for name, right in wanted.values.items()
        if differs(ours.values.get(name), right)
    ]


def differs(left, right):
    # A type that is not a tensor is spelled out by `shape`, and is not what is compared here.
    if left is None or (left[0] != right[0] and "(" not in (left[0] or "")):
        return True
    return left[2] != right[2] or not agree(left[1], right[1])


def agree(ours, wanted):
    """Whether the dimensions are those that the rulings give, which do not conclude that a symbol is 0."""
    if ours is None or wanted is None or len(ours) != len(wanted):
        return ours == wanted
    is_empty = [dim == 0 and not isinstance(right, int) for dim, right in zip(ours, wanted)]
    return all(empty or dim == right for empty, dim, right in zip(is_empty, ours, wanted))


def differences(ours, theirs):
    """Where `shape` and the onnx package differ."""
    if theirs.refused is not None:
        return [] if ours.errors else [Difference("refused", None, theirs.refused)]
    if ours.errors:
        return [Difference("error", code, None) for code in sorted(ours.errors)]
    name = None if theirs.type is None else NAMES[theirs.type - 1]
    found = [] if ours.type == name else [Difference("type", ours.type, name)]
    found += by_place("dim", ours.dims, theirs.dims)
    if theirs.elements != UNOBSERVED:
        # Where only the number of elements is known, the reference may have as many unknown ones.
        blank = theirs.elements is not None and (len(theirs.elements),) == ours.dims and not any(theirs.elements)
        found += by_place("element", ours.elements, None if ours.elements is None and blank else theirs.elements)
    return found


def by_place(aspect, ours, theirs):
    """The places that differ, or the whole where they have not as many."""
    if not isinstance(ours, tuple) or not isinstance(theirs, tuple) or len(ours) != len(theirs):
        return [] if ours == theirs else [Difference(f"{aspect}s", ours, theirs)]
    return [Difference(aspect, left, right) for left, right in zip(ours, theirs, strict=True) if left != right]


def number(dim, sizes):
    """The number that a dimension of ours is when the symbols are those."""
    if not isinstance(dim, str):
        return dim
    for name in sorted(sizes, key=len, reverse=True):
        dim = dim.replace(name, str(sizes[name]))
    if not re.fullmatch(r"[-\d+*/ ()]+", dim):
        # It has a symbol that only the output's declaration has.
        return None
    return eval(dim, {"__builtins__": {}})


def runtime_differences(sample, ours, theirs):
    """Where `shape` and onnxruntime differ."""
    if theirs.run is None:
        said = theirs.refused or (theirs.failed if theirs.fixed else None)
        return [] if said is None or ours.errors else [Difference("would not run", None, said)]
    if ours.errors:
        return [Difference("ran", code, theirs.run) for code in sorted(ours.errors)]
    found = []
    dims = None if ours.exact is None else tuple(number(dim, theirs.run.sizes) for dim in ours.exact)
    agree = dims is None or (
        len(dims) == len(theirs.run.dims) and all(a in (None, b) for a, b in zip(dims, theirs.run.dims, strict=True))
    )
    if not agree:
        found.append(Difference("gave", ours.dims, theirs.run))
    if sample.node.op_type == "Reshape" and not theirs.run.kept:
        found.append(Difference("data", None, theirs.run))
    return found


@dataclass(frozen=True)
class Decision:
    """`how` tells what onnxruntime did."""

    problems: list
    claims: set
    how: str
    ours: Ours | None = None


def decide(sample, path, seed, rulings):
    """The problems of one model, as texts, and the rulings that it needed."""
    try:
        ours = Ours(command.infer(path))
    except command.Broken as error:
        return Decision([f"the command: {error}"], set(), "not asked")
    problems = against_rulings(ours, expected(sample))
    # Compared is what the reference says of the domain's empty name, the one that it knows.
    short = samples.change(sample, domain="")
    theirs = upstream(short)
    found = differences(ours, theirs)
    if short != sample and (spelled := upstream(sample)) != theirs:
        found.append(Difference("spelling", theirs, spelled))
    ran = runtime(sample, path, seed)
    how = "not asked"
    if ran is not None:
        found += runtime_differences(sample, ours, ran)
        how = "run" if ran.run else "refused" if ran.refused else "failed" if ran.fixed else "undecided"
    claims = set()
    for difference in found:
        ruling = claimed_by(rulings, sample, difference, theirs)
        if ruling is None:
            problems.append(f"{difference.aspect}: {difference.ours}, by the others {difference.theirs}")
        else:
            claims.add(ruling)
    return Decision(problems, claims, how, ours)


def keep(failures, folder, sample, problems):
    """Copies the model to where it can be looked at, and tells of it."""
    failures.mkdir(parents=True, exist_ok=True)
    kept = failures / folder.name
    shutil.copytree(folder, kept, dirs_exist_ok=True)
    told = "\n".join(f"    {textwrap.shorten(problem, 1000)}" for problem in problems)
    print(f"kept as {kept}:\n{told}\n{samples.show(sample)}\n", file=sys.stderr)


class Step:
    """The random models of one operator."""

    def __init__(self, operator, options):
        self.operator, self.options = operator, options
        self.module, random_ones, own = OPERATORS[operator]
        self.rulings = [*own, *shared_rulings.RULINGS]
        self.count = generator.MATRIX + random_ones if options.count is None else options.count
        self.failures = options.failures / operator
        self.claimed, self.ran, self.cases, self.failed = Counter(), Counter(), {}, {}

    def one(self, folder, number):
        sample = generator.sample(self.module, self.options.seed, number)
        folder = folder / f"{number:05}"
        path = samples.write(sample, folder)
        return sample, folder, decide(sample, path, f"{self.options.seed}/{number}", self.rulings)

    def fail(self, folder, sample, problems):
        keep(self.failures, folder, sample, problems)
        self.failed.setdefault(folder.name, textwrap.shorten(problems[0], 300))

    def run(self):
        """How many passed, and what is wrong."""
        numbers = range(self.count) if self.options.only is None else [self.options.only]
        with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(2) as pool:
            for sample, folder, decision in pool.map(lambda number: self.one(Path(temporary), number), numbers):
                self.claimed.update(decision.claims)
                self.ran[decision.how] += 1
                if decision.problems:
                    self.fail(folder, sample, decision.problems)
                if decision.how == "run" and decision.ours and not decision.ours.errors:
                    self.cases[folder] = sample
                else:
                    shutil.rmtree(folder)
            # What onnxruntime gave is what `shape test` must give.
            broken = command.test(self.cases) if self.cases else []
            for problem in broken:
                folder = Path(temporary, problem.split(":")[0])
                difference = Difference("test", problem, None)
                ruling = claimed_by(self.rulings, self.cases[folder], difference, None)
                if ruling is None:
                    self.fail(folder, self.cases[folder], [f"shape test: {problem}"])
                else:
                    self.claimed[ruling] += 1
        told = ", ".join(f"{number} {how}" for how, number in sorted(self.ran.items()))
        print(f"{self.operator}: {len(numbers)} models; onnxruntime: {told}")
        same = len(self.cases) - len(broken)
        print(f"{self.operator}: {same} of {len(self.cases)} runs come out the same in shape test")
        return len(numbers) - len(self.failed), [f"{self.operator} {name}: {why}" for name, why in self.failed.items()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("failures", type=Path, help="where models that fail are kept")
    parser.add_argument("--operator", choices=OPERATORS, action="append", help="one operator, not all of them")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int)
    parser.add_argument("--only", type=int, help="the number of one model")
    options = parser.parse_args()
    whole = (options.operator, options.count, options.only, options.seed) == (None, None, None, SEED)
    shutil.rmtree(options.failures, ignore_errors=True)

    passed, problems, claimed, rulings = 0, [], Counter(), {}
    for operator in options.operator or OPERATORS:
        step = Step(operator, options)
        good, bad = step.run()
        passed += good
        problems += bad
        claimed += step.claimed
        rulings.update((ruling.id, ruling) for ruling in step.rulings)
    for ruling in rulings.values():
        print(f"{claimed[ruling.id]:5}  {ruling.id}: {ruling.why}")
    if whole:
        problems += [f"the ruling {ruling} claimed nothing" for ruling in rulings if not claimed[ruling]]
    print(f"{versions()}, seed {options.seed}, {sum(claimed.values())} differences by ruling")
    summary.close("random models", passed, problems)


if __name__ == "__main__":
    main()
