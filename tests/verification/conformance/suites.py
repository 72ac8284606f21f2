"""The tests of onnx and of spox themselves: what they ask of the onnx package is asked of `shape`.

The tests are run with the package, and every model that they hand to its inference, its checker and its converter is
recorded with the answer (`upstream_suites`). Then each call is judged: `shape` knows at least as much, refuses what the
package refuses and nothing else, and converts to what computes the same. A test is as good as the worst of its calls.

Every test that differs stands in `suites.json`, under the ruling that claims the difference. Four of the rulings are
verified call by call: what an initializer that is also an input decides is judged again with the input taken away; a
refusal of ours may be one that the package's own full check shares, or onnxruntime at the same node, or one of a
conversion that the package gets wrong, as a run shows. `--record` writes the tests of these four, drops what differs no
more, and writes `SUITES.md`.
"""

import argparse
import pickle
import re
import tempfile
import warnings
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import command
import pages
import summary
from upstream_suites import judge, models, recording

RECORD = "suites.json"

VERIFIED = judge.VERIFIED
# Outcomes that are no difference, and those that are.
GOOD, BAD = judge.OUTCOMES[:2], judge.OUTCOMES[2:]


@dataclass(frozen=True)
class Judged:
    """A call of a test. `verdict` is None where the call does not apply, and `why` says why."""

    test: str
    verdict: judge.Verdict | None
    why: str = ""


def judged_once(entry):
    try:
        model = models.of(entry)
    except models.NotApplicable as error:
        return None, str(error)
    with tempfile.TemporaryDirectory() as folder:
        return judge.judge(entry, model, Path(folder)), ""


def judged(suite, calls):
    """Every call, those that are asked twice judged once."""
    keys = [pickle.dumps({**entry, "test": None}) for entry in calls]
    distinct = dict(zip(keys, calls))
    with ThreadPoolExecutor(2) as pool:
        verdicts = dict(zip(distinct, pool.map(judged_once, distinct.values())))
    return [Judged(f"{suite.package}/{entry['test']}", *verdicts[key]) for entry, key in zip(calls, keys)]


class Listed:
    """What `suites.json` says: for a ruling, why, and the tests with their outcome."""

    def __init__(self):
        self.data = pages.data(RECORD)["rulings"]
        self.entries = [
            (name, pattern, outcome)
            for name, ruling in self.data.items()
            for pattern, outcomes in ruling["tests"].items()
            for outcome in outcomes.split(", ")
        ]
        self.claims = Counter()
        self.patterns = {
            pattern: re.compile(re.escape(pattern).replace(r"\*", ".*")) for _, pattern, _ in self.entries
        }

    def claim(self, call):
        """The ruling that claims a difference; None where none does."""
        for entry in self.entries:
            name, pattern, outcome = entry
            if outcome != call.verdict.outcome or not self.patterns[pattern].fullmatch(call.test):
                continue
            # What is verified is listed as that, and nothing else is.
            if (call.verdict.claim or "") == (name if name in VERIFIED else ""):
                self.claims[entry] += 1
                return name
        return None

    def record(self, calls):
        """Lists what is verified afresh, and drops what claims nothing."""
        kept = defaultdict(list)
        for name, pattern, outcome in self.entries:
            if self.claims[name, pattern, outcome]:
                kept[name, pattern].append(outcome)
        for name, pattern, _ in self.entries:
            tests = self.data[name]["tests"]
            if not kept[name, pattern]:
                tests.pop(pattern, None)
            else:
                tests[pattern] = ", ".join(kept[name, pattern])
        for name in VERIFIED:
            self.data[name]["tests"] = patterns(name, calls)
        self.data = {name: each for name, each in self.data.items() if each["tests"]}
        pages.write(RECORD, pages.data(RECORD) | {"rulings": self.data})


