"""How `shape` stands to the onnx package in one recorded call.

Outcomes, from the best to the worst:

- `same`: both refuse, or both accept and know the same;
- `stronger`: more is known here, or converted here;
- `weaker`: the package knows a type or a dimension that is unknown here;
- `refused`: an error here, and the package accepts the model or converts it;
- `let pass`: the package refuses the model, and there is no error here;
- `wrong`: another type, another dimension, or a conversion that computes something else.
"""

from dataclasses import dataclass, replace

import command
import expressions
import onnx
import onnx.version_converter
from onnx import ModelProto, TensorProto, TypeProto

from . import equivalence, models

OUTCOMES = ["same", "stronger", "weaker", "refused", "let pass", "wrong"]
# What is an error of the model that stands for a call alone: nobody says the types of a lone node's inputs.
OURSELVES = {"check_node": {"input-untyped"}}


@dataclass(frozen=True)
class Verdict:
    """`claim` is the ruling that has been verified to claim the difference."""

    outcome: str
    detail: str = ""
    claim: str | None = None


def worst(verdicts):
    return max(verdicts, key=lambda verdict: OUTCOMES.index(verdict.outcome))


@dataclass(frozen=True)
class Error:
    """What the command finds wrong, and the operator of the node where it does."""

    text: str
    op_type: str | None = None


def errors_of(code, answer, passed_over=()):
    """What the command finds wrong."""
    if code == 2:
        return [Error(f"unreadable: {answer}")]
    findings = [finding for finding in answer["findings"] if finding["severity"] == "error"]
    if bool(findings) != (code == 1):
        raise command.Broken(f"exit {code} with {len(findings)} errors")
    return [
        Error(f"{finding['code']}: {finding['message']}", (finding.get("node") or {}).get("op_type"))
        for finding in findings
        if finding["code"] not in passed_over
    ]


def typed(graph):
    """Gives every value that is declared a type with a shape, which the checker asks for and inference is there to
    find."""
    for info in [*graph.input, *graph.output, *graph.value_info]:
        if info.type.WhichOneof("value") is None:
            info.type.tensor_type.elem_type = TensorProto.FLOAT
        if info.type.HasField("tensor_type"):
            info.type.tensor_type.shape.SetInParent()
    for node in graph.node:
        for attribute in node.attribute:
            for body in [attribute.g, *attribute.graphs]:
                typed(body)


def refusal(model):
    """Why the package refuses a model when it looks at all that it can look at, or None."""
    declared = ModelProto.FromString(model.SerializeToString())
    typed(declared.graph)
    try:
        onnx.checker.check_model(declared)
        onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
    except Exception as error:  # whichever of the package's own it is
        return str(error).strip() or type(error).__name__
    return None


def known(type_proto, symbols):
    """Type and dimensions as `shape infer` tells them; None for what is unknown. A symbol that the model does not have
    is one that the package made up."""
    kind = type_proto.WhichOneof("value")
    if kind in ("tensor_type", "sparse_tensor_type"):
        inner = getattr(type_proto, kind)
        element = TensorProto.DataType.Name(inner.elem_type).lower() if inner.elem_type else None
        dims = [
            dim.dim_value if dim.HasField("dim_value") else dim.dim_param if dim.dim_param in symbols else None
            for dim in inner.shape.dim
        ]
        if element and kind == "sparse_tensor_type":
            element = f"sparse_tensor({element})"
        return element, dims if inner.HasField("shape") else None
    if kind in ("sequence_type", "optional_type"):
        inner = getattr(type_proto, kind).elem_type
        name, dims = known(inner, symbols)
        if inner.WhichOneof("value") == "tensor_type" and name:
            name = f"tensor({name})"
        return name and f"{'seq' if kind == 'sequence_type' else 'optional'}({name})", dims
    if kind == "map_type":
        name, _ = known(type_proto.map_type.value_type, symbols)
        key = TensorProto.DataType.Name(type_proto.map_type.key_type).lower()
        return name and f"map({key}, {name})", None
    return None, None


