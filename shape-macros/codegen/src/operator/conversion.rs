//! Generates the conversions between the structs of neighbouring versions.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use shape_specs::operator::{Attribute, Exclusive, Parameter, Range, Version};
use shape_specs::{Operator, Tables, document, lower};

use super::enums::{self, is_closed};
use super::structs::lifetime;
use crate::constant::{Printer, schema_name};
use crate::names::{field, versioned};

/// The conversions between the structs of two neighbours: up where the newer one holds all that the older one says,
/// down where it may.
pub(super) fn conversions(operator: &Operator, before: &Version, version: &Version, tables: &Tables) -> TokenStream {
    let names = |list: &[Parameter]| list.iter().map(|parameter| parameter.name.clone()).collect::<Vec<_>>();
    let same = |of: fn(&Version) -> &Vec<Parameter>| names(of(before)) == names(of(version));
    if version.semantics.is_some() || !same(|version| &version.inputs) || !same(|version| &version.outputs) {
        return TokenStream::new();
    }
    let (up, down) =
        (Fields::carry(operator, before, version, tables), Fields::carry(operator, version, before, tables));
    let (old, new) = (versioned(operator, before), versioned(operator, version));
    let (old_lifetime, new_lifetime) = (lifetime(before), lifetime(version));
    let generics = if old_lifetime.is_empty() { &new_lifetime } else { &old_lifetime };
    let schema = schema_name(version.since);
    let same = |fields: &&Fields| fields.new.is_empty() && fields.lost.is_empty();
    if let (Some(Fields { kept, .. }), Some(_)) = (up.as_ref().filter(same), down.as_ref().filter(same)) {
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
    /// Those that only the one has, with their indices in its schema and the same values.
    lost: Vec<TokenStream>,
}

impl Fields {
    /// `None` where the other version has an attribute otherwise, or one of the two has one that cannot be absent.
    fn carry(operator: &Operator, from: &Version, to: &Version, tables: &Tables) -> Option<Self> {
        if !keeps_exclusions(from, to) {
            return None;
        }
        let mut carried = Self { kept: Vec::new(), new: Vec::new(), lost: Vec::new() };
        let other =
            |version: &Version, name: &str| version.attributes.iter().find(|attribute| attribute.name == name).cloned();
        for (index, old) in from.attributes.iter().enumerate() {
            let field = field(&old.name);
            let Some(new) = other(to, &old.name) else {
                if old.required {
                    return None;
                }
                if !old.legacy {
                    let (index, value) = (Literal::usize_unsuffixed(index), absent(operator, old, tables));
                    carried.lost.push(quote!(#index #field: #value));
                }
                continue;
            };
            let form = |attribute: &Attribute| (attribute.kind, attribute.required, attribute.default.is_some());
            let every_value = new.values.is_empty()
                || (!old.values.is_empty() && old.values.iter().all(|value| new.values.contains(value)));
            let every_value = every_value && (new.range == old.range || new.range == Range::default());
            if form(old) != form(&new) || is_closed(old) != is_closed(&new) || !every_value {
                return None;
            }
            carried.kept.push(field);
        }
        for new in to.attributes.iter().filter(|new| other(from, &new.name).is_none()) {
            if new.required {
                return None;
            }
            let (field, value) = (field(&new.name), absent(operator, new, tables));
            carried.new.push(quote!(#field: #value));
        }
        Some(carried)
    }
}

/// The value of the field of an attribute that a node does not give, and need not.
fn absent(operator: &Operator, attribute: &Attribute, tables: &Tables) -> TokenStream {
    match &attribute.default {
        Some(document::Literal::Text(text)) if is_closed(attribute) => enums::value(operator, &attribute.name, text),
        Some(default) => {
            let value = lower::value(attribute.kind, default);
            value.map(|value| Printer::new(tables).print(&value)).unwrap_or_default()
        }
        None => quote!(::core::option::Option::None),
    }
}

/// Whether what excludes each other in a version did so in the other one, as far as that had it.
fn keeps_exclusions(from: &Version, to: &Version) -> bool {
    let had = |name: &&String| {
        from.attributes.iter().any(|attribute| attribute.name == **name)
            || from.inputs.iter().any(|input| input.name == **name)
    };
    let required =
        |name: &&String| from.attributes.iter().any(|attribute| attribute.name == **name && attribute.required);
    to.exclusive.iter().all(|group| {
        let known: Vec<&String> = group.of.iter().filter(had).collect();
        let within = |old: &&Exclusive| known.iter().all(|name| old.of.contains(name));
        let one_at_most = known.len() < 2 || from.exclusive.iter().any(|old| within(&old));
        let one_at_least = !group.required
            || known.iter().any(required)
            || from.exclusive.iter().any(|old| old.required && old.of.iter().all(|name| group.of.contains(name)));
        one_at_most && one_at_least
    })
}
