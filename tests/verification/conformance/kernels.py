"""The manifest of onnxruntime, `shape ops --runtime onnxruntime-cpu`, beside the runtime itself.

- The manifest that `specs/facts/kernels.py` writes of the installed release is the committed one, line by line.
- Random models of one node: an operator of the package's node cases, or one of onnxruntime's own, in any version at any
  opset that selects it, with any types that its schema allows. What the command says of the node is what a session
  without optimizations says: it opens, or there is no kernel, or the opset or IR version is too new. Whatever else it
  says is of the model and not of kernels; these models are counted and left out, as those of which a type is unknown.

`releases.py` does the latter with the sessions of other releases.

`--count` and `--seed` make others; a model that differs is kept in the folder.
"""

import argparse
import random
import subprocess
import sys
import warnings
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import command
import onnx
import onnxruntime
import summary
from onnx import TensorProto, ValueInfoProto, defs, helper
from onnx.backend.test.case.node import collect_testcases
from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema
from sessions import INVALID, NEWER, NO_KERNEL, Sessions

SPECS = Path(__file__).resolve().parents[3] / "specs"
sys.path.append(str(SPECS / "facts"))

from release import number, shortened  # noqa: E402

RUNTIME = "onnxruntime-cpu"
SEED, COUNT, LEAST = 20261124, 4000, 2000
# A command line has a length.
AT_ONCE = 250
# How many have another type than their case, one that a runtime may refuse, and an opset or IR version of another age.
OTHER_TYPE, OLDEST_IR, TOO_NEW = 0.6, 8, 0.02
# The opset of ai.onnx beside one of another domain, which all releases read.
BESIDE = 20
OWN = 0.15
# The attributes that say what the type of an output is.
TYPES = ("to", "dtype", "output_dtype", "output_datatype")
# What a session says of a node that is not supported, and of opsets and IR versions that are too new.
REFUSALS = (
    *NO_KERNEL,
    "is not a registered function/op",
    NEWER,
    "Unsupported model IR version",
)
# The bodies of these functions depend on what else the node gives. The manifest has the types that all nodes of a
# version run with; where a node runs with more, the command says too little.
BODIES = ("Attention", "Clip", "Gelu")


def drift():
    """The lines of the committed manifest that are not what the script writes of the installed release."""
    path = SPECS / "manifests" / "onnxruntime-cpu" / f"{onnxruntime.__version__}.yaml"
    if not path.is_file():
        print(f"the manifest is not compared: there is none of onnxruntime {onnxruntime.__version__}")
        return 0, []
    script = [sys.executable, SPECS / "facts" / "kernels.py"]
    written = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    # What a release has as the one before it stands there.
    found = shortened(written).splitlines()
    committed = path.read_text().splitlines()
    problems = [f"manifest: not in the package: {line[:200]}" for line in committed if line not in set(found)]
    problems += [f"manifest: not committed: {line[:200]}" for line in found if line not in set(committed)]
    return len(found), problems


class Node:
    """A node that is known to be right in some version, and the shapes of its inputs."""

    def __init__(self, node, shapes):
        self.node, self.shapes = node, shapes


@cache
def models_of_cases():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases("")
    return [case.model for case in cases if len(case.model.graph.node) == 1]


def cases_of(operator):
    """The models of the node cases of an operator of ai.onnx, each a copy."""
    for model in models_of_cases():
        if (model.graph.node[0].domain, model.graph.node[0].op_type) == ("", operator):
            copy = onnx.ModelProto()
            copy.CopyFrom(model)
            yield copy


@cache
def of_cases():
    of_one = [model.graph for model in models_of_cases()]
    return [Node(graph.node[0], {value.name: value.type for value in graph.input}) for graph in of_one]


@cache
def of_runtime():
    """A node for each operator of onnxruntime's own, with all inputs or those that it must have."""
    nodes = []
    values = {"INT": 1, "INTS": [1], "FLOAT": 1.0, "FLOATS": [1.0], "STRING": "a", "STRINGS": ["a"]}
    for schema in get_all_operator_schema():
        if schema.domain != "com.microsoft":
            continue
        for count in sorted({schema.min_input, len(schema.inputs)}):
            outputs = [f"y{index}" for index in range(max(1, schema.min_output))]
            node = helper.make_node(schema.name, [f"x{index}" for index in range(count)], outputs, domain=schema.domain)
            for attribute in schema.attributes.values():
                if attribute.required and attribute.type.name in values:
                    node.attribute.append(helper.make_attribute(attribute.name, values[attribute.type.name]))
            nodes.append(Node(node, {}))
    return nodes


