//! The tables of profiles.

use super::Outcome;
use super::subject::Subject;
use shape_core::code::Code;
use shape_core::types::TypeSet;

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
    judge: fn(&Subject<'_, '_>, &Rule) -> Outcome,
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

    pub(super) fn judge(self, subject: &Subject<'_, '_>, rule: &Rule) -> Outcome {
        (self.row().judge)(subject, rule)
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
    pub rules: &'static [Rule],
}

impl Profile {
    /// The rule with an id.
    ///
    /// ```
    /// use shape_model::profile::SONNX;
    /// assert_eq!(SONNX.rule("SONNX-RESHAPE-030").unwrap().title, "`allowzero` is 0 or 1");
    /// ```
    #[must_use]
    pub fn rule(&self, id: &str) -> Option<&'static Rule> {
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

/// An operator as a profile has it.
#[derive(Clone, Copy, Debug)]
pub struct Overlay {
    /// Its name in `ai.onnx`.
    pub operator: &'static str,
    /// The version that is profiled.
    pub since: u32,
    /// The document that specifies it.
    pub page: &'static str,
    /// The names that ONNX and the document have for each input and output.
    pub names: &'static [(&'static str, &'static str)],
    /// What that says of errors.
    pub errors: &'static str,
    /// The family of the rule that gives its output, a file of `shape-core/src/rules`.
    pub family: Option<&'static str>,
    /// The ways in which the document specifies it.
    pub variants: &'static [Variant],
}

/// A way in which a document specifies an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// What is different in it.
    pub says: &'static str,
}

/// A rule of a profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
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

/// What a check is given; what it does not take is empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arguments {
    /// An input or output.
    pub value: &'static str,
    /// Another one, to which the first is held.
    pub beside: &'static str,
    /// An attribute.
    pub attribute: &'static str,
    /// Types.
    pub types: TypeSet,
    /// Numbers.
    pub values: &'static [i64],
    /// A number.
    pub number: i64,
    /// How often at most.
    pub most: u32,
    /// Codes of findings.
    pub codes: &'static [Code],
}

/// What proves a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// These goals of the formal specification.
    Goals(&'static [&'static str]),
    /// Nothing, for this reason.
    None(&'static str),
}
