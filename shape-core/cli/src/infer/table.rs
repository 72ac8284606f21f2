//! The values of a model as a table.

use std::fmt::Write as _;
use std::io::{self, Write};

use shape_core::analysis::{Analysis, GraphKind, Origin};

use super::{Row, Size, row};
use crate::render::{Clean, FAINT, STRONG};

const HEAD: [&str; 4] = ["name", "type", "dims", "value"];

/// A column is as wide as its widest text, up to this; one name of a kilobyte does not push the rest off the screen.
const WIDEST: usize = 60;

/// A table for the graph, and one for each subgraph with values of its own.
pub(super) fn write(out: &mut impl Write, analysis: &Analysis<'_>) -> io::Result<()> {
    let mut graphs: Vec<Vec<Row<'_>>> = analysis.graphs.iter().map(|_| Vec::new()).collect();
    for (index, value) in analysis.values.iter().enumerate() {
        if let (Some(rows), Some(mut row)) = (graphs.get_mut(value.graph), row(analysis, value)) {
            // On its own line, a value need not be named again.
            if let Some(reason) = value.unknown().filter(|reason| reason.value as usize == index) {
                let cause = reason.cause.display(&analysis.symbols);
                row.reason = Some(match value.origin {
                    Origin::Node { op_type, .. } => format!("{op_type}: {cause}"),
                    _ => cause.to_string(),
                });
            }
            rows.push(row);
        }
    }
    for (info, rows) in analysis.graphs.iter().zip(&graphs) {
        if rows.is_empty() {
            continue;
        }
        if info.kind != GraphKind::Main {
            writeln!(out, "\n{STRONG}{}{STRONG:#}", Clean(&info.path))?;
        }
        write_graph(out, rows)?;
    }
    Ok(())
}

fn write_graph(out: &mut impl Write, rows: &[Row<'_>]) -> io::Result<()> {
    let cells: Vec<[String; 4]> = rows.iter().map(cells).collect();
    let mut widths = HEAD.map(str::len);
    for row in &cells {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().clamp(*width, WIDEST.max(*width));
        }
    }
    let reasons = rows.iter().any(|row| row.reason.is_some());
    let head = line(&HEAD.map(str::to_owned), &widths, if reasons { "unknown because" } else { "" });
    writeln!(out, "{FAINT}{head}{FAINT:#}")?;
    for (row, cells) in rows.iter().zip(&cells) {
        let reason = row.reason.as_ref().map(|reason| Clean(reason).to_string()).unwrap_or_default();
        writeln!(out, "{}", line(cells, &widths, &reason))?;
    }
    Ok(())
}

fn line(cells: &[String; 4], widths: &[usize; 4], last: &str) -> String {
    let mut line = String::new();
    for (cell, &width) in cells.iter().zip(widths) {
        let _ = write!(line, "{cell:width$}  ");
    }
    line.push_str(last);
    line.truncate(line.trim_end().len());
    line
}

fn cells(row: &Row<'_>) -> [String; 4] {
    let unknown = || "?".to_owned();
    // A value whose reason is silent about dimensions that it does not have is no tensor.
    let no_dims = || if row.reason.is_some() { unknown() } else { String::new() };
    [
        Clean(row.name).to_string(),
        row.ty.clone().unwrap_or_else(unknown),
        row.dims.as_deref().map_or_else(no_dims, list),
        row.value.as_deref().map(list).unwrap_or_default(),
    ]
}

/// `[batch, 3, ?]`, cut where nobody reads on.
fn list(sizes: &[Size]) -> String {
    const MOST: usize = 16;
    let mut text = String::from("[");
    for (index, size) in sizes.iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        let _ = match size {
            _ if index == MOST => {
                let _ = write!(text, "... {} in all", sizes.len());
                break;
            }
            Size::Known(size) => write!(text, "{size}"),
            Size::Int(number) => write!(text, "{number}"),
            Size::Bool(value) => write!(text, "{value}"),
            Size::Float(number) => write!(text, "{number}"),
            Size::Symbolic(name) => write!(text, "{}", Clean(name)),
            Size::Unknown => write!(text, "?"),
        };
    }
    text.push(']');
    text
}
