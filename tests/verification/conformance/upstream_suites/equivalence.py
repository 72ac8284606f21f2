"""Whether a converted model computes what the model did: as spelled, or run on the same data."""

import engines
import numpy
import onnx
from onnx import ModelProto, helper, numpy_helper
from runtime import Refused

SEED = 20260101
# The number of every symbol and unknown size.
SIZE = 3


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


def small(element, dims, chance):
    """Numbers of both signs around zero, and indices."""
    if element == bool:
        return chance.random(dims) < 0.5
    if element.kind in "iu":
        return chance.integers(0, 3, dims).astype(element)
    return (chance.random(dims) * 4 - 1).astype(element)


def large(element, dims, chance):
    """Whole numbers that a float does not hold, or next to the largest; and numbers above zero, as scales are."""
    if element.kind in "iu":
        return min(numpy.iinfo(element).max, 2**25 + 3) - small(element, dims, chance)
    return small(element, dims, chance) if element == bool else (chance.random(dims) * 2 + 0.5).astype(element)


def data(type_proto, chance, numbers):
    kind = type_proto.WhichOneof("value")
    if kind == "sequence_type":
        return numpy_helper.from_list([array(type_proto.sequence_type.elem_type, chance, numbers) for _ in range(2)])
    if kind == "optional_type":
        return data(type_proto.optional_type.elem_type, chance, numbers)
    return numpy_helper.from_array(array(type_proto, chance, numbers))


def array(type_proto, chance, numbers):
    if type_proto.WhichOneof("value") != "tensor_type":
        raise NotRun(f"no data of {type_proto.WhichOneof('value')}")
    dims = [dim.dim_value if dim.HasField("dim_value") else SIZE for dim in type_proto.tensor_type.shape.dim]
    element = helper.tensor_dtype_to_np_dtype(type_proto.tensor_type.elem_type)
    if element == object or element.kind in "SU":
        return chance.choice(numpy.array(["a", "b", "c"], dtype=object), dims)
    return numpy.asarray(numbers(element, dims, chance))


def given(model, numbers):
    """Data for the inputs of a model."""
    chance = numpy.random.default_rng(SEED)
    constant = {each.name for each in model.graph.initializer}
    inputs = [each for each in model.graph.input if each.name not in constant]
    try:
        return {each.name: data(each.type, chance, numbers) for each in inputs}
    except (KeyError, TypeError, ValueError) as error:
        raise NotRun(f"no data: {error}") from None


def runnable(model):
    """The model with something that runs for nodes of operators that only the test knows: each passes its inputs on,
    and one without outputs is left out, as it gives nothing. A model without outputs gives those of its nodes."""
    made = ModelProto.FromString(model.SerializeToString())
    functions = {(each.domain, each.name) for each in made.functions}
    kept = []
    for node in made.graph.node:
        if onnx.defs.has(node.op_type, node.domain) or (node.domain, node.op_type) in functions:
            kept.append(node)
        elif len(node.output) <= len(node.input):
            kept += [helper.make_node("Identity", [one], [other]) for one, other in zip(node.input, node.output)]
    del made.graph.node[:]
    made.graph.node.extend(kept)
    if not made.graph.output:
        made.graph.output.extend(onnx.ValueInfoProto(name=name) for node in kept for name in node.output)
    return made


def difference(before, after, numbers=small):
    """What the converted model does otherwise; None where it gives the same."""
    told = []
    feeds = given(before, numbers)
    models = list(map(runnable, (before, after)))
    for run in (engines.by_onnxruntime, engines.by_evaluator):
        results = []
        for model in models:
            try:
                results.append(run(model, feeds))
            except (engines.NoKernel, Refused) as error:
                told.append(f"{run.__name__}: {str(error)[:160]}")
                break
        else:
            same = engines.alike(list(results[0]), list(results[1]), engines.within_tolerance)
            return None if same else "it computes something else"
    raise NotRun("not run: " + "; ".join(told))


def alone(model, op_type):
    """A model of each node of an operator alone, with what the model declares of its inputs."""
    declared = {info.name: info for info in [*model.graph.input, *model.graph.value_info]}
    for node in model.graph.node:
        if node.op_type == op_type:
            made = ModelProto.FromString(model.SerializeToString())
            for field in ("node", "input", "output", "value_info"):
                made.graph.ClearField(field)
            made.graph.node.append(node)
            made.graph.input.extend(declared[name] for name in dict.fromkeys(node.input) if name in declared)
            yield made


def refused_always(model):
    """What onnxruntime has against a model, whatever the data; nothing where the model runs, or cannot be asked for."""
    told = ""
    for numbers in (small, large):
        try:
            engines.by_onnxruntime(runnable(model), given(model, numbers))
            return ""
        except (engines.NoKernel, NotRun):
            return ""
        except Refused as error:
            told = str(error)
    return told


def refused_at_run(model, op_type):
    """What onnxruntime has against a node of this operator, whatever the data: in the model, or alone where the run does
    not come as far. None where the node runs, or fails for another reason."""
    told = refused_always(model)
    for one in [told, *(refused_always(each) for each in alone(model, op_type) if told)]:
        if f"running {op_type} node" in one or f"Op ({op_type})" in one:
            return one
    return None
