#![doc = include_str!("../README.md")]

#[cfg(not(target_family = "wasm"))]
compile_error!("this is for WebAssembly: `shape-core/web/run` builds it");

mod answer;
mod buffers;
pub mod exports;
mod frame;
mod panics;
