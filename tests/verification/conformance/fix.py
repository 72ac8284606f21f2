"""`shape check --fix` on models that were broken in one way, or in several: onnxruntime gives the same outputs for the
repaired model as for the one before it was broken, to the bit, on made-up inputs.

The models are the attention model of the repository, those of the onnx wheel and of the corpus that onnxruntime runs, and
random ones. Each is broken in every way of `BREAKS` that it can be broken in, and in all of them at once. A repaired model
must have no finding that the unbroken one does not have, pass the checker of the onnx package if the unbroken one does, and
a second `--fix` must change nothing. The unbroken model is repaired as well, and must give the same outputs.

Besides, models with one field damaged at random (`damage.py`) are repaired, with safe fixes and with all: none gets an
error, a second time nothing changes, and one that onnxruntime ran before gives the same after safe fixes.
"""

import argparse
import collections
import random
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import command
import damage
import fold_models
import numpy
import onnx
import summary
from fold import ATTENTION, DATA, SEED, inputs, outputs, same, symbols
from onnx import TensorProto, helper, numpy_helper
from runtime import Refused, session

COUNT = 20
CORPUS = Path(__file__).parent / "corpus"
# Of the many folders of the wheel, those of one node each are alike.
EVERY = 4
LARGEST = 1 << 24
# Damaged models that are repaired.
DAMAGED = 1000
ELEMENTS = {name.lower() for name in TensorProto.DataType.keys()}


def graphs(model):
    """The lists of nodes of a model: of its graph, of graphs in nodes, of functions."""
    found = []

    def of(nodes):
        found.append(nodes)
        for node in nodes:
            for attribute in node.attribute:
                for graph in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                    of(graph.node)

    of(model.graph.node)
    for function in model.functions:
        of(function.node)
    return found


def shuffled(model, rng, _known):
    """Nodes out of order."""
    changed = False
    for nodes in graphs(model):
        order = list(nodes)
        rng.shuffle(order)
        if [node.output[:] for node in order] != [node.output[:] for node in nodes]:
            changed = True
        order = [onnx.NodeProto.FromString(node.SerializeToString()) for node in order]
        del nodes[:]
        nodes.extend(order)
    return {"value-undefined"} if changed and is_unsorted(model) else set()


def is_unsorted(model):
    seen = {value.name for value in model.graph.input} | {tensor.name for tensor in model.graph.initializer}
    seen |= {sparse.values.name for sparse in model.graph.sparse_initializer}
    for node in model.graph.node:
        if any(name and name not in seen for name in node.input):
            return True
        seen |= set(node.output)
    return False


def imported_twice(model, rng, _known):
    """A domain that is imported twice: the same version, or a lower one before it."""
    entry = rng.choice(list(model.opset_import))
    lower = rng.randrange(1, entry.version + 1)
    model.opset_import.insert(0, helper.make_opsetid(entry.domain, lower))
    return {"opset-duplicate"}


def not_imported(model, rng, _known):
    """A domain of functions of the model that is not imported."""
    domains = {function.domain for function in model.functions} - {"", "ai.onnx"}
    called = {node.domain for node in model.graph.node} & domains
    if not called:
        return set()
    domain = rng.choice(sorted(called))
    kept = [entry for entry in model.opset_import if entry.domain != domain]
    if len(kept) == len(model.opset_import):
        return set()
    del model.opset_import[:]
    model.opset_import.extend(kept)
    return {"domain-not-imported"}


def declare(model, name, elem, dims):
    """Sets the declared type of a value of the graph."""
    kept = [value for value in model.graph.value_info if value.name != name]
    del model.graph.value_info[:]
    model.graph.value_info.extend(kept)
    model.graph.value_info.append(helper.make_tensor_value_info(name, elem, dims))


def declared_wrongly(model, rng, known):
    """Types in `value_info` that the nodes contradict: another element type, or a rank that no tensor here has."""
    names = rng.sample(sorted(known), min(len(known), 3))
    for name in names:
        declare(model, name, rng.choice([TensorProto.STRING, TensorProto.FLOAT]), [7] * 19)
    return {"output-type", "output-dims"} if names else set()


def declared_minus_one(model, rng, known):
    """A dimension of -1 in `value_info`."""
    names = sorted(name for name, (_, dims) in known.items() if dims)
    if not names:
        return set()
    name = rng.choice(names)
    elem, dims = known[name]
    at = rng.randrange(len(dims))
    declare(model, name, elem, [-1 if axis == at else dim for axis, dim in enumerate(dims)])
    return {"dims-minus-one"}


def declared_for_nothing(model, rng, _known):
    """An entry of `value_info` of a value that is not there."""
    at = rng.randrange(len(model.graph.value_info) + 1)
    model.graph.value_info.insert(at, helper.make_tensor_value_info("left behind", TensorProto.FLOAT, [rng.randrange(9)]))
    return {"value-info-unused"}


