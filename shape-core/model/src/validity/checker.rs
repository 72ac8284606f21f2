//! What all validity checks have in common: the model, the findings so far, and checks that several of them make.

use std::collections::{HashMap, HashSet};
use std::fmt::Display;

use super::facts::Facts;
use crate::file::Model;
use crate::file::proto::StringStringEntryProto;
use crate::finding::{Finding, Findings};
use crate::functions::Functions;
use crate::graph::NodeAt;
use crate::names::RandomState;
use crate::options::Options;
use shape_core::code::Code;

/// The state of the checks.
pub(super) struct Checker<'m, 'o> {
    pub(super) model: &'m Model,
    pub(super) options: &'o Options,
    pub(super) ir_version: i64,
    pub(super) functions: Functions<'m>,
    pub(super) facts: Facts<'m>,
    /// The names of the device configurations.
    pub(super) configurations: HashSet<String>,
    pub(super) findings: Findings,
    /// The features that were already reported as newer than the IR version.
    pub(super) newer: HashSet<&'static str>,
    /// The lowest IR version that has all that the model uses, as far as it was checked.
    pub(super) needed_ir_version: i64,
    /// The files that cannot be read, by error message: the index of the finding if it is listed, and the number of
    /// tensors in the file.
    pub(super) files: HashMap<String, (Option<usize>, usize)>,
    /// The initializers without a finding, by their bytes without the name.
    pub(super) tensors_in_order: HashSet<[&'m [u8]; 2], RandomState>,
    /// The encoded types of declarations without a finding, each with the kind of value that it was checked for.
    pub(super) in_order: HashSet<(&'m [u8], Side), RandomState>,
    /// What is told of the first dimension with a placeholder, and of how many more.
    pub(super) placeholder: Option<Finding>,
}

/// The inputs or outputs of the main graph, or other values.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Side {
    Input,
    Output,
    Inner,
}

/// The location of a finding.
#[derive(Clone, Copy)]
pub(super) struct Location<'a> {
    pub(super) graph: &'a str,
    pub(super) at: Option<NodeAt<'a>>,
}

impl<'a> Location<'a> {
    /// The model as a whole.
    pub(super) const MODEL: Location<'static> = Location { graph: "", at: None };

    pub(super) fn graph(graph: &'a str) -> Self {
        Self { graph, at: None }
    }

    pub(super) fn finding(self, code: Code, message: impl Into<String>) -> Finding {
        let found = Finding::new(code, self.graph, message);
        match self.at {
            Some(at) => found.at(at),
            None => found,
        }
    }
}

impl<'m> Checker<'m, '_> {
    pub(super) fn push(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Reports a feature that the model uses and that its IR version does not have.
    pub(super) fn needs(&mut self, since: i64, what: &'static str, location: Location<'_>) {
        self.needed_ir_version = self.needed_ir_version.max(since);
        if (1..since).contains(&self.ir_version) && self.newer.insert(what) {
            let found = location.finding(
                Code::IrVersionTooOld,
                format!("{what} needs IR version {since}; the model has IR version {}", self.ir_version),
            );
            let found = found.expected(format!("IR version {since} or later")).found(self.ir_version);
            self.push(found.help(format!("set ir_version to {since}; readers of older versions ignore it")));
        }
    }

    /// Checks the `metadata_props` of a part of the model.
    pub(super) fn metadata(&mut self, entries: &[StringStringEntryProto], of: &dyn Display, location: Location<'_>) {
        if !entries.is_empty() {
            self.needs(10, "metadata of a part of the model", location);
            self.keys(entries, &format!("the metadata of {of}"), location);
        }
    }

    /// Checks that each key occurs once.
    pub(super) fn keys<'e>(
        &mut self,
        entries: impl IntoIterator<Item = &'e StringStringEntryProto>,
        of: &str,
        location: Location<'_>,
    ) {
        let mut seen = HashMap::new();
        for StringStringEntryProto { key, value } in entries {
            let Some(first) = seen.insert(key, value) else { continue };
            let found = location.finding(Code::KeyDuplicate, format!("the key `{key}` appears twice in {of}"));
            let found = found.expected("one value").found(format!("`{first}` and `{value}`"));
            self.push(found.help("keep one of the two"));
        }
    }
}
