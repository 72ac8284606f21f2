//! `shape new-version`: adds a version to a descriptor.

use std::path::{Path, PathBuf};

use shape_changes::write::{Extended, Refusal, with_version};
use shape_specs::names::suggest;
use shape_specs::yaml::{self, Kind};

use crate::descriptors::authoring::{self, is_file, report_errors};
use crate::descriptors::folder::{self, File, Files};
use crate::descriptors::{domain_and_name, tables_of};
use crate::options::{exit_codes, opset};
use crate::output::Inputs;
use crate::terminal::{Done, Exit, Terminal};

/// Add a version to the descriptor of an operator
///
/// Adds the version after the others. It changes nothing yet; comments show what it can change. The rest of the file
/// stays the same. A descriptor with errors is not changed. The command looks for the descriptor in the folder of
/// --specs, or in `specs`.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape new-version Shape 26\n",
    "  shape new-version com.acme::Gelu 2 --specs vendor/specs\n",
    "  shape new-version specs/com.acme/Gelu.yaml 2",
    exit_codes!(),
))]
pub(crate) struct NewVersionArgs {
    /// The operator, as in `Shape` or `com.acme::Gelu`; or the path of its descriptor (`*.yaml`)
    operator: String,

    /// The opset of the new version
    #[arg(value_name = "N", value_parser = opset)]
    since: u32,
}

pub(super) fn run(args: &NewVersionArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let path = if is_file(&args.operator) {
        PathBuf::from(&args.operator)
    } else {
        descriptor(&args.operator, specs).map_err(|error| terminal.fail(&error))?
    };
    let files = folder::read(&[path]);
    let [File { name, bytes }] = &*files.files else { return Ok(terminal.fail(&files.errors.concat())) };
    let tables = tables_of(&files, terminal)?;
    let Extended { text, line } = match with_version(name, bytes, args.since, tables) {
        Ok(extended) => extended,
        Err(Refusal::Errors(errors)) => return report_errors(name, &errors, terminal),
        Err(refusal) => return Ok(terminal.fail(&format!("cannot add a version to {name}: {refusal}"))),
    };
    // It replaces the file that it was made from, so that no file that is read must stay.
    if let Err(error) = Inputs::default().replace(Path::new(name), text.as_bytes()) {
        return Ok(terminal.fail(&error));
    }
    terminal.note(format_args!("added version {} at {name}:{line}", args.since));
    Ok(Exit::Clean)
}

/// The path of the descriptor of an operator; fails if there is none, or two.
fn descriptor(operator: &str, specs: &[PathBuf]) -> Result<PathBuf, String> {
    let specs = authoring::folder(specs)?;
    let Files { files, errors, .. } = folder::read(&[specs.to_owned()]);
    let (domain, name) = domain_and_name(operator);
    let path = format!("{domain}::{name}");
    let (mut matching, others): (Vec<_>, Vec<_>) =
        files.into_iter().filter_map(|file| Some((describes(&file)?, file))).partition(|(other, _)| *other == path);
    match (matching.pop(), &*matching) {
        (Some((_, file)), []) => Ok(PathBuf::from(file.name)),
        (Some((_, file)), [(_, twin), ..]) => Err(format!("both {} and {} describe `{path}`", twin.name, file.name)),
        (None, _) if !errors.is_empty() => Err(errors.join("; ")),
        (None, _) => {
            let help = suggest(&path, others.iter().map(|(other, _)| &**other));
            let help = help.map(|help| format!("; {help}")).unwrap_or_default();
            Err(format!("no descriptor in {} describes `{path}`{help}", specs.display()))
        }
    }
}

/// The domain and the name of the operator that a file describes, if it can be parsed.
fn describes(file: &File) -> Option<String> {
    let Kind::Map(fields) = yaml::parse(&file.bytes).ok()?.kind else { return None };
    let field = |name: &str| {
        fields.iter().find_map(|(key, value)| match (&key.kind, &value.kind) {
            (Kind::Text(key), Kind::Text(value)) if key == name => Some(value.clone()),
            _ => None,
        })
    };
    Some(format!("{}::{}", field("domain")?, field("operator")?))
}