def unread(model, rng, _known):
    """Initializers that nothing reads, among the others."""
    for index in range(rng.randrange(1, 4)):
        at = rng.randrange(len(model.graph.initializer) + 1)
        tensor = numpy_helper.from_array(numpy.arange(index + 1, dtype=numpy.float32), f"unread {index}")
        model.graph.initializer.insert(at, tensor)
    return {"initializer-unused"} if model.ir_version > 3 else set()


def stored_twice(model, rng, _known):
    """An initializer that stands there a second time."""
    if not model.graph.initializer or model.ir_version < 4:
        return set()
    tensor = rng.choice(list(model.graph.initializer))
    if tensor.name in {value.name for value in model.graph.input}:
        return set()
    model.graph.initializer.insert(rng.randrange(len(model.graph.initializer) + 1), tensor)
    return {"value-redefined"}


def unnamed(model, _rng, _known):
    """A graph without a name."""
    model.graph.name = ""
    return {"field-missing"}


def named_twice(model, rng, _known):
    """Nodes that share a name."""
    lists = [nodes for nodes in graphs(model) if len(nodes) > 1]
    if not lists:
        return set()
    nodes = rng.choice(lists)
    for node in rng.sample(list(nodes), rng.randrange(2, min(len(nodes), 5) + 1)):
        node.name = "twin"
    return {"node-name-duplicate"}


def too_old(model, rng, _known):
    """An IR version that is lower than the opset needs."""
    if model.ir_version < 5:
        return set()
    model.ir_version = rng.randrange(4, model.ir_version)
    return {"ir-version-too-old"}


BREAKS = [
    shuffled,
    imported_twice,
    not_imported,
    declared_wrongly,
    declared_minus_one,
    declared_for_nothing,
    unread,
    stored_twice,
    unnamed,
    named_twice,
    too_old,
]


def all_at_once(model, rng, known):
    """What breaks it first comes last, since other ways look at the nodes in their order."""
    return set().union(*(way(model, rng, known) for way in reversed(BREAKS)))


def known_values(path, folder):
    """The values that nodes of the graph give and that are no outputs of it, with their types and dimensions, where `shape
    infer` knows both without what is declared."""
    model = onnx.load(str(path))
    del model.graph.value_info[:]
    given = {value.name for value in model.graph.output}
    computed = {name for node in model.graph.node for name in node.output if name} - given
    bare = folder / "bare.onnx"
    bare.write_bytes(model.SerializeToString())
    known = {}
    for value in command.infer(bare)["values"]:
        elem = TensorProto.DataType.Value(value["type"].upper()) if value["type"] in ELEMENTS else None
        if value["name"] in computed and not value.get("graph") and elem and value["dims"] is not None:
            known[value["name"]] = elem, value["dims"]
    return known


def findings(answer):
    """The findings by code."""
    return collections.Counter(found["code"] for found in answer["findings"])


def repaired(path, target):
    _, answer = command.run("check", path, "--fix", "-o", target)
    return answer


class Held:
    """An unbroken model, and what it gives."""

    def __init__(self, path, sizes):
        run = session(str(path))
        self.names = [value.name for value in run.get_outputs()]
        self.given = inputs(run, sizes, SEED)
        self.wanted = outputs(run, self.given)
        self.findings = findings(command.run("check", path)[1])
        try:
            onnx.checker.check_model(str(path), full_check=True)
            self.passes = True
        except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError):
            self.passes = False

    def wrong(self, path, answer):
        """What is wrong with a repaired model."""
        try:
            found = outputs(session(str(path)), self.given)
        except Refused as error:
            return f"not run: {error}"
        wrong = [name for name, *both in zip(self.names, self.wanted, found, strict=True) if not same(*both)]
        if wrong:
            return f"other outputs: {', '.join(wrong)}"
        if self.passes:
            try:
                onnx.checker.check_model(str(path), full_check=True)
            except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
                return f"refused by the checker: {error}"
        more = findings(command.run("check", path)[1])
        if more != findings(answer):
            return f"it has {dict(more)}, not {dict(findings(answer))} as was said"
        if more - self.findings:
            return f"further findings: {dict(more - self.findings)}"
        again = path.with_name("again.onnx")
        fixes = repaired(path, again).get("fixes", [])
        if fixes or again.read_bytes() != path.read_bytes():
            return f"a second time it is another: {[fix['message'] for fix in fixes]}"
        return None


def broken(path, way, rng, known, folder):
    """The path of the broken model, and the codes that it must be found by; none where it cannot be broken so."""
    model = onnx.load(str(path))
    codes = way(model, rng, known)
    target = folder / f"{way.__name__}.onnx"
    target.write_bytes(model.SerializeToString())
    return target, codes


