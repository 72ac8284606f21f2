"""Small models for `shape simplify`, one for each thing that it takes away, and for each that looks the same and is not.

`most` is how many nodes of a model may be left, in all its graphs and functions, and `least` how many must be. `@2`,
`@[1,-1]`, `@0.5` and `@true` in a body are initializers of the type that they look like, equal ones the same.
"""

import re
from dataclasses import dataclass

import onnx.parser

LITERAL = re.compile(r"@(\[[^\]]*\]|-?[\w.]+)")
LAST = "9223372036854775807"
LOCAL = ', "local": 1'


def initializer(name, literal):
    """The declaration of a constant."""
    kind = "float" if "." in literal else "bool" if literal in ("true", "false") else "int64"
    entries = literal.strip("[]").replace("true", "1").replace("false", "0")
    dims = f"[{len(entries.split(','))}]" if literal.startswith("[") else ""
    return f"{kind}{dims} {name} = {{{entries}}}"


@dataclass(frozen=True)
class Case:
    """`given` has further initializers, and `functions` the functions of the model."""

    name: str
    head: str
    body: str
    most: int | None = None
    least: int = 0
    given: str = ""
    opset: int = 17
    functions: tuple = ()
    imports: str = ""

    def model(self):
        names = {}
        body = LITERAL.sub(lambda found: names.setdefault(found[1], f"k{len(names)}"), self.body)
        given = ", ".join([*filter(None, [self.given]), *(initializer(name, text) for text, name in names.items())])
        functions = " ".join(f'<domain: "local", opset_import: ["": {self.opset}]> {each}' for each in self.functions)
        return onnx.parser.parse_model(
            f'<ir_version: 8, opset_import: ["": {self.opset}{self.imports}]> '
            f"agraph {self.head} {f'<{given}>' if given else ''} {{ {body} }} {functions}"
        )


def branches(then, other="b = Neg(x)", names="ab"):
    """The branches of an If, each of which gives a vector."""
    return (
        f"<then_branch = then_graph () => (float[N] {names[0]}) {{ {then} }}, "
        f"else_branch = else_graph () => (float[N] {names[1]}) {{ {other} }}>"
    )


ROWS, MATRIX, CUBE = "(float[N] x) => (float[N] y)", "(float[A,B] x) => (float[A,B] y)", "(float[A,B,C] x) => (float[A,B,C] y)"
BATCH = "s = Shape(x) n = Gather<axis=0>(s, @[0]) "
BATCH_AND_TIME = (
    "s = Shape(x) b = Gather<axis=0>(s, @0) t = Gather<axis=0>(s, @1) v = Unsqueeze(b, @[0]) w = Unsqueeze(t, @[0]) "
)

