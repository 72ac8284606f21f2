//! The dimensions that the rules of one family of operators after the other give, and what they refuse.

use shape_model::file::proto::ModelProto;

use crate::model::{Change as _, opset};
use crate::run::{check, infer};
use crate::text::text;

/// The model of a text, with the newest version of each other domain that its nodes are of.
fn model(lines: &str) -> ModelProto {
    let model = text(lines);
    let nodes = &model.graph.as_ref().unwrap().node;
    let others = [("ai.onnx.ml", 5), ("ai.onnx.preview", 1), ("ai.onnx.preview.training", 1)];
    let used: Vec<_> =
        others.into_iter().filter(|(domain, _)| nodes.iter().any(|node| node.domain == *domain)).collect();
    model.with(|model| model.opset_import.extend(used.into_iter().map(|(domain, version)| opset(domain, version))))
}

/// The dimensions of `y`.
fn gives(cases: &[(&str, &str)]) {
    let of = |lines: &&str| {
        let run = infer(&model(lines), &[]);
        assert_eq!(run.findings(), [""; 0], "{lines}");
        run.dims("y")
    };
    let found: Vec<(&str, String)> = cases.iter().map(|(lines, _)| (*lines, of(lines))).collect();
    let told: Vec<(&str, String)> = cases.iter().map(|(lines, dims)| (*lines, (*dims).to_owned())).collect();
    let wrong = found.iter().zip(&told).filter(|(found, told)| found != told);
    assert_eq!(wrong.collect::<Vec<_>>(), []);
}

/// What the node that gives `y` is refused for, alone.
fn refuses(cases: &[(&str, &str)]) {
    let of = |lines: &&str| {
        let model = model(lines);
        let last = model.graph.as_ref().unwrap().node.len() - 1;
        let findings = check(&model).findings();
        let of_node: Vec<&str> =
            findings.iter().filter_map(|finding| finding.strip_suffix(&*format!(" graph#{last}"))).collect();
        of_node.join(", ")
    };
    let found: Vec<(&str, String)> = cases.iter().map(|(lines, _)| (*lines, of(lines))).collect();
    let told: Vec<(&str, String)> = cases.iter().map(|(lines, code)| (*lines, (*code).to_owned())).collect();
    let wrong = found.iter().zip(&told).filter(|(found, told)| found != told);
    assert_eq!(wrong.collect::<Vec<_>>(), []);
}

