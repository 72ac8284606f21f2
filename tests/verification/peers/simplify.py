"""Simplification of whole models, here and in onnxsim, onnxslim and onnxoptimizer, side by side.

    simplify.py SHAPE [--command simplify] [--only TEXT] [--json] [--record]

SHAPE is the command. For each model: the nodes that compute shapes (`shape_nodes.py`) and all nodes; the outputs of onnxruntime,
optimizations off, for two draws of sizes, beside those of the model as it was; processor time, from bytes to bytes for
the packages and of the process for the command (`simplifying.py`); the most memory; and the size of the file.
"""

import argparse
import importlib.metadata
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass

import models
import numpy
import onnx
import recorded
import simplifying

CONFORMANCE = models.ROOT / "tests/verification/conformance"
sys.path.append(str(CONFORMANCE))

import apart  # noqa: E402
import fold  # noqa: E402
import infer_corpus  # noqa: E402
import runtime  # noqa: E402
import shape_nodes  # noqa: E402
import simplifiers  # noqa: E402
import strip_models  # noqa: E402

PAGE = pathlib.Path(__file__).with_name("README.md")
OURS = "shape"
TOOLS = (OURS, *simplifiers.PACKAGES)
SEED, BLOCKS = 20261124, 100
# Seconds that a tool may take for a model.
PATIENCE = 120
# How far outputs may be from one another that are called close.
CLOSE = {"rtol": 1e-3, "atol": 1e-5, "equal_nan": True}
EQUAL, NEAR, BROKEN, FAILED = "equal", "close", "broken", "failed"
# The share of the models with symbols where no other leaves fewer nodes for shapes; how many more they may be; how many
# times faster than the fastest; and the most nodes of two models.
SHARE, EXCESS, FASTER = 0.9, 0.05, 10
# Milliseconds; a difference that is less says nothing.
LEAST = 0.1
CHAIN, ATTENTION = f"heads, {BLOCKS} blocks", "attention"
LARGEST = {CHAIN: 600, ATTENTION: 22}


@dataclass
class Made:
    """What a tool made of a model: how its outputs are, and what is wrong; nodes for shapes and all; what it took."""

    outcome: str
    why: str = ""
    shapes: int | None = None
    nodes: int | None = None
    ms: float | None = None
    kb: int | None = None
    bytes: int | None = None


@dataclass
class Model:
    """Before, and by tool after."""

    symbolic: bool
    shapes: int
    nodes: int
    bytes: int
    made: dict


def write(folder, only):
    """The files, by what they are called; those of the corpus with random weights."""
    shapes = models.shapes(13 * BLOCKS)
    # Which not every tool does without.
    shapes.graph.output[0].CopyFrom(models.info(shapes.graph.output[0].name, ["batch", 12, 64]))
    made = {CHAIN: models.heads(BLOCKS), f"{CHAIN}, 16 long": models.heads(BLOCKS, 16), f"shapes, {13 * BLOCKS:,} nodes": shapes}
    made[ATTENTION] = onnx.load(models.ROOT / "tests/models/attention.onnx")
    for path in sorted(infer_corpus.MODELS.rglob("*.onnx")):
        name = str(path.relative_to(infer_corpus.MODELS).with_suffix(""))
        made[name] = strip_models.filled(onnx.load(path), SEED)[0]
    paths = {}
    for name, model in made.items():
        if only in name:
            paths[name] = folder / f"{len(paths)}.onnx"
            onnx.save(model, paths[name])
    return paths


def close(left, right):
    if isinstance(left, (list, dict)):
        return fold.same(left, right)
    left, right = numpy.asarray(left), numpy.asarray(right)
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    return numpy.allclose(left, right, **CLOSE) if left.dtype.kind == "f" else fold.same(left, right)


