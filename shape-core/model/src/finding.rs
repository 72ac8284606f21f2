//! Findings about a model.
//!
//! A file may give the same finding a million times, so [`Findings`] lists the first few of each kind, and counts the
//! others. The texts of a finding are short whatever names the file has.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::suggestion::Suggestion;
use crate::text::shortened;
use shape_core::code::{Code, Severity};

/// An error in a model, or something worth knowing about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind of finding; `shape explain` has a page for each.
    pub code: Code,
    /// The graph: `graph`, `graph/3:If.then_branch` or `function com.acme::Gelu`; empty for the model as a whole.
    pub graph: String,
    /// The node, if the finding is about one.
    pub node: Option<NodeRef>,
    /// The message: what is wrong, in one sentence.
    pub message: String,
    /// What was expected.
    pub expected: Option<String>,
    /// What was found instead.
    pub found: Option<String>,
    /// How to fix it.
    pub help: Option<String>,
    /// Whether only a declaration is wrong: the nodes decide what the model computes, and the declaration of a value
    /// contradicts them or is invalid.
    pub of_declaration: bool,
    /// How many more findings like it there are that are not listed.
    pub more: usize,
    /// How many of the [`more`](Self::more) findings differ from it only in the node.
    pub same: usize,
    /// The severity that a program sets in place of that of its code; this crate never sets it.
    pub severity_override: Option<Severity>,
    /// The fix of it, if there is one; [`suggest`](crate::fix::suggest) looks for it.
    pub fix: Option<Suggestion>,
}

impl Finding {
    /// The severity: the one that was given to it, or that of its code.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity_override.unwrap_or_else(|| self.code.severity())
    }

    /// Whether another finding differs only in its location, so that both have one cause.
    ///
    /// ```
    /// use shape_core::code::Code;
    /// use shape_model::{Finding, NodeRef};
    /// # let finding = Finding {
    /// #     code: Code::NoDescriptor, graph: "graph".into(), node: None, message: "unknown".into(), expected: None,
    /// #     found: None, help: None, of_declaration: false, more: 0, same: 0, severity_override: None, fix: None,
    /// # };
    /// let at = |index| NodeRef { index, name: String::new(), op_type: "Gelu".into(), domain: "com.acme".into() };
    /// let (first, second) = (Finding { node: Some(at(0)), ..finding.clone() }, Finding { node: Some(at(1)), ..finding });
    /// assert!(first.says_the_same(&second));
    /// ```
    #[must_use]
    pub fn says_the_same(&self, other: &Self) -> bool {
        let of_one_operator = match (&self.node, &other.node) {
            (Some(node), Some(other)) => (&node.op_type, &node.domain) == (&other.op_type, &other.domain),
            (node, other) => node.is_none() && other.is_none(),
        };
        of_one_operator
            && (self.code, &self.message, &self.expected) == (other.code, &other.message, &other.expected)
            && (&self.found, &self.help) == (&other.found, &other.help)
    }

    /// Whether the finding prevents an edit of the model, such as a conversion or the folding of constants: an error,
    /// unless only a declaration is wrong.
    ///
    /// ```
    /// use shape_core::code::Code;
    /// use shape_model::Finding;
    /// let finding = Finding {
    ///     code: Code::OutputDims,
    ///     graph: "graph".into(),
    ///     node: None,
    ///     message: "the declared dimensions of `y` contradict the inferred dimensions".into(),
    ///     expected: None,
    ///     found: None,
    ///     help: None,
    ///     of_declaration: true,
    ///     more: 0,
    ///     same: 0,
    ///     severity_override: None,
    ///     fix: None,
    /// };
    /// assert!(!finding.prevents_edits());
    /// ```
    #[must_use]
    pub fn prevents_edits(&self) -> bool {
        self.code.severity() == Severity::Error && !self.of_declaration
    }

    pub(crate) fn new(code: Code, graph: &str, message: impl Into<String>) -> Self {
        Self {
            code,
            graph: graph.to_owned(),
            node: None,
            message: short(message.into()),
            expected: None,
            found: None,
            help: None,
            of_declaration: false,
            more: 0,
            same: 0,
            severity_override: None,
            fix: None,
        }
    }

    /// Says that only a declaration is wrong.
    pub(crate) fn of_declaration(self) -> Self {
        Self { of_declaration: true, ..self }
    }

    pub(crate) fn at(mut self, node: impl Into<NodeRef>) -> Self {
        self.node = Some(node.into());
        self
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the calls read better without a reference")]
impl Finding {
    pub(crate) fn expected(mut self, expected: impl ToString) -> Self {
        self.expected = Some(short(expected.to_string()));
        self
    }

    pub(crate) fn found(mut self, found: impl ToString) -> Self {
        self.found = Some(short(found.to_string()));
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(short(help.into()));
        self
    }
}

fn short(text: String) -> String {
    match shortened(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(short) => short,
    }
}

/// A node of a graph, as findings name it. A name that is too long to read is shortened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRef {
    /// Its index in the graph.
    pub index: usize,
    /// Its name; it may be empty.
    pub name: String,
    /// Its operator.
    pub op_type: String,
    /// Its domain, `ai.onnx` for the default one.
    pub domain: String,
}

