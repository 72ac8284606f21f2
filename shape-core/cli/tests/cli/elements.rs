//! The elements that are known before a model runs.

use crate::run::infer;
use crate::text::text;

/// What is known of `y` at the end of a chain that begins with `x: float[N, 3, 4]`.
#[test]
fn chains() {
    let cases = [
        // Constants of each type that is followed.
        ("k = int32[2]{-1, 2}; y = Neg(k)", "[1, -2]"),
        ("k = bool[2]{true, false}; y = Not(k)", "[false, true]"),
        ("k = float[]{4}; y = Sqrt(k)", "[2.0]"),
        ("k = float[3]{2.5, -0.5, 3.5}; y = Round(k)", "[2.0, -0.0, 4.0]"),
        ("k = float[2]{-2.5, 2.5}; y = Floor(k)", "[-3.0, 2.0]"),
        ("k = float[2]{-2.5, 2.5}; y = Ceil(k)", "[-2.0, 3.0]"),
        // A tensor of floats rounds, and one of int32 holds no more than that.
        ("a = float[]{0.1}; b = float[]{0.2}; y = Add(a, b)", "[0.30000001192092896]"),
        // In 64 bits, this would be less than one.
        ("k = float[]{49}; r = Reciprocal(k); m = Mul(r, k); n = Floor(m); y = Cast(n) to=7", "[1]"),
        ("a = int32[1]{2147483647}; y = Add(a, a)", ""),
        // Sizes among floats are whole numbers.
        ("s = Shape(x); f = Cast(s) to=1; k = float[]{2}; m = Mul(f, k); y = Cast(m) to=7", "[2*N, 6, 8]"),
        ("s = Shape(x); f = Cast(s) to=1; k = float[]{2}; m = Div(f, k); y = Cast(m) to=7", "[N//2, 1, 2]"),
        // To a multiple, as detectors pad their images; and to a part, as models resize.
        (
            "s = Shape(x) end=1; f = Cast(s) to=1; k = float[]{32}; m = Div(f, k); n = Ceil(m); p = Mul(n, k)
             y = Cast(p) to=7",
            "[32*((N + 31)//32)]",
        ),
        (
            "s = Shape(x) end=1; f = Cast(s) to=1; k = float[]{0.5}; m = Mul(f, k); n = Floor(m); y = Cast(n) to=7",
            "[N//2]",
        ),
        ("s = Shape(x) end=1; f = Cast(s) to=1; k = float[]{0.1}; m = Mul(f, k); n = Floor(m); y = Cast(n) to=7", ""),
        ("s = Shape(x) end=1; f = Cast(s) to=1; k = float[]{3}; m = Div(f, k); y = Mul(m, k)", ""),
        ("s = Shape(x); f = Cast(s) to=1; m = Sqrt(f); n = Floor(m); y = Cast(n) to=7", "[null, 1, 2]"),
        ("s = Shape(x) end=1; f = Cast(s) to=1; m = Mul(f, f); q = Div(m, f); y = Floor(q)", "[N]"),
        // Elements of any rank, moved.
        ("k = int64[2,3]{1,2,3,4,5,6}; t = Transpose(k); r = int64[1]{-1}; y = Reshape(t, r)", "[1, 4, 2, 5, 3, 6]"),
        ("k = int64[2,2,1]{1,2,3,4}; y = Transpose(k) perm=[1,2,0]", "[1, 3, 2, 4]"),
        ("k = int64[2,1]{1,2}; s = int64[2]{2,3}; y = Expand(k, s)", "[1, 1, 1, 2, 2, 2]"),
        ("k = int64[2,2]{1,2,3,4}; r = int64[2]{1,2}; y = Tile(k, r)", "[1, 2, 1, 2, 3, 4, 3, 4]"),
        ("k = int64[4]{1,2,3,4}; z, y = Split(k); => y", "[3, 4]"),
        ("k = int64[2,3]{1,2,3,4,5,6}; n = int64[2]{1,2}; z, y = Split(k, n) axis=1; => y", "[2, 3, 5, 6]"),
        ("k = int64[2,2]{1,2,3,4}; i = int64[1]{-1}; y = Gather(k, i) axis=1", "[2, 4]"),
        ("k = int64[2,2]{1,2,3,4}; j = int64[1,2]{5,6}; y = Concat(k, j) axis=0", "[1, 2, 3, 4, 5, 6]"),
        ("k = int64[2,1]{1,2}; j = int64[2,2]{5,6,7,8}; y = Concat(k, j) axis=-1", "[1, 5, 6, 2, 7, 8]"),
        ("k = int64[2,1]{1,2}; j = int64[3]{10,20,30}; y = Add(k, j)", "[11, 21, 31, 12, 22, 32]"),
        ("n = int64[2]{1,3}; y = ConstantOfShape(n)", "[0.0, 0.0, 0.0]"),
        // The pads as an exporter turns them round: its own begin with the last axis.
        (
            "p = int64[4]{1,2,3,4}; z = int64[2]{0,0}; q = Concat(p, z) axis=0; r = int64[2]{-1,2}; m = Reshape(q, r)
             s = int64[1]{-1}; e = int64[1]{-9223372036854775807}; a = int64[1]{0}; b = Slice(m, s, e, a, s)
             t = Transpose(b); f = int64[1]{-1}; g = Reshape(t, f); y = Cast(g) to=7",
            "[0, 3, 1, 0, 4, 2]",
        ),
        // Reductions.
        ("s = Shape(x); y = ReduceProd(s) keepdims=0", "[12*N]"),
        ("s = Shape(x); y = ReduceSum(s)", "[N + 7]"),
        ("k = int64[2,2]{1,4,3,2}; y = ReduceMax(k) axes=[1]", "[4, 3]"),
        ("k = int64[2,2]{1,4,3,2}; y = ReduceMin(k) axes=[0], keepdims=0", "[1, 2]"),
        ("k = int64[0]{}; y = ReduceSum(k)", "[0]"),
        // Numbers in a list of the file rather than in its bytes are those of a `Constant` too.
        ("s = Shape(x); k = Constant() value_ints=[2]; y = Mul(s, k)", "[2*N, 6, 8]"),
    ];
    for (index, (nodes, expected)) in cases.into_iter().enumerate() {
        let run = infer(&text(&format!("x: float[N, 3, 4]\n{nodes}")), &[]);
        let y = run.value("y");
        let element = |element: &serde_json::Value| element.as_str().map_or_else(|| element.to_string(), str::to_owned);
        let elements = y["value"].as_array().map(|list| list.iter().map(element).collect::<Vec<_>>().join(", "));
        let elements = elements.map(|elements| format!("[{elements}]"));
        assert_eq!(elements.unwrap_or_default(), expected, "case {index}, {nodes}: {run:?}");
        assert_eq!(run.findings(), [""; 0], "case {index}, {nodes}");
    }
}
