//! `#[derive(OperatorVersions)]`: an enum over the structs of the versions of one operator.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Data, DataEnum, DeriveInput, Fields, GenericParam};

use super::errors::Errors;
use super::items::items;
use super::read::path;
use crate::operator::patterns;
use crate::paths::with_core;

/// Implements reading a node at its version and converting it to the newest, as the enums of generated operators do.
///
/// Each error becomes a `compile_error!` at its tokens, all at once. Whether the structs go together is checked when the
/// compiler evaluates their schemas.
#[must_use]
pub fn derive_operator_versions(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    let mut core = None;
    for item in items(&input.attrs, "operator", &["crate"], &mut errors) {
        core = path(&item, "crate = ::renamed", &mut errors).map(ToTokens::into_token_stream);
    }
    let lifetime = lifetime(&input, &mut errors);
    let versions = match &input.data {
        Data::Enum(data) => versions(&input, data, &mut errors),
        Data::Struct(data) => not_an_enum(data.struct_token, &mut errors),
        Data::Union(data) => not_an_enum(data.union_token, &mut errors),
    };
    let code = if errors.none() {
        implementation(&input.ident, lifetime.as_ref(), &versions)
    } else {
        errors.into_compile_errors()
    };
    match core {
        Some(core) => with_core(code, &core),
        None => code,
    }
}

fn not_an_enum(at: impl ToTokens, errors: &mut Errors) -> Vec<(Ident, syn::Type)> {
    let help = "write `enum Stack { V1(Stack1), V3(Stack3) }`; `#[derive(Operator)]` is for each of the structs";
    errors.error(at, "the versions of an operator are the variants of an enum", help);
    Vec::new()
}

/// The lifetime of the enum; all else that is generic is an error.
fn lifetime(input: &DeriveInput, errors: &mut Errors) -> Option<syn::Lifetime> {
    let mut lifetime = None;
    for parameter in &input.generics.params {
        match parameter {
            GenericParam::Lifetime(parameter) if lifetime.is_none() => lifetime = Some(parameter.lifetime.clone()),
            other => errors.error(
                other,
                "the versions of an operator borrow from one node, and are generic in nothing else",
                "one lifetime is enough for all of them",
            ),
        }
    }
    lifetime
}

/// The variants, each with its struct.
fn versions(input: &DeriveInput, data: &DataEnum, errors: &mut Errors) -> Vec<(Ident, syn::Type)> {
    if data.variants.is_empty() {
        let help = "give the enum a variant for each version: `V1(Stack1)`";
        errors.error(&input.ident, "an operator has at least one version", help);
    }
    let mut versions = Vec::new();
    for variant in &data.variants {
        match &variant.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                versions.extend(fields.unnamed.iter().map(|field| (variant.ident.clone(), field.ty.clone())));
            }
            _ => {
                let help = format!("write `{}(Stack1)`, with the struct of the version", variant.ident);
                errors.error(variant, "a variant holds the struct of one version, and nothing else", help);
            }
        }
    }
    versions
}

fn implementation(name: &Ident, lifetime: Option<&syn::Lifetime>, versions: &[(Ident, syn::Type)]) -> TokenStream {
    let own = lifetime.map(|lifetime| quote!(<#lifetime>));
    let life = lifetime.cloned().unwrap_or_else(|| syn::Lifetime::new("'node", Span::call_site()));
    // Only the method has the lifetime of the attributes, if the enum has none.
    let of_method = lifetime.is_none().then(|| quote!(<#life>));
    let (variants, types): (Vec<_>, Vec<_>) = versions.iter().map(|(variant, ty)| (variant, ty)).unzip();
    let (patterns, newest) = (patterns(versions.len()), types.last());
    let checks = versions.windows(2).map(|pair| {
        let [before, version] = [0, 1].map(|index| {
            let ty = pair.get(index).map(|(_, ty)| ty.to_token_stream()).unwrap_or_default();
            let span = ty.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
            (forever(ty, lifetime), span)
        });
        let (before, (version, span)) = (before.0, version);
        quote_spanned! {span=>
            const _: () = if let ::core::option::Option::Some(misfit) = ::shape_core::operator::misfit_of_versions(
                <#before as ::shape_core::operator::Operator>::SCHEMA,
                <#version as ::shape_core::operator::Operator>::SCHEMA,
            ) {
                ::core::panic!("{}", misfit);
            };
        }
    });
    let table = format_ident!("VERSIONS");
    quote! {
        #(#checks)*

        ::shape_core::version_methods! { [#own] [#of_method] [#life] #name [#own] #newest }

        #[allow(dead_code, reason = "a crate need not register its versions")]
        impl #own #name #own {
            /// The schemas of all versions, oldest first: for `Registry::with`.
            pub const #table: &'static [&'static ::shape_core::schema::Schema] =
                &[#(<#types as ::shape_core::operator::Operator>::SCHEMA),*];
        }

        impl<#life> ::shape_core::operator::AnyVersion<#life> for #name #own {
            type Newest = #newest;
            const OPERATORS: &'static [&'static [&'static ::shape_core::schema::Schema]] = &[Self::#table];
            const VERSIONS: &'static [&'static ::shape_core::schema::Schema] = Self::#table;

            fn read_version(
                version: ::core::primitive::usize,
                attributes: &[::shape_core::node::NodeAttribute<#life>],
            ) -> ::core::result::Result<Self, ::shape_core::problem::Problem<#life>> {
                match version {
                    #(#patterns => ::core::result::Result::map(
                        <#types as ::shape_core::operator::Operator>::read(attributes),
                        #name::#variants,
                    ),)*
                }
            }

            fn version(&self) -> &dyn ::shape_core::operator::Version {
                match self {
                    #(#name::#variants(version) => version,)*
                }
            }
        }
    }
}

/// The type with `'static` for the lifetime of the enum, for constants outside of it.
fn forever(ty: TokenStream, lifetime: Option<&syn::Lifetime>) -> TokenStream {
    let Some(lifetime) = lifetime else { return ty };
    let mut after_tick = false;
    let tokens = ty.into_iter().map(|token| match token {
        TokenTree::Ident(name) if std::mem::take(&mut after_tick) && name == lifetime.ident => {
            TokenTree::Ident(Ident::new("static", name.span()))
        }
        TokenTree::Punct(tick) => {
            after_tick = tick.as_char() == '\'';
            TokenTree::Punct(tick)
        }
        token => token,
    });
    tokens.collect()
}
