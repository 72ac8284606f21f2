//! The items of an operator's module, as the macro would put them into a crate.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Expr, Item, Lit, Meta};

use super::value::{Struct, Value};

/// What is read of a module.
#[derive(Default)]
pub(super) struct Module {
    pub(super) name: String,
    pub(super) doc: String,
    /// The enum over the versions, as variants with the struct of each.
    pub(super) any: (String, Vec<String>),
    /// The enums of attributes, each with its values and their variants.
    pub(super) enums: Vec<(String, Vec<(String, String)>)>,
    /// `Inputs` and `Outputs`, each with its fields.
    pub(super) connections: Vec<(String, Vec<String>)>,
    /// The schemas in `VERSIONS`, oldest first.
    pub(super) versions: Vec<u32>,
    /// The structs, each with its fields and their types.
    pub(super) structs: BTreeMap<String, Fields>,
    /// The structs that versions are.
    pub(super) aliases: BTreeMap<u32, String>,
    /// What structs can do, by their names.
    pub(super) methods: BTreeMap<String, Vec<String>>,
    /// What the compiler allows: the trait, the version, and the group or the element types.
    pub(super) allowed: Vec<(String, u32, Result<String, Vec<String>>)>,
    /// The names of constants that are rules of another crate, with the paths.
    pub(super) rules: Vec<(String, String)>,
    /// The schemas, by the names of their statics.
    pub(super) schemas: BTreeMap<String, Struct>,
}

/// The generics of a struct, and its fields with their types.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) lifetime: &'static str,
    pub(super) fields: Vec<(String, String)>,
}

impl Module {
    /// Reads generated code, which is one module.
    pub(super) fn read(tokens: TokenStream) -> Self {
        let Item::Mod(module) = syn::parse2(tokens).unwrap() else { panic!("not a module") };
        let mut read = Self { name: module.ident.to_string(), doc: doc(&module.attrs), ..Self::default() };
        for item in module.content.unwrap().1 {
            read.item(&item);
        }
        read
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Enum(of) => {
                let variant = |of: &syn::Variant| format!("{}{}", of.ident, tight(of.fields.to_token_stream()));
                self.any = (of.ident.to_string(), of.variants.iter().map(variant).collect());
            }
            Item::Struct(of) => {
                let field =
                    |field: &syn::Field| (field.ident.as_ref().unwrap().to_string(), tight(field.ty.to_token_stream()));
                let lifetime = if of.generics.lifetimes().next().is_some() { "<'a>" } else { "" };
                let fields = Fields { lifetime, fields: of.fields.iter().map(field).collect() };
                self.structs.insert(of.ident.to_string(), fields);
            }
            Item::Type(of) => {
                let (target, name) = (tight(of.ty.to_token_stream()), of.ident.to_string());
                let (target, arguments) = target.split_once('<').unwrap();
                let since = arguments.trim_end_matches('>').rsplit(',').next().unwrap().trim().parse().unwrap();
                assert!(name.ends_with(&format!("{since}")), "{name} = {target}<{arguments}");
                self.aliases.insert(since, target.to_owned());
            }
            Item::Static(of) if of.ident == "VERSIONS" => {
                let versions = Value::read(&of.expr);
                let since = |of: &Value| of.call().unwrap().0.strip_prefix("SCHEMA_").unwrap().parse().unwrap();
                self.versions = versions.list().iter().map(since).collect();
            }
            Item::Static(of) => {
                let Value::Struct(schema) = Value::read(&of.expr) else { panic!("{} is no schema", of.ident) };
                self.schemas.insert(of.ident.to_string(), schema);
            }
            Item::Const(of) => {
                let Expr::Macro(rule) = &*of.expr else { panic!("{} is no rule", of.ident) };
                let path = rule.mac.tokens.clone().into_iter().next().unwrap().to_string();
                self.rules.push((of.ident.to_string(), path.trim_matches('"').to_owned()));
            }
            Item::Impl(of) => self.implementation(of),
            Item::Macro(of) => self.call(of),
            Item::Trait(_) => {}
            other => panic!("an item that no review shows: {}", other.to_token_stream()),
        }
    }

    fn implementation(&mut self, of: &syn::ItemImpl) {
        if let Some((of_trait, _)) = &of.trait_ {
            // `impl<E: type_sets::Group> Marker<SINCE> for E {}`
            let (marker, since) = version_of(&tight(of_trait.to_token_stream()));
            let bound = tight(of.generics.params.to_token_stream());
            let group = bound.rsplit("::").next().unwrap().to_owned();
            self.allowed.push((marker, since, Ok(group)));
            return;
        }
        let name = tight(of.self_ty.to_token_stream());
        let methods = self.methods.entry(name.split('<').next().unwrap().to_owned()).or_default();
        for item in &of.items {
            let syn::ImplItem::Fn(method) = item else { continue };
            let inputs = method.sig.inputs.iter().filter_map(|input| match input {
                syn::FnArg::Typed(input) => {
                    Some(format!("{}: {}", tight(input.pat.to_token_stream()), short(&input.ty)))
                }
                syn::FnArg::Receiver(_) => None,
            });
            let inputs: Vec<String> = inputs.collect();
            methods.push(format!("{}({})", method.sig.ident, inputs.join(", ")));
        }
    }

    /// The items that are written as calls of macros.
    fn call(&mut self, of: &syn::ItemMacro) {
        let tokens: Vec<TokenTree> = of.mac.tokens.clone().into_iter().collect();
        let group = |tokens: &[TokenTree]| match tokens.last() {
            Some(TokenTree::Group(group)) => group.stream(),
            _ => panic!("no group: {tokens:?}"),
        };
        let idents = |tokens: &[TokenTree]| -> Vec<String> {
            let idents = tokens.iter().filter(|token| matches!(token, TokenTree::Ident(_)));
            idents.map(ToString::to_string).collect()
        };
        match &*of.mac.path.segments.last().unwrap().ident.to_string() {
            "closed" => {
                let name = idents(&tokens).remove(0);
                let rows = rows(group(&tokens)).into_iter().map(|row| {
                    let [TokenTree::Ident(variant), _, value] = &*row else { panic!("not a value: {row:?}") };
                    let value: Lit = syn::parse2(value.to_token_stream()).unwrap();
                    let Lit::ByteStr(value) = value else { panic!("not a value: {row:?}") };
                    (value.value().escape_ascii().to_string(), variant.to_string())
                });
                self.enums.push((name, rows.collect()));
            }
            "connections" => {
                let name = idents(&tokens).remove(0);
                let rows = rows(group(&tokens)).into_iter().map(|row| {
                    let how = match &*row[2].to_string() {
                        "one" => "",
                        "optional" => "?",
                        "rest" => "...",
                        other => panic!("`{other}` is no form of a value"),
                    };
                    format!("{}{how}", row[0])
                });
                self.connections.push((name, rows.collect()));
            }
            "allow" => {
                let text = tight(of.mac.tokens.clone());
                let (marker, elements) = text.split_once(':').unwrap();
                let (marker, since) = version_of(marker.trim());
                let elements = elements.split_whitespace().map(str::to_owned).collect();
                self.allowed.push((marker, since, Err(elements)));
            }
            // They say nothing that the other items do not say.
            "any_version" | "version" => {}
            other => panic!("`{other}!` is not shown by a review"),
        }
    }

    /// A field of a schema, wherever it is written.
    pub(super) fn schema(&self, name: &str, field: &str) -> Option<&Value> {
        let mut next = Some(name);
        while let Some(schema) = next.and_then(|name| self.schemas.get(name)) {
            if let Some((_, value)) = schema.fields.iter().find(|(name, _)| name == field) {
                return Some(value);
            }
            next = schema.rest.as_deref();
        }
        None
    }
}

