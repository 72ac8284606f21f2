"""Random models of `shape generate` through the command and through onnxruntime, with a fresh seed that is printed.

Each is valid by what the descriptors say, so that `shape check` finds no error in it, onnxruntime runs it, and its run is what
`shape infer`, fold, simplify and convert say of it (`generated_case.py`). What onnxruntime refuses is counted by operator and
message. Each case that is wrong is printed and kept; as long as not all causes are mended, the step fails where more are wrong,
or refused, than is known.
"""

import argparse
import itertools
import json
import multiprocessing
import multiprocessing.pool
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from os import environ
from pathlib import Path

import command
import generated_case
import runtime_limits
import summary
from generated_rulings import RULINGS

STAGES = ("infer", "fold", "simplify", "convert")
WORKERS = 2
# The cases of a call of the command, and the nodes of a graph. Versions take turns, so that fewer nodes leave out some.
NODES, GRAPHS, LARGE = 3000, 200, 15
RUNTIME = "onnxruntime-cpu"
# A case that takes longer than this hangs.
SECONDS = 30
# The shares of cases that may be wrong, and of those that onnxruntime has kernels for, what it may refuse, and refuse without an
# explanation in `runtime_limits.py`. README.md has what was measured; the first and the last are to become 0.
WRONG, REFUSED, UNEXPLAINED = 0.005, 0.12, 0.1


def generate(folder, seed, given):
    """Batches of cases, one of nodes and one of graphs in turn, each with its seed. A graph has a seed of its own."""
    for batch in itertools.count(seed, GRAPHS):
        for kind in ("nodes", "graphs"):
            if given.kind in (None, kind):
                count = min({"nodes": given.batch, "graphs": GRAPHS}[kind], given.count or given.batch)
                large = ["--nodes", LARGE] if kind == "graphs" else []
                options = [*large, "--count", count, "--seed", batch, "--runtime", RUNTIME, *given.options]
                yield batch, kind, folder / f"{kind}_{batch}", options


def ahead(maker, batches):
    """The batches with what `make` gives of each, which makes one while the one before it is judged."""
    before = None
    for batch, kind, target, options in batches:
        made = maker.apply_async(make, (target, options))
        if before is not None:
            yield *before[:-1], before[-1].get()
        before = batch, kind, target, made


def make(target, options):
    """The cases of a batch, with what is inferred of each; and the errors of `shape check`, of which there must be none."""
    call = [environ["SHAPE"], "generate", "-o", target, *options]
    subprocess.run(list(map(str, call)), check=True, capture_output=True)
    entries = {entry["name"]: entry for entry in json.loads((target / "manifest.json").read_text())["cases"]}
    paths = [str(target / name / "model.onnx") for name in entries]
    told = subprocess.run([environ["SHAPE"], "infer", *paths, "--format", "json"], capture_output=True, check=False).stdout
    inferred = dict(zip(entries, (json.loads(line)["values"] for line in told.splitlines()), strict=True))
    _, checked = command.run("check", *paths)
    found = [each for each in checked["findings"] if each["severity"] == "error"]
    errors = [(Path(each["model"]).parent.name, f"{each['code']}: {each['message']}") for each in found]
    return entries, inferred, errors


def work(target, names, entries, inferred, only, pipe):
    """Judges cases in a process of its own, which onnxruntime may end at any time."""
    with tempfile.TemporaryDirectory(dir=target) as scratch:
        for name in names:
            pipe.send(("begin", name))
            case = generated_case.read(target, entries[name], inferred[name])
            verdict = generated_case.judge(case, only, Path(scratch), lambda stage: pipe.send(("stage", stage)))
            pipe.send(("end", verdict))
    pipe.close()


def judged(target, names, entries, inferred, only):
    """The verdicts on cases; for one that ends its process, or takes too long, what it was about."""
    names = list(names)
    while names:
        here, there = multiprocessing.Pipe(duplex=False)
        worker = multiprocessing.Process(target=work, args=(target, names, entries, inferred, only, there), daemon=True)
        worker.start()
        there.close()
        name, stage, ended = None, "reading", "crash"
        while True:
            try:
                if not here.poll(SECONDS):
                    worker.kill()
                    ended = "hang"
                    break
                what, told = here.recv()
            except EOFError:
                break
            if what == "begin":
                name, stage = told, "reading"
            elif what == "stage":
                stage = told
            else:
                yield told
                names.remove(told.name)
                name = None
        worker.join()
        if name is not None:
            # The model itself may do that to onnxruntime; what a command made of a model that ran may not.
            problems = [] if stage == "run" else [f"{ended} at {stage}"]
            yield generated_case.Verdict(name, ended, stage, problems)
            names.remove(name)
        elif worker.exitcode and names:
            raise RuntimeError(f"a worker ended with {worker.exitcode}")


def share(job):
    return list(judged(*job))


def cause(message):
    """A message without what differs from model to model."""
    text = re.sub(r"^\[ONNXRuntimeError\] : \d+ : \w+ : ", "", message.strip().replace("\n", " "))
    text = re.sub(r"\S*/onnxruntime/\S+|\S*\.onnx", "", text)
    return re.sub(r"'[^']*'|-?\d+(\.\d+)?", "#", text)[-120:]


def operator(entry):
    return f"{entry['operator']}-{entry['version']}" if entry["operator"] else entry["kind"]


