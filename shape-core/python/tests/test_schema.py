"""The versions of operators, compared with those of the onnx package."""

from __future__ import annotations

import pytest

import onnxspec

onnx = pytest.importorskip("onnx", reason="the schemas are compared with those of the onnx package")

COMPARED = [
    "name",
    "domain",
    "since_version",
    "deprecated",
    "min_input",
    "max_input",
    "min_output",
    "max_output",
]
KNOWN = onnx.defs.get_all_schemas_with_history()


def parameters(schema, side):
    return [
        (each.name, each.type_str, set(each.types), int(each.option), each.is_homogeneous, each.min_arity)
        for each in getattr(schema, side)
    ]


def attributes(schema):
    return {name: (int(each.type), each.required) for name, each in schema.attributes.items()}


def constraints(schema):
    return {each.type_param_str: set(each.allowed_type_strs) for each in schema.type_constraints}


def value(attribute):
    """The default as a plain value; None where there is none."""
    default = attribute.default_value
    return onnx.helper.get_attribute_value(default) if default.type else None


def ids(schema):
    return f"{schema.domain}::{schema.name}-{schema.since_version}"


def test_each_version_of_the_package_is_there():
    ours = {(each.domain, each.name, each.since_version): each for each in onnxspec.get_all_schemas_with_history()}
    compared = 0
    # Descriptors leave out what only the first opsets tolerated, and say where they correct the package.
    differences = []
    for theirs in KNOWN:
        mine = ours.get((theirs.domain, theirs.name, theirs.since_version))
        if theirs.support_level != onnx.defs.OpSchema.SupportType.COMMON and mine is None:
            continue
        assert mine is not None, ids(theirs)
        for name in COMPARED:
            if getattr(mine, name) != getattr(theirs, name):
                differences.append((ids(theirs), name, getattr(mine, name), getattr(theirs, name)))
        for part in (lambda each: parameters(each, "inputs"), lambda each: parameters(each, "outputs"), constraints, attributes):
            if part(mine) != part(theirs):
                differences.append((ids(theirs), part(mine), part(theirs)))
        compared += 1
    assert compared > 600
    print(*differences[:40], sep="\n")
    assert len(differences) == 0


def test_defaults_are_read_as_those_of_the_package():
    mine, theirs = onnxspec.get_schema("Conv", 22), onnx.defs.get_schema("Conv", 22)
    assert {name: value(each) for name, each in mine.attributes.items()} == {
        name: value(each) for name, each in theirs.attributes.items()
    }
    selu = onnxspec.get_schema("Selu").attributes["alpha"]
    assert selu.default_value.value == pytest.approx(1.67326, abs=1e-5)
    assert selu.default_value.f == selu.default_value.value


@pytest.mark.parametrize("version", [1, 6, 12, 13, 14, 20])
def test_the_version_in_force(version):
    assert onnxspec.get_schema("Relu", version).since_version == onnx.defs.get_schema("Relu", version).since_version
    assert onnxspec.has("Shape", version) == onnx.defs.has("Shape", version)
    assert onnxspec.has("Gelu", version) == onnx.defs.has("Gelu", version)


def test_arguments_are_those_of_the_package():
    ml = "ai.onnx.ml"
    assert onnxspec.get_schema("Scaler", ml) == onnxspec.get_schema("Scaler", 3, ml)
    assert onnxspec.has("Scaler", ml) and not onnxspec.has("Scaler")
    assert onnxspec.has("Scaler", domain=ml) and onnxspec.has("Scaler", 1, ml)
    assert onnxspec.get_schema("Gelu", 1, "com.microsoft").domain == "com.microsoft"
    assert onnxspec.onnx_opset_version() >= 28
    newest = {(each.domain, each.name): each.since_version for each in onnxspec.get_all_schemas()}
    assert newest["", "Relu"] == 14 and newest["com.microsoft", "Gelu"] == 1


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(("Relo",), "operator-unknown"), (("Gelu", 19), "operator-too-new"), (("Relu", 999), "opset-too-new")],
)
def test_what_there_is_not(arguments, code):
    with pytest.raises(onnxspec.SchemaError) as raised:
        onnxspec.get_schema(*arguments)
    assert raised.value.code == code and isinstance(raised.value, onnx.defs.SchemaError)
    assert not onnxspec.has(*arguments)


def test_options_are_told_apart():
    option = onnxspec.OpSchema.FormalParameterOption
    concat, clip = onnxspec.get_schema("Concat"), onnxspec.get_schema("Clip")
    assert [each.option for each in (*concat.inputs, *clip.inputs)] == [
        option.Variadic,
        option.Single,
        option.Optional,
        option.Optional,
    ]
    assert onnxspec.get_schema("Relu").attributes == {}
    assert concat.attributes["axis"].required and concat.attributes["axis"].type == onnxspec.OpSchema.AttrType.INT
