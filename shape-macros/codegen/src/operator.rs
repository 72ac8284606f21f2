//! The module of one operator.
//!
//! **Architecture Invariant.** Every path is absolute and no item of a prelude is named, so that the code compiles
//! wherever it is put. What can be written once stands in the core; here are tables, and structs thin enough to read.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use shape_specs::Operator;
use shape_specs::document::{self, AttributeKind, ParameterOption, SupportLevel};
use shape_specs::operator::{
    Attribute, Example, Expectation, Parameter, ParameterType, Tensor, TypeConstraint, Version,
};
use shape_specs::tables::{Element, Tables, Type};

use crate::names::{camel, constant, ident, snake};
use crate::tables::{data_type, element_type, marker_trait, option};

/// The module of an operator: its tables, a struct a version, an enum over the versions, and its examples as tests.
#[must_use]
pub fn operator(operator: &Operator, tables: &Tables) -> TokenStream {
    let module = ident(&snake(&operator.name));
    let list: Vec<String> =
        operator.versions.iter().map(|version| format!("[{0}]({1}{0})", version.since, operator.name)).collect();
    let docs = doc([
        format!("`{}`: {}", operator.name, operator.summary),
        format!("Versions: {}. Described in `{}`.", list.join(", "), operator.file),
    ]);
    let mut before: Option<&Version> = None;
    let mut versions = TokenStream::new();
    for version in &operator.versions {
        versions.extend(one_version(operator, version, before, tables));
        before = Some(version);
    }
    let any = any_version(operator);
    let schemas = operator.versions.iter().map(|version| format_ident!("SCHEMA_{}", version.since));
    let tests = tests(operator);
    quote! {
        #docs
        pub mod #module {
            #any

            /// The schemas of all versions, oldest first.
            pub static VERSIONS: &[&::shape_core::schema::Schema] = &[#(&#schemas),*];

            #versions
            #tests
        }
    }
}

