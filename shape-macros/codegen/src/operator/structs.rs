//! Generates the structs of the versions: their fields, and how they are read from a node and written to one.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use shape_specs::Operator;
use shape_specs::document::{AttributeKind, Literal as Value, ParameterOption, SupportLevel};
use shape_specs::operator::{Attribute, ParameterType, Version};
use shape_specs::rules::DimsRule;
use shape_specs::tables::{Element, Tables, Type};

use super::enums::{enum_name, is_closed};
use crate::docs::{doc, without_links};
use crate::element::{data_type, element_type};
use crate::field_type::field_type;
use crate::names::{camel, field, ident, versioned};

/// Whether two versions have one struct: the same fields, and the same inputs where the compiler knows their types.
pub(super) fn share(before: &Version, version: &Version, tables: &Tables) -> bool {
    fn fields(version: &Version) -> Vec<impl PartialEq> {
        let attributes = version.attributes.iter();
        let attributes = attributes.map(|attribute| {
            let Attribute { name, kind, required, default, legacy, .. } = attribute;
            (name, kind, required, default, legacy, is_closed(attribute), is_switch(attribute))
        });
        attributes.collect()
    }
    let typed = |version| type_variables(version, tables).is_some();
    fields(before) == fields(version)
        && typed(before) == typed(version)
        && (!typed(version) || inputs(before) == inputs(version))
}

/// The facts about a version's inputs that the generated code depends on.
fn inputs(version: &Version) -> Vec<impl PartialEq> {
    let inputs = version.inputs.iter();
    inputs.map(|input| (&input.name, input.option, variable(version, &input.ty))).collect()
}

/// The name of a type variable, or the type that is fixed.
fn variable<'v>(version: &'v Version, ty: &'v ParameterType) -> Result<&'v str, &'v Type> {
    match ty {
        ParameterType::Variable(index) => Ok(version.types.get(*index).map_or("", |constraint| &constraint.name)),
        ParameterType::Fixed(ty) => Err(ty),
        ParameterType::Unknown => Ok(""),
    }
}

/// The name of the struct that a run of versions shares: `ShapeFrom15`.
fn shared(operator: &Operator, run: &[Version]) -> syn::Ident {
    format_ident!("{}From{}", operator.name, run.first().map_or(0, |version| version.since))
}

