//! Reads the words of a derive's attribute into the tree that is read from a descriptor: `requires(that = "N > 0", code
//! = "dims-mismatch")`.
//!
//! So each field of the descriptor language has one name, one reader and one message. `key = value` is a field, `key` one
//! that is true, and `key(...)` one with fields. A value is a literal, a word, a type, a list in brackets, fields in
//! parentheses, or `_` for what is left out.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use shape_specs::yaml::{Kind, Node};
use syn::ext::IdentExt as _;

use super::errors::Errors;
use super::items::{Form, Item, REPEATED, item, split};
use super::parameters::word;

/// Lists whose entries stand in the parentheses by name: the field for the name, and that for what stands behind a `=`, if
/// anything may.
const NAMED: [(&str, &str, &str); 4] = [
    ("attributes", "name", "value"),
    ("examples", "name", ""),
    ("rules", "output", "dims"),
    ("sources", "id", "title"),
];

/// Adds an item to the fields; a word of [`REPEATED`] is one field, however often it occurs.
pub(super) fn field(item: &Item, fields: &mut Vec<(Node, Node)>, errors: &mut Errors) {
    if add(item, fields, errors).is_none() {
        errors.unread(&item.key.to_token_stream());
    }
}

/// The same; `None`, and an error, if it cannot be read.
fn add(item: &Item, fields: &mut Vec<(Node, Node)>, errors: &mut Errors) -> Option<()> {
    let name = item.key.unraw().to_string();
    let key = errors.leaf(&item.key, Kind::Text(name.clone()));
    let value = match &item.form {
        Form::Word => errors.leaf(&item.key, Kind::Bool(true)),
        Form::Value(tokens) => value(tokens, errors)?,
        Form::List(list) if REPEATED.contains(&&*name) => {
            let entry = if list.is_empty() { None } else { Some(mapping(&item.key, list, errors)?) };
            let known = fields.iter_mut().find(|(key, _)| key.kind == Kind::Text(name.clone()));
            if let Some((_, Node { kind: Kind::List(entries), .. })) = known {
                entries.extend(entry);
                return Some(());
            }
            errors.leaf(&item.key, Kind::List(entry.into_iter().collect()))
        }
        Form::List(list) => match NAMED.iter().find(|(of, ..)| *of == name) {
            Some((_, named, given)) => {
                let mut entries = Vec::new();
                for tokens in split(list.clone()) {
                    match entry(&tokens, named, given, errors) {
                        Some(entry) => entries.push(entry),
                        None => errors.unread(&tokens),
                    }
                }
                errors.leaf(&item.key, Kind::List(entries))
            }
            None => mapping(&item.key, list, errors)?,
        },
    };
    fields.push((key, value));
    Some(())
}

/// The fields between commas; `None`, and an error, if one of them cannot be read, since another one may be missing only
/// because of that.
fn fields(list: &TokenStream, errors: &mut Errors) -> Option<Vec<(Node, Node)>> {
    let (mut fields, mut all_read) = (Vec::new(), true);
    for tokens in split(list.clone()) {
        all_read &= item(&tokens, errors).and_then(|item| add(&item, &mut fields, errors)).is_some();
    }
    all_read.then_some(fields)
}

/// An entry by its name, `copies = "same(data)"` or `copies(dims = "same(data)")`.
fn entry(tokens: &TokenStream, named: &str, given: &str, errors: &mut Errors) -> Option<Node> {
    let item = item(tokens, errors)?;
    let text = |text: &str| Kind::Text(text.to_owned());
    let name = (errors.leaf(&item.key, text(named)), errors.leaf(&item.key, Kind::Text(item.key.unraw().to_string())));
    let rest = match &item.form {
        Form::List(list) => fields(list, errors)?,
        Form::Value(tokens) if !given.is_empty() => {
            let value = value(tokens, errors)?;
            vec![(errors.leaf(&item.key, text(given)), value)]
        }
        Form::Word | Form::Value(_) => {
            let help = if given.is_empty() { "" } else { &format!("`{} = ...` or ", item.key) };
            let help = format!("write {help}`{}(...)`", item.key);
            errors.error(&item.key, &format!("`{}` has no fields", item.key), help);
            return None;
        }
    };
    Some(errors.leaf(&item.key, Kind::Map([name].into_iter().chain(rest).collect())))
}

fn mapping(at: impl ToTokens, list: &TokenStream, errors: &mut Errors) -> Option<Node> {
    let fields = fields(list, errors)?;
    Some(errors.leaf(at, Kind::Map(fields)))
}

/// A value; `None`, and an error, if the tokens are none.
fn value(tokens: &TokenStream, errors: &mut Errors) -> Option<Node> {
    let all: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let kind = match &*all {
        // Groups that macros insert.
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => return value(&group.stream(), errors),
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Bracket => {
            // All of them, for the errors of each.
            let entries: Vec<_> = split(group.stream()).iter().map(|tokens| value(tokens, errors)).collect();
            Some(Kind::List(entries.into_iter().collect::<Option<_>>()?))
        }
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => {
            Some(Kind::Map(fields(&group.stream(), errors)?))
        }
        [TokenTree::Ident(nothing)] if nothing == "_" => Some(Kind::Null),
        [TokenTree::Ident(flag)] if flag == "true" || flag == "false" => Some(Kind::Bool(flag == "true")),
        [TokenTree::Literal(literal)] => scalar("", literal),
        [TokenTree::Punct(minus), TokenTree::Literal(literal)] if minus.as_char() == '-' => scalar("-", literal),
        _ => word(tokens).filter(|word| !word.is_empty()).map(Kind::Text),
    };
    if kind.is_none() {
        let help = "write a text, a number, a word, a list `[a, b]`, or fields `(name = value)`";
        errors.error(tokens, "this is no value", help);
        errors.unread(tokens);
    }
    kind.map(|kind| errors.leaf(tokens, kind))
}

fn scalar(sign: &str, literal: &proc_macro2::Literal) -> Option<Kind> {
    let number = |digits: &str| format!("{sign}{digits}").parse().ok().map(Kind::Float);
    match syn::Lit::new(literal.clone()) {
        syn::Lit::Str(text) if sign.is_empty() => Some(Kind::Text(text.value())),
        syn::Lit::Int(int) if matches!(int.suffix(), "f32" | "f64") => number(int.base10_digits()),
        syn::Lit::Int(int) => format!("{sign}{}", int.base10_digits()).parse().ok().map(Kind::Int),
        syn::Lit::Float(digits) => number(digits.base10_digits()),
        _ => None,
    }
}
