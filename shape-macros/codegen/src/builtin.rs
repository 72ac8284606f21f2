//! Generates the Rust code of onnxspec-core and onnxspec-model for the shared tables and for the profiles.

use proc_macro2::TokenStream;
use quote::quote;
use shape_specs::{SpecError, Tables};
use syn::{Ident, LitStr};

use crate::errors::{compile_error, compile_errors};
use crate::profile::{self, checks};
use crate::rules::{rule_parameters, rules};
use crate::tables::{codes, data_types, releases, runtimes, type_sets};

/// A function that generates the code of a table.
pub(crate) type Write = fn(&Tables) -> TokenStream;

/// The generated tables: the name in the macro, the file whose errors are reported, and the function that generates it.
///
/// If two are generated from one file, only one reports its errors.
pub(crate) const TABLES: &[(&str, Option<&str>, Write)] = &[
    ("checks", Some("checks.yaml"), checks),
    ("codes", Some("codes.yaml"), codes),
    ("data_types", Some("types.yaml"), data_types),
    ("releases", Some("opsets.yaml"), releases),
    ("rule_parameters", None, rule_parameters),
    ("rules", Some("rules.yaml"), rules),
    ("runtimes", Some("runtimes.yaml"), runtimes),
    ("type_sets", None, type_sets),
];

/// A shared table as Rust; `name` is an identifier, such as `codes`.
///
/// Each error in its file becomes a `compile_error!`.
#[must_use]
pub fn tables(name: TokenStream) -> TokenStream {
    let name = match syn::parse2::<Ident>(name) {
        Ok(name) => name,
        Err(error) => return error.into_compile_error(),
    };
    let Some((_, told, write)) = TABLES.iter().find(|(table, ..)| name == table) else {
        let known = TABLES.iter().map(|(table, ..)| *table).collect::<Vec<_>>().join(", ");
        return syn::Error::new(name.span(), format!("there is no table `{name}`, but {known}")).into_compile_error();
    };
    match Tables::builtin() {
        Ok(tables) => write(tables),
        Err(errors) => {
            let of_file = |error: &&SpecError| told.is_some_and(|file| error.file == file);
            errors.0.iter().filter(of_file).map(compile_error).collect()
        }
    }
}

/// A profile of onnxspec-descriptors as a constant expression. `name` is its name as a string literal.
///
/// Each error in its files becomes a `compile_error!`.
#[must_use]
pub fn profile(name: TokenStream) -> TokenStream {
    let name = match syn::parse2::<LitStr>(name) {
        Ok(name) => name,
        Err(error) => return error.into_compile_error(),
    };
    match (shape_specs::profile::builtin(&name.value()), Tables::builtin()) {
        (Some(Ok(profile)), Ok(tables)) => profile::constant(&profile, tables),
        // An expression of any type, so that the compiler reports only the errors.
        (Some(Ok(_)), Err(_)) => quote!({ loop {} }),
        (Some(Err(errors)), _) => {
            let errors = compile_errors(&errors);
            quote!({ #errors loop {} })
        }
        (None, _) => {
            syn::Error::new(name.span(), format!("there is no profile `{}`", name.value())).into_compile_error()
        }
    }
}