def held(send, before, after):
    """Sends how the outputs are, and what is wrong with them."""
    model, run = onnx.load(before), runtime.session(str(before))
    try:
        other = runtime.session(str(after))
    except runtime.Refused as error:
        send((BROKEN, f"does not open: {error}"))
        return
    names = [value.name for value in run.get_outputs()]
    if names != [value.name for value in other.get_outputs()]:
        send((BROKEN, "outputs with other names"))
        return
    outcome = EQUAL
    for at in range(2):
        for pair in infer_corpus.SIZES:
            given = infer_corpus.made(model, *pair[at])[1]
            try:
                wanted = fold.outputs(run, given)
            except (runtime.Refused, ValueError):
                continue
            break
        else:
            send((FAILED, "onnxruntime does not run the model as it is"))
            return
        sizes = {name: array.shape for name, array in given.items()}
        try:
            found = fold.outputs(other, given)
        except (runtime.Refused, ValueError) as error:
            send((BROKEN, f"does not run with {sizes}: {error}"))
            return
        if wrong := [name for name, *both in zip(names, wanted, found) if not close(*both)]:
            send((BROKEN, f"other outputs with {sizes}: {', '.join(wrong)}"))
            return
        outcome = outcome if fold.same(wanted, found) else NEAR
    send((outcome, ""))


def simplified(tool, command, path):
    """What a tool makes of a file."""
    target = path.with_name(f"{path.stem}_{tool}.onnx")
    asked = [sys.executable, "-I", "-S"] if tool == OURS else [sys.executable]
    asked += [pathlib.Path(__file__).with_name("simplifying.py"), path, target, *(command if tool == OURS else [tool])]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, timeout=PATIENCE, check=False)
        said = json.loads(done.stdout) if done.stdout else {"failed": f"exit {done.returncode}"}
    except subprocess.TimeoutExpired:
        return Made(FAILED, f"no answer in {PATIENCE} s")
    if "failed" in said:
        return Made(FAILED, f"{said['failed']} {done.stderr.strip()[-300:] if tool == OURS else ''}")
    sent, _ = apart.messages(held, path, target, patience=PATIENCE)
    outcome, why = sent[-1] if sent else (BROKEN, "ends the process that runs it")
    return Made(outcome, why, *shape_nodes.counts_of(target), **said, bytes=target.stat().st_size)


def measured(options, folder):
    found = {}
    for name, path in write(folder, options.only).items():
        model = onnx.load(path)
        made = {tool: simplified(tool, [options.shape, options.command], path) for tool in TOOLS}
        found[name] = Model(shape_nodes.is_symbolic(model), *shape_nodes.counts(model), path.stat().st_size, made)
        print(f"{name}: {', '.join(f'{tool} {each.outcome}' for tool, each in made.items())}", file=sys.stderr)
    return found


def cell(made):
    if made.outcome == FAILED:
        return FAILED
    return f"{made.shapes} of {made.nodes}, {made.outcome}, {made.ms:,.1f} ms, {made.kb / 1024:,.0f} MB, {made.bytes / 1024:,.0f} KB"


def short(made):
    """What the page has of a cell: outputs that are equal are not told."""
    if made.outcome == FAILED:
        return FAILED
    outcome = "" if made.outcome == EQUAL else f" ({made.outcome})"
    return f"{made.shapes} of {made.nodes}{outcome}, {made.ms:,.1f} ms"


def is_right(made):
    return made.outcome in (EQUAL, NEAR)


def least(model):
    """The fewest nodes for shapes that another tool leaves of a model that still computes the same."""
    return min((made.shapes for tool, made in model.made.items() if tool != OURS and is_right(made)), default=model.shapes)


def goal(text, is_met):
    return f"{text}, {'met' if is_met else 'missed'}"


def fewest(found):
    """Where no other leaves fewer nodes for shapes, and where more are left."""
    symbolic = {name: model for name, model in found.items() if model.symbolic}
    mine = {name: model.made[OURS].shapes for name, model in symbolic.items() if is_right(model.made[OURS])}
    most = {name: (count - least(symbolic[name])) / max(least(symbolic[name]), 1) for name, count in mine.items()}
    if not most:
        return
    share = sum(excess <= 0 for excess in most.values()) / len(symbolic)
    worst = max(most, key=most.get)
    yield goal(f"no other leaves fewer nodes for shapes of {share:.0%} of {len(symbolic)} models with symbols; goal {SHARE:.0%}", share >= SHARE)
    yield goal(
        f"at worst {mine[worst]} where another leaves {least(symbolic[worst])}, of {worst}; goal {EXCESS:.0%} more",
        most[worst] <= EXCESS,
    )
    fewer = [f"{name} ({count} for {least(symbolic[name])})" for name, count in mine.items() if count > least(symbolic[name])]
    if fewer:
        yield f"another leaves fewer of {', '.join(fewer)}"


