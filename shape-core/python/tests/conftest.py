"""What the tests share: the models of the repository, and models that are written out by hand.

No test but those marked with `onnx` needs the onnx package: the messages are written with the few lines below.
"""

from __future__ import annotations

from pathlib import Path

import pytest

MODELS = Path(__file__).resolve().parents[3] / "tests" / "models"


def varint(number):
    """A number as protobuf writes it."""
    written = bytearray()
    while True:
        number, low = number >> 7, number & 0x7F
        written.append(low | (0x80 if number else 0))
        if not number:
            return bytes(written)


def field(number, value):
    """A field of a message: a number, or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def value_info(name, dims, element=1):
    """A `ValueInfoProto` of a tensor; dimensions are numbers or names, None stands for an unknown rank."""
    shape = b""
    if dims is not None:
        shape = field(2, b"".join(field(1, field(1 if isinstance(dim, int) else 2, dim)) for dim in dims))
    return field(1, name) + field(2, field(1, field(1, element) + shape))


def node(op_type, inputs, outputs, domain="", **attributes):
    """A `NodeProto`; attributes are ints, texts, or lists of ints."""
    message = b"".join(field(1, name) for name in inputs) + b"".join(field(2, name) for name in outputs)
    message += field(4, op_type) + (field(7, domain) if domain else b"")
    for name, value in attributes.items():
        if isinstance(value, int):
            value = field(3, value) + field(20, 2)
        elif isinstance(value, str):
            value = field(4, value) + field(20, 3)
        else:
            value = b"".join(field(8, number) for number in value) + field(20, 7)
        message += field(5, field(1, name) + value)
    return message


def model(nodes, inputs, outputs, opset=21, domains=()):
    """The bytes of a `ModelProto`."""
    graph = b"".join(field(1, each) for each in nodes) + field(2, "graph")
    graph += b"".join(field(11, each) for each in inputs) + b"".join(field(12, each) for each in outputs)
    imports = field(8, field(2, opset)) + b"".join(field(8, field(1, domain) + field(2, 1)) for domain in domains)
    return field(1, 10) + field(7, graph) + imports


@pytest.fixture
def attention():
    """A model of 41 nodes with the symbols `batch` and `seq`."""
    return MODELS / "attention.onnx"


@pytest.fixture
def relu():
    """y = Relu(x), whose output declares no dimensions."""
    return model([node("Relu", ["x"], ["y"])], [value_info("x", ["N", 3])], [value_info("y", None)])


@pytest.fixture
def wrong():
    """Two mistakes: an attribute that Relu does not have, and a value that nothing gives."""
    nodes = [node("Relu", ["x"], ["y"], alpha=1), node("Add", ["y", "gone"], ["z"])]
    return model(nodes, [value_info("x", [2])], [value_info("z", None)])
