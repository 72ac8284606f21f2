//! Lowers values of attributes.

use super::constant::Constant;
use crate::document::{AttributeKind, Literal};

/// The value of a struct's field; `None` if it is not of the kind.
#[must_use]
pub fn value(kind: AttributeKind, literal: &Literal) -> Option<Constant<'_>> {
    let each = || match literal {
        Literal::List(list) => list.iter().map(|element| value(kind.element(), element)).collect(),
        _ => None,
    };
    match (kind, literal) {
        (AttributeKind::Int, Literal::Int(number)) => Some(Constant::Int(*number)),
        #[expect(clippy::cast_possible_truncation, reason = "rounding to 32 bits is what ONNX does with the default")]
        (AttributeKind::Float, Literal::Float(number)) => Some(Constant::Float(*number as f32)),
        #[expect(clippy::cast_precision_loss, reason = "a FLOAT attribute has 32 bits; the loss is its own")]
        (AttributeKind::Float, Literal::Int(number)) => Some(Constant::Float(*number as f32)),
        (AttributeKind::String, Literal::Text(text)) => Some(Constant::Bytes(text.as_bytes())),
        (AttributeKind::Ints | AttributeKind::Floats, _) => each().map(Constant::List),
        (AttributeKind::Strings, _) => {
            let list = Constant::List(each()?);
            Some(Constant::variant("StringsView", "new", [list]))
        }
        _ => None,
    }
}

/// The value as an `AttributeValue`, which has a variant for each kind.
pub(super) fn attribute_value(kind: AttributeKind, literal: &Literal) -> Option<Constant<'_>> {
    let fields = vec![value(kind, literal)?];
    Some(Constant::Variant { of: "AttributeValue", name: format!("{kind:?}").into(), fields })
}

/// The kind of a literal in a node; `None` for one that no attribute can have.
#[must_use]
pub fn kind_of(literal: &Literal) -> Option<AttributeKind> {
    let kind = match literal {
        Literal::Int(_) => AttributeKind::Int,
        Literal::Float(_) => AttributeKind::Float,
        Literal::Text(_) => AttributeKind::String,
        Literal::List(list) => match list.first() {
            Some(Literal::Float(_)) => AttributeKind::Floats,
            Some(Literal::Text(_)) => AttributeKind::Strings,
            _ => AttributeKind::Ints,
        },
        Literal::Bool(_) | Literal::Unsigned(_) => return None,
    };
    value(kind, literal).map(|_| kind)
}
