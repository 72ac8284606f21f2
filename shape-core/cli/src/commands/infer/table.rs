//! The nodes of a model as a table, with their inputs and outputs.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::RangeInclusive;

use anstyle::Style;
use shape_model::file::proto::{GraphProto, NodeProto};
use shape_model::{Analysis, GraphKind, Origin, Scopes, Value};

use crate::render::{Clean, FAINT, INFO, STRONG, WARNING};
use crate::values::text::{cut, dims, dims_and_elements, elements, reason, short, tail, ty};

/// The width that a table should have. Dimensions are never cut; node names and inputs are, down to a minimum. A name
/// loses its beginning, other text its end.
const WIDTH: usize = 120;
const OPERATOR: usize = 24;
const OUTPUT: usize = 24;
const NAME: RangeInclusive<usize> = 14..=32;
const INPUTS: RangeInclusive<usize> = 24..=44;
/// The width that the name of an input keeps beside its dimensions.
const MIN_INPUT_NAME: usize = 10;

const HEAD: [&str; 7] = ["#", "operator", "node", "inputs", "output", "type", "dims"];
const PLAIN: Style = Style::new();
const STYLES: [Style; 7] = [FAINT, STRONG, PLAIN, PLAIN, PLAIN, FAINT, PLAIN];

/// Writes a table for the graph and for each subgraph, with the values that `shown` selects.
pub(super) fn write(out: &mut impl Write, analysis: &Analysis<'_>, shown: &[bool]) -> io::Result<()> {
    let scopes = analysis.scopes();
    let table = Table { analysis, scopes: &scopes, shown, all: !shown.contains(&false) };
    let mut first = true;
    for (id, info) in analysis.graphs.iter().enumerate() {
        let Some(proto) = info.proto else { continue };
        let rows = table.rows(id, proto);
        if rows.is_empty() {
            continue;
        }
        if info.kind != GraphKind::Main {
            let apart = if first { "" } else { "\n" };
            writeln!(out, "{apart}{STRONG}{}{STRONG:#}", Clean(&info.path))?;
        }
        first = false;
        print(out, &rows)?;
    }
    Ok(())
}

struct Table<'t, 'm> {
    analysis: &'t Analysis<'m>,
    scopes: &'t Scopes<'t, 'm>,
    shown: &'t [bool],
    /// Whether all values are shown.
    all: bool,
}

/// A node, or an input or output of the graph.
#[derive(Default)]
struct Row {
    index: String,
    operator: String,
    name: String,
    /// The source of each input, and its elements or dimensions.
    inputs: Vec<(String, String)>,
    outputs: Vec<Output>,
    /// Why outputs are unknown, if this node is the cause.
    reasons: Vec<String>,
}

struct Output {
    name: String,
    ty: String,
    dims: String,
    /// The node that is the cause of what is unknown.
    cause: Option<String>,
}

