//! Reads a derived struct into a `Document`.

use proc_macro2::TokenStream;
use quote::ToTokens;
use shape_specs::de::Spanned;
use shape_specs::document::{AttributeEntry, AttributeKind, Document, Literal};
use shape_specs::names::nearest;
use shape_specs::yaml::{Kind, Node};
use shape_specs::{DocumentError, Draft, NOWHERE};
use syn::ext::IdentExt as _;
use syn::{Data, DeriveInput, Fields, GenericParam, Ident};

use super::errors::Errors;
use super::field::{FieldType, Unsupported, Value, value};
use super::items::{Form, Item, doc, items};
use super::parameters::{self, parameters};
use super::tree;

/// The result of reading a struct.
pub(super) struct Read {
    /// Its fields, in the order of the attributes.
    pub(super) fields: Vec<Field>,
    /// Its lifetime.
    pub(super) lifetime: Option<syn::Lifetime>,
    /// The path of onnxspec-core, if it has another name.
    pub(super) core: Option<TokenStream>,
    /// The tokens of the opset.
    pub(super) since: TokenStream,
}

/// The facts about a field that the document does not contain.
pub(super) struct Field {
    pub(super) name: Ident,
    /// Whether it is not an `Option`.
    pub(super) plain: bool,
    /// The type of a field with a user-defined type, and its default.
    pub(super) closed: Option<(syn::Type, Option<syn::ExprPath>)>,
}

/// The words of `#[operator(...)]` that are fields of a descriptor.
const HEAD: [&str; 4] = ["errata", "examples", "runtime", "sources"];
/// Those that are fields of a version.
const VERSION: [&str; 7] = ["adapter", "details", "exclusive", "requires", "rules", "semantics", "subgraphs"];
/// Those that stand alone, each with the field of a version that it sets.
const FLAGS: [(&str, &str); 6] = [
    ("deprecated", "deprecated"),
    ("experimental", "support_level"),
    ("function", "function"),
    ("nondeterministic", "deterministic"),
    ("other_attributes", "other_attributes"),
    ("shape_inference", "shape_inference"),
];
/// All others.
const OWN: [&str; 7] = ["crate", "domain", "inputs", "name", "outputs", "since_version", "types"];

/// All words of `#[operator(...)]`.
pub(super) fn words() -> Vec<&'static str> {
    [&OWN[..], &HEAD, &VERSION].concat().into_iter().chain(FLAGS.iter().map(|(word, _)| *word)).collect()
}

pub(super) const FIELD_WORDS: [&str; 6] = ["default", "legacy", "values", "min", "max", "rename"];

