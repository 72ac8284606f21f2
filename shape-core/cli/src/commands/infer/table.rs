//! The nodes of a model as a table, with their inputs and outputs.

use std::borrow::Cow;
use std::io;
use std::ops::RangeInclusive;
use std::slice;

use anstyle::Style;
use shape_model::file::List;
use shape_model::file::proto::ValueInfoProto;
use shape_model::{Analysis, Graph, GraphKind, Node, Origin, Scopes, Value};

use crate::render::{Clean, FAINT, INFO, STRONG, WARNING};
use crate::terminal::Results;
use crate::values::text::{
    append, cut, declared, reason, tail, width, write_clean, write_dims, write_dims_and_elements, write_elements,
    write_type,
};

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

/// Writes a table for the graph and for each subgraph, with the values that `shown` selects. With `full_names`, values are
/// called as the file calls them.
pub(super) fn write(out: &mut Results, analysis: &Analysis<'_>, shown: &[bool], full_names: bool) -> io::Result<()> {
    let scopes = analysis.scopes();
    let table = Table { analysis, scopes: &scopes, shown, all: !shown.contains(&false), full_names };
    let mut first = true;
    let mut rows = Rows { full: full_names, ..Rows::default() };
    for (id, info) in analysis.graphs.iter().enumerate() {
        let Some(proto) = info.proto else { continue };
        rows.clear();
        table.rows(id, proto, &mut rows)?;
        if rows.counts.is_empty() {
            continue;
        }
        let mut page = Page { text: String::new(), styled: out.styled() };
        if info.kind != GraphKind::Main {
            page.text.push_str(if first { "" } else { "\n" });
            page.part(STRONG, |text| write_clean(text, &info.path));
            page.text.push('\n');
        }
        first = false;
        print(page, out, &rows)?;
    }
    Ok(())
}

struct Table<'t, 'm> {
    analysis: &'t Analysis<'m>,
    scopes: &'t Scopes<'t, 'm>,
    shown: &'t [bool],
    /// Whether all values are shown.
    all: bool,
    /// Whether names are written in full.
    full_names: bool,
}

/// The rows of a table, each a node, or an input or output of the graph. A table is as wide as all of its rows need, and a
/// small file may have a million; so the cells of all rows are one text, one behind the other.
#[derive(Default)]
struct Rows {
    text: String,
    cells: Vec<Cell>,
    counts: Vec<Counts>,
    /// Whether nothing is cut.
    full: bool,
}

/// A cell: how long it is in bytes, and how wide in characters.
#[derive(Clone, Copy)]
struct Cell {
    len: u32,
    width: u32,
}

/// The cell that a text has from a place on.
fn cell(text: &str, start: usize) -> io::Result<Cell> {
    let text = text.get(start..).unwrap_or_default();
    let number = |count: usize| u32::try_from(count).map_err(io::Error::other);
    Ok(Cell { len: number(text.len())?, width: number(width(text))? })
}

/// Shortens what a text has from a place on.
fn fit(text: &mut String, start: usize, shorten: impl FnOnce(&str) -> Cow<'_, str>) {
    if let Cow::Owned(shorter) = shorten(text.get(start..).unwrap_or_default()) {
        text.truncate(start);
        text.push_str(&shorter);
    }
}

/// The numbers of cells of a row behind the first three, which are the number of the node, its operator and its name.
struct Counts {
    /// Two for each input: its source, and its elements or dimensions.
    inputs: usize,
    /// Four for each output: its name, its type, its dimensions, and the node that is the cause of what is unknown.
    outputs: usize,
    /// One for each reason why outputs are unknown, if this node is the cause.
    reasons: usize,
}

impl Rows {
    fn clear(&mut self) {
        self.text.clear();
        self.cells.clear();
        self.counts.clear();
    }

    /// Adds a cell with what `write` adds to a text.
    fn cell(&mut self, write: impl FnOnce(&mut String), shorten: impl FnOnce(&str) -> Cow<'_, str>) -> io::Result<()> {
        let start = self.text.len();
        write(&mut self.text);
        fit(&mut self.text, start, shorten);
        self.cells.push(cell(&self.text, start)?);
        Ok(())
    }

