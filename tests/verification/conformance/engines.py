"""Runs of a model before and after it was changed, and whether the results are the same.

onnxruntime runs a model, optimizations off, and where it has no kernel, the evaluator of the onnx package.
"""

import contextlib
import ctypes
import io
import warnings
from math import prod

import numpy
import onnx
import onnxruntime
from onnx import ModelProto, SequenceProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from runtime import BITS, NEWEST_IR, NEWEST_OPSET, Refused, session

DEFAULT = ("", "ai.onnx")
# How onnxruntime says that it knows the operator, and has no kernel for it.
NO_KERNEL = ("NOT_IMPLEMENTED", "Could not find an implementation", "is not a registered function/op")
# As the package's own backend tests have it.
RELATIVE, ABSOLUTE = 1e-3, 1e-7


class NoKernel(Exception):
    """The engine cannot run the model, which says nothing of the model."""


def opset(model):
    """The opset of ai.onnx; None for a model that imports none."""
    return max((each.version for each in model.opset_import if each.domain in DEFAULT), default=None)


def nodes(graph):
    """The nodes of a graph, or of a function, and of the graphs in its nodes."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs):
                yield from nodes(inner)


def every_node(model):
    yield from nodes(model.graph)
    for function in model.functions:
        yield from nodes(function)


def since(op_type, at):
    """The opset from which on the operator is what it is at this one; None where there is none."""
    try:
        return onnx.defs.get_schema(op_type, at, "").since_version
    except onnx.defs.SchemaError:
        return None


def versions(model):
    """The operators of ai.onnx in the model, each with its version."""
    at = opset(model)
    types = {node.op_type for node in every_node(model) if node.domain in DEFAULT}
    return {op_type: since(op_type, at) for op_type in sorted(types)} if at is not None else {}


def within_reach(model):
    """The model at an opset and an IR version that onnxruntime takes, if all its operators are there what they are."""
    at = opset(model)
    moved = ModelProto()
    moved.CopyFrom(model)
    if at is not None and at > NEWEST_OPSET:
        if any(version != since(op_type, NEWEST_OPSET) for op_type, version in versions(model).items()):
            raise NoKernel(f"opset {at}")
        for each in moved.opset_import:
            if each.domain in DEFAULT:
                each.version = NEWEST_OPSET
    moved.ir_version = min(moved.ir_version, NEWEST_IR)
    return moved


def elements(value):
    """The element types of a message of data."""
    if isinstance(value, TensorProto):
        return {value.data_type}
    if isinstance(value, SequenceProto):
        return {each.data_type for each in value.tensor_values}
    return set()


def python(value):
    """A value as numpy has it: an array, a list of them, or None for an optional without one."""
    if isinstance(value, TensorProto):
        return numpy_helper.to_array(value)
    if isinstance(value, SequenceProto):
        return numpy_helper.to_list(value)
    return numpy_helper.to_optional(value)


def of_onnxruntime(value):
    """A result that may be of a type that onnxruntime does not make an array of."""
    if not value.is_tensor():
        return value.numpy() if value.has_value() else None
    elem, dims = value.element_type(), tuple(value.shape())
    if elem not in BITS:
        return value.numpy()
    kind = helper.tensor_dtype_to_np_dtype(elem)
    content = ctypes.string_at(value.data_ptr(), prod(dims) * kind.itemsize) if prod(dims) else b""
    return numpy.frombuffer(content, kind).reshape(dims)


def crossing(model, given):
    """The element types of the declared inputs and outputs, and of the data."""
    declared = {info.type.tensor_type.elem_type for info in (*model.graph.input, *model.graph.output)}
    return declared.union(*map(elements, given.values()))


def by_onnxruntime(model, given):
    """The outputs for the given inputs, by name. `NoKernel` where it cannot say, `Refused` where it takes model or data
    for wrong."""
    model = within_reach(model)
    types = crossing(model, given)
    if max(types, default=0) > max(BITS):
        raise NoKernel("data that the Python interface of onnxruntime does not take")
    try:
        loaded = session(model.SerializeToString())
        if not types & BITS.keys():
            return loaded.run(None, {name: python(value) for name, value in given.items()})
        make = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type
        values = {}
        for name, value in given.items():
            if not isinstance(value, TensorProto):
                raise NoKernel("a sequence of a type that numpy does not have")
            array, elem = python(value), value.data_type
            values[name] = make(array.view(BITS[elem]) if elem in BITS else array, elem)
        return [of_onnxruntime(value) for value in loaded.run_with_ort_values(None, values)]
    except NoKernel:
        raise
    except Exception as error:
        told = str(error).strip()
        if any(words in told for words in NO_KERNEL):
            raise NoKernel(told) from None
        raise Refused(told) from None


def by_evaluator(model, given):
    """What the evaluator of the package gives; `NoKernel` where it fails, whatever the reason."""
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            return ReferenceEvaluator(model).run(None, {name: python(value) for name, value in given.items()})
    except Exception as error:
        raise NoKernel(f"{type(error).__name__}: {error}") from None


def alike(left, right, compare):
    """Whether two values are of one kind, of one element type and of the same dimensions, and their elements as
    `compare` asks for."""
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(alike(*pair, compare) for pair in zip(left, right, strict=True))
    if left is None or right is None:
        return left is right
    left, right = numpy.asarray(left), numpy.asarray(right)
    texts = [each.dtype.kind in "OUST" for each in (left, right)]
    if left.shape != right.shape or texts[0] != texts[1]:
        return False
    if texts[0]:
        return compare is of_a_kind or left.tolist() == right.tolist()
    return left.dtype == right.dtype and bool(compare(left, right))


def floats(array):
    # Of the types that numpy does not have, its kind is V.
    return array.dtype.kind in "fcV"


def to_the_bit(left, right):
    """All NaN are one."""
    if floats(left):
        # A comparison with itself is what the types have that numpy does not know.
        numbers = left == left
        if not numpy.array_equal(numbers, right == right):
            return False
        left, right = left[numbers], right[numbers]
    return left.tobytes() == right.tobytes()


def within_tolerance(left, right):
    if not floats(left):
        return numpy.array_equal(left, right)
    if left.dtype.kind == "V":
        left, right = left.astype(numpy.float32), right.astype(numpy.float32)
    with numpy.errstate(all="ignore"):
        return numpy.allclose(left, right, RELATIVE, ABSOLUTE, equal_nan=True)


def of_a_kind(left, right):
    """For what is random: the type and the dimensions have been compared."""
    return True
