//! `shape new`: writes the first descriptor of an operator.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Component, Path, PathBuf};

use shape_changes::write;
use shape_model::file;
use shape_specs::DESCRIPTOR_SCHEMA;

use crate::descriptors::authoring::{self, report_errors};
use crate::descriptors::{domain_and_name, folder, tables_of};
use crate::options::{exit_codes, opset};
use crate::signals;
use crate::terminal::{Done, Exit, Terminal};

/// Create a descriptor for a new operator
///
/// Writes a valid descriptor with comments that show the possible fields: `FOLDER/DOMAIN/NAME.yaml`, where FOLDER is
/// that of --specs, or `specs`. Existing files are not overwritten. Also writes `FOLDER/descriptor.schema.json` if it
/// is missing; editors use it to complete and check descriptors.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape new com.acme::Gelu                 writes specs/com.acme/Gelu.yaml\n",
    "  shape new Gelu --since 20                writes specs/ai.onnx/Gelu.yaml, first version in opset 20",
    exit_codes!(),
))]
pub(crate) struct NewArgs {
    /// The operator, as in `Gelu` or `com.acme::Gelu`
    operator: String,

    /// The opset of its first version
    #[arg(long, value_name = "N", default_value = "1", value_parser = opset)]
    since: u32,
}

/// The JSON Schema of descriptors, for editors.
const SCHEMA: &str = "descriptor.schema.json";

pub(super) fn run(args: &NewArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let (domain, name) = domain_and_name(&args.operator);
    let specs = authoring::folder(specs).map_err(|error| terminal.fail(error))?;
    let folder = specs.join(domain);
    let path = folder.join(format!("{name}.yaml"));
    let tables = tables_of(&folder::beside(&path), terminal)?;
    let text = match write::descriptor(domain, name, args.since, &format!("../{SCHEMA}"), tables) {
        Ok(text) => text,
        Err(errors) => return report_errors(&path.display().to_string(), &errors, terminal),
    };
    // `..` is a valid domain, but leads out of the folder.
    if !matches!(*Path::new(domain).components().collect::<Vec<_>>(), [Component::Normal(_)]) {
        return Ok(terminal.fail(&format!("`{domain}` cannot be the name of a folder")));
    }
    let written = fs::create_dir_all(&folder).and_then(|()| create(&path, text.as_bytes()));
    match written {
        Ok(()) => terminal.note(format_args!("wrote {}", path.display())),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let help = format!("`shape new-version {} N` adds a version to it", args.operator);
            return Ok(terminal.fail(&format!("{} already exists; {help}", path.display())));
        }
        Err(error) => return Ok(terminal.fail(&format!("cannot write {}: {error}", path.display()))),
    }
    let schema = specs.join(SCHEMA);
    match create(&schema, DESCRIPTOR_SCHEMA.as_bytes()) {
        Ok(()) => terminal.note(format_args!("wrote {}, for editors", schema.display())),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Ok(terminal.fail(&format!("cannot write {}: {error}", schema.display()))),
    }
    Ok(Exit::Clean)
}

/// Writes a new file under a temporary name, which gets its name when it is complete.
fn create(target: &Path, content: &[u8]) -> io::Result<()> {
    signals::watch();
    file::create(target, |file| file.write_all(content))
}