    /// Adds a cell of any width.
    fn whole(&mut self, write: impl FnOnce(&mut String)) -> io::Result<()> {
        self.cell(write, |text| Cow::Borrowed(text))
    }

    fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        let mut rest = Texts { text: &self.text, cells: self.cells.iter() };
        self.counts.iter().map(move |Counts { inputs, outputs, reasons }| {
            let mut cell = || rest.next().unwrap_or_default();
            let [index, operator, name] = [cell(), cell(), cell()];
            let mut cells = |count: &usize| rest.take_first(*count);
            Row { index, operator, name, inputs: cells(inputs), outputs: cells(outputs), reasons: cells(reasons) }
        })
    }
}

/// A cell as it is read: a text and its width.
#[derive(Clone, Copy, Default)]
struct Text<'r> {
    text: &'r str,
    width: usize,
}

/// Cells, as they are read.
#[derive(Clone)]
struct Texts<'r> {
    text: &'r str,
    cells: slice::Iter<'r, Cell>,
}

impl<'r> Texts<'r> {
    /// Splits the first cells off.
    fn take_first(&mut self, count: usize) -> Self {
        let (first, rest) = self.cells.as_slice().split_at_checked(count).unwrap_or_default();
        let len = first.iter().map(|cell| cell.len as usize).sum();
        let (text, behind) = self.text.split_at_checked(len).unwrap_or_default();
        *self = Self { text: behind, cells: rest.iter() };
        Self { text, cells: first.iter() }
    }

    /// The next cells, as many as belong together; `None` behind the last.
    fn next_of<const N: usize>(&mut self) -> Option<[Text<'r>; N]> {
        let first = self.next()?;
        let mut of = [first; N];
        of.iter_mut().skip(1).for_each(|cell| *cell = self.next().unwrap_or_default());
        Some(of)
    }
}

impl<'r> Iterator for Texts<'r> {
    type Item = Text<'r>;

    fn next(&mut self) -> Option<Text<'r>> {
        let Cell { len, width } = *self.cells.next()?;
        let (text, rest) = self.text.split_at_checked(len as usize).unwrap_or_default();
        self.text = rest;
        Some(Text { text, width: width as usize })
    }
}

/// A row as it is read.
struct Row<'r> {
    index: Text<'r>,
    operator: Text<'r>,
    name: Text<'r>,
    inputs: Texts<'r>,
    outputs: Texts<'r>,
    reasons: Texts<'r>,
}

