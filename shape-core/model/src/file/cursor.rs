//! Reads Protobuf's wire format from bytes in memory.
//!
//! A [`Cursor`] never reads past the end of its bytes, never panics, and allocates nothing. It counts how deep messages
//! are nested and the memory that its caller says it takes, so that a hostile file is refused before it takes much of
//! either.

use std::fmt;

use bytes::Bytes;

use super::store::{Span, Store};

/// How a value is encoded: the lower three bits of a field's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireType {
    /// A number of one to ten bytes.
    Varint = 0,
    /// Eight bytes.
    SixtyFourBit = 1,
    /// A length and as many bytes.
    LengthDelimited = 2,
    /// The start of a group, which is an outdated form of a message.
    StartGroup = 3,
    /// The end of a group.
    EndGroup = 4,
    /// Four bytes.
    ThirtyTwoBit = 5,
}

/// Why bytes are not a message, and in which field that is.
// A box, since most of what the reader returns is a `Result` with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError(Box<Failure>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Failure {
    reason: Refusal,
    /// Messages and their fields, the innermost first.
    path: Vec<(&'static str, &'static str)>,
}

/// Why decoding stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// A number ends too early, or does not end.
    Varint,
    Key(u64),
    WireType(u64),
    Tag,
    Unexpected {
        actual: WireType,
        expected: WireType,
    },
    Underflow,
    LengthExceeded,
    GroupEnd,
    GroupDepth,
    Text,
    /// More nested messages than [`LEVELS`].
    TooDeep,
    OverBudget,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("failed to decode Protobuf message: ")?;
        for (message, field) in &self.0.path {
            write!(f, "{message}.{field}: ")?;
        }
        match self.0.reason {
            Refusal::Varint => f.write_str("invalid varint"),
            Refusal::Key(key) => write!(f, "invalid key value: {key}"),
            Refusal::WireType(number) => write!(f, "invalid wire type value: {number}"),
            Refusal::Tag => f.write_str("invalid tag value: 0"),
            Refusal::Unexpected { actual, expected } => {
                write!(f, "invalid wire type: {actual:?} (expected {expected:?})")
            }
            Refusal::Underflow => f.write_str("buffer underflow"),
            Refusal::LengthExceeded => f.write_str("delimited length exceeded"),
            Refusal::GroupEnd => f.write_str("unexpected end group tag"),
            Refusal::GroupDepth => f.write_str("recursion limit reached"),
            Refusal::Text => f.write_str("invalid string value: data is not UTF-8 encoded"),
            Refusal::TooDeep => f.write_str("messages are nested too deep"),
            Refusal::OverBudget => f.write_str("it would take too much memory"),
        }
    }
}

impl std::error::Error for DecodeError {}

impl From<Refusal> for DecodeError {
    #[cold]
    fn from(reason: Refusal) -> Self {
        Self(Box::new(Failure { reason, path: Vec::new() }))
    }
}

impl DecodeError {
    pub(super) fn refusal(&self) -> Refusal {
        self.0.reason
    }

    /// Adds the message and the field around the error.
    #[cold]
    pub(super) fn within(mut self, message: &'static str, field: &'static str) -> Self {
        self.0.path.push((message, field.trim_start_matches("r#")));
        self
    }
}

/// The maximum nesting depth of messages: that of most readers of Protobuf.
pub(super) const LEVELS: u32 = 100;

/// What decoding may still take.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    /// Nested messages.
    levels: u32,
    /// Memory in bytes.
    bytes: usize,
}

/// A position in the bytes of a message.
#[derive(Clone, Debug)]
pub struct Cursor<'f> {
    store: &'f Store,
    /// The rest of the current segment.
    chunk: &'f [u8],
    /// The index of the next segment.
    next: usize,
    /// The number of bytes left, in all segments.
    left: usize,
    /// The offset at which the bytes end.
    end: usize,
    /// The number of bytes left after the message that is being read.
    after: usize,
    allowance: Allowance,
}

