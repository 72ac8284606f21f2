"""ONNX models checked, inferred and converted by exact operator specifications.

``open`` gives a model with everything that is known about it; ``infer_shapes``, ``check_model``, ``convert_version`` and
the others take the place of the functions of the onnx package and of onnxruntime with the same names.
"""

from ._dropins import SymbolicShapeInference, check_model, convert_version, infer_shapes, infer_shapes_path, simplify
from ._errors import (
    ConvertError,
    Error,
    InferenceError,
    ModelError,
    NameUnknownError,
    SchemaError,
    SimplifyError,
    SpecsError,
    ValidationError,
)
from ._model import Model, open
from ._native import Dim, Finding, Input, Lack, Node, OpSchema, Place, Support, Value
from ._rows import Findings, Nodes, Values, Why
from ._rule import forget_rule, rule
from ._schema import get_all_schemas, get_all_schemas_with_history, get_schema, has, onnx_opset_version

__all__ = [
    "ConvertError",
    "Dim",
    "Error",
    "Finding",
    "Findings",
    "InferenceError",
    "Input",
    "Lack",
    "Model",
    "ModelError",
    "NameUnknownError",
    "Node",
    "Nodes",
    "OpSchema",
    "Place",
    "SchemaError",
    "SimplifyError",
    "SpecsError",
    "Support",
    "SymbolicShapeInference",
    "ValidationError",
    "Value",
    "Values",
    "Why",
    "check_model",
    "convert_version",
    "forget_rule",
    "get_all_schemas",
    "get_all_schemas_with_history",
    "get_schema",
    "has",
    "infer_shapes",
    "infer_shapes_path",
    "onnx_opset_version",
    "open",
    "rule",
    "simplify",
]
