"""`shape simplify` on models, before and after: onnxruntime gives the same outputs, to the bit, for several sizes.

The models are small ones with what must go and what must stay (`simplify_cases.py`), random ones (`simplify_models.py`), the
attention model of the repository, those of the onnx wheel that onnxruntime runs, and those of `corpus` with random weights
in the place of those that were left out; `--corpus` takes a folder of others. Each is run with two draws of sizes, with
all symbols 0 and with all 1, and with other values for its defaults, as far as the model as it is runs with them.

A simplified model must further pass `shape check` and the full check of the onnx package, be the same when it is simplified
again, and keep what `simplify_checks.py` lists. `--sabotage` damages simplified models instead, and tells by what that
is noticed; `--by` takes another simplifier.
"""

import argparse
import random
import shutil
import tempfile
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import apart
import command
import fold
import fold_models
import infer_corpus
import numpy
import onnx
import onnxruntime
import runtime
import simplifiers
import simplify_cases
import simplify_checks
import simplify_damage
import simplify_models
import strip_models
import summary
from fold import ATTENTION, DATA, OPEN
from onnx import TensorProto
from onnx.external_data_helper import set_external_data
from runtime import Refused, session

SEED, COUNT, SABOTAGED = 20261124, 150, 200
# The sizes that are tried for a second run, until one does.
ATTEMPTS = 8
# Of the random models, how many must run at all, and how many with other sizes.
RUN, RUN_AGAIN = 0.98, 0.8
MODEL, WEIGHTS = "model.onnx", "weights.bin"
# Which of the draws has the sizes 0.
ZEROS = 2
# Seconds that a model may take.
PATIENCE = 120


@dataclass(frozen=True)
class Job:
    """A model, or where it is. Each entry of `draws` is a list of what gives inputs for it: the first that it runs with is
    taken."""

    name: str
    source: Path | onnx.ModelProto
    draws: list
    most: int | None = None
    least: int = 0
    is_random: bool = False


@dataclass(frozen=True)
class Drawn:
    """Random inputs for sizes of the symbols; with `others` also for what has a default."""

    sizes: dict
    seed: int
    others: bool = False

    def __call__(self, _, run):
        return inputs(run, self.sizes, self.seed, self.others)


@dataclass(frozen=True)
class Paired:
    """Inputs as `infer_corpus.py` makes them."""

    first: int
    other: int
    step: int

    def __call__(self, model, _):
        return infer_corpus.made(model, self.first, self.other, self.step)[1]


@dataclass
class Result:
    name: str
    problems: list = field(default_factory=list)
    why_skipped: str = ""
    refused: str = ""
    runs: tuple = ()
    nodes: tuple = (0, 0)
    damage: list = field(default_factory=list)


def inputs(run, sizes, seed, others):
    generator = numpy.random.default_rng(seed)
    made = {}
    for value in [*run.get_inputs(), *(run.get_overridable_initializers() if others else [])]:
        dims = [dim if isinstance(dim, int) else sizes.get(dim, OPEN) for dim in value.shape]
        if value.type in fold.KINDS:
            made[value.name] = generator.normal(size=dims).astype(fold.KINDS[value.type])
        elif value.type == "tensor(bool)":
            made[value.name] = generator.integers(0, 2, dims).astype(bool)
        elif value.type in ("tensor(int64)", "tensor(int32)"):
            made[value.name] = generator.integers(0, 2, dims).astype(value.type[7:-1])
        else:
            raise Refused(f"no data of {value.type}")
    return made


