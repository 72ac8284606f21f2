"""Nodes that `shape simplify` takes away, and those that look like them and must stay, drawn one after the other.

For each value it is known what it will be with one choice of sizes, so that the model runs with these.
"""

from math import prod

import fold_models
import numpy
from onnx import TensorProto, helper, numpy_helper

LARGEST, MOST_DIMS = 2048, 5
# What was an attribute before a version: the names of the inputs behind the first.
AS_ATTRIBUTES = {
    "Pad": (11, ["pads"]),
    "Slice": (10, ["starts", "ends", "axes"]),
    "Squeeze": (13, ["axes"]),
    "Unsqueeze": (13, ["axes"]),
}
# What gives other data of the same type.
OPPOSITES = {TensorProto.FLOAT: "Neg", TensorProto.INT32: "Neg", TensorProto.INT64: "Neg", TensorProto.BOOL: "Not"}
ENDS = [2**63 - 1, 2**31 - 1, 1000]
LOCAL = "local"


class Builder(fold_models.Builder):
    """With the element type of each value of data, and the numbers and the type of each constant."""

    def __init__(self, random, opset):
        super().__init__(random, opset)
        self.kinds, self.constants, self.called, self.flags = {}, {}, set(), []

    def node(self, op_type, inputs, **attributes):
        since, names = AS_ATTRIBUTES.get(op_type, (0, []))
        if self.opset < since:
            attributes |= {name: self.constants[each][0] for name, each in zip(names, inputs[1:])}
            inputs = inputs[:1]
        if op_type == "Max" and self.opset < 12:
            return super().node("Where", [super().node("Greater", inputs), *inputs])
        return super().node(op_type, inputs, **attributes)

    def constant(self, values, kind="constant", elem=TensorProto.INT64):
        """An initializer or a Constant, with data of its own or equal to that of another."""
        array = numpy.array(values, dtype=helper.tensor_dtype_to_np_dtype(elem))
        name = self.name(kind)
        self.constants[name] = array.tolist(), elem
        tensor = numpy_helper.from_array(array, name)
        if self.random.random() < 0.5:
            # The same data in the field of its type.
            tensor = helper.make_tensor(name, elem, array.shape, array.flatten())
        if self.random.random() < 0.3:
            self.nodes.append(helper.make_node("Constant", [], [name], name + "_node", value=tensor))
        else:
            self.initializers.append(tensor)
        return name

    def add(self, output, dims, kind):
        self.data[output], self.kinds[output] = [int(size) for size in dims], kind
        return output

    def some_data(self, *kinds):
        return self.random.choice(sorted(name for name in self.data if not kinds or self.kinds[name] in kinds))

    def like(self, op_type, inputs, dims=None, **attributes):
        """A node whose output has the element type of its first input, and its dimensions if no others are given."""
        first = inputs[0]
        output = self.node(op_type, inputs, **attributes)
        return self.add(output, self.data[first] if dims is None else dims, self.kinds[first])

    def reshape(self):
        given = self.some_data()
        self.some_data, before = (lambda: given), self.some_data
        output = super().reshape()
        self.some_data = before
        self.kinds[output] = self.kinds[given]
        return output

    def expand(self):
        given, vector = self.some_data(), self.any_sizes()
        value = numpy.atleast_1d(self.sizes[vector])
        try:
            dims = numpy.broadcast_shapes(tuple(self.data[given]), tuple(int(size) for size in value))
        except ValueError:
            return given
        if prod(dims) > LARGEST or self.sizes[vector].ndim != 1 or len(dims) > MOST_DIMS:
            return given
        return self.like("Expand", [given, vector], dims)

    def filled(self):
        vector = self.any_sizes()
        value = self.sizes[vector]
        if value.ndim != 1 or prod(value.tolist()) > LARGEST or value.size > MOST_DIMS:
            return vector
        kind = self.random.choice([TensorProto.FLOAT, TensorProto.INT32, TensorProto.BOOL])
        number = helper.make_tensor("value", kind, [1], [self.random.randrange(2)])
        return self.add(self.node("ConstantOfShape", [vector], value=number), value, kind)

    def choice(self):
        """An If that is known, with names inside that others have inside too; it may give a value from outside."""
        given = self.some_data()
        kind, dims = self.kinds[given], self.data[given]
        captured = self.node("Shape", [given])
        flag = self.constant(self.random.random() < 0.5, "flag", TensorProto.BOOL)
        return self.add(self.node("If", [flag], **self.branches(given, captured)), dims, kind)

    def branches(self, given, captured):
        kind = self.kinds[given]
        info = helper.make_tensor_value_info("inner", kind, [None] * len(self.data[given]))
        make = helper.make_node
        plain = [make("Reshape", [given, captured], ["inner"])]
        own = [
            make("Shape", [given], ["dims"]),
            make("Concat", ["dims"], ["size"], axis=0),
            make("Reshape", [given, "size"], ["inner"]),
        ]
        outside = [make("Identity", [given], ["inner"])]
        unused = [make("Shape", [given], ["nobody"]), make("Identity", [given], ["inner"])]
        chosen = self.random.sample([plain, own, outside, unused], 2)
        # So that it shows which of them runs.
        if kind in OPPOSITES:
            chosen[1][-1].output[0] = "before"
            chosen[1].append(make(OPPOSITES[kind], ["before"], ["inner"]))
        return {
            f"{name}_branch": helper.make_graph(nodes, name, [], [info]) for name, nodes in zip(("then", "else"), chosen)
        }

    def open_choice(self):
        """An If that the data decides, or a size."""
        given = self.some_data()
        captured = self.node("Shape", [given])
        if self.flags and self.random.random() < 0.5:
            flag = self.random.choice(self.flags)
        else:
            last = self.node("Gather", [self.vector(), self.constant(-1)], axis=0)
            flag = self.node("Greater", [last, self.constant(self.random.randrange(4))])
        output = self.node("If", [flag], **self.branches(given, captured))
        return self.add(output, self.data[given], self.kinds[given])

    def loop(self):
        """A body that reads a size from outside, in vain, and counts."""
        given = self.some_data(TensorProto.FLOAT)
        dims = self.data[given]
        captured = self.node("Shape", [given])
        make, info = helper.make_node, helper.make_tensor_value_info
        body = helper.make_graph(
            [
                make("Identity", ["go"], ["on"]),
                make("Reshape", ["state", captured], ["same"]),
                make("Shape", ["same"], ["nobody"]),
                make("Add", ["same", "same"], ["next"]),
            ],
            "body",
            [
                info("at", TensorProto.INT64, []),
                info("go", TensorProto.BOOL, []),
                info("state", TensorProto.FLOAT, [None] * len(dims)),
            ],
            [info("on", TensorProto.BOOL, []), info("next", TensorProto.FLOAT, [None] * len(dims))],
        )
        return self.add(self.node("Loop", [self.constant(2), "", given], body=body), dims, TensorProto.FLOAT)

    def plain(self):
        given = self.some_data(TensorProto.FLOAT)
        op_type = self.random.choice(["Relu", "Neg", "Abs", "Tanh", "Add"])
        return self.like(op_type, [given] * (2 if op_type == "Add" else 1))

    # What does nothing, or nearly.

    def identity(self):
        if self.random.random() < 0.3:
            vector = self.any_sizes()
            output = self.node("Identity", [vector])
            self.sizes[output] = self.sizes[vector]
            return output
        return self.like("Identity", [self.some_data()])

    def dropout(self):
        given = self.some_data(TensorProto.FLOAT)
        if self.opset < 12:
            return self.like("Dropout", [given], ratio=0.25)
        ratio = self.constant(0.25, elem=TensorProto.FLOAT)
        training = [self.constant(False, elem=TensorProto.BOOL)] if self.random.random() < 0.5 else []
        return self.like("Dropout", [given, ratio, *training])

    def cast(self):
        """To the same type, or there and back again."""
        given = self.some_data()
        kind = self.kinds[given]
        if self.random.random() < 0.5:
            return self.like("Cast", [given], to=kind)
        between = self.random.choice([TensorProto.INT32, TensorProto.DOUBLE, TensorProto.BOOL])
        there = self.add(self.node("Cast", [given], to=between), self.data[given], between)
        del self.data[there]
        return self.add(self.node("Cast", [there], to=kind), self.data[given], kind)

    def transposes(self):
        given = self.some_data()
        for _ in range(self.random.randint(1, 3)):
            dims = self.data[given]
            if self.random.random() < 0.3:
                given = self.like("Transpose", [given], dims[::-1])
                continue
            perm = self.random.sample(range(len(dims)), len(dims))
            if self.random.random() < 0.3:
                perm.sort()
            given = self.like("Transpose", [given], [dims[axis] for axis in perm], perm=perm) if perm else given
        return given

    def reshapes(self):
        """One behind the other, with entries that copy a dimension or are inferred."""
        given = self.some_data()
        for _ in range(self.random.randint(1, 3)):
            dims = self.data[given]
            if not dims or 0 in dims:
                return given
            first = self.random.randrange(len(dims))
            rest = prod(dims[first:])
            target, result = self.random.choice([
                ([0] * first + [-1], [*dims[:first], rest]),
                ([0] * len(dims), dims),
                ([-1], [prod(dims)]),
                ([0] * first + [1, -1], [*dims[:first], 1, rest]),
                ([0] * first + [-1, 1], [*dims[:first], rest, 1]),
            ])
            if len(result) > MOST_DIMS:
                return given
            given = self.like("Reshape", [given, self.constant(target)], result)
        return given

    def computed_target(self):
        """A target put together of a batch, numbers and -1, as exporters write heads."""
        given = self.some_data()
        dims = self.data[given]
        if not dims or 0 in dims or len(dims) >= MOST_DIMS:
            return given
        shape = self.node("Shape", [given])
        kept = self.random.randrange(len(dims))
        parts = []
        for axis in range(kept):
            if self.random.random() < 0.5:
                parts.append(self.node("Gather", [shape, self.constant([axis])], axis=0))
                continue
            entry = self.node("Gather", [shape, self.constant(axis)], axis=0)
            parts.append(self.node("Unsqueeze", [entry, self.constant([0])]))
        rest = prod(dims[kept:])
        factor = self.random.choice([each for each in (1, 2, 4) if rest % each == 0])
        parts += self.random.choice([[[-1], [factor]], [[factor], [-1]], [[rest]], [[-1]]])
        ends = [part for part in parts if not isinstance(part, str)]
        tail = [rest if len(ends) == 1 else rest // factor if part == [-1] else factor for (part,) in ((each,) for each in ends)]
        names = [part if isinstance(part, str) else self.constant(part) for part in parts]
        target = self.node("Concat", names, axis=0)
        return self.like("Reshape", [given, target], [*dims[:kept], *tail])

    def squeezes(self):
        """Unsqueeze and Squeeze of the same axes, of others, or of all axes of size one."""
        given = self.some_data()
        dims = self.data[given]
        if len(dims) >= MOST_DIMS:
            return given
        axis = self.random.randint(0, len(dims))
        wide = dims[:axis] + [1] + dims[axis:]
        there = self.like("Unsqueeze", [given, self.constant([axis])], wide)
        way = self.random.randrange(4)
        if way == 0:
            return there
        if way == 1:
            return self.like("Squeeze", [there], [size for size in wide if size != 1])
        ones = [at for at, size in enumerate(wide) if size == 1]
        chosen = axis if way == 2 else self.random.choice(ones)
        return self.like("Squeeze", [there, self.constant([chosen])], wide[:chosen] + wide[chosen + 1 :])

    def slices(self):
        """All of an axis, or all but the first or the last."""
        given = self.some_data()
        dims = self.data[given]
        if not dims or 0 in dims:
            return given
        axis = self.random.randrange(len(dims))
        start, end = self.random.choice([(0, self.random.choice(ENDS)), (0, dims[axis]), (0, -1), (1, ENDS[0]), (0, None)])
        if end is None:
            shape = self.node("Shape", [given])
            ends = self.node("Gather", [shape, self.constant([axis])], axis=0)
            if self.opset < 10:
                return given
        else:
            ends = self.constant([end])
        size = len(range(dims[axis])[start:end])
        inputs = [given, self.constant([start]), ends, self.constant([axis])]
        if self.opset >= 10 and self.random.random() < 0.3:
            step = self.random.choice([1, 2])
            inputs.append(self.constant([step]))
            size = -(-size // step)
        return self.like("Slice", inputs, [*dims[:axis], size, *dims[axis + 1 :]])

    def concats(self):
        given = self.some_data()
        dims = self.data[given]
        if not dims:
            return given
        axis, times = self.random.randrange(len(dims)), self.random.choice([1, 1, 2])
        if prod(dims) * times > LARGEST:
            return given
        return self.like("Concat", [given] * times, [*dims[:axis], dims[axis] * times, *dims[axis + 1 :]], axis=axis)

    def expands(self):
        """To the dimensions that there are, or to ones and to fewer of them."""
        given = self.some_data()
        dims = self.data[given]
        way = self.random.randrange(3)
        if way == 0 or not dims:
            return self.like("Expand", [given, self.node("Shape", [given])])
        return self.like("Expand", [given, self.constant([1] * self.random.randint(1, len(dims)))])

    def pads(self):
        given = self.some_data(TensorProto.FLOAT)
        dims = self.data[given]
        if not dims or 0 in dims or prod(size + 1 for size in dims) > LARGEST:
            return given
        pads = [0] * (2 * len(dims))
        way = self.random.randrange(3)
        if way == 0:
            pads[self.random.randrange(len(pads))] = 1
        wide = [pads[at] + size + pads[at + len(dims)] for at, size in enumerate(dims)]
        mode = {} if way == 0 else {"mode": self.random.choice(["constant", "edge"])}
        return self.like("Pad", [given, self.constant(pads)], wide, **mode)

    def tiles(self):
        given = self.some_data(TensorProto.FLOAT, TensorProto.INT32, TensorProto.INT64)
        dims = self.data[given]
        if not dims or 2 * prod(dims) > LARGEST:
            return given
        times = [1] * len(dims)
        times[self.random.randrange(len(dims))] = self.random.choice([1, 2])
        wide = [size * by for size, by in zip(dims, times)]
        return self.like("Tile", [given, self.constant(times)], wide)

    def ranges(self):
        """What exporters write for positions."""
        if self.opset < 11:
            return self.some_data()
        vector = self.vector()
        last = self.node("Gather", [vector, self.constant(-1)], axis=0)
        size = int(self.sizes[vector][-1])
        if not 0 <= size <= LARGEST:
            return vector
        output = self.node("Range", [self.constant(0), last, self.constant(1)])
        return self.add(output, [size], TensorProto.INT64)

    def lengths(self):
        """A part of a shape by `start` and `end`."""
        given = self.some_data()
        dims = numpy.array(self.data[given], dtype=numpy.int64)
        if self.opset < 15 or not dims.size:
            return given
        bounds = {"start": self.random.randrange(-dims.size - 1, dims.size)}
        bounds["end"] = self.random.choice([dims.size, dims.size + 3, -1, self.random.randrange(dims.size)])
        output = self.node("Shape", [given], **bounds)
        start, end = (max(each + dims.size, 0) if each < 0 else each for each in bounds.values())
        self.sizes[output] = dims[start:end]
        return output

    def whole(self):
        """Size, and what it is divided by."""
        given = self.some_data()
        output = self.node("Size", [given])
        total = numpy.array(prod(self.data[given]), dtype=numpy.int64)
        self.sizes[output] = total
        if self.random.random() < 0.5:
            output = self.node("Div", [output, self.constant([self.random.randint(1, 3)])])
            self.sizes[output] = numpy.atleast_1d(total) // self.constants[self.nodes[-1].input[1]][0]
        return output

    def again(self):
        """A node that is there already, with another name; so may its constants be."""
        able = [node for node in self.nodes if node.op_type not in ("If", "Loop", "Constant") and len(node.output) == 1]
        able = [node for node in able if node.output[0] in self.data or node.output[0] in self.sizes]
        if not able:
            return self.some_data()
        node = self.random.choice(able)
        output = self.name(node.op_type)
        copy = type(node).FromString(node.SerializeToString())
        copy.name, copy.output[0] = output + "_node", output
        for at, name in enumerate(copy.input):
            if name in self.constants:
                numbers, elem = self.constants[name]
                copy.input[at] = self.constant(numbers, elem=elem)
        self.nodes.append(copy)
        if node.output[0] in self.sizes:
            self.sizes[output] = self.sizes[node.output[0]]
            return output
        return self.add(output, self.data[node.output[0]], self.kinds[node.output[0]])

    def weight(self):
        """Added data, the same at several places."""
        given = self.some_data(TensorProto.FLOAT)
        row = self.constant([self.random.choice([0.0, -0.0, 1.5])], "weight", TensorProto.FLOAT)
        dims = self.data[given] or [1]
        return self.like(self.random.choice(["Add", "Div"]), [given, row], dims)

    def call(self):
        """A function of the model that computes a shape."""
        name = self.random.choice(["Flat", "Same"])
        self.called.add(name)
        given = self.some_data(TensorProto.FLOAT)
        dims = self.data[given]
        output = self.node(name, [given], domain=LOCAL)
        return self.add(output, [prod(dims)] if name == "Flat" else dims, TensorProto.FLOAT)
