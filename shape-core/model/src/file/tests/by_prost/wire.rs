//! The declarations of the messages as messages of `prost`.

use bytes::{Buf, BufMut, Bytes};
use prost::DecodeError;
use prost::encoding::{self, DecodeContext, WireType};

/// One value on the wire.
pub trait Wire: Default {
    /// How a single value is stored; lists of anything but `LengthDelimited` may be packed.
    const KIND: WireType;

    /// Reads the value, or merges it into the previous one.
    fn merge(&mut self, wire_type: WireType, buf: &mut impl Buf, ctx: DecodeContext) -> Result<(), DecodeError>;

    /// Writes key and value.
    fn encode(&self, tag: u32, buf: &mut impl BufMut);

    /// The length of key and value, in bytes.
    fn encoded_len(&self, tag: u32) -> usize;
}

/// A field of a message, of any cardinality.
pub(crate) trait Field {
    fn merge(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError>;

    fn encode(&self, tag: u32, buf: &mut impl BufMut);

    fn encoded_len(&self, tag: u32) -> usize;
}

macro_rules! wire {
    ($($codec:ident: $ty:ty = $kind:ident;)*) => {$(
        impl Wire for $ty {
            const KIND: WireType = WireType::$kind;

            fn merge(
                &mut self,
                wire_type: WireType,
                buf: &mut impl Buf,
                ctx: DecodeContext,
            ) -> Result<(), DecodeError> {
                encoding::$codec::merge(wire_type, self, buf, ctx)
            }

            fn encode(&self, tag: u32, buf: &mut impl BufMut) {
                encoding::$codec::encode(tag, self, buf);
            }

            fn encoded_len(&self, tag: u32) -> usize {
                encoding::$codec::encoded_len(tag, self)
            }
        }
    )*};
}

wire! {
    int32: i32 = Varint;
    int64: i64 = Varint;
    uint64: u64 = Varint;
    float: f32 = ThirtyTwoBit;
    double: f64 = SixtyFourBit;
    string: String = LengthDelimited;
    bytes: Bytes = LengthDelimited;
}

impl<T: Wire> Wire for Box<T> {
    const KIND: WireType = T::KIND;

    fn merge(&mut self, wire_type: WireType, buf: &mut impl Buf, ctx: DecodeContext) -> Result<(), DecodeError> {
        T::merge(self, wire_type, buf, ctx)
    }

    fn encode(&self, tag: u32, buf: &mut impl BufMut) {
        T::encode(self, tag, buf);
    }

    fn encoded_len(&self, tag: u32) -> usize {
        T::encoded_len(self, tag)
    }
}

impl Field for String {
    fn merge(
        &mut self,
        _tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        Wire::merge(self, wire_type, buf, ctx)
    }

    fn encode(&self, tag: u32, buf: &mut impl BufMut) {
        if !self.is_empty() {
            Wire::encode(self, tag, buf);
        }
    }

    fn encoded_len(&self, tag: u32) -> usize {
        if self.is_empty() { 0 } else { Wire::encoded_len(self, tag) }
    }
}

impl<T: Wire> Field for Option<T> {
    fn merge(
        &mut self,
        _tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        self.get_or_insert_default().merge(wire_type, buf, ctx)
    }

    fn encode(&self, tag: u32, buf: &mut impl BufMut) {
        if let Some(value) = self {
            value.encode(tag, buf);
        }
    }

    fn encoded_len(&self, tag: u32) -> usize {
        self.as_ref().map_or(0, |value| value.encoded_len(tag))
    }
}

impl<T: Wire> Field for Vec<T> {
    fn merge(
        &mut self,
        _tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        if wire_type == WireType::LengthDelimited && T::KIND != WireType::LengthDelimited {
            encoding::merge_loop(self, buf, ctx, |list, buf, ctx| push(list, T::KIND, buf, ctx))
        } else {
            push(self, wire_type, buf, ctx)
        }
    }

    fn encode(&self, tag: u32, buf: &mut impl BufMut) {
        for value in self {
            value.encode(tag, buf);
        }
    }