def speed(found, start):
    """How many times faster than the fastest of the others, of the models that both take: as a process, and without what
    a process takes for a tiny model, since the packages are measured without their start."""
    mine = {name: model.made[OURS].ms for name, model in found.items() if model.made[OURS].ms}
    for what, off in (("as a process", 0), (f"without the {start:.1f} ms of a tiny model", start)):
        ratios, totals = {}, dict.fromkeys(TOOLS[1:], ())
        for name, ms in mine.items():
            others = {tool: made.ms for tool, made in found[name].made.items() if tool != OURS and made.ms}
            for tool, theirs in others.items():
                totals[tool] += ((theirs, max(ms - off, LEAST)),)
            if others:
                ratios[name] = min(others.values()) / max(ms - off, LEAST)
        if ratios:
            middle, slowest = statistics.median(ratios.values()), min(ratios, key=ratios.get)
            text = f"{what} {middle:.1f} times as fast as the fastest other, the median; at least {ratios[slowest]:.1f} ({slowest})"
            yield goal(f"{text}; goal {FASTER}", ratios[slowest] >= FASTER)
        for tool, pairs in totals.items():
            if pairs:
                theirs, ours = map(sum, zip(*pairs))
                yield f"  {tool}: {theirs / ours:.1f} times the processor time, of {len(pairs)} models together"


def summary(found, start):
    yield from fewest(found)
    for tool in TOOLS:
        made = {name: model.made[tool] for name, model in found.items()}
        counts = {outcome: sum(each.outcome == outcome for each in made.values()) for outcome in (EQUAL, NEAR, BROKEN, FAILED)}
        text = f"{tool}: {', '.join(f'{count} {outcome}' for outcome, count in counts.items())}"
        yield goal(f"{text}; goal 0 broken", not counts[BROKEN] + counts[FAILED]) if tool == OURS else text
        yield from (f"  {name}: {each.outcome}: {' '.join(each.why.split())[:240]}" for name, each in made.items() if each.why)
    yield from speed(found, start)
    for name, most in LARGEST.items():
        if name in found and (left := found[name].made[OURS].nodes) is not None:
            yield goal(f"{name}: {found[name].nodes} nodes, {left} left; goal at most {most}", left <= most)


def table(found):
    yield f"| model: nodes for shapes of all, size | {' | '.join(TOOLS)} |"
    yield "|---" * (1 + len(TOOLS)) + "|"
    for name, model in found.items():
        before = f"{name}: {model.shapes} of {model.nodes}, {model.bytes / 1024:,.0f} KB"
        yield f"| {before} | {' | '.join(cell(model.made[tool]) for tool in TOOLS)} |"


def page(found, versions):
    """The table of the page."""
    names = ["here", *(f"{tool} {version}" for tool, version in versions.items())]
    yield f"| model | before | {' | '.join(names)} |"
    yield "|---" * (2 + len(names)) + "|"
    for name, model in found.items():
        made = " | ".join(short(model.made[tool]) for tool in TOOLS)
        yield f"| {name} | {model.shapes} of {model.nodes} | {made} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shape", help="the command")
    parser.add_argument("--command", default="simplify", help="what of it simplifies; `fold` does a part")
    parser.add_argument("--only", default="", help="models whose names have this in them")
    parser.add_argument("--json", action="store_true", help="print what was measured as JSON")
    parser.add_argument("--record", action="store_true", help="write the table of README.md")
    options = parser.parse_args()
    apart.preload(pathlib.Path(__file__).stem)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "tiny.onnx").write_bytes(simplifying.tiny())
        start = simplified(OURS, [options.shape, options.command], folder / "tiny.onnx").ms or 0
        found = measured(options, folder)
    versions = {tool: importlib.metadata.version(tool) for tool in TOOLS[1:]}
    if options.json:
        made = {name: asdict(model) for name, model in found.items()}
        print(json.dumps({"versions": versions, "tiny_ms": start, "models": made}, indent=1))
        return
    if options.record:
        recorded.replace(PAGE, "simplify", page(found, versions))
    print(", ".join(f"{tool} {version}" for tool, version in versions.items()), "", *table(found), "", sep="\n")
    print(*(f"- {line}" if not line.startswith(" ") else f"  - {line.strip()}" for line in summary(found, start)), sep="\n")


if __name__ == "__main__":
    main()
