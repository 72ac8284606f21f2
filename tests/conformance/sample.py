"""A model of one Shape node as plain data, and its file."""

from dataclasses import dataclass

import onnx
from onnx import AttributeProto, ModelProto, ValueInfoProto

OPTIONAL, SEQUENCE, SPARSE, TENSOR = "optional_type", "sequence_type", "sparse_tensor_type", "tensor_type"


@dataclass(frozen=True)
class Attribute:
    """`kind` is a name of the attribute kinds, "" for none; the field that is set follows the type of `value`."""

    name: str
    kind: str
    value: int | float | bytes | tuple | None


@dataclass(frozen=True)
class Declaration:
    """What a model says of a value. A dimension is a number, a name, or None; `dims` is None for an unknown rank."""

    elem: int
    dims: tuple | None
    container: str = TENSOR


@dataclass(frozen=True)
class Sample:
    """The input is always `x`, the graph's output always `y`; the node may have other ideas."""

    opset: int
    ir: int
    import_domain: str
    node_domain: str
    node_name: str
    x: Declaration
    y: Declaration | None
    inputs: tuple
    outputs: tuple
    attributes: tuple


def declare(name, declaration):
    info = ValueInfoProto(name=name)
    if declaration is None:
        return info
    ty = info.type
    if declaration.container in (OPTIONAL, SEQUENCE):
        ty = getattr(ty, declaration.container).elem_type
    tensor = ty.sparse_tensor_type if declaration.container == SPARSE else ty.tensor_type
    tensor.elem_type = declaration.elem
    if declaration.dims is not None:
        tensor.shape.SetInParent()
        for dim in declaration.dims:
            entry = tensor.shape.dim.add()
            if isinstance(dim, int):
                entry.dim_value = dim
            elif isinstance(dim, str):
                entry.dim_param = dim
    return info


def attribute(given):
    proto = AttributeProto(name=given.name)
    if given.kind:
        proto.type = AttributeProto.AttributeType.Value(given.kind)
    match given.value:
        case int():
            proto.i = given.value
        case float():
            proto.f = given.value
        case bytes():
            proto.s = given.value
        case tuple():
            proto.ints.extend(given.value)
    return proto


def model(sample):
    proto = ModelProto(ir_version=sample.ir)
    proto.opset_import.add(domain=sample.import_domain, version=sample.opset)
    graph = proto.graph
    graph.name = "random"
    node = graph.node.add(op_type="Shape", name=sample.node_name, domain=sample.node_domain)
    node.input.extend(sample.inputs)
    node.output.extend(sample.outputs)
    node.attribute.extend(map(attribute, sample.attributes))
    graph.input.append(declare("x", sample.x))
    graph.output.append(declare("y", sample.y))
    return proto


def show(sample):
    """The model as text, for a report."""
    return onnx.printer.to_text(model(sample)) + f"\n{sample}"
