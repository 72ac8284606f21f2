//! Generates a struct of arguments and a constant for each rule of `rules.yaml`.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use shape_specs::Tables;
use shape_specs::document::ParameterOption;
use shape_specs::operator::{Operator, Version};
use shape_specs::rules::{Argument, Call};
use shape_specs::signature::{Gives, RuleParameter, RuleParameterKind, RuleParameterPresence, Signature};
use shape_specs::yaml::Position;

use crate::field_type::field_type;
use crate::names::{camel, constant, ident, snake};

/// A constant for each rule, and the list of them all.
pub(crate) fn rules(tables: &Tables) -> TokenStream {
    let constants = tables.families.iter().flat_map(|family| {
        let module = ident(&family.name);
        family.rules.iter().map(move |rule| {
            let (name, text, docs) = (constant(&rule.name), &rule.name, docs(rule));
            let (function, arguments) = (ident(&rule.name), camel(&rule.name));
            let elements = rule.gives(Gives::Elements);
            let run = if rule.parameters.is_empty() {
                quote!(|_arguments, output| super::#module::#function(output))
            } else {
                quote!(|arguments, output| super::#module::#function(parameters::#arguments::read(arguments), output))
            };
            quote! {
                #[doc = #docs]
                pub const #name: Rule = crate::rule!(#text, #elements, #run);
            }
        })
    });
    let all = tables.rules().map(|rule| constant(&rule.name));
    quote! {
        #(#constants)*

        /// The rules, in the order of `specs/rules.yaml`.
        pub const ALL: &[Rule] = &[#(#all),*];
    }
}

/// A struct of the arguments of each rule.
pub(crate) fn rule_parameters(tables: &Tables) -> TokenStream {
    tables.rules().filter(|rule| !rule.parameters.is_empty()).map(parameters).collect()
}

fn docs(rule: &Signature) -> String {
    format!(" `{rule}`: {}", rule.doc)
}

/// The struct of the arguments of a rule, and the code that reads it.
fn parameters(rule: &Signature) -> TokenStream {
    let (name, docs) = (camel(&rule.name), docs(rule));
    let reads: Vec<Read> = rule.parameters.iter().map(Read::of).collect();
    let needs = |of: fn(&Read) -> bool| reads.iter().any(of);
    let (dimension, borrows) = (needs(|read| read.dimension), needs(|read| read.borrows));
    let (declared, used) = match (borrows, dimension) {
        (_, true) => (quote!(<'n, D: Dimension>), quote!(<'n, D>)),
        (true, false) => (quote!(<'n>), quote!(<'n>)),
        (false, false) => (quote!(), quote!()),
    };
    let fields = reads.iter().map(|Read { name, ty, docs, .. }| quote!(#[doc = #docs] pub #name: #ty));
    let values = reads.iter().enumerate().map(|(index, Read { name, method, default, .. })| {
        let index = Literal::usize_unsuffixed(index);
        quote!(#name: arguments.#method(#index #default))
    });
    let (function, life) = match (dimension, borrows) {
        (true, _) => (quote!(), quote!('n)),
        (false, true) => (quote!(<D: Dimension>), quote!('n)),
        (false, false) => (quote!(<D: Dimension>), quote!('_)),
    };
    quote! {
        #[doc = #docs]
        pub struct #name #declared {
            #(#fields,)*
        }

        impl #declared #name #used {
            pub(super) fn read #function (arguments: &RuleArguments<#life, '_, D>) -> Self {
                Self { #(#values),* }
            }
        }
    }
}

/// The code that reads a parameter.
struct Read {
    name: Ident,
    docs: String,
    ty: TokenStream,
    method: Ident,
    /// The arguments of the method after the index.
    default: TokenStream,
    dimension: bool,
    borrows: bool,
}

impl Read {
    fn of(parameter: &RuleParameter) -> Self {
        use RuleParameterKind as Kind;
        use RuleParameterPresence as Presence;
        let (ty, method, default) = match (parameter.kind, parameter.presence) {
            (Kind::Tensor, Presence::Optional) => (quote!(Option<Input<'n, D>>), "optional_tensor", quote!()),
            (Kind::Tensor, _) => (quote!(Input<'n, D>), "tensor", quote!()),
            (Kind::Tensors, _) => (quote!(InputList<'n, D>), "tensors", quote!()),
            (Kind::Axis | Kind::Size | Kind::Integer | Kind::Scale, presence) => match presence {
                Presence::Optional => (quote!(Option<Integer<'n, D>>), "integer", quote!()),
                Presence::Default(number) => {
                    let number = Literal::i64_unsuffixed(number);
                    (quote!(Integer<'n, D>), "integer_or", quote!(, #number))
                }
                _ => (quote!(Integer<'n, D>), "required_integer", quote!()),
            },
            (Kind::Axes | Kind::Sizes | Kind::Integers | Kind::Scales, Presence::Optional) => {
                (quote!(Option<List<'n, D>>), "list", quote!())
            }
            (Kind::Axes | Kind::Sizes | Kind::Integers | Kind::Scales, _) => {
                (quote!(List<'n, D>), "required_list", quote!())
            }
            (Kind::Target, Presence::Optional) => (quote!(Option<List<'n, D>>), "target", quote!()),
            (Kind::Target, _) => (quote!(List<'n, D>), "required_target", quote!()),
            (Kind::Flag, presence) => {
                let default = presence == Presence::Default(1);
                (quote!(bool), "flag", quote!(, #default))
            }
            (Kind::Text, _) => (quote!(&'n [u8]), "text", quote!()),
            (Kind::Value, _) => (quote!(Option<AttributeValue<'n>>), "value", quote!()),
            (Kind::Type, _) => (quote!(Option<DataType>), "element_type", quote!()),
            (Kind::Graph, _) => (quote!(Graph<'n, D>), "graph", quote!()),
            (Kind::Count, _) => (quote!(Option<Count>), "count", quote!()),
        };
        let text = ty.to_string();
        Self {
            name: ident(&snake(&parameter.name)),
            docs: format!(" `{parameter}`"),
            dimension: text.contains('D') && text.contains(", D >"),
            borrows: text.contains("'n"),
            ty,
            method: format_ident!("{method}"),
            default,
        }
    }
}

/// A rule that is a function of the crate that the code is generated for, with the arguments as its parameters.
pub(crate) fn custom_rule(operator: &Operator, version: &Version, call: &Call) -> TokenStream {
    let text = &call.rule;
    let path = path(text);
    let arguments = call.arguments.iter().enumerate().map(|(index, argument)| {
        let index = Literal::usize_unsuffixed(index);
        match argument {
            Argument::Absent => quote!(::core::option::Option::None),
            Argument::Int(_) => quote!(arguments.number(#index)),
            Argument::Named(name) | Argument::ChannelsLast(name) | Argument::Every(name, _) => {
                let input = version.inputs.iter().find(|input| input.name == *name);
                let attribute = version.attributes.iter().find(|attribute| attribute.name == *name);
                match (attribute, input.map(|input| input.option)) {
                    (None, Some(ParameterOption::Variadic)) => quote!(arguments.variadic(#index)),
                    (None, Some(ParameterOption::Optional)) => quote!(arguments.optional_tensor(#index)),
                    (None, _) => quote!(arguments.tensor(#index)),
                    (Some(attribute), _) => {
                        let ty = field_type(attribute.kind, &syn::parse_quote!('_));
                        if attribute.required || attribute.default.is_some() {
                            quote!(arguments.required_field::<#ty>(#index)?)
                        } else {
                            quote!(arguments.field::<#ty>(#index))
                        }
                    }
                }
            }
        }
    });
    let body = match operator.paths.iter().find(|(path, _)| path == text) {
        None => quote!(#path(#(#arguments,)* output)),
        Some((_, position)) => {
            // The compiler points at the call of `operators!`, and lists the names of macros on the way to an
            // unresolved path.
            let at = position_name(&operator.file, *position);
            quote!({
                macro_rules! #at {
                    ($($argument:expr),*) => { #path($($argument),*) }
                }
                #at!(#(#arguments,)* output)
            })
        }
    };
    // Without an attribute or input among them, nothing reads the arguments.
    let read = call.arguments.iter().any(|argument| !matches!(argument, Argument::Absent));
    let name = format_ident!("{}", if read { "arguments" } else { "_arguments" });
    quote!(::shape_core::rule!(#text, false, |#name, output| #body))
}

/// The position in a file as a name: `specs_com_acme_Gelu_yaml_line_12`.
fn position_name(file: &str, Position { line, .. }: Position) -> Ident {
    let file = file.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    let words = file.map(str::to_owned).chain(["line".to_owned(), line.to_string()]);
    let name = words.collect::<Vec<_>>().join("_");
    format_ident!("{}{name}", if name.starts_with(char::is_numeric) { "_" } else { "" })
}

/// `crate::rules::gelu` as tokens.
fn path(text: &str) -> TokenStream {
    let words =
        text.split("::").map(|word| if word == "crate" { quote!(crate) } else { ident(word).into_token_stream() });
    quote!(#(#words)::*)
}
