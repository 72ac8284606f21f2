//! The macro `operators!`: generates the operators that a user's crate describes in its YAML files.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use shape_specs::{Scope, Tables};

use crate::errors::compile_errors;
use crate::files::{Input, read};
use crate::names::module;
use crate::operator::operator;
use crate::opsets::any_operator;
use crate::paths::with_core;

/// A module for each descriptor, as for the built-in operators, the table of them, and an enum over them. `root` is the folder of the
/// crate that names the files.
///
/// A file that cannot be read, and each error in a file, becomes a `compile_error!`; the others become modules
/// nevertheless. The code refers to every file, so that Cargo notices edits.
#[must_use]
pub fn custom_operators(input: TokenStream, root: &Path) -> TokenStream {
    let Input { core, files } = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let tables = match Tables::builtin() {
        Ok(tables) => tables,
        Err(errors) => return compile_errors(errors),
    };
    let (operators, code) = read(files.clone(), root, tables, Scope::Facts);
    let modules = operators.iter().map(|described| operator(described, tables));
    let names = operators.iter().map(module);
    let any = any_operator("these descriptors", &operators);
    let code = quote! {
        #code
        #(#modules)*

        /// The versions of each operator, sorted by domain and name: for `Registry::of`, or with the built-in ones
        /// `Registry::builtin().with(OPERATORS.concat())`.
        pub static OPERATORS: &[&[&::shape_core::schema::Schema]] = &[#(#names::VERSIONS),*];

        #any

        #[cfg(test)]
        mod descriptor_examples {
            ::shape_core::custom_examples! { #core; #files }
        }
    };
    with_core(code, &core)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const DESCRIPTOR: &str = "\
operator: NAME
domain: DOMAIN
summary: Gives what it takes.
versions:
  - since: 1
    inputs: [{ name: x, type: tensor(float) }]
    outputs: [{ name: y, type: tensor(float) }]
";

    /// The generated code for descriptors of these operators.
    fn generate(operators: &[(&str, &str)]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let files = operators.iter().enumerate().map(|(index, (domain, name))| {
            let file = format!("{index}.yaml");
            let text = DESCRIPTOR.replace("NAME", name).replace("DOMAIN", domain);
            fs::write(folder.path().join(&file), text).unwrap();
            file
        });
        let files: Vec<String> = files.collect();
        custom_operators(quote!(::shape_core; #(#files),*), folder.path()).to_string()
    }

    #[test]
    fn operators_of_one_module() {
        let several = generate(&[("com.acme", "Gelu"), ("com.acme", "FastGelu")]);
        assert!(!several.contains("compile_error") && several.contains("mod fast_gelu"), "{several}");
        let cases = [
            (("com.acme", "Gelu"), "1.yaml describes the operator that 0.yaml describes"),
            (("com.other", "Gelu"), "`com.other::Gelu` becomes the module `gelu`, as `com.acme::Gelu` does"),
            (("com.acme", "gelu"), "`com.acme::gelu` becomes the module `gelu`, as `com.acme::Gelu` does"),
        ];
        for (other, message) in cases {
            let code = generate(&[("com.acme", "Gelu"), other]);
            assert!(code.contains(message), "{message}: {code}");
            assert_eq!((code.matches("compile_error").count(), code.matches("pub mod gelu").count()), (1, 1), "{code}");
        }
    }
}
