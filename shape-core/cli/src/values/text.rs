//! What is known of a value, as text for tables, traces and drawings.

use std::fmt::Write as _;

use shape_core::elements::Scalar;
use shape_core::symbolic::{Dim, Symbols};
use shape_model::{Analysis, Value};

use crate::render::Clean;

/// The type, or `?` if it is unknown.
pub(crate) fn ty(value: &Value<'_>) -> String {
    match &value.ty {
        Ok(ty) => ty.element().map_or_else(|| ty.to_string(), |element| element.name().to_owned()),
        Err(_) => "?".to_owned(),
    }
}

/// The dimensions, as in `[batch, 3, ?]`; of a sequence, those of each tensor in it. `?` stands for an unknown rank.
/// The text is empty for a type without dimensions.
pub(crate) fn dims(value: &Value<'_>, symbols: &Symbols) -> String {
    match &value.dims {
        Ok(dims) => list(dims, &|dim| dim.display(symbols).to_string()),
        Err(_) if value.ty.as_ref().is_ok_and(|ty| ty.element().is_none()) => String::new(),
        Err(_) => "?".to_owned(),
    }
}

/// The elements, as in `[batch, 3]`; the element of a scalar has no brackets.
pub(crate) fn elements(value: &Value<'_>, symbols: &Symbols) -> Option<String> {
    let elements = value.elements.as_deref().ok()?;
    let text = |element: &Scalar<Dim>| element.display(symbols).to_string();
    match (elements, value.dims.as_deref()) {
        ([only], Ok([])) => Some(Clean(&text(only)).to_string()),
        _ => Some(list(elements, &text)),
    }
}

/// The dimensions and the elements, as in `[2] = [batch, 3]`.
pub(crate) fn dims_and_elements(value: &Value<'_>, symbols: &Symbols) -> String {
    let dims = dims(value, symbols);
    match elements(value, symbols) {
        Some(elements) => format!("{dims} = {elements}"),
        None => dims,
    }
}

/// The type, the dimensions and the elements, as in `int64 [2] = [batch, 3]`.
pub(crate) fn summary(value: &Value<'_>, symbols: &Symbols) -> String {
    format!("{} {}", ty(value), dims_and_elements(value, symbols)).trim_end().to_owned()
}

/// Why something of the value is unknown. The name of the value itself is left out.
pub(crate) fn reason(analysis: &Analysis<'_>, index: u32, value: &Value<'_>) -> Option<String> {
    let reason = value.unknown()?;
    let text = if reason.value == index {
        reason.cause.display(&analysis.symbols).to_string()
    } else {
        analysis.explain(reason)
    };
    Some(Clean(&text).to_string())
}

/// A list as in `[batch, 3, ?]`. Long lists are cut.
fn list<T>(items: &[T], text: &dyn Fn(&T) -> String) -> String {
    const MAX_ITEMS: usize = 16;
    let mut list = String::from("[");
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            list.push_str(", ");
        }
        if index == MAX_ITEMS {
            let _ = write!(list, "... {} in all", items.len());
            break;
        }
        let _ = write!(list, "{}", Clean(&text(item)));
    }
    list.push(']');
    list
}

/// A name cut to a width. It loses its beginning, which is mostly a path.
pub(crate) fn short(name: &str, width: usize) -> String {
    tail(&Clean(name).to_string(), width)
}

/// The end of a text, cut to a width. Control characters must be escaped already.
pub(crate) fn tail(text: &str, width: usize) -> String {
    let count = text.chars().count();
    if count <= width {
        return text.to_owned();
    }
    let end: String = text.trim_start_matches('…').chars().rev().take(width.saturating_sub(1)).collect();
    format!("…{}", end.chars().rev().collect::<String>())
}

/// The beginning of a text, cut to a width.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut begin: String = text.chars().take(width.saturating_sub(1)).collect();
    begin.truncate(begin.trim_end().len());
    begin + "…"
}
