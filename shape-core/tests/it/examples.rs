//! Each program in `examples` prints what its first comment shows. Its `main` is `pub(crate)`, so that it runs here.

use crate::printed::prints_what_it_shows;

#[path = "../../examples/custom_operator.rs"]
mod custom_operator;
#[path = "../../examples/infer_node.rs"]
mod infer_node;

#[test]
fn custom_operator() {
    prints_what_it_shows(include_str!("../../examples/custom_operator.rs"), custom_operator::main);
}

#[test]
fn infer_node() {
    prints_what_it_shows(include_str!("../../examples/infer_node.rs"), infer_node::main);
}
