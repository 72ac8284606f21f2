//! Decodes rows of generated tables from texts and a few bytes, while the compiler evaluates a `static`.
//!
//! A row as a struct literal is a dozen expressions to the compiler, each with a type of its own; here it is two texts
//! and a few bytes of one literal. `packed` of `onnxspec-codegen` writes them. What does not fit is in lists beside
//! them.
//!
//! A call costs the compiler as much as dozens of statements when it evaluates them, so that there are few here.

use super::attribute::Attribute;
use super::parameter::{FormalParameter, ParameterOption, ParameterType};
use crate::node::{AttributeKind, AttributeValue};
use crate::types::{Type, TypeSet};

/// Decodes the attributes of a version. `texts` has of each its name, its doc and its values that are texts; `bytes`
/// has its kind, its flags and its other values. `others` are the values that no byte holds, `lists` the allowed
/// values.
///
/// # Panics
/// The texts and the bytes are not of so many rows. In a `static`, this is a compile error.
#[must_use]
pub const fn attributes<const COUNT: usize>(
    texts: &[&'static str],
    bytes: &[u8],
    others: &[AttributeValue<'static>],
    lists: &[&'static [AttributeValue<'static>]],
) -> [Attribute; COUNT] {
    let mut attributes = [Attribute::PLAIN; COUNT];
    let (mut index, mut text, mut byte) = (0, 0, 0);
    while index < COUNT {
        let flags = bytes[byte + 1];
        let attribute = &mut attributes[index];
        attribute.name = texts[text];
        attribute.doc = texts[text + 1];
        attribute.kind = AttributeKind::ALL[bytes[byte] as usize - 1];
        attribute.required = flags & 1 != 0;
        attribute.legacy = flags & 2 != 0;
        (text, byte) = (text + 2, byte + 2);
        if flags & 4 != 0 {
            attribute.values = lists[bytes[byte] as usize];
            byte += 1;
        }
        // The default, the minimum and the maximum.
        let mut which = 8;
        while which <= 32 {
            if flags & which != 0 {
                let value;
                if bytes[byte] == b's' {
                    value = AttributeValue::String(texts[text].as_bytes());
                    (text, byte) = (text + 1, byte + 1);
                } else {
                    let number = bytes[byte + 1];
                    let is_int = bytes[byte] == b'i';
                    value = if is_int { AttributeValue::Int(number as i8 as i64) } else { others[number as usize] };
                    byte += 2;
                }
                match which {
                    8 => attribute.default = Some(value),
                    16 => attribute.min = Some(value),
                    _ => attribute.max = Some(value),
                }
            }
            which *= 2;
        }
        index += 1;
    }
    assert!(text == texts.len() && byte == bytes.len(), "the texts or the bytes are of other rows");
    attributes
}

/// The allowed values of a STRING.
#[must_use]
pub const fn words<const COUNT: usize>(texts: &[&'static str; COUNT]) -> [AttributeValue<'static>; COUNT] {
    let mut words = [AttributeValue::Int(0); COUNT];
    let mut index = 0;
    while index < COUNT {
        words[index] = AttributeValue::String(texts[index].as_bytes());
        index += 1;
    }
    words
}

/// The allowed values of an INT that means no (0) or yes (1).
pub static SWITCH: [AttributeValue<'static>; 2] = [AttributeValue::Int(0), AttributeValue::Int(1)];

/// The tensors of the element types with these numbers.
#[must_use]
pub const fn tensors(numbers: &[u8]) -> TypeSet {
    let (mut set, mut index) = (0, 0);
    while index < numbers.len() {
        set |= 1 << numbers[index];
        index += 1;
    }
    TypeSet::of_bits(set)
}

/// Decodes the formal inputs or outputs of a version. `texts` has of each its name and doc; `bytes` has how many values
/// it takes, its flags, its minimum arity and its type. `types` are those that are fixed.
///
/// # Panics
/// The texts and the bytes are not of so many rows. In a `static`, this is a compile error.
#[must_use]
pub const fn parameters<const COUNT: usize>(
    texts: &[&'static str],
    bytes: &[u8],
    types: &[Type],
) -> [FormalParameter; COUNT] {
    assert!(texts.len() == 2 * COUNT && bytes.len() == 4 * COUNT, "the texts or the bytes are of other rows");
    let mut parameters = [FormalParameter::PLAIN; COUNT];
    let mut index = 0;
    while index < COUNT {
        let (flags, ty) = (bytes[4 * index + 1], bytes[4 * index + 3] as usize);
        let parameter = &mut parameters[index];
        parameter.name = texts[2 * index];
        parameter.doc = texts[2 * index + 1];
        parameter.option = match bytes[4 * index] {
            b'?' => ParameterOption::Optional,
            b'*' => ParameterOption::Variadic,
            _ => ParameterOption::Single,
        };
        parameter.ty = if flags & 1 == 0 { ParameterType::Variable(ty) } else { ParameterType::Fixed(types[ty]) };
        parameter.homogeneous = flags & 2 == 0;
        parameter.min_arity = bytes[4 * index + 2] as u32;
        index += 1;
    }
    parameters
}
