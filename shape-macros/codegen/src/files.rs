//! Reads the descriptors that a macro call names.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use shape_specs::{Operator, Scope, Tables};
use syn::parse::{Parse, ParseStream};
use syn::{LitStr, Token};

use crate::derive::split;
use crate::errors::compile_errors;
use crate::names::{module, snake};

/// The built-in descriptors of one domain.
pub(crate) struct Domain {
    pub(crate) name: String,
    pub(crate) operators: Vec<Operator>,
    pub(crate) tables: &'static Tables,
    /// The errors of the descriptors that are left out.
    pub(crate) errors: TokenStream,
}

impl Domain {
    /// Reads the descriptors of the domain that a string literal names.
    ///
    /// # Errors
    /// The code of the errors, if there is no string literal, or the shared tables have errors.
    pub(crate) fn named_by(domain: TokenStream, scope: Scope) -> Result<Self, TokenStream> {
        Self::read(&syn::parse2::<LitStr>(domain).map_err(syn::Error::into_compile_error)?.value(), scope)
    }

    /// Reads the descriptors of a domain; those that a runtime registers on its own have the path of their folder.
    ///
    /// # Errors
    /// The code of the errors, if the shared tables have some.
    pub(crate) fn read(name: &str, scope: Scope) -> Result<Self, TokenStream> {
        let tables = Tables::builtin().map_err(compile_errors)?;
        let files = shape_specs::DESCRIPTORS.iter().chain(shape_specs::RUNTIME_DESCRIPTORS).copied();
        let files = files.filter(|(file, _)| file.rsplit_once('/').is_some_and(|(folder, _)| folder == name));
        let (operators, errors) = match shape_specs::resolve_all(files, tables, scope) {
            Ok(operators) => (operators, TokenStream::new()),
            Err((operators, errors)) => (operators, compile_errors(&errors)),
        };
        Ok(Self { name: name.to_owned(), operators, tables, errors })
    }
}

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

/// The operators of the named files, sorted by domain and name; and code for their errors and for noticing edits.
pub(crate) fn read(files: TokenStream, root: &Path, tables: &Tables, scope: Scope) -> (Vec<Operator>, TokenStream) {
    let mut code = TokenStream::new();
    let mut operators: Vec<Operator> = Vec::new();
    // The modules of the operators: the index of each.
    let mut modules: HashMap<String, usize> = HashMap::new();
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
            Ok(operator) => match modules.get(&snake(&operator.name)).and_then(|twin| operators.get(*twin)) {
                None => {
                    modules.insert(snake(&operator.name), operators.len());
                    operators.push(operator);
                }
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
