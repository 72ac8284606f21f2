//! `shape infer --why`: how a value was inferred, node by node.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;
use shape_core::node::AttributeValue;
use shape_core::rule;
use shape_core::rule::{Alternative, Argument, Call, DimsRule};
use shape_core::schema::Schema;
use shape_core::symbolic::Dim;
use shape_model::Attribute;
use shape_model::Finding;
use shape_model::{Analysis, Assumption, Origin, Step, Trace, Value};
use shape_specs::names::suggest;

use crate::json;
use crate::render::{Clean, FAINT, INFO, STRONG, WARNING, number};
use crate::values::json::Row;
use crate::values::text::{declared, reason, summary};

/// A longer trace shows only its first and last steps. It is read from its end.
const FIRST: usize = 8;
const LAST: usize = 40;

/// The index of the value that a text names: its name, with the path of its graph and a slash before it if need be; or what a
/// table shows, such as `…_output_0`, `#12`, `#12.1`, or the symbol `n0`, which stands for the value where it begins. Fails if
/// there is none, or several.
pub(super) fn find(analysis: &Analysis<'_>, name: &str) -> Result<u32, String> {
    match named(analysis, name) {
        Err(error) => shown(analysis, name).ok_or(error),
        found => found,
    }
}

/// The index of the value that a table shows as this text.
fn shown(analysis: &Analysis<'_>, text: &str) -> Option<u32> {
    if let Some(place) = text.strip_prefix('#') {
        let (node, output) = place.split_once('.').unwrap_or((place, "0"));
        let node = analysis.graphs.first()?.nodes.get(node.parse().ok()?)?;
        let output = node.outputs().iter().nth(output.parse().ok()?)?;
        return analysis.scopes().index(0, output);
    }
    if let Some(end) = text.strip_prefix('…') {
        let mut ending = (0..).zip(&analysis.values).filter(|(_, value)| value.name.ends_with(end));
        let (index, _) = ending.next()?;
        return ending.next().is_none().then_some(index);
    }
    analysis.fresh_symbols().find(|(name, _)| *name == text).map(|(_, origin)| origin.value)
}

/// The index of the value with a name, or with a graph's path, a slash and a name.
fn named(analysis: &Analysis<'_>, name: &str) -> Result<u32, String> {
    let path = |value: &Value<'_>| {
        let graph = analysis.graphs.get(value.graph).map_or("", |graph| &*graph.path);
        format!("{graph}/{}", value.name)
    };
    let named = |wanted: &dyn Fn(&Value<'_>) -> bool| -> Vec<(u32, &Value<'_>)> {
        (0..).zip(&analysis.values).filter(|(_, value)| wanted(value)).collect()
    };
    let ends = |value: &Value<'_>| name.strip_suffix(value.name).is_some_and(|rest| rest.ends_with('/'));
    let mut matches = named(&|value| value.name == name);
    if matches.is_empty() {
        matches = named(&|value| ends(value) && path(value) == name);
    }
    match &*matches {
        [(index, _)] => Ok(*index),
        [] => {
            // People often remember only the end of a name.
            let end = |value: &&Value<'_>| {
                let rest = value.name.strip_suffix(name).filter(|_| !name.is_empty());
                rest.is_some_and(|rest| rest.ends_with(['/', '.', ':']))
            };
            let ending = analysis.values.iter().filter(end).min_by_key(|value| value.name.len());
            let help = match ending {
                Some(value) => Some(format!("did you mean `{}`?", value.name)),
                None => suggest(name, analysis.values.iter().map(|value| value.name)),
            };
            let help = help.map(|help| format!("; {help}")).unwrap_or_default();
            Err(format!("the model has no value `{name}`{help}"))
        }
        several => {
            const MAX_ITEMS: usize = 8;
            let mut paths: Vec<String> =
                several.iter().take(MAX_ITEMS).map(|(_, value)| format!("`{}`", path(value))).collect();
            if several.len() > MAX_ITEMS {
                paths.push(format!("{} more", several.len() - MAX_ITEMS));
            }
            Err(format!("{} have the name `{name}`: {}", number(several.len(), "value"), paths.join(", ")))
        }
    }
}

