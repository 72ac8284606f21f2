//! Each program in `examples` prints what its first comment shows. Its `main` is `pub(crate)`, so that it runs here.

use std::cell::RefCell;

thread_local! {
    static PRINTED: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps what the programs below print.
macro_rules! println {
    ($($text:tt)*) => { $crate::examples::PRINTED.with_borrow_mut(|printed| *printed += &(format!($($text)*) + "\n")) };
}

#[path = "../../examples/custom_operator.rs"]
mod custom_operator;
#[path = "../../examples/infer_node.rs"]
mod infer_node;

fn prints_what_it_shows(source: &str, main: fn() -> Result<(), Box<dyn std::error::Error>>) {
    main().unwrap();
    let (_, block) = source.split_once("//! ```text\n").unwrap();
    let (block, _) = block.split_once("//! ```\n").unwrap();
    assert_eq!(PRINTED.take(), block.replace("//! ", ""));
}

#[test]
fn custom_operator() {
    prints_what_it_shows(include_str!("../../examples/custom_operator.rs"), custom_operator::main);
}

#[test]
fn infer_node() {
    prints_what_it_shows(include_str!("../../examples/infer_node.rs"), infer_node::main);
}
