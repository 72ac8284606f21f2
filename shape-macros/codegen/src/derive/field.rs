//! Reads the fields of a derived struct: the kind of each attribute, and its default.

use quote::ToTokens;
use shape_specs::document::{AttributeKind, Literal};
use syn::{Expr, ExprLit, ExprUnary, GenericArgument, Lit, PathArguments, PathSegment, Type, UnOp};

/// What the type of a field determines about its attribute.
pub(super) struct FieldType {
    pub(super) kind: AttributeKind,
    /// Whether it is an `Option`.
    pub(super) optional: bool,
    /// The type without the `Option`.
    pub(super) inner: Type,
    /// Whether it is a user-defined type with a closed set of values.
    pub(super) closed: bool,
}

/// The views of attributes, by name.
const VIEWS: [(&str, AttributeKind); 9] = [
    ("StringsView", AttributeKind::Strings),
    ("TensorView", AttributeKind::Tensor),
    ("GraphView", AttributeKind::Graph),
    ("SparseTensorView", AttributeKind::SparseTensor),
    ("TypeProtoView", AttributeKind::TypeProto),
    ("TensorsView", AttributeKind::Tensors),
    ("GraphsView", AttributeKind::Graphs),
    ("SparseTensorsView", AttributeKind::SparseTensors),
    ("TypeProtosView", AttributeKind::TypeProtos),
];

impl FieldType {
    /// Reads a type; `lifetime` is that of the struct.
    ///
    /// # Errors
    /// The type is not that of any kind of attribute.
    pub(super) fn read(ty: &Type, lifetime: Option<&syn::Lifetime>) -> Result<Self, Unsupported> {
        let ty = bare(ty);
        let (inner, optional) = match generic(ty, "Option") {
            Some(inner) => (bare(inner), true),
            None => (ty, false),
        };
        if optional && generic(inner, "Option").is_some() {
            return Err(Unsupported::new(
                inner,
                "an attribute is there or not, and no more",
                "drop one of the two `Option`s",
            ));
        }
        let (kind, closed) = kind(inner, lifetime)?;
        Ok(Self { kind, optional, inner: inner.clone(), closed })
    }
}

/// A type that attributes cannot have, and what to use instead.
pub(super) struct Unsupported {
    pub(super) at: proc_macro2::TokenStream,
    pub(super) message: String,
    pub(super) help: String,
}

impl Unsupported {
    fn new(at: impl ToTokens, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { at: at.to_token_stream(), message: message.into(), help: help.into() }
    }
}

/// A type without the groups and parentheses around it.
fn bare(mut ty: &Type) -> &Type {
    loop {
        ty = match ty {
            Type::Group(group) => &group.elem,
            Type::Paren(paren) => &paren.elem,
            other => return other,
        };
    }
}

fn last(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        _ => None,
    }
}

/// The only argument of a generic type of this name.
fn generic<'t>(ty: &'t Type, name: &str) -> Option<&'t Type> {
    let segment = last(ty).filter(|segment| segment.ident == name)?;
    match &segment.arguments {
        PathArguments::AngleBracketed(list) if list.args.len() == 1 => match list.args.first()? {
            GenericArgument::Type(inner) => Some(inner),
            _ => None,
        },
        _ => None,
    }
}

fn kind(ty: &Type, lifetime: Option<&syn::Lifetime>) -> Result<(AttributeKind, bool), Unsupported> {
    let word = |ty: &Type| last(bare(ty)).map(|segment| segment.ident.to_string()).unwrap_or_default();
    match ty {
        Type::Reference(reference) => {
            if reference.mutability.is_some() {
                return Err(Unsupported::new(reference, "an attribute is only read", "drop the `mut`"));
            }
            if let Some(own) = &reference.lifetime
                && Some(own) != lifetime
            {
                return Err(borrows(own));
            }
            let found = match bare(&reference.elem) {
                Type::Slice(slice) => match &*word(&slice.elem) {
                    "i64" => AttributeKind::Ints,
                    "f32" => AttributeKind::Floats,
                    "u8" => AttributeKind::String,
                    "String" | "str" => return Err(strings(ty)),
                    _ if matches!(bare(&slice.elem), Type::Reference(_)) => return Err(strings(ty)),
                    _ => return Err(element(&slice.elem)),
                },
                elem if word(elem) == "str" => AttributeKind::String,
                _ => return Err(Unsupported::new(ty, "no attribute is of this type", REFERENCES)),
            };
            Ok((found, false))
        }
        Type::Path(_) => {
            let Some(segment) = last(ty) else { return Err(Unsupported::new(ty, NONE, TYPES)) };
            path(ty, segment, lifetime)
        }
        _ => Err(Unsupported::new(ty, NONE, TYPES)),
    }
}

const NONE: &str = "no attribute is of this type";
const TYPES: &str = "an attribute is an `i64`, an `f32`, a text, a list of one of them, a view of `shape_core::node`, or an enum \
                     with `#[derive(AttributeEnum)]`; one that may be absent an `Option` of it";
const REFERENCES: &str = "`&[i64]`, `&[f32]`, `&[u8]` and `&str` borrow an attribute";

