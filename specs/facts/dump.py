"""Writes what an installed package says of every operator version, as JSON, to standard output.

    python3 specs/facts/dump.py onnx > specs/facts/onnx.json
    python3 specs/facts/dump.py onnxruntime > specs/facts/onnxruntime.json
    python3 specs/facts/dump.py onnxruntime-in-onnx > specs/facts/onnxruntime_in_onnx.json
    python3 specs/facts/dump.py onnx --digests > specs/facts/onnx_digests.json, and likewise of the others

Of onnxruntime those in domains of its own, and those in the domains of ONNX that ONNX does not register. Only facts: no
documentation. A line an operator version, sorted by domain, name and version, and attributes by name, so that two releases
can be compared line by line. `shape specs import` makes descriptors of it.

With --digests, a digest of each sentence and of each body instead, by which a later release shows what it words
otherwise; the sentences themselves are upstream's. `tests/verification/upstream` compares them.
"""

import hashlib
import json
import struct
import sys
from dataclasses import dataclass

import onnx
from onnx import defs, helper

OPTIONS = {
    defs.OpSchema.FormalParameterOption.Single: "single",
    defs.OpSchema.FormalParameterOption.Optional: "optional",
    defs.OpSchema.FormalParameterOption.Variadic: "variadic",
}


def unusual(facts, usual):
    """The facts without what is as usual: who reads them takes that for granted."""
    return {name: fact for name, fact in facts.items() if name not in usual or usual[name] != fact}


def shortest(value):
    """A 32-bit float as the shortest decimal number that is read back as it."""
    bits = struct.pack("f", value)
    texts = (f"{value:.{digits}g}" for digits in range(1, 10))
    return float(next(text for text in texts if struct.pack("f", float(text)) == bits))


def default(attribute):
    value = attribute.default_value
    if not value.type:
        return None
    found = helper.get_attribute_value(value)
    if attribute.type.name in ("STRING", "STRINGS"):
        return [text.decode() for text in found] if isinstance(found, list) else found.decode()
    if attribute.type.name in ("FLOAT", "FLOATS"):
        return [shortest(number) for number in found] if isinstance(found, list) else shortest(found)
    if attribute.type.name in ("INT", "INTS"):
        return list(found) if attribute.type.name == "INTS" else found
    sys.exit(f"the default of {attribute.name} is a {attribute.type.name}, which this script does not know how to write")


def parameter(parameter):
    usual = {"option": "single", "homogeneous": True, "min_arity": 1}
    facts = {
        "name": parameter.name,
        "type": parameter.type_str,
        "option": OPTIONS[parameter.option],
        "homogeneous": parameter.is_homogeneous,
        "min_arity": parameter.min_arity,
    }
    return unusual(facts, usual)


def operator(schema, type_sets):
    def allow(constraint):
        types = tuple(sorted(constraint.allowed_type_strs))
        return type_sets.setdefault(types, len(type_sets))

    usual = {
        "deprecated": False,
        "support_level": "COMMON",
        "has_function": False,
        "has_shape_inference": False,
        "deterministic": True,
        "other_attributes": False,
    }
    facts = {
        "domain": schema.domain or "ai.onnx",
        "name": schema.name,
        "since_version": schema.since_version,
        "deprecated": schema.deprecated,
        "support_level": schema.support_level.name,
        "has_function": schema.has_function or schema.has_context_dependent_function,
        "has_shape_inference": schema.has_type_and_shape_inference_function,
        "deterministic": schema.node_determinism != defs.OpSchema.NodeDeterminism.NonDeterministic,
        "other_attributes": getattr(schema, "other_attributes", False),
        "min_input": schema.min_input,
        "max_input": schema.max_input,
        "min_output": schema.min_output,
        "max_output": schema.max_output,
        "inputs": [parameter(input) for input in schema.inputs],
        "outputs": [parameter(output) for output in schema.outputs],
        "attributes": [
            unusual(
                {
                    "name": attribute.name,
                    "type": attribute.type.name,
                    "required": attribute.required,
                    "default": default(attribute),
                },
                {"required": False, "default": None},
            )
            for _, attribute in sorted(schema.attributes.items())
        ],
        "types": [
            {"name": constraint.type_param_str, "allow": allow(constraint)} for constraint in schema.type_constraints
        ],
    }
    return unusual(facts, usual)


def digest(content):
    return hashlib.sha256(content).hexdigest()[:8]


def parts(schema):
    """What is written for people about each part of an operator version, by the name of the part."""
    yield "description", schema.doc
    for name, attribute in sorted(schema.attributes.items()):
        yield f"attribute {name}", attribute.description
    for side, parameters in (("input", schema.inputs), ("output", schema.outputs)):
        for parameter in parameters:
            yield f"{side} {parameter.name}", parameter.description
    for constraint in schema.type_constraints:
        yield f"types of {constraint.type_param_str}", constraint.description


def digests(schema):
    """The digest of each part that has a text, without its layout, and of each body that no attribute changes."""
    found = {name: digest(" ".join(text.split()).encode()) for name, text in parts(schema) if text and text.strip()}
    if schema.has_function:
        for opset in schema.function_opset_versions:
            found[f"body in opset {opset}"] = digest(schema.get_function_with_opset_version(opset))
    return found