impl<'f> Cursor<'f> {
    /// A cursor over the bytes from `start` to `end`, which may take `bytes` of memory.
    pub(super) fn new(store: &'f Store, start: usize, end: usize, bytes: usize) -> Self {
        let (next, chunk) = store.rest(start);
        let left = end.saturating_sub(start);
        let chunk = chunk.get(..left).unwrap_or(chunk);
        Self { store, chunk, next, left, end, after: 0, allowance: Allowance { levels: LEVELS, bytes } }
    }

    /// A cursor over bytes that no model has; it gives no views of them.
    pub(super) fn over(bytes: &'f [u8]) -> Self {
        static NOTHING: Store = Store::new();
        let (left, end) = (bytes.len(), bytes.len());
        let allowance = Allowance { levels: LEVELS, bytes: usize::MAX };
        Self { store: &NOTHING, chunk: bytes, next: 0, left, end, after: 0, allowance }
    }

    /// The number of bytes left.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// The offset of the next byte in the store.
    pub(super) fn position(&self) -> usize {
        self.end - self.left
    }

    /// The memory that decoding may still take, in bytes.
    pub(super) fn allowance(&self) -> usize {
        self.allowance.bytes
    }

    /// Skips `count` bytes of the current segment.
    #[inline]
    fn advance(&mut self, count: usize) {
        self.chunk = self.chunk.get(count..).unwrap_or_default();
        self.left -= count;
        if self.chunk.is_empty() {
            self.step();
        }
    }

    /// Goes to the next segment that has bytes.
    #[cold]
    fn step(&mut self) {
        while self.chunk.is_empty()
            && self.left > 0
            && let Some(segment) = self.store.segment(self.next)
        {
            self.chunk = segment.get(..self.left).unwrap_or(segment);
            self.next += 1;
        }
    }

    /// Skips `count` bytes, which may lie in several segments.
    pub(super) fn skip(&mut self, count: usize) -> Result<(), DecodeError> {
        if count > self.left {
            return Err(Refusal::Underflow.into());
        }
        let mut count = count;
        while count > 0 {
            let step = count.min(self.chunk.len());
            if step == 0 {
                return Err(Refusal::Underflow.into());
            }
            self.advance(step);
            count -= step;
        }
        Ok(())
    }

    #[inline]
    pub(super) fn varint(&mut self) -> Result<u64, DecodeError> {
        match self.chunk.first() {
            Some(byte) if *byte < 0x80 => {
                self.advance(1);
                Ok(u64::from(*byte))
            }
            _ => self.long_varint(),
        }
    }

    fn long_varint(&mut self) -> Result<u64, DecodeError> {
        let (value, rest) = varint(self.chunk).ok_or(Refusal::Varint)?;
        self.advance(self.chunk.len() - rest.len());
        Ok(value)
    }

    /// The number and the wire type of a field.
    #[inline]
    pub(super) fn key(&mut self) -> Result<(u32, WireType), DecodeError> {
        if let [key @ 8..0x80, ..] = *self.chunk {
            let wire_type = match key & 7 {
                0 => WireType::Varint,
                1 => WireType::SixtyFourBit,
                2 => WireType::LengthDelimited,
                5 => WireType::ThirtyTwoBit,
                _ => return self.long_key(),
            };
            self.advance(1);
            return Ok((u32::from(key >> 3), wire_type));
        }
        self.long_key()
    }

    fn long_key(&mut self) -> Result<(u32, WireType), DecodeError> {
        let key = self.varint()?;
        let wire_type = match key & 7 {
            0 => WireType::Varint,
            1 => WireType::SixtyFourBit,
            2 => WireType::LengthDelimited,
            3 => WireType::StartGroup,
            4 => WireType::EndGroup,
            5 => WireType::ThirtyTwoBit,
            _ if key > u64::from(u32::MAX) => return Err(Refusal::Key(key).into()),
            number => return Err(Refusal::WireType(number).into()),
        };
        match u32::try_from(key >> 3) {
            Ok(0) => Err(Refusal::Tag.into()),
            Ok(tag) if key <= u64::from(u32::MAX) => Ok((tag, wire_type)),
            _ => Err(Refusal::Key(key).into()),
        }
    }