/// A step, as JSON.
#[derive(Serialize)]
pub(crate) struct JsonStep<'a> {
    graph: &'a str,
    node: json::Node,
    /// The version of the operator; null if it is unknown.
    since_version: Option<u32>,
    /// The rules that compute its outputs, as the descriptor calls them.
    rules: Vec<String>,
    inputs: Vec<Row<'a>>,
    outputs: Vec<Row<'a>>,
    /// What is assumed, since an earlier node could not run otherwise.
    assumptions: Vec<String>,
}

/// Steps as JSON.
pub(crate) fn steps<'a>(analysis: &'a Analysis<'_>, steps: &'a [Step<'_>]) -> Vec<JsonStep<'a>> {
    let rows = |values: &mut dyn Iterator<Item = u32>| -> Vec<Row<'a>> {
        values.filter_map(|index| Some(Row::new(analysis, analysis.values.get(index as usize)?))).collect()
    };
    let step = |step: &'a Step<'_>| JsonStep {
        graph: analysis.graphs.get(step.graph).map_or("", |graph| &graph.path),
        node: json::Node::new(step.index, step.node),
        since_version: step.schema.map(|schema| schema.since_version),
        rules: rules(analysis, step),
        inputs: rows(&mut step.inputs.iter().map(|(_, value)| *value)),
        outputs: rows(&mut step.outputs.iter().map(|(_, value)| *value)),
        assumptions: assumptions(analysis, step),
    };
    steps.iter().map(step).collect()
}

/// Whether a finding is about a node of the trace.
pub(crate) fn is_about(analysis: &Analysis<'_>, trace: &Trace<'_>, finding: &Finding) -> bool {
    trace.steps.iter().any(|step| {
        let path = analysis.graphs.get(step.graph).map_or("", |graph| &*graph.path);
        finding.graph == path && finding.node.as_ref().is_some_and(|node| node.index == step.index)
    })
}

/// Writes the trace as text, with a paragraph for each node.
pub(super) fn write(out: &mut impl Write, analysis: &Analysis<'_>, trace: &Trace<'_>) -> io::Result<()> {
    let Some(value) = analysis.values.get(trace.value as usize) else { return Ok(()) };
    let known = summary(value, &analysis.symbols);
    writeln!(
        out,
        "{STRONG}{}{STRONG:#}  {INFO}{known}{INFO:#}{}",
        Clean(value.name),
        origin(analysis, trace.value, value)
    )?;
    let steps = &*trace.steps;
    // Where the value that lost it is not among the steps, the reason stands here.
    let tells = |step: &Step<'_>| {
        let inputs = step.inputs.iter().map(|(_, input)| *input);
        inputs.chain(step.outputs.iter().map(|(_, output)| *output)).any(|of| trace.blamed == Some(of))
    };
    if let Some(unknown) = analysis.unknown(value)
        && !matches!(value.origin, Origin::Input | Origin::Initializer)
        && !steps.iter().any(tells)
    {
        writeln!(out, "  {WARNING}unknown{WARNING:#}: {}", Clean(&analysis.explain(unknown)))?;
    }
    let left_out = steps.len().saturating_sub(FIRST + LAST);
    for (index, step) in steps.iter().enumerate() {
        if left_out > 1 && index == FIRST {
            writeln!(out, "\n{FAINT}... {} left out; --format json shows all{FAINT:#}", number(left_out, "node"))?;
        }
        if left_out > 1 && (FIRST..FIRST + left_out).contains(&index) {
            continue;
        }
        write_step(out, analysis, trace, step)?;
    }
    Ok(())
}