# Arguments that are numbers, or that a constant says as well.
TARGETS = [
    Case("reshape_one_symbol", "(float[N,3,4] x) => (float[M,12] y)",
         "s = Shape(x) b = Gather<axis=0>(s, @0) v = Unsqueeze(b, @[0]) t = Concat<axis=0>(v, @[12]) y = Reshape(x, t)", 1),
    Case("reshape_copied_axes", "(float[N,T,64] x) => (float[N,T,4,16] y)",
         BATCH_AND_TIME + "r = Concat<axis=0>(v, w, @[4,16]) y = Reshape(x, r)", 1),
    Case("reshape_moved_axes", "(float[N,T,64] x) => (float[A,B,C] y)",
         BATCH_AND_TIME + "r = Concat<axis=0>(w, v, @[64]) y = Reshape(x, r)"),
    Case("reshape_symbol_behind", "(float[N,3] x) => (float[3,M] y)",
         BATCH + "t = Concat<axis=0>(@[3], n) y = Reshape(x, t)", 1),
    Case("reshape_like_another", "(float[N,4] x, float[N,2,2] w) => (float[N,2,2] y)", "t = Shape(w) y = Reshape(x, t)", 1),
    Case("reshape_to_product", "(float[N,T,8] x) => (float[M,8] y)",
         "s = Shape(x) a = Gather<axis=0>(s, @[0]) b = Gather<axis=0>(s, @[1]) m = Mul(a, b) "
         "t = Concat<axis=0>(m, @[8]) y = Reshape(x, t)", 1),
    Case("reshape_allowzero", "(float[N,4] x) => (float[A,B] y)",
         BATCH + "t = Concat<axis=0>(n, @[4]) y = Reshape<allowzero=1>(x, t)"),
    Case("reshape_by_half", "(float[N,4] x) => (float[A,B] y)",
         BATCH + "h = Div(n, @[2]) t = Concat<axis=0>(h, @[8]) y = Reshape(x, t)"),
    Case("expand_known_axes", "(float[N,1] x) => (float[N,4] y)",
         BATCH + "t = Concat<axis=0>(n, @[4]) y = Expand(x, t)", 1),
    Case("expand_to_another", "(float[1,3] x, float[N,3] w) => (float[N,3] y)", "s = Shape(w) y = Expand(x, s)", 2, 2),
    Case("expand_to_another_or_one", "(float[N,3] x, float[M,3] w) => (float[A,3] y)", "s = Shape(w) y = Expand(x, s)", 2, 2),
    Case("slice_by_half", "(float[N,8] x) => (float[N,4] y)",
         "s = Shape(x) g = Gather<axis=0>(s, @[1]) h = Div(g, @[2]) y = Slice(x, @[0], h, @[1])", 1),
    Case("tile_by_numbers", "(float[N,2] x, float[5,2] w) => (float[M,K] y)",
         "s = Shape(w) e = Slice(s, @[1], @[2]) t = Concat<axis=0>(@[2], e) y = Tile(x, t)", 1),
    Case("pad_by_numbers", "(float[N,2] x, float[5,2] w) => (float[M,K] y)",
         "s = Shape(w) e = Slice(s, @[1], @[2]) p = Concat<axis=0>(e, @[0,1,0]) y = Pad(x, p)", 1),
    Case("range_of_numbers", "(float[5,N] x) => (int64[5] y)",
         "s = Shape(x) n = Gather<axis=0>(s, @0) y = Range(@0, n, @1)", 1),
    Case("filled_of_numbers", "(float[5,N] x) => (float[5] y)", BATCH + "y = ConstantOfShape(n)", 1),
    Case("gather_of_a_number", "(float[N,4] x, float[2,M] w) => (float[N] y)",
         "s = Shape(w) n = Gather<axis=0>(s, @0) m = Sub(n, @1) y = Gather<axis=1>(x, m)", 1),
]