#[test]
fn resized() {
    let (one, half) = ("s = float[4]{1, 1, 2, 0.5};", "s = float[4]{1, 1, 0.5, 1.5};");
    gives(&[
        (&format!("opset 10; x: float[N, 3, H, 8]; {one} y = Resize(x, s)"), "[N, 3, 2*H, 4]"),
        (&format!("opset 11; x: float[N, 3, H, 7]; r = float[0]{{}}; {half} y = Resize(x, r, s)"), "[N, 3, H//2, 10]"),
        (&format!("opset 13; x: float[N, 3, 8, W]; {half} y = Resize(x, , s)"), "[N, 3, 4, (3*W)//2]"),
        ("x: float[N, 10, M]; s = float[3]{1, 0.7, 0.3}; y = Resize(x, , s)", "[N, ?, ?]"),
        ("x: float[N, 3, H, W]; s = int64[4]{1, 3, 32, 64}; y = Resize(x, , , s)", "[1, 3, 32, 64]"),
        (
            "opset 11; x: float[N, 3]; r = float[0]{}; z = float[0]{}; s = int64[2]{4, 5}; y = Resize(x, r, z, s)",
            "[4, 5]",
        ),
        // The sizes of another tensor.
        ("x: float[N, 3, H]; b: float[N, 3, T]; s = Shape(b); y = Resize(x, , , s)", "[N, 3, T]"),
        ("opset 19; x: float[N, 3, 5, 7]; s = int64[2]{10, 20}; y = Resize(x, , , s) axes=[2, -1]", "[N, 3, 10, 20]"),
        ("opset 19; x: float[N, 3, 5, 7]; s = float[1]{2.0}; y = Resize(x, , s) axes=[-1]", "[N, 3, 5, 14]"),
        (
            "opset 19; x: float[N, 3, 4, 5]; s = int64[2]{9, 10}
             y = Resize(x, , , s) axes=[2, 3], keep_aspect_ratio_policy=\"not_larger\"",
            "[N, 3, 8, 10]",
        ),
        (
            "opset 19; x: float[N, 3, 4, 5]; s = int64[2]{9, 10}
             y = Resize(x, , , s) axes=[2, 3], keep_aspect_ratio_policy=\"not_smaller\"",
            "[N, 3, 9, 11]",
        ),
        (
            "opset 19; x: float[N, 3, H, 5]; s = int64[2]{9, 10}
             y = Resize(x, , , s) axes=[2, 3], keep_aspect_ratio_policy=\"not_larger\"",
            "[N, 3, ?, ?]",
        ),
        (
            "opset 19; x: float[N, 8]; s = int64[1]{10}; y = Resize(x, , , s) axes=[-1], keep_aspect_ratio_policy=\"not_larger\"",
            "[N, ?]",
        ),
        ("x: float[N, 3]; s: float[2]; y = Resize(x, , s)", "[?, ?]"),
        ("x: float; s = int64[2]{4, 5}; y = Resize(x, , , s)", "[?, ?]"),
        (
            "x: float[N, 8]; r = float[4]{0, 0, 0.5, 0.5}; s = float[2]{1, 2}
             y = Resize(x, r, s) coordinate_transformation_mode=\"tf_crop_and_resize\"",
            "[?, ?]",
        ),
    ]);
    gives(&[("opset 8; x: float[N, 3, 4, W]; y = Upsample(x) scales=[1.0, 1.0, 2.5, 2.0]", "[N, 3, 10, 2*W]")]);
    refuses(&[
        ("x: float[N, 3, 4]; s = float[2]{2, 2}; y = Resize(x, , s)", "rank-mismatch"),
        ("x: float[N, 3, 4]; s = int64[2]{2, 2}; y = Resize(x, , , s)", "rank-mismatch"),
        ("x: float[N, 3]; s = int64[2]{2, -2}; y = Resize(x, , , s)", "dims-negative"),
        ("x: float[N, 3]; s = float[2]{2, 0}; y = Resize(x, , s)", "dims-mismatch"),
        ("opset 18; x: float[N, 3]; s = float[1]{2}; y = Resize(x, , s) axes=[2]", "axis-range"),
    ]);
}

#[test]
fn pooled() {
    // What tools take is no mistake, though a window does not fit.
    gives(&[
        ("x: float[N, 3, 3]; y = MaxPool(x) kernel_shape=[4], strides=[2], ceil_mode=1", "[N, 3, 1]"),
        ("x: float[N, 3, 3]; y = MaxPool(x) kernel_shape=[4], strides=[1], ceil_mode=1", "[N, 3, ?]"),
        ("x: float; y = MaxPool(x) kernel_shape=[4, 4]", "[?, ?, ?, ?]"),
        ("x: float; w: float[8, 3, 3, 3]; y = Conv(x, w)", "[?, 8, ?, ?]"),
        ("x: float; w: float; y = Conv(x, w) kernel_shape=[3]", "[?, ?, ?]"),
        ("x: float; w: float; y = Conv(x, w)", "?"),
        // A window that would begin behind the tensor is none, which tools do not agree on before opset 22.
        (
            "opset 22; x: float[N, 3, 8, W]; y = MaxPool(x) kernel_shape=[1, 1], strides=[3, 3], ceil_mode=1",
            "[N, 3, 3, (W + 2)//3]",
        ),
        ("x: float[N, 3, 8, W]; y = MaxPool(x) kernel_shape=[1, 1], strides=[3, 3], ceil_mode=1", "[N, 3, ?, ?]"),
        ("x: float[N, 3, 8, W]; y = MaxPool(x) kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1", "[N, 3, 4, W//2]"),
        ("x: float[N, 3, 9]; y = MaxPool(x) kernel_shape=[3], dilations=[2], auto_pad=\"SAME_UPPER\"", "[N, 3, ?]"),
        ("x: float[N, 3, 3]; y = AveragePool(x) kernel_shape=[4], strides=[2]", "[N, 3, ?]"),
    ]);
}

