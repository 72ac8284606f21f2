"""Models whose nodes are calls of functions, which call others; for `export_models.py onnxscript`."""

from onnxscript import FLOAT, INT64, script
from onnxscript import opset18 as op
from onnxscript.values import Opset

own = Opset("com.acme", 1)
Any = FLOAT[...]
Sequences = FLOAT["batch", "steps", 16]
Images = FLOAT["batch", 3, "height", "width"]
Rows = FLOAT["batch", 4]


@script(own)
def normalized(x, scale):
    mean = op.ReduceMean(x, op.Constant(value_ints=[-1]))
    apart = x - mean
    return apart / op.Sqrt(op.ReduceMean(apart * apart, op.Constant(value_ints=[-1])) + 0.00001) * scale


@script(own)
def split_heads(x, count):
    rest = op.Constant(value_ints=[-1])
    shape = op.Concat(op.Constant(value_ints=[0, 0]), op.Reshape(count, op.Constant(value_ints=[1])), rest, axis=0)
    return op.Transpose(op.Reshape(x, shape), perm=[0, 2, 1, 3])


@script(own)
def attended(q, k, v, count):
    heads = split_heads(q, count)
    scores = op.Softmax(op.MatMul(heads, op.Transpose(split_heads(k, count), perm=[0, 1, 3, 2])), axis=-1)
    both = op.Transpose(op.MatMul(scores, split_heads(v, count)), perm=[0, 2, 1, 3])
    return op.Reshape(both, op.Shape(q))


@script()
def attention(x: Sequences, scale: FLOAT[16]) -> Any:
    heads = op.Constant(value_int=4)
    inner = normalized(x, scale)
    return x + attended(inner, inner, inner, heads)


@script()
def padded(x: Images) -> Any:
    # To a multiple of 32, in floats as detectors do it.
    size = op.Shape(x, start=2)
    whole = op.Cast(op.Ceil(op.Cast(size, to=1) / 32.0) * 32.0, to=7)
    more = op.Concat(op.Constant(value_ints=[0, 0, 0, 0, 0, 0]), whole - size, axis=0)
    return op.AveragePool(op.Pad(x, more), kernel_shape=[4, 4], strides=[4, 4])


@script()
def repeated(x: Rows, count: INT64) -> Any:
    result = x
    for _ in range(count):
        result = normalized(result, op.Constant(value_floats=[1.0, 1.0, 1.0, 1.0]))
    return result


@script()
def chosen(x: Rows) -> Any:
    if op.ReduceSum(x, keepdims=0) > 0.0:
        result = op.Concat(x, x, axis=1)
    else:
        result = op.Identity(x)
    return op.Softmax(result)


MODELS = (attention, padded, repeated, chosen)