# Shapes by fewer nodes, and what is there twice.
CHAINS = [
    Case("shape_slice", "(float[A,B,C] x) => (int64[2] y)", "s = Shape(x) y = Slice(s, @[0], @[2])", 1),
    Case("shape_slice_before_start", "(float[A,B,C] x) => (int64[2] y)", "s = Shape(x) y = Slice(s, @[0], @[2])", 2, 2, opset=14),
    Case("shape_gathers", "(float[A,B,C] x) => (int64[2] y)", BATCH_AND_TIME + "y = Concat<axis=0>(v, w)", 1),
    Case("shape_gathers_backwards", "(float[A,B,C] x) => (int64[2] y)", BATCH_AND_TIME + "y = Concat<axis=0>(w, v)", 3),
    Case("shape_of_shape", "(float[A,B,C] x) => (int64[1] y)", "s = Shape(x) y = Shape(s)", 1),
    Case("shape_start_end", "(float[A,2,C] x) => (int64[1] y, int64[2] z)",
         "y = Shape<start=-2, end=-1>(x) z = Shape<start=-9, end=2>(x)", 2),
    Case("size_of_shape", "(float[A,B] x) => (int64 y)", "s = Shape(x) y = Size(s)", 1),
    Case("sum_of_sizes", "(float[A,B] x, float[C,B] w) => (float[D,B] y, int64[1] n)",
         "y = Concat<axis=0>(x, w) s = Shape(y) n = Gather<axis=0>(s, @[0])", 2),
    Case("twice", MATRIX, "a = Relu(x) b = Relu(x) y = Add(a, b)", 2, 2),
    Case("twice_as_outputs", "(float[N] x) => (float[N] y, float[N] z)", "y = Relu(x) z = Relu(x)", 2),
    Case("twice_by_equal_initializers", ROWS, "a = Mul(x, v) b = Mul(x, w) y = Add(a, b)", 2,
         given="float[1] v = {0.5}, float[1] w = {0.5}"),
    Case("equal_but_for_the_sign", "(float[N] x) => (float[N] y, float[N] z)", "y = Div(x, v) z = Div(x, w)", 2, 2,
         given="float[1] v = {0.0}, float[1] w = {-0.0}"),
    Case("equal_but_for_the_type", "(int64[N] x) => (int64[N] y, int32[N] z)", "y = Add(x, v) c = Cast<to=6>(x) z = Add(c, w)", 3, 3,
         given="int64[1] v = {5}, int32[1] w = {5}"),
    Case("equal_but_for_the_dims", "(float[N] x) => (float[N] y, float[1,N] z)", "y = Add(x, v) z = Add(x, w)", 2, 2,
         given="float[1] v = {5.0}, float[1,1] w = {5.0}"),
    Case("equal_but_for_an_attribute", MATRIX, "a = Softmax<axis=0>(x) b = Softmax(x) y = Add(a, b)", 3, 3),
    Case("random_twice", MATRIX, "a = RandomUniformLike(x) b = RandomUniformLike(x) c = Equal(a, b) d = Cast<to=1>(c) y = Mul(x, d)", 5, 5),
    Case("random_from_nothing", "() => (float[M] y)",
         "a = RandomUniform<shape=[3]>() b = RandomUniform<shape=[3]>() c = Equal(a, b) y = Cast<to=1>(c)", 4, 4),
    Case("division_below_zero", "(float[A] x) => (int64[1] y)", "s = Shape(x) d = Sub(s, @[3]) y = Div(d, @[2])"),
    Case("remainder_below_zero", "(float[A] x) => (int64[1] y, int64[1] z)",
         "s = Shape(x) d = Sub(s, @[3]) y = Mod(d, @[2]) z = Mod<fmod=1>(d, @[2])"),
    Case("wrapped_64_bits", "(float[A] x) => (int64[1] y)", "s = Shape(x) y = Mul(s, @[4611686018427387904])"),
    Case("wrapped_32_bits", "(float[A] x) => (int32[1] y)", "s = Shape(x) c = Cast<to=6>(s) y = Add(c, w)", given="int32[1] w = {2147483647}"),
    Case("through_32_bits", "(float[A] x) => (int64[1] y)", "s = Shape(x) m = Mul(s, @[4294967297]) c = Cast<to=6>(m) y = Cast<to=7>(c)"),
    Case("through_floats", "(float[A] x) => (int64[1] y)", "s = Shape(x) f = Cast<to=1>(s) m = Mul(f, @[0.5]) r = Floor(m) y = Cast<to=7>(r)", 5),
    Case("through_bool", "(float[A] x) => (int64[1] y)", "s = Shape(x) b = Cast<to=9>(s) y = Cast<to=7>(b)", 3, 3),
]