#[test]
fn transposed() {
    let x = "x: float[N, 6, 5, W]; w: float[6, 4, 3, 3];";
    gives(&[
        (&format!("{x} y = ConvTranspose(x, w)"), "[N, 4, 7, W + 2]"),
        (&format!("{x} y = ConvTranspose(x, w) group=3, strides=[2, 2]"), "[N, 12, 11, 2*W + 1]"),
        (
            &format!("{x} y = ConvTranspose(x, w) strides=[2, 2], pads=[1, 1, 1, 1], output_padding=[1, 1]"),
            "[N, 4, 10, 2*W]",
        ),
        (&format!("{x} y = ConvTranspose(x, w) dilations=[2, 3]"), "[N, 4, 9, W + 6]"),
        (&format!("{x} y = ConvTranspose(x, w) output_shape=[9, 10]"), "[N, 4, 9, 10]"),
        (&format!("{x} y = ConvTranspose(x, w) auto_pad=\"SAME_UPPER\", strides=[2, 2]"), "[N, 4, 10, 2*W]"),
        (&format!("{x} y = ConvTranspose(x, w) auto_pad=\"SAME_LOWER\", strides=[4, 4]"), "[N, 4, 19, 4*W - 1]"),
        (&format!("{x} y = ConvTranspose(x, w) auto_pad=\"VALID\""), "[N, 4, 7, W + 2]"),
        (
            &format!("{x} y = ConvTranspose(x, w) auto_pad=\"SAME_UPPER\", strides=[4, 3], output_padding=[1, 1]"),
            "[N, 4, 20, ?]",
        ),
        ("x: float[N, 6, 5]; w: float; y = ConvTranspose(x, w) kernel_shape=[3]", "[N, ?, 7]"),
        ("x: float; w: float[6, 4, 3]; y = ConvTranspose(x, w)", "[?, ?, ?]"),
        (
            "x: float[N, 1, 2, 2]; i: int64[N, 1, 2, 2]; y = MaxUnpool(x, i) kernel_shape=[2, 2], strides=[2, 2]",
            "[N, 1, 4, 4]",
        ),
        (
            "x: float[N, 1, 2, 2]; i: int64[N, 1, 2, 2]; o = int64[4]{1, 1, 5, 5}
             y = MaxUnpool(x, i, o) kernel_shape=[2, 2], strides=[2, 2]",
            "[N, 1, 5, 5]",
        ),
        (
            "opset 19; x: float[N, 3, 9, 9]; w: float[8, 3, 3, 3]; o: float; y = DeformConv(x, w, o) strides=[2, 2]",
            "[N, 8, 4, 4]",
        ),
    ]);
    refuses(&[
        ("x: float[N, 6, 5]; w: float[4, 6, 3]; y = ConvTranspose(x, w)", "dims-mismatch"),
        ("x: float[N, 6, 5]; w: float[6, 4, 3, 3]; y = ConvTranspose(x, w)", "rank-mismatch"),
        ("x: float[N, 6]; w: float[6, 4, 3]; y = ConvTranspose(x, w)", "rank-mismatch"),
        ("x: float[N, 6, 5]; w: float[6, 4, 3]; y = ConvTranspose(x, w) output_shape=[3, 3]", "rank-mismatch"),
        ("x: float[N, 6, 1]; w: float[6, 4, 3]; y = ConvTranspose(x, w) pads=[2, 2]", "dims-mismatch"),
    ]);
}

