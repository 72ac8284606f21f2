//! Doc comments of generated code.

use proc_macro2::TokenStream;
use quote::quote;

/// A doc comment with these paragraphs.
pub(crate) fn doc(paragraphs: impl IntoIterator<Item = String>) -> TokenStream {
    let text = paragraphs.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n");
    text.lines()
        .map(|line| {
            let line = if line.is_empty() { String::new() } else { format!(" {line}") };
            quote!(#[doc = #line])
        })
        .collect()
}
