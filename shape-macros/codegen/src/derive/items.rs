//! The grammar of the attributes of derives: `word`, `key = value` and `key(items)`, with commas between them.
//!
//! Each item is parsed separately, so that an error in one does not hide those in others.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Ident;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};

use super::errors::Errors;

/// Words that may occur several times, once for each entry of a list.
pub(super) const REPEATED: [&str; 4] = ["adapter", "errata", "exclusive", "requires"];

/// One item; the key may also be a keyword such as `crate`.
pub(super) struct Item {
    pub(super) key: Ident,
    pub(super) form: Form,
}

/// What follows a key.
pub(super) enum Form {
    /// Nothing.
    Word,
    /// `= value`
    Value(TokenStream),
    /// `(items)`
    List(TokenStream),
}

impl Item {
    /// The tokens after `=`.
    pub(super) fn value(&self, example: &str, errors: &mut Errors) -> Option<&TokenStream> {
        if let Form::Value(value) = &self.form {
            return Some(value);
        }
        errors.error(&self.key, &format!("`{}` has no value", self.key), format!("write `{example}`"));
        None
    }

    /// The string after `=`.
    pub(super) fn text(&self, example: &str, errors: &mut Errors) -> Option<(syn::LitStr, String)> {
        let value = self.value(example, errors)?;
        match syn::parse2::<syn::LitStr>(value.clone()) {
            Ok(text) => Some((text.clone(), text.value())),
            Err(_) => {
                let message = format!("`{}` is a text", self.key);
                errors.error(value, &message, format!("write `{example}`"));
                None
            }
        }
    }

    /// The tokens in the parentheses.
    pub(super) fn list(&self, example: &str, errors: &mut Errors) -> Option<&TokenStream> {
        if let Form::List(list) = &self.form {
            return Some(list);
        }
        errors.error(&self.key, &format!("`{}` has a list in parentheses", self.key), format!("write `{example}`"));
        None
    }

    /// Reports anything after the key.
    pub(super) fn word(&self, errors: &mut Errors) {
        if let Form::Value(rest) | Form::List(rest) = &self.form {
            errors.error(
                rest,
                &format!("nothing belongs after `{0}`", self.key),
                format!("write `{}` alone", self.key),
            );
        }
    }
}

/// The items of all attributes with a name, such as all `#[operator(...)]` of a struct.
///
/// Repeated and unknown keys are reported and left out.
pub(super) fn items(attrs: &[syn::Attribute], name: &str, known: &[&str], errors: &mut Errors) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        let syn::Meta::List(list) = &attr.meta else {
            errors.error(&attr.meta, &format!("`{name}` has a list in parentheses"), format!("write `#[{name}(...)]`"));
            continue;
        };
        for tokens in split(list.tokens.clone()) {
            let Some(item) = item(&tokens, errors) else { continue };
            if !known.contains(&&*item.key.to_string()) {
                let message = format!("there is no `{}` in `#[{name}(...)]`", item.key);
                errors.unknown(&item.key, &message, known);
                errors.unread(&tokens);
            } else if items.iter().any(|other| other.key == item.key) && !REPEATED.contains(&&*item.key.to_string()) {
                let message = format!("`{}` stands here twice", item.key);
                errors.error(&item.key, &message, "keep one of the two");
            } else {
                items.push(item);
            }
        }
    }
    items
}

/// One item; `None`, and an error, if it cannot be parsed.
pub(super) fn item(tokens: &TokenStream, errors: &mut Errors) -> Option<Item> {
    let read = |input: ParseStream<'_>| {
        let key = input.call(Ident::parse_any)?;
        let rest: TokenStream = input.parse()?;
        Ok((key, rest))
    };
    let Ok((key, rest)) = read.parse2(tokens.clone()) else {
        errors.error(tokens, "expected a key", "write `key`, `key = value` or `key(...)`");
        errors.unread(tokens);
        return None;
    };
    let mut after = rest.clone().into_iter();
    let form = match (after.next(), after.clone().next()) {
        (None, _) => Form::Word,
        (Some(TokenTree::Punct(equals)), Some(_)) if equals.as_char() == '=' => {
            Form::Value(up_to_next_key(after.collect(), errors))
        }
        (Some(TokenTree::Punct(equals)), None) if equals.as_char() == '=' => {
            errors.error(tokens, &format!("`{key}` has no value"), "write it after the `=`");
            errors.unread(tokens);
            return None;
        }
        (Some(TokenTree::Group(list)), None) if list.delimiter() == Delimiter::Parenthesis => Form::List(list.stream()),
        _ => {
            let help = "write `key = value` or `key(...)`, and a comma before the next key";
            errors.error(rest, &format!("this does not belong after `{key}`"), help);
            errors.unread(tokens);
            return None;
        }
    };
    Some(Item { key, form })
}

/// A value that ends where the comma before the next `key = ` is missing.
fn up_to_next_key(value: TokenStream, errors: &mut Errors) -> TokenStream {
    let tokens: Vec<TokenTree> = value.clone().into_iter().collect();
    let next = tokens.windows(2).position(|pair| match pair {
        [TokenTree::Ident(_), TokenTree::Punct(equals)] => equals.as_char() == '=',
        _ => false,
    });
    let Some((before, rest)) = next.filter(|at| *at > 0).and_then(|at| tokens.split_at_checked(at)) else {
        return value;
    };
    let rest: TokenStream = rest.iter().cloned().collect();
    errors.error(
        rest.clone().into_iter().next(),
        "a comma is missing before this key",
        "write `key = value, key = value`",
    );
    errors.unread(&rest);
    before.iter().cloned().collect()
}

/// The tokens between commas, without an empty last part. Commas in angle brackets do not count.
pub(crate) fn split(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    let mut depth = 0_usize;
    for token in tokens {
        if let TokenTree::Punct(punct) = &token {
            match punct.as_char() {
                '<' => depth += 1,
                '>' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    parts.push(TokenStream::new());
                    continue;
                }
                _ => {}
            }
        }
        if let Some(part) = parts.last_mut() {
            token.to_tokens(part);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The first paragraph of the doc comments, in one line.
pub(super) fn doc(attrs: &[syn::Attribute]) -> String {
    let lines = attrs.iter().filter(|attr| attr.path().is_ident("doc")).filter_map(|attr| match &attr.meta {
        syn::Meta::NameValue(syn::MetaNameValue { value: syn::Expr::Lit(literal), .. }) => match &literal.lit {
            syn::Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    let lines = text.lines().map(str::trim).skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}