#[test]
fn recurrent() {
    let x = "x: float[T, N, 5]; w: float[1, 12, 5]; r: float[1, 12, 3];";
    let both = "x: float[N, T, 5]; w: float[2, W, 5]; r: float[2, W, H];";
    gives(&[
        (&format!("{x} y = LSTM(x, w, r)"), "[T, 1, N, 3]"),
        (&format!("{x} , y = LSTM(x, w, r) hidden_size=3; => y"), "[1, N, 3]"),
        (&format!("{x} , , y = LSTM(x, w, r); => y"), "[1, N, 3]"),
        (&format!("{both} y = LSTM(x, w, r) direction=\"bidirectional\", layout=1"), "[N, T, 2, H]"),
        (&format!("{both} , y = LSTM(x, w, r) direction=\"bidirectional\", layout=1; => y"), "[N, 2, H]"),
        (
            "opset 7; x: float[T, N, 5]; w: float[1, 9, 5]; r: float[1, 9, 3]; y = GRU(x, w, r) direction=\"reverse\"",
            "[T, 1, N, 3]",
        ),
        ("x: float; w: float; r: float; , y = RNN(x, w, r) hidden_size=4; => y", "[1, ?, 4]"),
    ]);
    refuses(&[
        ("x: float[T, N]; w: float; r: float; y = LSTM(x, w, r)", "rank-mismatch"),
        (&format!("{x} y = LSTM(x, w, r) hidden_size=4"), "dims-mismatch"),
        (&format!("{x} y = LSTM(x, w, r) direction=\"bidirectional\""), "dims-mismatch"),
        ("x: float[T, N, 6]; w: float[1, 3, 5]; r: float; y = RNN(x, w, r)", "dims-mismatch"),
    ]);
    let conv = "opset 27; x: float[N, C, T]; w: float[8, 1, 4];";
    gives(&[
        (&format!("{conv} y, z = CausalConvWithState(x, w)"), "[N, C, T]"),
        (&format!("{conv} z, y = CausalConvWithState(x, w)"), "[N, 8, 3]"),
    ]);
    refuses(&[(&format!("{conv} p: float[2, 8, 4]; z, y = CausalConvWithState(x, w, , p)"), "dims-mismatch")]);
}

#[test]
fn attended() {
    let apart = "opset 23; q: float[N, 8, S, 16]; k: float[N, 4, T, 16]; v: float[N, 4, T, 24];";
    let packed = "opset 24; q: float[N, S, 128]; k: float[N, T, 64]; v: float[N, T, 96];";
    let heads = "q_num_heads=8, kv_num_heads=4";
    let past = "p: float[N, 4, P, 16]; o: float[N, 4, P, 24];";
    gives(&[
        (&format!("{apart} y = Attention(q, k, v)"), "[N, 8, S, 24]"),
        (&format!("{apart} {past} a, y, b = Attention(q, k, v, , p, o)"), "[N, 4, P + T, 16]"),
        (&format!("{apart} {past} a, b, y = Attention(q, k, v, , p, o)"), "[N, 4, P + T, 24]"),
        (&format!("{apart} {past} a, b, c, y = Attention(q, k, v, , p, o)"), "[N, 8, S, P + T]"),
        (&format!("{packed} y = Attention(q, k, v) {heads}"), "[N, S, 192]"),
        (
            &format!("opset 23; q: float[N, S, F]; k: float; v: float[N, T, E]; y = Attention(q, k, v) {heads}"),
            "[N, S, 8*(E//4)]",
        ),
        (&format!("{packed} a, y, b = Attention(q, k, v) {heads}"), "[N, 4, T, 16]"),
        (&format!("{packed} a, b, c, y = Attention(q, k, v) {heads}"), "[N, 8, S, T]"),
        ("opset 23; q: float[N, 8, S, 16]; k: float; v: float; y = Attention(q, k, v)", "[N, 8, S, ?]"),
        ("opset 23; q: float; k: float; v: float; a, b, c, y = Attention(q, k, v)", "[?, ?, ?, ?]"),
        (
            "q: float[N, 8, S, 16]; k: float[N, 8, T, 16]; v: float[N, 8, T, E]; y = ai.onnx.preview::FlexAttention(q, k, v)",
            "[N, 8, S, E]",
        ),
        (
            "opset 27; q: float[N, T, 32]; k: float[N, T, 16]; v: float[N, T, 40]
             y, s = LinearAttention(q, k, v) q_num_heads=4, kv_num_heads=2, update_rule=\"linear\"",
            "[N, T, 80]",
        ),
        (
            "opset 27; q: float[N, T, 32]; k: float[N, T, 16]; v: float[N, T, 40]
             s, y = LinearAttention(q, k, v) q_num_heads=4, kv_num_heads=2, update_rule=\"linear\"",
            "[N, 2, 8, 20]",
        ),
        ("opset 23; q: float[N, 8, S, 16]; c: float; y = RotaryEmbedding(q, c, c)", "[N, 8, S, 16]"),
    ]);
    refuses(&[
        ("opset 23; q: float[2, 8, 5, 16]; k: float[2, 4, 6, 8]; v: float; y = Attention(q, k, v)", "dims-mismatch"),
        ("opset 23; q: float[2, 8, 5, 16]; k: float[2, 4, 6]; v: float; y = Attention(q, k, v)", "rank-mismatch"),
        ("opset 23; q: float[2, 8]; k: float; v: float; y = Attention(q, k, v)", "rank-mismatch"),
        (
            &format!("opset 23; q: float[N, S, 128]; k: float; v: float[N, T, 30]; y = Attention(q, k, v) {heads}"),
            "dims-mismatch",
        ),
        (&format!("{apart} p: float[N, 5, P, 16]; o: float; a, y, b = Attention(q, k, v, , p, o)"), "dims-mismatch"),
    ]);
}

