"""Models made wrong in one way each, by what the onnx package's schemas say would be wrong."""

import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import onnx
from onnx import AttributeProto, TensorProto, defs

DOMAIN = "ai.onnx"
SEED = 20260101


@dataclass(frozen=True)
class Mutant:
    path: Path
    kind: str
    code: str
    node: int


def schema_of(node, model):
    """The schema in force, or None for a node of which the package has none."""
    for opset in model.opset_import:
        if (opset.domain or DOMAIN) == (node.domain or DOMAIN):
            try:
                return defs.get_schema(node.op_type, opset.version, node.domain)
            except defs.SchemaError:
                return None
    return None


def renamed(model, node, schema, chance):
    if not node.attribute:
        return None
    attribute = chance.choice(node.attribute)
    attribute.name += "_"
    return None if attribute.name in schema.attributes else "attribute-unknown"


def retyped(model, node, schema, chance):
    known = [given for given in node.attribute if given.name in schema.attributes and not given.ref_attr_name]
    if not known:
        return None
    given = chance.choice(known)
    other = AttributeProto.FLOATS if given.type != AttributeProto.FLOATS else AttributeProto.INTS
    name = given.name
    given.Clear()
    given.name, given.type = name, other
    (given.floats if other == AttributeProto.FLOATS else given.ints).append(1)
    return "attribute-type"


def dropped(model, node, schema, chance):
    required = [given for given in node.attribute if given.name in schema.attributes and schema.attributes[given.name].required]
    if not required:
        return None
    node.attribute.remove(chance.choice(required))
    return "attribute-missing"


def doubled(model, node, schema, chance):
    if not node.attribute:
        return None
    node.attribute.append(chance.choice(node.attribute))
    return "attribute-duplicate"


def input_dropped(model, node, schema, chance):
    if not schema.min_input or len(node.input) < schema.min_input:
        return None
    del node.input[schema.min_input - 1 :]
    return "input-count"


def input_added(model, node, schema, chance):
    if schema.max_input > 100 or not any(node.input):
        return None
    given = next(name for name in node.input if name)
    while len(node.input) <= schema.max_input:
        node.input.append(given)
    return "input-count"


def input_type(model, node, schema, chance):
    """An input of the graph that the node takes, of a type that no version of its parameter's variable allows."""
    inputs = {value.name: value for value in model.graph.input}
    initialized = {tensor.name for tensor in model.graph.initializer}
    places = []
    for index, name in enumerate(node.input):
        formal = schema.inputs[min(index, len(schema.inputs) - 1)]
        if name not in inputs or name in initialized or not inputs[name].type.HasField("tensor_type"):
            continue
        allowed = set(formal.types)
        others = [
            number
            for text, number in TensorProto.DataType.items()
            if number and f"tensor({text.lower()})" not in allowed
        ]
        if others:
            places.append((inputs[name], others))
    if not places:
        return None
    value, others = chance.choice(places)
    value.type.tensor_type.elem_type = chance.choice(others)
    return "type-not-allowed"


def output_type(model, node, schema, chance):
    """An output of the graph whose declared element type is not that of the input that has the same variable."""
    inputs = {value.name: value for value in model.graph.input}
    outputs = {value.name: value for value in model.graph.output}
    variables = {constraint.type_param_str: constraint for constraint in schema.type_constraints}
    bound = {}
    for index, name in enumerate(node.input):
        formal = schema.inputs[min(index, len(schema.inputs) - 1)]
        if name in inputs and formal.is_homogeneous and inputs[name].type.HasField("tensor_type"):
            bound[formal.type_str] = inputs[name].type.tensor_type.elem_type
    for index, name in enumerate(node.output):
        formal = schema.outputs[min(index, len(schema.outputs) - 1)]
        if name not in outputs or formal.type_str not in bound or not formal.is_homogeneous:
            continue
        if formal.type_str not in variables:
            continue
        if not outputs[name].type.HasField("tensor_type"):
            continue
        allowed = set(variables[formal.type_str].allowed_type_strs)
        others = [
            number
            for text, number in TensorProto.DataType.items()
            if number not in (0, bound[formal.type_str]) and f"tensor({text.lower()})" in allowed
        ]
        if others:
            outputs[name].type.tensor_type.elem_type = chance.choice(others)
            return "output-type"
    return None


@cache
def births():
    """The opset that each operator came with, by domain and name."""
    versions = sorted(defs.get_all_schemas_with_history(), key=lambda schema: -schema.since_version)
    return {(schema.domain, schema.name): schema.since_version for schema in versions}


def before_birth(model, node, schema, chance):
    if schema.domain not in ("", "ai.onnx.ml"):
        return None
    # The model's only nodes are of this operator, so that nothing else is wrong at the older opset.
    if {(other.op_type, other.domain) for other in model.graph.node} != {(node.op_type, node.domain)}:
        return None
    first = births()[schema.domain, schema.name]
    if first <= 1:
        return None
    for opset in model.opset_import:
        if (opset.domain or DOMAIN) == (node.domain or DOMAIN):
            opset.version = first - 1
    return "operator-too-new"


def undefined(model, node, schema, chance):
    places = [index for index, name in enumerate(node.input) if name]
    if not places:
        return None
    node.input[chance.choice(places)] = "nobody gives this"
    return "value-undefined"


def misnamed(model, node, schema, chance):
    if node.domain not in ("", DOMAIN, "ai.onnx.ml"):
        return None
    node.op_type += "Like_"
    return "operator-unknown"


KINDS = {
    "attribute renamed": renamed,
    "attribute retyped": retyped,
    "attribute dropped": dropped,
    "attribute doubled": doubled,
    "input dropped": input_dropped,
    "input added": input_added,
    "input of a type that is not allowed": input_type,
    "output type contradicted": output_type,
    "opset below the operator's birth": before_birth,
    "name used before its definition": undefined,
    "operator that does not exist": misnamed,
}


def of(paths, parent):
    """For each model a mutant of each kind that it lends itself to, and the files of those."""
    parent.mkdir(parents=True, exist_ok=True)
    chance = random.Random(SEED)
    made = []
    for path in paths:
        bytes_ = path.read_bytes()
        whole = onnx.load_model_from_string(bytes_)
        nodes = [index for index, node in enumerate(whole.graph.node) if schema_of(node, whole) is not None]
        if not nodes or whole.functions:
            continue
        for kind, mutate in KINDS.items():
            model = onnx.load_model_from_string(bytes_)
            index = chance.choice(nodes)
            node = model.graph.node[index]
            code = mutate(model, node, schema_of(node, model), chance)
            if code is None:
                continue
            file = parent / f"{len(made):05}_{kind.replace(' ', '_')}_{path.stem}.onnx"
            file.write_bytes(model.SerializeToString())
            made.append(Mutant(file, kind, code, index))
    return made
