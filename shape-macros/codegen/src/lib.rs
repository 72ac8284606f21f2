#![doc = include_str!("../README.md")]

mod derive;
mod line;
mod names;
mod operator;
mod opsets;
mod own;
mod paths;
mod tables;
mod value;

use proc_macro2::TokenStream;
use quote::quote;
use shape_specs::{SpecErrors, Tables};

pub use derive::{derive_attribute_enum, derive_operator};
pub use line::schema_line;
pub use operator::{operator, version};
pub use opsets::{opset_modules, table};
pub use own::own_operators;
pub use paths::with_core;

/// The operators of the built-in descriptors: a module each, the opset modules, the sets of element types, and the
/// table of all versions.
///
/// A descriptor with a mistake becomes a `compile_error!`, and the others their modules all the same.
#[must_use]
pub fn builtin_operators() -> TokenStream {
    let tables = match Tables::builtin() {
        Ok(tables) => tables,
        Err(errors) => return compile_errors(errors),
    };
    let resolved = shape_specs::resolve_all([], shape_specs::DESCRIPTORS.iter().copied(), tables);
    let (mut operators, errors) = match resolved {
        Ok(operators) => (operators, TokenStream::new()),
        Err((operators, mistakes)) => (operators, compile_errors(&mistakes)),
    };
    operators.sort_by(|left, right| (&left.domain, &left.name).cmp(&(&right.domain, &right.name)));
    let modules = operators.iter().map(|described| operator(described, tables));
    let type_sets = tables::type_sets(tables);
    let opsets = opset_modules(&operators, tables);
    let table = table(&operators);
    quote! {
        #errors

        /// The operators, a module each.
        pub mod operators {
            #(#modules)*
        }

        #type_sets
        #opsets
        #table
    }
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

/// The releases of `opsets.yaml` as a table.
#[must_use]
pub fn releases() -> TokenStream {
    with_tables(tables::releases)
}

fn with_tables(write: fn(&Tables) -> TokenStream) -> TokenStream {
    Tables::builtin().map_or_else(compile_errors, write)
}

/// One `compile_error!` a mistake, so that the compiler lists them all.
fn compile_errors(errors: &SpecErrors) -> TokenStream {
    errors
        .0
        .iter()
        .map(|error| {
            let message = error.to_string();
            quote!(::core::compile_error!(#message);)
        })
        .collect()
}

#[cfg(test)]
mod tests;
