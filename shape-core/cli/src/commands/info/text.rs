//! The facts of `shape info` about a model as text, a line for each.

use std::io::{self, Write};

use shape_core::opset::canonical_domain;
use shape_core::symbolic::Dim;
use shape_model::info::{OperatorNodes, Parameters};
use shape_model::{Analysis, GraphKind, Value};

use super::told::{Costs, Info, inputs, outputs};
use crate::render::{Clean, FAINT, STRONG, grouped, hanging, number};
use crate::values::text::{write_clean, write_dims, write_type};

/// How many entries of a list are shown.
const SHOWN: usize = 8;

/// Writes the lines of a model, apart from those of another before it.
pub(super) fn write(out: &mut impl Write, info: &Info<'_>, apart: bool) -> io::Result<()> {
    if apart {
        writeln!(out)?;
    }
    let model = Clean(&info.label.to_string_lossy()).to_string();
    writeln!(out, "{STRONG}{model}{STRONG:#} {FAINT}({}){FAINT:#}", Clean(&head(info)))?;
    let sized = info.with_sizes.as_ref();
    let rows = [
        ("inputs", values(info.analysis, inputs(info.analysis))),
        ("outputs", values(info.analysis, outputs(info.analysis))),
        ("nodes", nodes(info)),
        ("operators", operators(&info.operators)),
        ("parameters", parameters(&info.parameters)),
        ("activations", activations(&info.costs, sized)),
        ("peak", peak(sized.unwrap_or(&info.costs))),
        ("multiply-adds", multiply_adds(&info.costs, sized)),
        ("not counted", not_counted(sized.unwrap_or(&info.costs))),
    ];
    for (name, text) in rows {
        if !text.is_empty() {
            hanging(out, &format!("  {FAINT}{name:15}{FAINT:#}"), &text)?;
        }
    }
    Ok(())
}

/// The opsets, the IR version and the producer.
fn head(info: &Info<'_>) -> String {
    let model = info.file.model();
    let header = model.header();
    let mut parts: Vec<String> = model
        .opset_import()
        .iter()
        .map(|import| {
            let version = import.version.map_or_else(|| "without a version".to_owned(), |version| version.to_string());
            format!("{} {version}", canonical_domain(&import.domain))
        })
        .collect();
    parts.extend(model.ir_version().map(|version| format!("IR version {version}")));
    let producer = format!("{} {}", header.producer_name, header.producer_version);
    parts.extend((!producer.trim().is_empty()).then(|| format!("made by {}", producer.trim())));
    parts.join(", ")
}

/// The first entries of a list, and how many more there are.
fn listed(entries: impl Iterator<Item = String>) -> String {
    let mut entries: Vec<String> = entries.collect();
    let more = entries.len().saturating_sub(SHOWN);
    entries.truncate(SHOWN);
    let text = entries.join(", ");
    if more > 0 { format!("{text} and {} more", grouped(more)) } else { text }
}

fn values<'a, 'm: 'a>(analysis: &Analysis<'_>, values: impl Iterator<Item = &'a Value<'m>>) -> String {
    let text = listed(values.map(|value| {
        let mut text = String::new();
        write_clean(&mut text, value.name);
        text.push(' ');
        write_type(&mut text, value);
        write_dims(&mut text, value, &analysis.symbols);
        text
    }));
    if text.is_empty() { "none".to_owned() } else { text }
}

fn nodes(info: &Info<'_>) -> String {
    let count: usize = info.operators.iter().map(|operator| operator.nodes).sum();
    let graphs = info.analysis.graphs.iter();
    let subgraphs = graphs.filter(|graph| matches!(graph.kind, GraphKind::Subgraph { .. })).count();
    let functions = info.file.model().functions().len();
    let mut text = grouped(count);
    let parts = [(subgraphs, "subgraph"), (functions, "function")];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| number(*count, word)).collect();
    if !parts.is_empty() {
        text.push_str(&format!(", those in {} included", parts.join(" and ")));
    }
    text
}

