//! The static tables of a version.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use shape_specs::Operator;
use shape_specs::document::{ParameterOption, SupportLevel};
use shape_specs::operator::{Attribute, Parameter, ParameterType, TypeConstraint, Version};
use shape_specs::tables::{Element, Tables, Type};

use super::kernel;
use crate::names::{camel, constant, ident};
use crate::tables::{data_type, option};
use crate::value::attribute_value;

/// The static tables of a version: those that differ from the version before, and the schema as what changes of it.
pub(super) fn schema(operator: &Operator, version: &Version, before: Option<&Version>, tables: &Tables) -> TokenStream {
    let attributes = version.attributes.iter().map(|attribute| attribute_row(attribute, None)).collect();
    let rule = |attributes: TokenStream, inputs: TokenStream| {
        let rule = |kernel| quote!(::shape_core::operator::Rule::kernel::<#kernel>(#attributes, #inputs));
        option(kernel(operator).map(rule))
    };
    schema_with(operator, version, before, tables, attributes, rule)
}

/// The same with rows of attributes and a rule, given the tables of attributes and inputs, from elsewhere.
pub(crate) fn schema_with(
    operator: &Operator,
    version: &Version,
    before: Option<&Version>,
    tables: &Tables,
    attributes: Vec<TokenStream>,
    rule: impl FnOnce(TokenStream, TokenStream) -> TokenStream,
) -> TokenStream {
    let schema = format_ident!("SCHEMA_{}", version.since);
    let same_attributes = before.is_some_and(|before| before.attributes == version.attributes);
    let same_inputs = before.is_some_and(|before| before.inputs == version.inputs);
    let mut items = TokenStream::new();
    let mut set = Vec::new();
    let mut part = |field: &str, same: bool, ty: TokenStream, rows: Vec<TokenStream>| {
        if !same {
            let (field, table) = (ident(field), format_ident!("{}_{}", field.to_uppercase(), version.since));
            items.extend(quote!(static #table: &[#ty] = &[#(#rows),*];));
            set.push(quote!(#field: #table));
        }
    };
    part("attributes", same_attributes, quote!(::shape_core::schema::Attribute), attributes);
    part(
        "inputs",
        same_inputs,
        quote!(::shape_core::schema::FormalParameter),
        version.inputs.iter().map(parameter_row).collect(),
    );
    part(
        "outputs",
        before.is_some_and(|before| before.outputs == version.outputs),
        quote!(::shape_core::schema::FormalParameter),
        version.outputs.iter().map(parameter_row).collect(),
    );
    part(
        "types",
        before.is_some_and(|before| before.types == version.types),
        quote!(::shape_core::schema::TypeConstraint),
        version
            .types
            .iter()
            .enumerate()
            .map(|(index, constraint)| constraint_row(index, constraint, before, tables))
            .collect(),
    );
    let mut scalar = |field: &str, same: bool, value: TokenStream| {
        if !same {
            let field = ident(field);
            set.push(quote!(#field: #value));
        }
    };
    let same = |same: fn(&Version, &Version) -> bool| before.is_some_and(|before| same(before, version));
    let Version { summary, deprecated, function, shape_inference, deterministic, since, .. } = version;
    let level = match version.support_level {
        SupportLevel::Common => quote!(::shape_core::schema::SupportLevel::Common),
        SupportLevel::Experimental => quote!(::shape_core::schema::SupportLevel::Experimental),
    };
    let (domain, op) = (&operator.domain, &operator.name);
    scalar("domain", before.is_some(), quote!(#domain));
    scalar("name", before.is_some(), quote!(#op));
    scalar("since_version", false, quote!(#since));
    scalar("summary", same(|a, b| a.summary == b.summary), quote!(#summary));
    scalar("deprecated", same(|a, b| a.deprecated == b.deprecated), quote!(#deprecated));
    scalar("support_level", same(|a, b| a.support_level == b.support_level), level);
    scalar("has_function", same(|a, b| a.function == b.function), quote!(#function));
    scalar("has_shape_inference", same(|a, b| a.shape_inference == b.shape_inference), quote!(#shape_inference));
    scalar("deterministic", same(|a, b| a.deterministic == b.deterministic), quote!(#deterministic));
    // What a version says of itself beside the one before it is not handed on to the next.
    let own = |of: fn(&Version) -> bool| before.is_some_and(|before| !of(before)) && !of(version);
    let semantics = option(version.semantics.as_ref());
    scalar("semantics", own(|version| version.semantics.is_some()), semantics);
    let adapter = option(version.adapter.as_ref().map(|adapter| {
        let adapter = constant(adapter);
        quote!(::shape_core::adapters::#adapter)
    }));
    scalar("adapter", own(|version| version.adapter.is_some()), adapter);
    let rule = {
        // A table that did not change is that of the version before.
        let table = |same: bool, field: &str| match before.filter(|_| same) {
            Some(before) => {
                let (schema, field) = (format_ident!("SCHEMA_{}", before.since), ident(field));
                quote!(#schema.#field)
            }
            None => {
                let table = format_ident!("{}_{since}", field.to_uppercase());
                quote!(#table)
            }
        };
        rule(table(same_attributes, "attributes"), table(same_inputs, "inputs"))
    };
    scalar("rule", same_attributes && same_inputs, rule);
    let rest = before.map(|before| {
        let schema = format_ident!("SCHEMA_{}", before.since);
        quote!(, ..#schema)
    });
    quote! {
        #items
        static #schema: ::shape_core::schema::Schema = ::shape_core::schema::Schema { #(#set),* #rest };
    }
}

/// What a Rust type says of an attribute of which the facts know nothing but the kind: the values, and the default.
pub(crate) struct Closed {
    pub(crate) values: TokenStream,
    pub(crate) default: Option<TokenStream>,
}

/// The row of an attribute in its table.
pub(crate) fn attribute_row(attribute: &Attribute, closed: Option<Closed>) -> TokenStream {
    let Attribute { name, kind, required, default, values, legacy, doc } = attribute;
    let variant = camel(&kind.name().to_lowercase());
    let (values, default) = match closed {
        Some(Closed { values, default }) => (values, default),
        None => {
            let values = values.iter().map(|value| attribute_value(*kind, value));
            (quote!(&[#(#values),*]), default.as_ref().map(|default| attribute_value(*kind, default)))
        }
    };
    let default = option(default);
    quote!(::shape_core::schema::Attribute {
        name: #name,
        kind: ::shape_core::node::AttributeKind::#variant,
        required: #required,
        default: #default,
        values: #values,
        legacy: #legacy,
        doc: #doc,
    })
}

fn parameter_row(parameter: &Parameter) -> TokenStream {
    let Parameter { name, ty, option, homogeneous, min_arity, doc } = parameter;
    let ty = match ty {
        ParameterType::Variable(variable) => {
            let variable = Literal::usize_unsuffixed(*variable);
            quote!(::shape_core::schema::ParameterType::Variable(#variable))
        }
        ParameterType::Fixed(ty) => {
            let ty = type_value(ty);
            quote!(::shape_core::schema::ParameterType::Fixed(#ty))
        }
    };
    let option = match option {
        ParameterOption::Single => quote!(Single),
        ParameterOption::Optional => quote!(Optional),
        ParameterOption::Variadic => quote!(Variadic),
    };
    quote!(::shape_core::schema::FormalParameter {
        name: #name,
        ty: #ty,
        option: ::shape_core::schema::ParameterOption::#option,
        homogeneous: #homogeneous,
        min_arity: #min_arity,
        doc: #doc,
    })
}

fn constraint_row(index: usize, constraint: &TypeConstraint, before: Option<&Version>, tables: &Tables) -> TokenStream {
    if let Some(before) = before.filter(|before| before.types.get(index) == Some(constraint)) {
        let (schema, index) = (format_ident!("SCHEMA_{}", before.since), Literal::usize_unsuffixed(index));
        return quote!(#schema.types[#index]);
    }
    let TypeConstraint { name, allow, doc, .. } = constraint;
    let allow = type_set(allow, tables);
    quote!(::shape_core::schema::TypeConstraint::new(#name, #allow, #doc))
}

/// A set of types: the element types of each form around a tensor that the core keeps as bits, and the list of the rest.
fn type_set(allow: &[Type], tables: &Tables) -> TokenStream {
    let (mut forms, mut others) = ([const { Vec::new() }; 4], Vec::new());
    for ty in allow {
        match form(ty).and_then(|(form, element)| Some((forms.get_mut(form)?, element))) {
            Some((elements, element)) => elements.push(element),
            None => others.push(type_value(ty)),
        }
    }
    let wraps = [quote!(), quote!(.in_sequences()), quote!(.in_optionals()), quote!(.in_sequences().in_optionals())];
    let sets = forms.iter().zip(wraps).filter(|(elements, _)| !elements.is_empty()).map(|(elements, wrap)| {
        let set = element_set(elements, tables);
        quote!(#set #wrap)
    });
    let whole = sets.reduce(|whole, set| quote!(#whole.union(#set)));
    let whole = whole.unwrap_or_else(|| quote!(::shape_core::types::TypeSet::new(&[])));
    let listing = (!others.is_empty()).then(|| quote!(.listing(const { &[#(#others),*] })));
    quote!(#whole #listing)
}

/// The place of the form around an element type among those that the core keeps as bits.
fn form(ty: &Type) -> Option<(usize, &Element)> {
    match ty {
        Type::Tensor(element) => Some((0, element)),
        Type::Sequence(of) => form(of).filter(|(form, _)| *form == 0).map(|(_, element)| (1, element)),
        Type::Optional(of) => form(of).filter(|(form, _)| *form < 2).map(|(form, element)| (form + 2, element)),
        _ => None,
    }
}

/// The tensors of element types: a group of `types.yaml`, one with a few members more or less, or the list of them.
fn element_set(own: &[&Element], tables: &Tables) -> TokenStream {
    /// More than this many and the list says it better.
    const FEW: usize = 4;
    let list = |elements: &[&Element]| {
        let elements = elements.iter().map(|element| data_type(element));
        quote!(&[#(::shape_core::data_type::DataType::#elements),*])
    };
    let nearest = tables
        .groups
        .iter()
        .map(|(group, members)| {
            let more: Vec<&Element> = own.iter().copied().filter(|element| !members.contains(element)).collect();
            let less: Vec<&Element> = members.iter().filter(|element| !own.contains(element)).collect();
            (more.len() + less.len(), group, more, less)
        })
        .filter(|(differ, ..)| *differ <= FEW)
        .min_by_key(|(differ, ..)| *differ);
    let Some((_, group, more, less)) = nearest.filter(|(differ, ..)| own.len() > *differ + 1) else {
        let own = list(own);
        return quote!(::shape_core::types::TypeSet::new(#own));
    };
    let constant = constant(group);
    let with = (!more.is_empty()).then(|| list(&more)).map(|more| quote!(.with(#more)));
    let without = (!less.is_empty()).then(|| list(&less)).map(|less| quote!(.without(#less)));
    quote!(::shape_core::type_sets::#constant #with #without)
}

pub(super) fn tensors(allow: &[Type]) -> impl Iterator<Item = &Element> {
    allow.iter().filter_map(|ty| match ty {
        Type::Tensor(element) => Some(element),
        _ => None,
    })
}

/// A type as a constant expression.
fn type_value(ty: &Type) -> TokenStream {
    let wrapped = |of: &Type, form: TokenStream| {
        let of = type_value(of);
        // The reader of descriptors bounds the nesting below what the core's word holds.
        quote!(match #of.#form {
            ::core::option::Option::Some(ty) => ty,
            ::core::option::Option::None => ::core::panic!("a type that nests too deep"),
        })
    };
    match ty {
        Type::Tensor(element) => {
            let element = data_type(element);
            quote!(::shape_core::types::Type::tensor(::shape_core::data_type::DataType::#element))
        }
        Type::SparseTensor(element) => {
            let element = data_type(element);
            quote!(::shape_core::types::Type::sparse_tensor(::shape_core::data_type::DataType::#element))
        }
        Type::Sequence(of) => wrapped(of, quote!(sequence())),
        Type::Optional(of) => wrapped(of, quote!(optional())),
        Type::Map(key, of) => {
            let key = data_type(key);
            wrapped(of, quote!(map(::shape_core::data_type::DataType::#key)))
        }
    }
}
