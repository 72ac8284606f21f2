"""Inference of whole models beside other tools, held against runs.

Each model is run twice by onnxruntime, optimizations off, with different sizes, and every value is kept. What a tool
says of a value must be so in both runs; a symbol that it made itself may be any number, but only one in a run. What the
model itself declares of its values and outputs is taken away first.

The models are those in `corpus`, which `strip_models.py` made of those that `export_corpus.py` and `optimized_models.py`
write; `--corpus` takes a folder of others, as `export_models.py` writes them. The tools are onnx.shape_inference with data propagation, onnxruntime's
SymbolicShapeInference (needs sympy), onnx-shape-inference of PyPI, each where Python finds it, and the crate
onnx-runtime-shape-inference, where `RIVALS` names the program of `../peers/rivals`.
"""

import argparse
import contextlib
import copy
import io
import json
import os
import re
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import command
import expressions
import numpy
import onnx
import onnxruntime
import pages
import runtime
import summary
from onnx import TensorProto, helper

HERE = Path(__file__).parent
MODELS, RECORD = HERE / "corpus", "infer_corpus.json"
OURS = "shape"
KINDS = ("known", "fresh", "unknown", "wrong")
# The sizes of the first axis and of the others, and by how much each further symbol is larger: one pair of runs after
# the other, until a model runs with both.
SIZES = (((2, 7, 2), (3, 9, 1)), ((2, 64, 32), (3, 96, 32)), ((2, 1600, 0), (3, 2111, 0)), ((1, 160, 32), (1, 224, 32)),
         ((1, 512, 0), (1, 512, 0)), ((2, 1, 0), (3, 1, 0)))
# Symbols that decoders give the sum of others.
SUMS = {"total_sequence_length": ("past_sequence_length", "sequence_length")}
INTEGERS = (TensorProto.INT32, TensorProto.INT64, TensorProto.UINT8, TensorProto.INT8, TensorProto.BOOL)


@dataclass(frozen=True)
class Run:
    """The sizes of the symbols of the inputs, and the arrays by name."""

    sizes: dict
    arrays: dict


def open_inputs(model):
    """The inputs that are no initializers."""
    constant = {tensor.name for tensor in model.graph.initializer}
    return [info for info in model.graph.input if info.name not in constant]


def made(model, first, other, step):
    """Arrays for the inputs, and the sizes that their symbols have."""
    random = numpy.random.default_rng(20261123)
    sizes, arrays = {}, {}

    def of_symbol(name, is_first):
        if name not in sizes:
            parts = [of_symbol(part, False) for part in SUMS.get(name, ())]
            size = first if is_first else other + step * sum(size >= other for size in sizes.values())
            sizes[name] = sum(parts) or size
        return sizes[name]

    for info in open_inputs(model):
        tensor = info.type.tensor_type
        dims = [
            dim.dim_value if dim.dim_value > 0
            else of_symbol(dim.dim_param or f"{info.name} {axis}", axis == 0 and len(tensor.shape.dim) > 1)
            for axis, dim in enumerate(tensor.shape.dim)
        ]
        is_mask = "mask" in info.name
        numbers = random.integers(is_mask, 2, dims) if tensor.elem_type in INTEGERS else random.random(dims)
        arrays[info.name] = numpy.asarray(numbers).astype(helper.tensor_dtype_to_np_dtype(tensor.elem_type))
    return sizes, arrays


def with_all_outputs(model):
    everything = copy.deepcopy(model)
    named = {output.name for output in everything.graph.output}
    for node in everything.graph.node:
        for name in node.output:
            if name and name not in named:
                everything.graph.output.add().name = name
                named.add(name)
    return everything


def run(session, model, sizes):
    bound, given = made(model, *sizes)
    names = [output.name for output in session.get_outputs()]
    arrays = dict(zip(names, session.run(names, given)))
    return Run(bound, {**given, **{name: array for name, array in arrays.items() if isinstance(array, numpy.ndarray)}})


def runs(model, path):
    """Two runs, or none."""
    onnx.save(with_all_outputs(model), path)
    try:
        session = runtime.session(path)
    except Exception as error:  # noqa: BLE001: whatever it says, the model does not run
        return [], str(error)
    why = ""
    for pair in SIZES:
        try:
            return [run(session, model, sizes) for sizes in pair], ""
        except Exception as error:  # noqa: BLE001
            why = str(error)
    return [], why


def bare(model):
    """The model without what it declares of its values and outputs."""
    model = copy.deepcopy(model)
    del model.graph.value_info[:]
    for output in model.graph.output:
        if output.type.HasField("tensor_type"):
            output.type.tensor_type.ClearField("shape")
    return model


