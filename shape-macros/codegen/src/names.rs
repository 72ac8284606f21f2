//! Turns names of ONNX and of descriptors into Rust identifiers.

use proc_macro2::{Ident, Span};
use quote::format_ident;
use shape_specs::operator::{Operator, Version};

pub(crate) use shape_specs::names::snake;

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

/// The keywords that can be raw identifiers, reserved ones too.
const KEYWORDS: [&str; 48] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// An identifier; a keyword becomes a raw one, and the four keywords that cannot be raw get an underscore.
pub(crate) fn ident(name: &str) -> Ident {
    if matches!(name, "self" | "Self" | "super" | "crate" | "_") {
        return format_ident!("{name}_");
    }
    if KEYWORDS.contains(&name) { Ident::new_raw(name, Span::call_site()) } else { Ident::new(name, Span::call_site()) }
}

/// The name of the field of an attribute or parameter: `transA` to `trans_a`.
pub(crate) fn field(name: &str) -> Ident {
    ident(&snake(name))
}

/// The name of an operator's module.
pub(crate) fn module(operator: &Operator) -> Ident {
    ident(&snake(&operator.name))
}

/// The name of a version's struct: `Shape15`.
pub(crate) fn versioned(operator: &Operator, version: &Version) -> Ident {
    format_ident!("{}{}", operator.name, version.since)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords() {
        assert_eq!(
            ["type", "self", "value", "match"].map(|name| ident(name).to_string()),
            ["r#type", "self_", "value", "r#match"]
        );
    }
}
