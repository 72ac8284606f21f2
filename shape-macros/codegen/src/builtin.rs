//! Generates the code of shape-core: from the built-in descriptors, the shared tables and the profiles.

use proc_macro2::TokenStream;
use quote::quote;
use shape_specs::{Scope, Tables};
use syn::LitStr;

use crate::errors::compile_errors;
use crate::files::Domain;
use crate::operator::operator;
use crate::opsets::{any_operator, opset_modules, table};
use crate::{rules, tables};

/// The files that shape-core is built from, each a name and Rust text: for each domain its operators, called `ai_onnx`
/// after the domain, and the tables that all descriptors share.
///
/// An error in a descriptor becomes a `compile_error!` in the text.
#[must_use]
pub fn builtin() -> Vec<(String, String)> {
    let domains = DOMAINS.iter().map(|domain| (domain.replace('.', "_"), operators(domain, true)));
    let of_runtimes = RUNTIMES.iter().map(|(name, folder)| ((*name).to_owned(), operators(folder, false)));
    let tables = TABLES.iter().map(|(name, write)| ((*name).to_owned(), with_tables(*write).to_string()));
    domains.chain(of_runtimes).chain(tables).collect()
}

/// The domains that shape-core has a module for, with or without a descriptor.
const DOMAINS: &[&str] = &[
    "ai.onnx",
    "ai.onnx.ml",
    "ai.onnx.preview",
    "ai.onnx.preview.training",
    "com.microsoft",
    "com.microsoft.nchwc",
    "com.ms.internal.nhwc",
];

/// The runtimes that register operators on their own in a domain of ONNX, with the folders of the descriptors.
const RUNTIMES: &[(&str, &str)] = &[("onnxruntime", "runtimes/onnxruntime/ai.onnx")];

/// What is written of the tables.
type Write = fn(&Tables) -> TokenStream;

/// The shared tables by the names of their files.
const TABLES: &[(&str, Write)] = &[
    ("codes", tables::codes),
    ("data_types", tables::data_types),
    ("releases", tables::releases),
    ("rule_parameters", rules::rule_parameters),
    ("rules", rules::rules),
    ("runtimes", tables::runtimes),
    ("type_sets", tables::type_sets),
];

/// The operators of a domain, an item a line: a module for each, the opset modules if the domain has opsets of its own, and
/// the table of all versions.
fn operators(domain: &str, has_opsets: bool) -> String {
    let Domain { name, mut operators, tables, errors } = match Domain::read(domain, Scope::Facts) {
        Ok(domain) => domain,
        Err(errors) => return errors.to_string(),
    };
    operators.sort_by(|left, right| left.name.cmp(&right.name));
    let modules = operators.iter().map(|described| operator(described, tables));
    let opsets = if has_opsets { opset_modules(&name, &operators, tables) } else { TokenStream::new() };
    let rest = [errors, opsets, any_operator(&format!("`{name}`"), &operators), table(&operators)];
    let lines: Vec<String> = modules.chain(rest).map(|item| item.to_string()).collect();
    lines.join("\n")
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

fn with_tables(write: impl FnOnce(&Tables) -> TokenStream) -> TokenStream {
    Tables::builtin().map_or_else(compile_errors, write)
}
