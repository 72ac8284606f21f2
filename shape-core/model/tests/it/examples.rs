//! Each program in `examples` prints what its first comment shows. Its `main` is `pub(crate)`, so that it runs here.

use std::cell::RefCell;

thread_local! {
    static PRINTED: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps what the programs below print.
macro_rules! println {
    ($($text:tt)*) => { $crate::examples::PRINTED.with_borrow_mut(|printed| *printed += &(format!($($text)*) + "\n")) };
}

#[path = "../../examples/check_model.rs"]
mod check_model;
#[path = "../../examples/convert_model.rs"]
mod convert_model;
#[path = "../../examples/infer_model.rs"]
mod infer_model;

fn prints_what_it_shows(source: &str, main: fn() -> Result<(), Box<dyn std::error::Error>>) {
    main().unwrap();
    let (_, block) = source.split_once("//! ```text\n").unwrap();
    let (block, _) = block.split_once("//! ```\n").unwrap();
    assert_eq!(PRINTED.take(), block.replace("//! ", ""));
}

#[test]
fn check_model() {
    prints_what_it_shows(include_str!("../../examples/check_model.rs"), check_model::main);
}

#[test]
fn convert_model() {
    prints_what_it_shows(include_str!("../../examples/convert_model.rs"), convert_model::main);
}

#[test]
fn infer_model() {
    prints_what_it_shows(include_str!("../../examples/infer_model.rs"), infer_model::main);
}
