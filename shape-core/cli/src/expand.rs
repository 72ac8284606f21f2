//! `shape expand`

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use shape_specs::operator::{Operator, Version};
use shape_specs::{Tables, resolve};

use crate::args::ExpandArgs;
use crate::described::{Described, opset, tables_of};
use crate::render::Clean;
use crate::specs::{folder, is_file, refuse};
use crate::terminal::{Done, Exit, Terminal};

pub(crate) fn run(args: &ExpandArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let (subject, opset) = split(&args.operator).map_err(|trouble| terminal.fail(&trouble))?;
    let mut described = Described::read_one(subject, specs, terminal)?;
    let own;
    let operator = if is_file(subject) {
        let bytes = fs::read(subject).map_err(|error| terminal.fail(&format!("cannot read {subject}: {error}")))?;
        described.tables = tables_of(&folder::beside(Path::new(subject)), terminal)?;
        own = match resolve(subject, &bytes, described.tables) {
            Ok(operator) => operator,
            Err(mistakes) => return refuse(subject, &mistakes, terminal),
        };
        &own
    } else {
        described.operator(subject).map_err(|trouble| terminal.fail(&trouble))?
    };
    let version =
        opset.map(|opset| described.version(operator, opset)).transpose().map_err(|trouble| terminal.fail(&trouble))?;
    match rust(operator, version, described.tables) {
        Ok(text) => text.lines().try_for_each(|line| writeln!(terminal.out(), "{}", Clean(line)))?,
        Err(error) => return Ok(terminal.fail(&format!("what is generated for {subject} is no Rust: {error}"))),
    }
    Ok(Exit::Clean)
}

/// What stands before `@`, and the opset behind it.
fn split(text: &str) -> Result<(&str, Option<u32>), String> {
    match text.rsplit_once('@') {
        // A path may have the sign too.
        Some((subject, at)) if !is_file(text) => Ok((subject, Some(opset(at)?))),
        _ => Ok((text, None)),
    }
}

/// What the macro writes, as it would stand in a file.
fn rust(operator: &Operator, version: Option<&Version>, tables: &Tables) -> syn::Result<String> {
    let tokens = match version {
        None => shape_codegen::operator(operator, tables),
        Some(version) => shape_codegen::version(operator, version, tables),
    };
    Ok(prettyplease::unparse(&syn::parse2(tokens)?))
}
