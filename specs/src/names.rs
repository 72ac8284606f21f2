//! Names: which texts are valid names, the nearest existing name for an unknown one, and conversion to snake case.

use std::collections::HashSet;

/// The help for an unknown name: the name that was probably meant, or all existing names if they are few.
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

/// Whether a domain is one of ONNX's.
#[must_use]
pub fn is_of_onnx(domain: &str) -> bool {
    domain == "ai.onnx" || domain.starts_with("ai.onnx.")
}

/// The existing name that was probably meant; `None` if none is similar enough.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    // A name this long is not a typo of a short one.
    if name.len() > LONGEST {
        return None;
    }
    // Nor is a name that is longer still a typo of it.
    let candidates = known.into_iter().take(MAX_KNOWN).filter(|candidate| candidate.len() <= 2 * LONGEST);
    let candidates = candidates.map(|candidate| (distance(name, candidate), !same_letters(name, candidate), candidate));
    candidates.min().filter(|(distance, _, candidate)| is_near(name, candidate, *distance)).map(|(.., nearest)| nearest)
}

const LONGEST: usize = 64;

/// How many names are compared: a model may have a million of them.
const MAX_KNOWN: usize = 10_000;

/// Converts a name of ONNX to snake case: `BatchNormalization` to `batch_normalization`, `LSTM` to `lstm`,
/// `QLinearConv` to `qlinear_conv`.
#[must_use]
pub fn snake(name: &str) -> String {
    let mut snake = String::new();
    let chars: Vec<char> = name.chars().collect();
    for (index, c) in chars.iter().enumerate() {
        let after_lower = index > 0 && chars.get(index - 1).is_some_and(|c| c.is_lowercase() || c.is_ascii_digit());
        // The last capital of a run begins a word, unless there is only one letter before it: `QLinear`.
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

/// Whether one name may be a typo of the other.
pub(crate) fn is_slip(name: &str, meant: &str) -> bool {
    name.len().max(meant.len()) <= LONGEST && is_near(name, meant, distance(name, meant))
}

/// If two names are equally near, the one with the same letters in another order is more likely.
fn same_letters(left: &str, right: &str) -> bool {
    let sorted = |name: &str| {
        let mut letters: Vec<char> = name.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(left) == sorted(right)
}

/// The number of edits (insert, delete, replace, swap neighbours) that turn one name into the other, ignoring case.
fn distance(left: &str, right: &str) -> usize {
    strsim::osa_distance(&left.to_lowercase(), &right.to_lowercase())
}

/// Whether a text is a valid name of an operator, an attribute or a rule.
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
