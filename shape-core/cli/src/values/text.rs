//! What is known of a value, as text for tables, traces and drawings.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};

use shape_core::elements::Scalar;
use shape_core::symbolic::{Dim, Symbols};
use shape_model::{Analysis, Value};

use crate::render::{Clean, is_plain};

/// Writes the type, or `?` if it is unknown.
pub(crate) fn write_type(to: &mut String, value: &Value<'_>) {
    match &value.ty {
        Ok(ty) => match ty.element() {
            Some(element) => to.push_str(element.name()),
            None => append(to, ty),
        },
        Err(_) => to.push('?'),
    }
}

/// Writes the dimensions, as in `[batch, 3, ?]`; of a sequence, those of each tensor in it. `?` stands for an unknown
/// rank, and `8?` for a size that is known only because the model declares it. Nothing is written for a type without
/// dimensions.
pub(crate) fn write_dims(to: &mut String, value: &Value<'_>, symbols: &Symbols) {
    match &value.dims {
        Ok(dims) => {
            let declared = value.declared.as_deref().map_or(&[][..], |declared| &declared.dims);
            write_list(to, dims, declared, |to, dim| write_dim(to, dim, symbols));
        }
        Err(_) if value.ty.as_ref().is_ok_and(|ty| ty.element().is_none()) => {}
        Err(_) => to.push('?'),
    }
}

fn write_dim(to: &mut String, dim: &Dim, symbols: &Symbols) {
    match dim {
        // Most of a table is numbers.
        Dim::Known(size) => to.push_str(itoa::Buffer::new().format(*size)),
        dim => append(to, dim.display(symbols)),
    }
}

/// Writes the elements behind `before`, as in `[batch, 3]`; the element of a scalar has no brackets. Nothing is written,
/// and the result is false, if they are not known.
pub(crate) fn write_elements(to: &mut String, before: &str, value: &Value<'_>, symbols: &Symbols) -> bool {
    let Ok(elements) = value.elements.as_deref() else { return false };
    to.push_str(before);
    let write = |to: &mut String, element: &Scalar<Dim>| match element {
        Scalar::Size(dim) | Scalar::Expression(dim) => write_dim(to, dim, symbols),
        element => append(to, element.display(symbols)),
    };
    let declared = value.declared.as_deref().map_or(&[][..], |declared| &declared.elements);
    match (elements, value.dims.as_deref()) {
        ([only], Ok([])) => {
            clean(to, |to| write(to, only));
            if !declared.is_empty() {
                to.push('?');
            }
        }
        _ => write_list(to, elements, declared, write),
    }
    true
}

/// Writes the dimensions and the elements, as in `[2] = [batch, 3]`.
pub(crate) fn write_dims_and_elements(to: &mut String, value: &Value<'_>, symbols: &Symbols) {
    write_dims(to, value, symbols);
    write_elements(to, " = ", value, symbols);
}

/// The dimensions and the elements, as in `[2] = [batch, 3]`.
pub(crate) fn dims_and_elements(value: &Value<'_>, symbols: &Symbols) -> String {
    let mut text = String::new();
    write_dims_and_elements(&mut text, value, symbols);
    text
}

/// The type, the dimensions and the elements, as in `int64 [2] = [batch, 3]`.
pub(crate) fn summary(value: &Value<'_>, symbols: &Symbols) -> String {
    let mut text = String::new();
    write_type(&mut text, value);
    text.push(' ');
    write_dims_and_elements(&mut text, value, symbols);
    text.truncate(text.trim_end().len());
    text
}

/// Why something of the value is unknown. The name of the value itself is left out.
pub(crate) fn reason(analysis: &Analysis<'_>, index: u32, value: &Value<'_>) -> Option<String> {
    let reason = analysis.unknown(value)?;
    let text = if reason.value == index { reason.cause.to_string() } else { analysis.explain(reason) };
    Some(Clean(&text).to_string())
}

/// Why sizes are known only because this value is declared; `None` if it is not.
pub(crate) fn declared(analysis: &Analysis<'_>, index: u32, value: &Value<'_>) -> Option<String> {
    let declared = value.declared.as_deref().filter(|declared| declared.begins)?;
    let reason = declared.reason.as_ref()?;
    let text = if reason.value == index { reason.cause.to_string() } else { analysis.explain(reason) };
    Some(format!("but for its declaration; {}", Clean(&text)))
}

/// Writes a list as in `[batch, 3, ?]`, with a mark at those that are declared. Long lists are cut.
fn write_list<T>(to: &mut String, items: &[T], declared: &[usize], write: impl Fn(&mut String, &T)) {
    const MAX_ITEMS: usize = 16;
    to.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            to.push_str(", ");
        }
        if index == MAX_ITEMS {
            append(to, format_args!("... {} in all", items.len()));
            break;
        }
        clean(to, |to| write(to, item));
        if declared.contains(&index) {
            to.push('?');
        }
    }
    to.push(']');
}

/// Writes what can be displayed; to write to a text cannot fail.
pub(crate) fn append(to: &mut String, what: impl Display) {
    let _ = write!(to, "{what}");
}

/// Escapes what `write` adds to a text, as [`Clean`] does.
fn clean(to: &mut String, write: impl FnOnce(&mut String)) {
    let start = to.len();
    write(to);
    if !to.get(start..).is_some_and(is_plain) {
        let written = to.split_off(start);
        append(to, Clean(&written));
    }
}

/// Writes a text from a file, as [`Clean`] does.
pub(crate) fn write_clean(to: &mut String, text: &str) {
    clean(to, |to| to.push_str(text));
}

/// A name cut to a width. It loses its beginning, which is mostly a path.
pub(crate) fn short(name: &str, width: usize) -> String {
    tail(&Clean(name).to_string(), width).into_owned()
}

/// The number of characters of a text, each of which takes a column.
pub(crate) fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// The end of a text, cut to a width. Control characters must be escaped already.
pub(crate) fn tail(text: &str, width: usize) -> Cow<'_, str> {
    if self::width(text) <= width {
        return text.into();
    }
    let end: String = text.trim_start_matches('…').chars().rev().take(width.saturating_sub(1)).collect();
    format!("…{}", end.chars().rev().collect::<String>()).into()
}

/// The beginning of a text, cut to a width.
pub(crate) fn cut(text: &str, width: usize) -> Cow<'_, str> {
    if self::width(text) <= width {
        return text.into();
    }
    let mut begin: String = text.chars().take(width.saturating_sub(1)).collect();
    begin.truncate(begin.trim_end().len());
    (begin + "…").into()
}
