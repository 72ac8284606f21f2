//! `shape expand`: shows the Rust code that is generated for an operator.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use shape_specs::operator::{Operator, Version};
use shape_specs::{Tables, resolve};

use crate::descriptors::authoring::{is_file, report_errors};
use crate::descriptors::{Descriptors, folder, tables_of};
use crate::input;
use crate::options::{exit_codes, opset};
use crate::render::Clean;
use crate::terminal::{Done, Exit, Terminal};

/// Show the Rust code that is generated for an operator
///
/// Without an opset, shows the whole module. With an opset, shows the code of the version that is in force there: its
/// struct, its tables, and its conversions from and to the version before it.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape expand Shape                        the module with all versions\n",
    "  shape expand Shape@14                     the version that is in force at opset 14\n",
    "  shape expand specs/com.acme/Gelu.yaml     what `operators!` generates from a descriptor",
    exit_codes!(),
))]
pub(crate) struct ExpandArgs {
    /// The operator, as in `Shape`, `com.acme::Gelu` or `Shape@14`; or the path of a descriptor (`*.yaml`)
    #[arg(value_name = "OPERATOR[@OPSET]")]
    operator: String,
}

pub(super) fn run(args: &ExpandArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let (subject, opset) = split(&args.operator).map_err(|error| terminal.fail(&error))?;
    let mut descriptors = Descriptors::read_one(subject, specs, terminal)?;
    let from_file;
    let operator = if is_file(subject) {
        let bytes = input::text(subject).map_err(|error| terminal.fail(&error))?;
        descriptors.tables = tables_of(&folder::beside(Path::new(subject)), terminal)?;
        from_file = match resolve(subject, &bytes, descriptors.tables) {
            Ok(operator) => operator,
            Err(errors) => return report_errors(subject, &errors, terminal),
        };
        &from_file
    } else {
        descriptors.operator(subject).map_err(|error| terminal.fail(&error))?
    };
    let version =
        opset.map(|opset| descriptors.version(operator, opset)).transpose().map_err(|error| terminal.fail(&error))?;
    match rust(operator, version, descriptors.tables) {
        Ok(text) => text.lines().try_for_each(|line| writeln!(terminal.out(), "{}", Clean(line)))?,
        Err(error) => {
            return Ok(terminal.fail(&format!("the code that is generated for {subject} is not valid Rust: {error}")));
        }
    }
    Ok(Exit::Clean)
}

/// Splits `Shape@14` into the operator and the opset.
fn split(text: &str) -> Result<(&str, Option<u32>), String> {
    match text.rsplit_once('@') {
        // The path of a file may contain `@`.
        Some((subject, at)) if !is_file(text) => Ok((subject, Some(opset(at)?))),
        _ => Ok((text, None)),
    }
}

/// The code that the macro generates, formatted.
fn rust(operator: &Operator, version: Option<&Version>, tables: &Tables) -> syn::Result<String> {
    let tokens = match version {
        None => shape_codegen::operator(operator, tables),
        Some(version) => shape_codegen::version(operator, version, tables),
    };
    Ok(prettyplease::unparse(&syn::parse2(tokens)?))
}