#[test]
fn normalized() {
    gives(&[
        ("x: float[N, T, 8]; s: float[8]; z, y = LayerNormalization(x, s)", "[N, T, 1]"),
        ("x: float[N, T, 8]; s: float[T, 8]; z, m, y = LayerNormalization(x, s) axis=1", "[N, 1, 1]"),
        ("x: float[N, 3, 8]; s: float[3]; z, y, v = BatchNormalization(x, s, s, s, s) training_mode=1", "[3]"),
    ]);
    refuses(&[("x: float[N, 8]; s: float[8]; z, y = LayerNormalization(x, s) axis=2", "axis-range")]);
}

#[test]
fn summed() {
    let einsum =
        |inputs: &str, names: &str, equation: &str| format!("{inputs}; y = Einsum({names}) equation=\"{equation}\"");
    let (a, b) = ("a: float[N, 3, K]; b: float[N, K, 5]", "a, b");
    gives(&[
        (&einsum(a, b, "bij,bjk->bik"), "[N, 3, 5]"),
        (&einsum(a, b, "bij, bjk -> kb"), "[5, N]"),
        (&einsum(a, b, "bij,bjk"), "[3, 5]"),
        (&einsum(a, b, "...ij,...jk->...ik"), "[N, 3, 5]"),
        (&einsum(a, b, "...ij,...jk"), "[N, 3, 5]"),
        (&einsum(a, b, "bij,bjk->"), "[]"),
        (&einsum("a: float[N, 3]", "a", "Ba"), "[N, 3]"),
        (&einsum("a: float[N, 3]", "a", "aB"), "[3, N]"),
        (&einsum("a: float[N, N]", "a", "ii->i"), "[N]"),
        (&einsum("a: float[N, N]", "a", "ii"), "[]"),
        (&einsum("a: float[N, 4]; b: float[5, 4]", b, "ij,ij->ij"), "[5, 4]"),
        (&einsum("a: float[N, 4]; b: float[M, 4]", b, "ij,ij->ij"), "[?, 4]"),
        (&einsum("a: float[1, 2, 4]; b: float[3, 1, 4]", b, "...i,...i->...i"), "[3, 2, 4]"),
        (&einsum("a: float[2, 4]; b: float[1, 4]", b, "...i,...i->i..."), "[4, 2]"),
        (&einsum("a: float; b: float[4]", b, "ji,i->ji"), "[?, 4]"),
        (&einsum("a: float; b: float[4]", b, "...i,i->...i"), "?"),
        (&einsum("a: float; b: float[4]", b, "...i,i->i"), "[4]"),
    ]);
    refuses(&[
        (&einsum(a, b, "bij,bjk,k->bik"), "dims-mismatch"),
        (&einsum(a, b, "bij,jk->bik"), "rank-mismatch"),
        (&einsum(a, b, "bij,bjk->bim"), "attribute-value"),
        (&einsum(a, b, "bij,bjk->bii"), "attribute-value"),
        (&einsum(a, b, "b1j,bjk->bk"), "attribute-value"),
        (&einsum(a, b, "b..j,bjk->bk"), "attribute-value"),
        (&einsum(a, b, "b......ij,bjk->bk"), "attribute-value"),
        (&einsum(a, b, "b->ij->bk"), "attribute-value"),
        (&einsum("a: float[2, 3]; b: float[4, 5]", b, "ij,jk->ik"), "dims-mismatch"),
        (&einsum("a: float[2, 3]; b: float[3, 3]", b, "...j,...j->..."), "dims-mismatch"),
        (&einsum("a: float[2]", "a", "...ij->ij"), "rank-mismatch"),
    ]);
}

