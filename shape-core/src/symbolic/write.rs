//! The text of expressions, which reads as the same expression again.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::application::{Application, Kind};
use super::parse;
use super::polynomial::number;
use super::symbols::Symbols;
use super::term::{Factor, Term};

/// The text of a factor. A division is in parentheses unless it is the only factor.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Text<'s> {
    text: Cow<'s, str>,
    division: bool,
}

/// The text, factors and terms of one degree in the order of their names: `2*B*T + 3*B`; a term that is added comes first.
pub(super) fn text(terms: &[Term], symbols: &Symbols) -> String {
    if terms.is_empty() {
        return String::from("0");
    }
    let mut texts: Vec<(i64, Vec<Text<'_>>)> = Vec::with_capacity(terms.len());
    for term in terms {
        let mut factors: Vec<Text<'_>> =
            term.factors.as_slice().iter().map(|factor| Text::of(factor, symbols)).collect();
        factors.sort_unstable();
        texts.push((term.coefficient, factors));
    }
    texts.sort_by(|(_, left), (_, right)| right.len().cmp(&left.len()).then_with(|| left.cmp(right)));
    // A sum does not begin with a sign where it can be helped: `N - min(N, 1)`.
    if let Some(first) = texts.iter().position(|(coefficient, factors)| *coefficient > 0 && !factors.is_empty()) {
        texts.get_mut(..=first).into_iter().for_each(|texts| texts.rotate_right(1));
    }
    let mut text = String::new();
    for (index, (coefficient, factors)) in texts.iter().enumerate() {
        text.push_str(match (index, *coefficient < 0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        });
        let size = coefficient.unsigned_abs();
        if size != 1 || factors.is_empty() {
            // Writing to a string does not fail.
            let _ = write!(text, "{size}{}", if factors.is_empty() { "" } else { "*" });
        }
        // A sign at the very beginning would be that of the dividend.
        let alone = factors.len() == 1 && size == 1 && (index > 0 || *coefficient > 0);
        for (index, factor) in factors.iter().enumerate() {
            text.push_str(if index == 0 { "" } else { "*" });
            factor.push_to(&mut text, alone);
        }
    }
    text
}

impl<'s> Text<'s> {
    fn of(factor: &Factor, symbols: &'s Symbols) -> Self {
        match factor {
            Factor::Symbol(symbol) => {
                let name = symbols.name(*symbol);
                // Fresh ones are words, or have no name yet.
                let text = if symbol.fresh().is_some() { Cow::Borrowed(name) } else { parse::in_expression(name) };
                Self { text, division: false }
            }
            Factor::Applied(application) => {
                let division = matches!(application.kind(), Kind::FloorDivision | Kind::Remainder);
                Self { text: Cow::Owned(application.text(symbols)), division }
            }
        }
    }

    fn push_to(&self, text: &mut String, alone: bool) {
        if self.division && !alone {
            let _ = write!(text, "({})", self.text);
        } else {
            text.push_str(&self.text);
        }
    }
}

impl Application {
    fn text(&self, symbols: &Symbols) -> String {
        let sign = match self.kind() {
            Kind::FloorDivision => "//",
            Kind::Remainder => " % ",
            Kind::Larger | Kind::Smaller => {
                let name = if self.kind() == Kind::Larger { "max" } else { "min" };
                let mut arguments: Vec<(bool, String)> = (self.arguments().iter())
                    .map(|argument| (number(argument).is_some(), text(argument, symbols)))
                    .collect();
                arguments.sort_unstable();
                let arguments: Vec<String> = arguments.into_iter().map(|(_, text)| text).collect();
                return format!("{name}({})", arguments.join(", "));
            }
        };
        let operands: Vec<String> = self.arguments().iter().map(|argument| operand(argument, symbols)).collect();
        operands.join(sign)
    }
}

/// The text of an operand of a division: one word, or in parentheses.
fn operand(terms: &[Term], symbols: &Symbols) -> String {
    let word = match terms {
        [] => true,
        [term] if term.is_number() => term.coefficient >= 0,
        [term] if term.coefficient == 1 => match term.factors.as_slice() {
            [factor] => !Text::of(factor, symbols).division,
            _ => false,
        },
        _ => false,
    };
    let text = text(terms, symbols);
    if word { text } else { format!("({text})") }
}
