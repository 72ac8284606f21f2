//! Finds fields without decoding them.
//!
//! The writer needs the byte range of each field, which decoding discards, and must not read payloads: it steps from
//! key to key.

use std::iter;
use std::ops::Range;

use bytes::Buf;
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};

use super::source::Reader;

/// One occurrence of a field, in byte offsets from the beginning of the file.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) number: u32,
    /// Key, length prefix and payload.
    pub(super) whole: Range<usize>,
    /// The end of the key.
    pub(super) key_end: usize,
    /// The bytes that a length prefix counts; empty for a field without one.
    pub(super) payload: Range<usize>,
}

/// A field that cannot be read.
#[derive(Debug)]
pub(super) struct Stop {
    pub(super) offset: usize,
    /// Set if the only error is that the payload extends past the end of the message.
    pub(super) cut: Option<Cut>,
}

/// A payload that extends past the end of its message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) number: u32,
    /// The number of bytes according to the length prefix.
    pub(super) declared: u64,
    /// The number of bytes left in the message.
    pub(super) left: u64,
}

/// The fields of the message in `reader`. The iterator ends at the first field that cannot be read.
pub(super) fn fields(reader: &mut Reader<'_>) -> impl Iterator<Item = Result<Field, Stop>> {
    let mut failed = false;
    iter::from_fn(move || {
        if failed || !reader.has_remaining() {
            return None;
        }
        let found = field(reader);
        failed = found.is_err();
        Some(found)
    })
}

fn field(reader: &mut Reader<'_>) -> Result<Field, Stop> {
    let start = reader.position();
    let stop = |cut| Stop { offset: start, cut };
    let (number, wire_type) = decode_key(reader).map_err(|_| stop(None))?;
    let key_end = reader.position();
    let payload = if wire_type == WireType::LengthDelimited {
        let declared = decode_varint(reader).map_err(|_| stop(None))?;
        let left = reader.remaining();
        let Some(length) = usize::try_from(declared).ok().filter(|&length| length <= left) else {
            return Err(stop(Some(Cut { number, declared, left: left as u64 })));
        };
        let payload = reader.position();
        reader.advance(length);
        payload
    } else {
        skip_field(wire_type, number, reader, DecodeContext::default()).map_err(|_| stop(None))?;
        reader.position()
    };
    let end = reader.position();
    Ok(Field { number, whole: start..end, key_end, payload: payload..end })
}
