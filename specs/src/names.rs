//! What a name is: which texts are one, which one was probably meant where it does not exist, and how it reads in snake
//! case.

use std::collections::HashSet;

/// What to say after "there is no such name": the name that was probably meant, or those that exist, where they are
/// few.
///
/// ```
/// use shape_specs::names::suggest;
/// assert_eq!(suggest("batsh", ["batch", "seq"]).as_deref(), Some("did you mean `batch`?"));
/// assert_eq!(suggest("width", ["batch", "seq"]).as_deref(), Some("one of `batch`, `seq`"));
/// ```
pub fn suggest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<String> {
    const FEW: usize = 16;
    let mut known: Vec<&str> = Vec::from_iter(known);
    let mut seen = HashSet::new();
    known.retain(|name| seen.insert(*name));
    if let Some(meant) = nearest(name, known.iter().copied()) {
        return Some(format!("did you mean `{meant}`?"));
    }
    match &*known {
        [] => Some("there is none".to_owned()),
        [only] => Some(format!("there is only `{only}`")),
        few if few.len() <= FEW => Some(format!("one of `{}`", few.join("`, `"))),
        _ => None,
    }
}

/// The one of the names that exist that was probably meant; `None` where none is near.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    // Whoever writes so long a name did not mistype a short one.
    if name.len() > LONGEST {
        return None;
    }
    let candidates =
        known.into_iter().map(|candidate| (distance(name, candidate), !same_letters(name, candidate), candidate));
    candidates.min().filter(|(distance, _, candidate)| is_near(name, candidate, *distance)).map(|(.., nearest)| nearest)
}

const LONGEST: usize = 64;

/// A name of ONNX as one of Rust: `BatchNormalization` to `batch_normalization`, `LSTM` to `lstm`, `QLinearConv` to
/// `qlinear_conv`.
#[must_use]
pub fn snake(name: &str) -> String {
    let mut snake = String::new();
    let chars: Vec<char> = name.chars().collect();
    for (index, c) in chars.iter().enumerate() {
        let after_lower = index > 0 && chars.get(index - 1).is_some_and(|c| c.is_lowercase() || c.is_ascii_digit());
        // The last capital of a run begins a word, unless the run is only one letter before it: `QLinear`.
        let begins_word = index > 1
            && chars.get(index + 1).is_some_and(|c| c.is_lowercase())
            && chars.get(index - 1).is_some_and(|c| c.is_uppercase());
        if c.is_uppercase() && (after_lower || begins_word) && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

fn is_near(name: &str, candidate: &str, distance: usize) -> bool {
    let length = name.chars().count();
    distance <= 1 + length / 4 && distance < length.max(candidate.chars().count())
}

/// Whether one name may well be the other with a slip of the pen.
pub(crate) fn is_slip(name: &str, meant: &str) -> bool {
    name.len() <= LONGEST && is_near(name, meant, distance(name, meant))
}

/// Of two names as near, the one with the same letters in another order is the likelier.
fn same_letters(left: &str, right: &str) -> bool {
    let sorted = |name: &str| {
        let mut letters: Vec<char> = name.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(left) == sorted(right)
}

/// Edits (insert, drop, replace, swap of neighbours) that turn one name into the other, upper and lower case alike.
fn distance(left: &str, right: &str) -> usize {
    strsim::osa_distance(&left.to_lowercase(), &right.to_lowercase())
}

/// Whether a text is a name as operators, attributes and rules have one.
pub(crate) fn is_identifier(name: &str) -> bool {
    name.chars().enumerate().all(|(index, c)| c == '_' || c.is_ascii_alphabetic() || (index > 0 && c.is_ascii_digit()))
        && name.chars().any(|c| c != '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant() {
        let cases = [
            ("x", &[][..], Some("there is none")),
            ("batsh", &["batch", "seq"], Some("did you mean `batch`?")),
            ("z", &["x"], Some("there is only `x`")),
            ("X", &["x"], Some("did you mean `x`?")),
            ("inptus", &["outputs", "inputs"], Some("did you mean `inputs`?")),
            ("width", &["batch", "seq"], Some("one of `batch`, `seq`")),
            ("entirely different", &["v"; 20], Some("there is only `v`")),
        ];
        for (name, known, said) in cases {
            assert_eq!(suggest(name, known.iter().copied()).as_deref(), said, "{name}");
        }
        let many: Vec<String> = (0..20).map(|index| format!("value_{index:03}")).collect();
        assert_eq!(suggest("entirely different", many.iter().map(String::as_str)), None);
        assert_eq!(suggest("value_03", many.iter().map(String::as_str)).as_deref(), Some("did you mean `value_003`?"));
    }

    #[test]
    fn modules() {
        let cases = [
            ("Shape", "shape"),
            ("BatchNormalization", "batch_normalization"),
            ("LSTM", "lstm"),
            ("GatherND", "gather_nd"),
            ("QLinearConv", "qlinear_conv"),
            ("STFT", "stft"),
            ("LpPool", "lp_pool"),
            ("Conv2D", "conv2_d"),
            ("DFT", "dft"),
            ("LRN", "lrn"),
            ("RMSNormalization", "rms_normalization"),
        ];
        for (name, module) in cases {
            assert_eq!(snake(name), module);
        }
    }
}
