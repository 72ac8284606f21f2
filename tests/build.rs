//! Generates the operator that has one of every form that a descriptor can have, for `tests/generated.rs` to compile.

use std::path::PathBuf;
use std::{env, error, fs};

const DESCRIPTOR: &str = "../shape-macros/codegen/tests/Everything.yaml";

fn main() -> Result<(), Box<dyn error::Error>> {
    println!("cargo::rerun-if-changed={DESCRIPTOR}");
    let tables = shape_specs::Tables::builtin()?;
    let operator = shape_specs::resolve("Everything.yaml", &fs::read(DESCRIPTOR)?, tables)?;
    let file = syn::parse2(shape_codegen::operator(&operator, tables))?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    fs::write(out.join("everything.rs"), prettyplease::unparse(&file))?;
    Ok(())
}
