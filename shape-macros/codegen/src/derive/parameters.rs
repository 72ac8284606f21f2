//! Type variables, inputs and outputs: `T: [float, double]`, `data: T`, `axes: Option<tensor(int64)>`, `rest:
//! Variadic<T>`.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use shape_specs::de::Spanned;
use shape_specs::document::{ParameterEntry, ParameterOption, TypeEntry};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Ident, Token};

use super::errors::Errors;
use super::items::{doc, split};

/// The tokens before and after the colon of an entry, and its doc comment.
struct Entry {
    name: Ident,
    ty: TokenStream,
    doc: String,
}

/// Reads `name: type` entries between commas.
fn entries(list: &TokenStream, example: &str, errors: &mut Errors) -> Vec<Entry> {
    let read = |input: ParseStream<'_>| {
        let attrs = input.call(syn::Attribute::parse_outer)?;
        let name = input.call(Ident::parse_any)?;
        input.parse::<Token![:]>()?;
        Ok(Entry { name, ty: input.parse()?, doc: doc(&attrs) })
    };
    let mut entries = Vec::new();
    for tokens in split(list.clone()) {
        match read.parse2(tokens.clone()) {
            Ok(entry) if !entry.ty.is_empty() => entries.push(entry),
            _ => {
                errors.error(&tokens, "expected a name, a colon and a type", format!("write `{example}`"));
                errors.unread(&tokens);
            }
        }
    }
    entries
}

/// Inputs or outputs.
pub(super) fn parameters(list: &TokenStream, errors: &mut Errors) -> Vec<Spanned<ParameterEntry>> {
    let mut parameters = Vec::new();
    for Entry { name, ty, doc } in entries(list, "data: T", errors) {
        let mut parameter = ParameterEntry {
            name: errors.spanned(&name, name.unraw().to_string()),
            ty: errors.spanned(&ty, String::new()),
            option: errors.spanned(&ty, ParameterOption::Single),
            homogeneous: None,
            min_arity: None,
            doc,
        };
        let inner = match wrapped(&ty) {
            None => Some(ty.clone()),
            Some((wrapper, inner)) => unwrap(&wrapper, &inner, &mut parameter, errors),
        };
        let Some(word) = inner.as_ref().and_then(word) else {
            let help = "a type is a type variable, or one such as `tensor(int64)`";
            if let Some(inner) = inner {
                errors.error(inner, "this is not a type of ONNX", help);
            }
            errors.unread(&ty);
            continue;
        };
        parameter.ty.value = word;
        if let Some(inner) = inner {
            parameter.ty = errors.spanned(inner, parameter.ty.value);
        }
        parameters.push(errors.spanned(&name, parameter));
    }
    parameters
}

/// Splits `Name<...>` into the name and its contents.
fn wrapped(ty: &TokenStream) -> Option<(Ident, TokenStream)> {
    let tokens: Vec<TokenTree> = ty.clone().into_iter().collect();
    match &*tokens {
        [TokenTree::Ident(name), TokenTree::Punct(open), inner @ .., TokenTree::Punct(close)]
            if open.as_char() == '<' && close.as_char() == '>' =>
        {
            Some((name.clone(), inner.iter().cloned().collect()))
        }
        _ => None,
    }
}

/// The contents of `Option<...>` or `Variadic<...>`, whose meaning is set on the parameter.
fn unwrap(
    wrapper: &Ident,
    inner: &TokenStream,
    parameter: &mut ParameterEntry,
    errors: &mut Errors,
) -> Option<TokenStream> {
    let mut parts = split(inner.clone()).into_iter();
    let first = parts.next();
    if first.is_none() {
        errors.error(wrapper, &format!("`{wrapper}` of what?"), format!("write `{wrapper}<T>`"));
        return None;
    }
    match &*wrapper.to_string() {
        "Option" => {
            parameter.option.value = ParameterOption::Optional;
            for part in parts {
                errors.error(part, "an `Option` has a type and nothing else", "write `Option<T>`");
            }
        }
        "Variadic" => {
            parameter.option.value = ParameterOption::Variadic;
            for part in parts {
                setting(&part, parameter, errors);
            }
        }
        _ => {
            errors.unknown(wrapper, &format!("`{wrapper}` does not stand around a type here"), &["Option", "Variadic"]);
            return None;
        }
    }
    first
}

