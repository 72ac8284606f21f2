//! `shape suite judge`: what runtimes made of a suite.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Serialize;

use super::results::{Results, Runtime};
use super::verdict::{Judgement, Verdict};
use super::{Runs, report, support};
use crate::cases::{Entry, Manifest};
use crate::json::{self, SCHEMA_VERSION};
use crate::options::{Format, exit_codes};
use crate::output::Inputs;
use crate::terminal::{Done, Exit, Terminal};

/// Judge what runtimes made of a suite
///
/// A valid case passes if it ran, and each output has the expected type, dimensions and elements; an invalid one passes if
/// it was refused. The table lists the versions that do not pass all of their valid cases, with the choices that no case
/// with passes.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape suite judge suite tract-results\n",
    "  shape suite judge suite tract-results rten-results --format markdown\n",
    "  shape suite judge suite tract-results --manifest tract.yaml",
    exit_codes!(),
))]
pub(super) struct JudgeArgs {
    #[command(flatten)]
    runs: Runs,

    /// Write the manifest of what the runtime supports, for `shape ops --manifest`; of one RESULTS
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(super) format: JudgeFormat,
}

/// The output formats of `shape suite judge`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum JudgeFormat {
    /// Text to read
    Text,
    /// One JSON object
    Json,
    /// Tables in Markdown, with a line for each version
    Markdown,
}

impl JudgeFormat {
    /// Whether standard output is for people.
    pub(super) fn kind(self) -> Format {
        if self == Self::Text { Format::Text } else { Format::Json }
    }
}

#[derive(Serialize)]
pub(super) struct Report {
    schema_version: u32,
    /// The opset of the suite, if it has one.
    pub(super) opset: Option<u32>,
    pub(super) runtimes: Vec<Judged>,
}

/// What a runtime made of a suite.
#[derive(Serialize)]
pub(super) struct Judged {
    pub(super) runtime: Runtime,
    pub(super) valid: Counts,
    pub(super) invalid: Counts,
    pub(super) versions: Vec<OfVersion>,
}

/// How many cases have each verdict.
#[derive(Debug, Default, Serialize)]
pub(super) struct Counts {
    pub(super) cases: usize,
    /// How many of those that passed had elements to compare.
    pub(super) passed_with_elements: usize,
    #[serde(flatten)]
    pub(super) verdicts: BTreeMap<Verdict, usize>,
}

/// What a runtime made of a version.
#[derive(Serialize)]
pub(super) struct OfVersion {
    pub(super) domain: String,
    pub(super) operator: String,
    pub(super) version: u32,
    pub(super) valid: Counts,
    pub(super) invalid: Counts,
    /// The choices of valid cases that ran or should have run, of which none with it passed, if others passed.
    pub(super) never: Vec<String>,
    /// The cases that did not pass.
    pub(super) failed: Vec<Failed>,
}

/// A case that did not pass.
#[derive(Serialize)]
pub(super) struct Failed {
    pub(super) case: String,
    pub(super) valid: bool,
    pub(super) verdict: Verdict,
    pub(super) message: String,
}

impl Counts {
    fn add(&mut self, judgement: &Judgement) {
        self.cases += 1;
        self.passed_with_elements += usize::from(judgement.verdict == Verdict::Passed && judgement.compared);
        *self.verdicts.entry(judgement.verdict).or_default() += 1;
    }

    pub(super) fn of(&self, verdict: Verdict) -> usize {
        self.verdicts.get(&verdict).copied().unwrap_or_default()
    }

    pub(super) fn wrong(&self) -> usize {
        self.verdicts.iter().filter(|(verdict, _)| verdict.is_wrong()).map(|(_, count)| count).sum()
    }
}

pub(super) fn run(args: &JudgeArgs, terminal: &mut Terminal) -> Done {
    let Runs { suite, results } = &args.runs;
    let manifest = Manifest::read(suite).map_err(|error| terminal.fail(&error))?;
    let read = results.iter().map(|folder| Results::read(folder, &manifest));
    let read: Vec<Results> = all(read).map_err(|error| terminal.fail(&error))?;
    if let Some(target) = &args.manifest {
        let [one] = &*read else {
            return Ok(terminal.fail("`--manifest` is what one runtime supports; give one RESULTS"));
        };
        let text = support::yaml(one, &manifest, &|case| passed(suite, case, one));
        let mut inputs = Inputs::default();
        inputs.add([suite.join("manifest.json"), one.folder.join("results.json")]);
        inputs.write(target, text.as_bytes()).map_err(|error| terminal.fail(&error))?;
        terminal.note(format_args!("wrote what {} supports to {}", one.label(), target.display()));
    }
    let runtimes: Vec<Judged> = read.iter().map(|results| judged(suite, &manifest, results)).collect();
    let fails = |judged: &Judged| judged.valid.of(Verdict::Passed) < judged.valid.cases;
    let exit = if runtimes.iter().any(fails) { Exit::Findings } else { Exit::Clean };
    let report = Report { schema_version: SCHEMA_VERSION, opset: manifest.opset, runtimes };
    match args.format {
        JudgeFormat::Json => json::write(terminal.out(), &report)?,
        JudgeFormat::Text => report::text(&report, terminal.out())?,
        JudgeFormat::Markdown => report::markdown(&report, terminal.out())?,
    }
    Ok(exit)
}

/// All that could be read, or all errors.
pub(super) fn all<T>(read: impl Iterator<Item = Result<T, String>>) -> Result<Vec<T>, String> {
    let (mut all, mut errors) = (Vec::new(), Vec::new());
    for each in read {
        match each {
            Ok(one) => all.push(one),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(all) } else { Err(errors.join("\n")) }
}

fn passed(suite: &Path, case: &Entry, results: &Results) -> bool {
    Judgement::of(suite, case, results).verdict == Verdict::Passed
}

fn judged(suite: &Path, manifest: &Manifest, results: &Results) -> Judged {
    let mut by_version: BTreeMap<(&str, &str, u32), Vec<&Entry>> = BTreeMap::new();
    for case in &manifest.cases {
        if let (Some(domain), Some(operator), Some(version)) = (&case.domain, &case.operator, case.version) {
            by_version.entry((domain, operator, version)).or_default().push(case);
        }
    }
    let (mut valid, mut invalid, mut versions) = (Counts::default(), Counts::default(), Vec::new());
    for ((domain, operator, version), cases) in by_version {
        let mut of = OfVersion {
            domain: domain.to_owned(),
            operator: operator.to_owned(),
            version,
            valid: Counts::default(),
            invalid: Counts::default(),
            never: Vec::new(),
            failed: Vec::new(),
        };
        let (mut passed, mut failed) = (BTreeSet::new(), Vec::new());
        for case in cases {
            let judgement = Judgement::of(suite, case, results);
            let (all, counts) = if case.valid { (&mut valid, &mut of.valid) } else { (&mut invalid, &mut of.invalid) };
            all.add(&judgement);
            counts.add(&judgement);
            let Judgement { verdict, message, .. } = judgement;
            if verdict == Verdict::Passed {
                passed.extend(&case.choices);
                continue;
            }
            if verdict != Verdict::NotRun {
                failed.extend(&case.choices);
            }
            of.failed.push(Failed { case: case.name.clone(), valid: case.valid, verdict, message });
        }
        if of.valid.of(Verdict::Passed) > 0 {
            let mut had = BTreeSet::new();
            let never = failed.into_iter().filter(|choice| !passed.contains(choice) && had.insert(*choice));
            of.never = never.cloned().collect();
        }
        versions.push(of);
    }
    Judged { runtime: results.runtime.clone(), valid, invalid, versions }
}
