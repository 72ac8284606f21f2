//! Generates the operator that has one of every form that a descriptor can have, and the tests of its examples, for
//! `tests/it/generated.rs` to compile.

use std::path::{Path, PathBuf};
use std::{env, error, fs};

const DESCRIPTOR: &str = "../shape-macros/codegen/tests/Everything.yaml";

fn main() -> Result<(), Box<dyn error::Error>> {
    println!("cargo::rerun-if-changed={DESCRIPTOR}");
    let tables = shape_specs::Tables::builtin()?;
    let operator = shape_specs::resolve("Everything.yaml", &fs::read(DESCRIPTOR)?, tables)?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let mut code = shape_codegen::operator(&operator, tables);
    code.extend(shape_codegen::table(&[operator]));
    let code = syn::parse2(code)?;
    fs::write(out.join("everything.rs"), prettyplease::unparse(&code))?;
    let file = syn::parse_str(&format!("::shape_core; {DESCRIPTOR:?}"))?;
    let tests = syn::parse2(shape_codegen::custom_examples(file, Path::new(env!("CARGO_MANIFEST_DIR"))))?;
    fs::write(out.join("examples.rs"), prettyplease::unparse(&tests))?;
    Ok(())
}