# Nodes that do nothing, and some that do a little.
NOTHING = [
    Case("identity", ROWS, "a = Relu(x) b = Identity(a) c = Identity(b) y = Neg(c)", 2),
    Case("identity_to_output", ROWS, "a = Relu(x) y = Identity(a)", 1),
    Case("identity_of_input", ROWS, "y = Identity(x)", 1, 1),
    Case("identity_of_initializer", "(float[2] x) => (float[2] y, float[2] z)", "y = Identity(w) a = Identity(w) z = Add(x, a)", 2,
         given="float[2] w = {1.0, 2.0}"),
    Case("identity_to_outputs", "(float[N] x) => (float[N] y, float[N] z, float[N] a)", "a = Relu(x) y = Identity(a) z = Identity(a)", 3),
    Case("identity_of_sequence", ROWS, "q = SequenceConstruct(x) r = Identity(q) y = SequenceAt(r, @0)", 2),
    Case("dropout", ROWS, "a = Dropout(x) y = Relu(a)", 1),
    Case("dropout_old", ROWS, "a = Dropout<ratio=0.3>(x) y = Relu(a)", 1, opset=9),
    Case("dropout_with_mask", "(float[N] x) => (float[N] y, bool[N] m)", "y, m = Dropout(x)"),
    Case("dropout_mask_is_read", ROWS, "a, m = Dropout(x) y = Where(m, a, x)"),
    Case("dropout_trains", ROWS, "a = Dropout<seed=3>(x, @0.5, @true) y = Relu(a)", 2, 2),
    Case("dropout_may_train", "(float[N] x, bool t) => (float[N] y)", "a = Dropout<seed=3>(x, @0.5, t) y = Relu(a)", 2, 2),
    Case("dropout_default_may_train", "(float[N] x, bool t = {0}) => (float[N] y)", "a = Dropout<seed=3>(x, @0.5, t) y = Relu(a)", 2, 2),
    Case("cast_same", ROWS, "a = Cast<to=1>(x) y = Relu(a)", 1),
    Case("cast_and_back", "(float[N] x) => (float[N] y, float[N] z)",
         "a = Cast<to=11>(x) y = Cast<to=1>(a) b = Cast<to=10>(x) z = Cast<to=1>(b)", 4, 2),
    Case("transpose_identity", MATRIX, "a = Transpose<perm=[0,1]>(x) y = Relu(a)", 1),
    Case("transpose_pair", CUBE, "a = Transpose<perm=[1,2,0]>(x) b = Transpose<perm=[2,0,1]>(a) y = Relu(b)", 1),
    Case("transpose_default_pair", CUBE, "a = Transpose(x) b = Transpose(a) y = Relu(b)", 1),
    Case("transpose_chain", "(float[A,B,C] x) => (float[C,A,B] y)", "a = Transpose<perm=[1,2,0]>(x) y = Transpose<perm=[1,2,0]>(a)", 1, 1),
    Case("transpose_shared", "(float[A,B] x) => (float[B,A] y, float[A,B] z)", "a = Transpose(x) y = Relu(a) z = Transpose(a)", 3, 2),
    Case("reshape_same", MATRIX, "s = Shape(x) a = Reshape(x, s) y = Relu(a)", 1),
    Case("reshape_same_by_marks", "(float[A,4] x) => (float[A,4] y)", "a = Reshape(x, @[-1,4]) y = Relu(a)", 1),
    Case("reshape_chain", "(float[A,6] x) => (float[A,2,3] y)", "a = Reshape(x, @[-1]) y = Reshape(a, @[-1,2,3])", 1),
    Case("reshape_chain_copies", "(float[A,6] x) => (float[B,C] y)", "a = Reshape(x, @[-1,2,3]) y = Reshape(a, @[0,-1])", 1),
    Case("reshape_chain_copies_another", "(float[A,6] x) => (float[B,C,D] y)", "a = Reshape(x, @[6,-1]) y = Reshape(a, @[0,1,-1])"),
    Case("reshape_of_flatten", "(float[A,2,3] x) => (float[B,C,D] y)", "a = Flatten(x) y = Reshape(a, @[0,3,2])", 2),
    Case("slice_all", MATRIX, f"a = Slice(x, @[0,0], @[{LAST},{LAST}]) y = Relu(a)", 1),
    Case("slice_all_old", MATRIX, f"a = Slice<starts=[0], ends=[{LAST}], axes=[1]>(x) y = Relu(a)", 1, opset=9),
    Case("slice_all_by_shape", MATRIX, "s = Shape(x) a = Slice(x, @[0,0], s) y = Relu(a)", 1),
    Case("slice_backwards", ROWS, f"a = Slice(x, @[-1], @[-{LAST}], @[0], v) y = Relu(a)", 2, 2, given="int64[1] v = {-1}"),
    Case("slice_of_some", "(float[A] x) => (float[B] y)", "a = Slice(x, @[0], @[2]) y = Relu(a)", 2, 2),
    Case("concat_one", ROWS, "a = Concat<axis=0>(x) y = Relu(a)", 1),
    Case("squeeze_pair", "(float[A,1] x) => (float[A,1] y)", "a = Squeeze(x, @[1]) b = Unsqueeze(a, @[1]) y = Relu(b)", 1),
    Case("unsqueeze_pair", ROWS, "a = Unsqueeze(x, @[1]) b = Squeeze(a, @[1]) y = Relu(b)", 1),
    Case("unsqueeze_pair_old", ROWS, "a = Unsqueeze<axes=[0]>(x) b = Squeeze<axes=[0]>(a) y = Relu(b)", 1, opset=11),
    Case("unsqueeze_pair_from_behind", ROWS, "a = Unsqueeze(x, @[1]) b = Squeeze(a, @[-1]) y = Relu(b)", 1),
    Case("unsqueeze_and_another", "(float[A,1] x) => (float[M,N] y)", "a = Unsqueeze(x, @[0]) b = Squeeze(a, @[2]) y = Relu(b)", 3, 2),
    Case("squeeze_all_of_size_one", "(float[A,1] x) => (float y)",
         "a = Unsqueeze(x, @[1]) b = Squeeze(a) c = Shape(b) d = Cast<to=1>(c) y = ReduceSum<keepdims=0>(d)"),
    Case("expand_same", MATRIX, "s = Shape(x) a = Expand(x, s) y = Relu(a)", 1),
    Case("expand_ones", MATRIX, "a = Expand(x, @[1,1]) y = Relu(a)", 1),
    Case("expand_adds_axis", "(float[A] x) => (float[1,A] y)", "a = Expand(x, @[1,1]) y = Relu(a)", 2, 2),
    Case("pad_nothing", MATRIX, "a = Pad(x, @[0,0,0,0]) y = Relu(a)", 1),
    Case("pad_nothing_reflected", MATRIX, 'a = Pad<mode="reflect">(x, @[0,0,0,0]) y = Relu(a)', 2),
    Case("pad_less", "(float[A,4] x) => (float[A,2] y)", "a = Pad(x, @[0,-1,0,-1]) y = Relu(a)", 2, 2),
    Case("unused", "(float[A,B] x, float[A] w) => (float[A,B] y)", "a = Neg(x) b = Shape(a) c = Size(w) y = Relu(x)", 1,
         given="float[2] v = {1.0, 2.0}"),
    Case("unused_outputs", "(float[A,4] x) => (float[A,2] y)", "y, z = Split<axis=1>(x)", 1, 1),
]