impl NodeRef {
    pub(crate) fn new(index: usize, name: &str, op_type: &str, domain: &str) -> Self {
        let short = |name| shortened(name).into_owned();
        Self { index, name: short(name), op_type: short(op_type), domain: short(domain) }
    }
}

/// How many findings of one kind are listed.
const MAX_OF_KIND: usize = 10;

/// How many findings with one code are listed, of whatever kinds.
const MAX_OF_CODE: usize = 200;

/// The findings about a model, in the order in which they were found.
///
/// Of those that say the same of several nodes, values or imports, the first 10 are listed, and
/// [`more`](Finding::more) of the last of them is the number of the others. Of one code, at most 200 are listed.
///
/// ```
/// use shape_model::{Findings, ModelFile, Options, analyse};
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
/// let model = ModelFile::open(path)?;
/// let findings: Findings = analyse(model.model(), &Options::of(&model))?.findings;
/// assert!(findings.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Findings {
    listed: Vec<Finding>,
    codes: HashMap<Code, OfCode>,
    /// The nodes of findings that are not listed, each with the index of a listed finding that is like theirs.
    nodes: Vec<(u32, usize, usize)>,
    /// The graphs of these nodes.
    graphs: HashMap<String, u32>,
    /// How often a finding was added.
    added: usize,
}

/// The listed findings with one code.
#[derive(Clone, Debug, Default)]
struct OfCode {
    all: Listed,
    /// The findings by their messages without names and numbers.
    kinds: HashMap<String, Listed>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Listed {
    count: usize,
    /// The index of the last one.
    last: usize,
}

impl Findings {
    /// Adds a finding; returns its index if it is listed.
    pub(crate) fn push(&mut self, finding: Finding) -> Option<usize> {
        let (index, is_listed) = self.add(finding);
        is_listed.then_some(index)
    }

    /// Adds a finding; returns its index and that it is listed, or the index of a listed one that is like it.
    fn add(&mut self, finding: Finding) -> (usize, bool) {
        self.added += 1;
        let OfCode { all, kinds } = self.codes.entry(finding.code).or_default();
        let kind = kind(&finding);
        let of_kind = kinds.get(&kind).copied().unwrap_or_default();
        if of_kind.count < MAX_OF_KIND && all.count < MAX_OF_CODE {
            let last = self.listed.len();
            *all = Listed { count: all.count + 1, last };
            kinds.insert(kind, Listed { count: of_kind.count + 1, last });
            self.listed.push(finding);
            return (last, true);
        }
        let like = if of_kind.count > 0 { of_kind.last } else { all.last };
        if let Some(like) = self.listed.get_mut(like) {
            like.more += 1 + finding.more;
            if like.node.is_some() && like.says_the_same(&finding) {
                like.same += 1 + finding.same;
            }
        }
        if let Some(node) = &finding.node {
            self.unlisted(&finding.graph, node.index, like);
        }
        (like, false)
    }

    fn unlisted(&mut self, graph: &str, node: usize, like: usize) {
        let graph = match self.graphs.get(graph) {
            Some(graph) => *graph,
            None => {
                let next = u32::try_from(self.graphs.len()).unwrap_or(u32::MAX);
                *self.graphs.entry(graph.to_owned()).or_insert(next)
            }
        };
        if self.nodes.last() != Some(&(graph, node, like)) {
            self.nodes.push((graph, node, like));
        }
    }

