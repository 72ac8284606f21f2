"""Small models that must convert: an attribute that becomes an input and the other way round, a default that changed, a
name that changed, and an operator in the place of another. Each is run before and after."""

from dataclasses import dataclass

import numpy
import onnx.parser
from conversion_cases import PLAIN, Case
from onnx import helper, numpy_helper

# What a symbol stands for in the data.
SYMBOL = 3


@dataclass(frozen=True)
class Model:
    """A graph at an opset, and the opsets that it must convert to, or `may` be refused at."""

    name: str
    opset: int
    graph: str
    targets: tuple
    may: bool = False

    def case(self):
        model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": {self.opset}]> agraph {self.graph}')
        random = numpy.random.default_rng(len(self.graph))
        given = []
        for info in model.graph.input:
            tensor = info.type.tensor_type
            dims = [SYMBOL if dim.dim_param else dim.dim_value for dim in tensor.shape.dim]
            array = random.normal(size=dims).astype(helper.tensor_dtype_to_np_dtype(tensor.elem_type))
            # Variances among them must not be negative.
            given.append(numpy_helper.from_array(numpy.abs(array) if info.name == "variance" else array))
        return Case(f"small/{self.name}", model, tuple(given), (), PLAIN)


def up(opset, last=26):
    return tuple(range(opset + 1, last + 1))


def down(opset, last=7):
    return tuple(range(opset - 1, last - 1, -1))