@cache
def schemas():
    """The versions of each operator, of the onnx package and of onnxruntime's own domain."""
    found = defaultdict(list)
    own = [schema for schema in get_all_operator_schema() if schema.domain == "com.microsoft"]
    for schema in [*own, *defs.get_all_schemas_with_history()]:
        found[schema.domain, schema.name].append(schema)
    return found


def type_of(parameter):
    return parameter.type_str if isinstance(parameter, defs.OpSchema.FormalParameter) else parameter.typeStr


def typed(name, text, like=None):
    """A value of a type, of the shape of another one if that is a tensor too."""
    value = ValueInfoProto(name=name)
    fill(value.type, text)
    if like is not None and like.HasField("tensor_type") and value.type.HasField("tensor_type"):
        value.type.tensor_type.shape.CopyFrom(like.tensor_type.shape)
    return value


def fill(proto, text):
    form, inner = text.strip().removesuffix(")").split("(", 1)
    if form in ("tensor", "sparse_tensor"):
        getattr(proto, f"{form}_type").elem_type = element(inner)
    elif form in ("seq", "optional"):
        fill(getattr(proto, {"seq": "sequence_type", "optional": "optional_type"}[form]).elem_type, inner)
    else:
        key, value = inner.split(",", 1)
        proto.map_type.key_type = element(key)
        fill(proto.map_type.value_type, value if "(" in value else f"tensor({value})")


def element(name):
    return TensorProto.DataType.Value(name.strip().upper())


def spelled(proto):
    """The type as schemas spell it; None for one that is not a tensor."""
    if not proto.HasField("tensor_type"):
        return None
    return f"tensor({TensorProto.DataType.Name(proto.tensor_type.elem_type).lower()})"


def newest_read(release):
    """The newest opset of ai.onnx and the newest IR version that a release reads, by the manifest that it is answered by."""
    _, answer = command.run("ops", "--runtimes")
    rows = [row for row in answer["runtimes"] if row["runtime"] == RUNTIME]
    rows.sort(key=lambda row: number(row["release"]))
    row = next((row for row in rows if number(row["release"]) >= number(release)), rows[-1])
    return next(of["newest"] for of in row["opsets"] if of["domain"] == "ai.onnx"), row["ir_version"]


def model(chance, given, newest_opset, newest_ir):
    """A model of the node at an opset of some version with some types; None if no version can have its inputs.

    Few are of an opset or an IR version that is too new, since it is known what becomes of them."""
    node = onnx.NodeProto()
    node.CopyFrom(given.node)
    versions = schemas()[node.domain, node.op_type]
    if not versions:
        return None
    read = [schema for schema in versions if node.domain or schema.since_version <= newest_opset]
    schema = chance.choice(read if read and chance.random() > TOO_NEW else versions)
    if not schema.min_input <= len(node.input) <= schema.max_input or len(node.output) > schema.max_output:
        return None
    if not {attribute.name for attribute in node.attribute} <= set(schema.attributes):
        return None
    variables = {of.type_param_str: sorted(of.allowed_type_strs) for of in schema.type_constraints}
    sides = [(node.input, schema.inputs), (node.output, schema.outputs)]
    formal = [
        (name, type_of(parameters[min(index, len(parameters) - 1)]), is_output)
        for (names, parameters), is_output in zip(sides, (False, True))
        for index, name in enumerate(names)
    ]
    of_case = {text: spelled(given.shapes[name]) for name, text, _ in formal if name in given.shapes}
    binding = {}
    for variable, types in variables.items():
        usual = of_case.get(variable)
        binding[variable] = usual if usual in types and chance.random() > OTHER_TYPE else chance.choice(types)
    of_inputs = {text for _, text, is_output in formal if not is_output}
    for attribute in node.attribute:
        # Where an attribute says what an output is, it has to agree.
        free = [text for _, text, is_output in formal if is_output and text in binding and text not in of_inputs]
        if attribute.name in TYPES and free and binding[free[0]].startswith("tensor("):
            attribute.i = element(binding[free[0]][7:-1])
    values = {}
    for name, text, is_output in formal:
        if name and name not in values:
            values[name] = typed(name, binding.get(text, text), given.shapes.get(name)), is_output
    later = [other.since_version - 1 for other in versions if other.since_version > schema.since_version]
    newest = min([schema.since_version if node.domain else defs.onnx_opset_version(), *later])
    opset = chance.randint(schema.since_version, max(schema.since_version, newest))
    if not node.domain and schema.since_version <= newest_opset < newest and chance.random() > TOO_NEW:
        opset = chance.randint(schema.since_version, newest_opset)
    imports = [helper.make_opsetid(node.domain, opset)]
    if node.domain:
        imports.append(helper.make_opsetid("", BESIDE))
    ir = newest_ir + 1 if chance.random() < TOO_NEW else chance.randint(OLDEST_IR, newest_ir)
    ins = [value for value, is_output in values.values() if not is_output]
    outs = [value for value, is_output in values.values() if is_output]
    made = helper.make_model(helper.make_graph([node], "one", ins, outs), opset_imports=imports, ir_version=ir)
    return made, binding


