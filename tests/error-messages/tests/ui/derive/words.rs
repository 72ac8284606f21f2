use shape_core::Operator;

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1, types(T: [float]), inputs(x: T, w: T), outputs(y: T))]
#[operator(
    requires(that = "x[0] = w[0]", code = "dims-mismatch", doc = "the rows differ"),
    requires(that = "rank(z) == 2", code = "dims-mismach", doc = "no matrix"),
    requires(that = "rank(x) == 2", doc = "no matrix"),
    requires(taht = "rank(x) == 2", code = "rank-mismatch", doc = "no matrix"),
    requires("rank(x) == 2", code = "rank-mismatch"),
    requires = "rank(x) == 2",
    exclusive(of = [scale]),
    exclusive(of = [x, bias], required = 1),
    rules(y(dims = ["same(x)"], elemnts = "add(x, w)", multiply_adds = "size(v)")),
    subgraphs = "lop",
    details = 7,
    shape_inference = true,
    sources(page),
    errata(versions = [2], sources = [pag], says = "Nothing.", ruling = "In rows.")
)]
struct Words {
    #[attribute(legacy = 1)]
    scale: Option<f32>,
}

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 2, types(T: [float]), inputs(x: T), outputs(y: T), rules(y = "same(x)"))]
#[operator(
    adapter(move = "axes", rename = "x"),
    adapter(respell = "mode", old = "a"),
    adapter(keep = "sideways"),
    adapter(drop = [scale], when = "rank(x) =="),
    adapter(up = ["y = Identity(x"]),
    examples(
        both(inputs = [(dims = [2])], outputs = [], error = "rank-mismatch"),
        neither(inputs = [(dims = [2])]),
        forms(inputs = [(type = flaot, dims = [N, -1]), (type = int8, values = [300, 1 + 1])], outputs = [_]),
        forms(inputs = [2], attributes(scale(valu = 0.5), other(value = 1, type = float)), outputs = [(dims = [2])]),
        code(error = "no-such"),
        later(since = 3, outputs = []),
        word,
    )
)]
struct Actions {
    #[attribute(default = 0.5)]
    scale: f32,
}

fn main() {}