/// The attributes, with the type of the field of each.
fn fields<'v>(operator: &Operator, version: &'v Version) -> impl Iterator<Item = (&'v Attribute, TokenStream)> {
    version.attributes.iter().map(|attribute| {
        let ty = if is_closed(attribute) {
            let name = enum_name(&operator.name, &attribute.name);
            quote!(#name)
        } else {
            field_type(attribute.kind, &syn::parse_quote!('a))
        };
        let plain = attribute.required || attribute.default.is_some();
        let ty = if plain { ty } else { quote!(::core::option::Option<#ty>) };
        (attribute, ty)
    })
}

/// `<'a>` for a version with a field that borrows, nothing for one without.
pub(super) fn lifetime(version: &Version) -> TokenStream {
    let borrows = |attribute: &Attribute| {
        !matches!(attribute.kind, AttributeKind::Int | AttributeKind::Float) && !is_closed(attribute)
    };
    if version.attributes.iter().any(borrows) { quote!(<'a>) } else { TokenStream::new() }
}

/// The generics of the struct of a version, where they are declared and where they are used.
fn generics(version: &Version) -> (TokenStream, TokenStream) {
    if lifetime(version).is_empty() {
        (quote!(<const SINCE: ::core::primitive::u32>), quote!(<SINCE>))
    } else {
        (quote!(<'a, const SINCE: ::core::primitive::u32>), quote!(<'a, SINCE>))
    }
}

/// The struct of a run of versions, and what it can do in all of them.
pub(super) fn structs(operator: &Operator, run: &[Version], tables: &Tables) -> TokenStream {
    let Some(version) = run.first() else { return TokenStream::new() };
    let item = item(operator, run, version);
    let implementation = implementation(operator, run, version);
    let typed = typed(operator, run, version, tables);
    let switches = switches(operator, run, version);
    quote! {
        #item
        #implementation
        #switches
        #typed
    }
}

/// The name of one version.
pub(super) fn alias(operator: &Operator, run: &[Version], version: &Version, tables: &Tables) -> TokenStream {
    let (name, shared, since) =
        (versioned(operator, version), shared(operator, run), Literal::u32_unsuffixed(version.since));
    let level = match version.support_level {
        SupportLevel::Common => "",
        SupportLevel::Experimental => ", experimental",
    };
    let deprecated = if version.deprecated { ", deprecated" } else { "" };
    // Not the one after it: a new version does not change the page of an old one.
    let before = operator.versions.iter().rfind(|before| before.since < version.since);
    let after = before.map(|before| format!(", after [`{}{}`]", operator.name, before.since)).unwrap_or_default();
    let facts = format!(
        "[`{0}`] since opset {1}{after}{level}{deprecated} (`{2}:{3}`).",
        operator.name, version.since, operator.file, version.line
    );
    let docs = doc([version.summary.clone(), facts]);
    let lifetime = lifetime(version);
    let arguments = if lifetime.is_empty() { quote!(<#since>) } else { quote!(<'a, #since>) };
    let allowed = allowed(operator, version, tables);
    quote! {
        #docs
        pub type #name #lifetime = #shared #arguments;
        #allowed
    }
}

/// The struct itself.
fn item(operator: &Operator, run: &[Version], version: &Version) -> TokenStream {
    let name = shared(operator, run);
    let (generics, _) = generics(version);
    let newest = operator.versions.last().map(|version| version.since);
    let to = match run.last() {
        Some(last) if Some(last.since) != newest => format!("to [`{}{}`]", operator.name, last.since),
        _ => "on".to_owned(),
    };
    let versions = format!("The attributes of [`{0}`] from [`{0}{1}`] {to}.", operator.name, version.since);
    let docs = doc([versions]);
    let fields = fields(operator, version).map(|(attribute, ty)| {
        let field = field(&attribute.name);
        let text = if attribute.doc.is_empty() {
            format!("The attribute `{}`.", attribute.name)
        } else {
            without_links(&attribute.doc)
        };
        let docs = doc([text]);
        quote!(#docs pub #field: #ty)
    });
    quote! {
        #docs
        pub struct #name #generics { #(#fields),* }
    }
}

/// The `Operator` implementation of a run of versions, and the traits that every run has.
fn implementation(operator: &Operator, run: &[Version], version: &Version) -> TokenStream {
    let name = shared(operator, run);
    let how = if lifetime(version).is_empty() { quote!(owns) } else { quote!(borrows) };
    let fields = version.attributes.iter().map(|attribute| field(&attribute.name));
    let default = version.attributes.iter().all(|attribute| !attribute.required).then(|| quote!(default));
    quote!(::shape_core::version! { #how #name { #(#fields)* } #default })
}

/// Whether an attribute is an INT that means no (0) or yes (1).
fn is_switch(attribute: &Attribute) -> bool {
    attribute.kind == AttributeKind::Int && matches!(*attribute.values, [Value::Int(0), Value::Int(1)])
}

/// A method for each attribute that is 0 or 1, with the name of its field.
fn switches(operator: &Operator, run: &[Version], version: &Version) -> Option<TokenStream> {
    let attributes: Vec<&Attribute> = version.attributes.iter().filter(|attribute| is_switch(attribute)).collect();
    if attributes.is_empty() {
        return None;
    }
    let (name, (generics, arguments)) = (shared(operator, run), generics(version));
    let methods = attributes.into_iter().map(|attribute| {
        let field = field(&attribute.name);
        let docs = doc([format!("Whether `{}` is 1.", attribute.name), without_links(&attribute.doc)]);
        if attribute.required || attribute.default.is_some() {
            quote!(#docs #[must_use] #[inline] pub const fn #field(&self) -> ::core::primitive::bool { self.#field == 1 })
        } else {
            quote! {
                #docs
                #[must_use]
                #[inline]
                pub const fn #field(&self) -> ::core::option::Option<::core::primitive::bool> {
                    match self.#field {
                        ::core::option::Option::Some(value) => ::core::option::Option::Some(value == 1),
                        ::core::option::Option::None => ::core::option::Option::None,
                    }
                }
            }
        }
    });
    Some(quote!(impl #generics #name #arguments { #(#methods)* }))
}

/// The `Operator` implementation of a struct, given its fields: each with the index of its attribute in the schema,
/// whether it always has a value, and the path of the functions that read and list it.
pub(crate) fn operator_impl(
    generics: &TokenStream,
    this: &TokenStream,
    name: &TokenStream,
    of: &TokenStream,
    schema: &TokenStream,
    fields: impl Iterator<Item = (syn::Ident, usize, bool, TokenStream)>,
) -> TokenStream {
    let (mut read, mut told) = (Vec::new(), Vec::new());
    for (field, index, plain, path) in fields {
        let index = Literal::usize_unsuffixed(index);
        let (how, value) =
            if plain { (quote!(required), quote!([&self.#field])) } else { (quote!(optional), quote!(&self.#field)) };
        read.push(quote!(#field: #path::#how(&Self::SCHEMA.attributes[#index], attributes)?));
        told.push(quote!(#path::for_each(&Self::SCHEMA.attributes[#index], #value, each);));
    }
    let teller = if told.is_empty() { quote!(_) } else { quote!(each) };
    quote! {
        impl #generics ::shape_core::operator::Operator for #this {
            const SCHEMA: &'static ::shape_core::schema::Schema = #schema;
            type Of<'of> = #name #of;

            fn read<'of>(
                attributes: &[::shape_core::node::NodeAttribute<'of>],
            ) -> ::core::result::Result<#name #of, ::shape_core::problem::Problem<'of>> {
                ::shape_core::check::names(Self::SCHEMA, attributes)?;
                ::core::result::Result::Ok(#name { #(#read),* })
            }

            fn attributes<'s>(&'s self, #teller: &mut dyn ::core::ops::FnMut(::shape_core::node::NodeAttribute<'s>)) {
                #(#told)*
            }
        }
    }
}

/// The name of the trait of the element types that a type variable allows.
fn marker(operator: &Operator, variable: &str) -> syn::Ident {
    format_ident!("{}{}", operator.name, variable)
}

/// The type variables of a version's inputs, if its inference can be typed. `None` if it cannot, such as for an input
/// that is optional, variadic or no tensor, which has no Rust type.
fn type_variables<'v>(version: &'v Version, tables: &Tables) -> Option<Vec<&'v str>> {
    let DimsRule::Call(call) = version.rules.first()?.dims.as_ref()? else { return None };
    if !call.is_custom() && !tables.rules().any(|rule| rule.name == call.rule && rule.typed) {
        return None;
    }
    let mut variables = Vec::new();
    for input in &version.inputs {
        match variable(version, &input.ty) {
            _ if input.option != ParameterOption::Single => return None,
            Ok(name) => {
                let constraint = version.types.iter().find(|constraint| constraint.name == name)?;
                if tensors(&constraint.allow).count() != constraint.allow.len() {
                    return None;
                }
                if !variables.contains(&name) {
                    variables.push(name);
                }
            }
            Err(Type::Tensor(_)) => {}
            Err(_) => return None,
        }
    }
    Some(variables)
}

/// Inference on inputs whose element types are Rust types: a type that the version does not allow does not compile.
fn typed(operator: &Operator, run: &[Version], version: &Version, tables: &Tables) -> Option<TokenStream> {
    let variables = type_variables(version, tables)?;
    let name = shared(operator, run);
    let (generics, arguments) = generics(version);
    // A trait stands with the first run that has the variable.
    let first = |variable: &str| {
        let since = operator.versions.iter().take_while(|other| other.since < version.since);
        !since.filter_map(|version| type_variables(version, tables)).flatten().any(|other| other == variable)
    };
    let traits = variables.iter().filter(|variable| first(variable)).map(|variable| {
        let marker = marker(operator, variable);
        let message =
            format!("`{{Self}}` is not an element type that `{variable}` of {}-{{SINCE}} allows", operator.name);
        let docs = doc([format!("An element type that `{variable}` of [`{}`] allows at a version.", operator.name)]);
        quote! {
            #docs
            #[diagnostic::on_unimplemented(message = #message, label = "not allowed here")]
            pub trait #marker<const SINCE: ::core::primitive::u32>: ::shape_core::element::Element {}
        }
    });
    // Names of the descriptor's beside those of the method's own.
    let parameter = |variable: &str| ident(&unlike(variable, &["SINCE"]));
    let bounds = variables.iter().map(|variable| {
        let (marker, variable) = (marker(operator, variable), parameter(variable));
        quote!(#variable: #marker<SINCE>)
    });
    let dimension = ident(&unlike("Dimension", &variables));
    let inputs: Vec<&str> = version.inputs.iter().map(|input| &*input.name).collect();
    let found = ident(&unlike("found", &inputs));
    let mut parameters = Vec::new();
    let mut facts = Vec::new();
    for input in &version.inputs {
        let element = match variable(version, &input.ty) {
            Ok(variable) => {
                let variable = parameter(variable);
                quote!(#variable)
            }
            Err(Type::Tensor(element)) => element_type(element),
            Err(_) => return None,
        };
        let parameter = ident(&input.name);
        parameters.push(quote!(#parameter: ::shape_core::facts::Typed<'_, #element, #dimension>));
        facts.push(quote!(::core::option::Option::Some(#parameter.fact())));
    }
    let docs = doc([
        "`Operator::infer_outputs` on element types that the compiler knows.".to_owned(),
        "# Errors\nWhat a rule refuses.".to_owned(),
    ]);
    Some(quote! {
        #(#traits)*

        impl #generics #name #arguments {
            #docs
            #[inline]
            pub fn infer_typed<#(#bounds,)* #dimension: ::shape_core::rule::RuleDimension>(
                &self,
                #(#parameters,)*
                #found: &mut dyn ::shape_core::facts::Outputs<#dimension>,
            ) -> ::core::result::Result<(), ::shape_core::problem::Problem<'_>> {
                ::shape_core::operator::Operator::infer_outputs(self, ::shape_core::facts::Inputs(&[#(#facts),*]), #found)
            }
        }
    })
}

/// A name, with underscores appended until it differs from all others.
fn unlike(name: &str, others: &[&str]) -> String {
    let mut name = name.to_owned();
    while others.contains(&&*name) {
        name.push('_');
    }
    name
}

/// The element types that each type variable of a version allows, as trait implementations.
fn allowed(operator: &Operator, version: &Version, tables: &Tables) -> TokenStream {
    let variables = type_variables(version, tables).unwrap_or_default();
    let since = Literal::u32_unsuffixed(version.since);
    let allowed = variables.into_iter().filter_map(|variable| {
        let constraint = version.types.iter().find(|constraint| constraint.name == variable)?;
        let marker = marker(operator, variable);
        Some(match &constraint.group {
            Some(group) => {
                let group = camel(group);
                quote!(impl<E: ::shape_core::type_sets::#group> #marker<#since> for E {})
            }
            None => {
                let elements = tensors(&constraint.allow).map(data_type);
                quote!(::shape_core::allow! { #marker<#since>: #(#elements)* })
            }
        })
    });
    quote!(#(#allowed)*)
}

fn tensors(allow: &[Type]) -> impl Iterator<Item = &Element> {
    allow.iter().filter_map(|ty| match ty {
        Type::Tensor(element) => Some(element),
        _ => None,
    })
}
