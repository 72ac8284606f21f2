"""An invalid model for each rule of ONNX's checker, and of what this project checks beyond it.

Each is made of a valid one by one change. It says what `shape check` must find, and where, and whether the package's
full check refuses the model too; `checker.py` holds both to it. A rule has the name of the function that breaks it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy
from onnx import TensorProto, helper, numpy_helper

FLOAT, DOUBLE, INT32, INT64, STRING, BOOL = (
    TensorProto.FLOAT,
    TensorProto.DOUBLE,
    TensorProto.INT32,
    TensorProto.INT64,
    TensorProto.STRING,
    TensorProto.BOOL,
)

# Who finds something: the package and we, we alone, or the package alone.
BOTH, OURS, THEIRS = "both", "ours", "theirs"


@dataclass(frozen=True)
class Invalid:
    """`place` is the path of the graph, and the node in it where the finding is about one: `graph#0`. What the package
    finds alone has neither code nor place, and why we do not.
    """

    rule: str
    code: str | None
    place: str | None
    found_by: str
    why: str | None
    make: Callable


INVALID, VALID = [], []


def base(make):
    """Registers a function that makes a valid model."""
    VALID.append(make)
    return make


def register(spoil, of, code, place, found_by, why=None):
    def make():
        model = of()
        spoil(model)
        return model

    assert all(each.rule != spoil.__name__ for each in INVALID), spoil.__name__
    INVALID.append(Invalid(spoil.__name__, code, place, found_by, why, make))
    return spoil


def invalid(code, place="graph", found_by=BOTH, *, of=None):
    """Registers a function that spoils a valid model, the plainest one where there is no other."""
    return lambda spoil: register(spoil, of or valid, code, place, found_by)


def theirs(why, *, of=None):
    """Registers one that makes a model which the package alone refuses."""
    return lambda spoil: register(spoil, of or valid, None, None, THEIRS, why)


def value(name, elem=FLOAT, dims=(2,)):
    return helper.make_tensor_value_info(name, elem, dims)


def model(nodes, inputs, outputs, initializers=(), functions=(), domains=()):
    """At opset 17, which came with IR version 8."""
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers))
    imports = [helper.make_opsetid("", 17), *(helper.make_opsetid(domain, 1) for domain in domains)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8, functions=list(functions))


def constant(name, values, numpy_type=numpy.float32):
    return numpy_helper.from_array(numpy.array(values, numpy_type), name)


@base
def valid():
    """`y = x + w`"""
    nodes = [helper.make_node("Add", ["x", "w"], ["y"], "add")]
    return model(nodes, [value("x")], [value("y")], [constant("w", [1, 2])])


# What lies beside the models: elements, another name of them, a link to them, and a link that leads away.
DATA, DATA_BYTES = "w.bin", 8
HARD_LINK, LINK, AWAY = "hard.bin", "link.bin", "away.bin"


def write(parent):
    """The files of the models, the valid ones by their functions and the invalid ones by their rules."""
    parent.mkdir(parents=True, exist_ok=True)
    for name in (DATA, HARD_LINK, LINK, AWAY):
        (parent / name).unlink(missing_ok=True)
    (parent / DATA).write_bytes(bytes(DATA_BYTES))
    (parent / "twice.bin").write_bytes(bytes(DATA_BYTES))
    (parent / HARD_LINK).hardlink_to(parent / "twice.bin")
    (parent / LINK).symlink_to(DATA)
    (parent / AWAY).symlink_to(Path("/etc/hostname"))
    makers = {make.__name__: make for make in VALID} | {each.rule: each.make for each in INVALID}
    paths = {}
    for name, make in makers.items():
        paths[name] = parent / f"{name}.onnx"
        paths[name].write_bytes(make().SerializeToString())
    return paths


# Each of these registers its models; they need what stands above.
from invalid_models import (  # noqa: E402
    declared,
    functions,
    graph,
    nodes,
    package_alone,
    sparse,
    subgraphs,
    tensors,
    whole,
)

__all__ = ["declared", "functions", "graph", "nodes", "package_alone", "sparse", "subgraphs", "tensors", "whole"]