MODELS = [
    # An attribute is an input from some version on.
    Model("reduce_axes_up", 13, "(float[n,4] a) => (float[n,1] b) { b = ReduceMean<axes=[1]>(a) }", up(13)),
    Model("reduce_sum_up", 11, "(float[n,4] a) => (float[n] b) { b = ReduceSum<axes=[-1], keepdims=0>(a) }", up(11)),
    Model("unsqueeze_up", 12, "(float[n] a) => (float[n,1] b) { b = Unsqueeze<axes=[1]>(a) }", up(12)),
    Model("squeeze_up", 12, "(float[n,1] a) => (float[n] b) { b = Squeeze<axes=[1]>(a) }", up(12)),
    Model(
        "split_up",
        12,
        "(float[n,4] a) => (float[n,1] b, float[n,3] c) { b, c = Split<axis=1, split=[1,3]>(a) }",
        up(12),
    ),
    Model("split_one_axis_up", 12, "(float[5] a) => (float[2] b, float[3] c) { b, c = Split<split=[2,3]>(a) }", up(12)),
    Model("clip_up", 10, "(float[n] a) => (float[n] b) { b = Clip<min=0.0, max=0.5>(a) }", up(10)),
    Model("pad_up", 10, "(float[n,2] a) => (float[n,4] b) { b = Pad<pads=[0,1,0,1]>(a) }", up(10)),
    Model("pad_value_up", 10, "(float[n,2] a) => (float[n,3] b) { b = Pad<pads=[0,0,0,1], value=2.5>(a) }", up(10)),
    Model("slice_up", 9, "(float[n,4] a) => (float[n,2] b) { b = Slice<axes=[1], starts=[1], ends=[3]>(a) }", up(9)),
    Model("top_k_up", 9, "(float[n,4] a) => (float[n,2] b, int64[n,2] c) { b, c = TopK<k=2>(a) }", up(9)),
    Model("dropout_up", 11, "(float[n,4] a) => (float[n,4] b) { b = Dropout<ratio=0.5>(a) }", up(11)),
    # And an input that is constant is an attribute before it.
    Model("reduce_down", 18, "(float[n,4] a) => (float[n,1] b) <int64[1] s = {1}> { b = ReduceMean(a, s) }", down(18)),
    Model("unsqueeze_down", 13, "(float[n] a) => (float[n,1] b) <int64[1] s = {1}> { b = Unsqueeze(a, s) }", down(13)),
    Model("squeeze_down", 13, "(float[n,1] a) => (float[n] b) <int64[1] s = {1}> { b = Squeeze(a, s) }", down(13)),
    Model(
        "slice_down",
        11,
        "(float[n,4] a) => (float[n,2] b) <int64[1] s = {1}, int64[1] e = {3}> { b = Slice(a, s, e, s) }",
        down(11),
    ),
    Model(
        "top_k_down",
        10,
        "(float[n,4] a) => (float[n,2] b, int64[n,2] c) <int64[1] k = {2}> { b, c = TopK(a, k) }",
        down(10),
    ),
    # Empty inputs have no meaning before the inputs were there.
    Model("clip_without_bounds_down", 12, '(float[4] a) => (float[4] b) { b = Clip(a, "", "") }', down(12)),
    # Parts without sizes have to be counted from 18 on.
    Model("split_even_up", 13, "(float[4] a) => (float[2] b, float[2] c) { b, c = Split(a) }", up(13)),
    # Defaults that changed.
    Model("dft_up", 17, "(float[1,4,3,1] a) => (float[1,4,3,2] b) { b = DFT(a) }", up(17)),
    Model("softmax_last_up", 12, "(float[n,4] a) => (float[n,4] b) { b = Softmax<axis=1>(a) }", up(12)),
    Model("softmax_last_down", 13, "(float[2,3] a) => (float[2,3] b) { b = Softmax(a) }", down(13)),
    # Values that were renamed, and inputs that were.
    Model(
        "grid_sample_up",
        16,
        "(float[1,1,2,2] a, float[1,2,2,2] g) => (float[1,1,2,2] b) { b = GridSample(a, g) }",
        up(16),
    ),
    Model(
        "batch_normalization_up",
        9,
        "(float[1,3,2,2] a, float[3] s, float[3] o, float[3] m, float[3] variance) => (float[1,3,2,2] b)"
        " { b = BatchNormalization(a, s, o, m, variance) }",
        up(9),
    ),
    # Another operator, or the same with what was understood before said.
    Model(
        "upsample_up",
        9,
        '(float[1,1,2,2] a) => (float[1,1,4,4] b) <float[4] s = {1, 1, 2, 2}> { b = Upsample<mode="nearest">(a, s) }',
        up(9),
    ),
    Model(
        "resize_up",
        10,
        '(float[1,1,2,2] a) => (float[1,1,4,4] b) <float[4] s = {1, 1, 2, 2}> { b = Resize<mode="nearest">(a, s) }',
        up(10),
    ),
    # A value that is the default now, and that the version before does not have: it never shifts regions.
    Model(
        "roi_align_down",
        16,
        "(float[1,1,4,4] a) => (float[1,1,2,2] b) <float[1,4] r = {0, 0, 3, 3}, int64[1] i = {0}>"
        " { b = RoiAlign<output_height=2, output_width=2, coordinate_transformation_mode=\"half_pixel\">(a, r, i) }",
        down(16, last=10),
        may=True,
    ),
    # What follows from the rank alone may be written so, or refused.
    Model(
        "flatten_down", 11, "(float[2,3,4] a) => (float[6,4] b) { b = Flatten<axis=-1>(a) }", down(11, last=9), may=True
    ),
    # A batch of one, which is an axis more.
    Model(
        "scan_batch_up",
        8,
        '(float[1,2] i, float[1,3,2] a) => (float[1,2] b, float[1,3,2] c) { b, c = Scan<num_scan_inputs: int = 1, '
        'directions = [1], body = step (float[2] s, float[2] n) => (float[2] t, float[2] u) '
        '{ t = Add(s, n) u = Identity(t) }>("", i, a) }',
        up(8),
    ),
    Model(
        "scan_batch_down",
        11,
        "(float[2] i, float[3,2] a, float[3,2] d) => (float[2] b, float[3,2] c, float[3] e) "
        "{ b, c, e = Scan<num_scan_inputs: int = 2, scan_input_directions = [0, 1], "
        "body = step (float[2] s, float[2] n, float[2] m) => (float[2] t, float[2] u, float v) "
        "{ x = Mul(n, m) t = Add(s, x) u = Identity(t) v = ReduceSum<keepdims = 0>(t) }>(i, a, d) }",
        down(11, last=8),
    ),
    # An element type that the older version does not have.
    Model(
        "flatten_integers_down",
        9,
        "(int64[2,3,4] a) => (int64[6,4] b) { b = Flatten<axis=2>(a) }",
        down(9, last=8),
    ),
]


def cases():
    """Each model as a case, with its targets, and whether it may be refused."""
    return [(model.case(), model.targets, model.may) for model in MODELS]