def models(folder, chance, count, release):
    """Random models for a release, with the types of their variables, by their paths."""
    newest = newest_read(release)
    by_operator = {}
    for node in of_cases():
        by_operator.setdefault((node.node.domain, node.node.op_type), []).append(node)
    operators, of_own, made = list(by_operator.values()), of_runtime(), {}
    folder.mkdir(parents=True, exist_ok=True)
    while len(made) < count:
        nodes = of_own if chance.random() < OWN else chance.choice(operators)
        drawn = model(chance, chance.choice(nodes), *newest)
        if drawn is not None:
            path = folder / f"{len(made)}.onnx"
            path.write_bytes(drawn[0].SerializeToString())
            made[str(path)] = drawn
    return made


def truth(told):
    """`yes` or `no`, or what a session says against the model itself."""
    return "no" if any(words in told for words in REFUSALS) else told or "yes"


def answers(paths, release):
    """What the command says of each model: `yes`, `no` or `unknown`."""
    said = {}
    for start in range(0, len(paths), AT_ONCE):
        some = paths[start : start + AT_ONCE]
        models = [argument for path in some for argument in ("--model", path)]
        code, answer = command.run("ops", *models, "--runtime", f"{RUNTIME}@{release}")
        if (code == 1) != any(of["lacks"] for of in answer["models"]):
            raise command.Broken(f"exit {code} with {sum(bool(of['lacks']) for of in answer['models'])} models")
        for of in answer["models"]:
            [node] = [node for node in of["nodes"] if node["graph"] == "graph"]
            held = all(other["supported"] == "yes" for other in of["nodes"])
            said[of["model"]] = "no" if of["lacks"] else "yes" if held else node["supported"]
    return said


def compared(made, release, sessions, newest):
    """What is counted of the models of a release, how many answers are those of its sessions, and what is wrong.

    `newest` are the sessions of the release that the models are drawn by: what these do not take either is no node of it."""
    counts, agreed, problems = Counter(), 0, []
    said = answers(list(made), release)
    for path, (proto, binding) in made.items():
        told = sessions.says(path)
        found = truth(told)
        node = proto.graph.node[0]
        if any(words in told for words in INVALID) and not any(words in newest.says(path) for words in INVALID):
            found = "no"
        if found not in ("yes", "no"):
            counts["the runtime refuses the model for something else"] += 1
        elif said[path] == "unknown":
            counts["a version or a type is not known"] += 1
        elif said[path] == found:
            counts[f"agreed: {found}"] += 1
            agreed += 1
        elif node.op_type in BODIES and not node.domain and (said[path], found) == ("no", "yes"):
            counts["refused, although the body of a function runs with what the node gives"] += 1
        else:
            opset = proto.opset_import[0].version
            types = ", ".join(f"{name} {ty}" for name, ty in binding.items())
            problems.append(f"{path}: {node.op_type} at {opset} with {types}: {said[path]}, but a session of {release}: {found}")
    return counts, agreed, problems


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--count", type=int, default=COUNT)
    arguments.add_argument("--seed", default=SEED)
    arguments = arguments.parse_args()
    lines, problems = drift()
    release, sessions = onnxruntime.__version__, Sessions()
    made = models(arguments.folder, random.Random(arguments.seed), arguments.count, release)
    try:
        counts, agreed, wrong = compared(made, release, sessions, sessions)
    except command.Broken as error:
        summary.close("kernels", lines, [*problems, str(error)])
    problems += wrong
    for what, count in sorted(counts.items()):
        print(f"{count} {what}")
    if agreed < LEAST and arguments.count == COUNT:
        problems.append(f"only {agreed} models were compared, not {LEAST}")
    summary.close("kernels", lines + agreed, problems)


if __name__ == "__main__":
    main()
