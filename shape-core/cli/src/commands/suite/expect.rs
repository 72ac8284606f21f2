//! `shape suite expect`: adds the elements that implementations agree on.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use shape_model::test_case::{Tolerance, Value};

use super::Runs;
use super::results::{How, Results};
use super::verdict::of_type;
use crate::cases::{Agreement, Manifest, Slot, output_file};
use crate::json::{self, SCHEMA_VERSION};
use crate::options::{Format, exit_codes};
use crate::output::Inputs;
use crate::render::{Clean, FAINT, STRONG, grouped};
use crate::terminal::{Done, Exit, Terminal};

/// Add the elements to a suite that implementations agree on
///
/// Of an output, those elements are expected that all of these implementations agree on which ran the case, if they are two
/// or more: to the bit, or else within the tolerance of their type, which the manifest states. Where they disagree, nothing is
/// expected. What the rules of an operator compute stays.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape suite expect suite onnxruntime-results reference-results",
    exit_codes!(),
))]
pub(super) struct ExpectArgs {
    #[command(flatten)]
    runs: Runs,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(super) format: Format,
}

/// How many outputs of valid cases are of each kind, and where implementations disagree.
#[derive(Debug, Default, Serialize)]
struct Report {
    schema_version: u32,
    by_rules: usize,
    to_the_bit: usize,
    within_a_tolerance: usize,
    disputed: usize,
    /// Fewer than two implementations have an output of the right type and dimensions.
    open: usize,
    disputes: Vec<Dispute>,
    /// The files of elements that an earlier run expected, and that are no longer agreed on.
    #[serde(skip)]
    stale: Vec<PathBuf>,
}

/// An output on which implementations do not agree, or not with the rules.
#[derive(Debug, Serialize)]
struct Dispute {
    case: String,
    output: usize,
    /// What each says.
    sides: Vec<Side>,
}

#[derive(Debug, Serialize)]
struct Side {
    by: String,
    /// How it differs from the first one.
    difference: Option<String>,
}

/// The elements of an output as an implementation gives them.
struct Given<'r> {
    by: &'r Results,
    value: Value,
}

/// What is to be said of an output.
enum Opinion {
    /// The index of a value that all agree with.
    Agreed {
        value: usize,
        tolerance: Tolerance,
    },
    Disputed,
    Open,
}

pub(super) fn run(args: &ExpectArgs, terminal: &mut Terminal) -> Done {
    let Runs { suite, results } = &args.runs;
    let mut manifest = Manifest::read(suite).map_err(|error| terminal.fail(&error))?;
    let read = Results::read_all(results, &manifest).map_err(|error| terminal.fail(&error))?;
    let names: BTreeSet<&str> = read.iter().map(|results| &*results.runtime.name).collect();
    if names.len() < 2 {
        return Ok(terminal.fail("two implementations are needed to agree; give RESULTS of two runtimes, or more"));
    }
    let mut inputs = Inputs::default();
    inputs.add(read.iter().map(|results| results.folder.join("results.json")));
    let mut report = Report { schema_version: SCHEMA_VERSION, ..Report::default() };
    for case in manifest.cases.iter_mut().filter(|case| case.valid) {
        for (index, slot) in case.outputs.iter_mut().enumerate() {
            settle(suite, &case.name, (index, slot), (&read, &inputs), &mut report)
                .map_err(|error| terminal.fail(&error))?;
        }
    }
    manifest.write(suite, &inputs).map_err(|error| terminal.fail(&error))?;
    for file in &report.stale {
        fs::remove_file(file).map_err(|error| terminal.fail(&format!("cannot delete {}: {error}", file.display())))?;
    }
    match args.format {
        Format::Json => json::write(terminal.out(), &report)?,
        Format::Text => text(&report, terminal)?,
    }
    terminal.flush()?;
    Ok(if report.to_the_bit + report.within_a_tolerance == 0 { Exit::Findings } else { Exit::Clean })
}