/// `min_arity = 2` or `homogeneous = false`.
fn setting(tokens: &TokenStream, parameter: &mut ParameterEntry, errors: &mut Errors) {
    let read = |input: ParseStream<'_>| {
        let key = input.call(Ident::parse_any)?;
        input.parse::<Token![=]>()?;
        Ok((key, input.parse::<syn::Lit>()?))
    };
    let help = "write `Variadic<T, min_arity = 2>` or `Variadic<T, homogeneous = false>`";
    match read.parse2(tokens.clone()) {
        Ok((key, syn::Lit::Int(number))) if key == "min_arity" => match number.base10_parse() {
            Ok(number) if parameter.min_arity.is_none() => parameter.min_arity = Some(number),
            Ok(_) => errors.error(key, "`min_arity` stands here twice", "keep one of the two"),
            Err(_) => errors.error(number, "an arity is a whole number of 32 bits", "write `min_arity = 2`"),
        },
        Ok((key, syn::Lit::Bool(flag))) if key == "homogeneous" => match parameter.homogeneous {
            None => parameter.homogeneous = Some(flag.value),
            Some(_) => errors.error(key, "`homogeneous` stands here twice", "keep one of the two"),
        },
        Ok((key, value)) if key == "min_arity" || key == "homogeneous" => {
            errors.error(value, &format!("`{key}` has another value"), help);
        }
        Ok((key, _)) => {
            let message = format!("there is no `{key}` in `Variadic<...>`");
            errors.unknown(&key, &message, &["min_arity", "homogeneous"]);
        }
        Err(_) => errors.error(tokens, "this does not belong here", help),
    }
}

/// Type variables.
pub(super) fn types(list: &TokenStream, errors: &mut Errors) -> Vec<Spanned<TypeEntry>> {
    let example = "T: [float, double]";
    let mut types = Vec::new();
    for Entry { name, ty, doc } in entries(list, example, errors) {
        let mut tokens = ty.clone().into_iter();
        let group = match (tokens.next(), tokens.next()) {
            (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::Bracket => group,
            _ => {
                let message = format!("`{name}` has a list of types in brackets");
                errors.error(&ty, &message, format!("write `{example}`"));
                errors.unread(&name.to_token_stream());
                continue;
            }
        };
        let mut allow = Vec::new();
        let mut lost = false;
        for tokens in split(group.stream()) {
            match word(&tokens) {
                Some(word) => allow.push(errors.spanned(&tokens, word)),
                None => {
                    let help = "a list has element types, groups of them, and types such as `seq(tensor(float))`";
                    errors.error(tokens, "this is not a type of ONNX", help);
                    lost = true;
                }
            }
        }
        if lost && allow.is_empty() {
            errors.unread(&name.to_token_stream());
            continue;
        }
        let entry = TypeEntry {
            name: errors.spanned(&name, name.to_string()),
            allow: Some(errors.spanned(&group, allow)),
            add: Vec::new(),
            remove: Vec::new(),
            unused: false,
            doc,
        };
        types.push(errors.spanned(&name, entry));
    }
    types
}

/// The text of a type: `T`, `tensor(int64)`, `map(int64, tensor(float))`.
pub(super) fn word(tokens: &TokenStream) -> Option<String> {
    let mut word = String::new();
    for token in tokens.clone() {
        match token {
            // Two names in a row are not a type.
            TokenTree::Ident(_) if word.ends_with(|c: char| c.is_alphanumeric() || c == '_') => return None,
            TokenTree::Ident(name) => word.push_str(&name.unraw().to_string()),
            TokenTree::Punct(comma) if comma.as_char() == ',' => word.push_str(", "),
            // Groups that macros insert.
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                word.push_str(&self::word(&group.stream())?);
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                word.push('(');
                word.push_str(&self::word(&group.stream())?);
                word.push(')');
            }
            _ => return None,
        }
    }
    Some(word)
}
