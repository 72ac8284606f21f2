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
    pub(crate) fn of(self, bytes: &[u8]) -> &[u8] {
        const EXAMPLES: &[u8] = b"\nexamples:";
        let cut = || bytes.windows(EXAMPLES.len()).position(|window| window == EXAMPLES);
        match self {
            Self::Whole | Self::Documented => bytes,
            Self::Facts => cut().and_then(|at| bytes.get(..=at)).unwrap_or(bytes),
        }
    }
}