#[test]
fn ranges() {
    gives(&[
        ("a = int64[]{0}; b = int64[]{10}; c = int64[]{3}; y = Range(a, b, c)", "[4]"),
        ("a = int64[]{10}; b = int64[]{0}; c = int64[]{-3}; y = Range(a, b, c)", "[4]"),
        ("a = int64[]{10}; b = int64[]{0}; c = int64[]{3}; y = Range(a, b, c)", "[0]"),
        (
            "a = int64[]{-9223372036854775808}; b = int64[]{9223372036854775807}; c = int64[]{1}; y = Range(a, b, c)",
            "[?]",
        ),
        ("a = float[]{0}; b = float[]{1}; c = float[]{0.3}; y = Range(a, b, c)", "[4]"),
        ("x: float[N]; a = int64[]{0}; b = Size(x); c = int64[]{1}; y = Range(a, b, c)", "[N]"),
        ("x: float[N]; a = int64[]{0}; b = Size(x); c = int64[]{2}; y = Range(a, b, c)", "[(N + 1)//2]"),
        ("x: float[N]; a = int64[]{5}; b = Size(x); c = int64[]{1}; y = Range(a, b, c)", "[max(N - 5, 0)]"),
        ("x: float[N]; a = Size(x); b = int64[]{0}; c = int64[]{-1}; y = Range(a, b, c)", "[N]"),
        ("x: float[N]; a = Size(x); d = int64[]{4}; b = Add(a, d); c = int64[]{1}; y = Range(a, b, c)", "[4]"),
        ("a: int64[]; b: int64[]; c: int64[]; y = Range(a, b, c)", "[?]"),
        // The elements.
        ("a = int64[]{2}; b = int64[]{8}; c = int64[]{2}; r = Range(a, b, c); y = ConstantOfShape(r)", "[2, 4, 6]"),
    ]);
    refuses(&[("a = int64[]{0}; c = int64[]{0}; y = Range(a, a, c)", "dims-mismatch")]);
}

