//! Runs folders of cases in a runtime, in a process that is started again when it dies.
//!
//! A runner is called with a folder of cases and a folder for the results, and writes what each case gave: its outputs, the
//! message with which the runtime refused it, or that it crashed or gave no answer in time.

#![deny(missing_docs)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod cases;
mod process;
mod tensor;

pub use cases::{Case, Value};
pub use process::{Runtime, main};
pub use tensor::{Data, elements};

/// What a runtime or the reading of its input says against a case.
pub type Refusal = Box<dyn std::error::Error + Send + Sync>;
