//! The nodes of a model as a table, with their inputs and outputs.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::RangeInclusive;

use anstyle::Style;
use shape_model::file::List;
use shape_model::file::proto::ValueInfoProto;
use shape_model::{Analysis, Graph, GraphKind, Node, Origin, Scopes, Value};

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
struct Row<'r> {
    index: Cow<'r, str>,
    operator: Cow<'r, str>,
    name: Cow<'r, str>,
    /// The source of each input, and its elements or dimensions.
    inputs: Vec<(Cow<'r, str>, Cow<'r, str>)>,
    outputs: Vec<Output<'r>>,
    /// Why outputs are unknown, if this node is the cause.
    reasons: Vec<Cow<'r, str>>,
}

struct Output<'r> {
    name: Cow<'r, str>,
    ty: Cow<'r, str>,
    dims: Cow<'r, str>,
    /// The node that is the cause of what is unknown; empty if there is none.
    cause: Cow<'r, str>,
}

/// Rows as one text, which takes little memory: a table is as wide as all of its rows need, and a small file may have a
/// million. The separators are control characters, which no text in a row has.
#[derive(Default)]
struct Rows(String);

const ROW: char = '\x1e';
const GROUP: char = '\x1d';
const ITEM: char = '\n';
const PART: char = '\t';

impl Rows {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn push(&mut self, Row { index, operator, name, inputs, outputs, reasons }: &Row<'_>) {
        let to = &mut self.0;
        let mut add = |text: &str, end: char| {
            to.push_str(text);
            to.push(end);
        };
        add(index, PART);
        add(operator, PART);
        add(name, GROUP);
        for (from, fact) in inputs {
            add(from, PART);
            add(fact, ITEM);
        }
        add("", GROUP);
        for Output { name, ty, dims, cause } in outputs {
            add(name, PART);
            add(ty, PART);
            add(dims, PART);
            add(cause, ITEM);
        }
        add("", GROUP);
        for reason in reasons {
            add(reason, ITEM);
        }
        add("", ROW);
    }

    fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        self.0.split_terminator(ROW).map(|row| {
            let [head, inputs, outputs, reasons] = split(row, GROUP);
            let [index, operator, name] = split(head, PART).map(Cow::Borrowed);
            let inputs =
                inputs.split_terminator(ITEM).map(|input| <(_, _)>::from(split(input, PART).map(Cow::Borrowed)));
            let outputs = outputs.split_terminator(ITEM).map(|output| {
                let [name, ty, dims, cause] = split(output, PART).map(Cow::Borrowed);
                Output { name, ty, dims, cause }
            });
            let reasons = reasons.split_terminator(ITEM).map(Cow::Borrowed);
            let (inputs, outputs, reasons) = (inputs.collect(), outputs.collect(), reasons.collect());
            Row { index, operator, name, inputs, outputs, reasons }
        })
    }
}