    /// The message that begins here with its length prefix, if it lies in one segment and may have `levels` more in it.
    #[inline]
    pub(super) fn part(&self, levels: u32) -> Option<Part<'f>> {
        if self.allowance.levels <= levels {
            return None;
        }
        Part { rest: self.chunk, end: self.position() + self.chunk.len() }.part()
    }

    /// Skips the next byte if it is this key, and belongs to the message that is being read.
    #[inline]
    pub(super) fn is_next(&mut self, key: u8) -> bool {
        let is_next = self.left > self.after && self.chunk.first() == Some(&key);
        if is_next {
            self.advance(1);
        }
        is_next
    }

    /// Continues after a part of the current segment; reading it has left this much memory.
    #[inline]
    pub(super) fn leave(&mut self, end: usize, bytes: usize) {
        self.advance(end - self.position());
        self.allowance.bytes = bytes;
    }

    pub(super) fn four(&mut self) -> Result<[u8; 4], DecodeError> {
        let bytes = *self.chunk.first_chunk().ok_or(Refusal::Underflow)?;
        self.advance(4);
        Ok(bytes)
    }

    pub(super) fn eight(&mut self) -> Result<[u8; 8], DecodeError> {
        let bytes = *self.chunk.first_chunk().ok_or(Refusal::Underflow)?;
        self.advance(8);
        Ok(bytes)
    }

    /// A length prefix, which is at most the number of bytes left.
    fn length(&mut self) -> Result<usize, DecodeError> {
        let length = self.varint()?;
        match usize::try_from(length) {
            Ok(length) if length <= self.left => Ok(length),
            _ => Err(Refusal::Underflow.into()),
        }
    }

    /// Bytes after their length prefix.
    #[inline]
    pub(super) fn bytes(&mut self) -> Result<&'f [u8], DecodeError> {
        if let [length @ 0..0x80, rest @ ..] = self.chunk
            && let Some(bytes) = rest.get(..usize::from(*length))
            && bytes.len() < self.left
        {
            self.advance(1 + bytes.len());
            return Ok(bytes);
        }
        let length = self.length()?;
        let bytes = self.chunk.get(..length).ok_or(Refusal::Underflow)?;
        self.advance(length);
        Ok(bytes)
    }

    /// The same, as a view that outlives the cursor.
    pub(super) fn view(&mut self) -> Result<Bytes, DecodeError> {
        let bytes = self.bytes()?;
        Ok(self.store.view(self.position() - bytes.len(), bytes.len()))
    }

    /// Text after its length prefix.
    pub(super) fn text(&mut self) -> Result<&'f str, DecodeError> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Refusal::Text.into())
    }

    /// Skips a field.
    pub(super) fn skip_field(&mut self, tag: u32, wire_type: WireType) -> Result<(), DecodeError> {
        if self.allowance.levels == 0 {
            return Err(Refusal::GroupDepth.into());
        }
        match wire_type {
            WireType::Varint => self.varint().map(drop),
            WireType::ThirtyTwoBit => self.skip(4),
            WireType::SixtyFourBit => self.skip(8),
            WireType::LengthDelimited => {
                let length = self.varint()?;
                self.skip(usize::try_from(length).unwrap_or(usize::MAX))
            }
            WireType::StartGroup => {
                self.allowance.levels -= 1;
                loop {
                    match self.key()? {
                        (inner, WireType::EndGroup) if inner == tag => break,
                        (_, WireType::EndGroup) => return Err(Refusal::GroupEnd.into()),
                        (inner, wire_type) => self.skip_field(inner, wire_type)?,
                    }
                }
                self.allowance.levels += 1;
                Ok(())
            }
            WireType::EndGroup => Err(Refusal::GroupEnd.into()),
        }
    }
}

/// The rest of a message that lies in one segment, to be read without saying what is wrong: whatever cannot be read is
/// `None`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'f> {
    rest: &'f [u8],
    /// The offset at which it ends.
    end: usize,
}

impl<'f> Part<'f> {
    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The offset of the next byte.
    pub(super) fn position(&self) -> usize {
        self.end - self.rest.len()
    }

    pub(super) fn span(&self) -> Span {
        Span { start: self.position(), len: self.rest.len() }
    }

