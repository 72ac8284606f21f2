"""What must hold of a generated case: onnxruntime runs it, with the types, dimensions and elements that are said of it, and
gives the same after `shape fold`, `shape simplify` and `shape convert`.
"""

import random
from dataclasses import dataclass, field
from pathlib import Path

import command
import conversion
import engines
import numpy
import onnx
import runtime
from generated_rulings import ruling
from onnx import OptionalProto, SequenceProto, TensorProto, shape_inference

PROTOS = {"tensor_type": TensorProto, "sequence_type": SequenceProto, "optional_type": OptionalProto}
# Fold and simplify change no result, not even its last bit.
EXACT = (conversion.Outcome.SAME, conversion.Outcome.UNKNOWN)
# How often a model is run that may give something else each time.
AGAIN = 5


@dataclass
class Case:
    """A case of a folder, as `conversion.Judge` reads it, with what the manifest and `shape infer` say of it."""

    name: str
    entry: dict
    path: Path
    inferred: list
    model: onnx.ModelProto
    given: dict
    recorded: list | None = None


@dataclass
class Verdict:
    """What came of a case: how onnxruntime took it, and what is wrong with what the command says of it."""

    name: str
    # ran, refused or no kernel
    taken: str
    why: str = ""
    problems: list = field(default_factory=list)
    # How conversions came out, and whether the package's full check refuses the model.
    conversions: list = field(default_factory=list)
    fault: str = ""
    # The rulings that claim problems, and what the package's inference makes of the model.
    ruled: list = field(default_factory=list)
    reference: list = field(default_factory=list)


class Judge(conversion.Judge):
    """As of any conversion, but that inputs and outputs need not declare a rank, which only the package's check wants."""

    def check(self, model):
        declared = onnx.ModelProto()
        declared.CopyFrom(model)
        ranks = {name: len(proto.dims) for name, proto in self.case.given.items() if isinstance(proto, TensorProto)}
        ranks.update((slot["name"], len(slot["dims"])) for slot in self.case.entry["outputs"] if slot["dims"] is not None)
        for info in (*declared.graph.input, *declared.graph.output):
            tensor = info.type.tensor_type
            if info.type.WhichOneof("value") == "tensor_type" and not tensor.HasField("shape") and info.name in ranks:
                tensor.shape.SetInParent()
                for _ in range(ranks[info.name]):
                    tensor.shape.dim.add()
        return conversion.fault(declared)


def read(folder, entry, inferred):
    path = folder / entry["name"] / "model.onnx"
    model = onnx.load(path)
    given = {}
    for index, info in enumerate(model.graph.input):
        proto = PROTOS[info.type.WhichOneof("value")]()
        proto.ParseFromString((path.parent / "test_data_set_0" / f"input_{index}.pb").read_bytes())
        given[info.name] = proto
    return Case(entry["name"], entry, path, inferred, model, given)


def described(value):
    """The dimensions of a result, in the form of the manifest; None for what is no tensor."""
    return None if value is None or isinstance(value, (list, dict)) else list(numpy.asarray(value).shape)


def contradicts(said, found):
    """Whether dimensions of a run contradict what is said, where None is not known and a text has any size."""
    if said is None or found is None:
        return False
    return len(said) != len(found) or any(isinstance(old, int) and old != new for old, new in zip(said, found, strict=True))


def held_to_manifest(case, outputs):
    for slot, value in zip(case.entry["outputs"], outputs, strict=True):
        found = described(value)
        if contradicts(slot["dims"], found):
            yield f"the manifest gives {slot['name']} {slot['dims']}, the run {found}"


def held_to_inference(case, outputs):
    """Numbers are those of the run, and a symbol is one size wherever it is a dimension."""
    names = [info.name for info in case.model.graph.output]
    found = dict(zip(names, outputs, strict=True))
    found.update((name, engines.python(proto)) for name, proto in case.given.items())
    sizes = {}
    for value in case.inferred:
        if value.get("graph") or value["name"] not in found or value["dims"] is None:
            continue
        dims = described(found[value["name"]])
        if contradicts(value["dims"], dims):
            yield f"inferred for {value['name']}: {value['dims']}, the run gives {dims}"
            continue
        for said, size in zip(value["dims"], dims or (), strict=False):
            if isinstance(said, str) and sizes.setdefault(said, size) != size:
                yield f"inferred for {value['name']}: {said}, which is {sizes[said]} elsewhere and {size} in the run"
        yield from held_elements(value, found[value["name"]])


def held_elements(value, found):
    """Elements that are known in full are those of the run; the last bits of floats depend on who computes them."""
    said = value["value"]
    if not said or not isinstance(found, numpy.ndarray) or any(isinstance(each, str) or each is None for each in said):
        return
    flat = found.reshape(-1)
    if flat.dtype.kind not in "biuf" or len(flat) != len(said):
        return
    same = numpy.allclose if flat.dtype.kind == "f" else numpy.array_equal
    if not same(flat, numpy.array(said, dtype=flat.dtype)):
        yield f"inferred for {value['name']} the elements {said[:8]}, the run gives {flat[:8].tolist()}"


