//! Generates the code of shape-core: from the built-in descriptors, the shared tables and the profiles.

use proc_macro2::TokenStream;
use quote::quote;
use shape_specs::{Scope, Tables};
use syn::LitStr;

use crate::errors::compile_errors;
use crate::files::Domain;
use crate::operator::operator;
use crate::opsets::{opset_modules, table};
use crate::tables;

/// The operators of the built-in descriptors of one domain: a module for each, the opset modules, and the table of all
/// versions, for a module of their own. `domain` is the domain as a string literal.
///
/// A descriptor with an error becomes a `compile_error!`; the others become modules nevertheless.
#[must_use]
pub fn builtin_operators(domain: TokenStream) -> TokenStream {
    let Domain { name, mut operators, tables, errors } = match Domain::read(domain, Scope::Facts) {
        Ok(domain) => domain,
        Err(errors) => return errors,
    };
    operators.sort_by(|left, right| left.name.cmp(&right.name));
    let modules = operators.iter().map(|described| operator(described, tables));
    let opsets = opset_modules(&name, &operators, tables);
    let table = table(&operators);
    quote! {
        #errors
        #(#modules)*
        #opsets
        #table
    }
}

/// The groups of `types.yaml`: a constant and a trait each.
#[must_use]
pub fn type_sets() -> TokenStream {
    with_tables(tables::type_sets)
}

/// The element types of `types.yaml` as an enum, and the table of their facts.
#[must_use]
pub fn data_types() -> TokenStream {
    with_tables(tables::data_types)
}

/// The finding codes of `codes.yaml` as an enum, and the table of their texts.
#[must_use]
pub fn codes() -> TokenStream {
    with_tables(tables::codes)
}

/// The checks of `checks.yaml` as an enum, and the table of their functions.
#[must_use]
pub fn checks() -> TokenStream {
    with_tables(crate::profile::checks)
}

/// A profile of shape-specs as a constant expression. `name` is its name as a string literal.
///
/// Each error in its files becomes a `compile_error!`.
#[must_use]
pub fn profile(name: TokenStream) -> TokenStream {
    let name = match syn::parse2::<LitStr>(name) {
        Ok(name) => name,
        Err(error) => return error.into_compile_error(),
    };
    match shape_specs::profile::builtin(&name.value()) {
        Some(Ok(profile)) => with_tables(|tables| crate::profile::profile(&profile, tables)),
        Some(Err(errors)) => {
            let errors = compile_errors(&errors);
            // An expression of any type, so that the compiler reports only these errors.
            quote!({ #errors loop {} })
        }
        None => syn::Error::new(name.span(), format!("there is no profile `{}`", name.value())).into_compile_error(),
    }
}

/// A struct for each rule of `rules.yaml`, with its arguments named like its parameters.
#[must_use]
pub fn rule_parameters() -> TokenStream {
    with_tables(crate::rules::rule_parameters)
}

/// A constant for each rule of `rules.yaml`, and the list of them.
#[must_use]
pub fn rules() -> TokenStream {
    with_tables(crate::rules::rules)
}

/// The releases of `opsets.yaml` as a table.
#[must_use]
pub fn releases() -> TokenStream {
    with_tables(tables::releases)
}

/// The runtimes of `runtimes.yaml` as a table.
#[must_use]
pub fn runtimes() -> TokenStream {
    with_tables(tables::runtimes)
}

fn with_tables(write: impl FnOnce(&Tables) -> TokenStream) -> TokenStream {
    Tables::builtin().map_or_else(compile_errors, write)
}
