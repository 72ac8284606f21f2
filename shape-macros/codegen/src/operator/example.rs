//! The examples of a descriptor as tests.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use shape_specs::Operator;
use shape_specs::document::AttributeKind;
use shape_specs::operator::{Example, Expectation, Tensor};

use crate::names::{camel, ident, snake};
use crate::tables::data_type;
use crate::value::{literal_kind, plain_value};

/// The examples, a test each, which runs for every version that the example holds for.
pub(super) fn tests(operator: &Operator) -> TokenStream {
    if operator.examples.is_empty() {
        return TokenStream::new();
    }
    let tests = operator.examples.iter().map(|example| {
        let name = ident(&snake(&example.name));
        let example = example_value(operator, example);
        quote! {
            #[::core::prelude::v1::test]
            fn #name() {
                static EXAMPLE: Example = #example;
                EXAMPLE.check(VERSIONS);
            }
        }
    });
    quote! {
        #[cfg(test)]
        mod examples {
            use super::VERSIONS;
            use ::shape_core::example::names::*;

            #(#tests)*
        }
    }
}

/// An example in the names that `shape_core::example::names` brings: in the module of the tests there are no others.
fn example_value(operator: &Operator, example: &Example) -> TokenStream {
    let Example { name, line, since, until, inputs, attributes, expect, .. } = example;
    let origin = format!("{}:{line}", operator.file);
    let since = Literal::u32_unsuffixed(*since);
    let until = match until {
        Some(until) => {
            let until = Literal::u32_unsuffixed(*until);
            quote!(Some(#until))
        }
        None => quote!(None),
    };
    let inputs = inputs.iter().map(tensor_value);
    let attributes = attributes.iter().map(|(name, value)| {
        let kind = literal_kind(value);
        let (variant, value) = (camel(&kind.name().to_lowercase()), plain_value(kind, value));
        quote!(given(#name, AttributeValue::#variant(#value)))
    });
    let expect = match expect {
        Expectation::Outputs(outputs) => {
            let outputs = outputs.iter().map(tensor_value);
            quote!(Expectation::Outputs(&[#(#outputs),*]))
        }
        Expectation::Error(code) => {
            let code = camel(code);
            quote!(Expectation::Error(Code::#code))
        }
    };
    quote!(Example {
        name: #name,
        origin: #origin,
        since: #since,
        until: #until,
        inputs: &[#(#inputs),*],
        attributes: &[#(#attributes),*],
        expect: #expect,
    })
}

fn tensor_value(tensor: &Tensor) -> TokenStream {
    let Tensor { element, dims, values } = tensor;
    let variant = data_type(element);
    let dims = dims.iter().map(|dim| Literal::u64_unsuffixed(*dim));
    match values.as_ref().filter(|_| element.name == "int64") {
        Some(values) => {
            let values = values.iter().map(|value| plain_value(AttributeKind::Int, value));
            quote!(int64s(&[#(#dims),*], &[#(#values),*]))
        }
        None => quote!(tensor(DataType::#variant, &[#(#dims),*])),
    }
}
