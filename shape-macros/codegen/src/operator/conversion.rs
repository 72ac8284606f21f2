//! The conversions between the structs of neighbouring versions.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use shape_specs::Operator;
use shape_specs::operator::{Attribute, Exclusive, Parameter, Range, Version};

use super::enums::is_closed;
use super::structs::lifetime;
use super::versioned;
use crate::names::ident;
use crate::value::default_value;

/// The conversions between the structs of two neighbours: up where the newer one holds all that the older one says, down
/// where it may.
pub(super) fn conversions(operator: &Operator, before: &Version, version: &Version) -> TokenStream {
    let names = |list: &[Parameter]| list.iter().map(|parameter| parameter.name.clone()).collect::<Vec<_>>();
    let same = |of: fn(&Version) -> &Vec<Parameter>| names(of(before)) == names(of(version));
    if version.semantics.is_some() || !same(|version| &version.inputs) || !same(|version| &version.outputs) {
        return TokenStream::new();
    }
    let (up, down) = (Fields::carry(operator, before, version), Fields::carry(operator, version, before));
    let (old, new) = (versioned(operator, before), versioned(operator, version));
    let (old_lifetime, new_lifetime) = (lifetime(before), lifetime(version));
    let generics = if old_lifetime.is_empty() { &new_lifetime } else { &old_lifetime };
    let schema = format_ident!("SCHEMA_{}", version.since);
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
    /// Those that only the one has, with their places in its schema and the same values.
    lost: Vec<TokenStream>,
}

impl Fields {
    /// `None` where the other version has an attribute otherwise, or one of the two has one that cannot be absent.
    fn carry(operator: &Operator, from: &Version, to: &Version) -> Option<Self> {
        if !keeps_exclusions(from, to) {
            return None;
        }
        let mut carried = Self { kept: Vec::new(), new: Vec::new(), lost: Vec::new() };
        let other =
            |version: &Version, name: &str| version.attributes.iter().find(|attribute| attribute.name == name).cloned();
        for (index, old) in from.attributes.iter().enumerate() {
            let field = ident(&old.name);
            let Some(new) = other(to, &old.name) else {
                if old.required {
                    return None;
                }
                if !old.legacy {
                    let (index, value) = (Literal::usize_unsuffixed(index), default_value(operator, old));
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
            let (field, value) = (ident(&new.name), default_value(operator, new));
            carried.new.push(quote!(#field: #value));
        }
        Some(carried)
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
