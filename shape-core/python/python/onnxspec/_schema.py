"""The versions of operators, with the functions of ``onnx.defs``."""

from __future__ import annotations

from ._errors import SchemaError
from ._native import all_schemas, newest_opset, schemas

__all__ = [
    "AttributeValue",
    "get_all_schemas",
    "get_all_schemas_with_history",
    "get_schema",
    "has",
    "onnx_opset_version",
]

#: The field of an ``AttributeProto`` for each kind of value that a default may have.
_FIELDS = {1: "f", 2: "i", 3: "s", 6: "floats", 7: "ints", 8: "strings"}


class AttributeValue:
    """An attribute with the fields of an ``AttributeProto``, so that ``onnx.helper.get_attribute_value`` reads it.

    ``value`` is the value itself, None if there is none; ``type`` is 0 then.
    """

    __slots__ = ("f", "floats", "i", "ints", "name", "ref_attr_name", "s", "strings", "type", "value")

    def __init__(self, name, kind, value):
        self.name, self.type, self.value, self.ref_attr_name = name, kind, value, ""
        self.f, self.i, self.s, self.floats, self.ints, self.strings = 0.0, 0, b"", [], [], []
        if kind in _FIELDS:
            setattr(self, _FIELDS[kind], value)

    def __repr__(self):
        return f"<AttributeValue {self.name} = {self.value!r}>"


def _arguments(version, domain):
    """The version and the domain; as in the onnx package, the domain may stand in the place of the version."""
    return (None, version) if isinstance(version, str) else (version, domain)


def _find(op_type, version, domain):
    version, domain = _arguments(version, domain)
    of_all = schemas(op_type, domain)
    found = [schema for schema in of_all if version is None or schema.since_version <= version]
    return of_all, found[-1] if found else None, version, domain


def get_schema(op_type, max_inclusive_version=None, domain=""):
    """Give the version of an operator that is in force at an opset, as ``onnx.defs.get_schema`` does.

    Args:
        op_type: The name of the operator.
        max_inclusive_version: The opset; without one, the newest version counts. The domain may stand here.
        domain: The domain; empty for ONNX's own.

    Raises:
        SchemaError: There is no such operator, it is newer than the opset, or the opset is newer than the newest known one,
            so that nobody knows what it has.
    """
    of_all, found, version, domain = _find(op_type, max_inclusive_version, domain)
    name = f"{domain}::{op_type}" if domain else op_type
    newest = newest_opset(domain)
    if not of_all:
        raise SchemaError(f"there is no operator `{name}`", "operator-unknown")
    if version is not None and newest is not None and version > newest:
        raise SchemaError(f"opset {version} is unknown; the newest known one is {newest}", "opset-too-new")
    if found is None:
        first = of_all[0].since_version
        raise SchemaError(f"`{name}` is not in opset {version}; it came with opset {first}", "operator-too-new")
    return found


def has(op_type, max_inclusive_version=None, domain=""):
    """Tell whether there is an operator, as ``onnx.defs.has`` does.

    Args:
        op_type: The name of the operator.
        max_inclusive_version: The opset that must have it; without one, any does. The domain may stand here.
        domain: The domain; empty for ONNX's own.
    """
    _, found, version, domain = _find(op_type, max_inclusive_version, domain)
    newest = newest_opset(domain)
    return found is not None and (version is None or newest is None or version <= newest)


def get_all_schemas():
    """Give the newest version of each operator, as ``onnx.defs.get_all_schemas`` does.

    Those that onnxruntime adds are among them, in ``com.microsoft`` and in domains of its own.
    """
    return list({(schema.domain, schema.name): schema for schema in all_schemas()}.values())


def get_all_schemas_with_history():
    """Give all versions of all operators, as ``onnx.defs.get_all_schemas_with_history`` does.

    Those that onnxruntime adds are among them, in ``com.microsoft`` and in domains of its own.
    """
    return all_schemas()


def onnx_opset_version():
    """Give the newest known opset of ``ai.onnx``, as ``onnx.defs.onnx_opset_version`` does."""
    return newest_opset("")
