use std::collections::HashMap;

use shape_core::Operator;
use shape_core::node::TensorView;

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1)]
struct Owned {
    int: i32,
    size: usize,
    float: f64,
    switch: bool,
    letter: char,
    table: HashMap<i64, i64>,
    boxed: Box<i64>,
    pair: (i64, i64),
    array: [i64; 2],
    function: fn(i64) -> i64,
    twice: Option<Option<i64>>,
    ints: Vec<i32>,
    floats: Option<Vec<f64>>,
    bools: Vec<bool>,
    texts: Vec<&'static str>,
    tensor: shape_model::file::proto::TensorProto,
}

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1)]
struct Borrowed<'a> {
    changed: &'a mut [i64],
    forever: &'static [i64],
    view: TensorView<'static>,
    ints: &'a [u32],
    texts: &'a [&'a str],
    strings: &'a [String],
    int: &'a i64,
}

fn main() {}