    fn encoded_len(&self, tag: u32) -> usize {
        self.iter().map(|value| value.encoded_len(tag)).sum()
    }
}

fn push<T: Wire>(
    list: &mut Vec<T>,
    wire_type: WireType,
    buf: &mut impl Buf,
    ctx: DecodeContext,
) -> Result<(), DecodeError> {
    let mut value = T::default();
    value.merge(wire_type, buf, ctx)?;
    list.push(value);
    Ok(())
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

        impl ::prost::Message for $name {
            fn encode_raw(&self, buf: &mut impl ::bytes::BufMut) {
                $($crate::file::tests::by_prost::wire::Field::encode(&self.$field, $tag, buf);)*
            }

            fn merge_field(
                &mut self,
                tag: u32,
                wire_type: ::prost::encoding::WireType,
                buf: &mut impl ::bytes::Buf,
                ctx: ::prost::encoding::DecodeContext,
            ) -> Result<(), ::prost::DecodeError> {
                match tag {
                    $($tag $(| $more)* => {
                        $crate::file::tests::by_prost::wire::Field::merge(&mut self.$field, tag, wire_type, buf, ctx)
                            .map_err(|mut error| {
                                error.push(stringify!($name), stringify!($field).trim_start_matches("r#"));
                                error
                            })
                    })*
                    _ => ::prost::encoding::skip_field(wire_type, tag, buf, ctx),
                }
            }

            fn encoded_len(&self) -> usize {
                0 $(+ $crate::file::tests::by_prost::wire::Field::encoded_len(&self.$field, $tag))*
            }

            fn clear(&mut self) {
                *self = Self::default();
            }
        }

        impl $crate::file::tests::by_prost::wire::Wire for $name {
            const KIND: ::prost::encoding::WireType = ::prost::encoding::WireType::LengthDelimited;

            fn merge(
                &mut self,
                wire_type: ::prost::encoding::WireType,
                buf: &mut impl ::bytes::Buf,
                ctx: ::prost::encoding::DecodeContext,
            ) -> Result<(), ::prost::DecodeError> {
                ::prost::encoding::message::merge(wire_type, self, buf, ctx)
            }

            fn encode(&self, tag: u32, buf: &mut impl ::bytes::BufMut) {
                ::prost::encoding::message::encode(tag, self, buf);
            }

            fn encoded_len(&self, tag: u32) -> usize {
                ::prost::encoding::message::encoded_len(tag, self)
            }
        }
    )*};
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

        impl $crate::file::tests::by_prost::wire::Field for Option<$name> {
            fn merge(
                &mut self,
                tag: u32,
                wire_type: ::prost::encoding::WireType,
                buf: &mut impl ::bytes::Buf,
                ctx: ::prost::encoding::DecodeContext,
            ) -> Result<(), ::prost::DecodeError> {
                match tag {
                    $($tag => {
                        if let Some($name::$variant(held)) = self {
                            return $crate::file::tests::by_prost::wire::Wire::merge(held, wire_type, buf, ctx);
                        }
                        let mut value = <$ty>::default();
                        $crate::file::tests::by_prost::wire::Wire::merge(&mut value, wire_type, buf, ctx)?;
                        *self = Some($name::$variant(value));
                        Ok(())
                    })*
                    _ => ::prost::encoding::skip_field(wire_type, tag, buf, ctx),
                }
            }

            fn encode(&self, _tag: u32, buf: &mut impl ::bytes::BufMut) {
                match self {
                    None => {}
                    $(Some($name::$variant(value)) => $crate::file::tests::by_prost::wire::Wire::encode(value, $tag, buf),)*
                }
            }

            fn encoded_len(&self, _tag: u32) -> usize {
                match self {
                    None => 0,
                    $(Some($name::$variant(value)) => $crate::file::tests::by_prost::wire::Wire::encoded_len(value, $tag),)*
                }
            }
        }
    )*};
}

pub(crate) use {message, oneof};
