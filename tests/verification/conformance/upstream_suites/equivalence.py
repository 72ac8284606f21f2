"""Whether a converted model computes what the model did: as spelled, or run on the same data."""

import warnings

import numpy
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

SEED = 20260101
# The number of every symbol and unknown size.
SIZE = 3
onnxruntime.set_default_logger_severity(4)


class NotRun(Exception):
    """Nothing runs both models; its text says why."""


def spelled(model):
    """Nodes, constants and imports, with values named after the node that gives them."""
    names = {}

    def name(value):
        return value and names.setdefault(value, f"value {len(names)}")

    def attribute(each):
        if each.type in (onnx.AttributeProto.GRAPH, onnx.AttributeProto.GRAPHS):
            return each.name, [graph(body) for body in [each.g, *each.graphs]]
        return each.name, helper.get_attribute_value(each) if each.type != onnx.AttributeProto.UNDEFINED else None

    def plain(pair):
        key, value = pair
        return key, value.SerializeToString() if hasattr(value, "SerializeToString") else repr(value)

    def graph(each):
        constants = [(name(one.name), numpy_helper.to_array(one).tobytes()) for one in each.initializer]
        inputs = [name(info.name) for info in each.input]
        nodes = [
            (
                node.op_type,
                node.domain,
                [name(value) for value in node.input],
                [name(value) for value in node.output],
                sorted(plain(attribute(one)) for one in node.attribute),
            )
            for node in each.node
        ]
        return constants, inputs, nodes, [name(info.name) for info in each.output]

    imports = sorted((each.domain, each.version) for each in model.opset_import)
    return imports, graph(model.graph)


def data(type_proto, chance):
    kind = type_proto.WhichOneof("value")
    if kind == "sequence_type":
        return [data(type_proto.sequence_type.elem_type, chance) for _ in range(2)]
    if kind == "optional_type":
        return data(type_proto.optional_type.elem_type, chance)
    if kind != "tensor_type":
        raise ValueError(f"no data of {kind}")
    dims = [dim.dim_value if dim.HasField("dim_value") else SIZE for dim in type_proto.tensor_type.shape.dim]
    element = helper.tensor_dtype_to_np_dtype(type_proto.tensor_type.elem_type)
    if element == object or element.kind in "SU":
        return chance.choice(numpy.array(["a", "b", "c"], dtype=object), dims)
    if element == bool:
        return chance.random(dims) < 0.5
    if element.kind in "iu":
        return chance.integers(0, 3, dims).astype(element)
    return (chance.random(dims) * 4 - 1).astype(element)


def by_onnxruntime(model, feeds):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"]).run(
        None, feeds
    )


def by_package(model, feeds):
    return ReferenceEvaluator(model).run(None, feeds)


def equal(one, other):
    if isinstance(one, list) or isinstance(other, list):
        both = isinstance(one, list) and isinstance(other, list)
        return both and len(one) == len(other) and all(map(equal, one, other))
    if one is None or other is None:
        return one is other
    one, other = numpy.asarray(one), numpy.asarray(other)
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    if one.dtype.kind in "OSUb":
        return bool((one == other).all())
    return numpy.allclose(one.astype(numpy.complex128), other.astype(numpy.complex128), 1e-3, 1e-5, equal_nan=True)


def difference(before, after):
    """What the converted model does otherwise; None where it gives the same."""
    constant = {each.name for each in before.graph.initializer}
    inputs = [info for info in before.graph.input if info.name not in constant]
    chance = numpy.random.default_rng(SEED)
    told = []
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            feeds = {info.name: data(info.type, chance) for info in inputs}
        except Exception as error:
            raise NotRun(f"not run: {error}") from None
        for run in (by_onnxruntime, by_package):
            results = []
            for model in (before, after):
                try:
                    results.append(run(model, feeds))
                except Exception as error:
                    told.append(f"{run.__name__}: {type(error).__name__}: {str(error).strip()[:160]}")
                    break
            else:
                same = len(results[0]) == len(results[1]) and all(map(equal, *results))
                return None if same else "it computes something else"
    raise NotRun("not run: " + "; ".join(told))
