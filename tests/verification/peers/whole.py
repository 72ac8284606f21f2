"""Whole models from bytes in memory to the answer, here and in others: medians of processor time, in turns.

    whole.py PROGRAM [--shape SHAPE] [--rivals RIVALS] [--only TEXT] [--record]
    whole.py --answer

PROGRAM is the benchmark `whole` of onnxspec-model. Each of its turns is followed by one of the onnx package: its call into C++ from bytes to bytes, or for `open` what Python's upb takes to parse; and by one of each other
crate. Each has a process of its own, which has done nothing else before. A turn is a batch of calls that takes some milliseconds, so that a small model is measured as it is for a program
that has many. What callgrind counts is the instructions of one call, or with --shape of `shape infer` as a process. With
--record the table in shape-core/benches/README.md has what was measured, and history/whole.csv there a line for each row.
"""

import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import models
import onnx
import recorded
from onnx import checker, helper, shape_inference

TURNS = 15
# Nanoseconds of a turn, which are many calls for a small model.
TURN = 30_000_000
PAGE = models.ROOT / "shape-core/benches/README.md"
# onnx-std infers with onnx-runtime-shape-inference, and keeps a second form of the model. It takes files, not bytes.
RIVALS = ["onnx-runtime-shape-inference", "onnx-std", "rten", "tract"]
COLUMNS = ["here", "onnx", "goal", *RIVALS, "instructions"]
# How many times faster than onnx, where nothing else is said: by the beginnings of rows, the longest that fits.
GOALS = {
    "infer: shapes": 10,
    "infer: Relu": 8,
    "infer: attention": 8,
    "infer: light": 4,
    "infer: a tiny": 2,
    "check: Relu": 8,
    "check: light": 4,
    "open": 2,
    "analysis alone": "1.5 times as fast as onnx-std",
    "memory": "0.35 KB",
    "instructions": "120 M",
}
# More instructions than this are not counted: callgrind takes fifty times as long.
COUNTED = 400_000_000


