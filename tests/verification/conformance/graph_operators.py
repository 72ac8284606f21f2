"""What the nodes of random graphs are: how each operator's operands are chosen, and what it means, in numpy.

A function here adds one node, or the few of an idiom that exporters write, to a `random_graphs.Graph`; it raises
`Reject` where the graph has no operands for it.
"""

import numpy as np
from onnx import TensorProto

INT64, INT32, FLOAT, BOOL = np.dtype("int64"), np.dtype("int32"), np.dtype("float32"), np.dtype("bool")
ELEMENTS = {FLOAT: TensorProto.FLOAT, INT64: TensorProto.INT64, INT32: TensorProto.INT32, BOOL: TensorProto.BOOL}
NUMBERS = (INT64, INT32, FLOAT)
MOST_RANK = 5


class Reject(Exception):
    """The graph has no operands for the operator."""


def ints(*numbers):
    return np.array(numbers, INT64)


def is_vector(array):
    return array.dtype == INT64 and array.ndim == 1


def is_scalar(array):
    return array.dtype == INT64 and array.ndim == 0


def small(array):
    return array.dtype == INT64 and array.ndim <= 1 and array.size <= 8


def has_axis(array):
    return 1 <= array.ndim <= MOST_RANK


def axis_of(graph, array):
    """An axis, counted from either end."""
    axis = graph.chance.randrange(array.ndim)
    return axis if graph.chance.random() < 0.6 else axis - array.ndim


def axes_of(graph, array, most=3):
    count = graph.chance.randint(1, min(array.ndim, most))
    axes = graph.chance.sample(range(array.ndim), count)
    return [axis if graph.chance.random() < 0.7 else axis - array.ndim for axis in axes]


def with_axes(graph, axes, since):
    """Axes as the opset has them: the further inputs, and the attributes."""
    return ([graph.constant(ints(*axes))], {}) if graph.opset >= since else ([], {"axes": axes})


# What tells of a tensor.


def shape(graph):
    x = graph.pick()
    attributes = {}
    if graph.opset >= 15 and graph.chance.random() < 0.5:
        attributes["start"] = graph.chance.randint(-5, 4)
        if graph.chance.random() < 0.5:
            attributes["end"] = graph.chance.randint(-5, 5)

    def meaning(array):
        rank = array.ndim
        clamp = lambda at: min(max(at + rank if at < 0 else at, 0), rank)
        start, end = clamp(attributes.get("start", 0)), clamp(attributes.get("end", rank))
        return ints(*array.shape[start:end])

    return graph.add("Shape", [x], meaning, **attributes)


def size(graph):
    return graph.add("Size", [graph.pick()], lambda array: np.array(array.size, INT64))


def dimension(graph, x):
    """A dimension of a value as exporters ask for it: Shape, then Gather of one place."""
    rank = graph.array(x).ndim
    if not rank:
        raise Reject
    sizes = graph.add("Shape", [x], lambda array: ints(*array.shape))
    place = graph.chance.randrange(-rank, rank)
    index = np.array(place, INT64) if graph.chance.random() < 0.7 else ints(place)
    return graph.add("Gather", [sizes, graph.constant(index)], lambda array, at: np.take(array, at, 0), axis=0)


def as_vector(graph, x):
    if graph.array(x).ndim == 1:
        return x
    more, attributes = with_axes(graph, [0], 13)
    return graph.add("Unsqueeze", [x, *more], lambda array, *_: array.reshape(1), **attributes)


def some_size(graph):
    """A number of at least one that comes from dimensions, with arithmetic on it or without."""
    x = dimension(graph, graph.pick(has_axis))
    for _ in range(graph.chance.choice([0, 0, 1, 2])):
        number = graph.chance.randint(1, 4)
        # Of integers only from some opset on.
        extremes = [("Max", np.maximum), ("Min", np.minimum)] if graph.opset >= 12 else []
        op_type, meaning = graph.chance.choice([
            ("Add", np.add),
            ("Mul", np.multiply),
            ("Div", quotient),
            ("Sub", np.subtract),
            *extremes,
        ])
        x = graph.add(op_type, [x, graph.constant(np.array(number, INT64))], meaning)
    if graph.array(x).min() < 1:
        raise Reject
    return x


