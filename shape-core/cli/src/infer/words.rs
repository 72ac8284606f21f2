//! Values in words, for tables, chains and graphs.

use std::fmt::Write as _;

use shape_core::elements::Scalar;
use shape_core::symbolic::{Dim, Symbols};
use shape_model::{Analysis, Value};

use crate::render::Clean;

/// The type; `?` where it is not known.
pub(super) fn ty(value: &Value<'_>) -> String {
    match &value.ty {
        Ok(ty) => ty.element().map_or_else(|| ty.to_string(), |element| element.name().to_owned()),
        Err(_) => "?".to_owned(),
    }
}

/// The dimensions, `[batch, 3, ?]`, or those of each tensor in a sequence; `?` where not even the rank is known, and
/// nothing of what has none to know.
pub(super) fn dims(value: &Value<'_>, symbols: &Symbols) -> String {
    match &value.dims {
        Ok(dims) => list(dims, &|dim| dim.display(symbols).to_string()),
        Err(_) if value.ty.as_ref().is_ok_and(|ty| ty.element().is_none()) => String::new(),
        Err(_) => "?".to_owned(),
    }
}

/// The elements, `[batch, 3]`, or that of a scalar by itself.
pub(super) fn elements(value: &Value<'_>, symbols: &Symbols) -> Option<String> {
    let elements = value.elements.as_deref().ok()?;
    let text = |element: &Scalar<Dim>| element.display(symbols).to_string();
    match (elements, value.dims.as_deref()) {
        ([only], Ok([])) => Some(Clean(&text(only)).to_string()),
        _ => Some(list(elements, &text)),
    }
}

/// The dimensions and the elements: `[2] = [batch, 3]`.
pub(super) fn dims_and_elements(value: &Value<'_>, symbols: &Symbols) -> String {
    let dims = dims(value, symbols);
    match elements(value, symbols) {
        Some(elements) => format!("{dims} = {elements}"),
        None => dims,
    }
}

/// The type, the dimensions and the elements.
pub(crate) fn all(value: &Value<'_>, symbols: &Symbols) -> String {
    format!("{} {}", ty(value), dims_and_elements(value, symbols)).trim_end().to_owned()
}

/// Why something of a value is unknown; on its own line it need not be named again.
pub(super) fn reason(analysis: &Analysis<'_>, index: u32, value: &Value<'_>) -> Option<String> {
    let reason = value.unknown()?;
    let text = if reason.value == index {
        reason.cause.display(&analysis.symbols).to_string()
    } else {
        analysis.explain(reason)
    };
    Some(Clean(&text).to_string())
}

/// `[batch, 3, ?]`, cut where nobody reads on.
fn list<T>(items: &[T], text: &dyn Fn(&T) -> String) -> String {
    const MOST: usize = 16;
    let mut list = String::from("[");
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            list.push_str(", ");
        }
        if index == MOST {
            let _ = write!(list, "... {} in all", items.len());
            break;
        }
        let _ = write!(list, "{}", Clean(&text(item)));
    }
    list.push(']');
    list
}

/// A name of at most so many letters. The end of a name tells more than its beginning, which is a path.
pub(super) fn short(name: &str, width: usize) -> String {
    tail(&Clean(name).to_string(), width)
}

/// The end of a text that is fit to be shown.
pub(super) fn tail(text: &str, width: usize) -> String {
    let count = text.chars().count();
    if count <= width {
        return text.to_owned();
    }
    let end: String = text.trim_start_matches('…').chars().rev().take(width.saturating_sub(1)).collect();
    format!("…{}", end.chars().rev().collect::<String>())
}

/// A text of at most so many letters, cut at its end.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut begin: String = text.chars().take(width.saturating_sub(1)).collect();
    begin.truncate(begin.trim_end().len());
    begin + "…"
}
