//! The state of resolving a document: its errors, and what is uncertain because of them.

use std::collections::HashSet;

use shape_yaml::{NodeId, Position, Positions};

use crate::de::{LeftOut, Spanned};
use crate::error::{Code, DocumentError};
use crate::names::suggest;
use crate::scope::Scope;
use crate::tables::{Element, Tables, Type};
use crate::tokens::Wrong;

/// The state of resolving a document.
pub(crate) struct Context<'t> {
    pub(crate) tables: &'t Tables,
    pub(crate) errors: Vec<DocumentError>,
    pub(crate) left_out: LeftOut,
    /// The positions of nodes in the text; the document is a draft if there is none.
    pub(crate) positions: Option<&'t Positions<'t>>,
    /// The part of the file that was read.
    pub(crate) scope: Scope,
    /// Whether the domain uses the opsets of `types.yaml`.
    pub(crate) dated: bool,
}

/// The parts of a version that are uncertain because of a reported error. Consequences of that error are not reported
/// again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Doubt {
    pub(crate) attributes: bool,
    pub(crate) inputs: bool,
    pub(crate) outputs: bool,
    pub(crate) types: bool,
    /// Attributes, parameters and type variables that exist, but possibly in another form.
    pub(crate) names: HashSet<String>,
}

impl Doubt {
    pub(crate) fn in_all() -> Self {
        Self { attributes: true, inputs: true, outputs: true, types: true, names: HashSet::new() }
    }

    /// Whether anything is uncertain.
    pub(crate) fn in_any(&self) -> bool {
        self.attributes || self.inputs || self.outputs || self.types || !self.names.is_empty()
    }

    /// Records what is uncertain because parts of a version could not be read.
    pub(crate) fn note_left_out(&mut self, delta: NodeId, left_out: &LeftOut) {
        let in_removal = left_out.field(delta, "remove");
        for (flag, field) in [
            (&mut self.attributes, "attributes"),
            (&mut self.inputs, "inputs"),
            (&mut self.outputs, "outputs"),
            (&mut self.types, "types"),
        ] {
            *flag |= in_removal || left_out.list(delta, field);
        }
    }
}

impl<'t> Context<'t> {
    pub(crate) fn new(tables: &'t Tables, errors: Vec<DocumentError>, left_out: LeftOut) -> Self {
        Self { tables, errors, left_out, positions: None, scope: Scope::Whole, dated: false }
    }

    /// The same for a document with a text, in which positions can be found.
    pub(crate) fn in_text(self, positions: &'t Positions<'t>, scope: Scope) -> Self {
        Self { positions: Some(positions), scope, ..self }
    }

    /// The position of a node. In a draft, which has no text, the line is the number of the node.
    pub(crate) fn position(&self, at: NodeId) -> Position {
        self.positions.map_or(Position { line: at, column: 0 }, |positions| positions.of(at))
    }

    /// The position of a mapping, by its first field.
    pub(crate) fn position_of_mapping(&self, at: NodeId) -> Position {
        self.positions.map_or(Position { line: at, column: 0 }, |positions| positions.of_mapping(at))
    }

    /// Whether the document is a draft: one version, whose predecessors are in other documents.
    pub(crate) fn is_draft(&self) -> bool {
        self.positions.is_none()
    }

    pub(crate) fn error(&mut self, at: NodeId, code: Code, message: impl Into<String>) {
        self.errors.push(DocumentError::new(at, code, message));
    }

    pub(crate) fn error_help(&mut self, at: NodeId, code: Code, message: String, help: impl Into<String>) {
        self.errors.push(DocumentError::new(at, code, message).help(help));
    }

    /// Parses a text; reports the error if it cannot be parsed.
    pub(crate) fn parsed<T>(
        &mut self,
        text: &Spanned<String>,
        code: Code,
        parse: impl FnOnce(&str) -> Result<T, Wrong>,
    ) -> Option<T> {
        let parsed = parse(text).map_err(|(message, help)| {
            self.errors.push(DocumentError::new(text.at, code, message).maybe_help(help));
        });
        parsed.ok()
    }

    /// Reports a name that does not exist, with the nearest one that does.
    pub(crate) fn unknown<'a>(
        &mut self,
        name: &Spanned<String>,
        code: Code,
        message: String,
        known: impl IntoIterator<Item = &'a str>,
    ) {
        if !self.left_out.mentions(&name.value) {
            self.errors.push(DocumentError::new(name.at, code, message).maybe_help(suggest(name, known)));
        }
    }

    /// Reports types that are newer than the opset of the version that uses them.
    pub(crate) fn too_new(&mut self, word: &Spanned<String>, since: u32) {
        if !self.dated || since == 0 {
            return;
        }
        // The word was checked when it was read.
        let types = self.tables.types(word).unwrap_or_default();
        let elements = types.iter().map(Type::elements);
        let mut newer: Vec<&Element> = elements.flatten().filter(|element| element.since > since).collect();
        newer.dedup();
        let message = match newer.as_slice() {
            [] => return,
            [one] if one.name == word.value => {
                format!("`{}` came with opset {}, after this version", one.name, one.since)
            }
            _ => {
                let list: Vec<String> =
                    newer.iter().map(|element| format!("{} ({})", element.name, element.since)).collect();
                format!("`{}` has types that came after opset {since}: {}", word.value, list.join(", "))
            }
        };
        self.error_help(
            word.at,
            Code::TypeTooNew,
            message,
            "allow it from the version on that came with it or after it",
        );
    }

    /// The types that a word stands for; if there are none, reports an error.
    pub(crate) fn types(&mut self, word: &Spanned<String>) -> Vec<Type> {
        self.tables.types(word).unwrap_or_else(|(message, help)| {
            self.errors.push(DocumentError::new(word.at, Code::UnknownType, message).maybe_help(help));
            Vec::new()
        })
    }
}
