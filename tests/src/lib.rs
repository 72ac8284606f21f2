#![doc = include_str!("../../README.md")]
//!
//! ---
//!
//! This crate holds the tests that cross the crates of the project; what one crate does is tested in that crate. The
//! README stands above so that its examples are compiled and run. Here is what several tests share.

use std::path::Path;

/// The root of the repository.
#[must_use]
pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}
