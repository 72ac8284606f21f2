//! Writes the module of an operator, or what it has for one version.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use shape_specs::Operator;
use shape_specs::lower::SchemaName;
use shape_specs::operator::Version;
use shape_specs::tables::Tables;

use super::structs::lifetime;
use super::{connections, enums, schema, structs};
use crate::constant::schema_name;
use crate::docs::{doc, inner_doc};
use crate::names::{ident, module, versioned};

/// The module of an operator: its tables, its structs, and an enum over the versions.
#[must_use]
pub fn operator(operator: &Operator, tables: &Tables) -> TokenStream {
    let module = module(operator);
    let list: Vec<String> =
        operator.versions.iter().map(|version| format!("[{0}]({1}{0})", version.since, operator.name)).collect();
    // Within the module, so that its links begin there.
    let docs = inner_doc([
        format!("`{}`: {}", operator.name, operator.summary),
        format!("Versions: {}. Described in `{}`.", list.join(", "), operator.file),
    ]);
    let mut before: Option<&Version> = None;
    let mut versions = TokenStream::new();
    for run in operator.versions.chunk_by(|before, version| structs::share(before, version, tables)) {
        versions.extend(structs::structs(operator, run, tables));
        for version in run {
            versions.extend(of_version(operator, run, version, before, tables));
            before = Some(version);
        }
    }
    let any = any_version(operator);
    let enums = enums::enums(operator);
    let connections = connections::connections(operator);
    let schemas = operator.versions.iter().map(|version| schema_name(SchemaName::newest(version)));
    quote! {
        pub mod #module {
            #docs

            #any

            /// The schemas of all versions, oldest first.
            pub static VERSIONS: &[&::shape_core::schema::Schema] = &[#(&#schemas),*];

            #enums

            #connections

            #versions
        }
    }
}

/// What the module of an operator has for one version: the struct that it shares with its neighbours, its name, and
/// its tables.
///
/// ```
/// use shape_specs::Tables;
/// let operators = shape_specs::builtin()?;
/// let shape = operators.iter().find(|operator| operator.name == "Shape").unwrap();
/// let code = shape_codegen::version(shape, shape.in_force(14).unwrap(), Tables::builtin()?).to_string();
/// assert!(code.contains("type Shape13 =") && !code.contains("type Shape1 ="));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn version(operator: &Operator, version: &Version, tables: &Tables) -> TokenStream {
    let mut runs = operator.versions.chunk_by(|before, version| structs::share(before, version, tables));
    let run = runs.find(|run| run.iter().any(|one| one.since == version.since)).unwrap_or_default();
    let before = operator.versions.iter().rfind(|older| older.since < version.since);
    let structs = structs::structs(operator, run, tables);
    let rest = of_version(operator, run, version, before, tables);
    quote!(#structs #rest)
}

/// What belongs to one version alone.
fn of_version(
    operator: &Operator,
    run: &[Version],
    version: &Version,
    before: Option<&Version>,
    tables: &Tables,
) -> TokenStream {
    let alias = structs::alias(operator, run, version, tables);
    let schemas = schema::schemas(operator, version, before, tables);
    quote!(#alias #schemas)
}

/// The indices of a list as patterns that match every number.
pub(crate) fn patterns(count: usize) -> impl Iterator<Item = TokenStream> {
    (1..=count).map(move |next| {
        let index = Literal::usize_unsuffixed(next - 1);
        if next < count { quote!(#index) } else { quote!(_) }
    })
}

/// `<'a>` for an operator with a version that borrows, nothing for one without.
pub(crate) fn any_lifetime(operator: &Operator) -> TokenStream {
    operator.versions.iter().map(lifetime).find(|lifetime| !lifetime.is_empty()).unwrap_or_default()
}

/// The enum over the versions.
fn any_version(operator: &Operator) -> TokenStream {
    let name = ident(&operator.name);
    let lifetime = any_lifetime(operator);
    let variants: Vec<_> = operator.versions.iter().map(|version| format_ident!("V{}", version.since)).collect();
    let structs: Vec<_> = operator.versions.iter().map(|version| versioned(operator, version)).collect();
    let lifetimes: Vec<_> = operator.versions.iter().map(self::lifetime).collect();
    let variant_docs = operator.versions.iter().map(|version| {
        let text = format!(" Since opset {}.", version.since);
        quote!(#[doc = #text])
    });
    let patterns = patterns(operator.versions.len());
    let (newest, newest_lifetime) = (structs.last(), lifetimes.last());
    let docs = doc([format!("`{}` in any of its versions.", operator.name), operator.summary.clone()]);
    let read_generics = if lifetime.is_empty() { quote!(<'a>) } else { TokenStream::new() };
    quote! {
        #docs
        #[non_exhaustive]
        pub enum #name #lifetime {
            #(#variant_docs #variants(#structs #lifetimes)),*
        }

        ::shape_core::any_version! {
            [#lifetime] [#read_generics] ['a] #name { #(#patterns => #variants)* } #newest #newest_lifetime, super::OPERATORS
        }
    }
}
