//! `shape show`

mod page;
mod report;

use std::io;

use shape_specs::names::suggest;
use shape_specs::operator::{Example, Operator, Ruling, Version};
use shape_specs::{SpecErrors, Tables, builtin};

use crate::args::{Format, ShowArgs};
use crate::json;
use crate::terminal::{Exit, Terminal};

/// What is shown: an operator with all its versions, or with the one in force at an opset.
struct Shown<'s> {
    operator: &'s Operator,
    opset: Option<u32>,
    /// Newest first.
    versions: Vec<&'s Version>,
    tables: &'s Tables,
}

impl<'s> Shown<'s> {
    /// What the newest of the versions gives.
    fn summary(&self) -> &'s str {
        self.versions.first().map_or(&self.operator.summary, |version| &version.summary)
    }

    /// The examples that hold for one of the versions.
    fn examples(&self) -> impl Iterator<Item = &'s Example> {
        self.operator
            .examples
            .iter()
            .filter(|example| self.versions.iter().any(|version| example.holds_for(version.since)))
    }

    /// The rulings on one of the versions.
    fn errata(&self) -> impl Iterator<Item = &'s Ruling> {
        let about = |ruling: &&Ruling| self.versions.iter().any(|version| ruling.versions.contains(&version.since));
        self.operator.errata.iter().filter(about)
    }
}

pub(crate) fn run(args: &ShowArgs, terminal: &mut Terminal) -> io::Result<Exit> {
    let (operators, tables) = match (builtin(), Tables::builtin()) {
        (Ok(operators), Ok(tables)) => (operators, tables),
        (Err(errors), _) => return Ok(broken(&errors, terminal)),
        (_, Err(errors)) => return Ok(broken(errors, terminal)),
    };
    let shown = match find(&args.operator, &operators, tables) {
        Ok(shown) => shown,
        Err(trouble) => {
            terminal.trouble(format_args!("{trouble}"));
            return Ok(Exit::Trouble);
        }
    };
    match args.format {
        Format::Text => page::write(terminal.out(), &shown)?,
        Format::Json => json::write(terminal.out(), &report::Report::new(&shown))?,
    }
    Ok(Exit::Clean)
}

fn broken(errors: &SpecErrors, terminal: &mut Terminal) -> Exit {
    terminal.trouble(format_args!("the descriptors of this build have mistakes: {errors}"));
    Exit::Trouble
}

/// What `com.acme::Name@14` asks for, or what is wrong with it.
fn find<'s>(text: &str, operators: &'s [Operator], tables: &'s Tables) -> Result<Shown<'s>, String> {
    let (path, opset) = match text.split_once('@') {
        None => (text, None),
        Some((path, opset)) => {
            let number = opset.parse::<u32>().ok().filter(|opset| *opset > 0);
            (path, Some(number.ok_or_else(|| format!("`{opset}` is not an opset, which is a number from 1 on"))?))
        }
    };
    let (domain, name) = path.rsplit_once("::").unwrap_or(("ai.onnx", path));
    let domain = if domain.is_empty() { "ai.onnx" } else { domain };
    let operator = operators.iter().find(|operator| operator.domain == domain && operator.name == name);
    let operator = operator.ok_or_else(|| unknown(domain, name, operators))?;

    let Some(opset) = opset else {
        return Ok(Shown { operator, opset, versions: operator.versions.iter().rev().collect(), tables });
    };
    if let Some(newest) = tables.newest_opset(domain).filter(|newest| opset > *newest) {
        return Err(format!("opset {opset} of {domain} is not known; the newest one known is {newest}"));
    }
    let in_force = operator.versions.iter().rfind(|version| version.since <= opset);
    let version = in_force.ok_or_else(|| {
        let first = operator.versions.first().map_or(0, |first| first.since);
        format!("{name} is not in opset {opset} of {domain}; it came with opset {first}")
    })?;
    Ok(Shown { operator, opset: Some(opset), versions: vec![version], tables })
}

fn unknown(domain: &str, name: &str, operators: &[Operator]) -> String {
    // Everybody takes ai.onnx for granted, so that it is named only where another is asked for.
    let path = |operator: &Operator| match &*operator.domain {
        "ai.onnx" => operator.name.clone(),
        other => format!("{other}::{}", operator.name),
    };
    let asked = if domain == "ai.onnx" { name.to_owned() } else { format!("{domain}::{name}") };
    let same = |operator: &&Operator| operator.name.eq_ignore_ascii_case(name);
    if let Some(operator) = operators.iter().find(same) {
        return format!("there is no descriptor of `{asked}`; did you mean `{}`?", path(operator));
    }
    let known: Vec<String> = operators.iter().map(path).collect();
    let help =
        suggest(&asked, known.iter().map(String::as_str)).unwrap_or_else(|| "`shape show` knows others".to_owned());
    format!("there is no descriptor of `{asked}`; {help}")
}
