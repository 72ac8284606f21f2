//! The types of the tables that profiles are compiled to.

use super::arguments::Arguments;
use super::outcome::{Outcome, pass};
use super::overlay::Overlay;
use super::subject::Subject;
use crate::usage::UsedOperator;

// The enum, with one variant for each check in `specs/checks.yaml`, and the table of their functions.
shape_macros::tables!(checks);

/// The table row of a [`Check`].
struct Row {
    check: Check,
    name: &'static str,
    file: &'static str,
    model: bool,
    graph: bool,
    node: bool,
    judge: fn(&Subject<'_, '_>, &Arguments) -> Outcome,
}

impl Check {
    /// Its name, which is also that of its function.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The file of its function, relative to the root of the repository.
    #[must_use]
    pub fn file(self) -> &'static str {
        self.row().file
    }

    /// All checks.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.check)
    }

    /// Whether it checks the model as a whole, each graph, and each node.
    #[must_use]
    pub fn judges(self) -> [bool; 3] {
        let row = self.row();
        [row.model, row.graph, row.node]
    }

    fn judge(self, subject: &Subject<'_, '_>, arguments: &Arguments) -> Outcome {
        (self.row().judge)(subject, arguments)
    }

    fn row(self) -> &'static Row {
        // The table has one row for each variant, in the same order.
        &ROWS[self as usize]
    }
}

/// A profile.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// Its name: `sonnx`.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The version of its rules.
    pub version: &'static str,
    /// What a model must satisfy to conform, as a summary.
    pub summary: &'static str,
    /// The documents that its rules come from.
    pub documents: &'static [Document],
    /// Rules that only apply on request.
    pub options: &'static [ProfileOption],
    /// The operators of `ai.onnx` that the profile allows.
    pub operators: &'static [&'static str],
    /// The operators that have rules of their own.
    pub overlays: &'static [Overlay],
    /// The rules.
    pub rules: &'static [ProfileRule],
}

impl Profile {
    /// The rule with an id.
    ///
    /// ```
    /// use shape_model::profile::SONNX;
    /// assert_eq!(SONNX.rule("SONNX-RESHAPE-030").unwrap().title, "`allowzero` is 0 or 1");
    /// ```
    #[must_use]
    pub fn rule(&self, id: &str) -> Option<&'static ProfileRule> {
        self.rules.iter().find(|rule| rule.id == id)
    }

    /// The title of a document; empty for one that the profile does not have.
    #[must_use]
    pub fn document(&self, id: &str) -> &'static str {
        self.documents.iter().find(|document| document.id == id).map_or("", |document| document.title)
    }
}

/// A document that rules come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document {
    /// The short name that rules refer to.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
}

/// A set of rules that only applies on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileOption {
    /// Its name.
    pub name: &'static str,
    /// What its rules require.
    pub says: &'static str,
}

/// A rule of a profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProfileRule {
    /// Its id, which is stable.
    pub id: &'static str,
    /// The file that defines it, relative to the folder `specs`.
    pub file: &'static str,
    /// The line in that file.
    pub line: u32,
    /// The operator whose nodes it is about; `None` if it is about whole models or every node.
    pub operator: Option<&'static str>,
    /// What it requires, in one line.
    pub title: &'static str,
    /// What it requires, in full.
    pub says: &'static str,
    /// Why it is required.
    pub why: &'static str,
    /// The documents that require it.
    pub references: &'static [Reference],
    /// The variants of the operator that it belongs to.
    pub variants: &'static [&'static str],
    /// The option that enables it; `None` if it always applies.
    pub option: Option<&'static str>,
    /// The condition under which it must hold.
    pub when: Option<When>,
    /// The check that decides it.
    pub check: Check,
    /// The arguments of the check.
    pub arguments: Arguments,
    /// Its proof.
    pub proof: Proof,
    /// Examples in the operator's descriptor that show it.
    pub examples: &'static [&'static str],
    /// Its tests.
    pub tests: &'static [&'static str],
}

impl ProfileRule {
    /// Whether it is about a subject.
    pub(super) fn is_about(&self, subject: &Subject<'_, '_>) -> bool {
        let [model, graph, node] = self.check.judges();
        let judged = match (subject.graph, subject.node()) {
            (None, _) => model,
            (Some(_), None) => graph,
            (Some(_), Some(_)) => node,
        };
        let operator = self.operator.is_none_or(|operator| {
            subject.operator().is_some_and(|used| {
                used.domain == "ai.onnx" && used.op_type == operator && !matches!(used.operator, UsedOperator::Function)
            })
        });
        judged && operator
    }

    /// Runs its check on a subject that the rule applies to.
    pub(super) fn judge(&self, subject: &Subject<'_, '_>) -> Outcome {
        let Some(when) = self.when else { return self.check.judge(subject, &self.arguments) };
        match subject.int(when.attribute) {
            Ok(Some(value)) if value == when.is => self.check.judge(subject, &self.arguments),
            Ok(Some(value)) => {
                pass(format!("the rule applies only if `{}` is {}; it is {value}", when.attribute, when.is))
            }
            Ok(None) => {
                pass(format!("the rule applies only if `{}` is {}; the node does not give it", when.attribute, when.is))
            }
            Err(outcome) => outcome,
        }
    }
}

/// A location in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The document.
    pub document: &'static str,
    /// The location in it.
    pub at: &'static str,
}

/// A condition on an attribute; if a node does not set the attribute, its default counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct When {
    /// The attribute.
    pub attribute: &'static str,
    /// The value that it must have.
    pub is: i64,
}

/// The proof of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// These goals of the formal specification prove it.
    Goals(&'static [&'static str]),
    /// There is no proof, for this reason.
    None(&'static str),
}