impl Table<'_, '_> {
    fn rows(&self, graph: usize, proto: &GraphProto) -> Vec<Row> {
        let mut rows = Vec::new();
        let ends = |entries: &'_ [shape_model::file::proto::ValueInfoProto], what: &str, rows: &mut Vec<Row>| {
            for entry in entries {
                let index = self.scopes.index(graph, &entry.name).filter(|index| self.is_shown(*index));
                let Some((index, value)) = index.and_then(|index| Some((index, self.value(index)?))) else { continue };
                if value.graph == graph {
                    let mut row = Row { operator: what.to_owned(), ..Row::default() };
                    self.output(&mut row, graph, index, value, short(value.name, OUTPUT));
                    rows.push(row);
                }
            }
        };
        ends(&proto.input, "(input)", &mut rows);
        for (index, node) in proto.node.iter().enumerate() {
            rows.extend(self.node(graph, index, node));
        }
        // Otherwise the rows of the nodes show them.
        if self.all {
            ends(&proto.output, "(output)", &mut rows);
        }
        rows
    }

    fn is_shown(&self, index: u32) -> bool {
        self.shown.get(index as usize).copied().unwrap_or(false)
    }

    fn value(&self, index: u32) -> Option<&Value<'_>> {
        self.analysis.values.get(index as usize)
    }

    fn node(&self, graph: usize, index: usize, node: &NodeProto) -> Option<Row> {
        let outputs = node.output.iter().filter(|name| !name.is_empty());
        let outputs = outputs.filter_map(|name| self.scopes.index(graph, name).filter(|index| self.is_shown(*index)));
        let outputs: Vec<u32> = outputs.collect();
        // A node without outputs appears only if all values are shown.
        let has_outputs = node.output.iter().any(|name| !name.is_empty());
        if outputs.is_empty() && (has_outputs || !self.all) {
            return None;
        }
        let mut row = Row {
            index: index.to_string(),
            operator: cut(&Clean(&node.op_type).to_string(), OPERATOR),
            name: Clean(&node.name).to_string(),
            ..Row::default()
        };
        row.inputs = node.input.iter().map(|name| self.input(graph, name)).collect();
        for value_index in outputs {
            let Some(value) = self.value(value_index) else { continue };
            // Exporters often name an output after its node, with a suffix.
            let rest = value.name.strip_prefix(&*node.name).filter(|rest| !rest.is_empty() && !node.name.is_empty());
            let name = match rest {
                Some(rest) if value.name.chars().count() > rest.chars().count() + 1 => {
                    short(&format!("…{}", Clean(rest)), OUTPUT)
                }
                _ => short(value.name, OUTPUT),
            };
            self.output(&mut row, graph, value_index, value, name);
        }
        Some(row)
    }

    /// The source of an input, and what is known of it.
    fn input(&self, graph: usize, name: &str) -> (String, String) {
        if name.is_empty() {
            return ("-".to_owned(), String::new());
        }
        let Some(value) = self.scopes.value(graph, name) else { return (short(name, OUTPUT), String::new()) };
        let symbols = &self.analysis.symbols;
        let fact = match elements(value, symbols) {
            Some(elements) => format!("= {elements}"),
            None => dims(value, symbols),
        };
        (self.source(graph, value), fact)
    }

    /// The node that computes a value, as in `#7`, or the name of the value.
    fn source(&self, graph: usize, value: &Value<'_>) -> String {
        if let Origin::Node { index, .. } = value.origin
            && value.graph == graph
        {
            let node = self.analysis.graphs.get(graph).and_then(|info| info.proto?.node.get(index));
            return match node.and_then(|node| node.output.iter().position(|name| name == value.name)) {
                None | Some(0) => format!("#{index}"),
                Some(output) => format!("#{index}.{output}"),
            };
        }
        short(value.name, OUTPUT)
    }

    fn output(&self, row: &mut Row, graph: usize, index: u32, value: &Value<'_>, name: String) {
        // The row of a graph output refers to the node that computes it, and does not repeat the reason.
        let at_origin = matches!(value.origin, Origin::Node { .. }) != row.index.is_empty();
        let elsewhere = value.unknown().filter(|reason| reason.value != index || !at_origin);
        let cause = match elsewhere.and_then(|reason| self.value(reason.value)) {
            Some(blamed) if blamed.graph == graph => {
                let operator = if let Origin::Node { op_type, .. } = blamed.origin { op_type } else { "" };
                let text = format!("because of {} {}", self.source(graph, blamed), Clean(operator));
                Some(text.trim_end().to_owned())
            }
            _ => None,
        };
        if cause.is_none()
            && let Some(reason) = reason(self.analysis, index, value)
            && !row.reasons.contains(&reason)
        {
            row.reasons.push(reason);
        }
        let dims = dims_and_elements(value, &self.analysis.symbols);
        row.outputs.push(Output { name, ty: ty(value), dims, cause });
    }
}

/// The inputs of a node, in lines that fit the column.
fn lines(inputs: &[(String, String)], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (from, fact) in inputs {
        // If both do not fit, the name is cut.
        let room = width.saturating_sub(fact.chars().count() + 1).max(MIN_INPUT_NAME);
        let text = cut(format!("{} {fact}", tail(from, room)).trim_end(), width);
        match lines.last_mut() {
            Some(line) if line.chars().count() + text.chars().count() + 2 <= width => {
                let _ = write!(line, ", {text}");
            }
            _ => lines.push(text),
        }
    }
    lines
}

