//! `shape new`

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Component, Path, PathBuf};

use shape_core::model::create;
use shape_specs::{DESCRIPTOR_SCHEMA, write};

use super::{folder, refuse};
use crate::args::NewArgs;
use crate::described::{domain_and_name, tables_of};
use crate::terminal::{Done, Exit, Terminal};

/// What editors look for in the folder of the descriptors.
const SCHEMA: &str = "descriptor.schema.json";

pub(crate) fn run(args: &NewArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let (domain, name) = domain_and_name(&args.operator);
    let specs = folder::one(specs).map_err(|trouble| terminal.fail(trouble))?;
    let folder = specs.join(domain);
    let path = folder.join(format!("{name}.yaml"));
    let tables = tables_of(&folder::beside(&path), terminal)?;
    let text = match write::descriptor(domain, name, args.since, &format!("../{SCHEMA}"), tables) {
        Ok(text) => text,
        Err(errors) => return refuse(&path.display().to_string(), &errors, terminal),
    };
    // `..` has the form of a domain, and is none of a folder within this one.
    if !matches!(*Path::new(domain).components().collect::<Vec<_>>(), [Component::Normal(_)]) {
        return Ok(terminal.fail(&format!("`{domain}` cannot be the name of a folder")));
    }
    let written = fs::create_dir_all(&folder).and_then(|()| create(&path, |file| file.write_all(text.as_bytes())));
    match written {
        Ok(()) => terminal.note(format_args!("wrote {}", path.display())),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let help = format!("`shape new-version {} N` adds a version to it", args.operator);
            return Ok(terminal.fail(&format!("there is {} already; {help}", path.display())));
        }
        Err(error) => return Ok(terminal.fail(&format!("cannot write {}: {error}", path.display()))),
    }
    let schema = specs.join(SCHEMA);
    match create(&schema, |file| file.write_all(DESCRIPTOR_SCHEMA.as_bytes())) {
        Ok(()) => terminal.note(format_args!("wrote {}, for editors", schema.display())),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Ok(terminal.fail(&format!("cannot write {}: {error}", schema.display()))),
    }
    Ok(Exit::Clean)
}
