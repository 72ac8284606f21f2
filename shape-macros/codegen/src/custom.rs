//! The macro `operators!`: generates the operators that a user's crate describes in its YAML files.

use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use shape_specs::{Operator, Scope, Tables};
use syn::parse::{Parse, ParseStream};
use syn::{LitStr, Token};

use crate::derive::split;
use crate::examples::module;
use crate::paths::with_core;
use crate::{compile_errors, operator};

/// `path of shape-core; "specs/Blur.yaml", "specs/Gelu.yaml"`
pub(crate) struct Input {
    pub(crate) core: TokenStream,
    pub(crate) files: TokenStream,
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut core = TokenStream::new();
        while !input.peek(Token![;]) && !input.is_empty() {
            core.extend([input.parse::<TokenTree>()?]);
        }
        input.parse::<Token![;]>()?;
        Ok(Self { core, files: input.parse()? })
    }
}

/// A module for each descriptor, as the built-in operators have, and the table of them. `root` is the folder of the
/// crate that names the files.
///
/// A file that cannot be read, and each error in one, becomes a `compile_error!`; the others become modules all the
/// same. The code refers to every file, so that an edit is noticed.
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
    let code = quote! {
        #code
        #(#modules)*

        /// The versions of each operator, sorted by domain and name: for `Registry::of`, or with the built-in ones
        /// `Registry::builtin().with(OPERATORS.concat())`.
        pub static OPERATORS: &[&[&::shape_core::schema::Schema]] = &[#(#names::VERSIONS),*];

        #[cfg(test)]
        mod descriptor_examples {
            ::shape_core::custom_examples! { #core; #files }
        }
    };
    with_core(code, &core)
}

/// The operators of the files that are named, sorted by domain and name; and the code of their errors, and of what
/// notices an edit.
pub(crate) fn read(files: TokenStream, root: &Path, tables: &Tables, scope: Scope) -> (Vec<Operator>, TokenStream) {
    let mut code = TokenStream::new();
    let mut operators: Vec<Operator> = Vec::new();
    if files.is_empty() {
        let message = "name the descriptors: `operators!(\"specs/Gelu.yaml\")`, by their paths from Cargo.toml";
        code.extend(quote!(::core::compile_error!(#message);));
    }
    for tokens in split(files) {
        let Ok(file) = syn::parse2::<LitStr>(tokens.clone()) else {
            let message = "expected the path of a descriptor, in quotes\n= help: write `operators!(\"specs/Gelu.yaml\", \"specs/Blur.yaml\")`";
            code.extend(syn::Error::new_spanned(tokens, message).to_compile_error());
            continue;
        };
        let (name, path) = (file.value(), root.join(file.value()));
        let mut refuse = |message: String| code.extend(quote_spanned!(file.span()=> ::core::compile_error!(#message);));
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                refuse(format!("cannot read {name}: {error}; paths go from the folder of Cargo.toml"));
                continue;
            }
        };
        let tracked = path.to_string_lossy();
        match shape_specs::resolve_scope(&name, &bytes, tables, scope) {
            Ok(operator) => match operators.iter().find(|other| module(other) == module(&operator)) {
                None => operators.push(operator),
                Some(twin) if (&twin.domain, &twin.name) == (&operator.domain, &operator.name) => {
                    let twin = &twin.file;
                    refuse(format!(
                        "{name} describes the operator that {twin} describes; one file has all of its versions"
                    ));
                }
                Some(Operator { domain, name: twin, .. }) => refuse(format!(
                    "`{}::{}` becomes the module `{}`, as `{domain}::{twin}` does; give it to an `operators!` in another module",
                    operator.domain,
                    operator.name,
                    module(&operator),
                )),
            },
            Err(errors) => errors.0.iter().for_each(|error| refuse(error.to_string())),
        }
        code.extend(quote!(
            const _: &[::core::primitive::u8] = ::core::include_bytes!(#tracked);
        ));
    }
    operators.sort_by(|left, right| (&left.domain, &left.name).cmp(&(&right.domain, &right.name)));
    (operators, code)
}

#[cfg(test)]
mod tests {
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

    /// What is generated for descriptors of these operators.
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
