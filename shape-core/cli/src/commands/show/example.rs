//! The values of examples in a line.

use std::fmt::{Display, Write as _};

use shape_specs::operator::{Argument, Entry, Tensor};

/// A value, or `none` for an optional one that is absent; of its elements the first `most`.
pub(crate) fn optional(value: &Option<Tensor>, most: usize) -> String {
    value.as_ref().map_or_else(|| "none".to_owned(), |value| tensor(value, most))
}

/// A tensor as in `float[N, 3]`, or with its elements as in `int64[2] {2, 3}`.
fn tensor(tensor: &Tensor, most: usize) -> String {
    let texts = |entries: &[Entry]| list(entries.iter().map(|entry| &entry.text));
    let mut text = tensor.ty.word();
    match &tensor.dims {
        Some(dims) => _ = write!(text, "[{}]", texts(dims)),
        None if tensor.unchecked.is_none() => text.push_str(" of unknown rank"),
        None => {}
    }
    if let Some(values) = &tensor.values {
        let more = if values.len() > most { ", ..." } else { "" };
        let _ = write!(text, " {{{}{more}}}", texts(values.get(..most).unwrap_or(values)));
    }
    text
}

/// The value of an attribute; of the elements of a tensor the first `most`.
pub(crate) fn argument(argument: &Argument, most: usize) -> String {
    let all = |tensors: &[Tensor]| list(tensors.iter().map(|of| tensor(of, most)));
    match argument {
        Argument::Value(value) => value.to_string(),
        Argument::Tensor(of) => tensor(of, most),
        Argument::Type(ty) => ty.to_string(),
        Argument::Graph(graph) => format!("({}) -> ({})", all(&graph.inputs), all(&graph.outputs)),
    }
}

/// Items with a comma between each two.
pub(crate) fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}
