//! The report on a model by the rules of a profile.

use std::collections::HashSet;
use std::sync::Arc;

use super::outcome::{Outcome, Verdict};
use super::subject::Facts;
use super::table::{Profile, ProfileRule};
use crate::check::checked;
use crate::file::Model;
use crate::finding::{Finding, NodeRef};
use crate::options::{Options, OptionsError};
use crate::text::shortened;
use shape_core::code::Severity;

/// The verdict on a rule for a model, a graph or a node. What many verdicts have in common is kept once.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The rule.
    pub rule: &'static ProfileRule,
    /// The graph, as in findings; empty for the model as a whole.
    pub graph: Arc<str>,
    /// The node, if the rule is about one.
    pub node: Option<Arc<NodeRef>>,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason for the verdict.
    pub reason: Arc<str>,
}

/// The report on a model.
#[derive(Clone, Debug)]
pub struct ProfileReport {
    /// The findings about the model as ONNX.
    pub findings: Vec<Finding>,
    /// The verdict on each rule: for the model as a whole, then for its graphs, then for each node.
    pub judgements: Vec<Judgement>,
    /// The number of nodes in all graphs and functions of the model.
    pub nodes: usize,
}

impl ProfileReport {
    /// The number of judgements with a verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.judgements.iter().filter(|judgement| judgement.verdict == verdict).count()
    }

    /// Whether the model is valid ONNX.
    #[must_use]
    pub fn is_onnx(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity() != Severity::Error)
    }
}

/// Texts, each kept once.
#[derive(Default)]
struct Texts(HashSet<Arc<str>>);

impl Texts {
    fn shared(&mut self, text: &str) -> Arc<str> {
        if let Some(shared) = self.0.get(text) {
            return Arc::clone(shared);
        }
        let new = Arc::from(text);
        self.0.insert(Arc::clone(&new));
        new
    }
}

/// Checks a model against the rules of a profile. The rules of an option are only checked if `options_of_profile` names
/// it.
///
/// # Errors
/// The same as for [`analyse`](crate::analyse).
pub fn check(
    model: &Model,
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
    let mut texts = Texts::default();
    for subject in facts.subjects() {
        let (graph, node) = (texts.shared(subject.path()), subject.node_ref().map(Arc::new));
        for rule in rules.iter().copied().filter(|rule| rule.is_about(&subject)) {
            let Outcome { verdict, reason } = rule.judge(&subject);
            let (graph, node) = (Arc::clone(&graph), node.clone());
            judgements.push(Judgement { rule, graph, node, verdict, reason: texts.shared(&shortened(&reason)) });
        }
    }
    let nodes = facts.nodes();
    drop(facts);
    Ok(ProfileReport { findings: analysis.findings.into(), judgements, nodes })
}
