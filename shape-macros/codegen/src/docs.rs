//! Doc comments of generated code.

use proc_macro2::TokenStream;
use quote::quote;

/// A doc comment with these paragraphs.
pub(crate) fn doc(paragraphs: impl IntoIterator<Item = String>) -> TokenStream {
    lines(paragraphs).map(|line| quote!(#[doc = #line])).collect()
}

/// The same within a module.
pub(crate) fn inner_doc(paragraphs: impl IntoIterator<Item = String>) -> TokenStream {
    lines(paragraphs).map(|line| quote!(#![doc = #line])).collect()
}

/// The lines of paragraphs, with the space that a comment has before each.
fn lines(paragraphs: impl IntoIterator<Item = String>) -> impl Iterator<Item = String> {
    let text = paragraphs.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n");
    let lines: Vec<String> =
        text.lines().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") }).collect();
    lines.into_iter()
}

/// A text whose brackets are no links: `[C]` is a list of one dimension.
pub(crate) fn without_links(text: &str) -> String {
    let mut escaped = String::new();
    let mut is_code = false;
    for c in text.chars() {
        is_code ^= c == '`';
        if !is_code && matches!(c, '[' | ']') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets() {
        assert_eq!(without_links("`X[0]` is [C]"), "`X[0]` is \\[C\\]");
    }
}