#[test]
fn images() {
    gives(&[
        ("x: float[N, 3, 4, W]; y = SpaceToDepth(x) blocksize=2", "[N, 12, 2, W//2]"),
        ("opset 5; x: float[N, 3]; t = float[]{2}; a = float[]{1}; y = Tile(x, t, a)", "[N, 6]"),
        ("opset 5; x: float[N, 3]; t: float[]; a = float[]{1}; y = Tile(x, t, a)", "[N, ?]"),
        ("x: float[N, 12, 4, W]; y = DepthToSpace(x) blocksize=2", "[N, 3, 8, 2*W]"),
        ("x: float[N, 3, H, W]; g: float[N, 5, 6, 2]; y = GridSample(x, g)", "[N, 3, 5, 6]"),
        ("x: float; g: float[N, 5, 6, 7, 3]; opset 20; y = GridSample(x, g)", "[N, ?, 5, 6, 7]"),
        ("opset 20; t: float[2, 2, 3]; s = int64[4]{2, 3, 5, 6}; y = AffineGrid(t, s)", "[2, 5, 6, 2]"),
        ("opset 20; t: float[N, 3, 4]; s: int64[5]; y = AffineGrid(t, s)", "[N, ?, ?, ?, 3]"),
        ("x: float[N, 3, H, W]; r: float[R, 4]; i: int64[R]; y = RoiAlign(x, r, i) output_height=5", "[R, 3, 5, 1]"),
        ("x: float[N, 3, H, W]; r: float[R, 5]; y = MaxRoiPool(x, r) pooled_shape=[2, 3]", "[R, 3, 2, 3]"),
        ("opset 18; x: float[N, 12, L]; i = int64[2]{8, 9}; b = int64[2]{2, 2}; y = Col2Im(x, i, b)", "[N, 3, 8, 9]"),
        ("opset 18; x: float[N, 12, L]; i: int64[2]; b = int64[2]{2, 2}; y = Col2Im(x, i, b)", "[N, 3, ?, ?]"),
        ("opset 18; x: float[N, 12, L]; s = int64[1]{7}; y = CenterCropPad(x, s) axes=[1]", "[N, 7, L]"),
        ("x: float[N, 3, 3]; y = Det(x)", "[N]"),
        ("opset 20; x: uint8[B]; y = ImageDecoder(x) pixel_format=\"Grayscale\"", "[?, ?, 1]"),
        ("s: float[N, C, D]; l: int64[N, D]; y = SoftmaxCrossEntropyLoss(s, l)", "[]"),
        ("s: float[N, C, D]; l: int64[2, D]; y = SoftmaxCrossEntropyLoss(s, l) reduction=\"none\"", "[2, D]"),
        ("s: float[N, C, D]; l: int64; z, y = SoftmaxCrossEntropyLoss(s, l)", "[N, C, D]"),
        ("s: float[N, C, 7]; l: int64; y = NegativeLogLikelihoodLoss(s, l) reduction=\"none\"", "[N, 7]"),
    ]);
    refuses(&[
        ("opset 5; x: float[N, 3]; t = float[]{2}; a = float[]{2}; y = Tile(x, t, a)", "axis-range"),
        ("x: float[N, 3, 5, W]; y = SpaceToDepth(x) blocksize=2", "dims-mismatch"),
        ("x: float[N, 6, 5, W]; y = DepthToSpace(x) blocksize=2", "dims-mismatch"),
        ("x: float[N, 6, 5]; y = DepthToSpace(x) blocksize=2", "rank-mismatch"),
        ("x: float[N, 3, H, W]; g: float[N, 5, 6, 3]; y = GridSample(x, g)", "dims-mismatch"),
        ("x: float[N, 3, H]; g: float[N, 5, 6, 2]; y = GridSample(x, g)", "rank-mismatch"),
        ("opset 20; t: float[N, 3, 4]; s = int64[4]{2, 3, 5, 6}; y = AffineGrid(t, s)", "dims-mismatch"),
        ("opset 18; x: float[N, 13, L]; i = int64[2]{8, 9}; b = int64[2]{2, 2}; y = Col2Im(x, i, b)", "dims-mismatch"),
        ("opset 18; x: float[N, 12]; s = int64[1]{7}; y = CenterCropPad(x, s)", "rank-mismatch"),
        ("x: float[N, 3, 4]; y = Det(x)", "dims-mismatch"),
        ("s: float[4, C, D]; l: int64[5, D]; y = NegativeLogLikelihoodLoss(s, l)", "dims-mismatch"),
        ("s: float[N, C, D]; l: int64[N]; y = NegativeLogLikelihoodLoss(s, l)", "rank-mismatch"),
        ("x: float[3]; r: float[R, 4]; i: int64[R]; y = RoiAlign(x, r, i)", "rank-mismatch"),
    ]);
}

#[test]
fn signals() {
    gives(&[
        ("x: float[N, 10, 1]; y = DFT(x)", "[N, 10, 2]"),
        ("x: float[N, T, 1]; y = DFT(x) onesided=1", "[N, T//2 + 1, 2]"),
        ("x: float[N, T, 1]; l = int64[]{16}; y = DFT(x, l) onesided=1", "[N, 9, 2]"),
        ("opset 20; x: float[N, 10, 4, 2]; a = int64[]{1}; l = int64[]{16}; y = DFT(x, l, a)", "[N, 16, 4, 2]"),
        ("opset 20; x: float[N, 10, 4, 2]; a: int64[]; l = int64[]{16}; y = DFT(x, l, a)", "[?, ?, ?, 2]"),
        ("opset 20; x: float[N, 9, 2]; y = DFT(x) onesided=1, inverse=1", "[N, 16, 1]"),
        ("x: float[N, 128, 1]; s = int64[]{8}; w: float[16]; y = STFT(x, s, w)", "[N, 15, 9, 2]"),
        ("x: float[N, T, 1]; s = int64[]{8}; l = int64[]{16}; y = STFT(x, s, , l) onesided=0", "[N, T//8 - 1, 16, 2]"),
        ("b = int64[]{8}; d = int64[]{64}; r: int64[]; f: float[]; y = MelWeightMatrix(b, d, r, f, f)", "[33, 8]"),
        ("n = int64[]{12}; y = HannWindow(n)", "[12]"),
        ("n: int64; y = HannWindow(n)", "[?]"),
    ]);
    refuses(&[
        ("x: float[N, T, 2]; y = DFT(x) onesided=1", "dims-mismatch"),
        ("x: float[N, T, 1]; y = DFT(x) axis=2", "rank-mismatch"),
        ("x: float[N, T, 1]; y = DFT(x) axis=3", "axis-range"),
        ("x: float[N, 10, 1]; s = int64[]{8}; w: float[16]; y = STFT(x, s, w)", "dims-mismatch"),
        ("x: float[N, 99, 1]; s = int64[]{8}; w: float[16]; l = int64[]{8}; y = STFT(x, s, w, l)", "dims-mismatch"),
    ]);
}