    /// The offset at which it ends.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// The key of a field whose number is below 2048.
    #[inline]
    pub(super) fn key(&mut self) -> Option<u32> {
        let (key, rest) = match self.rest {
            [key @ 0..0x80, rest @ ..] => (u32::from(*key), rest),
            [low, high @ 0..0x80, rest @ ..] => (u32::from(*low & 0x7f) | u32::from(*high) << 7, rest),
            _ => return None,
        };
        self.rest = rest;
        Some(key)
    }

    #[inline]
    pub(super) fn varint(&mut self) -> Option<u64> {
        if let [byte @ 0..0x80, rest @ ..] = self.rest {
            self.rest = rest;
            return Some(u64::from(*byte));
        }
        let (value, rest) = varint(self.rest)?;
        self.rest = rest;
        Some(value)
    }

    pub(super) fn four(&mut self) -> Option<[u8; 4]> {
        let (bytes, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*bytes)
    }

    pub(super) fn eight(&mut self) -> Option<[u8; 8]> {
        let (bytes, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*bytes)
    }

    /// Bytes after their length prefix.
    #[inline]
    pub(super) fn bytes(&mut self) -> Option<&'f [u8]> {
        let len = usize::try_from(self.varint()?).ok()?;
        let (bytes, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(bytes)
    }

    /// A message after its length prefix.
    #[inline]
    pub(super) fn part(&mut self) -> Option<Self> {
        let rest = self.bytes()?;
        Some(Self { rest, end: self.position() })
    }
}

/// A number of one to ten bytes, and what is behind it.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (count, byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (count * 7);
        if *byte < 0x80 {
            // The tenth byte has one bit.
            return if count == 9 && *byte >= 2 { None } else { bytes.get(count + 1..).map(|rest| (value, rest)) };
        }
    }
    None
}

/// Reads with a cursor. What reads messages has one, or is one.
pub(super) trait Read<'f> {
    fn cursor(&mut self) -> &mut Cursor<'f>;

    /// Reads what has a length prefix; `each` reads a part of it. Returns where it is.
    fn delimited(&mut self, mut each: impl FnMut(&mut Self) -> Result<(), DecodeError>) -> Result<Span, DecodeError> {
        let length = self.cursor().length()?;
        let start = self.cursor().position();
        let after = self.cursor().left - length;
        let of_outer = std::mem::replace(&mut self.cursor().after, after);
        while self.cursor().left > after {
            each(self)?;
        }
        self.cursor().after = of_outer;
        if self.cursor().left == after { Ok(Span { start, len: length }) } else { Err(Refusal::LengthExceeded.into()) }
    }

    /// Reads the fields of a message that takes up all bytes left; `field` reads one of them.
    fn fields(
        &mut self,
        mut field: impl FnMut(&mut Self, u32, WireType) -> Result<(), DecodeError>,
    ) -> Result<(), DecodeError> {
        while self.cursor().left > 0 {
            let (tag, wire_type) = self.cursor().key()?;
            field(self, tag, wire_type)?;
        }
        Ok(())
    }

    /// Reads a message after its length prefix; `field` reads a field of it.
    fn message(
        &mut self,
        wire_type: WireType,
        mut field: impl FnMut(&mut Self, u32, WireType) -> Result<(), DecodeError>,
    ) -> Result<Span, DecodeError> {
        let levels = &mut self.cursor().allowance.levels;
        *levels = levels.checked_sub(1).ok_or(Refusal::TooDeep)?;
        expect(WireType::LengthDelimited, wire_type)?;
        let span = self.delimited(|reader| {
            let (tag, wire_type) = reader.cursor().key()?;
            field(reader, tag, wire_type)
        })?;
        self.cursor().allowance.levels += 1;
        Ok(span)
    }

    /// Charges memory to the allowance, in bytes.
    fn pay(&mut self, size: usize) -> Result<(), DecodeError> {
        let bytes = &mut self.cursor().allowance.bytes;
        *bytes = bytes.checked_sub(size).ok_or(Refusal::OverBudget)?;
        Ok(())
    }
}

impl<'f> Read<'f> for Cursor<'f> {
    fn cursor(&mut self) -> &mut Self {
        self
    }
}

/// Refuses another wire type than the one of a field.
pub(super) fn expect(expected: WireType, actual: WireType) -> Result<(), DecodeError> {
    if expected == actual { Ok(()) } else { Err(Refusal::Unexpected { actual, expected }.into()) }
}