/// A doc comment of paragraphs.
fn doc(paragraphs: impl IntoIterator<Item = String>) -> TokenStream {
    let text = paragraphs.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n");
    text.lines()
        .map(|line| {
            let line = if line.is_empty() { String::new() } else { format!(" {line}") };
            quote!(#[doc = #line])
        })
        .collect()
}

fn one_version(operator: &Operator, version: &Version, before: Option<&Version>, tables: &Tables) -> TokenStream {
    let schema = schema(operator, version, before, tables);
    let item = item(operator, version);
    let implementation = implementation(operator, version);
    let conversions = before.map(|before| conversions(operator, before, version));
    let typed = typed(operator, version);
    quote! {
        #item
        #schema
        #implementation
        #conversions
        #typed
    }
}

/// The name of a version's struct: `Shape15`.
fn versioned(operator: &Operator, version: &Version) -> syn::Ident {
    format_ident!("{}{}", operator.name, version.since)
}

/// The field type of an attribute's kind; `None` where a kind has no view yet and is in the schema alone.
fn field_type(kind: AttributeKind) -> Option<(TokenStream, bool)> {
    Some(match kind {
        AttributeKind::Int => (quote!(::core::primitive::i64), false),
        AttributeKind::Float => (quote!(::core::primitive::f32), false),
        AttributeKind::String => (quote!(&'a [::core::primitive::u8]), true),
        AttributeKind::Ints => (quote!(&'a [::core::primitive::i64]), true),
        AttributeKind::Floats => (quote!(&'a [::core::primitive::f32]), true),
        _ => return None,
    })
}

/// The attributes that are fields, with the place of each in the schema.
fn fields(version: &Version) -> impl Iterator<Item = (usize, &Attribute, TokenStream)> {
    version.attributes.iter().enumerate().filter_map(|(index, attribute)| {
        let (ty, _) = field_type(attribute.kind)?;
        let plain = attribute.required || attribute.default.is_some();
        let ty = if plain { ty } else { quote!(::core::option::Option<#ty>) };
        Some((index, attribute, ty))
    })
}

/// `<'a>` for a version with a field that borrows, nothing for one without.
fn lifetime(version: &Version) -> TokenStream {
    let borrows = |attribute: &Attribute| field_type(attribute.kind).is_some_and(|(_, borrows)| borrows);
    if version.attributes.iter().any(borrows) { quote!(<'a>) } else { TokenStream::new() }
}

fn item(operator: &Operator, version: &Version) -> TokenStream {
    let name = versioned(operator, version);
    let lifetime = lifetime(version);
    let unseen: Vec<String> = version
        .attributes
        .iter()
        .filter(|attribute| field_type(attribute.kind).is_none())
        .map(|attribute| format!("`{}` ({})", attribute.name, attribute.kind.name()))
        .collect();
    let facts = [
        format!("[`{0}`] since opset {1} (`{2}:{3}`)", operator.name, version.since, operator.file, version.line),
        match version.support_level {
            SupportLevel::Common => String::new(),
            SupportLevel::Experimental => ", experimental".to_owned(),
        },
        if version.deprecated { ", deprecated".to_owned() } else { String::new() },
        ".".to_owned(),
    ];
    let note = match &*unseen {
        [] => String::new(),
        unseen => format!("In the schema alone: {}.", unseen.join(", ")),
    };
    let docs = doc([version.summary.clone(), facts.concat(), note]);
    let fields: Vec<_> = fields(version).collect();
    let plain_defaults = fields.iter().all(|(_, attribute, _)| match &attribute.default {
        None => !attribute.required,
        Some(document::Literal::Int(value)) => *value == 0,
        Some(document::Literal::Float(value)) => *value == 0.0 && value.is_sign_positive(),
        Some(_) => false,
    });
    let derive_default = plain_defaults.then(|| quote!(, ::core::default::Default));
    let default = (!plain_defaults && fields.iter().all(|(_, attribute, _)| !attribute.required)).then(|| {
        let values = fields.iter().map(|(_, attribute, _)| {
            let field = ident(&attribute.name);
            let value = attribute
                .default
                .as_ref()
                .map_or_else(|| quote!(::core::option::Option::None), |default| plain_value(attribute.kind, default));
            quote!(#field: #value)
        });
        quote! {
            impl #lifetime ::core::default::Default for #name #lifetime {
                fn default() -> Self {
                    Self { #(#values),* }
                }
            }
        }
    });
    let body = if fields.is_empty() {
        quote!(;)
    } else {
        let fields = fields.iter().map(|(_, attribute, ty)| {
            let field = ident(&attribute.name);
            let text = if attribute.doc.is_empty() {
                format!("The attribute `{}`.", attribute.name)
            } else {
                attribute.doc.clone()
            };
            let docs = doc([text]);
            quote!(#docs pub #field: #ty)
        });
        quote!({ #(#fields),* })
    };
    quote! {
        #docs
        #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq #derive_default)]
        pub struct #name #lifetime #body
        #default
    }
}

/// The value of the field of an attribute that a node does not give, and need not.
fn default_value(attribute: &Attribute) -> TokenStream {
    match &attribute.default {
        Some(default) => plain_value(attribute.kind, default),
        None => quote!(::core::option::Option::None),
    }
}

/// The value of a field.
fn plain_value(kind: AttributeKind, value: &document::Literal) -> TokenStream {
    match (kind, value) {
        (_, document::Literal::Int(value)) => {
            let value = Literal::i64_unsuffixed(*value);
            quote!(#value)
        }
        (_, document::Literal::Float(value)) => float(*value),
        (_, document::Literal::Text(text)) => {
            let bytes = Literal::byte_string(text.as_bytes());
            quote!(#bytes)
        }
        (AttributeKind::Ints | AttributeKind::Floats, document::Literal::List(list)) => {
            let values = list.iter().map(|value| plain_value(kind, value));
            quote!(&[#(#values),*])
        }
        // The descriptor's rules leave nothing else.
        _ => quote!(::core::compile_error!("a default of an unknown kind")),
    }
}

/// A FLOAT has 32 bits; infinities and NaN have no literal.
fn float(value: f64) -> TokenStream {
    #[expect(clippy::cast_possible_truncation, reason = "rounding to 32 bits is what ONNX does with the default")]
    let value = value as f32;
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

/// The value of an attribute as the core's `AttributeValue`.
fn attribute_value(kind: AttributeKind, value: &document::Literal) -> TokenStream {
    let variant = camel(&kind.name().to_lowercase());
    let value = plain_value(kind, value);
    quote!(::shape_core::node::AttributeValue::#variant(#value))
}

/// The kind that a literal has when a node is written with it.
fn literal_kind(value: &document::Literal) -> AttributeKind {
    match value {
        document::Literal::Float(_) => AttributeKind::Float,
        document::Literal::Text(_) => AttributeKind::String,
        document::Literal::List(list) => match list.first() {
            Some(document::Literal::Float(_)) => AttributeKind::Floats,
            _ => AttributeKind::Ints,
        },
        _ => AttributeKind::Int,
    }
}

/// The static tables of a version: those that differ from the version before, and the schema as what changes of it.
fn schema(operator: &Operator, version: &Version, before: Option<&Version>, tables: &Tables) -> TokenStream {
    let name = versioned(operator, version);
    let schema = format_ident!("SCHEMA_{}", version.since);
    let mut items = TokenStream::new();
    let mut set = Vec::new();
    let mut part = |field: &str, same: bool, ty: TokenStream, rows: Vec<TokenStream>| {
        if !same {
            let (field, table) = (ident(field), format_ident!("{}_{}", field.to_uppercase(), version.since));
            items.extend(quote!(static #table: &[#ty] = &[#(#rows),*];));
            set.push(quote!(#field: #table));
        }
    };
    part(
        "attributes",
        before.is_some_and(|before| before.attributes == version.attributes),
        quote!(::shape_core::schema::Attribute),
        version.attributes.iter().map(attribute_row).collect(),
    );
    part(
        "inputs",
        before.is_some_and(|before| before.inputs == version.inputs),
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
        version.types.iter().map(|constraint| constraint_row(constraint, tables)).collect(),
    );
    let mut scalar = |field: &str, same: bool, value: TokenStream| {
        if !same {
            let field = ident(field);
            set.push(quote!(#field: #value));
        }
    };
    let same = |same: fn(&Version, &Version) -> bool| before.is_some_and(|before| same(before, version));
    let Version { summary, deprecated, function, shape_inference, since, .. } = version;
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
    // What a version says of itself beside the one before it is not handed on to the next.
    let own = |of: fn(&Version) -> bool| before.is_some_and(|before| !of(before)) && !of(version);
    let semantics = option(version.semantics.as_ref());
    scalar("semantics", own(|version| version.semantics.is_some()), semantics);
    let adapter = option(version.adapter.as_ref().map(|adapter| {
        let adapter = constant(adapter);
        quote!(::shape_core::adapters::#adapter)
    }));
    scalar("adapter", own(|version| version.adapter.is_some()), adapter);
    let rule = operator.kernel.as_ref().map(|_| quote!(::shape_core::operator::Rule::of::<#name>()));
    scalar("rule", false, option(rule));
    let rest = before.map(|before| {
        let schema = format_ident!("SCHEMA_{}", before.since);
        quote!(, ..#schema)
    });
    quote! {
        #items
        static #schema: ::shape_core::schema::Schema = ::shape_core::schema::Schema { #(#set),* #rest };
    }
}

fn attribute_row(attribute: &Attribute) -> TokenStream {
    let Attribute { name, kind, required, default, values, legacy, doc } = attribute;
    let variant = camel(&kind.name().to_lowercase());
    let default = option(default.as_ref().map(|default| attribute_value(*kind, default)));
    let values = values.iter().map(|value| attribute_value(*kind, value));
    quote!(::shape_core::schema::Attribute {
        name: #name,
        kind: ::shape_core::node::AttributeKind::#variant,
        required: #required,
        default: #default,
        values: &[#(#values),*],
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

fn constraint_row(constraint: &TypeConstraint, tables: &Tables) -> TokenStream {
    let TypeConstraint { name, allow, doc, .. } = constraint;
    let allow = type_set(allow, tables);
    quote!(::shape_core::schema::TypeConstraint { name: #name, allow: #allow, doc: #doc })
}

/// A set of types: a group of `types.yaml`, one with a few members more or less, or the list of them.
fn type_set(allow: &[Type], tables: &Tables) -> TokenStream {
    /// More than this many and the list says it better.
    const FEW: usize = 4;
    let own: Vec<&Element> = tensors(allow).collect();
    let others: Vec<&Type> = allow.iter().filter(|ty| !matches!(ty, Type::Tensor(_))).collect();
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
        .filter(|(differ, ..)| *differ <= FEW && others.is_empty())
        .min_by_key(|(differ, ..)| *differ);
    let Some((_, group, more, less)) = nearest.filter(|(differ, ..)| own.len() > *differ + 1) else {
        let (own, others) = (list(&own), others.into_iter().map(type_value));
        return quote!(::shape_core::types::TypeSet::new(#own, const { &[#(#others),*] }));
    };
    let constant = constant(group);
    let with = (!more.is_empty()).then(|| list(&more)).map(|more| quote!(.with(#more)));
    let without = (!less.is_empty()).then(|| list(&less)).map(|less| quote!(.without(#less)));
    quote!(::shape_core::type_sets::#constant #with #without)
}

fn tensors(allow: &[Type]) -> impl Iterator<Item = &Element> {
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

/// The `Operator` of a version: how its fields are read, and the glue to the kernel.
fn implementation(operator: &Operator, version: &Version) -> TokenStream {
    let name = versioned(operator, version);
    let schema = format_ident!("SCHEMA_{}", version.since);
    let lifetime = lifetime(version);
    let of = if lifetime.is_empty() { TokenStream::new() } else { quote!(<'of>) };
    let fields: Vec<_> = fields(version).collect();
    let read = fields.iter().map(|(index, attribute, _)| {
        let field = ident(&attribute.name);
        let index = Literal::usize_unsuffixed(*index);
        let plain = attribute.required || attribute.default.is_some();
        let how = if plain { quote!(required) } else { quote!(optional) };
        quote!(#field: ::shape_core::operator::#how(&#schema.attributes[#index], attributes)?)
    });
    let (parameter, read) =
        if fields.is_empty() { (quote!(_), quote!(#name)) } else { (quote!(attributes), quote!(#name { #(#read),* })) };
    let infer = operator.kernel.as_ref().map(|kernel| {
        let kernel = kernel.split("::").map(ident);
        let kernel = quote!(::shape_core::kernels::#(#kernel)::*);
        // `From` lets a kernel take the same argument from an attribute of one version and an input of another.
        let attributes = fields.iter().filter(|(_, attribute, _)| !attribute.legacy).map(|(_, attribute, _)| {
            let field = ident(&attribute.name);
            quote!(#field: ::core::convert::From::from(self.#field))
        });
        let inputs = version.inputs.iter().enumerate().map(|(index, input)| {
            let field = ident(&input.name);
            let index = Literal::usize_unsuffixed(index);
            quote!(#field: ::core::convert::From::from(inputs.required(#index)))
        });
        quote! {
            // A version that has all that the kernel reads leaves nothing to the default.
            #[allow(clippy::needless_update)]
            fn infer<D: ::shape_core::dims::Dimension>(
                &self,
                inputs: ::shape_core::dims::Inputs<'_, D>,
                outputs: &mut dyn ::shape_core::dims::Outputs<D>,
            ) -> ::core::result::Result<(), ::shape_core::check::Problem<'static>> {
                let arguments = #kernel::Arguments {
                    #(#attributes,)*
                    #(#inputs,)*
                    ..::core::default::Default::default()
                };
                #kernel::infer(&arguments, outputs)
            }
        }
    });
    quote! {
        impl #lifetime ::shape_core::operator::Operator for #name #lifetime {
            const SCHEMA: &'static ::shape_core::schema::Schema = &#schema;
            type Of<'of> = #name #of;

            fn read<'of>(
                #parameter: &[::shape_core::node::NodeAttribute<'of>],
            ) -> ::core::result::Result<#name #of, ::shape_core::check::Problem<'of>> {
                ::core::result::Result::Ok(#read)
            }

            #infer
        }
    }
}

/// The conversions between the structs of two neighbours: up where the newer one holds all that the older one says, down
/// where it may.
fn conversions(operator: &Operator, before: &Version, version: &Version) -> TokenStream {
    let names = |list: &[Parameter]| list.iter().map(|parameter| parameter.name.clone()).collect::<Vec<_>>();
    let same = |of: fn(&Version) -> &Vec<Parameter>| names(of(before)) == names(of(version));
    if version.semantics.is_some() || !same(|version| &version.inputs) || !same(|version| &version.outputs) {
        return TokenStream::new();
    }
    let (up, down) = (Fields::carry(before, version), Fields::carry(version, before));
    let (old, new) = (versioned(operator, before), versioned(operator, version));
    let (old_lifetime, new_lifetime) = (lifetime(before), lifetime(version));
    let generics = if old_lifetime.is_empty() { &new_lifetime } else { &old_lifetime };
    let schema = format_ident!("SCHEMA_{}", version.since);
    if let Some(Fields { kept, new: values, lost }) = &up
        && values.is_empty()
        && lost.is_empty()
        && down.is_some()
    {
        return quote! {
            ::shape_core::conversion! {
                same [#generics] #old #old_lifetime, #new #new_lifetime, #schema, { #(#kept),* }
            }
        };
    }
    let up = up.filter(|fields| fields.lost.is_empty()).map(|Fields { kept, new: values, .. }| {
        quote! {
            ::shape_core::conversion! {
                up [#generics] #old #old_lifetime, #new #new_lifetime, { #(#kept),* } { #(#values),* }
            }
        }
    });
    let down = down.map(|Fields { kept, new: values, lost }| {
        quote! {
            ::shape_core::conversion! {
                down [#generics] #new #new_lifetime, #old #old_lifetime, #schema, { #(#kept),* } { #(#values),* } { #(#lost),* }
            }
        }
    });
    quote!(#up #down)
}

/// What becomes of the fields of a version in another one.
struct Fields {
    /// Those that both have.
    kept: Vec<syn::Ident>,
    /// Those that only the other one has, with the values that stand for their absence.
    new: Vec<TokenStream>,
    /// Those that only the one has, with their places in its schema and the same values.
    lost: Vec<TokenStream>,
}

impl Fields {
    /// `None` where the other version has an attribute otherwise, or one of the two has one that cannot be absent.
    fn carry(from: &Version, to: &Version) -> Option<Self> {
        let mut carried = Self { kept: Vec::new(), new: Vec::new(), lost: Vec::new() };
        let other =
            |version: &Version, name: &str| version.attributes.iter().find(|attribute| attribute.name == name).cloned();
        for (index, old) in from.attributes.iter().enumerate() {
            let field = ident(&old.name);
            let Some(new) = other(to, &old.name) else {
                if old.required || field_type(old.kind).is_none() {
                    return None;
                }
                if !old.legacy {
                    let (index, value) = (Literal::usize_unsuffixed(index), default_value(old));
                    carried.lost.push(quote!(#index #field: #value));
                }
                continue;
            };
            let form = |attribute: &Attribute| (attribute.kind, attribute.required, attribute.default.is_some());
            let every_value = new.values.is_empty()
                || (!old.values.is_empty() && old.values.iter().all(|value| new.values.contains(value)));
            if form(old) != form(&new) || !every_value {
                return None;
            }
            if field_type(old.kind).is_some() {
                carried.kept.push(field);
            }
        }
        for new in to.attributes.iter().filter(|new| other(from, &new.name).is_none()) {
            if new.required {
                return None;
            }
            if field_type(new.kind).is_some() {
                let (field, value) = (ident(&new.name), default_value(new));
                carried.new.push(quote!(#field: #value));
            }
        }
        Some(carried)
    }
}

/// Inference on inputs whose element types are Rust types: a type that the version does not allow does not compile.
fn typed(operator: &Operator, version: &Version) -> Option<TokenStream> {
    operator.kernel.as_ref()?;
    let name = versioned(operator, version);
    let lifetime = lifetime(version);
    let mut generics = Vec::new();
    let mut traits = TokenStream::new();
    for (index, constraint) in version.types.iter().enumerate() {
        let used = version.inputs.iter().any(|input| input.ty == ParameterType::Variable(index));
        if !used {
            continue;
        }
        let elements: Vec<Element> = tensors(&constraint.allow).cloned().collect();
        if elements.len() != constraint.allow.len() {
            return None;
        }
        let variable = ident(&constraint.name);
        let bound = match &constraint.group {
            Some(group) => {
                let marker = camel(group);
                quote!(::shape_core::type_sets::#marker)
            }
            None => {
                let marker = format_ident!("{name}{}", constraint.name);
                let names = elements.iter().map(|element| &*element.name).collect::<Vec<_>>().join(", ");
                let text = format!("An element type that `{}` of [`{name}`] allows.", constraint.name);
                traits.extend(marker_trait(&marker, &text, &names, &elements));
                quote!(#marker)
            }
        };
        generics.push(quote!(#variable: #bound));
    }
    let mut parameters = Vec::new();
    let mut facts = Vec::new();
    for input in &version.inputs {
        if input.option != ParameterOption::Single {
            return None;
        }
        let element = match &input.ty {
            ParameterType::Variable(variable) => {
                let variable = ident(&version.types.get(*variable)?.name);
                quote!(#variable)
            }
            ParameterType::Fixed(Type::Tensor(element)) => element_type(element),
            ParameterType::Fixed(_) => return None,
        };
        let parameter = ident(&input.name);
        parameters.push(quote!(#parameter: ::shape_core::element::Typed<'_, #element, Dimension>));
        facts.push(quote!(::core::option::Option::Some(#parameter.fact())));
    }
    let docs = doc(["`Operator::infer` on element types that the compiler knows, with the same errors.".to_owned()]);
    Some(quote! {
        #traits
        impl #lifetime #name #lifetime {
            #docs
            pub fn infer_typed<#(#generics,)* Dimension: ::shape_core::dims::Dimension>(
                &self,
                #(#parameters,)*
                found: &mut dyn ::shape_core::dims::Outputs<Dimension>,
            ) -> ::core::result::Result<(), ::shape_core::check::Problem<'static>> {
                ::shape_core::operator::Operator::infer(self, ::shape_core::dims::Inputs(&[#(#facts),*]), found)
            }
        }
    })
}

/// The enum over the versions.
fn any_version(operator: &Operator) -> TokenStream {
    let name = ident(&operator.name);
    let lifetime = operator.versions.iter().map(lifetime).find(|lifetime| !lifetime.is_empty()).unwrap_or_default();
    let variants: Vec<_> = operator.versions.iter().map(|version| format_ident!("V{}", version.since)).collect();
    let structs: Vec<_> = operator.versions.iter().map(|version| versioned(operator, version)).collect();
    let lifetimes: Vec<_> = operator.versions.iter().map(self::lifetime).collect();
    let variant_docs = operator.versions.iter().map(|version| {
        let text = format!(" Since opset {}.", version.since);
        quote!(#[doc = #text])
    });
    let newest_first = operator.versions.iter().rev().map(|version| {
        let (variant, since) = (format_ident!("V{}", version.since), Literal::u32_unsuffixed(version.since));
        let versioned = versioned(operator, version);
        quote!(#since.. => <#versioned as ::shape_core::operator::Operator>::read(attributes).map(Self::#variant))
    });
    let docs = doc([format!("`{}` in any of its versions.", operator.name), operator.summary.clone()]);
    let result = quote!(::core::result::Result<Self, ::shape_core::check::Problem<'a>>);
    let (attributes_lifetime, fn_generics) =
        if lifetime.is_empty() { (quote!('a), quote!(<'a>)) } else { (quote!('a), TokenStream::new()) };
    quote! {
        #docs
        #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
        pub enum #name #lifetime {
            #(#variant_docs #variants(#structs #lifetimes)),*
        }

        impl #lifetime #name #lifetime {
            /// Reads a node as the version that is in force at an opset; `None` before the first version.
            ///
            /// # Errors
            /// The first attribute that is missing, of another kind, or outside of the allowed values.
            pub fn read #fn_generics(
                opset: ::core::primitive::u32,
                attributes: &[::shape_core::node::NodeAttribute<#attributes_lifetime>],
            ) -> ::core::option::Option<#result> {
                ::core::option::Option::Some(match opset {
                    #(#newest_first,)*
                    _ => return ::core::option::Option::None,
                })
            }

            /// The facts of the version.
            #[must_use]
            pub fn schema(&self) -> &'static ::shape_core::schema::Schema {
                match self {
                    #(Self::#variants(_) => <#structs as ::shape_core::operator::Operator>::SCHEMA,)*
                }
            }
        }
    }
}

/// The examples, a test each, which runs for every version that the example holds for.
fn tests(operator: &Operator) -> TokenStream {
    if operator.examples.is_empty() {
        return TokenStream::new();
    }
    let tests = operator.examples.iter().map(|example| {
        let name = ident(&snake(&example.name));
        let example = example_value(operator, example);
        quote! {
            #[::core::prelude::v1::test]
            fn #name() {
                static EXAMPLE: Example = #example;
                EXAMPLE.check(VERSIONS);
            }
        }
    });
    quote! {
        #[cfg(test)]
        mod examples {
            use super::VERSIONS;
            use ::shape_core::example::names::*;

            #(#tests)*
        }
    }
}

/// An example in the names that `shape_core::example::names` brings: in the module of the tests there are no others.
fn example_value(operator: &Operator, example: &Example) -> TokenStream {
    let Example { name, line, since, until, inputs, attributes, expect, .. } = example;
    let origin = format!("{}:{line}", operator.file);
    let since = Literal::u32_unsuffixed(*since);
    let until = match until {
        Some(until) => {
            let until = Literal::u32_unsuffixed(*until);
            quote!(Some(#until))
        }
        None => quote!(None),
    };
    let inputs = inputs.iter().map(tensor_value);
    let attributes = attributes.iter().map(|(name, value)| {
        let kind = literal_kind(value);
        let (variant, value) = (camel(&kind.name().to_lowercase()), plain_value(kind, value));
        quote!(given(#name, AttributeValue::#variant(#value)))
    });
    let expect = match expect {
        Expectation::Outputs(outputs) => {
            let outputs = outputs.iter().map(tensor_value);
            quote!(Expectation::Outputs(&[#(#outputs),*]))
        }
        Expectation::Error(code) => {
            let code = camel(code);
            quote!(Expectation::Error(Code::#code))
        }
    };
    quote!(Example {
        name: #name,
        origin: #origin,
        since: #since,
        until: #until,
        inputs: &[#(#inputs),*],
        attributes: &[#(#attributes),*],
        expect: #expect,
    })
}

fn tensor_value(tensor: &Tensor) -> TokenStream {
    let Tensor { element, dims, values } = tensor;
    let variant = data_type(element);
    let dims = dims.iter().map(|dim| Literal::u64_unsuffixed(*dim));
    match values.as_ref().filter(|_| element.name == "int64") {
        Some(values) => {
            let values = values.iter().map(|value| plain_value(AttributeKind::Int, value));
            quote!(int64s(&[#(#dims),*], &[#(#values),*]))
        }
        None => quote!(tensor(DataType::#variant, &[#(#dims),*])),
    }
}