def held_to_data(case, outputs):
    """The elements that the generator wrote, which rules compute."""
    for index, value in enumerate(outputs):
        path = case.path.parent / "test_data_set_0" / f"output_{index}.pb"
        if path.exists():
            proto = TensorProto()
            proto.ParseFromString(path.read_bytes())
            if not engines.alike(engines.python(proto), value, engines.within_tolerance):
                yield f"output {index} is written as {str(engines.python(proto).reshape(-1)[:8])}, the run gives another"


def changed(case, judge, scratch, name, *options, right):
    """The verdict on what a command writes; nothing where it refuses, which it may."""
    target = scratch / f"{name}.onnx"
    target.unlink(missing_ok=True)
    code, answer = command.run(name, case.path, "-o", target, *options)
    if code or not target.exists():
        codes = sorted({finding["code"] for finding in answer.get("findings", [])})
        return None, f"refused: {', '.join(codes)}"
    if target.read_bytes() == case.path.read_bytes():
        return None, conversion.Outcome.SAME
    verdict = judge(onnx.load(target), exact=False)
    if verdict.outcome not in right and not unsteady(case, judge):
        return f"{name} {' '.join(map(str, options))}: {verdict.outcome}: {verdict.why}", verdict.outcome
    return None, verdict.outcome


def unsteady(case, judge):
    """Whether the model as it is gives something else from run to run, as one does that reads what nothing wrote."""
    if judge.before is None:
        return False
    runs = (judge.run(case.model)[0] for _ in range(AGAIN))
    return not all(engines.alike(judge.before, run, engines.to_the_bit) for run in runs)


def reference(case, outputs):
    """What the inference of the package, with data propagation, makes of the model: it refuses it, gives dimensions that the
    run does not, or knows a size that `shape infer` does not."""
    try:
        model = shape_inference.infer_shapes(case.model, check_type=True, strict_mode=True, data_prop=True)
    except Exception as error:
        return [("refuses", str(error))]
    ours = {value["name"]: value["dims"] for value in case.inferred if not value.get("graph")}
    told = []
    for info, value in zip(model.graph.output, outputs, strict=True):
        tensor = info.type.tensor_type
        if info.type.WhichOneof("value") != "tensor_type" or not tensor.HasField("shape"):
            continue
        dims = [dim.dim_value if dim.HasField("dim_value") else None for dim in tensor.shape.dim]
        known = ours.get(info.name)
        if contradicts(dims, described(value)):
            told.append(("gives other dimensions than the run", ""))
        elif known is None or any(isinstance(dim, int) and not isinstance(own, int) for dim, own in zip(dims, known)):
            told.append(("knows a size that `shape infer` does not", ""))
    return sorted(set(told))


def judge(case, only, scratch, stage):
    """The verdict on a case; what is made of it is written into `scratch`. `stage` is told before what may end this
    process."""
    stage("run")
    asked = Judge(case, ())
    asked.random |= any(map(trains, engines.every_node(case.model)))
    verdict = Verdict(case.name, "ran", fault=asked.fault or "")
    if asked.before is None:
        verdict.taken, verdict.why = ("refused", asked.refused) if asked.refused else ("no kernel", "")
    elif "infer" in only:
        for held in (held_to_manifest, held_to_inference, held_to_data):
            # What is random has the dimensions alone.
            if held is not held_to_data or not asked.random:
                verdict.problems += held(case, asked.before)
        verdict.reference = reference(case, asked.before)
    if verdict.taken == "ran":
        for name in {"fold", "simplify"} & set(only):
            stage(name)
            problem, _ = changed(case, asked, scratch, name, right=EXACT)
            verdict.problems += [problem] if problem else []
    if "convert" in only and verdict.taken != "refused":
        for target in targets(case):
            stage(f"convert to {target}")
            right = (*conversion.RIGHT, conversion.Outcome.UNKNOWN)
            problem, outcome = changed(case, asked, scratch, "convert", "--opset", target, right=right)
            verdict.problems += [problem] if problem else []
            verdict.conversions.append(str(outcome))
    claims = [ruling(case, problem) for problem in verdict.problems]
    verdict.ruled = sorted({each.id for each in claims if each})
    verdict.problems = [problem for problem, claim in zip(verdict.problems, claims, strict=True) if claim is None]
    return verdict


def trains(node):
    """Whether it may draw numbers, so that two runs are the same by chance alone: Dropout with a `training_mode`."""
    return node.op_type == "Dropout" and len(node.input) > 2 and node.input[2] != ""


def targets(case):
    """An opset that is older and one that is newer, where a version of one of its operators begins or ends."""
    if not any(each.domain in engines.DEFAULT for each in case.model.opset_import):
        return []
    own = engines.opset(case.model)
    # The opset of functions stays what it is in `engines.within_reach`.
    near = [target for target in conversion.targets(case.model) if target <= runtime.NEWEST_OPSET]
    drawn = random.Random(case.name)
    sides = [[target for target in near if target < own], [target for target in near if target > own]]
    return [drawn.choice(side) for side in sides if side]