/// The parts of a text; those that it does not have are empty.
fn split<const N: usize>(text: &str, separator: char) -> [&str; N] {
    let mut parts = text.split(separator);
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

impl<'m> Table<'_, 'm> {
    fn rows(&self, graph: usize, proto: Graph<'m>) -> Rows {
        let mut rows = Rows::default();
        let ends = |entries: List<'m, &'m ValueInfoProto>, what: &str, rows: &mut Rows| {
            for entry in entries {
                let index = self.scopes.index(graph, &entry.name).filter(|index| self.is_shown(*index));
                let Some((index, value)) = index.and_then(|index| Some((index, self.value(index)?))) else { continue };
                if value.graph == graph {
                    let mut row = Row { operator: what.to_owned().into(), ..Row::default() };
                    self.output(&mut row, graph, index, value, short(value.name, OUTPUT));
                    rows.push(&row);
                }
            }
        };
        ends(proto.inputs(), "(input)", &mut rows);
        for (index, node) in proto.nodes().iter().enumerate() {
            if let Some(row) = self.node(graph, index, node) {
                rows.push(&row);
            }
        }
        // Otherwise the rows of the nodes show them.
        if self.all {
            ends(proto.outputs(), "(output)", &mut rows);
        }
        rows
    }

    fn is_shown(&self, index: u32) -> bool {
        self.shown.get(index as usize).copied().unwrap_or(false)
    }

    fn value(&self, index: u32) -> Option<&Value<'_>> {
        self.analysis.values.get(index as usize)
    }

    fn node(&self, graph: usize, index: usize, node: Node<'_>) -> Option<Row<'static>> {
        let outputs = node.outputs().iter().filter(|name| !name.is_empty());
        let outputs = outputs.filter_map(|name| self.scopes.index(graph, name).filter(|index| self.is_shown(*index)));
        let outputs: Vec<u32> = outputs.collect();
        // A node without outputs appears only if all values are shown.
        let has_outputs = node.outputs().iter().any(|name| !name.is_empty());
        if outputs.is_empty() && (has_outputs || !self.all) {
            return None;
        }
        let mut row = Row {
            index: index.to_string().into(),
            operator: cut(&Clean(node.op_type()).to_string(), OPERATOR).into(),
            name: short(node.name(), *NAME.end()).into(),
            ..Row::default()
        };
        row.inputs = node.inputs().iter().map(|name| self.input(graph, name)).collect();
        for value_index in outputs {
            let Some(value) = self.value(value_index) else { continue };
            // Exporters often name an output after its node, with a suffix.
            let rest = value.name.strip_prefix(node.name()).filter(|rest| !rest.is_empty() && !node.name().is_empty());
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
    fn input(&self, graph: usize, name: &str) -> (Cow<'static, str>, Cow<'static, str>) {
        if name.is_empty() {
            return ("-".into(), "".into());
        }
        let Some(value) = self.scopes.value(graph, name) else { return (short(name, OUTPUT).into(), "".into()) };
        let symbols = &self.analysis.symbols;
        let fact = match elements(value, symbols) {
            Some(elements) => format!("= {elements}"),
            None => dims(value, symbols),
        };
        // More than that is cut in any case.
        (self.source(graph, value).into(), cut(&fact, INPUTS.end() + 1).into())
    }

    /// The node that computes a value, as in `#7`, or the name of the value.
    fn source(&self, graph: usize, value: &Value<'_>) -> String {
        if let Origin::Node { index } = value.origin
            && value.graph == graph
        {
            let node = self.analysis.graphs.get(graph).and_then(|info| info.proto?.nodes().get(index));
            return match node.and_then(|node| node.outputs().iter().position(|name| name == value.name)) {
                None | Some(0) => format!("#{index}"),
                Some(output) => format!("#{index}.{output}"),
            };
        }
        short(value.name, OUTPUT)
    }

    fn output(&self, row: &mut Row<'_>, graph: usize, index: u32, value: &Value<'_>, name: String) {
        // The row of a graph output refers to the node that computes it, and does not repeat the reason.
        let at_origin = matches!(value.origin, Origin::Node { .. }) != row.index.is_empty();
        let elsewhere = value.unknown().filter(|reason| reason.value != index || !at_origin);
        let cause = match elsewhere.and_then(|reason| self.value(reason.value)) {
            Some(blamed) if blamed.graph == graph => {
                let operator = self.analysis.node(blamed).map_or("", Node::op_type);
                let text = format!("because of {} {}", self.source(graph, blamed), Clean(operator));
                Some(text.trim_end().to_owned())
            }
            _ => None,
        };
        if cause.is_none()
            && let Some(reason) = reason(self.analysis, index, value)
            && !row.reasons.iter().any(|told| *told == reason)
        {
            row.reasons.push(reason.into());
        }
        let dims = dims_and_elements(value, &self.analysis.symbols);
        let cause = cause.unwrap_or_default().into();
        row.outputs.push(Output { name: name.into(), ty: ty(value).into(), dims: dims.into(), cause });
    }
}

/// The inputs of a node, in lines that fit the column.
fn lines(inputs: &[(Cow<'_, str>, Cow<'_, str>)], width: usize) -> Vec<String> {
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
fn room(rows: &Rows) -> (usize, usize) {
    let count = |text: &str| text.chars().count();
    let (mut index, mut operator, mut longest) = (0, count("operator"), 0);
    let [mut output, mut ty, mut dims] = ["output", "type", ""].map(count);
    for row in rows.iter() {
        index = index.max(count(&row.index));
        operator = operator.max(count(&row.operator));
        longest = longest.max(count(&row.name));
        for of in &row.outputs {
            output = output.max(count(&of.name));
            ty = ty.max(count(&of.ty));
            let cause = if of.cause.is_empty() { 0 } else { count(&of.cause) + 2 };
            dims = dims.max(count(&of.dims) + cause);
        }
    }
    let rest = [index, operator, output, ty, dims, 2 * (HEAD.len() - 1)];
    let left = WIDTH.saturating_sub(rest.iter().sum());
    let name = longest.min(*NAME.end());
    let inputs = left.saturating_sub(name).clamp(*INPUTS.start(), *INPUTS.end());
    (left.saturating_sub(inputs).clamp(*NAME.start(), *NAME.end()), inputs)
}

/// Calls a function for each line of a row: with its cells, the cause of what is unknown, and whether it is the last one.
fn each_line(
    row: &Row<'_>,
    (name, inputs): (usize, usize),
    mut call: impl FnMut(&[&str; 7], &str, bool) -> io::Result<()>,
) -> io::Result<()> {
    let read = lines(&row.inputs, inputs);
    let name = tail(&row.name, name);
    let count = read.len().max(row.outputs.len()).max(1);
    for line in 0..count {
        let first = |text| if line == 0 { text } else { "" };
        let (name, read) = (first(&*name), read.get(line).map_or("", String::as_str));
        let [output, ty, dims, cause] =
            row.outputs.get(line).map_or([""; 4], |output| [&*output.name, &*output.ty, &*output.dims, &*output.cause]);
        call(&[first(&*row.index), first(&*row.operator), name, read, output, ty, dims], cause, line + 1 == count)?;
    }
    Ok(())
}

fn print(out: &mut impl Write, rows: &Rows) -> io::Result<()> {
    let mut widths = HEAD.map(str::len);
    let mut used = [rows.is_empty(); HEAD.len()];
    let room = room(rows);
    for row in rows.iter() {
        each_line(&row, room, |cells, _, _| {
            for ((width, used), cell) in widths.iter_mut().zip(&mut used).zip(cells) {
                *width = cell.chars().count().max(*width);
                *used |= !cell.is_empty();
            }
            Ok(())
        })?;
    }
    // Empty columns are left out.
    let columns: Vec<usize> = (0..HEAD.len()).zip(used).filter_map(|(column, used)| used.then_some(column)).collect();
    line(out, &columns, &HEAD, &widths, &[FAINT; HEAD.len()], "")?;
    let indent = if columns.contains(&0) { widths.first().copied().unwrap_or_default() + 2 } else { 0 };
    for row in rows.iter() {
        each_line(&row, room, |cells, cause, last| {
            let mut styles = STYLES;
            if let ([.., dims], [.., style]) = (cells, &mut styles)
                && cause.is_empty()
                && dims.contains(" = ")
            {
                *style = INFO;
            }
            line(out, &columns, cells, &widths, &styles, cause)?;
            let reasons = if last { row.reasons.as_slice() } else { &[] };
            reasons.iter().try_for_each(|reason| writeln!(out, "{:indent$}{WARNING}unknown:{WARNING:#} {reason}", ""))
        })?;
    }
    Ok(())
}

fn line(
    out: &mut impl Write,
    columns: &[usize],
    cells: &[&str; 7],
    widths: &[usize; 7],
    styles: &[Style; 7],
    cause: &str,
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
    if !cause.is_empty() {
        write!(out, "  {WARNING}{cause}{WARNING:#}")?;
    }
    writeln!(out)
}
