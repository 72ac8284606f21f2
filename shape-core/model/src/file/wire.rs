//! `message!` and `oneof!` turn a struct that reads like the `.proto` file into a message, which can be decoded,
//! encoded, and checked without being decoded.
//!
//! The Rust type of a field determines its encoding, since ONNX uses one encoding for each: `i64` is `int64`, never
//! `sint64`. The wrapper around the type determines how often the field occurs:
//!
//! | declared           | in the `.proto` file                                              |
//! |--------------------|-------------------------------------------------------------------|
//! | `Option<T>`        | `optional T`, and whether it was there is kept                    |
//! | `String`           | `optional string`, where ONNX gives absent and empty one meaning  |
//! | `Vec<T>`           | `repeated T`, packed or not                                       |
//! | `Packed<T>`        | `repeated T` of a tensor's elements, left undecoded               |
//! | an enum, `1 \| 2`  | `oneof`                                                           |
//!
//! `NodeProto::input` is the number of the field `input`.

use bytes::Bytes;

use super::cursor::{Cursor, DecodeError, Read, WireType, expect};
use super::store::Store;

/// One value on the wire.
pub trait Wire: Default {
    /// How a single value is stored; lists of anything but `LengthDelimited` may be packed.
    #[doc(hidden)]
    const KIND: WireType;
    /// What the value is.
    #[doc(hidden)]
    const CONTENT: Content;

    /// Reads the value, or merges it into the previous one.
    #[doc(hidden)]
    fn merge(&mut self, wire_type: WireType, cursor: &mut Cursor<'_>) -> Result<(), DecodeError>;

    /// Writes the value without a key.
    #[doc(hidden)]
    fn put(&self, to: &mut Vec<u8>);

    /// Writes key and value.
    #[doc(hidden)]
    fn encode(&self, tag: u32, to: &mut Vec<u8>) {
        put_key(tag, Self::KIND, to);
        self.put(to);
    }
}

/// A number, which may be stored in a packed list.
pub trait Scalar: Wire {}

/// What a single value contains, so that it can be checked without decoding it.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub enum Content {
    /// A number, of the wire type of the field.
    Number,
    /// Text, which must be UTF-8.
    Text,
    /// Bytes.
    Bytes,
    /// Another message.
    Message(Fields),
}

/// What is known of the field of a message with a number.
#[doc(hidden)]
pub(super) type Fields = fn(u32) -> Option<&'static FieldInfo>;

/// What is known of a field.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct FieldInfo {
    pub(super) message: &'static str,
    pub(super) field: &'static str,
    pub(super) format: Format,
}

/// How the values of a field are stored, and the memory that one of them takes when it is decoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    pub(super) kind: WireType,
    pub(super) content: Content,
    /// Whether several numbers may have one key.
    pub(super) packed: bool,
    /// Whether packed numbers are left as they are.
    pub(super) undecoded: bool,
    pub(super) memory: usize,
}