/// The widths of the columns `node` and `inputs`, so that the other columns fit beside them.
fn room(rows: &[Row]) -> (usize, usize) {
    let count = |text: &str| text.chars().count();
    let widest = |part: &dyn Fn(&Row) -> usize| rows.iter().map(part).max().unwrap_or_default();
    let of_outputs =
        |part: &dyn Fn(&Output) -> usize| rows.iter().flat_map(|row| &row.outputs).map(part).max().unwrap_or_default();
    let cause = |output: &Output| output.cause.as_ref().map_or(0, |cause| count(cause) + 2);
    let rest = [
        widest(&|row| count(&row.index)),
        widest(&|row| count(&row.operator)).max(count("operator")),
        of_outputs(&|output| count(&output.name)).max(count("output")),
        of_outputs(&|output| count(&output.ty)).max(count("type")),
        of_outputs(&|output| count(&output.dims) + cause(output)),
        2 * (HEAD.len() - 1),
    ];
    let left = WIDTH.saturating_sub(rest.iter().sum());
    let name = widest(&|row| count(&row.name)).min(*NAME.end());
    let inputs = left.saturating_sub(name).clamp(*INPUTS.start(), *INPUTS.end());
    (left.saturating_sub(inputs).clamp(*NAME.start(), *NAME.end()), inputs)
}

fn print(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    let mut widths = HEAD.map(str::len);
    let mut lines = Vec::new();
    let (name, inputs) = room(rows);
    for row in rows {
        let read = self::lines(&row.inputs, inputs);
        let count = read.len().max(row.outputs.len()).max(1);
        let first = |line: usize, text: &str| if line == 0 { text.to_owned() } else { String::new() };
        for line in 0..count {
            let output = row.outputs.get(line);
            let of_output = |part: &dyn Fn(&Output) -> String| output.map(part).unwrap_or_default();
            let cells = [
                first(line, &row.index),
                first(line, &row.operator),
                first(line, &tail(&row.name, name)),
                read.get(line).cloned().unwrap_or_default(),
                of_output(&|output| output.name.clone()),
                of_output(&|output| output.ty.clone()),
                of_output(&|output| output.dims.clone()),
            ];
            for (width, cell) in widths.iter_mut().zip(&cells) {
                *width = cell.chars().count().max(*width);
            }
            let cause = output.and_then(|output| output.cause.clone());
            let reasons = if line + 1 == count { row.reasons.as_slice() } else { &[] };
            lines.push((cells, cause, reasons));
        }
    }
    // Empty columns are left out.
    let used = |column: usize| {
        rows.is_empty() || lines.iter().any(|(cells, ..)| cells.get(column).is_some_and(|cell| !cell.is_empty()))
    };
    let columns: Vec<usize> = (0..HEAD.len()).filter(|column| used(*column)).collect();
    let head = HEAD.map(str::to_owned);
    let faint = [FAINT; HEAD.len()];
    line(out, &columns, &head, &widths, &faint, None)?;
    let indent = if columns.contains(&0) { widths.first().copied().unwrap_or_default() + 2 } else { 0 };
    for (cells, cause, reasons) in &lines {
        let mut styles = STYLES;
        if let ([.., dims], [.., style]) = (cells, &mut styles)
            && cause.is_none()
            && dims.contains(" = ")
        {
            *style = INFO;
        }
        line(out, &columns, cells, &widths, &styles, cause.as_deref())?;
        for reason in *reasons {
            writeln!(out, "{:indent$}{WARNING}unknown:{WARNING:#} {reason}", "")?;
        }
    }
    Ok(())
}

fn line(
    out: &mut impl Write,
    columns: &[usize],
    cells: &[String; 7],
    widths: &[usize; 7],
    styles: &[Style; 7],
    cause: Option<&str>,
) -> io::Result<()> {
    let mut pending = 0;
    for column in columns {
        let (Some(cell), Some(width), Some(style)) = (cells.get(*column), widths.get(*column), styles.get(*column))
        else {
            continue;
        };
        let space = width.saturating_sub(cell.chars().count());
        // Node numbers are aligned to the right.
        let (before, after) = if *column == 0 { (space, 0) } else { (0, space) };
        if cell.is_empty() {
            pending += width + 2;
            continue;
        }
        write!(out, "{:1$}", "", pending + before)?;
        write!(out, "{style}{cell}{style:#}")?;
        pending = after + 2;
    }
    if let Some(cause) = cause {
        write!(out, "  {WARNING}{cause}{WARNING:#}")?;
    }
    writeln!(out)
}
