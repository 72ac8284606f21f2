"""`shape infer` beside the inference of the onnx package, on its node cases with every declared output shape taken away.

Both are held against the tensors that the cases record. What `shape` says may never contradict these, and it knows at
least what the package knows (strict, with data propagation), but for operators that `infer.json` lists with a reason.
The table of both is in `INFER.md`; `--record` writes both files, and a run without it fails where less is known than
they say.
"""

import argparse
import re
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import command
import expressions
import numpy
import onnx
import pages
import summary
import upstream
from onnx.backend.test.case.node import collect_testcases

RECORD = "infer.json"

# How much the package knows of an output, and how what is known here stands to it.
THERE = ["every dimension", "some dimensions", "no dimension", "refused"]
HERE_IS = ["exact", "stronger", "equal", "weaker", "wrong"]
CULPRIT = re.compile(r"\(node \d+(?: `[^`]*`)?, (\S+)\): (.*)$")


@dataclass(frozen=True)
class Output:
    """One output of a case: what the package knows of it, how we stand, and for a weaker or wrong one who and why."""

    there: str
    here: str
    operator: str
    why: str
    case: str


def stripped(model):
    """The model without what it declares of anything that a node gives, types of graph outputs aside."""
    bare = onnx.ModelProto.FromString(model.SerializeToString())
    del bare.graph.value_info[:]
    for output in bare.graph.output:
        if output.type.HasField("tensor_type"):
            output.type.tensor_type.ClearField("shape")
    return bare


def sizes(model, inputs):
    """The numbers of the symbols of the inputs."""
    found = {}
    for info, array in zip(model.graph.input, inputs):
        dims = info.type.tensor_type.shape.dim
        if info.type.HasField("tensor_type") and isinstance(array, numpy.ndarray):
            found.update((dim.dim_param, size) for dim, size in zip(dims, array.shape) if dim.dim_param)
    return found


def fits(dims, shape, numbers):
    """Whether dimensions say nothing that is not so."""
    if dims is None:
        return True
    known = [expressions.known(dim, numbers) for dim in dims]
    return len(known) == len(shape) and all(mine in (None, true) for mine, true in zip(known, shape))


def standing(here, there):
    if here is None or there is None:
        return "equal" if here is there else "weaker" if here is None else "stronger"
    if any(mine is None and theirs is not None for mine, theirs in zip(here, there)):
        return "weaker"
    if any(mine is not None and theirs is None for mine, theirs in zip(here, there)):
        return "stronger"
    return "equal" if None in here else "exact"


def of_package(model):
    """The dimensions of each output; None where the package refuses the model."""
    names = {dim.dim_param for info in model.graph.input for dim in info.type.tensor_type.shape.dim}
    try:
        inferred = upstream.infer(model)
    except Exception:  # whichever of the package's own it is
        return None
    return {info.name: upstream.dims(info, names) for info in inferred.graph.output}


def compare(case, path):
    """Each output of a case that is a tensor."""
    bare = stripped(case.model)
    path.write_bytes(bare.SerializeToString())
    theirs = of_package(bare)
    answer = command.infer(path)
    values = {value["name"]: value for value in answer["values"] if value.get("graph") is None}
    errors = [finding for finding in answer["findings"] if finding["severity"] == "error"]
    operators = [node.op_type for node in bare.graph.node]
    for place, info in enumerate(bare.graph.output):
        recorded = [outputs[place] for _, outputs in case.data_sets]
        if not info.type.HasField("tensor_type") or not all(isinstance(each, numpy.ndarray) for each in recorded):
            continue
        value = values.get(info.name, {"dims": None, "reason": None})
        # An initializer that is an output is told with the file, and not inferred.
        here, there = expressions.of_model(value["dims"], answer), None if theirs is None else theirs[info.name]
        checks = [(each.shape, sizes(bare, inputs)) for (inputs, _), each in zip(case.data_sets, recorded)]
        if not all(fits(there, *check) for check in checks):
            there = None
        known = "refused" if theirs is None else THERE[2] if there is None else THERE[1] if None in there else THERE[0]
        culprit = CULPRIT.search(value["reason"] or "")
        operator, why = culprit.groups() if culprit else (operators[-1], value["reason"] or "")
        try:
            right = all(fits(here, *check) for check in checks)
        except expressions.Unreadable as error:
            right, why = False, str(error)
        if errors:
            right, why = False, f"{errors[0]['code']}: {errors[0]['message']}"
        elif not right:
            why = f"{here}, and the tensor has {list(recorded[0].shape)}"
        yield Output(known, standing(here, there) if right else "wrong", operator, why, case.name)


def outputs(folder):
    folder.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases("")
    with ThreadPoolExecutor(2) as pool:
        each = pool.map(lambda case: list(compare(case, folder / f"{case.name}.onnx")), cases)
        return len(cases), [output for some in each for output in some]


def weaker(found):
    """The operators of which less is known than the package knows: how many outputs, and the commonest reason."""
    by = {}
    for output in found:
        if output.here == "weaker":
            by.setdefault(output.operator, []).append(output.why)
    return {name: [len(why), Counter(why).most_common(1)[0][0]] for name, why in sorted(by.items())}


def recorded(cases, found):
    """What `infer.json` says."""
    counts = Counter((output.there, output.here) for output in found)
    return {
        "onnx": onnx.__version__,
        "models": cases,
        "counts": {there: {here: counts[there, here] for here in HERE_IS} for there in THERE},
        "weaker": weaker(found),
    }


def held(found):
    """Where less is known than is recorded."""
    recorded = pages.data(RECORD)
    totals, listed = pages.summed(recorded["counts"].values()), recorded["weaker"]
    total = Counter(output.here for output in found)
    # What was as good as the package's may become better.
    sums = {"exact": ["exact"], "exact or stronger": ["exact", "stronger"]}
    for name, kinds in sums.items():
        least, now = sum(totals[kind] for kind in kinds), sum(total[kind] for kind in kinds)
        if now < least:
            yield f"{now} outputs are {name}, and {least} are recorded"
    for name, (count, why) in weaker(found).items():
        most = listed.get(name, [0])[0]
        if count > most:
            cases = sorted({output.case for output in found if (output.here, output.operator) == ("weaker", name)})
            yield f"{name}: {count} outputs are weaker, and {most} are listed ({why}): {', '.join(cases[:8])}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, help="where the models are written")
    parser.add_argument("--record", action="store_true", help="write infer.json and INFER.md")
    options = parser.parse_args()
    try:
        cases, found = outputs(options.folder)
    except command.Broken as error:
        summary.close("inference", 0, [str(error)])
    told = recorded(cases, found)
    print(pages.cases(told))
    problems = [f"{output.case}: {output.why}" for output in found if output.here == "wrong"]
    if options.record:
        pages.write(RECORD, told)
        pages.write_pages()
    else:
        problems += held(found)
    summary.close("inference", sum(output.here not in ("weaker", "wrong") for output in found), problems)


if __name__ == "__main__":
    main()
