//! A constant expression of generated code, read back as the value that it is.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::{Expr, ExprLit, ExprPath, ExprUnary, Lit, Member, Stmt, UnOp};

/// A value; references and blocks around it are left out.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Bool(bool),
    Int(i64),
    Float(String),
    Text(String),
    Bytes(Vec<u8>),
    /// A list or a tuple.
    List(Vec<Value>),
    /// `Of::Name`, `name(arguments)`, `receiver.name(arguments)` with the receiver first, by the last words of the path.
    Call {
        path: String,
        arguments: Vec<Value>,
    },
    Struct(Struct),
    /// Anything else, as it stands.
    Other(String),
}

/// A struct literal.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Struct {
    pub(super) path: String,
    pub(super) fields: Vec<(String, Value)>,
    /// What gives the other fields.
    pub(super) rest: Option<String>,
}

impl Value {
    pub(super) fn read(expression: &Expr) -> Self {
        let all = |list: &syn::punctuated::Punctuated<Expr, syn::Token![,]>| list.iter().map(Self::read).collect();
        match expression {
            Expr::Lit(ExprLit { lit, .. }) => literal(lit),
            Expr::Reference(of) => Self::read(&of.expr),
            Expr::Paren(of) => Self::read(&of.expr),
            Expr::Group(of) => Self::read(&of.expr),
            Expr::Array(of) => Self::List(all(&of.elems)),
            Expr::Tuple(of) => Self::List(all(&of.elems)),
            Expr::Const(of) => last(&of.block.stmts).unwrap_or_else(|| other(expression)),
            Expr::Block(of) => last(&of.block.stmts).unwrap_or_else(|| other(expression)),
            Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match Self::read(expr) {
                Self::Int(number) => Self::Int(number.wrapping_neg()),
                Self::Float(number) => Self::Float(format!("-{number}")),
                _ => other(expression),
            },
            Expr::Path(path) => Self::Call { path: last_words(path), arguments: Vec::new() },
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => Self::Call { path: last_words(path), arguments: all(&call.args) },
                _ => other(expression),
            },
            Expr::MethodCall(call) => {
                let arguments = std::iter::once(Self::read(&call.receiver)).chain(call.args.iter().map(Self::read));
                Self::Call { path: call.method.to_string(), arguments: arguments.collect() }
            }
            Expr::Struct(of) => {
                let path = ExprPath { attrs: Vec::new(), qself: None, path: of.path.clone() };
                let field = |field: &syn::FieldValue| match &field.member {
                    Member::Named(name) => {
                        (name.to_string().trim_start_matches("r#").to_owned(), Self::read(&field.expr))
                    }
                    Member::Unnamed(index) => (index.index.to_string(), Self::read(&field.expr)),
                };
                let rest = of.rest.as_ref().map(|rest| rest.to_token_stream().to_string());
                Self::Struct(Struct { path: last_words(&path), fields: of.fields.iter().map(field).collect(), rest })
            }
            _ => other(expression),
        }
    }

    /// The path without the type that the name is of, and the arguments.
    pub(super) fn call(&self) -> Option<(&str, &[Self])> {
        match self {
            Self::Call { path, arguments } => Some((path, arguments)),
            _ => None,
        }
    }

    /// What `Some` has; the value itself, if it is no option; nothing for `None`.
    pub(super) fn option(&self) -> Option<&Self> {
        match self.call() {
            Some(("None" | "Option::None", _)) => None,
            Some(("Some" | "Option::Some", [of])) => Some(of),
            _ => Some(self),
        }
    }

    pub(super) fn list(&self) -> &[Self] {
        match self {
            Self::List(list) => list,
            _ => &[],
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Bytes(bytes) => str::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    pub(super) fn field(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Struct(of) => of.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value),
            _ => None,
        }
    }
}

fn literal(literal: &Lit) -> Value {
    match literal {
        Lit::Bool(of) => Value::Bool(of.value),
        // The only number that is past it is the least one, whose sign stands apart.
        Lit::Int(of) => {
            Value::Int(of.base10_parse::<i128>().map_or(0, |number| i64::try_from(number).unwrap_or(i64::MIN)))
        }
        Lit::Float(of) => Value::Float(of.to_string()),
        Lit::Str(of) => Value::Text(of.value()),
        Lit::ByteStr(of) => Value::Bytes(of.value()),
        _ => Value::Other(literal.to_token_stream().to_string()),
    }
}

/// The value of a block.
fn last(statements: &[Stmt]) -> Option<Value> {
    match statements.last() {
        Some(Stmt::Expr(of, None)) => Some(Value::read(of)),
        _ => None,
    }
}

/// The last two words of a path, `Formula::Name`; of one in small letters the last, `attributes`.
fn last_words(path: &ExprPath) -> String {
    let words: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    match &*words {
        [.., of, name] if of.starts_with(char::is_uppercase) || of == "rules" || of == "type_sets" => {
            format!("{of}::{name}")
        }
        [.., name] => name.clone(),
        [] => String::new(),
    }
}

fn other(expression: &Expr) -> Value {
    let tokens: TokenStream = expression.to_token_stream();
    Value::Other(tokens.to_string())
}