/// The type of a path.
fn path(
    ty: &Type,
    segment: &PathSegment,
    lifetime: Option<&syn::Lifetime>,
) -> Result<(AttributeKind, bool), Unsupported> {
    let name = segment.ident.to_string();
    if let Some(elem) = generic(ty, "Vec") {
        let elem = bare(elem);
        return match last(elem).map(|segment| segment.ident.to_string()).as_deref() {
            Some("i64") => Ok((AttributeKind::Ints, false)),
            Some("f32") => Ok((AttributeKind::Floats, false)),
            Some("u8") => Ok((AttributeKind::String, false)),
            Some("String") => Ok((AttributeKind::Strings, false)),
            _ if matches!(elem, Type::Reference(_)) => Err(strings(ty)),
            _ => Err(element(elem)),
        };
    }
    if let Some((_, kind)) = VIEWS.iter().find(|(view, _)| *view == name) {
        let PathArguments::AngleBracketed(list) = &segment.arguments else { return Ok((*kind, false)) };
        return match list.args.first() {
            Some(GenericArgument::Lifetime(own)) if Some(own) != lifetime && own.ident != "_" => Err(borrows(own)),
            _ => Ok((*kind, false)),
        };
    }
    match &*name {
        "i64" => return Ok((AttributeKind::Int, false)),
        "f32" => return Ok((AttributeKind::Float, false)),
        "String" => return Ok((AttributeKind::String, false)),
        _ => {}
    }
    let help = match &*name {
        "i8" | "i16" | "i32" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "f64" | "f16"
        | "f128" => return Err(element(ty)),
        "bool" => "a switch is an INT of two values: an `i64` with `#[attribute(values = [0, 1])]`",
        "char" | "str" | "Cow" | "OsString" | "CString" => "a STRING is a `String`, a `&str` or a `&[u8]`",
        "Tensor" | "TensorProto" => "a TENSOR is a `shape_core::node::TensorView`",
        "Graph" | "GraphProto" => "a GRAPH is a `shape_core::node::GraphView`",
        "TypeProto" => "a TYPE_PROTO is a `shape_core::node::TypeProtoView`",
        "Vec" | "Option" => TYPES,
        "Box" | "Rc" | "Arc" | "Cell" | "RefCell" => "the field holds the value itself: drop what is around it",
        _ if matches!(segment.arguments, PathArguments::None) => return Ok((AttributeKind::String, true)),
        _ => TYPES,
    };
    Err(Unsupported::new(ty, NONE, help))
}

/// A number type with another width.
fn element(ty: &Type) -> Unsupported {
    let name = last(bare(ty)).map(|segment| segment.ident.to_string()).unwrap_or_default();
    match name.as_bytes() {
        [b'f', b'0'..=b'9', ..] => Unsupported::new(ty, "an attribute has floats of 32 bits", "write `f32`"),
        [b'i' | b'u', b'0'..=b'9' | b's', ..] => {
            Unsupported::new(ty, "an attribute has signed integers of 64 bits", "write `i64`")
        }
        _ => Unsupported::new(ty, "no attribute is a list of this type", "a list is one of `i64`, `f32` or `String`"),
    }
}

fn strings(ty: &Type) -> Unsupported {
    let help = "STRINGS are a `shape_core::node::StringsView`, or a `Vec<String>`";
    Unsupported::new(ty, "a node has no such list to borrow", help)
}

fn borrows(lifetime: &syn::Lifetime) -> Unsupported {
    let help = "give the struct a lifetime, `struct Name<'a>`, and write that one here";
    Unsupported::new(lifetime, "a field borrows from the node that it is read from", help)
}

/// A default or an allowed value in the source.
pub(super) enum Value {
    /// A value.
    Literal(Literal),
    /// The variant of an enum.
    Path(syn::ExprPath),
}

/// Reads a value; `None` if it is not one.
pub(super) fn value(expr: &Expr) -> Option<Value> {
    match expr {
        Expr::Path(path) => Some(Value::Path(path.clone())),
        other => literal(other).map(Value::Literal),
    }
}

fn literal(expr: &Expr) -> Option<Literal> {
    match expr {
        Expr::Lit(ExprLit { lit, .. }) => of_lit(lit, ""),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match &**expr {
            Expr::Lit(ExprLit { lit: lit @ (Lit::Int(_) | Lit::Float(_)), .. }) => of_lit(lit, "-"),
            _ => None,
        },
        Expr::Array(array) => array.elems.iter().map(literal).collect::<Option<_>>().map(Literal::List),
        Expr::Reference(reference) => literal(&reference.expr),
        Expr::Group(group) => literal(&group.expr),
        Expr::Paren(paren) => literal(&paren.expr),
        _ => None,
    }
}

fn of_lit(lit: &Lit, sign: &str) -> Option<Literal> {
    Some(match lit {
        Lit::Int(int) if matches!(int.suffix(), "f32" | "f64") => float(sign, int.base10_digits())?,
        Lit::Int(int) => {
            let digits = format!("{sign}{}", int.base10_digits());
            digits.parse().map(Literal::Int).or_else(|_| digits.parse().map(Literal::Unsigned)).ok()?
        }
        Lit::Float(digits) => float(sign, digits.base10_digits())?,
        Lit::Str(text) => Literal::Text(text.value()),
        Lit::ByteStr(bytes) => Literal::Text(String::from_utf8(bytes.value()).ok()?),
        Lit::Bool(bool) => Literal::Bool(bool.value),
        _ => return None,
    })
}

fn float(sign: &str, digits: &str) -> Option<Literal> {
    format!("{sign}{digits}").parse().map(Literal::Float).ok()
}
