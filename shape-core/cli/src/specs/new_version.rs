//! `shape new-version`

use std::io::Write as _;
use std::path::PathBuf;

use shape_core::model::replace;
use shape_specs::names::suggest;
use shape_specs::write::{Extended, Refusal, with_version};
use shape_specs::yaml::{self, Kind};

use super::folder::{self, File, Files};
use super::{is_file, refuse};
use crate::args::NewVersionArgs;
use crate::described::{domain_and_name, tables_of};
use crate::terminal::{Done, Exit, Terminal};

pub(crate) fn run(args: &NewVersionArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let path = if is_file(&args.operator) {
        PathBuf::from(&args.operator)
    } else {
        descriptor(&args.operator, specs).map_err(|trouble| terminal.fail(&trouble))?
    };
    let files = folder::read(&[path]);
    let [File { name, bytes }] = &*files.files else { return Ok(terminal.fail(&files.troubles.concat())) };
    let tables = tables_of(&files, terminal)?;
    let Extended { text, line } = match with_version(name, bytes, args.since, tables) {
        Ok(extended) => extended,
        Err(Refusal::Errors(errors)) => return refuse(name, &errors, terminal),
        Err(refusal) => return Ok(terminal.fail(&format!("{name} stays as it is: {refusal}"))),
    };
    if let Err(error) = replace(name, |file| file.write_all(text.as_bytes())) {
        return Ok(terminal.fail(&format!("cannot write {name}: {error}")));
    }
    terminal.note(format_args!("added version {} at {name}:{line}", args.since));
    Ok(Exit::Clean)
}

/// The descriptor of the operator that is asked for; otherwise why there is none.
fn descriptor(operator: &str, specs: &[PathBuf]) -> Result<PathBuf, String> {
    let specs = folder::one(specs)?;
    let Files { files, troubles, .. } = folder::read(&[specs.to_owned()]);
    let (domain, name) = domain_and_name(operator);
    let path = format!("{domain}::{name}");
    let (mut found, others): (Vec<_>, Vec<_>) =
        files.into_iter().filter_map(|file| Some((describes(&file)?, file))).partition(|(other, _)| *other == path);
    match (found.pop(), &*found) {
        (Some((_, file)), []) => Ok(PathBuf::from(file.name)),
        (Some((_, file)), [(_, twin), ..]) => Err(format!("{} and {} describe `{path}` both", twin.name, file.name)),
        (None, _) if !troubles.is_empty() => Err(troubles.join("; ")),
        (None, _) => {
            let help = suggest(&path, others.iter().map(|(other, _)| &**other));
            let help = help.map(|help| format!("; {help}")).unwrap_or_default();
            Err(format!("no descriptor in {} describes `{path}`{help}", specs.display()))
        }
    }
}

/// The domain and the name of the operator that a file describes, as far as it can be read.
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