fn write_step(out: &mut impl Write, analysis: &Analysis<'_>, trace: &Trace<'_>, step: &Step<'_>) -> io::Result<()> {
    let node = step.node;
    let mut head = format!("node {}", step.index);
    if !node.name().is_empty() {
        let _ = write!(head, " `{}`", node.name());
    }
    if step.graph != 0 {
        let graph = analysis.graphs.get(step.graph).map_or("", |graph| &*graph.path);
        let _ = write!(head, " of {graph}");
    }
    let version = step.schema.map(|schema| format!("-{}", schema.since_version)).unwrap_or_default();
    let operator = format!("{}{version}", node.op_type());
    writeln!(out, "\n{STRONG}{}{STRONG:#}  {}", Clean(&operator), Clean(&head))?;
    for rule in rules(analysis, step) {
        writeln!(out, "  {FAINT}rule{FAINT:#}  {}", Clean(&rule))?;
    }
    for (input, id) in &step.inputs {
        let Some(value) = analysis.values.get(*id as usize) else { continue };
        let parameter = match input {
            Some(input) => step.schema.and_then(|schema| schema.input(*input)).map_or("", |input| input.name),
            None => "in a subgraph",
        };
        let parameter = if parameter.is_empty() { String::new() } else { format!(" {FAINT}({parameter}){FAINT:#}") };
        let (name, known) = (Clean(value.name), summary(value, &analysis.symbols));
        writeln!(out, "  {FAINT}from{FAINT:#}  {name}{parameter}  {known}{}", origin(analysis, *id, value))?;
    }
    for assumed in assumptions(analysis, step) {
        writeln!(out, "  {FAINT}since{FAINT:#} {}", Clean(&assumed))?;
    }
    for (_, id) in &step.outputs {
        let Some(value) = analysis.values.get(*id as usize) else { continue };
        let (name, known) = (Clean(value.name), summary(value, &analysis.symbols));
        writeln!(out, "  {FAINT}gives{FAINT:#} {name}  {INFO}{known}{INFO:#}")?;
        // The reason stands at the node where information was lost.
        if trace.blamed == Some(*id)
            && let Some(reason) = reason(analysis, *id, value)
        {
            writeln!(out, "  {WARNING}unknown{WARNING:#}: {reason}")?;
        }
        if let Some(declared) = declared(analysis, *id, value) {
            writeln!(out, "  {WARNING}unknown{WARNING:#}: {declared}")?;
        }
    }
    Ok(())
}

/// What is assumed at a step, and the nodes that could not run otherwise.
fn assumptions(analysis: &Analysis<'_>, step: &Step<'_>) -> Vec<String> {
    let text = |assumed: &Assumption| {
        let name = analysis.symbols.name(assumed.symbol);
        let known = match &assumed.size {
            Some(size) if *size == Dim::Symbol(assumed.symbol.as_size()) => format!("{name} is a size"),
            Some(size) => format!("{name} is {}", size.display(&analysis.symbols)),
            None => format!("{name} is not 0"),
        };
        let value = analysis.values.get(assumed.value as usize)?;
        let Origin::Node { index } = value.origin else { return None };
        let op_type = analysis.node(value)?.op_type();
        Some(format!("{known}, else the {op_type} at node {index} could not run"))
    };
    step.assumptions(analysis).filter_map(text).collect()
}

/// Says that a value is an input or an initializer, and why it is unknown.
fn origin(analysis: &Analysis<'_>, id: u32, value: &Value<'_>) -> String {
    let mut what = match value.origin {
        Origin::Input => "an input".to_owned(),
        Origin::Initializer => "an initializer".to_owned(),
        Origin::Node { .. } => return String::new(),
    };
    if let Some(graph) = analysis.graphs.get(value.graph).filter(|_| value.graph != 0) {
        let _ = write!(what, " of {}", Clean(&graph.path));
    }
    match reason(analysis, id, value) {
        Some(reason) => format!("  {FAINT}{what};{FAINT:#} {WARNING}unknown{WARNING:#}: {reason}"),
        None => format!("  {FAINT}{what}{FAINT:#}"),
    }
}

