//! `#[derive(AttributeEnum)]`: an enum for a STRING attribute that allows only a few values.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use shape_specs::names::suggest;
use syn::ext::IdentExt as _;
use syn::{Data, DataEnum, DeriveInput, Fields, Ident};

use super::errors::Errors;
use super::items::{Item, items};
use crate::names::snake;
use crate::paths::with_core;

const KEYS: [&str; 2] = ["crate", "rename_all"];
const VARIANT_KEYS: [&str; 1] = ["rename"];

/// The rules for the texts of variants, and the result of each for `SameUpper`.
const RULES: [(&str, &str); 6] = [
    ("lowercase", "sameupper"),
    ("UPPERCASE", "SAMEUPPER"),
    ("snake_case", "same_upper"),
    ("SCREAMING_SNAKE_CASE", "SAME_UPPER"),
    ("kebab-case", "same-upper"),
    ("camelCase", "sameUpper"),
];

/// The `Field` of an enum, with its values.
///
/// Each error becomes a `compile_error!` at its token, all of them at once.
#[must_use]
pub fn derive_attribute_enum(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    let (mut core, mut rule) = (None, None);
    for item in items(&input.attrs, "attribute", &KEYS, &mut errors) {
        if item.key == "crate" {
            let path = item.value("crate = ::renamed", &mut errors).map(|path| syn::parse2::<syn::Path>(path.clone()));
            core = path.and_then(|path| errors.read(path)).map(ToTokens::into_token_stream);
        } else {
            rule = rename_all(&item, &mut errors);
        }
    }
    let variants = match &input.data {
        Data::Enum(data) => variants(&input, data, rule, &mut errors),
        Data::Struct(data) => not_an_enum(data.struct_token, &mut errors),
        Data::Union(data) => not_an_enum(data.union_token, &mut errors),
    };
    let code = if errors.none() {
        implementation(&input.ident, &variants)
    } else {
        let errors = errors.into_compile_errors();
        let stub = stub(&input);
        quote!(#errors #stub)
    };
    match core {
        Some(core) => with_core(code, &core),
        None => code,
    }
}

fn not_an_enum(at: impl ToTokens, errors: &mut Errors) -> Vec<(Ident, String)> {
    let message = "the values of a STRING are the variants of an enum";
    errors.error(at, message, "write `enum Mode { Floor, Ceil }`; `#[derive(Operator)]` is for a struct of attributes");
    Vec::new()
}

fn rename_all(item: &Item, errors: &mut Errors) -> Option<&'static str> {
    let (at, text) = item.text("rename_all = \"lowercase\"", errors)?;
    let rules = RULES.iter().map(|(rule, _)| *rule);
    let rule = rules.clone().find(|rule| *rule == text);
    if rule.is_none() {
        let help = suggest(&text, rules).unwrap_or_default();
        errors.error(at, &format!("there is no way `{text}` to write a name"), help);
    }
    rule
}

/// The variants, each with its text.
fn variants(input: &DeriveInput, data: &DataEnum, rule: Option<&str>, errors: &mut Errors) -> Vec<(Ident, String)> {
    if !input.generics.params.is_empty() {
        errors.error(&input.generics, "texts have no parameters", "drop the generics");
    }
    if data.variants.is_empty() {
        errors.error(
            &input.ident,
            "an attribute of this type has no value at all",
            "give the enum a variant for each value",
        );
    }
    let mut texts: Vec<(Ident, String)> = Vec::new();
    for variant in &data.variants {
        let name = variant.ident.unraw().to_string();
        if !matches!(variant.fields, Fields::Unit) {
            errors.error(&variant.fields, &format!("`{name}` stands for a text and holds nothing"), "drop the fields");
        }
        if let Some((_, number)) = &variant.discriminant {
            errors.error(number, &format!("`{name}` stands for a text, not for a number"), "drop the number");
        }
        let (mut at, mut text) = (variant.ident.to_token_stream(), renamed(&name, rule));
        for item in items(&variant.attrs, "attribute", &VARIANT_KEYS, errors) {
            if let Some((literal, value)) = item.text("rename = \"NOTSET\"", errors) {
                (at, text) = (literal.to_token_stream(), value);
            }
        }
        if let Some((other, _)) = texts.iter().find(|(_, other)| *other == text) {
            let message = format!("`{other}` stands for the text {text:?} already");
            errors.error(at, &message, "give it another one: `#[attribute(rename = \"...\")]`");
        }
        texts.push((variant.ident.clone(), text));
    }
    texts
}

fn renamed(name: &str, rule: Option<&str>) -> String {
    let snake = snake(name);
    match rule {
        Some("lowercase") => name.to_lowercase(),
        Some("UPPERCASE") => name.to_uppercase(),
        Some("snake_case") => snake,
        Some("SCREAMING_SNAKE_CASE") => snake.to_uppercase(),
        Some("kebab-case") => snake.replace('_', "-"),
        Some("camelCase") => {
            let mut chars = name.chars();
            let first = chars.next().map(|c| c.to_ascii_lowercase());
            first.into_iter().chain(chars).collect()
        }
        _ => name.to_owned(),
    }
}

fn implementation(name: &Ident, variants: &[(Ident, String)]) -> TokenStream {
    let texts: Vec<Literal> = variants.iter().map(|(_, text)| Literal::byte_string(text.as_bytes())).collect();
    let variants: Vec<&Ident> = variants.iter().map(|(variant, _)| variant).collect();
    field(
        &quote!(<'field>),
        &quote!(#name),
        &quote!(&[#(::shape_core::node::AttributeValue::String(#texts)),*]),
        &quote! {
            match value {
                #(::shape_core::node::AttributeValue::String(#texts) => {
                    ::core::option::Option::Some(Self::#variants)
                })*
                _ => ::core::option::Option::None,
            }
        },
        &quote! {
            ::shape_core::node::AttributeValue::String(match self {
                #(Self::#variants => #texts,)*
            })
        },
    )
}

/// A field type that replaces one with errors, so that only these errors are reported.
fn stub(input: &DeriveInput) -> TokenStream {
    let name = &input.ident;
    let (_, arguments, _) = input.generics.split_for_impl();
    let parameters = &input.generics.params;
    let none = quote!(::core::option::Option::None);
    let value = quote!(::shape_core::node::AttributeValue::String(&[]));
    field(&quote!(<'field, #parameters>), &quote!(#name #arguments), &quote!(&[]), &none, &value)
}

fn field(
    generics: &TokenStream,
    name: &TokenStream,
    values: &TokenStream,
    from: &TokenStream,
    to: &TokenStream,
) -> TokenStream {
    quote! {
        impl #generics ::shape_core::node::Field<'field> for #name {
            const KIND: ::shape_core::node::AttributeKind = ::shape_core::node::AttributeKind::String;
            const VALUES: &'static [::shape_core::node::AttributeValue<'static>] = #values;

            fn from_value(value: ::shape_core::node::AttributeValue<'field>) -> ::core::option::Option<Self> {
                #from
            }

            fn to_value(&self) -> ::shape_core::node::AttributeValue<'_> {
                #to
            }
        }
    }
}