class Program:
    """A program that answers line by line."""

    def __init__(self, *command, may_end=False):
        self.command = command
        # Whether it may end where it should answer, as a crate does that runs out of stack.
        self.may_end = may_end
        self.start()

    def start(self):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def ask(self, *line):
        """The number, or None where the program has none."""
        self.process.stdin.write(" ".join(map(str, line)) + "\n")
        answer = self.process.stdout.readline().strip()
        if not answer:
            if not self.may_end:
                raise SystemExit(f"{line}: the program ended")
            self.close()
            self.start()
            return None
        return None if answer == "none" else int(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def theirs(work, content):
    """What the onnx package does for the same work."""
    return {
        "open": lambda: onnx.ModelProto.FromString(content),
        "infer": lambda: shape_inference.C.infer_shapes(content, False, False, True),
        "check": lambda: checker.C.check_model(content, True, False, False),
    }[work]


def timed(call, calls):
    start = time.process_time_ns()
    for _ in range(calls):
        call()
    return (time.process_time_ns() - start) / calls


def answer():
    """Measures the onnx package for the process that asks, line by line as the benchmark does."""
    for line in sys.stdin:
        work, calls, path = line.rstrip("\n").split(" ", 2)
        print(round(timed(theirs(work, pathlib.Path(path).read_bytes()), int(calls))), flush=True)


def batch(ask):
    """How many calls are a turn: `ask` tells the nanoseconds of a call, the mean of as many."""
    # The first one makes tables.
    ask(1)
    calls = 1
    while (nanoseconds := ask(calls)) is not None and nanoseconds * calls < TURN / 2:
        calls *= 2
    return calls if nanoseconds is not None else 0


def in_turns(asks):
    """The nanoseconds of each turn of each; nothing for one that does not take the model."""
    calls = [batch(ask) for ask in asks]
    turns = [[ask(count) if count else None for ask, count in zip(asks, calls)] for _ in range(TURNS)]
    return [list(filter(None, column)) for column in zip(*turns)]


def compared(here, there, rivals, work, path):
    """The turns here, those of onnx, and those of each rival by its name."""
    asks = [lambda calls: here.ask(work, calls, path), lambda calls: there.ask(work, calls, path)]
    names = RIVALS if rivals and work == "infer" else []
    asks += [lambda calls, name=name: rivals.ask(work, name, calls, path) for name in names]
    ours, onnx_s, *others = in_turns(asks)
    return ours, onnx_s, dict(zip(names, others))


def tiny():
    """A graph of one Relu."""
    given, made = models.info("x", ["N", 64]), models.info("y", ["N", 64])
    return models.model([helper.make_node("Relu", ["x"], ["y"], "n")], [given], output=made)


def activations(length):
    """Relu and Add in turn, with an output that says its dimensions, which the checker wants."""
    model = models.activations(length)
    (output,) = model.graph.output
    output.CopyFrom(models.info(output.name, ["batch", "seq", 64]))
    return model


def callgrind(*command, **options):
    """The instructions of a process."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | {"NO_COLOR": "1"}, **options)
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def instructions(program, work, path, nanoseconds):
    """The instructions of a call here, without the start of the process; nothing where they cannot be counted."""
    if not shutil.which("valgrind") or nanoseconds * 3 > COUNTED:
        return ""
    calls = [callgrind(program, "untimed", input=f"{work} {calls} {path}\n") for calls in (1, 3)]
    return f"{(calls[1] - calls[0]) / 2e6:,.3f} M"


def write(folder):
    made = {
        "a tiny model": tiny(),
        "shapes, 10,000 nodes": models.shapes(10_000),
        "shapes, 100,000 nodes": models.shapes(100_000),
        "Relu and Add, 10,000 nodes": activations(10_000),
        f"attention, {models.REPEATED} times": models.attention(),
        "functions, 1,000": models.functions(1_000),
    }
    paths = {}
    for name, model in made.items():
        paths[name] = folder / f"whole_{len(paths)}.onnx"
        onnx.save(model, paths[name])
    return paths | {path.stem: path for path in models.light()}


def microseconds(nanoseconds):
    return f"{nanoseconds / 1e3:,.1f} µs"


def row(what, ours, others, counted=""):
    """The name of a row, what it is here and there, the ratio with the lowest and highest of a turn, the instructions."""
    here = microseconds(statistics.median(ours))
    if not others:
        return what, here, "none", "", counted
    ratios = sorted(other / mine for mine, other in zip(ours, others))
    ratio = statistics.median(others) / statistics.median(ours)
    return what, here, microseconds(statistics.median(others)), f"{ratio:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})", counted


def rows(options, paths):
    here, there = Program(options.program), Program(sys.executable, __file__, "--answer")
    rivals = Program(options.rivals, may_end=True) if options.rivals else None
    every = list(paths)
    light = [name for name in every if name.startswith("light_")]
    works = {
        "infer": [name for name in every if name != "functions, 1,000"],
        # The checker refuses the other models, since their outputs do not say their dimensions.
        "check": ["a tiny model", "Relu and Add, 10,000 nodes", *light],
        "open": ["a tiny model", "shapes, 10,000 nodes", "Relu and Add, 10,000 nodes", "functions, 1,000", *light],
    }
    for work, names in works.items():
        for name in names:
            what = f"{work}: {name}"
            if options.only in what:
                ours, onnx_s, others = compared(here, there, rivals, work, paths[name])
                yield row(what, ours, onnx_s, instructions(options.program, work, paths[name], statistics.median(ours)))
                yield from (row(f"{what}; {rival}", ours, theirs) for rival, theirs in others.items())
    what, functions = "analysis alone: functions, 1,000", paths["functions, 1,000"]
    if options.only in what:
        names = RIVALS if rivals else []
        asks = [lambda calls: here.ask("analyse", calls, functions)]
        asks += [lambda calls, name=name: rivals.ask("analyse", name, calls, functions) for name in names]
        ours, *others = in_turns(asks)
        yield row(what, ours, [], instructions(options.program, "analyse", functions, statistics.median(ours)))
        yield from (row(f"{what}; {rival}", ours, theirs) for rival, theirs in zip(names, others))
    for program in filter(None, (here, there, rivals)):
        program.close()
    if options.only in "memory":
        peaks = []
        # A process of its own for each, since a peak stays.
        for name in ("a tiny model", "shapes, 100,000 nodes"):
            alone = Program(options.program)
            peaks.append(alone.ask("peak", 1, paths[name]))
            alone.close()
        yield "memory: shapes, a node", f"{(peaks[1] - peaks[0]) / 100_000:.2f} KB", "", "", ""
    if options.shape and options.only in "instructions":
        count = callgrind(options.shape, "infer", paths["Relu and Add, 10,000 nodes"])
        yield "instructions: `shape infer`, Relu and Add, 10,000 nodes", f"{count / 1e6:,.0f} M", "", "", ""


def goal(what):
    """The goal of a row; the rows of other crates have none."""
    fits = [start for start in GOALS if what.startswith(start) and ";" not in what]
    return str(GOALS[max(fits, key=len)]) if fits else ""


def table(rows):
    """The page's table of rows by their names."""
    lines = [f"| {' | '.join(['what', *COLUMNS])} |", "|---" * (1 + len(COLUMNS)) + "|"]
    return lines + [f"| {what} | {' | '.join(cells.get(name, '') for name in COLUMNS)} |" for what, cells in rows.items()]


def record(found):
    """Writes what was found into the table, beside what was measured before of other rows, and into the history."""
    rows = {}
    for line in recorded.table(PAGE, "whole")[2:]:
        what, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        rows[what] = dict(zip(COLUMNS, cells))
    for name, here, _, ratio, counted in found:
        what, _, rival = name.partition("; ")
        row = rows.setdefault(what, {})
        row |= {rival: ratio or "none"} if rival else {"here": here, "goal": goal(name), "onnx": ratio, "instructions": counted}
    recorded.replace(PAGE, "whole", table(rows))
    history = PAGE.parent / "history/whole.csv"
    recorded.append(history, ((name, here, ratio, counted) for name, here, _, ratio, counted in found))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", help="the benchmark `whole`")
    parser.add_argument("--answer", action="store_true", help="measure the onnx package for the process that asks")
    parser.add_argument("--shape", help="the command, to count the instructions of")
    parser.add_argument("--rivals", help="the program of the other crates")
    parser.add_argument("--only", default="", help="rows that have this in their names")
    parser.add_argument("--record", action="store_true", help="write the table")
    options = parser.parse_args()
    if options.answer:
        return answer()
    found = []
    with tempfile.TemporaryDirectory() as folder:
        paths = write(pathlib.Path(folder))
        print("| what | here | there | ratio, of single turns | goal | instructions |\n|---|---|---|---|---|---|")
        for measured in rows(options, paths):
            found.append(measured)
            *cells, counted = measured
            print(f"| {' | '.join([*cells, goal(measured[0]), counted])} |", flush=True)
    if options.record:
        record(found)


if __name__ == "__main__":
    main()