impl Read {
    /// Reads a struct into these facts and its descriptor; if nothing of the descriptor can be read, its errors.
    pub(super) fn of(input: &DeriveInput, errors: &mut Errors) -> (Self, Result<Draft, Vec<DocumentError>>) {
        let lifetime = generics(input, errors);
        let mut name = errors.leaf(&input.ident, Kind::Text(input.ident.unraw().to_string()));
        let mut domain = nowhere(Kind::Text("unknown".to_owned()));
        let mut since_version = nowhere(Kind::Int(1));
        let (mut head, mut version) = (Vec::new(), Vec::new());
        let (mut types, mut inputs, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
        let (mut core, mut since) = (None, None);
        let items = items(&input.attrs, "operator", &words(), errors);
        for item in &items {
            match &*item.key.to_string() {
                "domain" => {
                    if let Some((at, text)) = item.text("domain = \"com.acme\"", errors) {
                        domain = errors.leaf(at, Kind::Text(text));
                    }
                }
                "name" => {
                    if let Some((at, text)) = item.text("name = \"Gelu\"", errors) {
                        name = errors.leaf(at, Kind::Text(text));
                    }
                }
                "since_version" => {
                    if let Some((at, number)) = self::since_version(item, errors) {
                        since_version = errors.leaf(&at, Kind::Int(number.into()));
                        since = Some(at);
                    }
                }
                "crate" => {
                    core = path(item, "crate = ::renamed", errors).map(ToTokens::into_token_stream);
                }
                "types" => {
                    if let Some(list) = item.list("types(T: [float, double])", errors) {
                        types = parameters::types(list, errors);
                    }
                }
                "inputs" => {
                    if let Some(list) = item.list("inputs(data: T)", errors) {
                        inputs = parameters(list, errors);
                    }
                }
                "outputs" => {
                    if let Some(list) = item.list("outputs(result: T)", errors) {
                        outputs = parameters(list, errors);
                    }
                }
                word => match FLAGS.iter().find(|(flag, _)| *flag == word) {
                    Some((flag, field)) => {
                        item.word(errors);
                        let value = match *flag {
                            "experimental" => Kind::Text(flag.to_string()),
                            flag => Kind::Bool(flag != "nondeterministic"),
                        };
                        let key = errors.leaf(&item.key, Kind::Text(field.to_string()));
                        version.push((key, errors.leaf(&item.key, value)));
                    }
                    None if HEAD.contains(&word) => tree::field(item, &mut head, errors),
                    None => tree::field(item, &mut version, errors),
                },
            }
        }
        missing(&items, &input.ident, errors);
        let (fields, attributes): (Vec<_>, Vec<_>) = attributes(input, lifetime.as_ref(), errors).into_iter().unzip();
        let key = |name: &str| nowhere(Kind::Text(name.to_owned()));
        version.push((key("since"), since_version));
        let version = errors.leaf(&input.ident, Kind::Map(version));
        let summary = nowhere(Kind::Text(doc(&input.attrs)));
        head.extend([(key("operator"), name), (key("domain"), domain), (key("summary"), summary)]);
        head.push((key("versions"), errors.leaf(&input.ident, Kind::List(vec![version]))));
        let mut draft = Draft::read(&errors.leaf(&input.ident, Kind::Map(head)));
        if let Ok(Draft { document: Document { sources, versions, .. }, .. }) = &mut draft
            && let Some(delta) = versions.value.first_mut()
        {
            delta.value.sources = sources.iter().map(|source| source.id.clone()).collect();
            (delta.value.types, delta.value.inputs, delta.value.outputs) = (types, inputs, outputs);
            delta.value.attributes = attributes;
        }
        (Self { fields, lifetime, core, since: since.unwrap_or_default() }, draft)
    }
}

fn nowhere(kind: Kind) -> Node {
    Node { id: NOWHERE, kind }
}

/// Reports missing keys that every operator needs.
fn missing(items: &[Item], name: &Ident, errors: &mut Errors) {
    // A misspelled key is not reported as missing.
    let words = errors.words();
    let known = self::words();
    let meant = |key: &str| words.iter().any(|word| nearest(word, known.iter().copied()) == Some(key));
    for (key, example) in [("domain", "domain = \"com.acme\""), ("since_version", "since_version = 1")] {
        if !items.iter().any(|item| item.key == key) && !meant(key) {
            let message = format!("`{name}` does not say its `{key}`");
            errors.error(name, &message, format!("add `#[operator({example})]`"));
        }
    }
}

fn since_version(item: &Item, errors: &mut Errors) -> Option<(TokenStream, u32)> {
    let value = item.value("since_version = 1", errors)?;
    let number = syn::parse2::<syn::LitInt>(value.clone()).and_then(|number| number.base10_parse::<u32>());
    match number {
        Ok(number) => Some((value.clone(), number)),
        Err(_) => {
            errors.error(value, "an opset is a whole number from 1 on", "write `since_version = 1`");
            None
        }
    }
}

pub(super) fn path(item: &Item, example: &str, errors: &mut Errors) -> Option<syn::Path> {
    let value = item.value(example, errors)?;
    let path = syn::parse2(value.clone());
    if path.is_err() {
        errors.error(value, &format!("`{}` is a path", item.key), format!("write `{example}`"));
    }
    path.ok()
}

/// The lifetime of the struct; all else that is generic is an error, and its names are unread.
fn generics(input: &DeriveInput, errors: &mut Errors) -> Option<syn::Lifetime> {
    let mut lifetime = None;
    for parameter in &input.generics.params {
        match parameter {
            GenericParam::Lifetime(parameter) if lifetime.is_none() => lifetime = Some(parameter.lifetime.clone()),
            GenericParam::Lifetime(parameter) => {
                let message = "the fields of an operator borrow from one node";
                errors.error(parameter, message, "one lifetime is enough for all of them");
                errors.unread(&parameter.lifetime.ident.to_token_stream());
            }
            GenericParam::Type(parameter) => {
                let message = "an operator's attributes have no type parameters";
                let help = "a type variable of inputs and outputs stands in `#[operator(types(T: [float, double]))]`";
                errors.error(&parameter.ident, message, help);
                errors.unread(&parameter.ident.to_token_stream());
            }
            GenericParam::Const(parameter) => {
                let help = "write a struct for each version";
                errors.error(&parameter.ident, "an operator's attributes have no const parameters", help);
            }
        }
    }
    if let Some(clause) = &input.generics.where_clause {
        errors.error(clause, "an operator has nothing to put conditions on", "drop the `where`");
    }
    lifetime
}

/// The fields as attributes.
fn attributes(
    input: &DeriveInput,
    lifetime: Option<&syn::Lifetime>,
    errors: &mut Errors,
) -> Vec<(Field, Spanned<AttributeEntry>)> {
    let fields = match &input.data {
        Data::Struct(data) => &data.fields,
        Data::Enum(data) => {
            let help = "`#[derive(AttributeEnum)]` is for an enum that stands for the values of a STRING; versions of an \
                        operator are a struct each";
            errors.error(data.enum_token, "an operator is a struct, whose fields are the attributes", help);
            return Vec::new();
        }
        Data::Union(data) => {
            let message = "an operator is a struct, whose fields are the attributes";
            errors.error(data.union_token, message, "write `struct`");
            return Vec::new();
        }
    };
    if let Fields::Unnamed(unnamed) = fields {
        let help = "write `struct Name { axis: i64 }`; an operator without attributes is `struct Name;`";
        errors.error(unnamed, "attributes have names, and so must the fields", help);
        return Vec::new();
    }
    fields.iter().filter_map(|field| attribute(field, lifetime, errors)).collect()
}

fn attribute(
    field: &syn::Field,
    lifetime: Option<&syn::Lifetime>,
    errors: &mut Errors,
) -> Option<(Field, Spanned<AttributeEntry>)> {
    let ident = field.ident.as_ref()?;
    let items = items(&field.attrs, "attribute", &FIELD_WORDS, errors);
    let mut name = errors.spanned(ident, ident.unraw().to_string());
    for item in items.iter().filter(|item| item.key == "rename") {
        if let Some((at, text)) = item.text("rename = \"type\"", errors) {
            name = errors.spanned(at, text);
        }
    }
    let FieldType { kind, optional, inner, closed } = match FieldType::read(&field.ty, lifetime) {
        Ok(ty) => ty,
        Err(Unsupported { at, message, help }) => {
            // What is of no kind because of a parameter that was told of is not told as well.
            if !errors.mentions(&at) {
                errors.error(at, &message, help);
            }
            return None;
        }
    };
    let (mut default, mut variant, mut values, mut min, mut max) = (None, None, Vec::new(), None, None);
    for item in &items {
        match (&*item.key.to_string(), &item.form) {
            ("default", Form::Value(tokens)) if optional => {
                let message = format!("`{ident}` has a default, so that it is always there");
                errors.error(tokens, &message, "drop the default, or the `Option`");
            }
            ("default", Form::Value(tokens)) => match written(tokens, kind, closed, errors) {
                Some(Value::Literal(literal)) => default = Some(errors.spanned(tokens, literal)),
                Some(Value::Path(path)) => variant = Some(path),
                None => {}
            },
            ("default", _) => _ = item.value("default = 0", errors),
            ("values", Form::Value(tokens)) if closed => {
                errors.error(tokens, "the enum says which values there are", "drop the `values`");
            }
            ("values", Form::Value(tokens)) => values = listed(tokens, kind, errors),
            ("values", _) => _ = item.value("values = [0, 1]", errors),
            ("min", Form::Value(tokens)) => min = bound(tokens, errors),
            ("max", Form::Value(tokens)) => max = bound(tokens, errors),
            ("min" | "max", _) => _ = item.value("min = 1", errors),
            ("legacy", _) => item.word(errors),
            _ => {}
        }
    }
    // One with a variant for its default is as optional as one with a value.
    let may_lack = (optional || variant.is_some()).then(|| errors.spanned(&field.ty, true));
    let entry = AttributeEntry {
        name,
        kind: errors.spanned(&field.ty, kind),
        optional: may_lack,
        default,
        values,
        min,
        max,
        legacy: items.iter().any(|item| item.key == "legacy"),
        doc: doc(&field.attrs),
    };
    let field = Field { name: ident.clone(), plain: !optional, closed: closed.then_some((inner, variant)) };
    Some((field, errors.spanned(ident, entry)))
}

/// A default as it is written.
fn written(tokens: &TokenStream, kind: AttributeKind, closed: bool, errors: &mut Errors) -> Option<Value> {
    let read = syn::parse2(tokens.clone()).ok().and_then(|expr| value(&expr));
    match (read, closed) {
        (Some(Value::Path(path)), true) => return Some(Value::Path(path)),
        (Some(Value::Literal(literal)), false) if has_values(kind) => return Some(Value::Literal(literal)),
        (_, true) => {
            errors.error(tokens, "the default of an enum is one of its variants", "write `default = Mode::Floor`");
        }
        (_, false) if !has_values(kind) => {
            let help = "make the field an `Option`, and let the operator say what holds without it";
            errors.error(tokens, &format!("a {} has no default", kind.name()), help);
        }
        (_, false) => {
            errors.error(tokens, "a default is a value", "write a number, a text, or a list of them: `[1, 1]`");
        }
    }
    None
}

/// A least or greatest value.
fn bound(tokens: &TokenStream, errors: &mut Errors) -> Option<Spanned<Literal>> {
    match syn::parse2(tokens.clone()).ok().and_then(|expr| value(&expr)) {
        Some(Value::Literal(literal)) => Some(errors.spanned(tokens, literal)),
        _ => {
            errors.error(tokens, "a bound is a number", "write `min = 1`");
            None
        }
    }
}

/// The kinds whose values can be written.
fn has_values(kind: AttributeKind) -> bool {
    use AttributeKind::{Float, Floats, Int, Ints, String, Strings};
    matches!(kind, Int | Float | String | Ints | Floats | Strings)
}

/// `[0, 1]`
fn listed(tokens: &TokenStream, kind: AttributeKind, errors: &mut Errors) -> Vec<Spanned<Literal>> {
    let help = "write `values = [0, 1]`";
    if !has_values(kind) {
        errors.error(tokens, &format!("the values of a {} cannot be written", kind.name()), "drop the `values`");
        return Vec::new();
    }
    let list = match syn::parse2::<syn::ExprArray>(tokens.clone()) {
        Ok(list) if !list.elems.is_empty() => list,
        Ok(_) => {
            errors.error(tokens, "no value is left that the attribute may have", help);
            return Vec::new();
        }
        Err(_) => {
            errors.error(tokens, "`values` is a list in brackets", help);
            return Vec::new();
        }
    };
    let mut values = Vec::new();
    let mut lost = false;
    for expr in &list.elems {
        match value(expr) {
            Some(Value::Literal(literal)) => values.push(errors.spanned(expr, literal)),
            _ => {
                errors.error(expr, "one of the values is a number, a text, or a list of them", help);
                lost = true;
            }
        }
    }
    // What is left does not say what is allowed.
    if lost { Vec::new() } else { values }
}
