//! What flows into the graphs inside of nodes and out of them, through sequences, and through calls of functions.

use crate::run::{infer, list};
use crate::text::text;

/// What is known of `y`, as `[dims]` or `[dims] = [elements]`, and the findings.
fn of_y(model: &str) -> (String, Vec<String>) {
    let run = infer(&text(model), &[]);
    let dims = run.dims("y");
    let value = list(&run.value("y")["value"]).map(|value| format!(" = {value}")).unwrap_or_default();
    (format!("{dims}{value}"), run.findings())
}

fn check(cases: &[(&str, &str)]) {
    for (model, expected) in cases {
        let (found, findings) = of_y(model);
        assert_eq!(found, *expected, "{model}");
        assert_eq!(findings, [""; 0], "{model}");
    }
}

#[test]
fn branches() {
    let outer = "x: float[N, 3]\nc: bool[]\n";
    let cases = [
        ("y = If(c) then_branch={ r = Neg(x) => r } else_branch={ s = Abs(x) => s }", "[N, 3]"),
        ("t = Transpose(x); y = If(c) then_branch={ r = Neg(x) => r } else_branch={ s = Neg(t) => s }", "[?, ?]"),
        (
            "k = int64[1]{-1}; t = Reshape(x, k); y = If(c) then_branch={ r = Neg(x) => r } else_branch={ s = Neg(t) => s }",
            "?",
        ),
        (
            "b = bool[]{false}; y = If(b) then_branch={ r = Neg(x) => r } else_branch={ s = Transpose(x) => s }",
            "[3, N]",
        ),
        ("y = If(c) then_branch={ r = Shape(x) => r } else_branch={ s = Shape(x) => s }", "[2] = [N, 3]"),
        (
            "y = If(c) then_branch={ r = Shape(x) => r } else_branch={ k = int64[2]{7, 3}; s = Identity(k) => s }",
            "[2] = [?, 3]",
        ),
    ];
    check(&cases.map(|(nodes, expected)| (&*format!("{outer}{nodes}").leak(), expected)));
}

#[test]
fn loops() {
    let outer = "x: float[N, 3]\nm: int64[]\nc: bool[]\nk = int64[]{5}\nt = bool[]{true}\n";
    let cases = [
        // What is carried and stays the same.
        ("y = Loop(m, c, x) body={ i; d; a; b = Neg(a); e = Identity(d); => e, b }", "[N, 3]"),
        // What grows along one axis.
        ("y = Loop(m, c, x) body={ i; d; a; b = Concat(a, a) axis=0; e = Identity(d); => e, b }", "[?, 3]"),
        // What changes its rank.
        ("z = int64[1]{0}; y = Loop(m, c, x) body={ i; d; a; b = Unsqueeze(a, z); e = Identity(d); => e, b }", "?"),
        // Two that change places, one of which is as the other.
        ("p, y = Loop(m, c, x, x) body={ i; d; a; b; e = Identity(d); => e, b, a }; => y", "[N, 3]"),
        ("u = Transpose(x); p, y = Loop(m, c, x, u) body={ i; d; a; b; e = Identity(d); => e, b, a }; => y", "[?, ?]"),
        // A loop around a loop.
        (
            "y = Loop(m, c, x) body={ i; d; a; b = Loop(m, d, a) body={ j; f; g; h = Neg(g); l = Identity(f); => l, h }
             e = Identity(d); => e, b }",
            "[N, 3]",
        ),
        // What each round gives is stacked: as often as is known.
        ("z, y = Loop(k, , x) body={ i; d; a; b = Neg(a); e = Identity(d); => e, a, b }; => y", "[5, N, 3]"),
        ("z, y = Loop(k, t, x) body={ i; d; a; b = Neg(a); e = Identity(d); => e, a, b }; => y", "[5, N, 3]"),
        ("z, y = Loop(k, t, x) body={ i; d; a; b = Neg(a); e = Not(d); => e, a, b }; => y", "[?, N, 3]"),
        ("z, y = Loop(k, c, x) body={ i; d; a; b = Neg(a); e = Identity(d); => e, a, b }; => y", "[?, N, 3]"),
        (
            "s = Size(x); z, y = Loop(s, , x) body={ i; d; a; b = Neg(a); e = Identity(d); => e, a, b }; => y",
            "[3*N, N, 3]",
        ),
        ("z, y = Loop(, c, x) body={ i; d; a; b = Neg(a); e = Identity(d); => e, a, b }; => y", "[?, N, 3]"),
    ];
    check(&cases.map(|(nodes, expected)| (&*format!("{outer}{nodes}").leak(), expected)));
}

#[test]
fn scans() {
    let outer = "x: float[N, 3, T]\ns: float[3]\nl: int64[N]\n";
    let body = "body={ a; b; c = Identity(a); d = Transpose(b); => c, d }";
    let cases = [
        ("z, y = Scan(s, x) num_scan_inputs=1, BODY; => y", "[N, T, 3]"),
        ("y, z = Scan(s, x) num_scan_inputs=1, BODY; => y", "[3]"),
        ("z, y = Scan(s, x) num_scan_inputs=1, scan_input_axes=[-1], BODY; => y", "[T, 3, N]"),
        ("z, y = Scan(s, x) num_scan_inputs=1, scan_output_axes=[-1], BODY; => y", "[T, 3, N]"),
        ("z, y = Scan(s, x) num_scan_inputs=1, scan_input_axes=[1], scan_output_axes=[1], BODY; => y", "[T, 3, N]"),
    ];
    check(&cases.map(|(nodes, expected)| (&*format!("{outer}{}", nodes.replace("BODY", body)).leak(), expected)));
    // The first version has a batch before all.
    let first = "opset 8\nx: float[N, T, 3]\ns: float[N, 2]\nl: int64[N]\n";
    let cases = [
        ("z, y = Scan(l, s, x) num_scan_inputs=1, BODY; => y", "[N, T, 3]"),
        ("y, z = Scan(, s, x) num_scan_inputs=1, BODY; => y", "[N, 2]"),
    ];
    check(&cases.map(|(nodes, expected)| (&*format!("{first}{}", nodes.replace("BODY", body)).leak(), expected)));
}