def all_types(model):
    """Every type that stands in a model, by the path of its graph as `shape infer` tells it, and the name."""

    def inside(graph, path):
        constant = {each.name for each in graph.initializer}
        for info in [*graph.value_info, *graph.output]:
            if info.name not in constant:
                yield (path, info.name), info.type
        for index, node in enumerate(graph.node):
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH:
                    yield from inside(attribute.g, f"{path or 'graph'}/{index}:{node.op_type}.{attribute.name}")

    return inside(model.graph, None)


def symbols_of(message):
    """The symbols of a model: whatever is called `dim_param` in it."""
    if message.DESCRIPTOR.name == "Dimension":
        return {message.dim_param} - {""}
    found = set()
    for field, value in message.ListFields():
        if field.message_type is not None and field.message_type.name not in ("TensorProto", "SparseTensorProto"):
            for inner in value if field.is_repeated else [value]:
                found |= symbols_of(inner)
    return found


def compare(name, here, there):
    """One value: type and dimensions here and there."""
    (our_type, ours), (their_type, theirs) = here, there
    told = f"{name}: {our_type}{ours}, there {their_type}{theirs}"
    if our_type and their_type and our_type != their_type:
        return Verdict("wrong", told)
    if theirs is not None and ours is not None:
        if len(ours) != len(theirs):
            return Verdict("wrong", told)
        pairs = [(mine, other) for mine, other in zip(ours, theirs) if other is not None]
        # A number says more than a symbol, and another symbol says something else.
        if any(mine is not None and mine != other and isinstance(mine, type(other)) for mine, other in pairs):
            return Verdict("wrong", told)
        if any(mine != other and (mine is None or isinstance(mine, str)) for mine, other in pairs):
            return Verdict("weaker", told)
    elif theirs is not None:
        return Verdict("weaker", told)
    if their_type and not our_type:
        return Verdict("weaker", told)
    return Verdict("same" if here == there else "stronger", told)


def types_returned(entry, model):
    """Every type that the package's inference gives, by graph and name."""
    returned = entry["returned"]
    if entry["function"] == "infer_shapes":
        return dict(all_types(ModelProto.FromString(returned)))
    if entry["function"] == "infer_node_outputs":
        return {(None, name): TypeProto.FromString(each) for name, each in returned.items()}
    names = [output.name for output in model.graph.output]
    return {(None, name): TypeProto.FromString(each) for name, each in zip(names, returned)}


def refused_or(entry, model, errors, otherwise):
    """The verdict where somebody refuses the model; what `otherwise` gives where nobody does."""
    if entry["raised"]:
        return Verdict("same") if errors else Verdict("let pass", entry["raised"])
    full = refusal(model) if errors else None
    # An inference that is not strict passes over the errors, and gives what it can; so does the command.
    if not errors or full and entry["function"] == "infer_shapes" and not entry["options"].get("strict_mode"):
        return otherwise()
    return refused(errors[0], full, model)


def refused(error, full, *models):
    """The verdict where there is an error here alone. `full` is what the package's full check says; and a run of a
    model shows whether a runtime shares the error."""
    if full:
        return Verdict("refused", f"{error.text}; the package: {full}", FULL_CHECK)
    for model in models:
        if error.op_type and (told := equivalence.refused_at_run(model, error.op_type)):
            return Verdict("refused", f"{error.text}; onnxruntime: {told}", RUNTIME)
    return Verdict("refused", error.text)


def judge_check(entry, model, folder):
    path = folder / "model.onnx"
    path.write_bytes(model.SerializeToString())
    errors = errors_of(*command.run("check", path, unreadable=True), OURSELVES.get(entry["function"], ()))
    return refused_or(entry, model, errors, lambda: Verdict("same"))


