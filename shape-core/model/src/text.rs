//! Dimensions and elements as text.

use shape_core::elements::Scalar;
use shape_core::symbolic::{Dim, Symbols};

/// Dimensions as text: `[batch, 3, ?]`. A longer list than any real tensor has is shortened to its length, to keep
/// messages readable.
pub(crate) fn dims_text(dims: &[Dim], symbols: &Symbols) -> String {
    list(dims, "dimensions", |dim| dim.display(symbols).to_string())
}

/// Elements as text, shortened in the same way.
pub(crate) fn elements_text(elements: &[Scalar<Dim>], symbols: &Symbols) -> String {
    list(elements, "elements", |element| element.display(symbols).to_string())
}

fn list<T>(items: &[T], what: &str, text: impl Fn(&T) -> String) -> String {
    const MAX_SHOWN: usize = 32;
    if items.len() > MAX_SHOWN {
        return format!("{} {what}", items.len());
    }
    format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(", "))
}
