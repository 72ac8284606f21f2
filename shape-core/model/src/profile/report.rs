//! What is said of a model by the rules of a profile.

use super::outcome::{Outcome, Verdict};
use super::subject::Facts;
use super::table::{Profile, ProfileRule};
use crate::check::checked;
use crate::file::proto::ModelProto;
use crate::finding::{Finding, NodeRef};
use crate::options::{Options, OptionsError};
use shape_core::code::Severity;

/// What is said of a rule, of a model or a graph or a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The rule.
    pub rule: &'static ProfileRule,
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
pub struct ProfileReport {
    /// What is wrong with the model as ONNX, or worth knowing of it.
    pub findings: Vec<Finding>,
    /// What is said of each rule: of the model as a whole, then of its graphs, then of each node.
    pub judgements: Vec<Judgement>,
    /// How many nodes the model has, in all its graphs and functions.
    pub nodes: usize,
}

impl ProfileReport {
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

/// Judges a model by the rules of a profile. The rules of an option are judged only if `options_of_profile` names it.
///
/// # Errors
/// As [`analyse`](crate::analyse).
pub fn check(
    model: &ModelProto,
    options: &Options,
    profile: &'static Profile,
    options_of_profile: &[&str],
) -> Result<ProfileReport, OptionsError> {
    let analysis = checked(model, options)?;
    let rules =
        profile.rules.iter().filter(|rule| rule.option.is_none_or(|option| options_of_profile.contains(&option)));
    let rules: Vec<&'static ProfileRule> = rules.collect();
    let facts = Facts::of(model, &analysis, &options.registry, (profile.operators, profile.overlays));
    let mut judgements = Vec::new();
    for subject in facts.subjects() {
        for rule in rules.iter().copied().filter(|rule| rule.is_about(&subject)) {
            let Outcome { verdict, reason } = rule.judge(&subject);
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
    Ok(ProfileReport { findings: analysis.findings, judgements, nodes })
}
