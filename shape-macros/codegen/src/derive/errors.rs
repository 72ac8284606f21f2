//! Collects the errors in the input of a derive, each with its tokens.

use proc_macro2::TokenStream;
use quote::ToTokens;
use shape_specs::DocumentError;
use shape_specs::de::Spanned;
use shape_specs::names::suggest;
use shape_specs::yaml::{Kind, Node, NodeId};

/// The errors so far, and what they may refer to.
#[derive(Default)]
pub(super) struct Errors {
    errors: Vec<syn::Error>,
    /// The tokens that each node of the document was read from.
    nodes: Vec<TokenStream>,
    /// The words that could not be read.
    unread: Vec<String>,
}

impl Errors {
    /// Adds an error at these tokens: the message, and the help.
    pub(super) fn error(&mut self, at: impl ToTokens, message: &str, help: impl AsRef<str>) {
        self.errors.push(error(at, message, Some(help.as_ref())));
    }

    /// Adds an error for an unknown word.
    pub(super) fn unknown(&mut self, at: &syn::Ident, message: &str, known: &[&str]) {
        self.errors.push(error(at, message, suggest(&at.to_string(), known.iter().copied()).as_deref()));
    }

    /// The value, or `None` after adding the error.
    pub(super) fn read<T>(&mut self, read: syn::Result<T>) -> Option<T> {
        read.map_err(|error| self.errors.push(error)).ok()
    }

    /// Records words that could not be read: they are not reported as missing.
    pub(super) fn unread(&mut self, tokens: &TokenStream) {
        for token in tokens.clone() {
            match token {
                proc_macro2::TokenTree::Group(group) => self.unread(&group.stream()),
                token => self.unread.push(token.to_string()),
            }
        }
    }

    /// Whether one of these tokens is a word that could not be read.
    pub(super) fn mentions(&self, tokens: &TokenStream) -> bool {
        let mut words = Self::default();
        words.unread(tokens);
        words.unread.iter().any(|word| word.chars().any(char::is_alphanumeric) && self.unread.contains(word))
    }

    /// All words that could not be read.
    pub(super) fn words(&self) -> Vec<String> {
        self.unread.clone()
    }

    /// A value of a document, with the tokens that it was read from.
    pub(super) fn spanned<T>(&mut self, at: impl ToTokens, value: T) -> Spanned<T> {
        Spanned { value, at: self.node(at) }
    }

    /// A node of the tree of a document, with the tokens that it was read from.
    pub(super) fn leaf(&mut self, at: impl ToTokens, kind: Kind) -> Node {
        Node { id: self.node(at), kind }
    }

    /// The tokens of each node.
    pub(super) fn tokens(&self) -> &[TokenStream] {
        &self.nodes
    }

    fn node(&mut self, at: impl ToTokens) -> NodeId {
        self.nodes.push(at.to_token_stream());
        self.nodes.len() - 1
    }

    /// Adds the errors of the resulting document.
    pub(super) fn of_document(&mut self, errors: Vec<DocumentError>) {
        for DocumentError { at, code, message, help } in errors {
            // Replaces the terms of files by those of structs.
            let mut help = help.as_deref().map(in_rust);
            match code {
                "unknown-type-variable" if help.as_deref().is_some_and(|help| help.starts_with("there is")) => {
                    help = Some("declare it: `types(T: [float, double])`".to_owned());
                }
                "unused-type-variable" => help = Some("remove it, or use it".to_owned()),
                _ => {}
            }
            self.errors.push(error(self.nodes.get(at), &message, help.as_deref()));
        }
    }

    pub(super) fn none(&self) -> bool {
        self.errors.is_empty()
    }

    /// A `compile_error!` for each error.
    pub(super) fn into_compile_errors(self) -> TokenStream {
        self.errors.iter().map(syn::Error::to_compile_error).collect()
    }
}

/// A help with what it shows in backticks written as in an attribute: `(move = k, input = K)` for `{ move: k, input: K }`.
fn in_rust(help: &str) -> String {
    if let Some((list, _)) = help.split_once(", or each entry on a line of its own") {
        return list.to_owned();
    }
    let parts = help.split('`').enumerate().map(|(index, part)| {
        let code = part.trim_start_matches("- ");
        if index % 2 == 0 {
            return part.to_owned();
        }
        if let Some(fields) = code.strip_prefix("{ ").and_then(|code| code.strip_suffix(" }")) {
            return format!("({})", fields.replace(": ", " = "));
        }
        match code.split_once(": ") {
            Some((field, value)) if field.chars().all(|c| c.is_ascii_lowercase() || c == '_') => {
                format!("{field} = {value}")
            }
            _ => part.to_owned(),
        }
    });
    parts.collect::<Vec<_>>().join("`").replace(" of this file", "")
}

fn error(at: impl ToTokens, message: &str, help: Option<&str>) -> syn::Error {
    let message = help.map_or_else(|| message.to_owned(), |help| format!("{message}\n= help: {help}"));
    syn::Error::new_spanned(at, message)
}
