"""`shape convert` on whole models: to two opsets and from there back to their own, run before and after.

The models are those in the wheel of the onnx package: nine known networks, and parts of what exporters write.
`--corpus` takes a folder of others; `export_models.py` makes one of random weights. A model is right if onnxruntime
gives the same to the bit, or within the tolerance of the package's backend tests where the kernels of two versions
differ. None may be wrong. How many are refused, and why, is printed.
"""

import argparse
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import command
import conversion
import convert
import engines
import numpy
import onnx
import summary
from conversion import RIGHT, Outcome, Verdict
from onnx import ModelProto, TensorProto, helper, numpy_helper

DATA = Path(onnx.__file__).parent / "backend" / "test" / "data"
TARGETS = (21, 26)
# What the open dimensions of a model are tried with, all of them the same.
SIZES = (2, 1, 3, 8, 32, 224, 576)
INTEGERS = (TensorProto.INT32, TensorProto.INT64, TensorProto.UINT8, TensorProto.INT8, TensorProto.BOOL)
FLOATS = (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16)


def made(model, size):
    """Data for the inputs, or None for a type that none is made of."""
    random = numpy.random.default_rng(20261122)
    constant = {tensor.name for tensor in model.graph.initializer}
    given = {}
    for info in model.graph.input:
        if info.name in constant:
            continue
        tensor = info.type.tensor_type
        # Exporters write -1 for a dimension that is open.
        dims = [dim.dim_value if dim.dim_value > 0 else size for dim in tensor.shape.dim]
        if tensor.elem_type not in INTEGERS + FLOATS or numpy.prod(dims, dtype=float) > 1e8:
            return None
        numbers = random.random(dims) if tensor.elem_type in FLOATS else random.integers(0, 2, dims)
        array = numpy.asarray(numbers).astype(helper.tensor_dtype_to_np_dtype(tensor.elem_type))
        given[info.name] = numpy_helper.from_array(array, info.name)
    return given


@dataclass(frozen=True)
class Run:
    """A model with data for its inputs, by name."""

    model: ModelProto
    given: dict
    recorded: tuple = ()


def run(model):
    """The model with data that it runs on; None where onnxruntime runs it on none that was tried."""
    for size in SIZES:
        given = made(model, size)
        if given is None:
            return None
        try:
            engines.by_onnxruntime(model, given)
        except (engines.NoKernel, engines.Refused):
            continue
        return Run(model, given)
    return None


def judged(judge, source, target, output):
    try:
        model, why = convert.convert(source, target, output)
    except command.Broken as error:
        return Verdict(Outcome.WRONG, str(error))
    return judge(model) if model is not None else Verdict(Outcome.REFUSED, why)


def errors(path):
    """What `shape check` finds wrong with a model."""
    _, answer = command.run("check", path)
    return [finding["message"] for finding in answer["findings"] if finding["severity"] == "error"]


def conversions(path, folder):
    """What each conversion of a model came to, by its targets; nothing for a model that cannot be run as it is."""
    model = onnx.load(path)
    opset = engines.opset(model)
    found = run(model) if opset is not None else None
    if found is None:
        return
    judge = conversion.Judge(found, ())
    # The package's full check sees more in the newer versions of a model that is at fault as it is.
    judge.fault = judge.fault or errors(path)
    there, back = folder / "there.onnx", folder / "back.onnx"
    for target in TARGETS:
        if target == opset:
            continue
        verdict = judged(judge, path, target, there)
        yield f"to {target}", verdict
        theirs, why = conversion.reference(found, target)
        yield f"to {target}, the package", judge(theirs, exact=False) if theirs else Verdict(Outcome.REFUSED, why)
        if verdict.outcome in RIGHT:
            yield f"back from {target}", judged(judge, there, opset, back)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="not used: what is written is written for the time of the run")
    parser.add_argument("--corpus", type=Path, default=DATA, help="a folder of models")
    options = parser.parse_args()
    counts, refused, faults, bad, models = Counter(), Counter(), defaultdict(list), [], 0
    with tempfile.TemporaryDirectory() as scratch:
        for path in sorted(options.corpus.rglob("*.onnx")):
            name = str(path.relative_to(options.corpus))
            taken = False
            for step, verdict in conversions(path, Path(scratch)):
                taken = True
                counts[step, verdict.outcome] += 1
                if "package" in step:
                    if verdict.outcome in (Outcome.INVALID, Outcome.WRONG):
                        faults[step, verdict.why.split("\n")[0][:200]].append(name)
                    continue
                if verdict.outcome == Outcome.REFUSED:
                    refused[step, verdict.why] += 1
                elif verdict.outcome not in RIGHT and verdict.outcome != Outcome.UNKNOWN:
                    bad.append(f"{name}: {step}: {verdict.outcome}: {verdict.why}")
            models += taken
    print(f"{models} models are run by onnxruntime as they are\n")
    print(f"| conversion | {' | '.join(Outcome)} |\n{'|---' * (1 + len(Outcome))}|")
    for step in sorted({step for step, _ in counts}):
        print(f"| {step} | {' | '.join(str(counts[step, outcome]) for outcome in Outcome)} |")
    for (step, why), count in refused.most_common():
        print(f"{count} refused {step}: {why}")
    for (step, why), names in faults.items():
        print(f"{len(names)} wrong {step}: {why}: {', '.join(names[:3])}")
    passed = sum(count for (step, outcome), count in counts.items() if outcome in RIGHT and "package" not in step)
    summary.close("conversion of a corpus", passed, bad)


if __name__ == "__main__":
    main()
