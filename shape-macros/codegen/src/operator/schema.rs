//! The static tables of a version.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use shape_specs::Operator;
use shape_specs::document::{ParameterOption, SubgraphKind, SupportLevel};
use shape_specs::operator::{Attribute, Exclusive, Parameter, ParameterType, TypeConstraint, Version};
use shape_specs::rules::{Argument, Call, DimsRule, Given, Is, TypeOf, TypeSource};
use shape_specs::tables::{Element, Tables, Type};
use shape_specs::terms::{Expression, Operation, Term};

use crate::names::{camel, constant, ident};
use crate::rules::rule;
use crate::tables::{data_type, option};
use crate::value::attribute_value;

/// The static tables of a version: those that differ from the version before, and the schema as what changes of it.
pub(super) fn schema(operator: &Operator, version: &Version, before: Option<&Version>, tables: &Tables) -> TokenStream {
    let attributes = version.attributes.iter().map(|attribute| attribute_row(attribute, None)).collect();
    schema_with(operator, version, before, tables, attributes, None)
}

/// The same with rows of attributes, and a list of rules in place of the version's, from elsewhere.
pub(crate) fn schema_with(
    operator: &Operator,
    version: &Version,
    before: Option<&Version>,
    tables: &Tables,
    attributes: Vec<TokenStream>,
    rules: Option<TokenStream>,
) -> TokenStream {
    let schema = format_ident!("SCHEMA_{}", version.since);
    let mut set = Vec::new();
    let part = |field: &str, same: bool, rows: Vec<TokenStream>, set: &mut Vec<TokenStream>| {
        if !same {
            let field = ident(field);
            set.push(quote!(#field: &[#(#rows),*]));
        }
    };
    part("attributes", before.is_some_and(|before| before.attributes == version.attributes), attributes, &mut set);
    part(
        "inputs",
        before.is_some_and(|before| before.inputs == version.inputs),
        version.inputs.iter().map(parameter_row).collect(),
        &mut set,
    );
    part(
        "outputs",
        before.is_some_and(|before| before.outputs == version.outputs),
        version.outputs.iter().map(parameter_row).collect(),
        &mut set,
    );
    part(
        "types",
        before.is_some_and(|before| before.types == version.types),
        version
            .types
            .iter()
            .enumerate()
            .map(|(index, constraint)| constraint_row(index, constraint, before, tables))
            .collect(),
        &mut set,
    );
    let mut few = |field: &str, rows: Vec<TokenStream>, old: Option<Vec<TokenStream>>| {
        let text = |rows: &[TokenStream]| rows.iter().map(ToString::to_string).collect::<Vec<_>>();
        let same = text(&old.unwrap_or_default()) == text(&rows);
        part(field, same, rows, &mut set);
    };
    few("exclusive", exclusive_rows(version), before.map(exclusive_rows));
    match rules {
        Some(rules) => set.push(quote!(rules: #rules)),
        None => few("rules", rule_rows(operator, version), before.map(|before| rule_rows(operator, before))),
    }
    let mut scalar = |field: &str, same: bool, value: TokenStream| {
        if !same {
            let field = ident(field);
            set.push(quote!(#field: #value));
        }
    };
    let plain = plain();
    let same = |same: fn(&Version, &Version) -> bool| same(before.unwrap_or(&plain), version);
    let Version { summary, details, deprecated, function, shape_inference, deterministic, since, .. } = version;
    let level = match version.support_level {
        SupportLevel::Common => quote!(::shape_core::schema::SupportLevel::Common),
        SupportLevel::Experimental => quote!(::shape_core::schema::SupportLevel::Experimental),
    };
    let (domain, op) = (&operator.domain, &operator.name);
    scalar("domain", before.is_some(), quote!(#domain));
    scalar("name", before.is_some(), quote!(#op));
    scalar("since_version", false, quote!(#since));
    scalar("summary", same(|a, b| a.summary == b.summary), quote!(#summary));
    scalar("details", same(|a, b| a.details == b.details), quote!(#details));
    scalar("deprecated", same(|a, b| a.deprecated == b.deprecated), quote!(#deprecated));
    scalar("support_level", same(|a, b| a.support_level == b.support_level), level);
    scalar("has_function", same(|a, b| a.function == b.function), quote!(#function));
    scalar("has_shape_inference", same(|a, b| a.shape_inference == b.shape_inference), quote!(#shape_inference));
    scalar("deterministic", same(|a, b| a.deterministic == b.deterministic), quote!(#deterministic));
    let subgraphs = option(version.subgraphs.map(|kind| {
        let kind = match kind {
            SubgraphKind::Branch => quote!(Branch),
            SubgraphKind::Loop => quote!(Loop),
            SubgraphKind::Scan => quote!(Scan),
            SubgraphKind::BatchedScan => quote!(BatchedScan),
            SubgraphKind::Map => quote!(Map),
        };
        quote!(::shape_core::schema::SubgraphKind::#kind)
    }));
    scalar("subgraphs", same(|a, b| a.subgraphs == b.subgraphs), subgraphs);
    // What a version says of itself beside the one before it is not handed on to the next.
    let own = |of: fn(&Version) -> bool| !of(before.unwrap_or(&plain)) && !of(version);
    let semantics = option(version.semantics.as_ref());
    scalar("semantics", own(|version| version.semantics.is_some()), semantics);
    let adapter = option(version.adapter.as_ref().map(|adapter| {
        let adapter = constant(adapter);
        quote!(::shape_core::adapters::#adapter)
    }));
    scalar("adapter", own(|version| version.adapter.is_some()), adapter);
    let rest = match before {
        Some(before) => format_ident!("SCHEMA_{}", before.since).to_token_stream(),
        None => quote!(::shape_core::schema::Schema::EMPTY),
    };
    // A version may say all there is.
    quote! {
        #[allow(clippy::needless_update)]
        static #schema: ::shape_core::schema::Schema = ::shape_core::schema::Schema { #(#set,)* ..#rest };
    }
}

/// The version that says nothing, as `Schema::EMPTY` has it.
fn plain() -> Version {
    Version {
        since: 0,
        line: 0,
        summary: String::new(),
        details: String::new(),
        sources: Vec::new(),
        deprecated: false,
        function: false,
        support_level: SupportLevel::Common,
        shape_inference: false,
        deterministic: true,
        subgraphs: None,
        semantics: None,
        adapter: None,
        attributes: Vec::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        types: Vec::new(),
        exclusive: Vec::new(),
        rules: Vec::new(),
    }
}

/// What a Rust type says of an attribute of which the facts know nothing but the kind: the values, and the default.
pub(crate) struct Closed {
    pub(crate) values: TokenStream,
    pub(crate) default: Option<TokenStream>,
}

/// The row of an attribute in its table.
pub(crate) fn attribute_row(attribute: &Attribute, closed: Option<Closed>) -> TokenStream {
    let Attribute { name, kind, required, default, values, range, legacy, doc } = attribute;
    let variant = camel(&kind.name().to_lowercase());
    let (values, default) = match closed {
        Some(Closed { values, default }) => (Some(values), default),
        None => {
            let values: Vec<_> = values.iter().map(|value| attribute_value(kind.element(), value)).collect();
            (
                (!values.is_empty()).then(|| quote!(&[#(#values),*])),
                default.as_ref().map(|default| attribute_value(*kind, default)),
            )
        }
    };
    let bound = |bound: &Option<_>| bound.as_ref().map(|bound| attribute_value(kind.element(), bound));
    let some = |value: Option<TokenStream>| value.map(|value| option(Some(value)));
    let fields = [
        ("required", required.then(|| quote!(true))),
        ("default", some(default)),
        ("values", values),
        ("min", some(bound(&range.min))),
        ("max", some(bound(&range.max))),
        ("legacy", legacy.then(|| quote!(true))),
        ("doc", (!doc.is_empty()).then(|| quote!(#doc))),
    ];
    let fields = given(&fields);
    quote!(::shape_core::schema::Attribute {
        name: #name,
        kind: ::shape_core::node::AttributeKind::#variant,
        #fields
        ..::shape_core::schema::Attribute::PLAIN
    })
}

/// The fields that are not as a plain row has them.
fn given(fields: &[(&str, Option<TokenStream>)]) -> TokenStream {
    let fields = fields.iter().filter_map(|(field, value)| {
        let (field, value) = (ident(field), value.as_ref()?);
        Some(quote!(#field: #value,))
    });
    quote!(#(#fields)*)
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
        ParameterOption::Single => None,
        ParameterOption::Optional => Some(quote!(::shape_core::schema::ParameterOption::Optional)),
        ParameterOption::Variadic => Some(quote!(::shape_core::schema::ParameterOption::Variadic)),
    };
    let fields = given(&[
        ("option", option),
        ("homogeneous", (!homogeneous).then(|| quote!(false))),
        ("min_arity", (*min_arity != 1).then(|| quote!(#min_arity))),
        ("doc", (!doc.is_empty()).then(|| quote!(#doc))),
    ]);
    quote!(::shape_core::schema::FormalParameter {
        name: #name,
        ty: #ty,
        #fields
        ..::shape_core::schema::FormalParameter::PLAIN
    })
}

fn exclusive_rows(version: &Version) -> Vec<TokenStream> {
    let rows = version.exclusive.iter().map(
        |Exclusive { of, required }| quote!(::shape_core::schema::Exclusive { of: &[#(#of),*], required: #required }),
    );
    rows.collect()
}

fn rule_rows(operator: &Operator, version: &Version) -> Vec<TokenStream> {
    let rows = version.rules.iter().filter_map(|rule| {
        let output = version.outputs.iter().position(|output| output.name == rule.output)?;
        let output = Literal::usize_unsuffixed(output);
        let types = rule.types.iter().filter_map(|source| type_source(version, source));
        let dims = option(rule.dims.as_ref().map(|dims| match dims {
            DimsRule::Call(call) => {
                let call = call_row(operator, version, call);
                quote!(::shape_core::rules::DimsRule::Call(#call))
            }
            DimsRule::Terms(terms) => {
                let terms = terms.0.iter().filter_map(|term| term_row(version, term));
                quote!(::shape_core::rules::DimsRule::Terms(&[#(#terms),*]))
            }
        }));
        let elements = option(rule.elements.as_ref().map(|call| call_row(operator, version, call)));
        let types = quote!(&[#(#types),*]);
        Some(quote!(::shape_core::rules::OutputRule { output: #output, types: #types, dims: #dims, elements: #elements }))
    });
    rows.collect()
}

fn call_row(operator: &Operator, version: &Version, call: &Call) -> TokenStream {
    let rule = rule(operator, version, call);
    let arguments = call.arguments.iter().map(|argument| match argument {
        Argument::Int(number) => {
            let number = Literal::i64_unsuffixed(*number);
            quote!(::shape_core::rules::Argument::Int(#number))
        }
        Argument::Named(name) => match place(version, name) {
            Some((place, true)) => quote!(::shape_core::rules::Argument::Input(#place)),
            Some((place, false)) => quote!(::shape_core::rules::Argument::Attribute(#place)),
            None => quote!(::shape_core::rules::Argument::Absent),
        },
        Argument::Absent => quote!(::shape_core::rules::Argument::Absent),
    });
    quote!(::shape_core::rules::Call { rule: #rule, arguments: &[#(#arguments),*] })
}

/// A term; `None` where it names what the version does not have, which is a mistake that was told.
fn term_row(version: &Version, term: &Term) -> Option<TokenStream> {
    Some(match term {
        Term::Data => quote!(::shape_core::rules::Term::Data),
        Term::Dim(expression) => {
            let expression = expression_row(version, expression)?;
            quote!(::shape_core::rules::Term::Dim(#expression))
        }
        Term::Stretch { of, from, to } => {
            let (place, is_input) = place(version, of)?;
            let from = Literal::i64_unsuffixed(*from);
            let to = option(to.map(Literal::i64_unsuffixed));
            if is_input {
                quote!(::shape_core::rules::Term::Axes { input: #place, from: #from, to: #to })
            } else {
                quote!(::shape_core::rules::Term::Entries { attribute: #place, from: #from, to: #to })
            }
        }
    })
}

fn expression_row(version: &Version, expression: &Expression) -> Option<TokenStream> {
    let (variant, fields) = match expression {
        Expression::Number(number) => {
            let number = Literal::i64_unsuffixed(*number);
            ("Int", quote!(#number))
        }
        Expression::Name(name) => {
            let (place, is_input) = place(version, name)?;
            (if is_input { "Element" } else { "Attribute" }, quote!(#place))
        }
        Expression::Entry(name, index) => {
            let ((place, is_input), index) = (place(version, name)?, Literal::i64_unsuffixed(*index));
            (if is_input { "Axis" } else { "Entry" }, quote!(#place, #index))
        }
        Expression::Length(lists) => {
            let places = lists.iter().filter_map(|name| Some(place(version, name)?.0));
            ("Length", quote!(&[#(#places),*]))
        }
        Expression::Rank(name) => {
            let (place, _) = place(version, name)?;
            ("Rank", quote!(#place))
        }
        Expression::Size(name) => {
            let (place, _) = place(version, name)?;
            (stringify!(Size), quote!(#place))
        }
        Expression::Operation(operation, left, right) => {
            let operation = match operation {
                Operation::Add => quote!(Add),
                Operation::Sub => quote!(Sub),
                Operation::Mul => quote!(Mul),
                Operation::FloorDiv => quote!(FloorDiv),
                Operation::Mod => quote!(Mod),
                Operation::Min => quote!(Min),
                Operation::Max => quote!(Max),
            };
            let (left, right) = (expression_row(version, left)?, expression_row(version, right)?);
            ("Operation", quote!(::shape_core::elements::arithmetic::Operation::#operation, &#left, &#right))
        }
    };
    let variant = format_ident!("{variant}");
    Some(quote!(::shape_core::rules::Expression::#variant(#fields)))
}

/// A source of a type; `None` where it names what the version does not have, which is a mistake that was told.
fn type_source(version: &Version, source: &TypeSource) -> Option<TokenStream> {
    let given = match &source.given {
        None => None,
        Some(Given { name, is }) => {
            let (place, is_input) = place(version, name)?;
            Some(match is {
                Some(Is::Type(ty)) => {
                    let ty = type_value(ty);
                    quote!(::shape_core::rules::Given::InputOf(#place, #ty))
                }
                Some(Is::Value(value)) => {
                    let attribute = version.attributes.iter().find(|attribute| attribute.name == *name)?;
                    let value = attribute_value(attribute.kind, value);
                    quote!(::shape_core::rules::Given::AttributeIs(#place, #value))
                }
                None if is_input => quote!(::shape_core::rules::Given::Input(#place)),
                None => quote!(::shape_core::rules::Given::Attribute(#place)),
            })
        }
    };
    let (of, given) = (type_of(version, &source.of)?, option(given));
    Some(quote!(::shape_core::rules::TypeSource { of: #of, given: #given }))
}

/// The place of an attribute or input, and whether it is an input.
fn place(version: &Version, name: &str) -> Option<(Literal, bool)> {
    let attribute = version.attributes.iter().position(|attribute| attribute.name == name).map(|at| (at, false));
    let input = || version.inputs.iter().position(|input| input.name == name).map(|at| (at, true));
    attribute.or_else(input).map(|(at, is_input)| (Literal::usize_unsuffixed(at), is_input))
}

fn type_of(version: &Version, of: &TypeOf) -> Option<TokenStream> {
    let (form, of) = match of {
        TypeOf::Type(ty) => {
            let ty = type_value(ty);
            return Some(quote!(::shape_core::rules::TypeOf::Type(#ty)));
        }
        TypeOf::Named { name, from } => {
            let ((place, is_input), from) = (place(version, name)?, Literal::usize_unsuffixed(*from));
            return Some(if is_input {
                quote!(::shape_core::rules::TypeOf::Input(#place))
            } else {
                quote!(::shape_core::rules::TypeOf::Attribute { index: #place, from: #from })
            });
        }
        TypeOf::Sequence(of) => (quote!(Sequence), of),
        TypeOf::Optional(of) => (quote!(Optional), of),
        TypeOf::Element(of) => (quote!(Element), of),
        TypeOf::Value(of) => (quote!(Value), of),
        TypeOf::Updated { groups, name } => {
            let (input, groups) = (place(version, name)?.0, Literal::usize_unsuffixed(*groups));
            return Some(quote!(::shape_core::rules::TypeOf::Updated { input: #input, groups: #groups }));
        }
    };
    let of = type_of(version, of)?;
    Some(quote!(::shape_core::rules::TypeOf::#form(&#of)))
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
pub(crate) fn type_set(allow: &[Type], tables: &Tables) -> TokenStream {
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
pub(crate) fn type_value(ty: &Type) -> TokenStream {
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