/// The tokens between commas, without the attributes before them.
fn rows(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut rows = vec![Vec::new()];
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        match &token {
            TokenTree::Punct(of) if of.as_char() == ',' => rows.push(Vec::new()),
            TokenTree::Punct(of) if of.as_char() == '#' => _ = tokens.next(),
            _ => rows.last_mut().unwrap().push(token),
        }
    }
    rows.retain(|row| !row.is_empty());
    rows
}

/// `ShapeT<13>` to `ShapeT` and 13.
fn version_of(text: &str) -> (String, u32) {
    let (name, since) = text.split_once('<').unwrap();
    (name.to_owned(), since.trim_end_matches('>').parse().unwrap())
}

/// A type without the paths that it is written with: `Option<&'a [i64]>`.
fn tight(tokens: TokenStream) -> String {
    let mut text = String::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    proc_macro2::Delimiter::Parenthesis => ("(", ")"),
                    proc_macro2::Delimiter::Bracket => ("[", "]"),
                    proc_macro2::Delimiter::Brace => ("{", "}"),
                    proc_macro2::Delimiter::None => ("", ""),
                };
                text += &format!("{open}{}{close}", tight(group.stream()));
            }
            TokenTree::Punct(punct) => {
                text.push(punct.as_char());
                text += if matches!(punct.as_char(), ',') { " " } else { "" };
            }
            other => {
                if text.ends_with(|c: char| c.is_alphanumeric()) {
                    text.push(' ');
                }
                text += &other.to_string();
            }
        }
    }
    text.replace("::core::option::", "").replace("::core::primitive::", "").replace("::shape_core::node::", "")
}

/// The type of an input of `infer_typed`, as its element type.
fn short(ty: &syn::Type) -> String {
    let text = tight(ty.to_token_stream());
    match text.strip_prefix("::shape_core::facts::Typed<'_, ").and_then(|rest| rest.split_once(',')) {
        Some((element, _)) => element.replace("::shape_core::element::of::", ""),
        None => "..".to_owned(),
    }
}

/// The text of doc comments.
fn doc(attributes: &[syn::Attribute]) -> String {
    let line = |attribute: &syn::Attribute| match &attribute.meta {
        Meta::NameValue(of) if of.path.is_ident("doc") => Value::read(&of.value).text().map(str::to_owned),
        _ => None,
    };
    let lines: Vec<String> = attributes.iter().filter_map(line).collect();
    lines.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
}
