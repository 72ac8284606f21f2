//! `shape explain`

mod dims;
mod rule;

use std::io::Write as _;

use serde::Serialize;
use shape_core::code::Code;
use shape_specs::names::nearest;

use crate::args::{ExplainArgs, Format};
use crate::described::builtin_tables;
use crate::json::{self, SCHEMA_VERSION};
use crate::render::{STRONG, style};
use crate::terminal::{Done, Exit, Terminal};

#[derive(Serialize)]
struct Report {
    schema_version: u32,
    codes: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    code: &'static str,
    severity: &'static str,
    title: &'static str,
    explanation: &'static str,
}

pub(crate) fn run(args: &ExplainArgs, terminal: &mut Terminal) -> Done {
    if let Some(name) = &args.code
        && let Some(rule) = rule::find(name)
    {
        return rule::run(args.format, rule, terminal);
    }
    if let Some(name) = &args.code
        && let Some(subject) = dims::find(name, terminal)?
    {
        return dims::run(args.format, subject, terminal);
    }
    let codes: Vec<Code> = match &args.code {
        None => Code::all().collect(),
        Some(name) => match Code::from_name(name) {
            Some(code) => vec![code],
            None => {
                let rules = builtin_tables(terminal)?.rules().map(|rule| &*rule.name);
                let nearest = nearest(name, Code::all().map(Code::name).chain(rule::ids()).chain(rules));
                let hint = nearest.map(|nearest| format!("did you mean `{nearest}`? ")).unwrap_or_default();
                terminal.trouble(format_args!(
                    "there is no code and no rule `{name}`; {hint}`shape explain` lists the codes, `shape explain rules` the rules"
                ));
                return Ok(Exit::Trouble);
            }
        },
    };
    let out = terminal.out();
    match (args.format, &*codes) {
        (Format::Json, codes) => {
            let codes = codes.iter().map(|code| Entry {
                code: code.name(),
                severity: code.severity().name(),
                title: code.title(),
                explanation: code.explanation(),
            });
            json::write(out, &Report { schema_version: SCHEMA_VERSION, codes: codes.collect() })?;
        }
        (Format::Text, [code]) => {
            let (severity, style) = (code.severity(), style(code.severity()));
            writeln!(out, "{style}{severity}[{code}]{style:#}{STRONG}: {}{STRONG:#}", code.title())?;
            writeln!(out, "\n{}", code.explanation().trim_end())?;
        }
        (Format::Text, codes) => {
            let width = codes.iter().map(|code| code.name().len()).max().unwrap_or_default();
            for code in codes {
                let (severity, style) = (code.severity(), style(code.severity()));
                writeln!(out, "{STRONG}{code:width$}{STRONG:#}  {style}{severity:7}{style:#}  {}", code.title())?;
            }
        }
    }
    Ok(Exit::Clean)
}