def judge_infer(entry, model, folder):
    path = folder / "model.onnx"
    path.write_bytes(model.SerializeToString())
    code, answer = command.run("infer", path, unreadable=True)
    errors = errors_of(code, answer)
    if entry["raised"] and not errors:
        # What is wrong with a model outside of its nodes is what `shape check` looks for.
        errors = errors_of(*command.run("check", path, unreadable=True))

    def values():
        symbols = symbols_of(model)
        ours = {(each.get("graph"), each["name"]): (each["type"], expressions.of_model(each["dims"], answer)) for each in answer["values"]}
        theirs = types_returned(entry, model)
        return worst(
            [Verdict("same")]
            + [
                compare(name if graph is None else f"{graph}:{name}", ours.get((graph, name), (None, None)), each)
                for (graph, name), each in ((key, known(each, symbols)) for key, each in theirs.items())
            ]
        )

    return refused_or(entry, model, errors, values)


def judge_convert(entry, model, folder):
    source, target = folder / "model.onnx", folder / "converted.onnx"
    source.write_bytes(model.SerializeToString())
    target.unlink(missing_ok=True)
    code, answer = command.run(
        "convert", source, "--opset", entry["options"]["target_version"], "-o", target, unreadable=True
    )
    theirs = None if entry["raised"] else ModelProto.FromString(entry["returned"])
    if code:
        if entry["raised"]:
            return Verdict("same")
        error = errors_of(code, answer)[0]
        verdict = refused(error, refusal(model) or refusal(theirs), model, theirs)
        if verdict.claim or not any(differs(model, theirs, numbers) for numbers in NUMBERS):
            return verdict
        return Verdict("refused", f"{error.text}; what the package converts computes something else", THEIRS_WRONG)
    ours = ModelProto.FromString(target.read_bytes())
    if theirs is not None and equivalence.spelled(ours) == equivalence.spelled(theirs):
        return Verdict("same")
    broken = refusal(ours)
    if broken and not refusal(model):
        return Verdict("wrong", f"the full check refuses what was converted: {broken}")
    difference = unlike(ours, model, theirs)
    if difference is None:
        return Verdict("stronger" if theirs is None else "same", entry["raised"] or "")
    if theirs is None:
        return Verdict("let pass", f"{entry['raised']}; {difference}")
    return Verdict("wrong", difference)


def unlike(ours, *others):
    """What a converted model computes otherwise than the first of others with which it can be run."""
    told = []
    for other in filter(None, others):
        try:
            return equivalence.difference(other, ours)
        except equivalence.NotRun as error:
            told.append(str(error))
    return "; ".join(told)


def differs(before, after, numbers):
    """Whether a converted model is seen to compute something else."""
    try:
        return equivalence.difference(before, after, numbers) is not None
    except equivalence.NotRun:
        return False


# Rulings that are verified call by call.
FULL_CHECK, OVERRIDABLE = "full-check", "overridable-initializer"
RUNTIME, THEIRS_WRONG = "runtime-refuses", "package-wrong"
VERIFIED = (FULL_CHECK, OVERRIDABLE, RUNTIME, THEIRS_WRONG)
NUMBERS = (equivalence.small, equivalence.large)

JUDGES = {"infer": judge_infer, "check": judge_check, "convert": judge_convert}


def judge(entry, model, folder):
    """The verdict of a call, whose model is given; `folder` is for its files."""
    of_kind = JUDGES[entry["function"].split("_")[0]]
    verdict = of_kind(entry, model, folder)
    if verdict.outcome in ("same", "stronger") or verdict.claim or not models.overridable(model):
        return verdict
    constant = of_kind(again(entry, model), model, folder)
    return replace(verdict, claim=OVERRIDABLE) if constant.outcome in ("same", "stronger") else verdict


def again(entry, model):
    """A call with another model: what is converted of it is asked of the package, and all else is as it was."""
    if entry["function"] != "convert_version":
        return entry
    try:
        converted = onnx.version_converter.convert_version(model, entry["options"]["target_version"])
    except Exception as error:  # whichever of the package's own it is
        return {**entry, "returned": None, "raised": f"{type(error).__name__}: {error}"}
    return {**entry, "returned": converted.SerializeToString(), "raised": None}
