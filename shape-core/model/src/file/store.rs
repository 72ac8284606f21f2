//! The bytes of a model: one segment for a file, several for a file with the changes of an edit.

use bytes::Bytes;

/// Bytes in segments, each with the offset at which it begins.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    segments: Vec<(usize, Bytes)>,
    len: usize,
}

/// A range of a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) len: usize,
}

impl Store {
    pub(super) const fn new() -> Self {
        Self { segments: Vec::new(), len: 0 }
    }

    pub(super) fn push(&mut self, segment: Bytes) {
        if !segment.is_empty() {
            let start = self.len;
            self.len += segment.len();
            self.segments.push((start, segment));
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn segment(&self, index: usize) -> Option<&[u8]> {
        self.segments.get(index).map(|(_, segment)| &**segment)
    }

    /// The segment with an offset.
    fn at(&self, offset: usize) -> Option<(usize, usize, &Bytes)> {
        let index = self.segments.partition_point(|(start, _)| *start <= offset).checked_sub(1)?;
        let (start, segment) = self.segments.get(index)?;
        Some((index, offset - start, segment))
    }

    /// The bytes of a segment from an offset on, and the index of the next segment.
    pub(super) fn rest(&self, offset: usize) -> (usize, &[u8]) {
        match self.at(offset) {
            Some((index, within, segment)) => (index + 1, segment.get(within..).unwrap_or_default()),
            None => (0, &[]),
        }
    }

    /// Bytes of one segment.
    pub(super) fn bytes(&self, Span { start, len }: Span) -> &[u8] {
        self.rest(start).1.get(..len).unwrap_or_default()
    }

    /// Appends the bytes of a span, which may lie in several segments.
    pub(super) fn copy(&self, Span { start, len }: Span, to: &mut Vec<u8>) {
        let end = to.len() + len;
        let (mut next, mut chunk) = self.rest(start);
        while to.len() < end && !chunk.is_empty() {
            let left = end - to.len();
            to.extend_from_slice(chunk.get(..left).unwrap_or(chunk));
            chunk = self.segment(next).unwrap_or_default();
            next += 1;
        }
    }

    /// Bytes of one segment, as a view that outlives the store.
    pub(super) fn view(&self, start: usize, len: usize) -> Bytes {
        match self.at(start) {
            Some((_, within, segment)) if within + len <= segment.len() => segment.slice(within..within + len),
            _ => Bytes::new(),
        }
    }
}

impl From<Bytes> for Store {
    fn from(bytes: Bytes) -> Self {
        let mut store = Self::default();
        store.push(bytes);
        store
    }
}
