"""A model as plain data, and its file."""

import dataclasses
import struct
from dataclasses import dataclass

import onnx
from onnx import AttributeProto, ModelProto, TensorProto, ValueInfoProto

OPTIONAL, SEQUENCE, SPARSE, TENSOR = "optional_type", "sequence_type", "sparse_tensor_type", "tensor_type"
RAW, TYPED, EXTERNAL = "raw_data", "a typed field", "a file"
# How `struct` packs an element of the few types that initializers have here.
FORMATS = {TensorProto.FLOAT: "f", TensorProto.INT32: "i", TensorProto.INT64: "q"}


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
class Initializer:
    elem: int
    dims: tuple
    elements: tuple
    encoding: str = RAW


@dataclass(frozen=True)
class Node:
    op_type: str
    inputs: tuple
    outputs: tuple
    attributes: tuple = ()
    name: str = ""
    domain: str = ""


@dataclass(frozen=True)
class Sample:
    """`x` is a graph input, `y` the graph's output, and the last node the one that the sample is about.

    `others` are graph inputs beside `x` and `initializers` the constants, each a pair of name and what it is; `before`
    are the nodes before the last.
    """

    opset: int
    ir: int
    import_domain: str
    x: Declaration
    y: Declaration | None
    node: Node
    others: tuple = ()
    initializers: tuple = ()
    before: tuple = ()

    @property
    def nodes(self):
        return (*self.before, self.node)

    @property
    def graph_inputs(self):
        return (("x", self.x), *self.others)


def change(sample, **fields):
    """The sample with other fields; those that it does not have are its last node's."""
    own = {field.name for field in dataclasses.fields(Sample)}
    node = {name: value for name, value in fields.items() if name not in own}
    fields = {name: value for name, value in fields.items() if name in own}
    return dataclasses.replace(sample, node=dataclasses.replace(sample.node, **node), **fields)


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


def content(given):
    """The elements as they lie in a file."""
    return struct.pack(f"<{len(given.elements)}{FORMATS[given.elem]}", *given.elements)


def initializer(name, given):
    proto = TensorProto(name=name, data_type=given.elem, dims=given.dims)
    if given.encoding == RAW:
        proto.raw_data = content(given)
    elif given.encoding == EXTERNAL:
        proto.data_location = TensorProto.EXTERNAL
        for key, value in (("location", f"{name}.bin"), ("offset", "0"), ("length", str(len(content(given))))):
            proto.external_data.add(key=key, value=value)
    else:
        field = {TensorProto.FLOAT: "float_data", TensorProto.INT32: "int32_data", TensorProto.INT64: "int64_data"}
        getattr(proto, field[given.elem]).extend(given.elements)
    return proto


def model(sample):
    proto = ModelProto(ir_version=sample.ir)
    proto.opset_import.add(domain=sample.import_domain, version=sample.opset)
    graph = proto.graph
    graph.name = "random"
    for each in sample.nodes:
        node = graph.node.add(op_type=each.op_type, name=each.name, domain=each.domain)
        node.input.extend(each.inputs)
        node.output.extend(each.outputs)
        node.attribute.extend(map(attribute, each.attributes))
    graph.input.extend(declare(*each) for each in sample.graph_inputs)
    graph.initializer.extend(initializer(*each) for each in sample.initializers)
    graph.output.append(declare("y", sample.y))
    return proto


def write(sample, folder):
    """Writes the model and its external data, and gives the model's path."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, given in sample.initializers:
        if given.encoding == EXTERNAL:
            (folder / f"{name}.bin").write_bytes(content(given))
    path = folder / "model.onnx"
    path.write_bytes(model(sample).SerializeToString())
    return path


def show(sample):
    """The model as text, for a report."""
    return onnx.printer.to_text(model(sample)) + f"\n{sample}"