/// A message: a struct that is declared field by field.
pub trait Message: Wire {
    /// Reads a field.
    #[doc(hidden)]
    fn merge_field(&mut self, tag: u32, wire_type: WireType, cursor: &mut Cursor<'_>) -> Result<(), DecodeError>;

    /// Writes all fields.
    #[doc(hidden)]
    fn put_fields(&self, to: &mut Vec<u8>);

    /// Decodes a message that takes up all of `bytes`; fields that are not declared are dropped.
    ///
    /// # Errors
    ///
    /// If the bytes are not such a message, or nest messages more than a hundred deep.
    ///
    /// ```
    /// use shape_model::file::{Bytes, Message as _};
    /// use shape_model::file::proto::NodeProto;
    /// let node = NodeProto { op_type: "Relu".to_owned(), ..NodeProto::default() };
    /// assert_eq!(NodeProto::decode(node.encode_to_vec()), Ok(node));
    /// assert!(NodeProto::decode(Bytes::from_static(&[0x22, 9])).is_err());
    /// ```
    fn decode(bytes: impl Into<Bytes>) -> Result<Self, DecodeError> {
        let store = Store::from(bytes.into());
        let mut cursor = Cursor::new(&store, 0, store.len(), usize::MAX);
        let mut message = Self::default();
        cursor.fields(|cursor, tag, wire_type| message.merge_field(tag, wire_type, cursor))?;
        Ok(message)
    }

    /// The encoded message.
    fn encode_to_vec(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.put_fields(&mut bytes);
        bytes
    }
}

/// Stands for any field number, for a field that has only one.
pub(super) const ANY: u32 = 0;

/// A field of a message, of any cardinality.
pub(crate) trait Field {
    fn merge(&mut self, tag: u32, wire_type: WireType, cursor: &mut Cursor<'_>) -> Result<(), DecodeError>;

    fn encode(&self, tag: u32, to: &mut Vec<u8>);

    /// The format, with the number [`ANY`]; where the field is a `oneof`, the formats of its members by their numbers.
    const FORMATS: &'static [(u32, Format)];
}

/// What is known of a field with a number.
pub(super) const fn info<T: Field>(message: &'static str, field: &'static str, tag: u32) -> FieldInfo {
    let mut format = format_of::<Bytes>(false, false);
    let mut formats = T::FORMATS;
    while let [(number, one), rest @ ..] = formats {
        if *number == tag || *number == ANY {
            format = *one;
        }
        formats = rest;
    }
    FieldInfo { message, field, format }
}

pub(super) fn put_varint(mut value: u64, to: &mut Vec<u8>) {
    while value >= 0x80 {
        to.push((value as u8) | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

fn put_key(tag: u32, kind: WireType, to: &mut Vec<u8>) {
    put_varint(u64::from(tag) << 3 | kind as u64, to);
}

fn put_bytes(bytes: &[u8], to: &mut Vec<u8>) {
    put_varint(bytes.len() as u64, to);
    to.extend_from_slice(bytes);
}

macro_rules! scalars {
    ($($ty:ty: $kind:ident, |$cursor:ident| $read:expr, |$value:ident, $to:ident| $put:expr;)*) => {$(
        impl Wire for $ty {
            const KIND: WireType = WireType::$kind;
            const CONTENT: Content = Content::Number;

            fn merge(&mut self, wire_type: WireType, $cursor: &mut Cursor<'_>) -> Result<(), DecodeError> {
                expect(Self::KIND, wire_type)?;
                *self = $read;
                Ok(())
            }

            fn put(&self, $to: &mut Vec<u8>) {
                let $value = *self;
                $put;
            }
        }

        impl Scalar for $ty {}
    )*};
}

scalars! {
    // Larger numbers lose their upper bits, as in every reader.
    i32: Varint, |cursor| cursor.varint()? as i32, |value, to| put_varint(i64::from(value).cast_unsigned(), to);
    i64: Varint, |cursor| cursor.varint()?.cast_signed(), |value, to| put_varint(value.cast_unsigned(), to);
    u64: Varint, |cursor| cursor.varint()?, |value, to| put_varint(value, to);
    f32: ThirtyTwoBit, |cursor| Self::from_le_bytes(cursor.four()?), |value, to| to.extend(value.to_le_bytes());
    f64: SixtyFourBit, |cursor| Self::from_le_bytes(cursor.eight()?), |value, to| to.extend(value.to_le_bytes());
}

impl Wire for String {
    const KIND: WireType = WireType::LengthDelimited;
    const CONTENT: Content = Content::Text;

    fn merge(&mut self, wire_type: WireType, cursor: &mut Cursor<'_>) -> Result<(), DecodeError> {
        expect(Self::KIND, wire_type)?;
        cursor.text()?.clone_into(self);
        Ok(())
    }

    fn put(&self, to: &mut Vec<u8>) {
        put_bytes(self.as_bytes(), to);
    }
}

impl Wire for Bytes {
    const KIND: WireType = WireType::LengthDelimited;
    const CONTENT: Content = Content::Bytes;

    fn merge(&mut self, wire_type: WireType, cursor: &mut Cursor<'_>) -> Result<(), DecodeError> {
        expect(Self::KIND, wire_type)?;
        *self = cursor.view()?;
        Ok(())
    }

    fn put(&self, to: &mut Vec<u8>) {
        put_bytes(self, to);
    }
}

impl<T: Wire> Wire for Box<T> {
    const KIND: WireType = T::KIND;
    const CONTENT: Content = T::CONTENT;

    fn merge(&mut self, wire_type: WireType, cursor: &mut Cursor<'_>) -> Result<(), DecodeError> {
        T::merge(self, wire_type, cursor)
    }

    fn put(&self, to: &mut Vec<u8>) {
        T::put(self, to);
    }
}

/// The format of a field whose values are `T`.
pub(super) const fn format_of<T: Wire>(packed: bool, undecoded: bool) -> Format {
    Format { kind: T::KIND, content: T::CONTENT, packed, undecoded, memory: size_of::<T>() }
}

impl Field for String {
    fn merge(&mut self, _tag: u32, wire_type: WireType, cursor: &mut Cursor<'_>) -> Result<(), DecodeError> {
        Wire::merge(self, wire_type, cursor)
    }

    fn encode(&self, tag: u32, to: &mut Vec<u8>) {
        if !self.is_empty() {
            Wire::encode(self, tag, to);
        }
    }

    const FORMATS: &'static [(u32, Format)] = &[(ANY, format_of::<Self>(false, false))];
}

impl<T: Wire> Field for Option<T> {
    fn merge(&mut self, _tag: u32, wire_type: WireType, cursor: &mut Cursor<'_>) -> Result<(), DecodeError> {
        self.get_or_insert_default().merge(wire_type, cursor)
    }

    fn encode(&self, tag: u32, to: &mut Vec<u8>) {
        if let Some(value) = self {
            value.encode(tag, to);
        }
    }

    const FORMATS: &'static [(u32, Format)] = &[(ANY, format_of::<T>(false, false))];
}

impl<T: Wire> Field for Vec<T> {
    fn merge(&mut self, _tag: u32, wire_type: WireType, cursor: &mut Cursor<'_>) -> Result<(), DecodeError> {
        let mut push = |wire_type, cursor: &mut Cursor<'_>| {
            let mut value = T::default();
            value.merge(wire_type, cursor)?;
            self.push(value);
            Ok(())
        };
        if wire_type == WireType::LengthDelimited && T::KIND != WireType::LengthDelimited {
            cursor.delimited(|cursor| push(T::KIND, cursor)).map(drop)
        } else {
            push(wire_type, cursor)
        }
    }

    fn encode(&self, tag: u32, to: &mut Vec<u8>) {
        for value in self {
            value.encode(tag, to);
        }
    }

    const FORMATS: &'static [(u32, Format)] = &[(ANY, format_of::<T>(true, false))];
}

/// Checks a field without decoding it, and charges the memory that decoding it would take. What passes is decoded
/// without an error.
pub(super) fn check(
    cursor: &mut Cursor<'_>,
    info: Option<&'static FieldInfo>,
    tag: u32,
    wire_type: WireType,
) -> Result<(), DecodeError> {
    let Some(&FieldInfo { message, field, format }) = info else { return cursor.skip_field(tag, wire_type) };
    value(cursor, format, wire_type).map_err(|error| error.within(message, field))
}

fn value(cursor: &mut Cursor<'_>, format: Format, wire_type: WireType) -> Result<(), DecodeError> {
    let Format { kind, content, packed, undecoded, memory } = format;
    if packed && wire_type == WireType::LengthDelimited && kind != WireType::LengthDelimited {
        return if undecoded {
            cursor.bytes().map(drop)
        } else {
            cursor.delimited(|cursor| value(cursor, Format { packed: false, ..format }, kind)).map(drop)
        };
    }
    if !undecoded {
        cursor.pay(memory)?;
    }
    match content {
        Content::Message(fields) => {
            let each = |cursor: &mut Cursor<'_>, tag, wire_type| check(cursor, fields(tag), tag, wire_type);
            return cursor.message(wire_type, each).map(drop);
        }
        Content::Number | Content::Text | Content::Bytes => expect(kind, wire_type)?,
    }
    match (content, kind) {
        (Content::Text, _) => cursor.text().map(drop),
        (_, WireType::LengthDelimited) => cursor.bytes().map(drop),
        (_, WireType::ThirtyTwoBit) => cursor.four().map(drop),
        (_, WireType::SixtyFourBit) => cursor.eight().map(drop),
        (_, WireType::Varint | WireType::StartGroup | WireType::EndGroup) => cursor.varint().map(drop),
    }
}

/// Declares a message: `pub input: Vec<String> = 1,` is field 1, `repeated string input`.
macro_rules! message {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident {
            $(
                $(#[$field_meta:meta])*
                pub $field:ident: $ty:ty = $tag:literal $(| $more:literal)*,
            )*
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $ty,)*
        }

        #[expect(non_upper_case_globals, reason = "they have the names of the fields")]
        #[allow(dead_code, reason = "the reader of models and the editor need some")]
        impl $name {
            $(pub(in crate::file) const $field: u32 = $tag;)*

            /// What is known of the field with a number.
            pub(in crate::file) fn field(tag: u32) -> Option<&'static $crate::file::wire::FieldInfo> {
                use $crate::file::wire::info;
                const NAME: &str = stringify!($name);
                match tag {
                    $(
                        $tag => Some(const { &info::<$ty>(NAME, stringify!($field), $tag) }),
                        $($more => Some(const { &info::<$ty>(NAME, stringify!($field), $more) }),)*
                    )*
                    _ => None,
                }
            }
        }

        impl $crate::file::wire::Message for $name {
            fn merge_field(
                &mut self,
                tag: u32,
                wire_type: $crate::file::cursor::WireType,
                cursor: &mut $crate::file::cursor::Cursor<'_>,
            ) -> Result<(), $crate::file::cursor::DecodeError> {
                match tag {
                    $($tag $(| $more)* => {
                        $crate::file::wire::Field::merge(&mut self.$field, tag, wire_type, cursor)
                            .map_err(|error| error.within(stringify!($name), stringify!($field)))
                    })*
                    _ => cursor.skip_field(tag, wire_type),
                }
            }

            fn put_fields(&self, to: &mut Vec<u8>) {
                $($crate::file::wire::Field::encode(&self.$field, $tag, to);)*
            }
        }

        impl $crate::file::wire::Wire for $name {
            const KIND: $crate::file::cursor::WireType = $crate::file::cursor::WireType::LengthDelimited;
            const CONTENT: $crate::file::wire::Content = $crate::file::wire::Content::Message($name::field);

            fn merge(
                &mut self,
                wire_type: $crate::file::cursor::WireType,
                cursor: &mut $crate::file::cursor::Cursor<'_>,
            ) -> Result<(), $crate::file::cursor::DecodeError> {
                $crate::file::cursor::Read::message(cursor, wire_type, |cursor, tag, wire_type| {
                    $crate::file::wire::Message::merge_field(self, tag, wire_type, cursor)
                })
                .map(drop)
            }

            fn put(&self, to: &mut Vec<u8>) {
                $crate::file::wire::put_message(self, to);
            }
        }
    )*};
}

/// Writes a message after its length prefix.
pub(super) fn put_message(message: &impl Message, to: &mut Vec<u8>) {
    let start = to.len();
    message.put_fields(to);
    let mut length = Vec::new();
    put_varint((to.len() - start) as u64, &mut length);
    to.splice(start..start, length);
}

/// Declares a `oneof`: its members by field number; the last one on the wire counts.
macro_rules! oneof {
    ($(
        $(#[$meta:meta])*
        pub enum $name:ident {
            $(
                $(#[$variant_meta:meta])*
                $variant:ident($ty:ty) = $tag:literal,
            )*
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name {
            $($(#[$variant_meta])* $variant($ty),)*
        }

        impl $crate::file::wire::Field for Option<$name> {
            fn merge(
                &mut self,
                tag: u32,
                wire_type: $crate::file::cursor::WireType,
                cursor: &mut $crate::file::cursor::Cursor<'_>,
            ) -> Result<(), $crate::file::cursor::DecodeError> {
                match tag {
                    $($tag => {
                        if let Some($name::$variant(held)) = self {
                            return $crate::file::wire::Wire::merge(held, wire_type, cursor);
                        }
                        let mut value = <$ty>::default();
                        $crate::file::wire::Wire::merge(&mut value, wire_type, cursor)?;
                        *self = Some($name::$variant(value));
                        Ok(())
                    })*
                    _ => cursor.skip_field(tag, wire_type),
                }
            }

            fn encode(&self, _tag: u32, to: &mut Vec<u8>) {
                match self {
                    None => {}
                    $(Some($name::$variant(value)) => $crate::file::wire::Wire::encode(value, $tag, to),)*
                }
            }

            const FORMATS: &'static [(u32, $crate::file::wire::Format)] =
                &[$(($tag, $crate::file::wire::format_of::<$ty>(false, false)),)*];
        }
    )*};
}

pub(crate) use {message, oneof};