# Graphs in nodes.
SUBGRAPHS = [
    Case("if_known", ROWS, f"y = If(@true) {branches('a = Relu(x)')}", 1),
    Case("if_known_by_shape", ROWS, f"s = Shape(x) r = Size(s) c = Equal(r, @1) y = If(c) {branches('a = Relu(x)')}", 1),
    Case("if_gives_outer_value", ROWS, f"q = Abs(x) z = If(@true) {branches('a = Identity(q)')} y = Neg(z)", 2),
    Case("if_names_twice", ROWS,
         f"p = If(@true) {branches('i = Relu(x) a = Neg(i)')} q = If(@false) {branches('a = Abs(x)', 'i = Tanh(x) b = Neg(i)')} "
         "y = Add(p, q)", 5),
    Case("if_within_if", ROWS,
         f"y = If(@true) {branches('a = If(@false) ' + branches('c = Relu(x)', 'i = Abs(x) d = Neg(i)', 'cd'))}", 2),
    Case("if_with_constants", ROWS, f"y = If(@true) {branches('k = Constant<value_float=2.0>() a = Mul(x, k)')}", 2),
    Case("if_default_may_change", "(float[N] x, bool c = {1}) => (float[N] y)", f"y = If(c) {branches('a = Relu(x)')}", 3, 3),
    Case("if_open", "(float[N] x, bool c) => (float[N] y)", f"y = If(c) {branches('i = Identity(x) a = Relu(i)')}", 3, 3),
    Case("if_reads_what_is_computed", "(float[N] x, bool c) => (float[N] y)",
         f"s = Shape(x) q = Identity(s) y = If(c) {branches('a = Reshape(x, q)')}", 4, 3),
    Case("loop_reads_outer_values", "(float[N] x, int64 m) => (float[N] y)",
         """s = Shape(x) q = Identity(x) y = Loop(m, @true, x) <body = b (int64 at, bool go, float[N] v) => (bool on, float[N] w) {
            on = Identity(go) r = Reshape(v, s) i = Identity(r) w = Add(i, q) }>""", 5, 2),
    Case("loop_counts", "(float[N] x) => (int64[K,1] y)",
         """s = Shape(x) e, y = Loop(@3, @true, s) <body = b (int64 at, bool go, int64[1] v) => (bool on, int64[1] w, int64[1] u) {
            on = Identity(go) w = Add(v, @[1]) u = Identity(w) }>""", least=2),
    Case("loop_grows", "(float[N] x) => (float[K] y, int64[J,1] z)",
         """y, z = Loop(@3, @true, x) <body = b (int64 at, bool go, float[M] v) => (bool on, float[K] w, int64[1] u) {
            on = Identity(go) u = Shape(v) w = Concat<axis=0>(v, v) }>""", least=3),
]

