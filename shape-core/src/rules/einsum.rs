//! Sums of products by an equation whose letters name axes: `bij,bjk->bik`.

use super::broadcast::{NoCommon, common_of};
use super::parameters::Einsum;
use super::refuse::{mismatch, rank, shared};
use crate::code::Code;
use crate::dimension::{Dimension, Product};
use crate::facts::{Dims, Input, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

/// A label in a term: an axis, or several.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    Letter(u8),
    Ellipsis,
}

/// The equation in parts.
#[derive(Clone, Copy)]
struct Equation<'a> {
    left: &'a [u8],
    /// The part after the arrow, if there is one.
    right: Option<&'a [u8]>,
}

fn malformed(message: &'static str, expected: &'static str) -> Problem<'static> {
    let found = Detail::Text("another equation");
    Problem::Refused { code: Code::AttributeValue, message, expected: Detail::Text(expected), found }
}

/// The labels of a term; an ellipsis is one label.
fn labels(term: &[u8]) -> impl Iterator<Item = Label> + Clone {
    let mut dots = 0_usize;
    term.iter().filter_map(move |byte| match byte {
        b'.' => {
            dots += 1;
            (dots == 1).then_some(Label::Ellipsis)
        }
        letter if letter.is_ascii_alphabetic() => Some(Label::Letter(*letter)),
        _ => None,
    })
}

fn letters(term: &[u8]) -> usize {
    labels(term).filter(|label| *label != Label::Ellipsis).count()
}

fn has_ellipsis(term: &[u8]) -> bool {
    term.contains(&b'.')
}

/// The bit of a letter in a set of letters, in the order of an output without an arrow.
const fn bit(letter: u8) -> u64 {
    1 << (letter & 63)
}

impl<'a> Equation<'a> {
    fn read(text: &'a [u8]) -> Result<Self, Problem<'static>> {
        let arrow = text.windows(2).position(|pair| pair == b"->");
        let (left, right) = match arrow {
            Some(at) => (text.get(..at).unwrap_or_default(), text.get(at + 2..)),
            None => (text, None),
        };
        let equation = Self { left, right };
        for term in equation.terms().chain(right) {
            let plain = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'.' | b' ');
            if !term.iter().all(plain) {
                let expected = "letters, commas, `...` and one `->`";
                return Err(malformed("the equation contains an invalid character", expected));
            }
            let dots = term.iter().filter(|byte| **byte == b'.').count();
            if dots != 0 && (dots != 3 || !term.windows(3).any(|three| three == b"...")) {
                return Err(malformed("a term of the equation has dots that are not a single `...`", "`...`"));
            }
        }
        let mut seen = 0;
        for label in labels(right.unwrap_or_default()) {
            match label {
                Label::Letter(letter) if seen & bit(letter) != 0 => {
                    return Err(malformed("the output term contains a letter twice", "each letter once"));
                }
                Label::Letter(letter) if !equation.names().any(|label| label == Label::Letter(letter)) => {
                    return Err(malformed(
                        "the output term contains a letter that no input term has",
                        "letters of the inputs",
                    ));
                }
                Label::Letter(letter) => seen |= bit(letter),
                Label::Ellipsis => {}
            }
        }
        Ok(equation)
    }

    /// The terms of the inputs.
    fn terms(&self) -> impl Iterator<Item = &'a [u8]> + Clone + use<'a> {
        self.left.split(|byte| *byte == b',')
    }

    /// All labels of the inputs.
    fn names(&self) -> impl Iterator<Item = Label> + use<'a> {
        self.terms().flat_map(labels)
    }

    /// The labels of the output: those after the arrow, or else the ellipsis and the letters that occur once.
    fn output(&self, at: usize) -> Option<Label> {
        if let Some(right) = self.right {
            return labels(right).nth(at);
        }
        let unnamed = self.terms().any(has_ellipsis);
        if unnamed && at == 0 {
            return Some(Label::Ellipsis);
        }
        let (seen, again) = self.seen();
        among(seen & !again).nth(at - usize::from(unnamed)).map(Label::Letter)
    }

    /// The letters that occur, and those that occur more than once.
    fn seen(&self) -> (u64, u64) {
        self.names().fold((0, 0), |(seen, again), label| match label {
            Label::Letter(letter) => (seen | bit(letter), again | (seen & bit(letter))),
            Label::Ellipsis => (seen, again),
        })
    }
}

/// The letters of a set, in the order of an output without an arrow.
fn among(set: u64) -> impl Iterator<Item = u8> {
    (b'A'..=b'z').filter(move |letter| letter.is_ascii_alphabetic() && set & bit(*letter) != 0)
}

/// The axes of the ellipsis in a term.
fn unnamed<'d, D>(term: &[u8], dims: &'d [D]) -> &'d [D] {
    let before = labels(term).take_while(|label| *label != Label::Ellipsis).count();
    let count = dims.len().saturating_sub(letters(term));
    dims.get(before..before + count).unwrap_or_default()
}