    /// Each node that has a finding, as its graph and index, with the finding, or with a listed one like it.
    pub(crate) fn of_nodes(&self) -> impl Iterator<Item = (&str, usize, &Finding)> {
        let listed = self.listed.iter();
        let listed = listed.filter_map(|finding| Some((&*finding.graph, finding.node.as_ref()?.index, finding)));
        let mut graphs = vec![""; self.graphs.len()];
        for (path, graph) in &self.graphs {
            if let Some(slot) = graphs.get_mut(*graph as usize) {
                *slot = path;
            }
        }
        let unlisted = self.nodes.iter().filter_map(move |(graph, node, like)| {
            Some((*graphs.get(*graph as usize)?, *node, self.listed.get(*like)?))
        });
        listed.chain(unlisted)
    }

    /// Adds the findings of another list that `keep` accepts, also those that it counts without listing them.
    pub(crate) fn append(&mut self, other: Self, keep: impl Fn(&Finding) -> bool) {
        let mut graphs = vec![String::new(); other.graphs.len()];
        for (path, graph) in other.graphs {
            if let Some(slot) = graphs.get_mut(graph as usize) {
                *slot = path;
            }
        }
        let mut indices = Vec::with_capacity(other.listed.len());
        for finding in other.listed {
            indices.push(keep(&finding).then(|| self.add(finding).0));
        }
        for (graph, node, like) in other.nodes {
            if let (Some(graph), Some(Some(like))) = (graphs.get(graph as usize), indices.get(like)) {
                self.unlisted(graph, node, *like);
            }
        }
    }

    /// How often a finding was added, listed or not.
    pub(crate) fn added(&self) -> usize {
        self.added
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Finding> {
        self.listed.iter_mut()
    }

    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut Finding> {
        self.listed.get_mut(index)
    }
}

/// What a finding says, without the names in backquotes and the numbers in it; those of different operators differ.
fn kind(finding: &Finding) -> String {
    let mut kind = finding.node.as_ref().map_or_else(String::new, |node| node.op_type.clone());
    kind.push('\n');
    for (index, text) in finding.message.split('`').enumerate() {
        if index % 2 == 0 {
            kind.extend(text.chars().filter(|letter| !letter.is_ascii_digit()));
        }
    }
    kind
}

impl std::ops::Deref for Findings {
    type Target = [Finding];

    fn deref(&self) -> &[Finding] {
        &self.listed
    }
}

impl From<Findings> for Vec<Finding> {
    fn from(findings: Findings) -> Self {
        findings.listed
    }
}

impl Extend<Finding> for Findings {
    fn extend<I: IntoIterator<Item = Finding>>(&mut self, findings: I) {
        for finding in findings {
            self.push(finding);
        }
    }
}

impl FromIterator<Finding> for Findings {
    fn from_iter<I: IntoIterator<Item = Finding>>(findings: I) -> Self {
        let mut all = Self::default();
        all.extend(findings);
        all
    }
}

impl IntoIterator for Findings {
    type Item = Finding;
    type IntoIter = std::vec::IntoIter<Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.listed.into_iter()
    }
}

impl<'f> IntoIterator for &'f Findings {
    type Item = &'f Finding;
    type IntoIter = std::slice::Iter<'f, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.listed.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(code: Code, message: String) -> Finding {
        Finding::new(code, "graph", message)
    }

    fn of_names(code: Code, says: &str, names: std::ops::Range<usize>) -> Findings {
        names.map(|name| finding(code, format!("`v{name}` {says} {name}"))).collect()
    }

    fn listed(findings: &Findings) -> Vec<(&str, usize)> {
        findings.iter().map(|finding| (&*finding.message, finding.more)).collect()
    }

