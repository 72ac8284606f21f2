"""Inference of whole models, here, in onnx and in other crates, in turns: medians, ratios, the goals, memory, and with
--record the table and a row of the history.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import models
import onnx
import recorded
from onnx import shape_inference

TURNS = 3
# Seconds after which no more calls are begun.
ENOUGH = 0.2
# Seconds that another crate has for a model.
PATIENCE = 20
LINEAR, MEGABYTES = 2, 60
RIVALS = ["onnx-std", "rten", "tract"]
BENCHES = models.ROOT / "shape-core/benches"


def median(call):
    """The median of the nanoseconds that a call takes."""
    start, times = time.perf_counter(), []
    while not times or (len(times) < 200 and time.perf_counter() - start < ENOUGH):
        before = time.perf_counter()
        call()
        times.append(time.perf_counter() - before)
    return statistics.median(times) * 1e9


def ours(program, path):
    output = subprocess.run([program, "--bench", path], capture_output=True, check=True, text=True).stdout
    (found,) = json.loads(output).values()
    return found


def theirs(path):
    """Alone it is the call into C++, from bytes to bytes: as directly as it can be asked."""
    content = pathlib.Path(path).read_bytes()
    return {
        "infer": median(lambda: shape_inference.C.infer_shapes(content, False, False, True)),
        "file": median(lambda: shape_inference.infer_shapes(onnx.load(path), data_prop=True)),
    }


def rival(program, name, path):
    """None where it does not take the model, or not in time."""
    try:
        done = subprocess.run([program, name, path], capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout) if done.returncode == 0 else None


def measured(program, rivals, paths):
    """For each model and engine the medians of the turns; None for what an engine does not take."""
    found = {name: {} for name in paths}
    for turn in range(TURNS):
        for name, path in paths.items():
            engines = {"here": lambda: ours(program, path), "onnx": lambda: theirs(path)}
            for other in RIVALS if rivals else []:
                engines[other] = lambda other=other: rival(rivals, other, path)
            for engine, run in engines.items():
                before = found[name].setdefault(engine, [])
                # What took too long or failed would do so again.
                if None not in before:
                    before.append(run())
        print(f"turn {turn + 1} of {TURNS}", file=sys.stderr)
    medians = {}
    for name, engines in found.items():
        medians[name] = {
            engine: None
            if None in runs
            else {what: statistics.median(run[what] for run in runs) for what in ("infer", "file")}
            for engine, runs in engines.items()
        }
        medians[name]["unknown"] = engines["here"][0]["unknown"], engines["here"][0]["values"]
    return medians


THEIR_MEMORY = """
import sys, time
import onnx
from onnx import shape_inference
start = time.perf_counter()
source, external = sys.argv[1:3]
model = shape_inference.infer_shapes(onnx.load(source), data_prop=True)
if len(sys.argv) > 3:
    onnx.save_model(model, sys.argv[3], save_as_external_data=external == "external", location="out.bin", size_threshold=0)
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM:"))
print('{"ms": %f, "kb": %s}' % ((time.perf_counter() - start) * 1e3, peak))
"""


def process(*command):
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def memory(program, folder, paths):
    """Time and the most memory of a process of its own: what is inferred, here and there."""
    long = f"shapes, {models.LENGTHS[-1]:,} nodes"
    yield long, process(program, "--memory", paths[long]), process(sys.executable, "-c", THEIR_MEMORY, paths[long], "inline")
    for where in ("inline", "external"):
        path, out = models.weighty(folder, where == "external"), folder / f"out_{where}.onnx"
        mine = process(program, "--write", path, out)
        out.unlink()
        other = process(sys.executable, "-c", THEIR_MEMORY, path, where, out)
        yield f"500 MB of weights, {where}, and written", mine, other
        for left in folder.glob("*out*"):
            left.unlink()
        path.unlink()


def shown(ns):
    return f"{ns / 1e3:,.1f} µs" if ns < 1e6 else f"{ns / 1e6:,.1f} ms"


def cells(engines, what):
    """The time here, and how many times as long each other takes."""
    here = engines["here"][what]
    yield shown(here)
    for engine in ("onnx", *RIVALS):
        if engine not in engines:
            yield ""
        elif engines[engine] is None:
            yield "none"
        else:
            # A difference of two loads may be less than what they differ by from run to run.
            there = engines[engine][what]
            yield f"{there / here:.1f}" if there > 0 else "too little to tell"


def row(name, engines):
    unknown = f"{engines['unknown'][0]:,} of {engines['unknown'][1]:,}"
    return f"| {' | '.join([name, unknown, *cells(engines, 'infer'), *cells(engines, 'file')])} |"


def linear(medians, kind, lengths):
    """Nanoseconds of each node at several lengths."""
    each = [medians[name]["here"]["infer"] / length for length, name in lengths]
    verdict = "met" if max(each) <= LINEAR * each[0] else "missed"
    return f"| {kind} | {', '.join(f'{ns:,.0f}' for ns in each)} ns | {verdict} |"


def table(medians):
    others = " | ".join(["onnx", *RIVALS])
    lines = [
        f"| model | unknown | alone | {others} | from the file | {others} |",
        "|---" * (4 + 2 * (1 + len(RIVALS))) + "|",
        *(row(name, engines) for name, engines in medians.items()),
        "",
        f"| models | a node, at each length | goal: at most {LINEAR} times the first |",
        "|---|---|---|",
    ]
    chains = [(length, f"{length:,} nodes") for length in models.LENGTHS]
    for kind in ("shapes", "Relu and Add"):
        lines.append(linear(medians, kind, [(length, f"{kind}, {name}") for length, name in chains]))
    for kind in ("If", "functions", "growing Concat"):
        lines.append(linear(medians, kind, [(count, f"{kind}, {count:,}") for count in models.QUADRATIC]))
    return lines


def memory_table(rows):
    yield from ["", f"| a process | here | memory; goal with weights: {MEGABYTES} MB | onnx | memory |", "|---|---|---|---|---|"]
    for name, mine, other in rows:
        yield f"| {name} | {mine['ms']:,.0f} ms | {mine['kb'] / 1024:,.1f} MB | {other['ms']:,.0f} ms | {other['kb'] / 1024:,.0f} MB |"


def record(lines, medians, rows):
    recorded.replace(BENCHES / "README.md", "inference", lines)
    recorded.append(BENCHES / "history/inference.csv", history(medians, rows))


def history(medians, rows):
    for name, found in medians.items():
        for what in ("infer", "file"):
            engines = [found.get(engine) for engine in ("here", "onnx", *RIVALS)]
            yield (f"{name}; {what}", "ns", *("" if times is None else f"{times[what]:.1f}" for times in engines))
    for name, mine, other in rows:
        for unit in ("ms", "kb"):
            yield name, unit, mine[unit], round(other[unit], 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", help="the program that measures this side")
    parser.add_argument("--rivals", help="the one that measures the other crates")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--only", help="models whose names have this in them, and no memory")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        paths = models.write(folder)
        if options.only:
            paths = {name: path for name, path in paths.items() if options.only in name}
            for name, engines in measured(options.program, options.rivals, paths).items():
                print(row(name, engines))
            return
        medians = measured(options.program, options.rivals, paths)
        rows = list(memory(options.program, folder, paths))
    lines = [*table(medians), *memory_table(rows)]
    print(f"onnx {onnx.__version__}; medians of {TURNS} turns\n", *lines, sep="\n")
    if options.record:
        record(lines, medians, rows)


if __name__ == "__main__":
    main()
