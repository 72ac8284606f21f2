"""Holds the package against others: time, memory, values known, and mistakes found. python measure.py [--rounds 5]

It wants onnx, onnxruntime with sympy, onnx-shape-inference, onnxsim, onnxslim and onnx-doctor beside the package. The models
are those of the corpus that inference is held against, which transformers, torch and onnxruntime wrote. For the time, all
tools of a table look at one model one after another, again and again, and the fastest look of each counts. For the memory,
each tool looks at all models in a process of its own. Where a tool fails on a model, that model is left out of its sum, and
the number of them stands beside it.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import logging
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import onnx

ROOT = Path(__file__).resolve().parents[3]
CONFORMANCE = ROOT / "tests" / "verification" / "conformance"
CORPUS = CONFORMANCE / "corpus"
MUTANTS = 200


def ours(call):
    def imported(model):
        import onnxspec

        return call(onnxspec)(model)

    return imported


def onnx_inference(model):
    return onnx.shape_inference.infer_shapes(model, data_prop=True)


def symbolic(model):
    from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

    return SymbolicShapeInference.infer_shapes(model, auto_merge=True)


def by_ir(model):
    import onnx_ir
    from onnx_shape_inference import infer_symbolic_shapes

    return onnx_ir.to_proto(infer_symbolic_shapes(onnx_ir.from_proto(model), warn_on_missing=False))


def by_onnxsim(model):
    import onnxsim

    return onnxsim.simplify(model)[0]


def by_onnxslim(model):
    import onnxslim

    return onnxslim.slim(onnx.ModelProto.FromString(model.SerializeToString()))


def doctor(model):
    import onnx_doctor
    import onnx_ir
    from onnx_doctor.diagnostics_providers.onnx_spec import OnnxSpecProvider

    found = onnx_doctor.diagnose(onnx_ir.from_proto(model), [OnnxSpecProvider()])
    errors = [each for each in found if each.severity == "error"]
    if errors:
        raise ValueError(str(errors[0]))


#: For each table, the tools by their names: what they make of a `ModelProto`, the first of them ours.
TABLES = {
    "inference": {
        "onnxspec.infer_shapes": ours(lambda package: package.infer_shapes),
        "onnx.shape_inference, data_prop": onnx_inference,
        "onnxspec.SymbolicShapeInference": ours(lambda package: package.SymbolicShapeInference.infer_shapes),
        "SymbolicShapeInference, auto_merge": symbolic,
        "onnx-shape-inference": by_ir,
    },
    "checks": {
        "onnxspec.check_model": ours(lambda package: package.check_model),
        "onnx.checker, full_check": lambda model: onnx.checker.check_model(model, full_check=True),
        "onnx.checker": lambda model: onnx.checker.check_model(model),
        "onnx-doctor": doctor,
    },
    "conversion to the newest opset": {
        "onnxspec.convert_version": ours(lambda package: lambda model: package.convert_version(model, newest())),
        "onnx.version_converter": lambda model: onnx.version_converter.convert_version(model, newest()),
    },
    "simplification": {
        "onnxspec.simplify": ours(lambda package: lambda model: package.simplify(model)[0]),
        "onnxsim": by_onnxsim,
        "onnxslim": by_onnxslim,
    },
}


def newest():
    return onnx.defs.onnx_opset_version()


def models():
    return [onnx.load(path) for path in sorted(CORPUS.rglob("*.onnx"))]


@contextlib.contextmanager
def silent():
    """Without what tools write, also from C++; and in a folder of their own, since one of them leaves files."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    kept, before = [os.dup(1), os.dup(2)], os.getcwd()
    with open(os.devnull, "w") as nothing, tempfile.TemporaryDirectory() as folder:
        for descriptor in (1, 2):
            os.dup2(nothing.fileno(), descriptor)
        os.chdir(folder)
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                yield
        finally:
            os.chdir(before)
            for descriptor, old in zip((1, 2), kept):
                os.dup2(old, descriptor)
                os.close(old)


def look(tool, model):
    """The time of one look in seconds, and what came out; no time where the tool fails."""
    given = onnx.ModelProto.FromString(model.SerializeToString())
    start = time.perf_counter()
    try:
        result = tool(given)
    except Exception:
        return None, None
    return time.perf_counter() - start, result


def known(model, names):
    """How many values of the main graph have a type, and dimensions that are numbers or expressions over these names."""
    import re

    given = {each.name for each in [*model.graph.input, *model.graph.initializer]}
    infos = {each.name: each.type for each in [*model.graph.value_info, *model.graph.output] if each.name not in given}

    def dimension(dim):
        words = set(re.findall(r"[A-Za-z_]\w*", dim.dim_param)) - {"max", "min", "floor", "Max", "Min"}
        return dim.HasField("dim_value") or bool(dim.dim_param) and (dim.dim_param in names or words <= names)

    def whole(of):
        tensor = of.tensor_type
        return tensor.elem_type != 0 and tensor.HasField("shape") and all(map(dimension, tensor.shape.dim))

    return sum(whole(of) for of in infos.values())