    #[test]
    fn the_first_of_each_kind_are_listed_in_order() {
        let mut findings = of_names(Code::ValueUndefined, "is not", 0..15);
        findings.extend(of_names(Code::ValueUndefined, "was not", 0..2));
        findings.extend(of_names(Code::OutputDims, "is not", 0..1));
        findings.extend(of_names(Code::ValueUndefined, "is not", 15..20));
        let mut expected: Vec<_> = (0..10).map(|name| (format!("`v{name}` is not {name}"), 0)).collect();
        expected[9].1 = 10;
        expected
            .extend([("`v0` was not 0", 0), ("`v1` was not 1", 0), ("`v0` is not 0", 0)].map(|(m, n)| (m.into(), n)));
        assert_eq!(listed(&findings), expected.iter().map(|(text, more)| (&**text, *more)).collect::<Vec<_>>());
    }

    #[test]
    fn those_of_different_operators_differ() {
        let at =
            |op_type| move |index| finding(Code::ValueUndefined, "a".into()).at(NodeRef::new(index, "", op_type, ""));
        let findings: Findings = (0..12).map(at("Add")).chain((0..3).map(at("Mul"))).collect();
        assert_eq!(findings.len(), 13);
        assert_eq!(findings.of_nodes().count(), 15, "nodes whose findings are not listed are remembered");
        assert!(findings.of_nodes().all(|(graph, _, _)| graph == "graph"));
    }

    #[test]
    fn those_that_differ_in_the_node_alone_are_told_from_those_that_are_alike() {
        let at =
            |message: &str, index| finding(Code::ValueUndefined, message.into()).at(NodeRef::new(index, "", "Add", ""));
        let counts = |findings: &Findings| findings.last().map(|last| (last.more, last.same));
        let mut findings: Findings = (0..15).map(|index| at("`a` is not", index)).collect();
        assert_eq!(counts(&findings), Some((5, 5)));
        findings.push(at("`b` is not", 15));
        assert_eq!(counts(&findings), Some((6, 5)));
        let mut appended: Findings = (20..24).map(|index| at("`a` is not", index)).collect();
        appended.append(findings, |_| true);
        assert_eq!(counts(&appended), Some((10, 9)), "{appended:?}");
        // Without a node, nothing tells them apart.
        let of_model: Findings = (0..12).map(|_| finding(Code::ValueUndefined, "a".into())).collect();
        assert_eq!(counts(&of_model), Some((2, 0)));
    }

    #[test]
    fn of_one_code_at_most_200_are_listed() {
        let text = |index: usize| "x".repeat(index);
        let findings: Findings = (0..300).map(|index| finding(Code::ValueUndefined, text(index))).collect();
        assert_eq!((findings.len(), findings[199].more), (200, 100));
    }

    #[test]
    fn a_list_appended_to_another_counts_on() {
        let mut findings = of_names(Code::ValueUndefined, "is not", 0..8);
        findings.append(of_names(Code::ValueUndefined, "is not", 8..30), |_| true);
        assert_eq!((findings.len(), findings[9].more), (10, 20));
        findings.append(of_names(Code::ValueUndefined, "is not", 0..1), |_| false);
        assert_eq!((findings.len(), findings[9].more), (10, 20));
    }

    #[test]
    fn the_nodes_of_a_list_that_is_appended_are_kept() {
        let of = |nodes: std::ops::Range<usize>| -> Findings {
            nodes
                .map(|index| finding(Code::ValueUndefined, "a".into()).at(NodeRef::new(index, "", "Add", "")))
                .collect()
        };
        let mut findings = of(0..15);
        findings.append(of(15..40), |_| true);
        let mut nodes: Vec<usize> = findings.of_nodes().map(|(_, node, _)| node).collect();
        nodes.sort_unstable();
        assert_eq!(nodes, (0..40).collect::<Vec<_>>());
    }

    /// Those of another kind were found later.
    #[test]
    fn the_nodes_of_a_list_that_is_appended_stand_by_their_kind() {
        let of = |says: &str, nodes: std::ops::Range<usize>| -> Findings {
            nodes
                .map(|index| finding(Code::ValueUndefined, says.into()).at(NodeRef::new(index, "", "Add", "")))
                .collect()
        };
        let mut findings = of("a", 0..10);
        findings.append(of("b", 10..20), |_| true);
        findings.append(of("a", 20..40), |_| true);
        let nodes: Vec<usize> =
            findings.of_nodes().filter(|(_, _, found)| found.message == "a").map(|(_, node, _)| node).collect();
        assert_eq!(nodes.len(), 30, "{nodes:?}");
    }
}
