"""The manifest of onnxruntime, `shape ops --runtime onnxruntime-cpu`, beside the runtime itself.

- The manifest that `specs/facts/kernels.py` writes of the installed release is the committed one, line by line.
- Random models of one node: an operator of the package's node cases, or one of onnxruntime's own, in any version at any
  opset that selects it, with any types that its schema allows. What the command says of the node is what a session
  without optimizations says: it opens, or there is no kernel, or the opset or IR version is too new. Whatever else it
  says is of the model and not of kernels; these models are counted and left out, as those of which a type is unknown.

`--count` and `--seed` make others; a model that differs is kept in the folder.
"""

import argparse
import os
import random
import subprocess
import sys
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import command
import onnx
import onnxruntime
import runtime
import summary
from onnx import TensorProto, ValueInfoProto, defs, helper
from onnx.backend.test.case.node import collect_testcases
from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema

SPECS = Path(__file__).resolve().parents[3] / "specs"
sys.path.append(str(SPECS / "facts"))

import release  # noqa: E402

SEED, COUNT, LEAST = 20261124, 4000, 2000
# A command line has a length.
AT_ONCE = 250
# How many have another type than their case, one that a runtime may refuse, and an opset or IR version of another age.
OTHER_TYPE, NEWEST_IR, TOO_NEW = 0.6, 13, 0.02
OWN = 0.15
# The attributes that say what the type of an output is.
TYPES = ("to", "dtype", "output_dtype", "output_datatype")
# What a session says of a kernel that is missing, of the node, of one in its function's body, or of float16 that is
# cast where that cannot be; and of opsets and IR versions that are too new.
REFUSALS = (
    "Could not find an implementation",
    "Failed to find kernel for",
    "is not a registered function/op",
    "InsertedPrecisionFreeCast",
    "is under development and support for this is limited",
    "Unsupported model IR version",
)
# The bodies of these functions depend on what else the node gives. The manifest has the types that all nodes of a
# version run with; where a node runs with more, the command says too little.
BODIES = ("Attention", "Clip", "Gelu")
# The process that sessions are opened in.
PROCESS = []


def drift():
    """The lines of the committed manifest that are not what the script writes of the installed release."""
    path = SPECS / "manifests" / "onnxruntime-cpu" / f"{onnxruntime.__version__}.yaml"
    if not path.is_file():
        print(f"the manifest is not compared: there is none of onnxruntime {onnxruntime.__version__}")
        return 0, []
    script = [sys.executable, SPECS / "facts" / "kernels.py"]
    written = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    # What a release has as the one before it stands there.
    found = release.shortened(written).splitlines()
    committed = path.read_text().splitlines()
    problems = [f"manifest: not in the package: {line[:200]}" for line in committed if line not in set(found)]
    problems += [f"manifest: not committed: {line[:200]}" for line in found if line not in set(committed)]
    return len(found), problems


class Node:
    """A node that is known to be right in some version, and the shapes of its inputs."""

    def __init__(self, node, shapes):
        self.node, self.shapes = node, shapes


def of_cases():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases("")
    graphs = [case.model.graph for case in cases]
    of_one = [graph for graph in graphs if len(graph.node) == 1]
    return [Node(graph.node[0], {value.name: value.type for value in graph.input}) for graph in of_one]


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


def schemas_of(node, own):
    if node.domain == "com.microsoft":
        return [schema for schema in own if schema.name == node.op_type]
    return [
        schema
        for schema in defs.get_all_schemas_with_history()
        if (schema.domain, schema.name) == (node.domain, node.op_type) and not schema.deprecated
    ]


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


def model(chance, given, own):
    """A model of the node at an opset of some version with some types; None if no version can have its inputs."""
    node = onnx.NodeProto()
    node.CopyFrom(given.node)
    schemas = schemas_of(node, own)
    if not schemas:
        return None
    schema = chance.choice(schemas)
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
    later = [other.since_version - 1 for other in schemas if other.since_version > schema.since_version]
    newest = min([28 if node.domain == "" else schema.since_version, *later])
    opset = chance.randint(schema.since_version, max(schema.since_version, newest))
    if newest > 26 and schema.since_version <= 26 and chance.random() > TOO_NEW:
        opset = chance.randint(schema.since_version, 26)
    imports = [helper.make_opsetid(node.domain, opset)]
    if node.domain:
        imports.append(helper.make_opsetid("", 20))
    ir = NEWEST_IR + 1 if chance.random() < TOO_NEW else chance.choice((8, 9, 10, 11, 12, NEWEST_IR))
    ins = [value for value, is_output in values.values() if not is_output]
    outs = [value for value, is_output in values.values() if is_output]
    made = helper.make_model(helper.make_graph([node], "one", ins, outs), opset_imports=imports, ir_version=ir)
    return made, binding