def keep(folder, batch, case):
    shutil.copytree(case, folder / f"generated_{batch}_{case.name}", dirs_exist_ok=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path, help="a folder for cases that fail")
    parser.add_argument("--seed", type=int, default=None, help="of the first batch; a fresh one without it")
    parser.add_argument("--seconds", type=float, default=120, help="how long batches are begun")
    parser.add_argument("--count", type=int, default=None, help="how many cases at most")
    parser.add_argument("--batch", type=int, default=NODES, help="how many nodes before the graphs; 900 are each version once")
    parser.add_argument("--only", nargs="*", choices=STAGES, default=STAGES, help="what is held, beside the check")
    parser.add_argument("--kind", choices=("nodes", "graphs"), help="only these")
    parser.add_argument("--refusals", action="store_true", help="list what onnxruntime refuses")
    parser.add_argument("options", nargs="*", help="for `shape generate`, behind --: --operator Conv@11")
    # The parsers of some Python releases take no second group of positional arguments.
    own, _, options = (list(part) for part in split(sys.argv[1:], "--"))
    given = parser.parse_args(own)
    given.options += options
    return given


def split(arguments, mark):
    """What stands before the mark, the mark, and what stands behind it."""
    at = arguments.index(mark) if mark in arguments else len(arguments)
    return arguments[:at], arguments[at : at + 1], arguments[at + 1 :]


def main():
    given = arguments()
    seed = given.seed if given.seed is not None else int(time.time())
    print(f"generated: seed {seed}")
    begun, taken, refusals, conversions, problems = time.monotonic(), Counter(), Counter(), Counter(), []
    examples, faults, ruled, reference, explained = {}, Counter(), Counter(), Counter(), Counter()
    pools = multiprocessing.pool.ThreadPool(WORKERS), multiprocessing.pool.ThreadPool(1)
    with tempfile.TemporaryDirectory() as scratch, pools[0] as pool, pools[1] as maker:
        for batch, kind, target, (entries, inferred, errors) in ahead(maker, generate(Path(scratch), seed, given)):
            if time.monotonic() - begun > given.seconds or given.count is not None and sum(taken.values()) >= given.count:
                break
            found = [(batch, kind, name, error) for name, error in errors]
            for name, _ in errors:
                keep(given.work, batch, target / name)
            names = list(entries)
            jobs = [(target, names[at::WORKERS], entries, inferred, given.only) for at in range(WORKERS)]
            for verdict in (each for part in pool.imap_unordered(share, jobs) for each in part):
                entry = entries[verdict.name]
                taken[verdict.taken] += 1
                conversions.update(verdict.conversions)
                faults.update([f"{operator(entry)}: {cause(verdict.fault)}"] if verdict.fault else [])
                ruled.update(verdict.ruled)
                reference.update((what, f"{operator(entry)} {cause(why)}") for what, why in verdict.reference)
                if verdict.taken not in ("ran", "no kernel"):
                    why = f"{operator(entry)}: {verdict.taken} {cause(verdict.why)}"
                    refusals[why] += 1
                    explained.update(runtime_limits.explained(entry["operator"] or None, verdict.why))
                    examples.setdefault(why, f"--seed {batch} {verdict.name}")
                if verdict.problems:
                    found += [(batch, kind, verdict.name, problem) for problem in verdict.problems]
                    keep(given.work, batch, target / verdict.name)
            shutil.rmtree(target)
            for _, _, name, problem in found:
                print(f"wrong: --seed {batch} {kind} {name}: {problem}", file=sys.stderr, flush=True)
            problems += found
        # It may be writing a batch that is not asked for any more.
        maker.close()
        maker.join()
    report(given, taken, (refusals, explained), examples, conversions, ruled)
    package(given, faults, reference)
    total = sum(taken.values())
    kernels = max(total - taken["no kernel"], 1)
    refused, open_ = taken["refused"] / kernels, (taken["refused"] - explained.total()) / kernels
    print(f"{total} cases in {time.monotonic() - begun:.0f} s; onnxruntime refuses {100 * refused:.2f} % of those it has kernels for")
    print(f"{100 * open_:.2f} % of these without an explanation in runtime_limits.py")
    wrong = len({problem[:3] for problem in problems})
    print(f"{wrong} of them are wrong, {100 * wrong / max(total, 1):.2f} %")
    limits = [("of the cases are wrong", wrong / max(total, 1), WRONG), ("are refused by onnxruntime", refused, REFUSED)]
    limits.append(("are refused and not explained", open_, UNEXPLAINED))
    broken = [f"more than {100 * limit:.1f} % {what}" for what, found, limit in limits if found > limit]
    summary.close("generated", total - wrong, broken)


def report(given, taken, refusals, examples, conversions, ruled):
    refusals, explained = refusals
    print(", ".join(f"{name} {count}" for name, count in sorted(taken.items())))
    outcomes = Counter(name.split(":")[0] for name in conversions.elements())
    print("conversions: " + ", ".join(f"{name} {count}" for name, count in sorted(outcomes.items())))
    if given.refusals:
        for why, count in refusals.most_common():
            print(f"{count:6} {why}   {examples[why]}")
        for why, count in explained.most_common():
            print(f"{count:6} explained: {why}")
    for each in RULINGS:
        if ruled[each.id]:
            print(f"by ruling {each.id}: {ruled[each.id]} cases. {each.why}")


def package(given, faults, reference):
    """What the checker and the inference of the package make of the models."""
    print(f"the package: its full check refuses {faults.total()}")
    for what in sorted({what for what, _ in reference}):
        told = Counter({why: count for (other, why), count in reference.items() if other == what})
        print(f"the package: its inference {what}: {told.total()} of those that ran")
        for why, count in told.most_common() if given.refusals else ():
            print(f"{count:6} {why}")
    for why, count in faults.most_common() if given.refusals else ():
        print(f"{count:6} the package's full check: {why}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
