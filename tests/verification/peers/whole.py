"""Whole models from bytes in memory to the answer, here and in others: medians of processor time, in turns.

    whole.py PROGRAM [--shape SHAPE] [--rivals RIVALS] [--only TEXT] [--record COLUMN]

PROGRAM is the benchmark `whole` of shape-model. Each of its turns is followed by one of the onnx package, in this
process: its call into C++ from bytes to bytes, or for `open` what Python's upb takes to parse. With --shape the
instructions of `shape infer` are counted by callgrind; with --record the ratios go into a column of the table in
shape-core/benches/README.md.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

import models
import onnx
from onnx import checker, helper, shape_inference

TURNS = 15
# Nanoseconds of a turn, which are many calls for a small model.
TURN = 30_000_000
PAGE = models.ROOT / "shape-core/benches/README.md"


class Here:
    """The program, which answers line by line."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, work, calls, path):
        self.process.stdin.write(f"{work} {calls} {path}\n")
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"{work} {path}: the program ended")
        return int(answer)

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


def calls_for(nanoseconds):
    return max(1, min(1000, int(TURN // max(1, nanoseconds))))


def compared(here, work, path):
    """The medians of the nanoseconds here and there, and the lowest and highest ratio of a turn."""
    there = theirs(work, path.read_bytes())
    mine, other = calls_for(here.ask(work, 1, path)), calls_for(timed(there, 1))
    turns = [(here.ask(work, mine, path), timed(there, other)) for _ in range(TURNS)]
    ratios = sorted(other / mine for mine, other in turns)
    ours, others = (statistics.median(column) for column in zip(*turns))
    return ours, others, ratios[0], ratios[-1]


def rival(program, name, path):
    """The nanoseconds of another crate for the inference alone; None where it does not take the model."""
    try:
        done = subprocess.run([program, name, path], capture_output=True, text=True, timeout=60, check=True)
    except subprocess.SubprocessError:
        return None
    return float(re.search(r'"infer": ([-0-9.]+)', done.stdout).group(1))


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


def instructions(shape, path):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", shape, "infer", path]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | {"NO_COLOR": "1"})
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


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


def rows(options, paths):
    """The name of each row, what it is here, what it is there, and the ratio; a ratio of a turn is from low to high."""
    here = Here(options.program)
    every = list(paths)
    light = [name for name in every if name.startswith("light_")]
    works = {
        "infer": [name for name in every if name != "functions, 1,000"],
        # The checker refuses the other models, since their outputs do not say their dimensions.
        "check": ["a tiny model", "Relu and Add, 10,000 nodes", *light],
        "open": ["a tiny model", "shapes, 10,000 nodes", "Relu and Add, 10,000 nodes", *light],
    }
    for work, names in works.items():
        for name in names:
            if options.only in f"{work}: {name}":
                ours, others, low, high = compared(here, work, paths[name])
                ratio = f"{others / ours:.2f} ({low:.2f} to {high:.2f})"
                yield f"{work}: {name}", microseconds(ours), microseconds(others), ratio
    functions = paths["functions, 1,000"]
    if options.only in "analysis alone: functions, 1,000":
        calls = calls_for(here.ask("analyse", 1, functions))
        ours = statistics.median(here.ask("analyse", calls, functions) for _ in range(TURNS))
        for name in ["onnx-std", "rten", "tract"] if options.rivals else []:
            others = rival(options.rivals, name, functions)
            if others is not None:
                what = f"analysis alone: functions, 1,000; {name}"
                yield what, microseconds(ours), microseconds(others), f"{others / ours:.2f}"
        if not options.rivals:
            yield "analysis alone: functions, 1,000", microseconds(ours), "", ""
    here.close()
    if options.only in "memory":
        peaks = []
        # A process of its own for each, since a peak stays.
        for name in ("a tiny model", "shapes, 100,000 nodes"):
            alone = Here(options.program)
            peaks.append(alone.ask("peak", 1, paths[name]))
            alone.close()
        yield "memory: shapes, a node", f"{(peaks[1] - peaks[0]) / 100_000:.2f} KB", "", ""
    if options.shape and options.only in "instructions":
        count = instructions(options.shape, paths["Relu and Add, 10,000 nodes"])
        yield "instructions: `shape infer`, Relu and Add, 10,000 nodes", f"{count / 1e6:,.0f} M", "", ""


def record(column, found):
    """Writes what a row is here and its ratio into a column of the table; the rows are those that were measured first."""
    before, rest = PAGE.read_text().split("<!-- whole -->\n")
    old, after = rest.split("<!-- end -->", 1)
    table = {}
    for line in old.splitlines()[2:]:
        name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        table[name] = (cells + ["", ""])[:2]
    at = ["before", "after"].index(column)
    for name, here, _, ratio in found:
        table.setdefault(name, ["", ""])[at] = f"{here}, {ratio} times" if ratio else here
    lines = ["| what | before | after |", "|---|---|---|"]
    lines += [f"| {name} | {' | '.join(cells)} |" for name, cells in table.items()]
    PAGE.write_text(before + "<!-- whole -->\n" + "\n".join(lines) + "\n<!-- end -->" + after)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", help="the benchmark `whole`")
    parser.add_argument("--shape", help="the command, to count the instructions of")
    parser.add_argument("--rivals", help="the program of the other crates")
    parser.add_argument("--only", default="", help="rows that have this in their names")
    parser.add_argument("--record", choices=["before", "after"], help="the column to write")
    options = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as folder:
        paths = write(pathlib.Path(folder))
        print("| what | here | there | ratio, of single turns |\n|---|---|---|---|")
        for row in rows(options, paths):
            found.append(row)
            print(f"| {' | '.join(row)} |", flush=True)
    if options.record:
        record(options.record, found)


if __name__ == "__main__":
    main()
