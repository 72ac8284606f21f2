//! `shape explain`: explains codes of findings, rules of profiles, and rules of descriptors.

pub(crate) mod dims_rule;
pub(crate) mod profile_rule;

use std::io::Write as _;

use serde::Serialize;
use shape_core::code::Code;
use shape_specs::names::nearest;

use crate::descriptors::builtin_tables;
use crate::json::{self, SCHEMA_VERSION};
use crate::options::{Format, exit_codes};
use crate::render::{STRONG, style};
use crate::terminal::{Done, Exit, Terminal};

/// Explain the code of a finding, a rule of a profile, or a rule that descriptors call
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape explain                        list all codes\n",
    "  shape explain attribute-unknown\n",
    "  shape explain SONNX-SHAPE-010        a rule of a profile\n",
    "  shape explain reduce                 a rule that descriptors call; `rules` lists all of them\n",
    "  shape explain terms                  what dimensions, relations and adapters may contain",
    exit_codes!(),
))]
pub(crate) struct ExplainArgs {
    /// A code, the id or name of a rule, `rules`, or `terms`; if absent, all codes are listed
    code: Option<String>,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

#[derive(Serialize)]
pub(crate) struct Report {
    schema_version: u32,
    codes: Vec<Entry>,
}

/// A code of findings.
#[derive(Serialize)]
pub(crate) struct Entry {
    code: &'static str,
    severity: &'static str,
    title: &'static str,
    explanation: &'static str,
}

impl From<Code> for Entry {
    fn from(code: Code) -> Self {
        Self {
            code: code.name(),
            severity: code.severity().name(),
            title: code.title(),
            explanation: code.explanation(),
        }
    }
}

impl Report {
    pub(crate) fn new(codes: &[Code]) -> Self {
        Self { schema_version: SCHEMA_VERSION, codes: codes.iter().copied().map(Entry::from).collect() }
    }
}

pub(crate) fn run(args: &ExplainArgs, terminal: &mut Terminal) -> Done {
    if let Some(name) = &args.code
        && let Some(rule) = profile_rule::find(name)
    {
        return profile_rule::run(args.format, rule, terminal);
    }
    if let Some(name) = &args.code
        && let Some(subject) = dims_rule::find(name, terminal)?
    {
        return dims_rule::run(args.format, subject, terminal);
    }
    let codes: Vec<Code> = match &args.code {
        None => Code::all().collect(),
        Some(name) => match Code::from_name(name) {
            Some(code) => vec![code],
            None => {
                let rules = builtin_tables(terminal)?.rules().map(|rule| &*rule.name);
                let nearest = nearest(name, Code::all().map(Code::name).chain(profile_rule::ids()).chain(rules));
                let hint = nearest.map(|nearest| format!("did you mean `{nearest}`? ")).unwrap_or_default();
                terminal.error(format_args!(
                    "there is no code or rule `{name}`; {hint}`shape explain` lists the codes, `shape explain rules` the rules"
                ));
                return Ok(Exit::Failure);
            }
        },
    };
    let out = terminal.out();
    match (args.format, &*codes) {
        (Format::Json, codes) => {
            json::write(out, &Report::new(codes))?;
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
