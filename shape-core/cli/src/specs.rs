//! `shape specs`

pub(crate) mod folder;
mod lint;

use std::io::{self, Write as _};

use shape_specs::DESCRIPTOR_SCHEMA;

use crate::args::{SpecsArgs, SpecsCommand};
use crate::terminal::{Exit, Terminal};

pub(crate) fn run(args: &SpecsArgs, terminal: &mut Terminal) -> io::Result<Exit> {
    match &args.command {
        SpecsCommand::Lint(args) => lint::run(args, terminal),
        SpecsCommand::Schema => terminal.out().write_all(DESCRIPTOR_SCHEMA.as_bytes()).map(|()| Exit::Clean),
    }
}
