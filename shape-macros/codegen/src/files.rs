//! Reads the descriptors that a macro call names.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use shape_specs::{Operator, Scope, SpecError, Tables};
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Token};

use crate::derive::split;
use crate::errors::compile_errors;
use crate::names::{module, snake};

/// What a macro is called with: `path of onnxspec-core; descriptors`.
pub(crate) struct Input {
    pub(crate) core: TokenStream,
    pub(crate) files: Files,
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

/// The two ways to name descriptors.
#[derive(Clone)]
pub(crate) enum Files {
    /// `"specs/Blur.yaml", "specs/Gelu.yaml"`: files of the crate that calls the macro.
    Listed(TokenStream),
    /// `specs "ai.onnx"`: all that a folder of onnxspec-descriptors has.
    Folder(LitStr),
}

impl Parse for Files {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Ident) && input.fork().parse::<Ident>()? == "specs" {
            input.parse::<Ident>()?;
            return input.parse().map(Self::Folder);
        }
        input.parse().map(Self::Listed)
    }
}

/// The operators that were read from descriptors.
#[derive(Default)]
pub(crate) struct Descriptors {
    /// Sorted by domain and name; those with errors are left out.
    pub(crate) operators: Vec<Operator>,
    /// Code for the errors, and for noticing edits.
    pub(crate) code: TokenStream,
}

impl Files {
    /// Reads the descriptors. `root` is the folder of the crate that calls the macro.
    ///
    /// Each error is told once, where a macro for the facts and one for the examples read the same file: with
    /// [`Scope::Whole`] only those that reading the facts does not tell.
    pub(crate) fn read(&self, root: &Path, tables: &Tables, scope: Scope) -> Descriptors {
        let mut read = match self {
            Self::Listed(files) => listed(files.clone(), root, tables, scope),
            Self::Folder(folder) => in_folder(folder, tables, scope),
        };
        read.operators.sort_by(|left, right| (&left.domain, &left.name).cmp(&(&right.domain, &right.name)));
        read
    }
}

/// The descriptors of a folder of onnxspec-descriptors. No code is needed to notice edits: onnxspec-descriptors is
/// built anew.
fn in_folder(folder: &LitStr, tables: &Tables, scope: Scope) -> Descriptors {
    let name = folder.value();
    let all = || shape_specs::DESCRIPTORS.iter().chain(shape_specs::RUNTIME_DESCRIPTORS).copied();
    let folder_of = |(file, _): (&'static str, &[u8])| file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let files: Vec<_> = all().filter(|file| folder_of(*file) == name).collect();
    if files.is_empty() {
        let mut folders: Vec<_> = all().map(folder_of).collect();
        folders.dedup();
        let message = format!("there are no descriptors in `specs/{name}`, but in {}", folders.join(", "));
        let code = syn::Error::new(folder.span(), message).into_compile_error();
        return Descriptors { code, ..Descriptors::default() };
    }
    match shape_specs::resolve_all(files.iter().copied(), tables, scope) {
        Ok(operators) => Descriptors { operators, ..Descriptors::default() },
        Err((operators, mut errors)) => {
            if scope != Scope::Facts
                && let Err((_, told)) = shape_specs::resolve_all(files, tables, Scope::Facts)
            {
                errors.0.retain(|error| !told.0.contains(error));
            }
            Descriptors { operators, code: compile_errors(&errors) }
        }
    }
}

/// The descriptors of the files that literals name, by their paths from `root`.
fn listed(files: TokenStream, root: &Path, tables: &Tables, scope: Scope) -> Descriptors {
    let mut code = TokenStream::new();
    let mut operators: Vec<Operator> = Vec::new();
    let tells_files = scope == Scope::Facts;
    // The modules of the operators: the index of each.
    let mut modules: HashMap<String, usize> = HashMap::new();
    if files.is_empty() && tells_files {
        let message = "name the descriptors: `operators!(\"specs/Gelu.yaml\")`, by their paths from Cargo.toml";
        code.extend(quote!(::core::compile_error!(#message);));
    }
    for tokens in split(files) {
        let Ok(file) = syn::parse2::<LitStr>(tokens.clone()) else {
            if tells_files {
                let message = "expected the path of a descriptor, in quotes\n= help: write `operators!(\"specs/Gelu.yaml\", \"specs/Blur.yaml\")`";
                code.extend(syn::Error::new_spanned(tokens, message).to_compile_error());
            }
            continue;
        };
        let (name, path) = (file.value(), root.join(file.value()));
        let mut refuse = |message: String| code.extend(quote_spanned!(file.span()=> ::core::compile_error!(#message);));
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                if tells_files {
                    refuse(format!("cannot read {name}: {error}; paths go from the folder of Cargo.toml"));
                }
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
                Some(_) if !tells_files => {}
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
            Err(errors) => {
                let of_facts = || shape_specs::resolve_scope(&name, &bytes, tables, Scope::Facts).err();
                let told = if tells_files { None } else { of_facts() };
                let is_told = |error: &SpecError| told.as_ref().is_some_and(|told| told.0.contains(error));
                errors.0.iter().filter(|error| !is_told(error)).for_each(|error| refuse(error.to_string()));
            }
        }
        code.extend(quote!(
            const _: &[::core::primitive::u8] = ::core::include_bytes!(#tracked);
        ));
    }
    Descriptors { operators, code }
}