/// The rules that compute the outputs of a node, as its descriptor calls them, with the node's arguments.
fn rules(analysis: &Analysis<'_>, step: &Step<'_>) -> Vec<String> {
    let Some(schema) = step.schema else { return Vec::new() };
    let mut rules: Vec<String> = Vec::new();
    for rule in step.rules() {
        // The rule for elements says nothing if no elements are known.
        let elements = rule.elements.filter(|_| {
            let mut outputs = step.outputs.iter().filter(|(output, _)| *output >= rule.output);
            outputs.any(|(_, id)| analysis.values.get(*id as usize).is_some_and(|value| value.elements.is_ok()))
        });
        let dims = rule.dims.map(|dims| dims_text(dims, schema, step));
        for text in dims.into_iter().chain(elements.map(|call| call_text(&call, schema, step))) {
            if !rules.contains(&text) {
                rules.push(text);
            }
        }
    }
    rules
}

fn dims_text(dims: DimsRule, schema: &'static Schema, step: &Step<'_>) -> String {
    match dims {
        DimsRule::Call(call) => call_text(&call, schema, step),
        DimsRule::Terms(terms) => rule::display_terms(terms, schema.attributes, schema.inputs).to_string(),
        DimsRule::Alternatives(alternatives) => {
            let text = |Alternative { text, dims, .. }: &Alternative| {
                let dims = dims_text(*dims, schema, step);
                if text.is_empty() { dims } else { format!("{dims} if {text}") }
            };
            alternatives.iter().map(text).collect::<Vec<_>>().join(", else ")
        }
    }
}

fn call_text(call: &Call, schema: &'static Schema, step: &Step<'_>) -> String {
    let arguments: Vec<String> = call.arguments.iter().filter_map(|value| argument(*value, schema, step)).collect();
    format!("{}({})", call.rule.name(), arguments.join(", "))
}

/// An argument of a rule: the name of an input, or an attribute with its value.
fn argument(argument: Argument, schema: &'static Schema, step: &Step<'_>) -> Option<String> {
    Some(match argument {
        Argument::Absent => return None,
        Argument::Int(number) => number.to_string(),
        Argument::Every(index, step) => format!("{}[::{step}]", schema.inputs.get(index)?.name),
        Argument::ChannelsLast(index) => format!("nhwc({})", self::argument(Argument::Input(index), schema, step)?),
        Argument::Input(index) => {
            let input = schema.inputs.get(index)?;
            let present = step.node.inputs().get(index).is_some_and(|name| !name.is_empty());
            format!("{}{}", input.name, if present { "" } else { ": none" })
        }
        Argument::Attribute(index) => {
            let attribute = schema.attributes.get(index)?;
            let of_node = step.node.attribute(attribute.name);
            match (of_node, attribute.default) {
                (Some(of_node), _) => format!("{}={}", attribute.name, attribute_text(of_node)),
                (None, Some(default)) => format!("{}={} by default", attribute.name, default_text(default)),
                (None, None) => format!("{}: none", attribute.name),
            }
        }
    })
}

fn attribute_text(attribute: Attribute<'_>) -> String {
    if !attribute.reference().is_empty() {
        return format!("attribute `{}` of the call", attribute.reference());
    }
    match attribute.view().map(|view| view.value) {
        Some(AttributeValue::Tensor(_)) => "a tensor".to_owned(),
        Some(AttributeValue::Graph(_)) => "a graph".to_owned(),
        Some(value) => default_text(value),
        None => "[]".to_owned(),
    }
}

fn default_text(value: AttributeValue<'_>) -> String {
    match value {
        AttributeValue::Int(number) => number.to_string(),
        AttributeValue::Float(number) => number.to_string(),
        AttributeValue::String(text) => String::from_utf8_lossy(text).into_owned(),
        AttributeValue::Ints(numbers) => list(numbers),
        AttributeValue::Floats(numbers) => list(numbers),
        other => other.kind().name().to_owned(),
    }
}

fn list<T: ToString>(items: &[T]) -> String {
    const MAX_ITEMS: usize = 16;
    let mut texts: Vec<String> = items.iter().take(MAX_ITEMS).map(T::to_string).collect();
    if items.len() > MAX_ITEMS {
        texts.push(format!("... {} in all", items.len()));
    }
    format!("[{}]", texts.join(", "))
}
