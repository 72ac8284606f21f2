//! Names of the field to names of Rust.

use proc_macro2::{Ident, Span};
use quote::format_ident;

/// `BatchNormalization` to `batch_normalization`, `LSTM` to `lstm`, `QLinearConv` to `qlinear_conv`.
pub(crate) fn snake(name: &str) -> String {
    let mut snake = String::new();
    let chars: Vec<char> = name.chars().collect();
    for (index, c) in chars.iter().enumerate() {
        let after_lower = index > 0 && chars.get(index - 1).is_some_and(|c| c.is_lowercase() || c.is_ascii_digit());
        // The last capital of a run begins a word, unless the run is only one letter before it: `QLinear`.
        let begins_word = index > 1
            && chars.get(index + 1).is_some_and(|c| c.is_lowercase())
            && chars.get(index - 1).is_some_and(|c| c.is_uppercase());
        if c.is_uppercase() && (after_lower || begins_word) && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

/// `attribute-no_value` to `AttributeNoValue`.
pub(crate) fn camel(name: &str) -> Ident {
    let mut camel = String::new();
    for word in name.split(['-', '_']) {
        let mut chars = word.chars();
        camel.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        camel.extend(chars);
    }
    ident(&camel)
}

/// `every_type_of_opset_1` to `EVERY_TYPE_OF_OPSET_1`.
pub(crate) fn constant(name: &str) -> Ident {
    ident(&name.to_uppercase())
}

/// An identifier; a keyword becomes a raw one, and the four keywords that cannot be raw get an underscore.
pub(crate) fn ident(name: &str) -> Ident {
    if matches!(name, "self" | "Self" | "super" | "crate" | "_") {
        return format_ident!("{name}_");
    }
    syn::parse_str(name).unwrap_or_else(|_| Ident::new_raw(name, Span::call_site()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules() {
        let cases = [
            ("Shape", "shape"),
            ("BatchNormalization", "batch_normalization"),
            ("LSTM", "lstm"),
            ("GatherND", "gather_nd"),
            ("QLinearConv", "qlinear_conv"),
            ("STFT", "stft"),
            ("LpPool", "lp_pool"),
            ("Conv2D", "conv2_d"),
            ("DFT", "dft"),
            ("LRN", "lrn"),
            ("RMSNormalization", "rms_normalization"),
        ];
        for (name, module) in cases {
            assert_eq!(snake(name), module);
        }
    }

    #[test]
    fn keywords() {
        assert_eq!(
            ["type", "self", "value", "match"].map(|name| ident(name).to_string()),
            ["r#type", "self_", "value", "r#match"]
        );
    }
}
