//! Adapts generated code to the crate that it is generated for.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

/// The code with another path instead of `::shape_core`, for a crate that imports it under another name, and without
/// `#[diagnostic::...]`: these attributes do not exist in a crate with `no_implicit_prelude`, and have no other path.
#[must_use]
pub fn with_core(tokens: TokenStream, core: &TokenStream) -> TokenStream {
    // onnxspec-core knows itself by this name.
    if core.to_string() == quote!(::shape_core).to_string() {
        return tokens;
    }
    let core: Vec<TokenTree> = core.clone().into_iter().collect();
    rewritten(tokens, &core)
}

/// In one pass, since unoptimised macros in debug builds are slow, and descriptors become many tokens.
fn rewritten(tokens: TokenStream, core: &[TokenTree]) -> TokenStream {
    let mut code: Vec<TokenTree> = Vec::new();
    // The colons at the beginning of a path are the last tokens so far.
    let mut colons = 0;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        // What stands behind `use ::shape_core::operator::names::*;` has only names from there.
        let is_end = matches!(&token, TokenTree::Punct(end) if end.as_char() == ';');
        let is_import = |code: &[TokenTree]| match code {
            [.., TokenTree::Ident(module), _, _, TokenTree::Ident(names), _, _, TokenTree::Punct(_)] => {
                module == "operator" && names == "names"
            }
            _ => false,
        };
        if is_end && is_import(&code) {
            code.push(token);
            code.extend(tokens);
            break;
        }
        let begun = std::mem::take(&mut colons);
        match token {
            TokenTree::Punct(punct) => {
                match punct.as_char() {
                    '#' if tokens.next_if(is_diagnostic).is_some() => continue,
                    // Of three colons, which Rust does not have, the first is not part of the path.
                    ':' => colons = (begun + 1).min(2),
                    _ => {}
                }
                code.push(TokenTree::Punct(punct));
            }
            TokenTree::Ident(name) if begun == 2 && name == "shape_core" => {
                code.truncate(code.len() - begun);
                code.extend_from_slice(core);
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), rewritten(group.stream(), core));
                inner.set_span(group.span());
                code.push(TokenTree::Group(inner));
            }
            token => code.push(token),
        }
    }
    code.into_iter().collect()
}

fn is_diagnostic(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let first = || group.stream().into_iter().next();
    group.delimiter() == Delimiter::Bracket
        && first().is_some_and(|first| matches!(first, TokenTree::Ident(name) if name == "diagnostic"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renamed() {
        let code = quote!(
            fn f(a: &::shape_core::Dim) {
                ::core::mem::drop(shape_core::x);
                #[diagnostic::on_unimplemented(message = "x")]
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
