//! How much of a descriptor is read.

/// How much of a descriptor is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All but the examples, which stand last in the file.
    Facts,
    /// All of it.
    Whole,
    /// All of it; and for an operator of ONNX it is an error if a descriptor does not say what something means.
    Documented,
}

impl Scope {
    /// The part of a file that is read.
    pub(crate) fn of(self, bytes: &[u8]) -> &[u8] {
        const EXAMPLES: &[u8] = b"\nexamples:";
        let cut = || bytes.windows(EXAMPLES.len()).position(|window| window == EXAMPLES);
        match self {
            Self::Whole | Self::Documented => bytes,
            Self::Facts => cut().and_then(|at| bytes.get(..=at)).unwrap_or(bytes),
        }
    }
}