impl<'m> Table<'_, 'm> {
    fn rows(&self, graph: usize, proto: Graph<'m>, rows: &mut Rows) -> io::Result<()> {
        let ends = |entries: List<'m, &'m ValueInfoProto>, what: &str, rows: &mut Rows| {
            for entry in entries {
                let index = self.scopes.index(graph, &entry.name).filter(|index| self.is_shown(*index));
                let Some((index, value)) = index.and_then(|index| Some((index, self.value(index)?))) else { continue };
                if value.graph == graph {
                    rows.whole(|_| {})?;
                    rows.whole(|to| to.push_str(what))?;
                    rows.whole(|_| {})?;
                    self.outputs(rows, graph, 0, [(index, "", value.name)], false)?;
                }
            }
            Ok::<_, io::Error>(())
        };
        ends(proto.inputs(), "(input)", rows)?;
        for (index, node) in proto.nodes().iter().enumerate() {
            self.node(rows, graph, index, node)?;
        }
        // Otherwise the rows of the nodes show them.
        if self.all {
            ends(proto.outputs(), "(output)", rows)?;
        }
        Ok(())
    }

    /// The name of a value, shortened unless it is to be written in full.
    fn name<'n>(&self, name: &'n str) -> Cow<'n, str> {
        if self.full_names { Cow::Borrowed(name) } else { tail(name, OUTPUT) }
    }

    fn is_shown(&self, index: u32) -> bool {
        self.shown.get(index as usize).copied().unwrap_or(false)
    }

    fn value(&self, index: u32) -> Option<&Value<'_>> {
        self.analysis.values.get(index as usize)
    }

    fn node(&self, rows: &mut Rows, graph: usize, index: usize, node: Node<'_>) -> io::Result<()> {
        let named = || node.outputs().iter().filter(|name| !name.is_empty());
        let shown = || {
            named().filter_map(|name| {
                let index = self.scopes.index(graph, name).filter(|index| self.is_shown(*index))?;
                Some((index, self.value(index)?.name))
            })
        };
        // A node without outputs appears only if all values are shown.
        if shown().next().is_none() && (named().next().is_some() || !self.all) {
            return Ok(());
        }
        rows.whole(|to| append(to, index))?;
        rows.cell(|to| write_clean(to, node.op_type()), |text| cut(text, OPERATOR))?;
        rows.cell(
            |to| write_clean(to, node.name()),
            |text| {
                if self.full_names { Cow::Borrowed(text) } else { tail(text, *NAME.end()) }
            },
        )?;
        for name in node.inputs() {
            self.input(rows, graph, name)?;
        }
        let outputs = shown().map(|(index, name)| {
            // Exporters often name an output after its node, with a suffix.
            let rest = name.strip_prefix(node.name()).filter(|rest| !rest.is_empty() && !node.name().is_empty());
            match rest {
                Some(rest) if width(node.name()) > 1 && !self.full_names => (index, "…", rest),
                _ => (index, "", name),
            }
        });
        self.outputs(rows, graph, 2 * node.inputs().len(), outputs, true)
    }

    /// Writes the source of an input, and what is known of it.
    fn input(&self, rows: &mut Rows, graph: usize, name: &str) -> io::Result<()> {
        let value = if name.is_empty() { None } else { self.scopes.value(graph, name) };
        let Some(value) = value else {
            let name = if name.is_empty() { "-" } else { name };
            rows.cell(|to| write_clean(to, name), |text| self.name(text))?;
            return rows.whole(|_| {});
        };
        rows.cell(|to| self.source(to, graph, value), |text| self.name(text))?;
        let symbols = &self.analysis.symbols;
        let fact = |to: &mut String| {
            if !write_elements(to, "= ", value, symbols) {
                write_dims(to, value, symbols);
            }
        };
        // More than that is cut in any case.
        rows.cell(fact, |text| if self.full_names { Cow::Borrowed(text) } else { cut(text, INPUTS.end() + 1) })
    }

    /// Writes the node that computes a value, as in `#7`, or the name of the value.
    fn source(&self, to: &mut String, graph: usize, value: &Value<'_>) {
        let Origin::Node { index } = value.origin else { return write_clean(to, value.name) };
        if value.graph != graph || self.full_names {
            return write_clean(to, value.name);
        }
        let node = self.analysis.graphs.get(graph).and_then(|info| info.proto?.nodes().get(index));
        match node.and_then(|node| node.outputs().iter().position(|name| name == value.name)) {
            None | Some(0) => append(to, format_args!("#{index}")),
            Some(output) => append(to, format_args!("#{index}.{output}")),
        }
    }

    /// Writes the outputs of a row, and ends the row. Each has its index among the values, and its name in two parts.
    fn outputs<'v>(
        &self,
        rows: &mut Rows,
        graph: usize,
        inputs: usize,
        outputs: impl IntoIterator<Item = (u32, &'v str, &'v str)>,
        of_node: bool,
    ) -> io::Result<()> {
        let mut reasons: Vec<String> = Vec::new();
        let mut count = 0;
        for (index, before, name) in outputs {
            let Some(value) = self.value(index) else { continue };
            let name = |to: &mut String| {
                to.push_str(before);
                write_clean(to, name);
            };
            rows.cell(name, |text| self.name(text))?;
            rows.whole(|to| write_type(to, value))?;
            rows.whole(|to| write_dims_and_elements(to, value, &self.analysis.symbols))?;
            // The row of a graph output refers to the node that computes it, and does not repeat the reason.
            let at_origin = matches!(value.origin, Origin::Node { .. }) == of_node;
            let elsewhere = self.analysis.unknown(value).filter(|reason| reason.value != index || !at_origin);
            let blamed = elsewhere.and_then(|reason| self.value(reason.value)).filter(|blamed| blamed.graph == graph);
            rows.whole(|to| {
                let Some(blamed) = blamed else { return };
                to.push_str("because of ");
                let mut source = String::new();
                self.source(&mut source, graph, blamed);
                to.push_str(&self.name(&source));
                let operator = self.analysis.node(blamed).map_or("", |node| node.op_type());
                append(to, format_args!(" {}", Clean(operator)));
                to.truncate(to.trim_end().len());
            })?;
            if blamed.is_none()
                && let Some(reason) = reason(self.analysis, index, value)
                    .or_else(|| declared(self.analysis, index, value).filter(|_| at_origin))
                && !reasons.contains(&reason)
            {
                reasons.push(reason);
            }
            count += 4;
        }
        for reason in &reasons {
            rows.whole(|to| to.push_str(reason))?;
        }
        rows.counts.push(Counts { inputs, outputs: count, reasons: reasons.len() });
        Ok(())
    }
}