fn operators(operators: &[OperatorNodes<'_>]) -> String {
    listed(operators.iter().map(|operator| {
        let domain =
            if operator.domain == canonical_domain("") { String::new() } else { format!("{}::", operator.domain) };
        format!("{domain}{} {}", operator.op_type, grouped(operator.nodes))
    }))
}

fn parameters(parameters: &Parameters) -> String {
    let (tensors, elements, bytes) = parameters.total();
    let of_type = |elements: u64, bytes: Option<u64>| {
        format!("{} ({})", grouped(elements), bytes.map_or_else(|| "bytes unknown".to_owned(), size))
    };
    let mut text = match elements {
        Some(elements) => format!("{} in {}", of_type(elements, bytes), number(tensors, "tensor")),
        None => format!("more than 2^64 in {}", number(tensors, "tensor")),
    };
    if let [_, _, ..] = &*parameters.types {
        let types = parameters.types.iter().map(|of| format!("{} {}", of.ty, of_type(of.elements, of.bytes)));
        text.push_str(&format!(": {}", listed(types)));
    } else if let [only] = &*parameters.types {
        text.push_str(&format!(" of {}", only.ty));
    }
    if parameters.unknown > 0 {
        text.push_str(&format!("; of {} no number of elements is known", number(parameters.unknown, "tensor")));
    }
    text
}

/// A sum as an expression, and with sizes as a number.
fn sum<'m>(
    of: &dyn Fn(&Costs<'m>) -> Dim,
    costs: &Costs<'m>,
    sized: Option<&Costs<'m>>,
    (number, unit): (fn(u64) -> String, &str),
) -> String {
    let text = |costs: &Costs<'m>| match of(costs) {
        Dim::Known(sum) => number(sum),
        Dim::Unknown(_) => "an expression that is too long to show".to_owned(),
        sum => format!("{}{unit}", sum.display(&costs.analysis.symbols)),
    };
    let (first, then) = (text(costs), sized.map(text));
    then.filter(|then| *then != first).map_or_else(|| first.clone(), |then| format!("{first} = {then}"))
}

fn activations<'m>(costs: &Costs<'m>, sized: Option<&Costs<'m>>) -> String {
    let found = &sized.unwrap_or(costs).activations;
    let sum = sum(&|costs| costs.activations.bytes.clone(), costs, sized, (size, " bytes"));
    let known = found.values.saturating_sub(found.unknown.len());
    let mut text = format!("{sum} in {}", number(known, "value"));
    if !found.unknown.is_empty() {
        text.push_str(&format!("; unknown for {}", number(found.unknown.len(), "other value")));
    }
    if found.inside > 0 {
        text.push_str(&format!("; {} of subgraphs not counted", number(found.inside, "value")));
    }
    text
}

fn peak(costs: &Costs<'_>) -> String {
    match costs.activations.peak {
        Some(peak) => size(peak),
        None if costs.activations.unknown.is_empty() => "depends on symbols; give their sizes with --set".to_owned(),
        None => "unknown, as these values are".to_owned(),
    }
}

fn multiply_adds<'m>(costs: &Costs<'m>, sized: Option<&Costs<'m>>) -> String {
    let found = &sized.unwrap_or(costs).multiply_adds;
    if found.nodes == 0 {
        return "none counted".to_owned();
    }
    let sum = sum(&|costs| costs.multiply_adds.sum.clone(), costs, sized, (grouped, ""));
    let mut text = format!("{sum} in {}", number(found.nodes, "node"));
    if let Some(flops) = found.sum.value(&|_| None).and_then(|sum| sum.checked_mul(2)).filter(|flops| *flops > 0) {
        text.push_str(&format!(", which is {} FLOPs", grouped(flops)));
    }
    text
}

fn not_counted(costs: &Costs<'_>) -> String {
    let found = &costs.multiply_adds;
    let parts = [("", &found.uncounted), ("of unknown size: ", &found.unknown), ("in subgraphs: ", &found.inside)];
    let parts = parts.iter().filter(|(_, list)| !list.is_empty());
    parts.map(|(what, list)| format!("{what}{}", operators(list))).collect::<Vec<_>>().join("; ")
}

/// A number of bytes, a large one with a unit.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    let (mut amount, mut unit) = (bytes as f64, None);
    for name in UNITS {
        if amount < 1024.0 {
            break;
        }
        (amount, unit) = (amount / 1024.0, Some(name));
    }
    match unit {
        None => number(usize::try_from(bytes).unwrap_or(usize::MAX), "byte"),
        Some(unit) => format!("{amount:.1} {unit}"),
    }
}
