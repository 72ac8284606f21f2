//! What `shape infer` says of values that are not known: a line of summary, and the list of `--unknown`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;
use shape_model::{Analysis, Origin, Summary, Unknown};

use crate::render::{Clean, FAINT, STRONG, grouped, number};
use crate::values::text::{short, summary as known_of};

/// How many groups the line names.
const NAMED: usize = 4;

/// The summary in one line: how many values are known, and which operators and inputs the others come from.
pub(super) fn line(analysis: &Analysis<'_>, summary: &Summary) -> String {
    let Summary { values, known, declared, groups, .. } = summary;
    let mut line = match groups.is_empty() {
        true => format!("{} known", counted(*values)),
        false => format!("{} of {} known", grouped(*known), counted(*values)),
    };
    if *declared > 0 {
        let _ = write!(line, ", {} of them by declarations", grouped(*declared));
    }
    for (fresh, what) in [(true, "in fresh symbols"), (false, "unknown")] {
        let (count, sources) = sources(analysis, groups.iter().filter(|group| group.in_fresh_symbols == fresh));
        if count > 0 {
            let _ = write!(line, "; {} {what}: ", grouped(count));
            let named: Vec<String> =
                sources.iter().take(NAMED).map(|(source, count)| format!("{} of {source}", grouped(*count))).collect();
            line.push_str(&named.join(", "));
            if let Some(more @ 1..) = sources.len().checked_sub(NAMED) {
                let _ = write!(line, ", and others of {}", number(more, "source"));
            }
        }
    }
    line
}

fn counted(values: usize) -> String {
    format!("{} {}", grouped(values), if values == 1 { "value" } else { "values" })
}

/// The number of values in groups, and that of each operator or input that they come from, most values first.
fn sources<'g>(analysis: &Analysis<'_>, groups: impl Iterator<Item = &'g Unknown>) -> (usize, Vec<(String, usize)>) {
    let (mut count, mut sources) = (0, Vec::<(String, usize)>::new());
    let mut places = HashMap::new();
    for group in groups {
        count += group.values.len();
        let source = source(analysis, group);
        let at = *places.entry(source.clone()).or_insert(sources.len());
        match sources.get_mut(at) {
            Some((_, count)) => *count += group.values.len(),
            None => sources.push((source, group.values.len())),
        }
    }
    sources.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    (count, sources)
}

/// The operator or the input where a group begins, with the reason.
fn source(analysis: &Analysis<'_>, group: &Unknown) -> String {
    let Some(value) = analysis.values.get(group.reason.value as usize) else { return group.reason.cause.to_string() };
    let of = match (value.origin, analysis.node(value)) {
        (Origin::Node { .. }, Some(node)) if node.domain().is_empty() => node.op_type().to_owned(),
        (Origin::Node { .. }, Some(node)) => format!("{}::{}", node.domain(), node.op_type()),
        _ => format!("the input `{}`", short(value.name, 40)),
    };
    format!("{of} ({})", group.reason.cause)
}

/// Lists the values that are not known, those with the same origin together.
pub(super) fn write(out: &mut impl Write, analysis: &Analysis<'_>, summary: &Summary) -> io::Result<()> {
    for (index, Unknown { reason, values, in_fresh_symbols, .. }) in summary.groups.iter().enumerate() {
        let what = if *in_fresh_symbols { "in fresh symbols" } else { "unknown" };
        let (count, reason) = (number(values.len(), "value"), analysis.explain(reason));
        if index > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{STRONG}{count} {what}{STRONG:#} because of {}", Clean(&reason))?;
        for value in values.iter().filter_map(|value| analysis.values.get(*value as usize)) {
            let known = known_of(value, &analysis.symbols);
            writeln!(out, "  {}  {FAINT}{known}{FAINT:#}", Clean(value.name))?;
        }
    }
    Ok(())
}

/// The summary, as JSON.
#[derive(Serialize)]
pub(crate) struct JsonSummary {
    values: usize,
    known: usize,
    /// Left out if there are none.
    #[serde(skip_serializing_if = "is_zero")]
    declared: usize,
    in_fresh_symbols: usize,
    unknown: usize,
}

impl JsonSummary {
    pub(super) fn new(summary: &Summary) -> Self {
        let of = |fresh| {
            let groups = summary.groups.iter().filter(|group| group.in_fresh_symbols == fresh);
            groups.map(|group| group.values.len()).sum()
        };
        Self {
            values: summary.values,
            known: summary.known,
            declared: summary.declared,
            in_fresh_symbols: of(true),
            unknown: of(false),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A fresh symbol and where it comes from, as JSON.
#[derive(Serialize)]
pub(crate) struct JsonSymbol<'a> {
    name: &'a str,
    /// The value where it begins; null for one that is not among the values.
    value: Option<&'a str>,
    reason: String,
}

/// The fresh symbols that have a name, as JSON.
pub(super) fn symbols<'a>(analysis: &'a Analysis<'_>) -> Vec<JsonSymbol<'a>> {
    let symbol = |(name, reason): (&'a str, &'a shape_core::symbolic::Reason)| JsonSymbol {
        name,
        value: analysis.values.get(reason.value as usize).map(|value| value.name),
        reason: analysis.explain(reason),
    };
    analysis.fresh_symbols().map(symbol).collect()
}