def session(path):
    """`yes`, `no`, or what the runtime has against the model itself; in a process of its own, which some end with."""
    try:
        return PROCESS[0].submit(opened, path).result()
    except BrokenProcessPool:
        PROCESS[0] = process()
        return "it ends the process"


def process():
    return ProcessPoolExecutor(1, initializer=quieten)


def quieten():
    """What ends the process is also told on stderr, by C++."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    onnxruntime.set_default_logger_severity(runtime.SILENT)


def opened(path):
    try:
        runtime.session(path)
    except runtime.Refused as error:
        told = str(error)
        return "no" if any(words in told for words in REFUSALS) else told
    return "yes"


def answers(paths):
    """What the command says of each model: `yes`, `no` or `unknown`."""
    said = {}
    for start in range(0, len(paths), AT_ONCE):
        some = paths[start : start + AT_ONCE]
        models = [argument for path in some for argument in ("--model", path)]
        code, answer = command.run("ops", *models, "--runtime", f"onnxruntime-cpu@{onnxruntime.__version__}")
        if (code == 1) != any(of["lacks"] for of in answer["models"]):
            raise command.Broken(f"exit {code} with {sum(bool(of['lacks']) for of in answer['models'])} models")
        for of in answer["models"]:
            [node] = [node for node in of["nodes"] if node["graph"] == "graph"]
            held = all(other["supported"] == "yes" for other in of["nodes"])
            said[of["model"]] = "no" if of["lacks"] else "yes" if held else node["supported"]
    return said


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--count", type=int, default=COUNT)
    arguments.add_argument("--seed", default=SEED)
    arguments = arguments.parse_args()
    folder = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    lines, problems = drift()
    cases, runtime = of_cases(), of_runtime()
    own = [schema for schema in get_all_operator_schema() if schema.domain == "com.microsoft"]
    by_operator = {}
    for node in cases:
        by_operator.setdefault((node.node.domain, node.node.op_type), []).append(node)
    operators = list(by_operator.values())
    chance = random.Random(arguments.seed)
    made = {}
    while len(made) < arguments.count:
        nodes = runtime if chance.random() < OWN else chance.choice(operators)
        drawn = model(chance, chance.choice(nodes), own)
        if drawn is not None:
            path = folder / f"{len(made)}.onnx"
            path.write_bytes(drawn[0].SerializeToString())
            made[str(path)] = drawn
    PROCESS.append(process())
    try:
        said = answers(list(made))
    except command.Broken as error:
        summary.close("kernels", lines, [*problems, str(error)])
    counts, agreed = Counter(), 0
    for path, (proto, binding) in made.items():
        truth = session(path)
        node = proto.graph.node[0]
        if truth not in ("yes", "no"):
            counts["the runtime refuses the model for something else"] += 1
        elif said[path] == "unknown":
            counts["a version or a type is not known"] += 1
        elif said[path] == truth:
            counts[f"agreed: {truth}"] += 1
            agreed += 1
        elif node.op_type in BODIES and not node.domain and (said[path], truth) == ("no", "yes"):
            counts["refused, although the body of a function runs with what the node gives"] += 1
        else:
            opset = proto.opset_import[0].version
            types = ", ".join(f"{name} {ty}" for name, ty in binding.items())
            problems.append(f"{path}: {node.op_type} at {opset} with {types}: {said[path]}, but the session: {truth}")
    for what, count in sorted(counts.items()):
        print(f"{count} {what}")
    if agreed < LEAST and arguments.count == COUNT:
        problems.append(f"only {agreed} models were compared, not {LEAST}")
    summary.close("kernels", lines + agreed, problems)


if __name__ == "__main__":
    main()