/// The inputs of a node, in lines that fit the column: a text and a cell for each.
#[derive(Default)]
struct Lines {
    text: String,
    cells: Vec<Cell>,
}

impl Lines {
    fn wrap(&mut self, inputs: Texts<'_>, room: usize) -> io::Result<()> {
        let Self { text, cells } = self;
        text.clear();
        cells.clear();
        let mut inputs = inputs;
        while let Some([from, fact]) = inputs.next_of() {
            let start = text.len();
            // If both do not fit, the name is cut.
            let left = room.saturating_sub(fact.width + 1).max(MIN_INPUT_NAME);
            text.push_str(&if from.width <= left { Cow::Borrowed(from.text) } else { tail(from.text, left) });
            text.push(' ');
            text.push_str(fact.text);
            text.truncate(text.trim_end().len().max(start));
            fit(text, start, |text| cut(text, room));
            let cell = cell(text, start)?;
            match cells.last_mut() {
                Some(line) if (line.width + cell.width) as usize + 2 <= room => {
                    text.insert_str(start, ", ");
                    *line = Cell { len: line.len + cell.len + 2, width: line.width + cell.width + 2 };
                }
                _ => cells.push(cell),
            }
        }
        Ok(())
    }

    fn texts(&self) -> Texts<'_> {
        Texts { text: &self.text, cells: self.cells.iter() }
    }
}

