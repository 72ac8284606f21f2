//! An entry of a report: a finding or a verdict of a profile, for formats that show both alike.

use shape_core::code::Severity;
use shape_model::profile::{Judgement, Verdict};

use super::Checked;
use crate::causes::{Cause, causes};
use crate::render;

/// A finding, or a rule of a profile that fails or is undetermined.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) severity: Severity,
    /// The code of a finding, or the id of a rule.
    pub(super) code: &'static str,
    /// The graph and the node; `None` for the model as a whole.
    pub(super) place: Option<String>,
    /// What stays the same if the model gets other nodes: the graph, the operator, and the name of the node.
    pub(super) key: String,
    /// What is wrong, in one line.
    pub(super) message: String,
    /// What else there is to say, a line each.
    pub(super) facts: Vec<String>,
}

/// All entries of a model: the findings with one cause once, then the rules.
pub(super) fn entries(model: &Checked) -> Vec<Entry> {
    let mut entries: Vec<Entry> = causes(&model.findings).iter().map(Entry::of_cause).collect();
    if let Some(judged) = &model.judged {
        entries.extend(judged.listed().map(|(judgement, more)| Entry::of_rule(judgement, more)));
    }
    entries
}

impl Entry {
    fn of_cause(cause: &Cause<'_>) -> Self {
        let finding = cause.first;
        let node = finding.node.as_ref();
        let node = node.map(|node| format!("\n{}\n{}", node.op_type, node.name)).unwrap_or_default();
        let facts = render::facts(finding).map(|(name, fact)| format!("{name}: {fact}"));
        Self {
            severity: finding.severity(),
            code: finding.code.name(),
            place: render::position_of(&finding.graph, finding.node.as_ref()),
            key: format!("{}{node}", finding.graph),
            message: finding.message.clone(),
            facts: facts.chain(cause.more()).collect(),
        }
    }

    fn of_rule(judgement: &Judgement, more: usize) -> Self {
        let Judgement { rule, graph, node, verdict, reason } = judgement;
        let place = render::position_of(graph, node.as_deref());
        let mut facts = vec![format!("reason: {reason}")];
        facts.extend((more > 0).then(|| format!("and {more} more like it")));
        Self {
            severity: if *verdict == Verdict::Fail { Severity::Error } else { Severity::Warning },
            code: rule.id,
            key: place.clone().unwrap_or_default(),
            place,
            message: format!("{}: {}", verdict.name(), rule.title),
            facts,
        }
    }

    /// All of it but the code and the model, a line each.
    pub(super) fn text(&self) -> String {
        let place = self.place.iter().map(|place| format!("in: {place}"));
        let lines = [self.message.clone()].into_iter().chain(place).chain(self.facts.iter().cloned());
        lines.collect::<Vec<_>>().join("\n")
    }
}