def symbols(model):
    infos = [*model.graph.input, *model.graph.output]
    return {dim.dim_param for each in infos for dim in each.type.tensor_type.shape.dim if dim.dim_param}


def memory(tool):
    """The peak of the memory of a process in which the tool looks at all models, without that of one with no tool."""
    program = f"import measure; measure.all_of({tool!r}); print(*open('/proc/self/status'))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=Path(__file__).parent, capture_output=True, text=True, check=True
    )
    return int(done.stdout.split("VmHWM:")[1].split()[0])


def all_of(name):
    tools = {name: tool for table in TABLES.values() for name, tool in table.items()}
    given = models()
    with silent():
        for model in given:
            look(tools.get(name, bool), model)


def table(title, rounds):
    tools, given = TABLES[title], models()
    best = [[None] * len(given) for _ in tools]
    values, nodes = [0] * len(tools), [0] * len(tools)
    with silent():
        for place, model in enumerate(given):
            names = symbols(model)
            for number in range(rounds):
                for row, tool in enumerate(tools.values()):
                    spent, result = look(tool, model)
                    if spent is not None:
                        best[row][place] = min(spent, best[row][place] or spent)
                    if number == 0 and isinstance(result, onnx.ModelProto):
                        values[row] += known(result, names)
                        nodes[row] += len(result.graph.node)
    nothing = memory("")
    all_nodes = sum(len(model.graph.node) for model in given)
    last = {"inference": f"values known of {all_outputs(given)}", "simplification": f"nodes of {all_nodes}"}.get(title, "")
    print(f"\n| {title} | time, ms | against the first, on the same models | fails on | peak memory, MB | {last} |")
    print("|---|---|---|---|---|---|")
    for row, name in enumerate(tools):
        both = [(mine, first) for mine, first in zip(best[row], best[0]) if mine is not None and first is not None]
        spent, of_first = sum(mine for mine, _ in both), sum(first for _, first in both)
        failed = sum(time is None for time in best[row])
        shown = {"inference": values[row], "simplification": nodes[row]}.get(title, "")
        peak = (memory(name) - nothing) / 1024
        print(f"| {name} | {spent * 1000:.1f} | {spent / of_first:.1f} | {failed} | {peak:.0f} | {shown} |", flush=True)


def of_packages():
    """The bytes of each package on disk, and the shortest of ten imports of it."""
    names = {
        "onnxspec": "onnxspec",
        "onnx.shape_inference": "onnx",
        "onnxruntime.tools.symbolic_shape_infer": "onnxruntime",
        "onnx_shape_inference": "onnx_shape_inference",
        "onnxsim": "onnxsim",
        "onnxslim": "onnxslim",
        "onnx_doctor": "onnx_doctor",
    }
    print("\n| package | installed, MB | import, ms |\n|---|---|---|")
    for module, package in names.items():
        program = f"import time; start = time.perf_counter(); import {module}; print(time.perf_counter() - start)"
        times = [float(subprocess.check_output([sys.executable, "-c", program]).split()[-1]) for _ in range(10)]
        place = f"import {package}; print({package}.__path__[0])"
        folder = Path(subprocess.check_output([sys.executable, "-c", place], text=True).split()[-1])
        size = sum(file.stat().st_size for file in folder.rglob("*") if "__pycache__" not in file.parts and file.is_file())
        print(f"| {module} | {size / 1e6:.1f} | {min(times) * 1000:.1f} |", flush=True)


def all_outputs(given):
    return sum(len({name for node in model.graph.node for name in node.output if name}) for model in given)


def found():
    """How many of the mutants each check finds something wrong with that it did not find before."""
    sys.path.insert(0, str(CONFORMANCE))
    import random

    import mutants

    data = Path(onnx.__file__).parent / "backend" / "test" / "data" / "node"
    sources = sorted(CORPUS.rglob("*.onnx")) + sorted(data.glob("*/model.onnx"))[::12]
    tools = {name: tool for name, tool in TABLES["checks"].items()}
    counts, total = dict.fromkeys(tools, 0), 0
    with tempfile.TemporaryDirectory() as folder:
        made = mutants.of(sources, Path(folder))
        chosen = random.Random(mutants.SEED).sample(made, MUTANTS)
        with silent():
            sound = {
                name: {path for path in sources if look(tool, onnx.load(path))[0] is not None} for name, tool in tools.items()
            }
            for mutant in chosen:
                model = onnx.load(mutant.path)
                total += 1
                for name, tool in tools.items():
                    counts[name] += look(tool, model)[0] is None
    print(f"\n| {total} mutants | found | models without a change that it refuses, of {len(sources)} |")
    print("|---|---|---|")
    for name, count in counts.items():
        print(f"| {name} | {count} | {len(sources) - len(sound[name])} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="the tables alone whose name contains this")
    options = parser.parse_args()
    for title in TABLES:
        if options.only in title:
            table(title, options.rounds)
    if options.only in "mutants":
        found()
    if options.only in "packages":
        of_packages()


if __name__ == "__main__":
    main()
