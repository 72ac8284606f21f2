//! Prints the constants of `shape_specs::lower` as Rust.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use shape_specs::Tables;
use shape_specs::lower::{Constant, Rest, SchemaName, Struct};
use shape_specs::operator::{Operator, Version};
use shape_specs::rules::{Call, DimsRule};

use crate::names::{camel, constant as shouted, ident};
use crate::packed::{Packed, pack};
use crate::rules::custom_rule;
use crate::types::{type_set, type_value};

/// Prints constants as Rust, in a context.
pub(crate) struct Printer<'p> {
    /// The operator and its version, for rules in the crate that the code is generated for.
    pub(crate) version: Option<(&'p Operator, &'p Version)>,
    pub(crate) tables: &'p Tables,
    /// The expressions for [`Constant::Code`].
    pub(crate) code: &'p [TokenStream],
    /// Whether the names of `shape_core::operator::names` are in scope, and rows of schemas are packed.
    pub(crate) packed: bool,
}

impl<'p> Printer<'p> {
    /// For constants that refer to no code outside of the core.
    pub(crate) fn new(tables: &'p Tables) -> Self {
        Self { version: None, tables, code: &[], packed: false }
    }

    pub(crate) fn print(&self, constant: &Constant<'_>) -> TokenStream {
        match constant {
            Constant::Bool(value) => quote!(#value),
            Constant::Int(value) => {
                let value = Literal::i64_unsuffixed(*value);
                quote!(#value)
            }
            Constant::Float(value) => float(*value),
            Constant::Text(text) => quote!(#text),
            Constant::Bytes(bytes) => {
                let bytes = Literal::byte_string(bytes);
                quote!(#bytes)
            }
            Constant::None if self.packed => quote!(None),
            Constant::None => quote!(::core::option::Option::None),
            Constant::Some(value) => {
                let value = self.print(value);
                if self.packed { quote!(Some(#value)) } else { quote!(::core::option::Option::Some(#value)) }
            }
            Constant::List(values) => match pack(values).filter(|_| self.packed) {
                Some(packed) => self.unpacked(values.len(), &packed),
                None => match words(values).filter(|_| self.packed) {
                    Some(Words::Switch) => quote!(&SWITCH),
                    Some(Words::Texts(texts)) => {
                        let count = Literal::usize_unsuffixed(texts.len());
                        quote!(&words::<#count>(&[#(#texts),*]))
                    }
                    None => {
                        let values = values.iter().map(|value| self.print(value));
                        quote!(&[#(#values),*])
                    }
                },
            },
            Constant::Tuple(values) => {
                let values = values.iter().map(|value| self.print(value));
                quote!((#(#values),*))
            }
            Constant::Reference(value) => {
                let value = self.print(value);
                quote!(&#value)
            }
            Constant::Struct(of) => self.fields(of),
            Constant::Variant { of, name, fields } => {
                let (of, name) = (self.path(of), format_ident!("{name}"));
                let fields = fields.iter().map(|field| self.print(field));
                let fields = (fields.len() > 0).then(|| quote!((#(#fields),*)));
                quote!(#of::#name #fields)
            }
            Constant::Named { of: "Rule", name } => {
                let name = shouted(name);
                if self.packed { quote!(rules::#name) } else { quote!(::shape_core::rules::#name) }
            }
            Constant::Named { of, name } => {
                let (of, name) = (self.path(of), camel(name));
                quote!(#of::#name)
            }
            Constant::Type(ty) => type_value(ty, self.packed),
            Constant::TypeSet(allow) => type_set(allow, self.tables, self.packed),
            Constant::CustomRule(call) => self.version.map_or_else(TokenStream::new, |(operator, version)| {
                match custom_calls(version).iter().position(|of| of == call) {
                    Some(index) if self.packed => custom_name(version, index).into_token_stream(),
                    _ => custom_rule(operator, version, call),
                }
            }),
            Constant::Schema(name) => {
                let name = schema_name(*name);
                quote!(&#name)
            }
            Constant::Code(index) => self.code.get(*index).cloned().unwrap_or_default(),
        }
    }

    /// The rules of the crate that the code is generated for, as constants outside of the schema, where its paths are not
    /// among other names.
    pub(crate) fn custom_rules(&self) -> TokenStream {
        let Some((operator, version)) = self.version else { return TokenStream::new() };
        let rules = custom_calls(version).into_iter().enumerate().map(|(index, call)| {
            let (name, rule) = (custom_name(version, index), custom_rule(operator, version, call));
            quote!(const #name: ::shape_core::rule::Rule = #rule;)
        });
        rules.collect()
    }

    /// The call that reads packed rows.
    fn unpacked(&self, count: usize, packed: &Packed<'_, '_>) -> TokenStream {
        let Packed { function, texts, bytes, others, lists } = packed;
        let (function, count) = (format_ident!("{function}"), Literal::usize_unsuffixed(count));
        let bytes = Literal::byte_string(bytes);
        let list = |values: &[&Constant<'_>]| {
            let values = values.iter().map(|value| self.print(value));
            quote!(&[#(#values),*])
        };
        let (others, lists) = (list(others), (packed.function == "attributes").then(|| list(lists)).into_iter());
        quote!(&#function::<#count>(&[#(#texts),*], #bytes, #others #(, #lists)*))
    }

    pub(crate) fn fields(&self, of: &Struct<'_>) -> TokenStream {
        let rest = of.rest.map(|rest| match rest {
            Rest::Constant(name) => {
                let (of, name) = (self.path(of.of), format_ident!("{name}"));
                quote!(#of::#name)
            }
            Rest::Schema(name) => schema_name(name).into_token_stream(),
        });
        match (of.of, &rest) {
            ("TypeConstraint", None) if self.packed => {
                let arguments = self.arguments(of);
                return quote!(variable(#(#arguments),*));
            }
            ("OutputRule", None) if self.packed => {
                if let Some(rule) = self.output_rule(of) {
                    return rule;
                }
            }
            (_, Some(rest)) if of.fields.is_empty() => return rest.clone(),
            _ => {}
        }
        let name = self.path(of.of);
        let variant = of.variant.map(|variant| {
            let variant = format_ident!("{variant}");
            quote!(::#variant)
        });
        let fields = of.fields.iter().map(|(field, value)| {
            let (field, value) = (ident(field), self.print(value));
            quote!(#field: #value)
        });
        let rest = rest.map(|rest| quote!(, ..#rest));
        quote!(#name #variant { #(#fields),* #rest })
    }

    /// A rule whose dimensions a call computes, in few tokens.
    fn output_rule(&self, of: &Struct<'_>) -> Option<TokenStream> {
        let [(_, output), (_, types), (_, Constant::Some(dims)), (_, elements), (_, amounts)] = &*of.fields else {
            return None;
        };
        let Constant::Variant { of: "DimsRule", name, fields } = &**dims else { return None };
        let [Constant::Struct(call)] = &**fields else { return None };
        if name != "Call" || *amounts != Constant::List(Vec::new()) {
            return None;
        }
        let (output, call) = (self.print(output), self.arguments(call));
        let types = (*types != Constant::List(Vec::new())).then(|| self.print(types));
        let types = types.map(|types| quote!(.of_types(#types)));
        let elements = match elements {
            Constant::Some(elements) => match &**elements {
                Constant::Struct(call) => Some(self.arguments(call)),
                _ => return None,
            },
            _ => None,
        };
        let elements = elements.map(|call| quote!(.with_elements(#(#call),*)));
        Some(quote!(rule(#output, #(#call),*) #types #elements))
    }

    /// The values of a struct and of the structs in it, as arguments of functions that build it with fewer tokens.
    fn arguments(&self, of: &Struct<'_>) -> Vec<TokenStream> {
        let values = of.fields.iter().flat_map(|(_, value)| match value {
            Constant::Struct(inner) => self.arguments(inner),
            value => vec![self.print(value)],
        });
        values.collect()
    }

    /// The path of a type of the core.
    fn path(&self, of: &str) -> TokenStream {
        let name = format_ident!("{of}");
        let module = match of {
            _ if self.packed => return quote!(#name),
            "AttributeKind" | "AttributeValue" | "StringsView" => quote!(node),
            "Alternative" | "Amount" | "Argument" | "Call" | "DimsRule" | "Condition" | "Expression" | "OutputRule"
            | "Term" | "TypeOf" | "TypeSource" => quote!(rule),
            "Action" | "Deed" | "Formula" | "Function" | "NewNode" | "Way" => quote!(adapter),
            "Code" => quote!(code),
            "DataType" => quote!(data_type),
            "Operation" => quote!(dimension),
            "Release" => quote!(opset),
            "ReleaseNumber" | "Runtime" | "RuntimeOperator" | "RuntimeRelease" => quote!(runtime),
            _ => quote!(schema),
        };
        quote!(::shape_core::#module::#name)
    }
}

/// The calls of rules in the crate that the code is generated for, each once.
fn custom_calls(version: &Version) -> Vec<&Call> {
    let mut calls = Vec::new();
    for rule in &version.rules {
        let of_rule = rule.dims.as_ref().map(DimsRule::calls).unwrap_or_default().into_iter().chain(&rule.elements);
        for call in of_rule.filter(|call| call.is_custom()) {
            if !calls.contains(&call) {
                calls.push(call);
            }
        }
    }
    calls
}

/// The name of the constant of such a rule.
fn custom_name(version: &Version, index: usize) -> Ident {
    let release = version.release.map(|release| release.to_string().replace('.', "_"));
    format_ident!("RULE_{}_{}{index}", version.since, release.map(|text| text + "_").unwrap_or_default())
}

/// A list of allowed values that takes few tokens.
enum Words<'c> {
    /// 0 and 1.
    Switch,
    /// Texts.
    Texts(Vec<&'c str>),
}

/// The list in this form; `None` if it is of something else.
fn words<'c>(values: &'c [Constant<'_>]) -> Option<Words<'c>> {
    let inner = |value: &'c Constant<'_>| match value {
        Constant::Variant { of: "AttributeValue", fields, .. } => fields.first(),
        _ => None,
    };
    if let [zero, one] = values
        && (inner(zero), inner(one)) == (Some(&Constant::Int(0)), Some(&Constant::Int(1)))
    {
        return Some(Words::Switch);
    }
    let text = |value| match inner(value) {
        Some(Constant::Bytes(bytes)) => str::from_utf8(bytes).ok(),
        _ => None,
    };
    let texts: Vec<&str> = values.iter().map(text).collect::<Option<_>>()?;
    (!texts.is_empty()).then_some(Words::Texts(texts))
}

/// The name of the static that holds a schema of an operator.
pub(crate) fn schema_name(SchemaName { since, earlier }: SchemaName) -> Ident {
    match earlier {
        None => format_ident!("SCHEMA_{since}"),
        Some(index) => format_ident!("SCHEMA_{since}_EARLIER_{index}"),
    }
}

/// Infinities and NaN have no literal.
fn float(value: f32) -> TokenStream {
    if value.is_finite() {
        let literal = Literal::f32_unsuffixed(value);
        quote!(#literal)
    } else if value.is_nan() {
        quote!(::core::primitive::f32::NAN)
    } else if value > 0.0 {
        quote!(::core::primitive::f32::INFINITY)
    } else {
        quote!(::core::primitive::f32::NEG_INFINITY)
    }
}
