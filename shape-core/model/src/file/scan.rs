//! Finds where each field of a message begins and ends, without decoding it.
//!
//! The writer needs the byte range of each field, which decoding discards, and must not read payloads: it steps from
//! key to key.

use std::iter;
use std::ops::Range;

use super::cursor::{Cursor, WireType};

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
    /// The payload, if the only error is that it extends past the end of the message.
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

/// The fields of the message that `cursor` reads. The iterator ends at the first field that cannot be read.
pub(super) fn fields(mut cursor: Cursor<'_>) -> impl Iterator<Item = Result<Field, Stop>> {
    let mut failed = false;
    iter::from_fn(move || {
        if failed || cursor.left() == 0 {
            return None;
        }
        let found = field(&mut cursor);
        failed = found.is_err();
        Some(found)
    })
}

fn field(cursor: &mut Cursor<'_>) -> Result<Field, Stop> {
    let start = cursor.position();
    let stop = |cut| Stop { offset: start, cut };
    let (number, wire_type) = cursor.key().map_err(|_| stop(None))?;
    let key_end = cursor.position();
    let payload = if wire_type == WireType::LengthDelimited {
        let declared = cursor.varint().map_err(|_| stop(None))?;
        let (payload, left) = (cursor.position(), cursor.left());
        let length = usize::try_from(declared).unwrap_or(usize::MAX);
        cursor.skip(length).map_err(|_| stop(Some(Cut { number, declared, left: left as u64 })))?;
        payload
    } else {
        cursor.skip_field(number, wire_type).map_err(|_| stop(None))?;
        cursor.position()
    };
    let end = cursor.position();
    Ok(Field { number, whole: start..end, key_end, payload: payload..end })
}
