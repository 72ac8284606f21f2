//! How much of a descriptor to read.

/// How much of a descriptor to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everything except the examples, which are last in the file.
    Facts,
    /// Everything.
    Whole,
    /// Everything; missing documentation of an ONNX operator is an error.
    Documented,
}

impl Scope {
    /// The part of a file to read.
    pub fn of(self, bytes: &[u8]) -> &[u8] {
        let facts = || {
            let mut end = 0;
            // The first line has no examples: a descriptor begins with other fields.
            let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
            end += lines.next().map_or(0, <[u8]>::len);
            end += lines.take_while(|line| !line.starts_with(b"examples:")).map(<[u8]>::len).sum::<usize>();
            bytes.get(..end).unwrap_or(bytes)
        };
        match self {
            Self::Whole | Self::Documented => bytes,
            Self::Facts => facts(),
        }
    }
}