class Judge:
    """Holds what a simplifier makes of a model against the model; `Refused` if onnxruntime does not run it as it is."""

    def __init__(self, path, draws):
        self.path, self.model = path, onnx.load(path, load_external_data=False)
        run = session(str(path))
        self.names = [value.name for value in run.get_outputs()]
        self.runs = []
        for draw in draws:
            self.runs.append(self.first(run, draw))
            if not self.runs[0]:
                raise Refused("does not run")
        self.faulty = bool(list(self.package(path)))

    def first(self, run, draw):
        """The first of the inputs that the model runs with, and what comes out."""
        for each in draw:
            try:
                given = each(self.model, run)
                wanted = fold.outputs(run, given)
                if not fold.same(wanted, fold.outputs(run, given)):
                    raise Refused("two runs differ")
            except (Refused, ValueError):
                continue
            return given, wanted
        return None

    def package(self, path):
        try:
            onnx.checker.check_model(str(path), full_check=True)
        except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
            yield str(error)

    def outputs(self, target):
        try:
            run = session(str(target))
            for given, wanted in filter(None, self.runs):
                found = fold.outputs(run, given)
                sizes = {name: array.shape for name, array in given.items()}
                if wrong := [name for name, *pair in zip(self.names, wanted, found, strict=True) if not fold.same(*pair)]:
                    yield f"others with {sizes}: {', '.join(wrong)}"
        except (Refused, ValueError) as error:
            yield f"not run: {error}"

    def check(self, target):
        found = command.run("check", target)[1]["findings"]
        if errors := [each["code"] for each in found if each["severity"] == "error"]:
            yield ", ".join(errors)

    def problems(self, target, by, answer, is_whole):
        """All that is wrong, each with the name of the check before it; `is_whole` tells that all passes ran."""
        after = onnx.load(target, load_external_data=False)
        checks = {"outputs": self.outputs(target)}
        if not self.faulty:
            checks |= {"the package": self.package(target), "shape check": self.check(target)}
        for check in (*simplify_checks.CHECKS, *(simplify_checks.DUTIES if is_whole else ())):
            checks[check.__name__] = check(self.model, after)
        if answer and "passes" in answer:
            same_bytes = self.path.read_bytes() == Path(target).read_bytes()
            checks["told"] = simplify_checks.told(answer, self.model, after, same_bytes)
        checks["again"] = self.again(target, by)
        for name, found in checks.items():
            yield from (f"{name}: {text}" for text in found)

    def again(self, target, by):
        second = target.with_name("again.onnx")
        try:
            by(target, second)
        except simplifiers.Refused as error:
            yield f"refused: {error}"
            return
        if second.read_bytes() != target.read_bytes():
            yield "a second time it is another"
        second.unlink()


