//! The macro `operators!`: generates operators from descriptors, for onnxspec-core and for a user's crate.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use shape_specs::{Scope, Tables};

use crate::files::{Descriptors, Files, Input};
use crate::operator::operator;
use crate::opsets::{any_operator, opset_modules, table};
use crate::paths::with_core;

/// A module for each descriptor, the table of them, and an enum over them; for a domain of onnxspec-descriptors also a
/// module for each opset. `root` is the folder of the crate that calls the macro.
///
/// A file that cannot be read, and each error in a file, becomes a `compile_error!`; the others become modules
/// nevertheless. The code refers to every file of the crate, so that Cargo notices edits. Errors of the tables that all
/// descriptors share are those of [`tables`](crate::tables), without which onnxspec-core does not compile.
#[must_use]
pub fn operators(input: TokenStream, root: &Path) -> TokenStream {
    let same = input.clone();
    let (Input { core, files }, tables) = match (syn::parse2(input), Tables::builtin()) {
        (Ok(input), Ok(tables)) => (input, tables),
        (Err(error), _) => return error.into_compile_error(),
        (_, Err(_)) => return TokenStream::new(),
    };
    let Descriptors { operators, code } = files.read(root, tables, Scope::Facts);
    let modules = operators.iter().map(|described| operator(described, tables));
    // What a runtime registers on its own in a domain belongs to no opset of it.
    let (of, opsets) = match &files {
        Files::Listed(_) => ("these descriptors".to_owned(), None),
        Files::Folder(folder) if folder.value().contains('/') => (format!("`{}`", folder.value()), None),
        Files::Folder(folder) => {
            let domain = folder.value();
            (format!("`{domain}`"), Some(opset_modules(&domain, &operators, tables)))
        }
    };
    let (any, table) = (any_operator(&of, &operators), table(&operators));
    with_core(
        quote! {
            #code
            #(#modules)*
            #opsets
            #any
            #table

            #[cfg(test)]
            pub(crate) mod descriptor_examples {
                ::shape_core::custom_examples! { #same }
            }
        },
        &core,
    )
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
    fn generate(described: &[(&str, &str)]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let files = described.iter().enumerate().map(|(index, (domain, name))| {
            let file = format!("{index}.yaml");
            let text = DESCRIPTOR.replace("NAME", name).replace("DOMAIN", domain);
            fs::write(folder.path().join(&file), text).unwrap();
            file
        });
        let files: Vec<String> = files.collect();
        operators(quote!(::shape_core; #(#files),*), folder.path()).to_string()
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
