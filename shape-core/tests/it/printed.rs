//! The programs in the `examples` folders of this crate and of `onnxspec-model`, run as tests.

use std::cell::RefCell;

thread_local! {
    pub(crate) static PRINTED: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps what the program of an example prints.
macro_rules! println {
    ($($text:tt)*) => { $crate::printed::PRINTED.with_borrow_mut(|printed| *printed += &(format!($($text)*) + "\n")) };
}

/// Runs the `main` of an example, and compares what it prints with the `text` block of its source.
pub(crate) fn prints_what_it_shows(source: &str, main: fn() -> Result<(), Box<dyn std::error::Error>>) {
    main().unwrap();
    let (_, block) = source.split_once("//! ```text\n").unwrap();
    let (block, _) = block.split_once("//! ```\n").unwrap();
    assert_eq!(PRINTED.take(), block.replace("//! ", ""));
}
