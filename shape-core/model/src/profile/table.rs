//! The tables of profiles.

use super::arguments::Arguments;
use super::outcome::{Outcome, pass};
use super::overlay::Overlay;
use super::subject::Subject;
use crate::usage::UsedOperator;

// The enum, one variant a check of `specs/checks.yaml`, and the table of their functions.
shape_macros::checks!();

/// What is known of a [`Check`].
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
    /// Its name, which is that of the function.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The file of the function, from the root of the repository.
    #[must_use]
    pub fn file(self) -> &'static str {
        self.row().file
    }

    /// All checks.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.check)
    }

    /// Whether it judges a model as a whole, each graph, and each node.
    #[must_use]
    pub fn judges(self) -> [bool; 3] {
        let row = self.row();
        [row.model, row.graph, row.node]
    }

    fn judge(self, subject: &Subject<'_, '_>, arguments: &Arguments) -> Outcome {
        (self.row().judge)(subject, arguments)
    }

    fn row(self) -> &'static Row {
        // The table has one row a variant, in their order.
        &ROWS[self as usize]
    }
}

/// A profile.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// Its name: `sonnx`.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// The version of its rules.
    pub version: &'static str,
    /// What a model within it has.
    pub summary: &'static str,
    /// The documents that its rules come from.
    pub documents: &'static [Document],
    /// What has to be asked for.
    pub options: &'static [ProfileOption],
    /// The operators of `ai.onnx` that are in it.
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
    /// What it is.
    pub title: &'static str,
}

/// Something that has to be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileOption {
    /// Its name.
    pub name: &'static str,
    /// What it asks for.
    pub says: &'static str,
}

/// A rule of a profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProfileRule {
    /// Its id, which is stable.
    pub id: &'static str,
    /// The file where it stands, from the folder `specs`.
    pub file: &'static str,
    /// The line of that file.
    pub line: u32,
    /// The operator whose nodes it is about; `None` for one of whole models and of every node.
    pub operator: Option<&'static str>,
    /// What holds, in one line.
    pub title: &'static str,
    /// What holds, in full.
    pub says: &'static str,
    /// Why it is asked for.
    pub why: &'static str,
    /// Where documents ask for it.
    pub references: &'static [Reference],
    /// The variants of the operator that it belongs to.
    pub variants: &'static [&'static str],
    /// The option with which alone it is judged.
    pub option: Option<&'static str>,
    /// What must be so for it to hold.
    pub when: Option<When>,
    /// What judges it.
    pub check: Check,
    /// What the check is given.
    pub arguments: Arguments,
    /// What proves it.
    pub proof: Proof,
    /// Examples of the operator's descriptor that show it.
    pub examples: &'static [&'static str],
    /// The tests of it.
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

    /// What its check says of a subject, where the rule applies.
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

/// A place in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The document.
    pub document: &'static str,
    /// Where in it.
    pub at: &'static str,
}

/// The value of an attribute with which alone a rule holds; the default counts where a node does not give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct When {
    /// The attribute.
    pub attribute: &'static str,
    /// Its value.
    pub is: i64,
}

/// What proves a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// These goals of the formal specification.
    Goals(&'static [&'static str]),
    /// Nothing, for this reason.
    None(&'static str),
}
