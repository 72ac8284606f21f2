"""`shape fold` on models, before and after: onnxruntime gives the same outputs, to the bit, on made-up inputs.

The models are the attention model of the repository, those of the onnx wheel that onnxruntime runs, and random ones that
compute shapes. Each is folded as it is, and where its inputs have symbols, with numbers for these as well. A folded model
must pass the checker of the onnx package and `shape check`, and fold to itself.
"""

import argparse
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import command
import fold_models
import numpy
import onnx
import summary
from runtime import Refused, session

SEED = 20261121
COUNT = 2000
ATTENTION = Path(__file__).parents[2] / "models" / "attention.onnx"
DATA = Path(onnx.__file__).parent / "backend" / "test" / "data"
KINDS = {"tensor(float)": numpy.float32, "tensor(double)": numpy.float64, "tensor(float16)": numpy.float16}
# What a dimension that is open is taken for.
OPEN = 3


def inputs(run, sizes, seed):
    """Random inputs of a session."""
    random = numpy.random.default_rng(seed)
    made = {}
    for value in run.get_inputs():
        dims = [dim if isinstance(dim, int) else sizes.get(dim, OPEN) for dim in value.shape]
        if value.type in KINDS:
            made[value.name] = random.random(dims).astype(KINDS[value.type])
        elif value.type == "tensor(bool)":
            made[value.name] = random.integers(0, 2, dims).astype(bool)
        elif value.type in ("tensor(int64)", "tensor(int32)"):
            made[value.name] = random.integers(0, 2, dims).astype(value.type[7:-1])
        else:
            raise Refused(f"no data of {value.type}")
    return made


def outputs(run, given):
    try:
        return run.run(None, given)
    except Exception as error:
        raise Refused(str(error).strip()) from None


def same(left, right):
    """To the bit; of sequences and maps each entry."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    left, right = numpy.asarray(left), numpy.asarray(right)
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    # Of strings the array has the places alone.
    return left.tolist() == right.tolist() if left.dtype == object else left.tobytes() == right.tobytes()


def compare(path, sizes, folder):
    """What is wrong, and how many nodes went; `Refused` where onnxruntime does not run the model as it is."""
    before = session(str(path))
    given = inputs(before, sizes, SEED)
    wanted = outputs(before, given)
    went = 0
    for round, numbers in enumerate([[], [f"--set={name}={size}" for name, size in sizes.items()]]):
        if round and not numbers:
            continue
        target = folder / f"folded_{round}.onnx"
        code, answer = command.run("fold", path, "-o", target, *numbers)
        if code:
            return f"refused {' '.join(numbers)}: {[finding['code'] for finding in answer['findings']]}", went
        went += answer["nodes_removed"]
        try:
            onnx.checker.check_model(str(target), full_check=True)
            found = outputs(session(str(target)), given)
        except (Refused, onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
            return f"folded {' '.join(numbers)}, not taken: {error}", went
        names = [value.name for value in before.get_outputs()]
        wrong = [name for name, left, right in zip(names, wanted, found, strict=True) if not same(left, right)]
        if wrong:
            return f"folded {' '.join(numbers)}, other outputs: {', '.join(wrong)}", went
        errors = [found["code"] for found in command.run("check", target)[1]["findings"] if found["severity"] == "error"]
        if errors:
            return f"folded {' '.join(numbers)}, with errors: {errors}", went
        again = folder / "again.onnx"
        command.run("fold", target, "-o", again)
        if again.read_bytes() != target.read_bytes():
            return f"folded {' '.join(numbers)}, a second time it is another", went
    return None, went


def one(job):
    name, path, sizes, keep = job
    with tempfile.TemporaryDirectory() as scratch:
        try:
            wrong, went = compare(path, sizes, Path(scratch))
        except Refused:
            return name, None, 0, False
        except command.Broken as error:
            wrong, went = str(error), 0
        if wrong:
            keep.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, keep / f"{name.replace('/', '_')}.onnx")
        return name, wrong, went, True


def symbols(path):
    """Numbers for the symbols of the inputs of a model that has any."""
    model = onnx.load(path, load_external_data=False)
    dims = (dim for value in model.graph.input for dim in value.type.tensor_type.shape.dim)
    return {dim.dim_param: OPEN for dim in dims if dim.dim_param}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("failures", type=Path, help="where models that fail are kept")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(2) as pool:
        jobs = [("attention", ATTENTION, {"batch": 2, "seq": 10}, arguments.failures)]
        for path in sorted(DATA.rglob("*.onnx")):
            jobs.append((str(path.relative_to(DATA).with_suffix("")), path, symbols(path), arguments.failures))
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            made = fold_models.make(seed)
            path = Path(scratch) / f"{seed}.onnx"
            path.write_bytes(made.model.SerializeToString())
            jobs.append((f"seed {seed}", path, made.sizes, arguments.failures))
        passed, wrong, went, skipped = 0, [], 0, 0
        for name, problem, nodes, ran in pool.map(one, jobs):
            went += nodes
            if not ran:
                skipped += 1
            elif problem:
                wrong.append(f"{name}: {problem}")
            else:
                passed += 1
    print(f"{skipped} models are not run by onnxruntime as they are; {went} nodes went")
    # Models that do nothing would prove nothing.
    if went < arguments.count:
        wrong.append(f"of {arguments.count} random models only {went} nodes went")
    summary.close("fold", passed, wrong)


if __name__ == "__main__":
    main()
