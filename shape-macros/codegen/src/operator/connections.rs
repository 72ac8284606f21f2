//! Generates the structs of the inputs and the outputs of the newest version by name.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use shape_specs::Operator;
use shape_specs::document::ParameterOption;
use shape_specs::lower::SchemaName;
use shape_specs::operator::{Parameter, Version};

use crate::constant::schema_name;
use crate::docs::{doc, without_links};
use crate::names::{ident, snake};

/// `Inputs`, and `Outputs` where there are several. An older version has them too once it is lifted to the newest.
pub(super) fn connections(operator: &Operator) -> TokenStream {
    let Some(version) = operator.versions.last() else { return TokenStream::new() };
    let inputs = side(operator, version, "Input", &version.inputs);
    let several = version.outputs.len() > 1;
    let outputs = several.then(|| side(operator, version, "Output", &version.outputs));
    quote!(#inputs #outputs)
}

fn side(operator: &Operator, version: &Version, side: &str, parameters: &[Parameter]) -> Option<TokenStream> {
    if parameters.is_empty() {
        return None;
    }
    let (side, name) = (format_ident!("{side}"), format_ident!("{side}s"));
    let formal = format_ident!("{}", name.to_string().to_lowercase());
    let schema = schema_name(SchemaName::newest(version));
    let docs = doc([format!("The {formal} of [`{}{}`] by name.", operator.name, version.since)]);
    let variadic = parameters.iter().any(|parameter| parameter.option == ParameterOption::Variadic);
    let lifetime = variadic.then(|| quote!('n));
    let mut fields: Vec<String> = Vec::new();
    for parameter in parameters {
        let mut field = snake(&parameter.name);
        // `A` and `a` are two parameters.
        while fields.contains(&field) {
            field.push('_');
        }
        fields.push(field);
    }
    let fields = parameters.iter().zip(fields).map(|(parameter, field)| {
        let field = ident(&field);
        let docs =
            doc([format!("`{}`: {}", parameter.name, without_links(&parameter.doc)).trim_end_matches(": ").to_owned()]);
        let how = match parameter.option {
            ParameterOption::Single => quote!(one V),
            ParameterOption::Optional => quote!(optional::core::option::Option<V>),
            ParameterOption::Variadic => quote!(rest &'n [::core::option::Option<V>]),
        };
        quote!(#docs #field: #how)
    });
    Some(quote! {
        ::shape_core::connections! { #docs #name [#lifetime] #side #formal #schema { #(#fields),* } }
    })
}