def ours(model, path):
    """Name: dimensions and elements, and why they are not known; and the symbols that were made."""
    onnx.save(model, path)
    answer = command.infer(path)
    said = {}
    for value in answer["values"]:
        is_tensor = value["type"] is None or re.fullmatch(r"\w+", value["type"])
        if "graph" not in value and is_tensor:
            said[value["name"]] = (value["dims"], value["value"], value["reason"])
    return said


def of_proto(model):
    """What value_info and outputs say, with sympy's names for what shape has operators for."""
    said = {}
    for info in (*model.graph.input, *model.graph.value_info, *model.graph.output):
        if not info.type.HasField("tensor_type"):
            continue
        dims = None
        if info.type.tensor_type.HasField("shape"):
            dims = [dim.dim_value if dim.HasField("dim_value") else dim.dim_param or None
                    for dim in info.type.tensor_type.shape.dim]
        said[info.name] = (dims, None, "")
    return said


def by_onnx(model, _):
    return of_proto(onnx.shape_inference.infer_shapes(model, data_prop=True))


def by_onnxruntime(model, _):
    from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

    # Where it fails, it leaves a file in the folder that it is called in.
    with tempfile.TemporaryDirectory() as scratch, contextlib.chdir(scratch), contextlib.redirect_stdout(io.StringIO()):
        return of_proto(SymbolicShapeInference.infer_shapes(copy.deepcopy(model), 2**31 - 1, True, False, 0))


def by_pypi(model, _):
    import onnx_ir
    import onnx_shape_inference

    inferred = onnx_ir.serde.deserialize_model(model)
    onnx_shape_inference.infer_symbolic_shapes(inferred)
    return of_proto(onnx_ir.serde.serialize_model(inferred))


def by_crate(model, path):
    """The program is that of ../peers/rivals; where `RIVALS` does not name one, nothing is compared."""
    onnx.save(model, path)
    told = subprocess.run([os.environ["RIVALS"], "dims", path], capture_output=True, check=True, text=True).stdout
    return {name: (dims, None, "") for name, dims in json.loads(told).items()}


TOOLS = {
    OURS: ours,
    "onnx": by_onnx,
    "onnxruntime": by_onnxruntime,
    "onnx-shape-inference": by_pypi,
    "onnx-runtime-shape-inference": by_crate,
}


def words(entry):
    return set(re.findall(r"[A-Za-z_][\w.]*", entry)) - {"max", "min", "Max", "Min", "floor", "ceiling", "Mod"}


def number(entry, sizes):
    """The number of a dimension or an element in a run; None where it is not known, or cannot be told."""
    if not isinstance(entry, str):
        return entry
    try:
        return expressions.value(entry, sizes)
    except expressions.Open:
        return None
    except expressions.Unreadable:
        return by_sympy(entry, sizes)


def by_sympy(entry, sizes):
    try:
        import sympy

        symbols = {name: sympy.Symbol(f"s{index}") for index, name in enumerate(sizes)}
        expression = sympy.sympify(entry, locals=symbols)
        found = expression.subs({symbols[name]: size for name, size in sizes.items() if size is not None})
        return int(found) if found.is_integer and found.is_number else None
    except Exception:  # noqa: BLE001: a text that only the tool that wrote it can read
        return None


def wrong(said, one):
    """The values that a run contradicts."""
    names = {name for dims, elements, _ in said.values() for entry in (*(dims or ()), *(elements or ()))
             if isinstance(entry, str) for name in words(entry)}
    sizes = {**dict.fromkeys(names), **one.sizes}
    pairs = []
    for name, (dims, elements, _) in said.items():
        array = one.arrays.get(name)
        if array is None or dims is None:
            continue
        if len(dims) != array.ndim:
            yield name, f"{dims} of {list(array.shape)}"
            continue
        pairs += [(name, *pair) for pair in zip(dims, array.shape)]
        if elements and array.dtype != object:
            pairs += [(name, *pair) for pair in zip(elements, array.flatten().tolist())]
    # A symbol that a tool made is the number that it has where it stands alone.
    for _, entry, found in pairs:
        if isinstance(entry, str) and sizes.get(entry, 0) is None:
            sizes[entry] = found
    for name, entry, found in pairs:
        expected = number(entry, sizes)
        if expected is not None and not numpy.isclose(float(expected), float(found), rtol=1e-6, equal_nan=True):
            yield name, f"{entry} is {expected}, and {found} in a run"


