"""What type checkers make of the calls that people write; mypy and pyright check this file, and nothing runs it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from typing_extensions import assert_type

import onnxspec


class Message:
    """As `onnx.ModelProto` is one."""

    def SerializeToString(self) -> bytes:
        return b""


def a_result_is_of_the_kind_of_the_model(message: Message, path: Path) -> None:
    assert_type(onnxspec.infer_shapes(message), Message)
    assert_type(onnxspec.infer_shapes(b"", strict_mode=True), bytes)
    assert_type(onnxspec.infer_shapes(path, specs=[path]), bytes)
    assert_type(onnxspec.convert_version(message, 21), Message)
    assert_type(onnxspec.convert_version("model.onnx", 21), bytes)
    assert_type(onnxspec.SymbolicShapeInference.infer_shapes(message, auto_merge=True), Message)
    assert_type(onnxspec.simplify(message), "tuple[Message, bool]")
    onnxspec.check_model(message, full_check=True)
    onnxspec.infer_shapes_path(path, "out.onnx")


def values(model: onnxspec.Model) -> None:
    assert_type(model.values, onnxspec.Values)
    assert_type(model.values["y"], onnxspec.Value)
    assert_type(model.values[0], onnxspec.Value)
    assert_type(model.values[:2], onnxspec.Values)
    assert_type([value.name for value in model.set(batch=4).values], "list[str]")
    assert_type(model.values["y"].dims, "tuple[int | str | None, ...] | None")
    assert_type(model.findings["attribute-unknown"], onnxspec.Findings)
    assert_type(model.findings[0].help, "str | None")
    assert_type(model.nodes[0].since_version, "int | None")
    assert_type(model.support("onnxruntime-cpu").lacks, "tuple[onnxspec.Lack, ...]")
    assert_type(onnxspec.open("model.onnx", runtime="onnxruntime@1.23.0"), onnxspec.Model)
    assert_type(model.values.columns(), "dict[str, list[Any]]")


def schemas() -> None:
    schema = onnxspec.get_schema("Relu", 14)
    assert_type(schema.since_version, int)
    assert_type(schema.inputs[0].types, "frozenset[str]")
    assert_type(onnxspec.has("Relu", "ai.onnx.ml"), bool)


@onnxspec.rule("com.acme::Copies")
def copies(data: onnxspec.Input, *, count: int = 2) -> list[int | onnxspec.Dim | None]:
    first = data.dims[0] if data.dims else None
    return [count, None if first is None else first * 2 + 1]


def a_rule_is_still_a_function(data: onnxspec.Input) -> None:
    assert_type(copies(data, count=1), "list[int | onnxspec.Dim | None]")
