//! Prints types and sets of types as constant expressions.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use shape_specs::tables::{Element, Tables, Type};

use crate::element::data_type;
use crate::names::constant;

/// A set of types: the element types of each form that the core stores as bits, and the list of the other types.
///
/// `short` says whether the names of `shape_core::operator::names` are in scope.
pub(crate) fn type_set(allow: &[Type], tables: &Tables, short: bool) -> TokenStream {
    let (mut forms, mut others) = ([const { Vec::new() }; 4], Vec::new());
    for ty in allow {
        match form(ty).and_then(|(form, element)| Some((forms.get_mut(form)?, element))) {
            Some((elements, element)) => elements.push(element),
            None => others.push(type_value(ty, short)),
        }
    }
    let wraps = [quote!(), quote!(.in_sequences()), quote!(.in_optionals()), quote!(.in_sequences().in_optionals())];
    let sets = forms.iter().zip(wraps).filter(|(elements, _)| !elements.is_empty()).map(|(elements, wrap)| {
        let set = element_set(elements, tables, short);
        quote!(#set #wrap)
    });
    let whole = sets.reduce(|whole, set| quote!(#whole.union(#set)));
    let whole = whole.unwrap_or_else(|| element_set(&[], tables, short));
    let listing = (!others.is_empty()).then(|| quote!(.listing(const { &[#(#others),*] })));
    quote!(#whole #listing)
}

/// The index of a type's form among those that the core stores as bits, and its element type.
fn form(ty: &Type) -> Option<(usize, &Element)> {
    match ty {
        Type::Tensor(element) => Some((0, element)),
        Type::Sequence(of) => form(of).filter(|(form, _)| *form == 0).map(|(_, element)| (1, element)),
        Type::Optional(of) => form(of).filter(|(form, _)| *form < 2).map(|(form, element)| (form + 2, element)),
        _ => None,
    }
}

/// The tensors of element types: a group of `types.yaml`, possibly with a few members added or removed, or the list of
/// them.
fn element_set(set: &[&Element], tables: &Tables, short: bool) -> TokenStream {
    /// With more differences than this, the list is more readable.
    const FEW: u32 = 4;
    let list = |elements: &[&Element]| {
        let elements = elements.iter().map(|element| data_type(element));
        if short {
            quote!(&[#(DataType::#elements),*])
        } else {
            quote!(&[#(::shape_core::data_type::DataType::#elements),*])
        }
    };
    let wanted = bits(set.iter().copied());
    let nearest = tables
        .groups
        .iter()
        .map(|(group, members)| ((bits(members) ^ wanted).count_ones(), group, members))
        .filter(|(differ, ..)| *differ <= FEW)
        .min_by_key(|(differ, ..)| *differ);
    let Some((_, group, members)) = nearest.filter(|(differ, ..)| wanted.count_ones() > *differ + 1) else {
        if short {
            let numbers: Vec<u8> = set.iter().map(|element| element.number).collect();
            let numbers = Literal::byte_string(&numbers);
            return quote!(tensors(#numbers));
        }
        let set = list(set);
        return quote!(::shape_core::types::TypeSet::new(#set));
    };
    let more: Vec<&Element> = set.iter().copied().filter(|element| !members.contains(element)).collect();
    let less: Vec<&Element> = members.iter().filter(|element| !set.contains(element)).collect();
    let constant = constant(group);
    let constant = if short { quote!(type_sets::#constant) } else { quote!(::shape_core::type_sets::#constant) };
    let with = (!more.is_empty()).then(|| list(&more)).map(|more| quote!(.with(#more)));
    let without = (!less.is_empty()).then(|| list(&less)).map(|less| quote!(.without(#less)));
    quote!(#constant #with #without)
}

/// A bit for each element type.
fn bits<'e>(elements: impl IntoIterator<Item = &'e Element>) -> u64 {
    elements.into_iter().fold(0, |bits, element| bits | 1_u64.checked_shl(element.number.into()).unwrap_or_default())
}

/// A type as a constant expression.
pub(crate) fn type_value(ty: &Type, short: bool) -> TokenStream {
    let (of, element_of) = match short {
        true => (quote!(Type), quote!(DataType)),
        false => (quote!(::shape_core::types::Type), quote!(::shape_core::data_type::DataType)),
    };
    let wrapped = |of: &Type, form: TokenStream| {
        let of = type_value(of, short);
        if short {
            return quote!(nested(#of.#form));
        }
        // The nesting of descriptors' types is limited to less than the core's type word can hold.
        quote!(match #of.#form {
            ::core::option::Option::Some(ty) => ty,
            ::core::option::Option::None => ::core::panic!("a type that nests too deep"),
        })
    };
    match ty {
        Type::Tensor(element) => {
            let element = data_type(element);
            quote!(#of::tensor(#element_of::#element))
        }
        Type::SparseTensor(element) => {
            let element = data_type(element);
            quote!(#of::sparse_tensor(#element_of::#element))
        }
        Type::Sequence(of) => wrapped(of, quote!(sequence())),
        Type::Optional(of) => wrapped(of, quote!(optional())),
        Type::Map(key, of) => {
            let key = data_type(key);
            wrapped(of, quote!(map(#element_of::#key)))
        }
    }
}
