//! Groups findings that differ only in their node, so that each cause is shown once.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use shape_model::Finding;

use crate::render::{self, number};

/// How many of the other nodes are named.
const MAX_NAMED: usize = 8;

/// The findings with one cause.
#[derive(Debug)]
pub(crate) struct Cause<'f> {
    /// The first.
    pub(crate) first: &'f Finding,
    /// The others that are listed.
    others: Vec<&'f Finding>,
}

/// The causes of findings, in the order in which each comes first.
pub(crate) fn causes(findings: &[Finding]) -> Vec<Cause<'_>> {
    let mut causes: Vec<Cause<'_>> = Vec::new();
    let mut alike: HashMap<&str, Vec<usize>> = HashMap::new();
    for finding in findings {
        let same = alike.entry(&*finding.message).or_default();
        let of_node = finding.node.is_some();
        let known = same.iter().find(|at| of_node && causes.get(**at).is_some_and(|cause| cause.has(finding))).copied();
        match known.and_then(|at| causes.get_mut(at)) {
            Some(cause) => cause.others.push(finding),
            None => {
                same.push(causes.len());
                causes.push(Cause { first: finding, others: Vec::new() });
            }
        }
    }
    causes
}

/// Writes findings as compilers do, those with one cause once.
pub(crate) fn write(out: &mut impl Write, model: &Path, findings: &[Finding]) -> io::Result<()> {
    causes(findings).iter().try_for_each(|cause| render::finding(out, model, cause.first, &cause.more()))
}

impl Cause<'_> {
    fn has(&self, finding: &Finding) -> bool {
        self.first.severity() == finding.severity() && self.first.says_the_same(finding)
    }

    /// The other findings of the cause, summed up in lines: `and 2 more nodes: graph, nodes 4 and 5`.
    pub(crate) fn more(&self) -> Vec<String> {
        let all = || [self.first].into_iter().chain(self.others.iter().copied());
        let same = self.others.len() + all().map(|finding| finding.same).sum::<usize>();
        let like = all().map(|finding| finding.more - finding.same.min(finding.more)).sum::<usize>();
        let mut more = Vec::new();
        if same > 0 {
            more.push(format!("and {}{}", number(same, "more node"), self.places(same)));
        }
        if like > 0 {
            more.push(format!("and {like} more like it"));
        }
        more
    }

    /// The first of the other nodes, by graph: `: graph, nodes 4, 5, ...`.
    fn places(&self, same: usize) -> String {
        let mut places = String::new();
        let named = self.others.iter().take(MAX_NAMED);
        let named: Vec<(&str, usize)> =
            named.filter_map(|finding| Some((&*finding.graph, finding.node.as_ref()?.index))).collect();
        for run in named.chunk_by(|(left, _), (right, _)| left == right) {
            let graph = run.first().map_or("", |(graph, _)| graph);
            let nodes: Vec<String> = run.iter().map(|(_, node)| node.to_string()).collect();
            let word = if nodes.len() == 1 { "node" } else { "nodes" };
            let separator = if places.is_empty() { ": " } else { "; " };
            let _ = write!(places, "{separator}{graph}, {word} {}", nodes.join(", "));
        }
        if !places.is_empty() && named.len() < same {
            places.push_str(", ...");
        }
        places
    }
}
