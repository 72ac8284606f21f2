//! `shape ops --runtimes`: the manifests of this build.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use shape_specs::Scope;
use shape_specs::manifest::{BUILTIN, Manifest};

use crate::descriptors::Descriptors;
use crate::json::{self, SCHEMA_VERSION};
use crate::options::Format;
use crate::render::{FAINT, STRONG, hanging, number};
use crate::terminal::{Done, Exit, Terminal};

#[derive(Serialize)]
struct Report {
    schema_version: u32,
    runtimes: Vec<Runtime>,
}

#[derive(Serialize)]
struct Runtime {
    runtime: String,
    release: String,
    operators: usize,
    /// The newest IR version; null if no limit is known.
    ir_version: Option<u32>,
    opsets: Vec<Opset>,
    /// How it was read.
    sources: Vec<String>,
}

/// The newest opset of a domain.
#[derive(Serialize)]
struct Opset {
    domain: String,
    newest: u32,
}

pub(super) fn run(format: Format, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let descriptors = Descriptors::read(Scope::Facts, specs, terminal)?;
    let mut runtimes = Vec::new();
    for builtin in BUILTIN {
        let read = builtin.read(descriptors.operators(), descriptors.tables);
        let Manifest { sources, ir_version, opsets, entries, .. } =
            read.map_err(|errors| terminal.fail_on_specs(&errors))?;
        let operators: HashSet<_> = entries.iter().map(|entry| (&entry.domain, &entry.operator)).collect();
        runtimes.push(Runtime {
            runtime: builtin.runtime.to_owned(),
            release: builtin.release.to_owned(),
            operators: operators.len(),
            ir_version,
            opsets: opsets.into_iter().map(|row| Opset { domain: row.domain, newest: row.newest }).collect(),
            sources,
        });
    }
    let out = terminal.out();
    if format == Format::Json {
        json::write(out, &Report { schema_version: SCHEMA_VERSION, runtimes })?;
        return Ok(Exit::Clean);
    }
    for (index, runtime) in runtimes.iter().enumerate() {
        let apart = if index > 0 { "\n" } else { "" };
        let Runtime { runtime, release, operators, ir_version, opsets, sources } = runtime;
        let mut facts = vec![number(*operators, "operator")];
        facts.extend(opsets.iter().map(|of| format!("{} up to {}", of.domain, of.newest)));
        facts.extend(ir_version.map(|ir_version| format!("IR version up to {ir_version}")));
        writeln!(out, "{apart}{STRONG}{runtime}@{release}{STRONG:#}")?;
        hanging(out, "  ", &facts.join(", "))?;
        for source in sources {
            hanging(out, &format!("  {FAINT}read from{FAINT:#} "), source)?;
        }
    }
    Ok(Exit::Clean)
}
