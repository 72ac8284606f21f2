//! A `dim_param` that writes an expression out.

use super::expression::Polynomial;
use super::{Dim, Symbols};

/// The expression that a text writes out; `None` for a name, and for everything else that is none. See [`Symbols::dim`].
pub(super) fn parse(text: &str, symbols: &mut Symbols) -> Option<Dim> {
    // First the form of the whole, so that no symbol is made of part of a text that is a name after all.
    let terms = || signed_terms(text);
    let (mut factors, mut numbers) = (0, 0);
    for (_, term) in terms() {
        for factor in term.split('*').map(str::trim) {
            if !is_name(factor) {
                factor.parse::<i64>().ok().filter(|_| factor.starts_with(|first: char| first.is_ascii_digit()))?;
                numbers += 1;
            }
            factors += 1;
        }
    }
    if factors < 2 || factors == numbers {
        return None;
    }
    let mut sum = Polynomial::from(0);
    for (sign, term) in terms() {
        let mut product = Polynomial::from(sign);
        for factor in term.split('*').map(str::trim) {
            let factor = match factor.parse::<i64>() {
                Ok(number) => Polynomial::from(number),
                Err(_) => symbols.symbol(factor).polynomial().ok()?,
            };
            product = product.times(&factor).ok()?;
        }
        sum = sum.plus(&product).ok()?;
    }
    match Dim::from_form(sum.form()) {
        Dim::Unknown(_) => None,
        dim => Some(dim),
    }
}

/// The terms between signs that stand in spaces, each with its own.
fn signed_terms(text: &str) -> impl Iterator<Item = (i64, &str)> {
    let (mut sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, Some(rest)),
        None => (1, Some(text)),
    };
    core::iter::from_fn(move || {
        let (this, text) = (sign, rest?);
        let next = [(" + ", 1), (" - ", -1)].into_iter().filter_map(|(mark, sign)| Some((text.find(mark)?, sign)));
        match next.min_by_key(|(at, _)| *at) {
            None => {
                rest = None;
                Some((this, text))
            }
            Some((at, following)) => {
                (sign, rest) = (following, text.get(at + 3..));
                Some((this, text.get(..at)?))
            }
        }
    })
}

fn is_name(text: &str) -> bool {
    let start = |first: char| first.is_ascii_alphabetic() || first == '_';
    text.starts_with(start) && text.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | '.'))
}