def compare(path, sizes, folder, seed):
    """What is wrong, one text for each way, and how often each code was repaired; `Refused` where onnxruntime does not run
    the model as it is."""
    held = Held(path, sizes)
    rng, known = random.Random(seed), known_values(path, folder)
    wrong, done = [], collections.Counter()
    fixed = folder / "fixed.onnx"
    problem = held.wrong(fixed, repaired(path, fixed))
    if problem:
        wrong.append(f"unbroken: {problem}")
    for way in [*BREAKS, all_at_once]:
        target, codes = broken(path, way, rng, known, folder)
        found = findings(command.run("check", target)[1])
        if not codes or not codes & set(found - held.findings):
            continue
        answer = repaired(target, fixed)
        done.update(fix["code"] for fix in answer.get("fixes", []))
        problem = held.wrong(fixed, answer)
        if problem:
            wrong.append(f"{way.__name__}: {problem}")
    return wrong, done


def one(job):
    name, path, sizes, seed, keep = job
    with tempfile.TemporaryDirectory() as scratch:
        try:
            wrong, done = compare(path, sizes, Path(scratch), seed)
        except Refused:
            return name, [], None
        except command.Broken as error:
            wrong, done = [str(error)], collections.Counter()
        if wrong:
            keep.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, keep / f"{name.replace('/', '_')}.onnx")
        return name, wrong, done


def errors(answer):
    texts = ((found["model"], found["code"], found["message"]) for found in answer["findings"] if found["severity"] == "error")
    return collections.Counter(texts)


def outcome(path):
    """What onnxruntime gives for a model, or None where it does not run it."""
    try:
        run = session(str(path))
        return outputs(run, inputs(run, {}, SEED))
    except Refused:
        return None


def repair_damaged(folder):
    """What is wrong with damaged models that were repaired, and how many were."""
    paths = list(damage.damaged(folder))[:DAMAGED]
    _, before = command.run("check", *paths)
    originals = folder / "originals"
    originals.mkdir()
    for path in paths:
        shutil.copy(path, originals / path.name)
    wrong, repaired_models = [], set()
    for options in [["--fix"], ["--fix", "--unsafe-fixes"]]:
        _, after = command.run("check", *paths, *options)
        wrong.extend(f"damaged {path}: {code}: {message}" for path, code, message in errors(after) - errors(before))
        _, again = command.run("check", *paths, *options)
        wrong.extend(f"damaged {fix['model']}: a second time {fix['message']}" for fix in again.get("fixes", []))
        for path in {Path(fix["model"]) for fix in after.get("fixes", [])}:
            repaired_models.add(path)
            wanted = outcome(originals / path.name) if len(options) == 1 else None
            found = outcome(path) if wanted is not None else None
            if wanted is not None and (found is None or not all(map(same, wanted, found))):
                wrong.append(f"damaged {path.name}: other outputs")
    return wrong, len(repaired_models)


def jobs(arguments, scratch):
    yield "attention", ATTENTION, {"batch": 2, "seq": 10}
    for folder, every in [(DATA, EVERY), (CORPUS, 1)]:
        paths = [path for path in sorted(folder.rglob("*.onnx")) if path.stat().st_size <= LARGEST]
        for path in paths[::every]:
            yield str(path.relative_to(folder).with_suffix("")), path, symbols(path)
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        made = fold_models.make(seed)
        path = scratch / f"{seed}.onnx"
        path.write_bytes(made.model.SerializeToString())
        yield f"seed {seed}", path, made.sizes


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("failures", type=Path, help="where models that fail are kept")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(2) as pool:
        all_jobs = [(*job, seed, arguments.failures) for seed, job in enumerate(jobs(arguments, Path(scratch)))]
        passed, wrong, skipped, codes = 0, [], 0, collections.Counter()
        for name, problems, done in pool.map(one, all_jobs):
            if done is None:
                skipped += 1
                continue
            codes += done
            wrong.extend(f"{name}: {problem}" for problem in problems)
            passed += not problems
        damaged_wrong, damaged = repair_damaged(Path(scratch) / "damaged")
        wrong += damaged_wrong
    print(f"{damaged} of {DAMAGED} damaged models were repaired")
    print(f"{skipped} models are not run by onnxruntime as they are; repaired: {dict(sorted(codes.items()))}")
    # Models of which nothing was repaired would prove nothing.
    wanted = {"value-undefined", "opset-duplicate", "output-type", "output-dims", "dims-minus-one", "value-info-unused"}
    wanted |= {"initializer-unused", "value-redefined", "field-missing", "node-name-duplicate", "ir-version-too-old"}
    for code in sorted(wanted - set(codes)):
        wrong.append(f"nothing was repaired of {code}")
    summary.close("fix", passed, wrong)


if __name__ == "__main__":
    main()
