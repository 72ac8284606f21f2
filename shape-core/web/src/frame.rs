//! The form in which JavaScript reads text.

/// Text behind its length in bytes: four bytes, the lowest first.
pub(crate) fn framed(text: &str) -> Vec<u8> {
    let len = u32::try_from(text.len()).unwrap_or(u32::MAX);
    [&len.to_le_bytes(), text.as_bytes()].concat()
}
