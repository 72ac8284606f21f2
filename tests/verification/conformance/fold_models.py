"""Random models that compute shapes as exporters write them: Shape, Gather, Slice, Concat and arithmetic around Reshape,
Expand and their like, some of it inside of an If.

Each node is made so that it runs for one choice of the numbers behind the symbols, which is kept with the model.
"""

import random
from dataclasses import dataclass

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

SYMBOLS = ["batch", "seq", "width"]
OPSETS = [13, 17, 18, 21, 23]


@dataclass
class Made:
    """A model, and the numbers that its symbols stand for."""

    model: onnx.ModelProto
    sizes: dict


class Builder:
    """Nodes, and for each value what it will be: the dimensions of data, the elements of sizes."""

    def __init__(self, random, opset):
        self.random, self.opset = random, opset
        self.nodes, self.initializers, self.count = [], [], 0
        self.data, self.sizes = {}, {}

    def name(self, kind):
        self.count += 1
        return f"{kind}_{self.count}"

    def node(self, op_type, inputs, **attributes):
        output = self.name(op_type)
        self.nodes.append(helper.make_node(op_type, inputs, [output], output + "_node", **attributes))
        return output

    def constant(self, values, kind="constant"):
        name = self.name(kind)
        self.initializers.append(numpy_helper.from_array(numpy.array(values, dtype=numpy.int64), name))
        return name

    def some_data(self):
        return self.random.choice(sorted(self.data))

    def vector(self):
        """A vector of sizes, made on the spot if there is none."""
        vectors = [name for name, value in self.sizes.items() if value.ndim == 1 and value.size]
        return self.random.choice(vectors) if vectors and self.random.random() < 0.8 else self.shape()

    def shape(self):
        data = self.some_data()
        dims = numpy.array(self.data[data], dtype=numpy.int64)
        if self.opset >= 15 and self.random.random() < 0.4 and dims.size:
            start = self.random.randrange(-dims.size, dims.size)
            output = self.node("Shape", [data], start=start)
            dims = dims[start:]
        else:
            output = self.node("Shape", [data])
        self.sizes[output] = dims
        return output if dims.size else self.one(output)

    def one(self, _):
        output = self.constant([1])
        self.sizes[output] = numpy.array([1])
        return output

    def gather(self):
        vector = self.vector()
        value = self.sizes[vector]
        index = self.random.randrange(-value.size, value.size)
        scalar = self.random.random() < 0.5
        output = self.node("Gather", [vector, self.constant(index if scalar else [index])], axis=0)
        self.sizes[output] = value[index] if scalar else value[[index]]
        if not scalar:
            return output
        unsqueezed = self.node("Unsqueeze", [output, self.constant([0])])
        self.sizes[output] = numpy.array(value[index])
        self.sizes[unsqueezed] = value[[index]]
        return unsqueezed

    def slice(self):
        vector = self.vector()
        value = self.sizes[vector]
        start = self.random.randrange(value.size)
        end = self.random.choice([value.size, 2**63 - 1, self.random.randrange(start + 1, value.size + 1)])
        output = self.node("Slice", [vector, self.constant([start]), self.constant([end]), self.constant([0])])
        self.sizes[output] = value[start : min(end, value.size)]
        return output

    def concat(self):
        vectors = [self.random.choice([self.gather, self.slice, self.vector])() for _ in range(self.random.randint(1, 3))]
        output = self.node("Concat", vectors, axis=0)
        self.sizes[output] = numpy.concatenate([self.sizes[vector] for vector in vectors])
        return output

    def arithmetic(self):
        vector = self.gather()
        value = self.sizes[vector]
        number = self.random.randint(1, 4)
        op_type, result = self.random.choice(
            [("Add", value + number), ("Mul", value * number), ("Div", value // number), ("Max", None), ("Sub", None)]
        )
        if op_type == "Max":
            result = numpy.maximum(value, number)
        elif op_type == "Sub":
            result = numpy.maximum(value - number, 0)
            vector = self.node("Sub", [vector, self.constant([number])])
            op_type, number = "Max", 0
        output = self.node(op_type, [vector, self.constant([number])])
        self.sizes[output] = result
        return output

    def floats(self):
        """By way of floating-point numbers, as pads and scales are rounded."""
        vector = self.gather()
        value = self.sizes[vector]
        number = self.node("Cast", [vector], to=TensorProto.FLOAT)
        half = self.name("constant")
        self.initializers.append(numpy_helper.from_array(numpy.array([0.5], dtype=numpy.float32), half))
        scaled = self.node("Mul", [number, half])
        rounded = self.node(self.random.choice(["Floor", "Ceil"]), [scaled])
        output = self.node("Cast", [rounded], to=TensorProto.INT64)
        up = "Ceil" in rounded
        self.sizes[output] = -(-value // 2) if up else value // 2
        return output

    def where(self):
        """What exporters write so that a -1 keeps a dimension."""
        vector = self.vector()
        value = self.sizes[vector]
        wished = numpy.array([self.random.choice([-1, int(size)]) for size in value])
        target = self.constant(wished)
        equal = self.node("Equal", [target, self.constant([-1])])
        output = self.node("Where", [equal, vector, target])
        self.sizes[output] = value
        return output

    def any_sizes(self):
        makers = [self.shape, self.gather, self.slice, self.concat, self.arithmetic, self.floats, self.where]
        return self.random.choice(makers)()

    def reshape(self):
        data = self.some_data()
        dims = self.data[data]
        target = self.node("Shape", [data])
        kind = self.random.randrange(3)
        if kind == 0 and dims:
            split = self.random.randrange(1, len(dims) + 1)
            first = self.node("Slice", [target, self.constant([0]), self.constant([split]), self.constant([0])])
            target = self.node("Concat", [first, self.constant([-1])], axis=0)
            rest = int(numpy.prod(dims[split:], dtype=int))
            if 0 in dims[:split]:
                return data
            dims = [*dims[:split], rest]
        elif kind == 1:
            total = self.node("ReduceProd", [target], keepdims=1, **({} if self.opset >= 18 else {"axes": [0]}))
            target, dims = total, [int(numpy.prod(dims, dtype=int))]
        output = self.node("Reshape", [data, target])
        self.data[output] = list(dims)
        return output

    def expand(self):
        data, vector = self.some_data(), self.any_sizes()
        value = self.sizes[vector]
        try:
            dims = numpy.broadcast_shapes(tuple(self.data[data]), tuple(int(size) for size in numpy.atleast_1d(value)))
        except ValueError:
            return data
        if numpy.prod(dims, dtype=int) > 4096 or value.ndim != 1 or len(dims) > 6:
            return data
        output = self.node("Expand", [data, vector])
        self.data[output] = list(dims)
        return output

    def filled(self):
        vector = self.any_sizes()
        value = self.sizes[vector]
        if value.ndim != 1 or numpy.prod(value, dtype=int) > 4096 or value.size > 6:
            return self.some_data()
        output = self.node("ConstantOfShape", [vector])
        self.data[output] = [int(size) for size in value]
        return output

    def plain(self):
        data = self.some_data()
        dims = self.data[data]
        if len(dims) > 1 and self.random.random() < 0.5:
            perm = self.random.sample(range(len(dims)), len(dims))
            output = self.node("Transpose", [data], perm=perm)
            self.data[output] = [dims[axis] for axis in perm]
        else:
            output = self.node(self.random.choice(["Relu", "Neg", "Sqrt"]), [data])
            self.data[output] = dims
        return output

    def choice(self):
        """An If, of whose branches one computes its shape by itself and the other captures one."""
        data = self.some_data()
        captured = self.node("Shape", [data])
        flag = self.name("flag")
        self.initializers.append(numpy_helper.from_array(numpy.array(self.random.random() < 0.5), flag))
        yes, no = self.name("then"), self.name("else")
        rank = [None] * len(self.data[data])
        then_branch = helper.make_graph(
            [helper.make_node("Reshape", [data, captured], [yes])],
            "then",
            [],
            [helper.make_tensor_value_info(yes, TensorProto.FLOAT, rank)],
        )
        inner, size = self.name("inner"), self.name("size")
        else_branch = helper.make_graph(
            [
                helper.make_node("Shape", [data], [inner]),
                helper.make_node("Concat", [inner], [size], axis=0),
                helper.make_node("Reshape", [data, size], [no]),
            ],
            "else",
            [],
            [helper.make_tensor_value_info(no, TensorProto.FLOAT, rank)],
        )
        output = self.node("If", [flag], then_branch=then_branch, else_branch=else_branch)
        self.data[output] = self.data[data]
        return output


def make(seed):
    """The model of a seed."""
    generator = random.Random(seed)
    builder = Builder(generator, generator.choice(OPSETS))
    sizes = {symbol: generator.randint(1, 5) for symbol in SYMBOLS}
    inputs = []
    for index in range(generator.randint(1, 3)):
        dims = [generator.choice([*SYMBOLS, 1, 2, 4]) for _ in range(generator.randint(1, 4))]
        inputs.append(helper.make_tensor_value_info(f"x{index}", TensorProto.FLOAT, dims))
        builder.data[f"x{index}"] = [sizes.get(dim, dim) for dim in dims]
    makers = [builder.reshape, builder.expand, builder.filled, builder.plain, builder.choice, builder.any_sizes]
    wanted = generator.randint(5, 40)
    while len(builder.nodes) < wanted:
        generator.choice(makers)()
    given = [node.output[0] for node in builder.nodes]
    read = {name for node in builder.nodes for name in node.input}
    kept = [name for name in given if name not in read or generator.random() < 0.1]
    # The steps within a rule of the builder's are nobody's to look at.
    kept = [name for name in kept if name in builder.data or name in builder.sizes]
    rank = {name: len(dims) for name, dims in builder.data.items()}
    rank.update((name, elements.ndim) for name, elements in builder.sizes.items())
    types = dict.fromkeys(builder.sizes, TensorProto.INT64) | dict.fromkeys(builder.data, TensorProto.FLOAT)
    outputs = [helper.make_tensor_value_info(name, types[name], [None] * rank[name]) for name in kept]
    graph = helper.make_graph(builder.nodes, f"seed_{seed}", inputs, outputs, builder.initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", builder.opset)], ir_version=8)
    declared = {dim.dim_param for value in inputs for dim in value.type.tensor_type.shape.dim} - {""}
    return Made(model, {symbol: size for symbol, size in sizes.items() if symbol in declared})