# Elements.


def quotient(left, right):
    """Division, of integers towards zero."""
    if left.dtype == FLOAT:
        return left / right
    if not np.all(right):
        raise Reject
    return np.sign(left) * np.sign(right) * (np.abs(left) // np.abs(right))


def remainder(left, right):
    if not np.all(right):
        raise Reject
    return np.mod(left, right)


def operands(graph, dtypes):
    """Two values that can be stretched to each other, the second now and then a constant."""
    left = graph.pick(lambda array: array.dtype in dtypes, prefer=small)
    one = graph.array(left)
    if graph.chance.random() < 0.4:
        sizes = graph.chance.choice([(), (1,), one.shape[-1:]])
        return left, graph.constant(graph.numbers(sizes, one.dtype))

    def fits(array):
        if array.dtype != one.dtype:
            return False
        return all(a == b or 1 in (a, b) for a, b in zip(reversed(array.shape), reversed(one.shape)))

    right = graph.pick(fits, prefer=small if one.dtype == INT64 else None)
    return (left, right) if graph.chance.random() < 0.5 else (right, left)


def arithmetic(graph):
    op_type, meaning = graph.chance.choice([
        ("Add", np.add),
        ("Sub", np.subtract),
        ("Mul", np.multiply),
        ("Div", quotient),
        ("Mod", remainder),
        ("Max", np.maximum),
        ("Min", np.minimum),
    ])
    floats_alone = op_type in ("Max", "Min") and graph.opset < 12
    left, right = operands(graph, (INT64,) if op_type == "Mod" else (FLOAT,) if floats_alone else NUMBERS)
    if graph.array(left).dtype != FLOAT and op_type in ("Div", "Mod"):
        # A divisor that is zero ends onnxruntime.
        right = graph.constant(np.array(graph.chance.choice([1, 2, 3, 4, -2]), graph.array(left).dtype))
    return graph.add(op_type, [left, right], meaning)


def power(graph):
    if graph.opset < 12:
        raise Reject
    x = graph.pick(lambda array: array.dtype == INT64, prefer=small)
    return graph.add("Pow", [x, graph.constant(np.array(graph.chance.randint(0, 3), INT64))], np.power)


def sign(graph):
    op_type, meaning = graph.chance.choice([("Neg", np.negative), ("Abs", np.abs)])
    return graph.add(op_type, [graph.pick(lambda array: array.dtype in NUMBERS, prefer=small)], meaning)


def rounding(graph):
    op_type, meaning = graph.chance.choice([("Floor", np.floor), ("Ceil", np.ceil), ("Sqrt", np.sqrt)])
    x = graph.pick(lambda array: array.dtype == FLOAT and (op_type != "Sqrt" or np.all(array >= 0)))
    return graph.add(op_type, [x], meaning)


def half(graph):
    """Half a dimension by way of floating-point numbers, as exporters scale."""
    x = cast_to(graph, some_size(graph), FLOAT)
    x = graph.add("Mul", [x, graph.constant(np.array(graph.chance.choice([0.5, 2.0, 1.5]), FLOAT))], np.multiply)
    op_type, meaning = graph.chance.choice([("Floor", np.floor), ("Ceil", np.ceil)])
    return cast_to(graph, graph.add(op_type, [x], meaning), INT64)


def comparison(graph):
    op_type, meaning, since = graph.chance.choice([
        ("Equal", np.equal, 1),
        ("Less", np.less, 1),
        ("Greater", np.greater, 1),
        ("LessOrEqual", np.less_equal, 12),
        ("GreaterOrEqual", np.greater_equal, 12),
    ])
    if graph.opset < since:
        raise Reject
    return graph.add(op_type, list(operands(graph, NUMBERS)), meaning)


def logic(graph):
    op_type, meaning = graph.chance.choice([("And", np.logical_and), ("Or", np.logical_or), ("Xor", np.logical_xor)])
    if graph.chance.random() < 0.3:
        return graph.add("Not", [graph.pick(lambda array: array.dtype == BOOL)], np.logical_not)
    return graph.add(op_type, list(operands(graph, (BOOL,))), meaning)


def where(graph):
    left, right = operands(graph, NUMBERS)
    both = np.broadcast(graph.array(left), graph.array(right)).shape

    def fits(array):
        return array.dtype == BOOL and all(a == b or 1 in (a, b) for a, b in zip(array.shape[::-1], both[::-1]))

    return graph.add("Where", [graph.pick(fits), left, right], np.where)


def cast_to(graph, x, dtype):
    def meaning(array):
        if dtype != BOOL and array.dtype == FLOAT and not np.all(np.abs(array) < 1e6):
            raise Reject
        return array.astype(dtype)

    return graph.add("Cast", [x], meaning, to=ELEMENTS[dtype])


def cast(graph):
    x = graph.pick(prefer=small)
    if graph.opset >= 15 and graph.chance.random() < 0.4:
        like = graph.pick()
        return graph.add("CastLike", [x, like], lambda array, other: array.astype(other.dtype))
    return cast_to(graph, x, graph.chance.choice(list(ELEMENTS)))


def identity(graph):
    return graph.add("Identity", [graph.pick(prefer=small)], lambda array: array)


# Places.


def gather(graph):
    x = graph.pick(has_axis, prefer=is_vector)
    array = graph.array(x)
    axis = axis_of(graph, array)
    length = array.shape[axis]
    if not length:
        raise Reject
    shape = graph.chance.choice([(), (), (1,), (2,), (2, 1)])
    places = np.array(graph.integers(shape, -length, length - 1), INT64)
    return graph.add("Gather", [x, graph.constant(places)], lambda data, at: np.take(data, at, axis), axis=axis)


def gather_elements(graph):
    x = graph.pick(has_axis)
    array = graph.array(x)
    axis = axis_of(graph, array)
    if 0 in array.shape:
        raise Reject
    shape = [graph.chance.randint(1, length) for length in array.shape]
    shape[axis] = graph.chance.randint(1, 3)
    places = np.array(graph.integers(tuple(shape), 0, array.shape[axis] - 1), INT64)

    def meaning(data, at):
        part = tuple(slice(None) if place == axis % data.ndim else slice(length) for place, length in enumerate(at.shape))
        return np.take_along_axis(data[part], at, axis)

    return graph.add("GatherElements", [x, graph.constant(places)], meaning, axis=axis)


def gather_nd(graph):
    x = graph.pick(has_axis)
    array = graph.array(x)
    if 0 in array.shape:
        raise Reject
    batch = graph.chance.choice([0, 0, 1]) if array.ndim > 1 and graph.opset >= 12 else 0
    depth = graph.chance.randint(1, array.ndim - batch)
    rows = (*array.shape[:batch], *graph.chance.choice([(), (2,), (3, 1)]))
    places = np.zeros((*rows, depth), INT64)

    def meaning(data, at):
        if not batch:
            return data[tuple(np.moveaxis(at, -1, 0))]
        if len(data) != len(at):
            raise Reject
        return np.stack([one[tuple(np.moveaxis(where, -1, 0))] for one, where in zip(data, at)])

    return graph.add(
        "GatherND", [x, graph.constant(places)], meaning, **({"batch_dims": batch} if graph.opset >= 12 else {})
    )


def scatter_nd(graph):
    x = graph.pick(lambda array: has_axis(array) and array.dtype in (FLOAT, INT64) and 0 not in array.shape, prefer=is_vector)
    array = graph.array(x)
    depth = graph.chance.randint(1, array.ndim)
    rows = graph.chance.randint(1, 2)
    # The first and the last place; the last one by its distance from the end.
    places = np.array([[0] * depth, [-1] * depth][:rows], INT64)
    updates = graph.constant(graph.numbers((rows, *array.shape[depth:]), array.dtype))

    def meaning(data, at, new):
        result = data.copy()
        for where, row in zip(at, new, strict=True):
            if result[tuple(where)].shape != row.shape:
                raise Reject
            result[tuple(where)] = row
        return result

    return graph.add("ScatterND", [x, graph.constant(places), updates], meaning)


def scatter_elements(graph):
    x = graph.pick(lambda array: has_axis(array) and array.dtype in (FLOAT, INT64) and 0 not in array.shape, prefer=is_vector)
    array = graph.array(x)
    axis = axis_of(graph, array)
    shape = [1] * array.ndim
    # Two different places at most: which of several updates stays is open.
    shape[axis] = graph.chance.randint(1, min(2, array.shape[axis]))
    places = np.array([0, -1][: shape[axis]], INT64).reshape(shape)
    updates = graph.constant(graph.numbers(tuple(shape), array.dtype))
    reduction = graph.chance.choice(["none", "add", "mul"]) if graph.opset >= 16 else "none"

    def meaning(data, at, new):
        result = data.copy()
        for place, update in zip(np.ndindex(*at.shape), new.flat, strict=True):
            target = (*place[: axis % data.ndim], at[place], *place[axis % data.ndim + 1 :])
            old = result[target]
            result[target] = update if reduction == "none" else old + update if reduction == "add" else old * update
        return result

    attributes = {} if reduction == "none" else {"reduction": reduction}
    return graph.add("ScatterElements", [x, graph.constant(places), updates], meaning, axis=axis, **attributes)


def compress(graph):
    x = graph.pick(lambda array: has_axis(array) and 0 not in array.shape, prefer=is_vector)
    array = graph.array(x)
    axis = axis_of(graph, array) if graph.chance.random() < 0.7 else None
    length = array.size if axis is None else array.shape[axis]
    condition = np.array([graph.chance.random() < 0.6 for _ in range(graph.chance.randint(1, length))])
    if not condition.any():
        raise Reject
    attributes = {} if axis is None else {"axis": axis}
    return graph.add("Compress", [x, graph.constant(condition)], lambda data, by: np.compress(by, data, axis), **attributes)


def sliced(graph):
    x = graph.pick(has_axis, prefer=is_vector)
    array = graph.array(x)
    axes = axes_of(graph, array)
    bound = lambda: graph.chance.choice([0, 1, 2, 3, -1, -2, -3, 2**63 - 1, -(2**63) + 1])
    starts, ends = ints(*(bound() for _ in axes)), ints(*(bound() for _ in axes))
    # An end that is the largest number there is onnxruntime takes for the front where it slices backwards.
    steps = ints(*(1 if end > 9 else graph.chance.choice([1, 1, 1, 2, -1, -2]) for end in ends))
    given = [graph.constant(starts), graph.constant(ends), graph.constant(ints(*axes)), graph.constant(steps)]
    if graph.chance.random() < 0.4:
        # An end that comes from a dimension.
        given[1] = as_vector(graph, some_size(graph))
        given[0], given[2] = graph.constant(ints(graph.chance.choice([0, 1, -1]))), graph.constant(ints(axes[0]))
        given[3] = graph.constant(ints(graph.chance.choice([1, 2])))
    if graph.chance.random() < 0.2:
        given = given[:3]
    return graph.add("Slice", [x, *given], slice_of)


def slice_of(data, starts, ends, axes, steps=None):
    parts = [slice(None)] * data.ndim
    steps = [1] * len(starts) if steps is None else steps
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        length = data.shape[axis]
        # Clamped first, since Python counts an end below zero from the back again.
        low, high = (0, length) if step > 0 else (-1, length - 1)
        start, end = (int(at) + (length if at < 0 else 0) for at in (start, end))
        start = min(max(start, 0), high) if step > 0 else min(max(start, 0), length - 1)
        end = min(max(end, low), high if step > 0 else length - 1)
        parts[axis] = slice(start, None if end < 0 else end, int(step))
    return data[tuple(parts)]


# Layout.


def concat(graph):
    first = graph.pick(has_axis, prefer=is_vector)
    array = graph.array(first)
    axis = axis_of(graph, array)

    def fits(other):
        if other.dtype != array.dtype or other.ndim != array.ndim:
            return False
        return all(a == b or at == axis % array.ndim for at, (a, b) in enumerate(zip(other.shape, array.shape)))

    others = [graph.pick(fits) for _ in range(graph.chance.randint(0, 2))]
    return graph.add("Concat", [first, *others], lambda *arrays: np.concatenate(arrays, axis), axis=axis)


def split(graph):
    x = graph.pick(has_axis, prefer=is_vector)
    array = graph.array(x)
    axis = axis_of(graph, array)
    length = array.shape[axis]
    if length < 2:
        raise Reject
    if graph.opset >= 18 and graph.chance.random() < 0.4:
        count = graph.chance.randint(2, min(3, length))

        def even(data):
            each = -(-data.shape[axis] // count)
            parts = np.split(data, range(each, each * count, each), axis)
            if 0 in (part.shape[axis] for part in parts):
                raise Reject
            return parts

        return graph.add("Split", [x], even, outputs=count, axis=axis, num_outputs=count)
    cut = graph.chance.randint(1, length - 1)
    sizes = [cut, length - cut]
    if graph.chance.random() < 0.2 and length % 2 == 0:
        attributes, more = ({"num_outputs": 2} if graph.opset >= 18 else {}), []
        sizes = [length // 2] * 2
    elif graph.opset >= 13:
        attributes, more = {}, [graph.constant(ints(*sizes))]
    else:
        attributes, more = {"split": sizes}, []

    def meaning(data, *_):
        if data.shape[axis] != length:
            raise Reject
        return np.split(data, [sizes[0]], axis)

    return graph.add("Split", [x, *more], meaning, outputs=2, axis=axis, **attributes)


def squeeze(graph):
    x = graph.pick(lambda array: 1 in array.shape)
    array = graph.array(x)
    if graph.chance.random() < 0.2:
        count = array.shape.count(1)

        def meaning(data):
            if data.shape.count(1) != count:
                raise Reject
            return data.squeeze()

        return graph.add("Squeeze", [x], meaning)
    axis = graph.chance.choice([at for at, length in enumerate(array.shape) if length == 1])
    axis = axis if graph.chance.random() < 0.6 else axis - array.ndim
    more, attributes = with_axes(graph, [axis], 13)
    return graph.add("Squeeze", [x, *more], lambda data, *_: data.squeeze(axis), **attributes)


def unsqueeze(graph):
    x = graph.pick(lambda array: array.ndim < MOST_RANK, prefer=lambda array: is_scalar(array) or small(array))
    rank = graph.array(x).ndim
    axes = graph.chance.sample(range(rank + 1), 1)
    if rank and graph.chance.random() < 0.3 and rank + 2 <= MOST_RANK:
        axes = graph.chance.sample(range(rank + 2), 2)
    whole = rank + len(axes)
    axes = [axis if graph.chance.random() < 0.7 else axis - whole for axis in axes]
    more, attributes = with_axes(graph, axes, 13)
    return graph.add("Unsqueeze", [x, *more], lambda data, *_: np.expand_dims(data, tuple(axes)), **attributes)


def flatten(graph):
    x = graph.pick()
    rank = graph.array(x).ndim
    axis = graph.chance.randint(-rank, rank)

    def meaning(data):
        at = axis + data.ndim if axis < 0 else axis
        return data.reshape(int(np.prod(data.shape[:at])), int(np.prod(data.shape[at:])))

    return graph.add("Flatten", [x], meaning, axis=axis)


def transpose(graph):
    x = graph.pick(lambda array: array.ndim >= 1)
    rank = graph.array(x).ndim
    if graph.chance.random() < 0.2:
        return graph.add("Transpose", [x], np.transpose)
    order = graph.chance.sample(range(rank), rank)
    return graph.add("Transpose", [x], lambda data: np.transpose(data, order), perm=order)


def reshape(graph):
    """To what dimensions of the data make: copied, multiplied together, split by a number, or left to be found."""
    x = graph.pick(lambda array: array.ndim >= 1 and array.size)
    array = graph.array(x)
    how = graph.chance.random()
    if how < 0.3:
        # Numbers, and the two marks.
        cut = graph.chance.randint(0, array.ndim)
        target = [*([0] * cut if graph.chance.random() < 0.5 else array.shape[:cut]), -1]
        return graph.add("Reshape", [x, graph.constant(ints(*target))], marked_reshape)
    else:
        parts, sizes = [], None
        for at in range(array.ndim):
            if not parts or graph.chance.random() < 0.3:
                sizes = graph.add("Shape", [x], lambda data: ints(*data.shape))
            one = graph.add("Gather", [sizes, graph.constant(np.array(at, INT64))], lambda data, at: np.take(data, at, 0), axis=0)
            parts.append(one)
        while len(parts) > 1 and graph.chance.random() < 0.5:
            at = graph.chance.randrange(len(parts) - 1)
            parts[at : at + 2] = [graph.add("Mul", parts[at : at + 2], np.multiply)]
        parts = [as_vector(graph, part) for part in parts]
        if graph.chance.random() < 0.5:
            parts[graph.chance.randrange(len(parts))] = graph.constant(ints(-1))
        target = graph.add("Concat", parts, lambda *arrays: np.concatenate(arrays), axis=0)
    return graph.add("Reshape", [x, target], reshape_of)


def reshape_of(data, target):
    # A size of the target that is computed is none of the marks: the ruling of Reshape.
    if 0 in target or (target < -1).any():
        raise Reject
    return data.reshape(target)


def marked_reshape(data, target):
    dims = [data.shape[at] if size == 0 else int(size) for at, size in enumerate(target)]
    if 0 in dims and -1 in dims:
        raise Reject
    return data.reshape(dims)


def reshape_to_value(graph):
    """By a target that happens to be there."""
    target = graph.pick(lambda array: is_vector(array) and 0 < len(array) <= MOST_RANK and array.min() > 0)
    count = graph.array(target).prod()
    return graph.add("Reshape", [graph.pick(lambda array: array.size == count), target], reshape_of)


def expand(graph):
    x = graph.pick(lambda array: array.ndim <= MOST_RANK)
    array = graph.array(x)
    other = graph.pick(lambda each: all(a == b or 1 in (a, b) for a, b in zip(each.shape[::-1], array.shape[::-1])))
    target = graph.add("Shape", [other], lambda data: ints(*data.shape))
    rank = graph.array(other).ndim
    if rank and graph.chance.random() < 0.5:
        # What exporters write for a target of which -1 stands for the dimension as it is.
        wanted = [size if graph.chance.random() < 0.5 else -1 for size in graph.array(other).shape]
        wanted = graph.constant(ints(*wanted))
        marked = graph.add("Equal", [wanted, graph.constant(np.array(-1, INT64))], np.equal)
        target = graph.add("Where", [marked, target, wanted], np.where)
    return expanded(graph, x, target)


def expanded(graph, x, target):
    return graph.add(
        "Expand", [x, target], lambda data, to: np.broadcast_to(data, np.broadcast_shapes(data.shape, tuple(to)))
    )


def expand_by_value(graph):
    target = graph.pick(lambda array: is_vector(array) and len(array) <= MOST_RANK and (not len(array) or array.min() > 0))
    sizes = graph.array(target)
    fits = lambda array: all(a == b or 1 in (a, b) for a, b in zip(array.shape[::-1], sizes[::-1]))
    return expanded(graph, graph.pick(fits), target)


def tile(graph):
    x = graph.pick(lambda array: array.ndim >= 1)
    rank = graph.array(x).ndim
    if graph.chance.random() < 0.5:
        repeats = graph.constant(ints(*(graph.chance.randint(1, 3) for _ in range(rank))))
    else:
        parts = [as_vector(graph, some_size(graph))]
        parts += [graph.constant(ints(1)) for _ in range(rank - 1)]
        repeats = graph.add("Concat", parts, lambda *arrays: np.concatenate(arrays), axis=0)
    return graph.add("Tile", [x, repeats], lambda data, by: np.tile(data, by))


def pad(graph):
    x = graph.pick(lambda array: has_axis(array) and array.dtype in NUMBERS)
    array = graph.array(x)
    amounts = [graph.chance.choice([0, 0, 1, 2, -1]) for _ in range(2 * array.ndim)]
    pads = graph.constant(ints(*amounts))
    if graph.chance.random() < 0.3:
        parts = [as_vector(graph, some_size(graph)), graph.constant(ints(*[0] * (2 * array.ndim - 1)))]
        pads = graph.add("Concat", parts, lambda *arrays: np.concatenate(arrays), axis=0)

    def meaning(data, by, *_):
        if not data.ndim or by.shape != (2 * data.ndim,):
            raise Reject
        before, after = by[: data.ndim], by[data.ndim :]
        if any(low + high + length < 0 for low, high, length in zip(before, after, data.shape)):
            raise Reject
        if any(min(low, high) < -length for low, high, length in zip(before, after, data.shape)):
            raise Reject
        part = tuple(
            slice(max(-low, 0), length + min(high, 0)) for low, high, length in zip(before, after, data.shape)
        )
        return np.pad(data[part], [(max(low, 0), max(high, 0)) for low, high in zip(before, after)])

    # With a value that is not zero the elements are others than here; which only onnxruntime needs to know.
    return graph.add("Pad", [x, pads], meaning)


# Made of sizes.


def constant_of_shape(graph):
    if graph.chance.random() < 0.5:
        sizes = graph.pick(lambda array: is_vector(array) and len(array) <= MOST_RANK and (not len(array) or array.min() >= 0))
    else:
        parts = [as_vector(graph, some_size(graph)) for _ in range(graph.chance.randint(1, 2))]
        sizes = graph.add("Concat", parts, lambda *arrays: np.concatenate(arrays), axis=0)
    value = graph.chance.choice([np.array([0], FLOAT), np.array([1], INT64), np.array([-1], INT64), np.array([True])])
    return graph.add("ConstantOfShape", [sizes], lambda to: np.full(tuple(to), value[0], value.dtype), value=value)


def range_of(graph):
    end = graph.scalar(some_size(graph))
    start = graph.constant(np.array(graph.chance.choice([0, 0, 1, -2, 10]), INT64))
    step = graph.constant(np.array(graph.chance.choice([1, 1, 2, 3]), INT64))
    return graph.add("Range", [start, end, step], lambda low, high, by: np.arange(low, high, by, dtype=INT64))


def eye_like(graph):
    x = graph.pick(lambda array: array.ndim == 2 and array.dtype in NUMBERS)
    return graph.add("EyeLike", [x], lambda data: np.eye(*data.shape, dtype=data.dtype))


def one_hot(graph):
    x = graph.pick(lambda array: array.dtype == INT64 and 1 <= array.ndim < MOST_RANK)
    rank = graph.array(x).ndim
    axis = graph.chance.randint(-rank - 1, rank)
    depth = graph.scalar(some_size(graph)) if graph.chance.random() < 0.6 else graph.constant(np.array(3, INT64))
    values = graph.constant(np.array([0, 1], FLOAT))

    def meaning(places, depth, values):
        places = np.expand_dims(np.where(places < 0, places + depth, places), axis)
        shape = [1] * places.ndim
        shape[axis] = -1
        return np.where(places == np.arange(depth).reshape(shape), values[1], values[0])

    return graph.add("OneHot", [x, depth, values], meaning, axis=axis)


def nonzero(graph):
    return graph.add("NonZero", [graph.pick(lambda array: array.ndim >= 1)], lambda data: np.array(np.nonzero(data), INT64))


# Many to one.

REDUCTIONS = {
    "ReduceSum": np.sum,
    "ReduceProd": np.prod,
    "ReduceMax": np.max,
    "ReduceMin": np.min,
    "ReduceMean": np.mean,
    "ReduceL1": lambda data, **how: np.sum(np.abs(data), **how),
    "ReduceL2": lambda data, **how: np.sqrt(np.sum(data * data, **how)),
    "ReduceSumSquare": lambda data, **how: np.sum(data * data, **how),
}


def reduction(graph):
    op_type, meaning = graph.chance.choice(list(REDUCTIONS.items()))
    exact = op_type in ("ReduceSum", "ReduceProd", "ReduceMax", "ReduceMin")
    x = graph.pick(
        lambda array: array.ndim <= MOST_RANK and array.size and array.dtype in ((FLOAT, INT64) if exact else (FLOAT,)),
        prefer=small,
    )
    array = graph.array(x)
    keep = graph.chance.choice([0, 1])
    if not array.ndim or graph.chance.random() < 0.2:
        axes, more, attributes = None, [], {}
    else:
        axes = axes_of(graph, array)
        more, attributes = with_axes(graph, axes, 13 if op_type == "ReduceSum" else 18)
        axes = tuple(axes)

    def whole(data, *_):
        # What onnxruntime makes of nothing is not what the dimensions say.
        if not data.size:
            raise Reject
        return np.asarray(meaning(data, axis=axes, keepdims=bool(keep))).astype(data.dtype)

    return graph.add(op_type, [x, *more], whole, keepdims=keep, **attributes)


def arg(graph):
    op_type, meaning = graph.chance.choice([("ArgMax", np.argmax), ("ArgMin", np.argmin)])
    x = graph.pick(lambda array: has_axis(array) and array.dtype == FLOAT and array.size)
    axis, keep = axis_of(graph, graph.array(x)), graph.chance.choice([0, 1])

    def whole(data):
        if not data.size:
            raise Reject
        return meaning(data, axis=axis, keepdims=bool(keep))

    return graph.add(op_type, [x], whole, axis=axis, keepdims=keep)


def top_k(graph):
    x = graph.pick(lambda array: has_axis(array) and array.dtype in (FLOAT, INT64) and array.size)
    array = graph.array(x)
    axis = axis_of(graph, array)
    if graph.chance.random() < 0.5:
        k = graph.constant(ints(graph.chance.randint(1, array.shape[axis])))
    elif graph.opset < 12:
        raise Reject
    else:
        k = as_vector(graph, some_size(graph))
        k = graph.add("Min", [k, graph.constant(ints(array.shape[axis]))], np.minimum)

    def meaning(data, count):
        if count[0] > data.shape[axis]:
            raise Reject
        order = np.argsort(-data, axis, kind="stable").take(range(count[0]), axis)
        return [np.take_along_axis(data, order, axis), order]

    return graph.add("TopK", [x, k], meaning, outputs=2, axis=axis)


def cum_sum(graph):
    x = graph.pick(lambda array: has_axis(array) and array.dtype in (FLOAT, INT64), prefer=is_vector)
    axis = axis_of(graph, graph.array(x))
    exclusive, backwards = graph.chance.choice([0, 0, 1]), graph.chance.choice([0, 0, 1])

    def meaning(data, _):
        data = np.flip(data, axis) if backwards else data
        total = np.cumsum(data, axis, dtype=data.dtype)
        total = total - data if exclusive else total
        return np.flip(total, axis) if backwards else total

    return graph.add("CumSum", [x, graph.constant(np.array(axis, INT64))], meaning, exclusive=exclusive, reverse=backwards)


def trilu(graph):
    if graph.opset < 14:
        raise Reject
    x = graph.pick(lambda array: 2 <= array.ndim and array.dtype in (FLOAT, INT64, BOOL) and array.size)
    upper = graph.chance.choice([0, 1])
    return graph.add("Trilu", [x], np.triu if upper else np.tril, upper=upper)


# How often each is tried, beside the others.
OPERATORS = {
    shape: 5,
    size: 1,
    some_size: 4,
    arithmetic: 6,
    power: 1,
    sign: 1,
    rounding: 1,
    half: 1,
    comparison: 3,
    logic: 2,
    where: 3,
    cast: 3,
    identity: 1,
    gather: 4,
    gather_elements: 1,
    gather_nd: 1,
    scatter_nd: 1,
    scatter_elements: 1,
    compress: 1,
    sliced: 5,
    concat: 5,
    split: 2,
    squeeze: 2,
    unsqueeze: 3,
    flatten: 1,
    transpose: 2,
    reshape: 5,
    reshape_to_value: 2,
    expand: 3,
    expand_by_value: 2,
    tile: 2,
    pad: 2,
    constant_of_shape: 2,
    range_of: 2,
    eye_like: 1,
    one_hot: 1,
    nonzero: 1,
    reduction: 4,
    arg: 1,
    top_k: 1,
    cum_sum: 2,
    trilu: 1,
}
