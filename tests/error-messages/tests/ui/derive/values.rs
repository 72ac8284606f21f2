use shape_core::node::{GraphView, TensorView};
use shape_core::{AttributeEnum, Operator};

#[derive(AttributeEnum)]
enum Mode {
    Floor,
    Ceil,
}

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1)]
struct Defaults<'a> {
    #[attribute(default = 0.5)]
    int: i64,
    #[attribute(default = 9223372036854775808)]
    large: i64,
    #[attribute(default = true)]
    switch: i64,
    #[attribute(default = "a")]
    float: f32,
    #[attribute(default = 1e40)]
    wide: f32,
    #[attribute(default = 1)]
    text: String,
    #[attribute(default = 1)]
    ints: Vec<i64>,
    #[attribute(default = [1, "a"])]
    floats: &'a [f32],
    #[attribute(default = 1 + 1)]
    sum: i64,
    #[attribute(default = i64::MAX)]
    constant: i64,
    #[attribute(default = 0)]
    optional: Option<i64>,
    #[attribute(default = [0])]
    tensor: TensorView<'a>,
    #[attribute(default = "Floor")]
    mode: Mode,
}

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1)]
struct Values<'a> {
    #[attribute(default = 2, values = [0, 1])]
    other: i64,
    #[attribute(values = [0, 1, 0])]
    twice: i64,
    #[attribute(values = [0, 0.5])]
    kinds: i64,
    #[attribute(values = 1)]
    one: i64,
    #[attribute(values = [])]
    none: i64,
    #[attribute(values)]
    word: i64,
    #[attribute(values = [0, 1 + 1])]
    sum: i64,
    #[attribute(values = ["Floor"])]
    mode: Mode,
    #[attribute(default = 0, min = 1)]
    below: i64,
    #[attribute(min = 2, max = 1)]
    between: i64,
    #[attribute(min = "a")]
    text: String,
    #[attribute(max = 1 + 1)]
    bound: i64,
    #[attribute(min)]
    least: i64,
    #[attribute(values = [1, 2])]
    elements: Vec<i64>,
    #[attribute(values = [0])]
    graph: GraphView<'a>,
}

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1)]
struct Keys {
    #[attribute(defualt = 0)]
    slip: i64,
    #[attribute(optional)]
    optional: i64,
    #[attribute(default = 0, default = 1)]
    twice: i64,
    #[attribute = 0]
    form: i64,
    #[attribute(rename = type)]
    renamed: i64,
    #[attribute(rename = "slip")]
    same: i64,
    #[attribute(rename = "no name")]
    space: i64,
}

fn main() {}