#[test]
fn of_data() {
    gives(&[
        ("x: float[N, 3]; y = Unique(x)", "[?]"),
        ("x: float[N, 3]; y = Unique(x) axis=0", "[?, 3]"),
        ("x: float[N, 3]; z, y = Unique(x) axis=0", "[?]"),
        ("x: float[N, 3]; v, i, y = Unique(x); => y", "[3*N]"),
        ("x: float[N, 3]; v, i, y = Unique(x) axis=0; => y", "[N]"),
        ("x: float[N, 3]; c: bool[3]; y = Compress(x, c) axis=-1", "[N, ?]"),
        ("b: float[1, M, 4]; s: float[1, C, M]; y = NonMaxSuppression(b, s)", "[?, 3]"),
        ("x: string[1, W]; y = StringNormalizer(x)", "[1, ?]"),
        ("opset 20; x: string[N]; y, z = StringSplit(x)", "[N, ?]"),
        ("x: float[N, 5]; y = Multinomial(x) sample_size=7", "[N, 7]"),
        (
            "x: string[N, W]; y = TfIdfVectorizer(x) max_gram_length=1, max_skip_count=0, min_gram_length=1, mode=\"TF\", \
             ngram_counts=[0], ngram_indexes=[0, 2, 1], pool_strings=[\"a\", \"b\", \"c\"]",
            "[N, 3]",
        ),
        ("opset 28; a: float[N, 4]; b: float[N, 4]; y = SwiGLU(a, b)", "[N, 4]"),
        ("x: float[N, 5]; i: int64[1, 3]; y = ai.onnx.ml::ArrayFeatureExtractor(x, i)", "[N, 3]"),
        ("x: float[5]; i: int64[3]; y = ai.onnx.ml::ArrayFeatureExtractor(x, i)", "[1, 3]"),
        ("x: int64[N]; y = ai.onnx.ml::OneHotEncoder(x) cats_int64s=[1, 2, 3]", "[N, 3]"),
        (
            "x: float[N, 2]; y, z = ai.onnx.ml::LinearClassifier(x) coefficients=[1.0, 1.0], classlabels_strings=[\"a\", \"b\"]",
            "[N]",
        ),
        (
            "x: float[N, 1]; z, y = ai.onnx.ml::LinearClassifier(x) coefficients=[1.0, 1.0, 1.0], classlabels_ints=[1, 2, 3]",
            "[N, 3]",
        ),
        ("x: float[4]; y = ai.onnx.ml::LinearRegressor(x) targets=2", "[1, 2]"),
        (
            "r: float[]; t: int64[]; x: float[N]; g: float[N]; v: float[3]
             z, y = ai.onnx.preview.training::Momentum(r, t, x, g, v) alpha=0.5, beta=0.5, norm_coefficient=0.5, mode=\"standard\"",
            "[3]",
        ),
    ]);
    refuses(&[
        ("x: float[N, 3]; y = Unique(x) axis=2", "axis-range"),
        ("x: float[N]; c: bool[3]; y = Compress(x, c) axis=1", "axis-range"),
        ("x: float[N, 2, 2]; y = ai.onnx.ml::LinearRegressor(x)", "rank-mismatch"),
        (
            "x: float[N, 2]; z, y = ai.onnx.ml::LinearClassifier(x) coefficients=[1.0, 1.0], classlabels_ints=[1, 2, 3]",
            "dims-mismatch",
        ),
    ]);
}