/// The widths of the columns `node` and `inputs`, so that the other columns fit beside them.
fn room(rows: &Rows) -> (usize, usize) {
    let (mut index, mut operator, mut longest) = (0, "operator".len(), 0);
    let [mut output, mut ty, mut dims] = ["output", "type", ""].map(str::len);
    for mut row in rows.iter() {
        index = index.max(row.index.width);
        operator = operator.max(row.operator.width);
        longest = longest.max(row.name.width);
        while let Some([name, of, size, cause]) = row.outputs.next_of() {
            output = output.max(name.width);
            ty = ty.max(of.width);
            let cause = if cause.text.is_empty() { 0 } else { cause.width + 2 };
            dims = dims.max(size.width + cause);
        }
    }
    if rows.full {
        let mut widest = *INPUTS.start();
        for mut row in rows.iter() {
            while let Some([from, fact]) = row.inputs.next_of() {
                widest = widest.max(from.width + 1 + fact.width);
            }
        }
        return (longest, widest);
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
    (room, inputs): (usize, usize),
    lines: &mut Lines,
    mut call: impl FnMut(&[Text<'_>; 7], Text<'_>, bool) -> io::Result<()>,
) -> io::Result<()> {
    lines.wrap(row.inputs.clone(), inputs)?;
    let name = if row.name.width <= room { Cow::Borrowed(row.name.text) } else { tail(row.name.text, room) };
    let mut first = [row.index, row.operator, Text { text: &name, width: width(&name) }];
    let (mut read, mut outputs) = (lines.texts(), row.outputs.clone());
    loop {
        let [index, operator, name] = std::mem::take(&mut first);
        let inputs = read.next().unwrap_or_default();
        let [output, ty, dims, cause] = outputs.next_of().unwrap_or_default();
        let last = read.cells.len() == 0 && outputs.cells.len() == 0;
        call(&[index, operator, name, inputs, output, ty, dims], cause, last)?;
        if last {
            return Ok(());
        }
    }
}

/// The text of a table, which is written in pieces.
struct Page {
    text: String,
    /// Whether styles are shown.
    styled: bool,
}

impl Page {
    /// So much is written at once.
    const PIECE: usize = 1 << 13;

    fn part(&mut self, style: Style, write: impl FnOnce(&mut String)) {
        if self.styled {
            append(&mut self.text, style);
        }
        write(&mut self.text);
        if self.styled {
            append(&mut self.text, format_args!("{style:#}"));
        }
    }

    fn spaces(&mut self, mut count: usize) {
        const SPACES: &str = "                                                                ";
        while count > 0 {
            let some = SPACES.get(..count).unwrap_or(SPACES);
            self.text.push_str(some);
            count -= some.len();
        }
    }

    /// Ends a line with the cause of what is unknown.
    fn line(
        &mut self,
        columns: &[usize],
        cells: &[Text<'_>; 7],
        widths: &[usize; 7],
        styles: &[Style; 7],
        cause: Text<'_>,
    ) {
        let mut pending = 0;
        for column in columns {
            let (Some(cell), Some(width), Some(style)) = (cells.get(*column), widths.get(*column), styles.get(*column))
            else {
                continue;
            };
            let space = width.saturating_sub(cell.width);
            // Node numbers are aligned to the right.
            let (before, after) = if *column == 0 { (space, 0) } else { (0, space) };
            if cell.text.is_empty() {
                pending += width + 2;
                continue;
            }
            self.spaces(pending + before);
            self.part(*style, |text| text.push_str(cell.text));
            pending = after + 2;
        }
        if !cause.text.is_empty() {
            self.text.push_str("  ");
            self.part(WARNING, |text| text.push_str(cause.text));
        }
        self.text.push('\n');
    }
}

fn print(mut page: Page, out: &mut Results, rows: &Rows) -> io::Result<()> {
    let mut widths = HEAD.map(str::len);
    let mut used = [false; HEAD.len()];
    let room = room(rows);
    let mut lines = Lines::default();
    for row in rows.iter() {
        each_line(&row, room, &mut lines, |cells, _, _| {
            for ((width, used), cell) in widths.iter_mut().zip(&mut used).zip(cells) {
                *width = cell.width.max(*width);
                *used |= !cell.text.is_empty();
            }
            Ok(())
        })?;
    }
    // Empty columns are left out.
    let columns: Vec<usize> = (0..HEAD.len()).zip(used).filter_map(|(column, used)| used.then_some(column)).collect();
    let head = HEAD.map(|text| Text { text, width: text.len() });
    page.line(&columns, &head, &widths, &[FAINT; HEAD.len()], Text::default());
    let indent = if columns.contains(&0) { widths.first().copied().unwrap_or_default() + 2 } else { 0 };
    for row in rows.iter() {
        each_line(&row, room, &mut lines, |cells, cause, last| {
            let mut styles = STYLES;
            if page.styled
                && let ([.., dims], [.., style]) = (cells, &mut styles)
                && cause.text.is_empty()
                && dims.text.contains(" = ")
            {
                *style = INFO;
            }
            page.line(&columns, cells, &widths, &styles, cause);
            for reason in row.reasons.clone().filter(|_| last) {
                page.spaces(indent);
                page.part(WARNING, |text| text.push_str("unknown:"));
                append(&mut page.text, format_args!(" {}\n", reason.text));
            }
            if page.text.len() >= Page::PIECE {
                out.as_it_is(&page.text)?;
                page.text.clear();
            }
            Ok(())
        })?;
    }
    out.as_it_is(&page.text)
}