# Defaults that a caller may replace, functions and imports.
OTHERS = [
    Case("default_target", "(float[N,4] x, int64[2] t = {-1, 4}) => (float[A,B] y)", "y = Reshape(x, t)", 1, 1),
    Case("default_used_twice", "(float[N] x, float[1] v = {0.5}, float[1] w = {0.5}) => (float[N] y)",
         "a = Mul(x, v) b = Mul(x, w) y = Add(a, b)", 3, 3),
    Case("default_unused", "(float[N] x, float[1] v = {0.5}) => (float[N] y)", "y = Relu(x)", 1, 1),
    Case("output_is_initializer", "(float[N] x) => (float[N] y, float[1] w)", "y = Mul(x, w)", 1, 1, given="float[1] w = {0.5}"),
    Case("output_is_input", "(float[N] x) => (float[N] x, float[N] y)", "a = Identity(x) y = Relu(a)", 1, 1),
    Case("output_is_constant", "(float[N,4] x) => (int64[1] y)", "s = Shape(x) y = Gather<axis=0>(s, @[1])", 1, 1),
    Case("absent_inputs", "(float[N] x) => (float[N] y, float[N] z)", "y = Clip(x, , @0.2) z = Clip(x, @0.2)", 2, 2),
    Case("functions", "(float[N,3] x) => (float[M] y)", "a = local.Flat(x) y = Relu(a)", 5, 2, imports=LOCAL,
         functions=("Flat (x) => (y) { t = Constant<value_ints=[-1]>() i = Identity(x) y = Reshape(i, t) }",
                    "Nobody (x) => (y) { y = Relu(x) }")),
    Case("function_with_attribute", "(float[N,3] x) => (float[N,3] y, float[N,3] z)",
         "y = local.Soft<along=0>(x) z = local.Soft<along=1>(x)", 3, imports=LOCAL,
         functions=("Soft <along> (x) => (y) { y = Softmax<axis: int = @along>(x) }",)),
    Case("function_in_branch", "(float[N] x, bool c) => (float[N] y)", f"y = If(c) {branches('a = local.F(x)')}", 5, imports=LOCAL,
         functions=("F (x) => (y) { i = Identity(x) y = Relu(i) }",)),
    Case("unused_import", ROWS, "y = Relu(x)", 1, imports=', "ai.onnx.ml": 3, "com.microsoft": 1'),
]

CASES = [*TARGETS, *CHAINS, *NOTHING, *SUBGRAPHS, *OTHERS]