def kind(dims, named):
    if dims is None or None in dims:
        return "unknown"
    is_known = all(not isinstance(dim, str) or words(dim) <= named for dim in dims)
    return "known" if is_known else "fresh"


@dataclass
class Found:
    """Of one model: for each tool what kind each value is, or why it failed; what is wrong; where ours is weaker."""

    kinds: dict
    failed: dict
    wrong: dict
    weaker: dict
    held: bool


def judged(path, folder):
    model = bare(onnx.load(path))
    both, why = runs(model, folder / "all.onnx")
    named = {dim.dim_param for info in model.graph.input for dim in info.type.tensor_type.shape.dim if dim.dim_param}
    kinds, failed, bad, weaker, mine = {}, {}, {}, {}, {}
    for tool, infer in TOOLS.items():
        try:
            said = infer(model, folder / "bare.onnx")
        except command.Broken:
            raise
        except Exception as error:  # noqa: BLE001: a tool may fail in any way
            failed[tool] = type(error).__name__
            continue
        contradicted = {}
        for one in both:
            contradicted |= dict(wrong(said, one))
        bad[tool] = contradicted
        if tool == OURS:
            mine = said
        kinds[tool] = {
            name: "wrong" if name in contradicted else kind(said[name][0], named) if name in said else "unknown"
            for name in mine
        }
        if tool != OURS:
            less = [name for name in mine if kinds[tool][name] == "known" and kinds[OURS][name] != "known"]
            weaker[tool] = Counter(mine[name][2] for name in less)
    if not both:
        print(f"{path.name} is not run: {why[:200]}")
    return Found(kinds, failed, bad, weaker, bool(both))


def beside(found, what):
    """What each tool knows of all models, but for the tools that fail on each of them."""
    tools = {}
    for tool in TOOLS:
        total = Counter(kind for each in found.values() for kind in each.kinds.get(tool, {}).values())
        failed = sum(tool in each.failed for each in found.values())
        less = sum(sum(each.weaker.get(tool, {}).values()) for each in found.values())
        if failed < len(found):
            tools[tool] = {kind: total[kind] for kind in KINDS}
            tools[tool] |= {"models failed": failed, "known there and not here": "" if tool == OURS else less}
    return {"what": what, "models": len(found), "tools": tools}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="not used: what is written is written for the time of the run")
    parser.add_argument("--corpus", type=Path, default=MODELS, help="a folder of models")
    parser.add_argument("--record", action="store_true", help="write infer_corpus.json and INFER.md")
    options = parser.parse_args()
    onnxruntime.set_default_logger_severity(runtime.SILENT)
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        for path in sorted(options.corpus.rglob("*.onnx")):
            try:
                found[str(path.relative_to(options.corpus))] = judged(path, Path(scratch))
            except command.Broken as error:
                summary.close("inference of whole models", 0, [f"{path}: {error}"])
    told = beside(found, "of `corpus`" if options.corpus == MODELS else f"of `{options.corpus.name}`")
    print(pages.models([told]))
    why = Counter()
    for name, each in found.items():
        for tool, less in each.weaker.items():
            for reason, count in less.items():
                why[tool, name, reason] += count
    for (tool, name, reason), count in why.most_common(20):
        print(f"{count} of {name} are known to {tool}, and not here: {reason}")
    bad = ((name, value, what) for name, each in found.items() for value, what in each.wrong[OURS].items())
    problems = [f"{name}: `{value}`: {what}" for name, value, what in bad]
    counts = {name: Counter(each.kinds[OURS].values()) for name, each in found.items()}
    if options.record and (left_out := [tool for tool in TOOLS if all(tool in each.failed for each in found.values())]):
        # The table would lose their rows.
        problems.append(f"nothing is recorded without {', '.join(left_out)}")
    elif options.record:
        models = {name: {kind: count[kind] for kind in KINDS} for name, count in counts.items()}
        pages.write(RECORD, {"beside": told, "models": models})
        pages.write_pages()
    elif options.corpus == MODELS:
        recorded = pages.data(RECORD)["models"]
        problems += [f"{name} is not recorded" for name in counts if name not in recorded]
        for name, least in recorded.items():
            now = counts.get(name, Counter())["known"]
            if now < least["known"]:
                problems.append(f"{name}: {now} values are known, and {least['known']} are recorded")
    problems += [f"{name} is not run" for name, each in found.items() if not each.held and options.corpus == MODELS]
    summary.close("inference of whole models", sum(sum(count.values()) for count in counts.values()), problems)


if __name__ == "__main__":
    main()