def lines(name, rows):
    encoded = [json.dumps(row, separators=(",", ":")) for row in rows]
    return f'"{name}":[\n' + ",\n".join(encoded) + "\n]"


@dataclass
class Parameter:
    """A parameter in onnxruntime's words, in those of onnx."""

    name: str
    type_str: str
    option: defs.OpSchema.FormalParameterOption
    is_homogeneous: bool
    description: str
    min_arity: int = 1


@dataclass
class Attribute:
    """An attribute in onnxruntime's words, in those of onnx."""

    name: str
    type: defs.OpSchema.AttrType
    required: bool
    default_value: onnx.AttributeProto
    description: str


def takes_others(schema):
    """Whether sessions take a node with an attribute that the schema does not list, which the schema itself does not tell."""
    from onnxruntime import InferenceSession

    inputs = [f"x{index}" for index in range(schema.min_input)]
    outputs = [f"y{index}" for index in range(max(schema.min_output, 1))]
    node = helper.make_node(schema.name, inputs, outputs, domain=schema.domain, not_an_attribute=1)
    values = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in inputs]
    graph = helper.make_graph([node], "one", values, [helper.make_empty_tensor_value_info(outputs[0])])
    imports = {"": 17, schema.domain: schema.since_version}
    opsets = [helper.make_opsetid(domain, version) for domain, version in imports.items()]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    try:
        InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    # Attributes are looked at before types and kernels: every other error is a later one.
    except Exception as error:
        return "Unrecognized attribute" not in str(error)
    return True


class Schema:
    """A schema in onnxruntime's words, in those of onnx. It does not tell what is a function, nor what is random."""

    has_function = has_context_dependent_function = False
    node_determinism = defs.OpSchema.NodeDeterminism.Unknown

    def __init__(self, schema):
        self.schema = schema
        self.inputs = self.parameters(schema.inputs, schema.min_input)
        self.outputs = self.parameters(schema.outputs, schema.min_output)
        self.attributes = {
            name: Attribute(
                attribute.name,
                getattr(defs.OpSchema.AttrType, attribute.type.name),
                attribute.required,
                onnx.AttributeProto.FromString(attribute._default_value),
                attribute.description,
            )
            for name, attribute in schema.attributes.items()
        }

    def __getattr__(self, name):
        return getattr(self.schema, name)

    @staticmethod
    def parameters(parameters, least):
        options = defs.OpSchema.FormalParameterOption
        made = [
            Parameter(of.name, of.typeStr, getattr(options, of.option.name), of.isHomogeneous, of.description)
            for of in parameters
        ]
        # The least number of a variadic parameter, which is the last one, is not told: it is what is left.
        if made and made[-1].option == options.Variadic:
            made[-1].min_arity = max(0, least - len(made) + 1)
        return made


def of_onnx():
    """Its schemas, and its release."""
    opsets = {row[2]: row for row in helper.VERSION_TABLE}
    release = {
        "release": onnx.__version__,
        "ir": onnx.IR_VERSION,
        "opset": defs.onnx_opset_version(),
        "ml": max(row[3] for row in opsets.values()),
    }
    return defs.get_all_schemas_with_history(), release


def of_onnxruntime(in_onnx=False):
    """The schemas in domains that ONNX does not have, or in those that it has and without its own; and the release."""
    import onnxruntime
    from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema

    known = {(schema.domain, schema.name, schema.since_version) for schema in defs.get_all_schemas_with_history()}
    domains = {domain for domain, _, _ in known}
    own = [schema for schema in get_all_operator_schema() if (schema.domain in domains) == in_onnx]
    onnxruntime.set_default_logger_severity(4)
    own = [Schema(schema) for schema in own if (schema.domain, schema.name, schema.since_version) not in known]
    taken = {(schema.domain, schema.name) for schema in own if not schema.deprecated and takes_others(schema.schema)}
    for schema in own:
        # No session has a deprecated version: it is as the one before it.
        schema.other_attributes = (schema.domain, schema.name) in taken
    return own, {"package": "onnxruntime", "release": onnxruntime.__version__}


PACKAGES = {
    "onnx": of_onnx,
    "onnxruntime": of_onnxruntime,
    "onnxruntime-in-onnx": lambda: of_onnxruntime(in_onnx=True),
}


def main():
    package, *options = sys.argv[1:] or [None]
    if package not in PACKAGES or options not in ([], ["--digests"]):
        sys.exit(f"usage: dump.py {'|'.join(PACKAGES)} [--digests]")
    schemas, release = PACKAGES[package]()
    schemas.sort(key=lambda schema: (schema.domain or "ai.onnx", schema.name, schema.since_version))
    if options:
        names = [f"{schema.domain or 'ai.onnx'}::{schema.name}-{schema.since_version}" for schema in schemas]
        rows = [json.dumps(digests(schema), separators=(",", ":")) for schema in schemas]
        encoded = [f'"{name}":{row}' for name, row in zip(names, rows)]
        print(f'{{"release":"{release["release"]}",\n"digests":{{\n' + ",\n".join(encoded) + "\n}\n}")
        return
    type_sets = {}
    operators = [operator(schema, type_sets) for schema in schemas]
    head = json.dumps({"facts_version": 1, **release}, separators=(",", ":"))[1:-1]
    print("{" + f"{head},\n" + lines("type_sets", type_sets) + ",\n" + lines("operators", operators) + "\n}")


if __name__ == "__main__":
    main()
