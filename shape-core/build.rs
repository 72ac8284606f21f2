//! Writes the generated operators and tables as Rust, once for each change of what they come from: a macro would read every
//! descriptor in each build of this crate.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    for (name, code) in shape_codegen::builtin() {
        fs::write(out.join(name).with_extension("rs"), code)?;
    }
    Ok(())
}