def patterns(name, calls):
    """The tests with a difference that a verified ruling claims, and the outcome: the variants of a test together where
    it claims one in each."""
    variants, claimed = defaultdict(set), defaultdict(set)
    for call in calls:
        function = call.test.split("[")[0]
        variants[function].add(call.test)
        if call.verdict and call.verdict.outcome in BAD and call.verdict.claim == name:
            claimed[function, call.verdict.outcome].add(call.test)
    found = defaultdict(list)
    for (function, outcome), tests in claimed.items():
        together = len(tests) > 1 and tests == variants[function]
        for test in [f"{function}[*]"] if together else tests:
            found[test].append(outcome)
    return {test: ", ".join(sorted(outcomes)) for test, outcomes in sorted(found.items())}


def standing(calls, claims):
    """Where a test stands: its worst difference that no ruling claims, or else `by ruling`, or else how good it is."""
    bad = [call for call in calls if call.verdict.outcome in BAD]
    unruled = [call for call in bad if not claims.get(call)]
    if bad and not unruled:
        return "by ruling"
    return judge.worst([call.verdict for call in unruled or calls]).outcome


def recorded(calls, claims, data):
    """What `suites.json` says: how the tests of each file stand, and how many each ruling claims."""
    tests, ruled = defaultdict(list), defaultdict(set)
    for call in calls:
        if call.verdict:
            tests[call.test].append(call)
            if claims.get(call):
                ruled[claims[call]].add(call.test)
    rows = defaultdict(Counter)
    for test, each in tests.items():
        rows[test.split("/")[0] if test.startswith("spox") else test.split("::")[0]][standing(each, claims)] += 1
    columns = [*GOOD, "by ruling", *BAD]
    rulings = {name: {"why": each["why"], "claimed": len(ruled[name]), "tests": each["tests"]} for name, each in data.items()}
    return {"files": {name: {key: row[key] for key in columns} for name, row in sorted(rows.items())}, "rulings": rulings}


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--record", action="store_true", help="write suites.json and SUITES.md")
    arguments.add_argument("--only", default="", help="judge the tests alone whose name contains this")
    arguments.add_argument("--package", action="store_true", help="ask the Python package in place of the command")
    options = arguments.parse_args()
    if options.package:
        import package

        judge.command.run = package.run
    warnings.simplefilter("ignore")
    calls, problems = [], []
    try:
        for suite in recording.SUITES:
            entries, outcomes = recording.recorded(suite, options.folder)
            calls += judged(suite, [entry for entry in entries if options.only in entry["test"]])
            counts = Counter(outcomes.values())
            failing = f"of which {counts['failed']} fail with the package"
            print(f"{suite.package} {suite.version}: {len(outcomes)} tests, {failing}")
    except (recording.Unavailable, command.Broken) as error:
        summary.close("suites", 0, [str(error)])
    listed = Listed()
    claims = {call: listed.claim(call) for call in calls if call.verdict and call.verdict.outcome in BAD}
    if options.record:
        listed.record(calls)
        listed = Listed()
        claims = {call: listed.claim(call) for call in claims}
    for call, claim in claims.items():
        if claim is None:
            problems.append(" ".join(f"{call.test}: {call.verdict.outcome}: {call.verdict.detail}".split())[:400])
    if not options.only:
        for name, pattern, outcome in listed.entries:
            if not listed.claims[name, pattern, outcome]:
                problems.append(f"suites.json: {name} claims no `{outcome}` of {pattern} any more")
        told = recorded(calls, claims, listed.data)
        if options.record:
            pages.write(RECORD, told)
            pages.write_pages()
        elif pages.data(RECORD) != told:
            problems.append("suites.json says otherwise: `./run suites --record` writes it")
        print("\n\n".join(pages.suites(told).values()))
    for why, count in sorted(Counter(call.why for call in calls if call.why).items()):
        print(f"{count} calls do not apply: {why}")
    failed = {call.test for call, claim in claims.items() if claim is None}
    tests = {call.test for call in calls if call.verdict}
    summary.close("suites", len(tests) - len(failed), sorted(set(problems)))


if __name__ == "__main__":
    main()
