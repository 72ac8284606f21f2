//! Profiles: whether a model stays inside of what somebody asks of it beyond ONNX, and why.
//!
//! A [`Profile`] is a table of rules, generated from `specs/profiles`. Each names a [`Check`], which is written here by
//! hand, with its arguments. [`check`] judges a model by all of them: a rule holds, does not hold, or is undetermined,
//! with the reason.
//!
//! ```
//! use shape_core::analysis::Options;
//! use shape_core::model::ModelFile;
//! use shape_core::profile::{SONNX, Verdict, check};
//! let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/models/attention.onnx");
//! let model = ModelFile::open(path)?;
//! let report = check(model.proto(), &Options::of(&model), &SONNX, &[])?;
//! let version = report.judgements.iter().find(|judgement| judgement.rule.id == "SONNX-SHAPE-030").unwrap();
//! assert_eq!(version.verdict, Verdict::Fail);
//! assert_eq!(version.reason, "Shape-21 is in force; the profile allows Shape-25");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod declared;
mod model;
mod node;
mod subject;
mod table;
mod target;

pub use table::{Arguments, Check, Document, Overlay, Profile, ProfileOption, Proof, Reference, Rule, Variant, When};

use crate::analysis::{self, Options, OptionsError};
use crate::code::Severity;
use crate::finding::{Finding, NodeRef};
use crate::model::proto::ModelProto;
use subject::Facts;

/// The profile of the working group for safety-related systems.
pub static SONNX: Profile = shape_macros::profile!("sonnx");

/// The profiles of this crate.
pub static PROFILES: [&Profile; 1] = [&SONNX];

/// What is said of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It holds, whatever the model is run with.
    Pass,
    /// It does not hold.
    Fail,
    /// Whether it holds depends on what is not known before the model runs, or is not followed.
    Undetermined,
}

impl Verdict {
    /// The word in reports: `pass`, `fail` or `undetermined`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Undetermined => "undetermined",
        }
    }
}

/// What is said of a rule at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The rule.
    pub rule: &'static Rule,
    /// The graph, as findings name it; empty for the model as a whole.
    pub graph: String,
    /// The node, where it is about one.
    pub node: Option<NodeRef>,
    /// What is said.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
}

/// What is said of a model.
#[derive(Clone, Debug)]
pub struct Report {
    /// What is wrong with the model as ONNX, or worth knowing of it.
    pub findings: Vec<Finding>,
    /// What is said of each rule: of the model as a whole, then of its graphs, then of each node.
    pub judgements: Vec<Judgement>,
    /// How many nodes the model has, in all its graphs and functions.
    pub nodes: usize,
}

impl Report {
    /// How many judgements there are with a verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.judgements.iter().filter(|judgement| judgement.verdict == verdict).count()
    }

    /// Whether the model is right as ONNX.
    #[must_use]
    pub fn is_onnx(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity() != Severity::Error)
    }
}

/// Judges a model by the rules of a profile. `asked` names options of the profile; the rules of others are not judged.
///
/// # Errors
/// As [`analysis::analyse`].
pub fn check(
    model: &ModelProto,
    options: &Options,
    profile: &'static Profile,
    asked: &[&str],
) -> Result<Report, OptionsError> {
    let analysis = analysis::checked(model, options)?;
    let rules = profile.rules.iter().filter(|rule| rule.option.is_none_or(|option| asked.contains(&option)));
    let rules: Vec<&'static Rule> = rules.collect();
    let facts = Facts::of(model, &analysis, &options.registry, profile);
    let mut judgements = Vec::new();
    for subject in facts.subjects() {
        for rule in rules.iter().copied().filter(|rule| subject.is_of(rule)) {
            let Outcome { verdict, reason } = subject.judge(rule);
            judgements.push(Judgement {
                rule,
                graph: subject.path().to_owned(),
                node: subject.node_ref(),
                verdict,
                reason,
            });
        }
    }
    let nodes = facts.nodes();
    drop(facts);
    Ok(Report { findings: analysis.findings, judgements, nodes })
}

/// What a check says.
struct Outcome {
    verdict: Verdict,
    reason: String,
}

fn pass(reason: impl Into<String>) -> Outcome {
    Outcome { verdict: Verdict::Pass, reason: reason.into() }
}

fn fail(reason: impl Into<String>) -> Outcome {
    Outcome { verdict: Verdict::Fail, reason: reason.into() }
}

fn open(reason: impl Into<String>) -> Outcome {
    Outcome { verdict: Verdict::Undetermined, reason: reason.into() }
}

/// How many things are named in a reason.
const MOST_NAMED: usize = 8;

/// Names in a reason, as many as are read.
fn named<T: AsRef<str>>(names: &[T]) -> String {
    let shown: Vec<String> = names.iter().take(MOST_NAMED).map(|name| format!("`{}`", name.as_ref())).collect();
    let more = names.len().saturating_sub(MOST_NAMED);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}
