//! The path of shape-core in generated code.

use proc_macro2::{Group, TokenStream, TokenTree};

/// The code with another path for `::shape_core`, for a crate that knows it by another name.
#[must_use]
pub fn with_core(tokens: TokenStream, core: &TokenStream) -> TokenStream {
    let mut code = TokenStream::new();
    // The colons of a path that has just begun, held back until it is known what it names.
    let mut colons: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ':' => {
                // Of three colons, which Rust has nowhere, the first is none of the path.
                if colons.len() == 2 {
                    code.extend(colons.drain(..1));
                }
                colons.push(TokenTree::Punct(punct));
            }
            TokenTree::Ident(name) if name == "shape_core" && colons.len() == 2 => {
                colons.clear();
                code.extend(core.clone());
            }
            token => {
                code.extend(colons.drain(..));
                code.extend([match token {
                    TokenTree::Group(group) => {
                        let mut inner = Group::new(group.delimiter(), with_core(group.stream(), core));
                        inner.set_span(group.span());
                        TokenTree::Group(inner)
                    }
                    token => token,
                }]);
            }
        }
    }
    code.extend(colons);
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn renamed() {
        let code = quote!(
            fn f(a: &::shape_core::Dim) {
                ::core::mem::drop(shape_core::x);
                ::shape_core::allow! { ::shape_core::Y }
            }
        );
        let expected = quote!(
            fn f(a: &crate::own::Dim) {
                ::core::mem::drop(shape_core::x);
                crate::own::allow! { crate::own::Y }
            }
        );
        assert_eq!(with_core(code, &quote!(crate::own)).to_string(), expected.to_string());
    }
}
