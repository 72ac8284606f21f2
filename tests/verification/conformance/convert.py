"""`shape convert` on the node cases of nine onnx releases, up and down through every opset that their operators have.

Each model is run before and after the conversion, and must give the same. `--all` converts every case to every opset,
which takes an hour; without it, each step between two versions of an operator is taken by one case. The converter of
the onnx package is asked where we refuse, and with `--reference` or `--record` always. `--record` writes
`convert.json` and CONVERT.md; a run without it fails where anything is wrong, or refused
that was not.
"""

import argparse
import hashlib
import json
import multiprocessing
import tempfile
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path

import command
import conversion
import conversion_cases
import conversion_models
import conversion_record
import engines
import onnx
import summary
import wheel_cases
from conversion import Outcome, Verdict

WORKERS = 2
# How many cases take a step of an operator in a run that is not of all.
TAKERS = 1


@dataclass(frozen=True)
class Row:
    """A conversion. `there` is the verdict on the package's, if it was asked for."""

    name: str
    variant: str
    opset: int
    target: int
    operators: dict
    here: Verdict
    there: Verdict | None


def order(case):
    """A number that is the same in each run, and has nothing to do with what the case is about."""
    return hashlib.sha256(case.name.encode()).digest()


def step_of(case, target):
    """What a conversion takes the operators of a case through: the version of each before it and after."""
    used = engines.versions(case.model)
    return case.variant, *((op_type, own, conversion.version(op_type, target)) for op_type, own in used.items())


def sample(cases):
    """For each step between any two versions of an operator the first cases that take it, those of one node."""
    takers = defaultdict(int)
    for case in sorted(cases, key=order):
        if len(case.model.graph.node) > 1:
            continue
        for each in conversion_cases.variants(case):
            chosen = []
            for target in conversion.targets(each.model):
                step = step_of(each, target)
                if takers[step] < TAKERS:
                    takers[step] += 1
                    chosen.append(target)
            if chosen:
                yield each, chosen


def everything(cases):
    for case in sorted(cases, key=order):
        for each in conversion_cases.variants(case):
            if chosen := conversion.targets(each.model):
                yield each, chosen


def convert(source, target, output):
    """The model that the command writes, or None and why it refuses."""
    output.unlink(missing_ok=True)
    code, answer = command.run("convert", source, "--opset", target, "-o", output)
    if code == 0:
        return onnx.load(output), None
    if output.exists():
        raise command.Broken("it refused the conversion, and wrote a file")
    errors = [found for found in answer["findings"] if found["severity"] == "error"]
    return None, conversion_record.refusal(errors[0])


class Reference:
    """The verdicts on what the package's converter makes of models, which takes it long; they are kept from run to run,
    as long as the judge is the same."""

    def __init__(self, folder):
        judge = b"".join(Path(module.__file__).read_bytes() for module in (conversion, engines))
        version = f"{onnx.__version__}-{hashlib.sha256(judge).hexdigest()[:16]}"
        self.path = folder / f"reference-{version}.json"
        self.kept = json.loads(self.path.read_text()) if self.path.exists() else {}

    @staticmethod
    def key(case, target):
        content = case.model.SerializeToString(deterministic=True)
        return f"{hashlib.sha256(content).hexdigest()} {case.variant} {target}"

    def verdict(self, judge, target):
        key = self.key(judge.case, target)
        if key not in self.kept:
            model, why = conversion.reference(judge.case, target)
            verdict = judge(model, exact=False) if model is not None else Verdict(Outcome.REFUSED, why)
            self.kept[key] = [verdict.outcome, verdict.why]
        outcome, why = self.kept[key]
        return Verdict(Outcome(outcome), why)

    def keep(self, case, found):
        """Takes over the verdicts of another process."""
        for row in found:
            if row.there:
                self.kept[self.key(case, row.target)] = [row.there.outcome, row.there.why]

    def write(self):
        self.path.write_text(json.dumps(self.kept))


class Worker:
    """What each process has: the trust in the evaluator, the package's converter, and whether that is asked for every
    conversion."""

    trust = None
    reference = None
    always = False


def rows(job):
    case, chosen = job
    judge = conversion.Judge(case, Worker.trust)
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder) / "model.onnx", Path(folder) / "converted.onnx"
        source.write_bytes(case.model.SerializeToString())
        found = []
        for target in chosen:
            try:
                model, why = convert(source, target, output)
            except command.Broken as error:
                here = Verdict(Outcome.WRONG, str(error))
            else:
                here = judge(model) if model is not None else Verdict(Outcome.REFUSED, why)
            there = None
            if Worker.always or here.outcome == Outcome.REFUSED:
                there = Worker.reference.verdict(judge, target)
            opset, used = engines.opset(case.model), engines.versions(case.model)
            found.append(Row(case.name, case.variant, opset, target, used, here, there))
        return case, found


def small_models():
    """How many conversions of the small models are right, and what is wrong with the others."""
    right, bad = 0, []
    for case, chosen, may in conversion_models.cases():
        for row in rows((case, chosen))[1]:
            here = row.here
            if here.outcome in conversion.RIGHT or may and here.outcome == Outcome.REFUSED:
                right += 1
            else:
                bad.append(f"{conversion_record.place(row)}: {here.outcome}: {here.why}")
    return right, bad


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the wheels are, and what is found is written")
    parser.add_argument("--all", action="store_true", help="every case to every opset, instead of a sample")
    parser.add_argument("--reference", action="store_true", help="ask the package's converter for every conversion")
    parser.add_argument("--record", action="store_true", help="write convert.json and the tables")
    parser.add_argument("--only", default="", help="the cases whose name has this in it")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    try:
        cases = list(conversion_cases.every(options.folder / "wheels"))
    except wheel_cases.Unavailable as error:
        summary.close("conversion", 0, [str(error)])
    # The tables compare both.
    Worker.trust, Worker.always = conversion.Trust(cases), options.reference or options.record
    Worker.reference = Reference(options.folder)
    chosen = [case for case in cases if options.only in case.name]
    jobs = everything(chosen) if options.all or options.only else sample(chosen)
    found, path = [], options.folder / "conversions.jsonl"
    # What the evaluator is trusted with rests on all cases, which a fork has already.
    with multiprocessing.get_context("fork").Pool(WORKERS) as pool, path.open("w") as log:
        for case, each in pool.imap_unordered(rows, jobs, chunksize=4):
            found += each
            Worker.reference.keep(case, each)
            log.writelines(json.dumps(asdict(row)) + "\n" for row in each)
    small, bad = small_models() if not options.only else (0, [])
    Worker.reference.write()
    conversion_record.close(found, len(cases), options, small, bad)


if __name__ == "__main__":
    main()
