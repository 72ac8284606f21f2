"""What the onnx package makes of a model.

Its inference engine is what this project is compared with. It leaves attributes to its checker, which is asked about
those beside it. Its evaluator is not asked: it counts a negative axis from the end twice.
"""

from dataclasses import dataclass

import sample as samples
from onnx import checker, shape_inference
from schema import version

# The first opset with ConstantOfShape, which turns the elements that were propagated into dimensions.
OBSERVABLE = 9
UNOBSERVED = "not observable"


@dataclass(frozen=True)
class Upstream:
    """`refused` is the message of the inference engine, `checked` that of the checker on the node's attributes; None
    where they are content.

    `elements` are None for an unknown number of them.
    """

    refused: str | None
    checked: str | None
    type: int | None
    dims: tuple | None
    elements: tuple | str | None


def dims(info, names):
    """The dimensions of a value: a number, one of the model's own names, or None; None for an unknown rank.

    Where a dimension is unknown, the engine makes up a name, or keeps an empty one.
    """
    tensor = info.type.tensor_type
    if not tensor.HasField("shape"):
        return None
    return tuple(
        dim.dim_value
        if dim.HasField("dim_value")
        else dim.dim_param
        if dim.HasField("dim_param") and dim.dim_param in names
        else None
        for dim in tensor.shape.dim
    )


def names_of(sample):
    declared = [declaration for _, declaration in (*sample.graph_inputs, ("y", sample.y)) if declaration is not None]
    return {dim for each in declared for dim in each.dims or () if isinstance(dim, str) and dim}


def infer(model):
    return shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)


def check(sample):
    # The checker tells the first mistake only, so that the node has none outside of its attributes.
    inputs = ("x", "t")[: len(version(sample.node.op_type, sample.opset).inputs)]
    node = samples.model(samples.change(sample, domain="", inputs=inputs, outputs=("y",))).graph.node[-1]
    context = checker.C.CheckerContext()
    context.ir_version = sample.ir
    # The checker knows the domain by its empty name only, and versions of 32 bits.
    context.opset_imports = {"": min(sample.opset, 2**31 - 1)}
    try:
        checker.check_node(node, context)
    except Exception as error:
        return str(error).strip()
    return None


def elements(sample, model, names):
    """The elements that the engine propagates. Only a second node shows them, which is there for nothing else."""
    if sample.opset < OBSERVABLE or sample.node.op_type != "Shape":
        return UNOBSERVED
    model.graph.node.add(op_type="ConstantOfShape", input=["y"], output=["z"])
    model.graph.output.add(name="z")
    try:
        return dims(infer(model).graph.output[-1], names)
    except Exception as error:
        return f"refused: {error}"


def upstream(sample):
    model = samples.model(sample)
    checked = check(sample)
    names = names_of(sample)
    try:
        (y,) = infer(model).graph.output
    except Exception as error:
        return Upstream(str(error).strip(), checked, None, None, None)
    return Upstream(None, checked, y.type.tensor_type.elem_type or None, dims(y, names), elements(sample, model, names))