/// Decides what is expected of the elements of an output.
fn settle(
    suite: &Path,
    case: &str,
    (index, slot): (usize, &mut Slot),
    (read, inputs): (&[Results], &Inputs),
    report: &mut Report,
) -> Result<(), String> {
    let given: Vec<Given<'_>> = read.iter().filter_map(|results| given(results, case, index, slot)).collect();
    let target = output_file(suite, case, index);
    if slot.data.as_ref().is_some_and(Agreement::is_by_rules) {
        report.by_rules += 1;
        let rules = Value::open(&target)?;
        let side = |one: &Given<'_>| {
            let difference = one.value.difference(&rules, Tolerance::EXACT)?;
            Some(Side { by: one.by.label(), difference: Some(difference.to_string()) })
        };
        let against: Vec<Side> = given.iter().filter_map(side).collect();
        if !against.is_empty() {
            let rules = Side { by: "rules".to_owned(), difference: None };
            let sides = std::iter::once(rules).chain(against).collect();
            report.disputes.push(Dispute { case: case.to_owned(), output: index, sides });
        }
        return Ok(());
    }
    match opinion(&given) {
        Opinion::Agreed { value, tolerance } => {
            let Some(of) = given.get(value) else { return Ok(()) };
            let count =
                if tolerance == Tolerance::EXACT { &mut report.to_the_bit } else { &mut report.within_a_tolerance };
            *count += 1;
            inputs.replace(&target, &of.value.to_file(&slot.name))?;
            // That two implementations give the same bits does not ask a third one to.
            let by = given.iter().map(|one| one.by.label()).collect();
            slot.data = Some(Agreement::new(by, Tolerance::of(of.value.data_type())));
            return Ok(());
        }
        Opinion::Open => report.open += 1,
        Opinion::Disputed => {
            report.disputed += 1;
            let first = given.first();
            let side = |one: &Given<'_>| {
                let difference = first.and_then(|first| one.value.difference(&first.value, Tolerance::EXACT));
                Side { by: one.by.label(), difference: difference.map(|of| of.to_string()) }
            };
            let sides = given.iter().map(side).collect();
            report.disputes.push(Dispute { case: case.to_owned(), output: index, sides });
        }
    }
    if slot.data.take().is_some() {
        report.stale.push(target);
    }
    Ok(())
}

/// What an implementation gives for an output, if it has the type and the dimensions that are expected.
fn given<'r>(results: &'r Results, case: &str, index: usize, slot: &Slot) -> Option<Given<'r>> {
    let outcome = results.of(case).filter(|outcome| outcome.outcome == How::Ran)?;
    of_type(outcome.outputs.get(index)?, slot).ok()?;
    let value = Value::open(results.output(case, index)).ok()?;
    let has_type = slot.ty == format!("tensor({})", value.data_type());
    let has_dims = slot.dims.as_ref().is_none_or(|dims| {
        let fits = |(size, dim): (&u64, &Option<u64>)| dim.is_none_or(|dim| dim == *size);
        dims.len() == value.dims().len() && value.dims().iter().zip(dims).all(fits)
    });
    (has_type && has_dims).then_some(Given { by: results, value })
}

/// What all implementations agree on, if they are two or more: to the bit, or else within the tolerance of the type.
fn opinion(given: &[Given<'_>]) -> Opinion {
    let Some(first) = given.first().filter(|_| independent(given) > 1) else { return Opinion::Open };
    for tolerance in [Tolerance::EXACT, Tolerance::of(first.value.data_type())] {
        let agrees = |one: &Given<'_>, with: &Given<'_>| {
            one.value.dims() == with.value.dims() && one.value.difference(&with.value, tolerance).is_none()
        };
        if let Some(value) = given.iter().position(|with| given.iter().all(|one| agrees(one, with))) {
            return Opinion::Agreed { value, tolerance };
        }
    }
    Opinion::Disputed
}

/// How many runtimes some values are of.
fn independent(given: &[Given<'_>]) -> usize {
    given.iter().map(|one| &*one.by.runtime.name).collect::<BTreeSet<_>>().len()
}

fn text(report: &Report, terminal: &mut Terminal) -> std::io::Result<()> {
    let Report { by_rules, to_the_bit, within_a_tolerance, disputed, open, disputes, .. } = report;
    let out = terminal.out();
    let agreed = to_the_bit + within_a_tolerance;
    writeln!(
        out,
        "{STRONG}{} outputs{STRONG:#} are agreed on: {} to the bit, {} within a tolerance",
        grouped(agreed),
        grouped(to_the_bit),
        grouped(within_a_tolerance)
    )?;
    writeln!(
        out,
        "{} follow from rules, {} are disputed, {} have fewer than two implementations",
        grouped(by_rules),
        grouped(disputed),
        grouped(open)
    )?;
    for Dispute { case, output, sides } in disputes {
        writeln!(out, "{}, output {output}", Clean(case))?;
        for Side { by, difference } in sides {
            let says = difference.as_ref().map_or(String::new(), |difference| format!(" is {difference}"));
            writeln!(out, "  {FAINT}{}{FAINT:#}{}", Clean(by), Clean(&says))?;
        }
    }
    Ok(())
}
