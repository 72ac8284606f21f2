//! Names that do not exist, and what was probably meant.

/// The name that was probably meant: the nearest of those that exist, if it is near.
pub(crate) fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let length = name.chars().count();
    let (distance, nearest) = known.into_iter().map(|candidate| (distance(name, candidate), candidate)).min()?;
    // Something of the name must be left: `z` is not meant to be `x`.
    (distance == 0 || distance < length.min(2 + length / 3)).then_some(nearest)
}

/// What to say after "there is no such name": the nearest of those that exist, or all of them where they are few.
pub(crate) fn suggest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    const FEW: usize = 12;
    let known: Vec<&str> = known.into_iter().collect();
    if let Some(nearest) = nearest(name, known.iter().copied()) {
        return format!("did you mean `{nearest}`?");
    }
    let few: Vec<String> = known.iter().take(FEW).map(|name| format!("`{name}`")).collect();
    match known.len().checked_sub(FEW) {
        _ if known.is_empty() => "there is none".to_owned(),
        Some(more @ 1..) => format!("there are {} and {more} more", few.join(", ")),
        _ if known.len() == 1 => format!("there is {}", few.join(", ")),
        _ => format!("there are {}", few.join(", ")),
    }
}

/// The number of letters to insert, drop or replace that makes one name the other, upper and lower case alike.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, letter) in left.to_lowercase().chars().enumerate() {
        // Of the row before this one, the entry left above, and of this row, the entry to the left.
        let (mut corner, mut before) = (index, index + 1);
        for (cell, other) in row.iter_mut().skip(1).zip(&right) {
            let best = (corner + usize::from(letter != *other)).min(*cell + 1).min(before + 1);
            (corner, before) = (*cell, best);
            *cell = best;
        }
        if let Some(first) = row.first_mut() {
            *first = index + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let cases = [("", "", 0), ("", "abc", 3), ("abc", "", 3), ("Shape", "shape", 0), ("Shap", "Shape", 1)];
        for (left, right, expected) in cases.into_iter().chain([("kitten", "sitting", 3), ("Reshape", "Shape", 2)]) {
            assert_eq!(distance(left, right), expected, "{left}, {right}");
        }
    }

    #[test]
    fn suggestions() {
        assert_eq!(suggest("x", []), "there is none");
        assert_eq!(suggest("batsh", ["batch", "seq"]), "did you mean `batch`?");
        assert_eq!(suggest("z", ["x"]), "there is `x`");
        assert_eq!(suggest("X", ["x"]), "did you mean `x`?");
        assert_eq!(suggest("width", ["batch", "seq"]), "there are `batch`, `seq`");
        let names: Vec<String> = (0..20).map(|index| format!("value_{index:03}")).collect();
        let suggestion = suggest("entirely different", names.iter().map(String::as_str));
        assert!(suggestion.ends_with("`value_011` and 8 more"), "{suggestion}");
    }
}