pub(super) fn einsum<D: Dimension>(Einsum { equation, inputs }: Einsum<'_, D>, output: &mut Output<'_, D>) -> Done {
    let equation = Equation::read(equation)?;
    let (terms, count) = (equation.terms().count(), inputs.iter().count());
    if terms != count {
        return Err(Problem::Refused {
            code: Code::DimsMismatch,
            message: "the equation and the node have different numbers of inputs",
            expected: Detail::Counted(terms as u64, "inputs"),
            found: Detail::Counted(count as u64, "inputs"),
        }
        .into());
    }
    let pairs = || equation.terms().zip(inputs.iter());
    let (mut wide, mut unknown) = (None, None);
    for (term, input) in pairs() {
        let named = letters(term);
        match input.fact.dims {
            None if has_ellipsis(term) => unknown = unknown.or(Some(UnknownCause::Dims(input.index))),
            None => {}
            Some(dims) if dims.len() >= named && has_ellipsis(term) => {
                let expected = wide.map(|wide: usize| named + wide);
                if let Some(expected) = expected.filter(|expected| *expected != dims.len()) {
                    let message = "the ellipsis stands for different numbers of dimensions";
                    return Err(rank(message, expected, dims.len()).into());
                }
                wide = Some(dims.len() - named);
            }
            Some(dims) if dims.len() == named => {}
            Some(dims) => {
                return Err(rank("a term and its input have different numbers of dimensions", named, dims.len()).into());
            }
        }
    }
    let letter = |letter: u8| common(pairs().flat_map(|(term, input)| sizes(term, letter, input)));
    let without = |at: usize| {
        let found = pairs().filter(|(term, _)| has_ellipsis(term)).filter_map(|(term, input)| match input.fact.dims {
            None => Some(Err(UnknownCause::Dims(input.index))),
            Some(dims) => unnamed(term, dims).get(at).cloned().map(Ok),
        });
        common(found)
    };
    if terms == 2 {
        // Each combination of an entry along each letter is a product, added to one element.
        output.multiply_adds(&|| {
            if let Some(cause) = unknown {
                return Err(cause);
            }
            let mut product = Product::default();
            for name in among(equation.seen().0) {
                product.push(&letter(name).map_err(|_| UnknownCause::NotGiven)??);
            }
            for at in 0..wide.unwrap_or(0) {
                product.push(&without(at).map_err(|_| UnknownCause::NotGiven)??);
            }
            product.finish().ok_or(UnknownCause::PastLargest)
        });
    }
    // The axes that are summed must fit, too.
    for name in among(equation.seen().0) {
        for (term, input) in pairs() {
            _ = shared(sizes(term, name, input), "a letter stands for dimensions of different sizes in one input")?;
        }
        _ = letter(name)?;
    }
    for at in 0..wide.unwrap_or(0) {
        _ = without(at)?;
    }
    let outer = (0..).map_while(|at| equation.output(at));
    let spread = outer.clone().any(|label| label == Label::Ellipsis);
    let named = outer.clone().filter(|label| *label != Label::Ellipsis).count();
    let wide = match (wide, unknown) {
        (Some(wide), _) if spread => wide,
        (None, Some(cause)) if spread => return Err(cause.into()),
        _ => 0,
    };
    let before = outer.take_while(|label| *label != Label::Ellipsis).count();
    let dim = |at: usize| {
        let label = if !spread || at < before {
            equation.output(at)
        } else if at < before + wide {
            return without(at - before).unwrap_or(Err(UnknownCause::MayDiffer));
        } else {
            equation.output(at - wide + 1)
        };
        match label {
            Some(Label::Letter(name)) => letter(name).unwrap_or(Err(UnknownCause::MayDiffer)),
            _ => Err(UnknownCause::NotGiven),
        }
    };
    output.dims(Dims::Each(named.checked_add(wide).ok_or(UnknownCause::TooLarge)?, &dim));
    Ok(())
}

/// The sizes along the axes that a letter names in a term.
fn sizes<'d, D: Dimension + 'd>(
    term: &'d [u8],
    letter: u8,
    input: Input<'d, D>,
) -> impl Iterator<Item = Result<D, UnknownCause>> + 'd {
    let wide = input.fact.dims.map_or(0, |dims| dims.len().saturating_sub(letters(term)));
    let mut at = 0_usize;
    labels(term).filter_map(move |label| {
        let here = at;
        at += if label == Label::Ellipsis { wide } else { 1 };
        let dims = input.fact.dims.ok_or(UnknownCause::Dims(input.index));
        (label == Label::Letter(letter))
            .then(|| dims.and_then(|dims| dims.get(here).cloned().ok_or(UnknownCause::Dims(input.index))))
    })
}

/// The common size of axes with the same letter, or why it is not known.
///
/// # Errors
/// Two of them differ, and neither is 1.
fn common<D: Dimension>(
    sizes: impl Iterator<Item = Result<D, UnknownCause>>,
) -> Result<Result<D, UnknownCause>, Problem<'static>> {
    match common_of(sizes) {
        Ok(size) => Ok(Ok(size)),
        Err(NoCommon::Unknown(cause)) => Ok(Err(cause)),
        Err(NoCommon::Differ(left, right)) => {
            Err(mismatch("a letter stands for dimensions of different sizes, and neither is 1", left, right))
        }
    }
}
