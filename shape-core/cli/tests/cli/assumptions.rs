//! What must be so where a node runs, used for the nodes after it.

use serde_json::Value as Json;

use crate::run::{Run, infer};
use crate::text::text;

/// The dimensions of a value, in fresh symbols too.
fn dims(run: &Run, name: &str) -> String {
    let json = run.json();
    let value = json["values"].as_array().unwrap().iter().find(|value| value["name"] == name).unwrap();
    let dim = |dim: &Json| dim.as_str().map_or_else(|| dim.to_string(), str::to_owned);
    value["dims"].as_array().unwrap().iter().map(dim).collect::<Vec<_>>().join(", ")
}

/// What is known of `y`, and what without assumptions; and what is told of symbols that are equal.
#[test]
fn used_for_the_nodes_behind() {
    let cases = [
        // Two names of one size; Concat passes over an input without elements, whatever its dimensions are.
        (
            "a: float[b, s]; c: float[t, d]",
            "m = MatMul(a, c); y = Relu(c); => m, y",
            "s, d",
            "t, d",
            "symbols-equal graph#0",
        ),
        (
            "a: float[b, s]; c: float[t, d]",
            "m = Gemm(a, c); y = Relu(c); => m, y",
            "s, d",
            "t, d",
            "symbols-equal graph#0",
        ),
        ("a: float[b, s]; c: float[e, t]", "m = Concat(a, c) axis=1; y = Relu(c); => m, y", "e, t", "e, t", ""),
        // A name and a number.
        (
            "x: float[b, s]",
            "k = int64[1]{1}; m = Squeeze(x, k); y = Relu(x); => m, y",
            "b, 1",
            "b, s",
            "symbols-equal graph#0",
        ),
        (
            "x: float[b, c, h]; w: float[8, 4, 3]",
            "m = Conv(x, w); y = Relu(x); => m, y",
            "b, 4, h",
            "b, c, h",
            "symbols-equal graph#0",
        ),
        // One that the model does not name, by its place in an expression.
        (
            "x: int64[N, 3]; z: float[M]",
            "n = NonZero(z); c = Concat(n, n) axis=1; m = MatMul(c, x); y = Relu(n); => m, y",
            "1, N//2",
            "1, n0",
            "",
        ),
        (
            "x: float[b]; k: int64[1]",
            "c = int64[2]{1, 3}; t = Concat(c, k) axis=0; y = Reshape(x, t)",
            "1, 3, b//3",
            "1, 3, b//3",
            "",
        ),
        // An entry that is gathered is there.
        (
            "x: float[b, s]",
            "k = int64[]{0}; f = Gather(x, k) axis=1; o = int64[1]{1}; e = int64[1]{99999999999}; y = Slice(x, o, e, o); => f, y",
            "b, s - 1",
            "b, s - min(s, 1)",
            "",
        ),
        // The node is not needed, so that a runtime may leave it out.
        ("a: float[b, s]; c: float[t, d]", "m = MatMul(a, c); y = Relu(c); => y", "t, d", "t, d", ""),
        // Two sizes that are stretched to each other need not be equal.
        ("a: float[b]; c: float[e]", "m = Add(a, c); y = Relu(c); => m, y", "e", "e", ""),
        // An element that is a dimension is a size, which an int32 holds.
        (
            "x: float[2, 3]; k: int64[2]",
            "e = Expand(x, k); r = Resize(x, , , k); z = int64[1]{0}; g = Gather(k, z); c = Cast(g) to=6
             i = Cast(c) to=7; y = ConstantOfShape(i); => r, y",
            "n0",
            "n2",
            "",
        ),
        // A target entry that is 0 copies a dimension, so that it need not be what the others leave.
        (
            "x: float[b, s]",
            "n = NonZero(x); t = Shape(n); m = Reshape(x, t); y = Neg(n); => m, y",
            "2, n0",
            "2, n0",
            "",
        ),
        // Of no elements, any number fits.
        (
            "x: float[b, 6]; k: int64[1]",
            "c = int64[2]{0, 3}; t = Concat(c, k) axis=0; y = Reshape(x, t)",
            "b, 3, n1",
            "b, 3, n1",
            "",
        ),
    ];
    for (inputs, nodes, assumed, without, told) in cases {
        let model = text(&format!("{inputs}; {nodes}"));
        let (run, bare) = (infer(&model, &[]), infer(&model, &["--no-assume"]));
        assert_eq!((&*dims(&run, "y"), &*dims(&bare, "y")), (assumed, without), "{nodes}: {run:?}");
        assert_eq!(run.findings().concat(), told, "{nodes}");
        assert_eq!(bare.findings(), [""; 0], "{nodes}");
    }
}

/// The common size of two axes that are a size and what is left of it, or the smaller of it and a number.
#[test]
fn stretched_to_what_they_are_made_of() {
    let slice = |from: &str, to: &str| {
        format!("s = int64[1]{{{from}}}; e = int64[1]{{{to}}}; a = int64[1]{{0}}; p = Slice(x, s, e, a); y = Add(x, p)")
    };
    let cases = [
        ("x: float[N]".to_owned() + "; " + &slice("0", "1"), "N"),
        ("x: float[N]".to_owned() + "; " + &slice("0", "4"), "N"),
        // It may have 1 where the other has N.
        ("x: float[N]".to_owned() + "; " + &slice("1", "9999999999"), "n0"),
        // One that a Conv made one smaller, and a Slice.
        (
            "x: float[1, 1, N]; w: float[1, 1, 2]; c = Conv(x, w); s = int64[1]{0}; e = int64[1]{-1}; a = int64[1]{2}
             p = Slice(x, s, e, a); y = Add(c, p)"
                .to_owned(),
            "1, 1, N - 1",
        ),
    ];
    for (model, expected) in cases {
        let run = infer(&text(&model), &[]);
        assert_eq!(dims(&run, "y"), expected, "{model}: {run:?}");
    }
}
