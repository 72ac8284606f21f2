from typing import Any, overload

from ._native import OpSchema

__all__ = [
    "AttributeValue",
    "get_all_schemas",
    "get_all_schemas_with_history",
    "get_schema",
    "has",
    "onnx_opset_version",
]

class AttributeValue:
    name: str
    type: int
    value: Any
    ref_attr_name: str
    f: float
    i: int
    s: bytes
    floats: list[float]
    ints: list[int]
    strings: list[bytes]
    def __init__(self, name: str, kind: int, value: object) -> None: ...

@overload
def get_schema(op_type: str, max_inclusive_version: int | None = None, domain: str = "") -> OpSchema: ...
@overload
def get_schema(op_type: str, max_inclusive_version: str) -> OpSchema: ...
@overload
def has(op_type: str, max_inclusive_version: int | None = None, domain: str = "") -> bool: ...
@overload
def has(op_type: str, max_inclusive_version: str) -> bool: ...
def get_all_schemas() -> list[OpSchema]: ...
def get_all_schemas_with_history() -> list[OpSchema]: ...
def onnx_opset_version() -> int: ...