def beside(folder):
    """The files of a folder but for the models."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".onnx"}


def judged(job, path, options, started):
    """What is wrong with what a simplifier makes of a model; with `sabotage`, what is noticed of the damage to that.
    `started` is called when the model as it is has been run."""
    result, by, target = Result(job.name), simplifiers.SIMPLIFIERS[options.by], path.with_name("simplified.onnx")
    is_ours, chance = options.by == "simplify", random.Random(job.name)
    try:
        judge = Judge(path, job.draws)
    except Refused as error:
        result.why_skipped = str(error)
        return result
    started()
    result.runs = tuple(map(bool, judge.runs))
    before = beside(path.parent)
    try:
        answer = by(path, target)
        if options.sabotage:
            result.damage += simplify_damage.noticed(judge, target, by, chance, is_ours)
            return result
        after = onnx.load(target, load_external_data=False)
        result.nodes = len(simplify_checks.nodes(judge.model)), len(simplify_checks.nodes(after))
        result.problems += judge.problems(target, by, answer, is_ours)
        most = result.nodes[0] if job.most is None else job.most
        if is_ours and not job.least <= result.nodes[1] <= most:
            result.problems.append(f"count: {result.nodes[1]} nodes are left; {job.least} to {most} are right")
        if is_ours:
            result.problems += dry(path, answer)
        if is_ours and job.is_random:
            result.problems += partly(judge, [each["name"] for each in answer["passes"]], chance)
        if beside(path.parent) != before:
            result.problems.append("external: the files beside the model are others")
    except command.Broken as error:
        result.problems.append(f"broken: {error}")
    except simplifiers.Refused as error:
        # A model with errors may be refused.
        if judge.faulty or list(judge.check(path)):
            result.refused = str(error)
        else:
            result.problems.append(f"refused: {error}")
        if target.exists():
            result.problems.append("refused: and written")
    return result


def dry(path, answer):
    """A run that writes nothing says the same."""
    before = sorted(path.parent.iterdir())
    if command.run("simplify", path, "--dry-run")[1] != answer:
        yield "dry: it says something else"
    if sorted(path.parent.iterdir()) != before:
        yield "dry: something is written"


def partly(judge, passes, chance):
    """Some of the passes alone are as right as all of them."""
    chosen = ",".join(chance.sample(passes, chance.randint(1, len(passes))))
    by, target = simplifiers.by_command("simplify", "--only", chosen), judge.path.with_name("partly.onnx")
    answer = by(judge.path, target)
    yield from (f"{problem}, by {chosen} alone" for problem in judge.problems(target, by, answer, False))


def alone(send, job, options, folder):
    """Sends that the model as it is has been run, and then the result for it."""
    onnxruntime.set_default_logger_severity(runtime.SILENT)
    try:
        send(judged(job, placed(job, folder), options, lambda: send("started")))
    except Exception:  # noqa: BLE001: told by the process that asks
        send(Result(job.name, [traceback.format_exc()]))


def one(job, options):
    """The result for a model, in a folder of its own; one that fails is kept."""
    with tempfile.TemporaryDirectory() as scratch:
        sent, _ = apart.messages(alone, job, options, Path(scratch), patience=PATIENCE)
        if not sent:
            # Some kernels divide by a size of 0.
            job.draws[ZEROS] = []
            sent, _ = apart.messages(alone, job, options, Path(scratch), patience=PATIENCE)
        if not sent:
            result = Result(job.name, why_skipped="it ends the process that runs it, or takes too long")
        elif sent[-1] == "started":
            result = Result(job.name, ["ended: the process that simplifies it, and runs that, or it takes too long"])
        else:
            result = sent[-1]
        if result.problems:
            options.failures.mkdir(parents=True, exist_ok=True)
            shutil.copy(Path(scratch) / MODEL, options.failures / f"{job.name.replace('/', '_')}.onnx")
        return result


def placed(job, folder):
    """The model in the folder, one of ten of the random ones with its data beside it."""
    path = folder / MODEL
    if isinstance(job.source, Path):
        shutil.copy(job.source, path)
    elif job.is_random and random.Random(job.name).random() < 0.1:
        # onnxruntime reads no sizes from there.
        for tensor in job.source.graph.initializer:
            if tensor.data_type == TensorProto.FLOAT and tensor.raw_data:
                set_external_data(tensor, WEIGHTS)
        onnx.save_model(job.source, path)
    else:
        path.write_bytes(job.source.SerializeToString())
    return path


def symbols(model):
    """The names of dimensions of the inputs."""
    dims = (dim for value in model.graph.input for dim in value.type.tensor_type.shape.dim)
    return sorted({dim.dim_param for dim in dims if dim.dim_param})


def of_sizes(sizes, seed=SEED):
    """The draws of a model that runs with these sizes of its symbols."""
    generator = random.Random(seed)
    draw = lambda sizes, **others: Drawn(sizes, generator.randrange(1 << 32), **others)
    again = [draw({name: generator.randint(2, 7) for name in sizes}) for _ in range(ATTEMPTS)]
    equal = [[draw(dict.fromkeys(sizes, size))] for size in (0, 1)]
    return [[draw(sizes)], again, *equal, [draw(sizes, others=True)]]


def of_pairs():
    """The draws of a model of the corpus."""
    pairs = [[Paired(*pair[at]) for pair in infer_corpus.SIZES] for at in range(2)]
    return [*pairs, [Paired(0, 0, 0)], [Paired(1, 1, 0)]]


def random_job(name, made):
    return Job(f"seed {name}", made.model, of_sizes(made.sizes), is_random=True)


def jobs(options):
    for case in simplify_cases.CASES:
        model = case.model()
        yield Job(case.name, model, of_sizes(dict.fromkeys(symbols(model), 4)), case.most, case.least)
    for seed in range(options.seed, options.seed + options.count):
        yield random_job(seed, simplify_models.make(seed))
        # Whose branches all do the same, so that it would not show if they were swapped.
        if seed % 4 == 0 and not options.sabotage:
            yield random_job(f"{seed} of fold", fold_models.make(seed))
    if options.sabotage:
        return
    yield Job("attention", ATTENTION, of_sizes({"batch": 2, "seq": 10}), most=22)
    for path in sorted(DATA.rglob("*.onnx")):
        sizes = dict.fromkeys(symbols(onnx.load(path, load_external_data=False)), OPEN)
        yield Job(str(path.relative_to(DATA).with_suffix("")), path, of_sizes(sizes))
    for path in sorted(options.corpus.rglob("*.onnx")):
        name = str(path.relative_to(options.corpus).with_suffix(""))
        yield Job(name, path, of_pairs())
        model, weights = strip_models.filled(onnx.load(path), SEED)
        if weights:
            yield Job(f"{name}, weights", model, of_pairs())


def enough(results, options):
    """Models that do not run, or of which nothing goes, would prove nothing."""
    drawn = [result for result in results if result.name.startswith("seed")]
    ran = [result for result in drawn if not result.why_skipped]
    again = sum(result.runs[1:2] == (True,) for result in ran)
    if len(ran) < RUN * len(drawn):
        yield f"of {len(drawn)} random models {len(ran)} run as they are"
    if again < RUN_AGAIN * len(drawn):
        yield f"of {len(drawn)} random models {again} run with other sizes"
    went = sum(before - after for before, after in (result.nodes for result in ran))
    if options.by == "simplify" and not options.sabotage and went < 5 * len(drawn):
        yield f"of {len(drawn)} random models only {went} nodes went"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("failures", type=Path, help="where models that fail are kept")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT, help="how many random models")
    parser.add_argument("--corpus", type=Path, default=infer_corpus.MODELS, help="a folder of models")
    parser.add_argument("--by", choices=simplifiers.SIMPLIFIERS, default="simplify")
    parser.add_argument("--only", default="", help="models whose names have this in them")
    parser.add_argument("--sabotage", action="store_true", help="see whether damage is noticed")
    options = parser.parse_args()
    if options.sabotage:
        options.count = min(options.count, SABOTAGED)
    apart.preload(Path(__file__).stem)
    with ThreadPoolExecutor(2) as pool:
        wanted = (job for job in jobs(options) if options.only in job.name)
        results = list(pool.map(lambda job: one(job, options), wanted))
    problems = [f"{result.name}: {text}" for result in results for text in result.problems]
    if not options.only:
        problems += enough(results, options)
    ran = [result for result in results if not result.why_skipped]
    for at, what in enumerate(("sizes", "other sizes", "sizes 0", "sizes 1", "other defaults")):
        print(f"{sum(result.runs[at : at + 1] == (True,) for result in ran)} models run with {what}")
    print(f"{len(results) - len(ran)} models are not run by onnxruntime as they are; nodes {nodes(ran, 0)} -> {nodes(ran, 1)}")
    for why, count in Counter(result.refused for result in ran if result.refused).items():
        print(f"{count} with errors are refused: {why}")
    if options.sabotage:
        problems += simplify_damage.told(each for result in results for each in result.damage)
    summary.close("simplify", sum(not result.problems for result in ran), problems)


def nodes(results, at):
    return sum(result.nodes[at] for result in results)


if __name__ == "__main__":
    main()