#[test]
fn sequences() {
    let outer = "x: float[N, 3]\nz: float[N, 4]\ni: int64[]\nj = int64[]{0}\n";
    let cases = [
        ("s = SequenceConstruct(x, x); y = SequenceAt(s, i)", "[N, 3]"),
        ("s = SequenceConstruct(x, z); y = SequenceAt(s, i)", "[N, ?]"),
        ("s = SequenceConstruct(x); r = SequenceInsert(s, z); y = SequenceAt(r, i)", "[N, ?]"),
        ("s = SequenceConstruct(x); r = SequenceErase(s, i); y = SequenceAt(r, i)", "[N, 3]"),
        ("s = SequenceEmpty(); y = SequenceAt(s, i)", "?"),
        ("s = SequenceConstruct(x); y = SequenceLength(s)", "[]"),
        ("s = SplitToSequence(z); y = SequenceAt(s, i)", "[1, 4]"),
        ("s = SplitToSequence(z) keepdims=0; y = SequenceAt(s, i)", "[4]"),
        ("k = int64[]{2}; s = SplitToSequence(z, k) axis=1; y = SequenceAt(s, i)", "[N, 2]"),
        ("k = int64[]{3}; s = SplitToSequence(z, k) axis=1; y = SequenceAt(s, i)", "[N, ?]"),
        ("k = int64[2]{2,2}; s = SplitToSequence(z, k) axis=1; y = SequenceAt(s, i)", "[N, 2]"),
        ("k = int64[2]{1,3}; s = SplitToSequence(z, k) axis=1; y = SequenceAt(s, i)", "[N, ?]"),
        ("s = SequenceConstruct(x, x); y = ConcatFromSequence(s) axis=1", "[N, ?]"),
        ("s = SequenceConstruct(x, x); y = ConcatFromSequence(s) axis=1, new_axis=1", "[N, ?, 3]"),
        ("o = Optional(x); y = OptionalGetElement(o)", "[N, 3]"),
        ("o = Optional(x); y = OptionalHasElement(o)", "[]"),
        (
            "s = SequenceConstruct(x, x); r = SequenceMap(s) body={ a; b = Transpose(a); => b }; y = SequenceAt(r, i)",
            "[3, N]",
        ),
    ];
    check(&cases.map(|(nodes, expected)| (&*format!("{outer}{nodes}").leak(), expected)));
}

#[test]
fn calls() {
    let functions = "fn Twice(a) => b { b = Concat(a, a) axis=0 }
        fn Last(a)<axis> => b { b = Shape(a) start=@axis }
        fn Both(a, c) => d, e { d = my::Twice(a); e = my::Last(c) axis=-2 }
        fn Flat(a) => b { k = Constant() value_ints=[-1]; b = Reshape(a, k) }
        fn Tall(a) => b { s = Shape(a); k = Constant() value_ints=[2]; t = Mul(s, k); b = Expand(a, t) }
        x: float[N, 3]\n";
    let cases = [
        ("y = my::Twice(x)", "[2*N, 3]"),
        ("z = my::Twice(x); y = my::Twice(z)", "[4*N, 3]"),
        ("y = my::Last(x) axis=1", "[1] = [3]"),
        ("y = my::Last(x) axis=-2", "[2] = [N, 3]"),
        ("z, y = my::Both(x, x); => y", "[2] = [N, 3]"),
        ("y, z = my::Both(x, x); => y", "[2*N, 3]"),
        ("y = my::Flat(x)", "[3*N]"),
    ];
    check(&cases.map(|(nodes, expected)| (&*format!("{functions}{nodes}").leak(), expected)));
    // A call that the body cannot take is told at the call, with the place in the body.
    let (_, findings) = of_y(&format!("{functions}w: float[2, 3]\ny = my::Tall(w)"));
    assert_eq!(findings, ["dims-mismatch graph#0"]);
}

/// A branch that never runs is written for other dimensions; one that may run is not.
#[test]
fn a_branch_that_never_runs() {
    let model = |condition: &str| {
        format!(
            "x: float[2, 3]\nd: bool[]\nc = bool[]{{true}}\nf = bool[]{{false}}
            y = If({condition}) then_branch={{ r = Neg(x) => r }} else_branch={{ k = int64[1]{{7}}; s = Reshape(x, k) => s }}"
        )
    };
    assert_eq!(of_y(&model("c")), ("[2, 3]".to_owned(), Vec::new()));
    for condition in ["d", "f"] {
        assert_eq!(of_y(&model(condition)).1, ["element-count graph/0:If.else_branch#0"], "{condition}");
    }
}

/// A graph that declares other dimensions than it is given.
#[test]
fn contradictions() {
    let outer = "x: float[2, 3]\nm: int64[]\nc: bool[]\n";
    let body = "y = Loop(m, c, x) body={ i: int64[]; d: bool[]; a: float[2, 4]; b = Neg(a); e = Identity(d); => e, b }";
    let (_, findings) = of_y(&format!("{outer}{}", body.replace("; a:", "\na:").replace("; d:", "\nd:")));
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0].starts_with("output-dims "), "{findings:?}");
}
