//! Writes the page that opens models in the browser alone. What answers it is read from standard input: the WebAssembly of
//! `shape-core/web`, compressed by gzip, in base64.

use std::io;

use shape_cli::page::{Engine, html};

fn main() -> io::Result<()> {
    let wasm = io::read_to_string(io::stdin())?;
    print!("{}", html(&Engine::Worker { wasm: wasm.trim_end() }));
    Ok(())
}
