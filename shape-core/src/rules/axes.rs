//! Axes, which may count from the end.

use crate::check::{Detail, Problem};
use crate::code::Code;
use crate::dims::{Dimension, UnknownCause};
use crate::rules::{Arguments, Numbers};

/// The axis that a number means in a tensor of some rank.
///
/// # Errors
/// There is none.
pub(crate) fn axis(number: i64, rank: usize) -> Result<usize, Problem<'static>> {
    let back = || usize::try_from(number.unsigned_abs()).ok().and_then(|back| rank.checked_sub(back));
    let axis = if number < 0 { back() } else { usize::try_from(number).ok() };
    axis.filter(|axis| *axis < rank).ok_or(Problem::Refused {
        code: Code::AxisRange,
        message: "there is no such axis",
        expected: Detail::Counted(rank as u64, "axes, or as many counted from the end"),
        found: Detail::Int(number),
    })
}

/// The axes that an operator takes.
pub(super) enum Axes<'a, D: Dimension> {
    /// All of them.
    All,
    /// Those that are listed, each once.
    Listed(Numbers<'a, D>, usize),
    /// They are not known; how many they are may be.
    Open(UnknownCause, Option<usize>),
}

impl<D: Dimension> Axes<'_, D> {
    /// Whether an axis is among them, where they are known.
    pub(super) fn has(&self, axis: usize) -> bool {
        match self {
            Self::All => true,
            Self::Open(..) => false,
            Self::Listed(numbers, rank) => (0..numbers.len())
                .any(|index| numbers.int(index).and_then(|number| self::axis(number, *rank).ok()) == Some(axis)),
        }
    }

    /// The place of an axis among them.
    pub(super) fn place(&self, axis: usize) -> Option<usize> {
        match self {
            Self::All => Some(axis),
            Self::Open(..) => None,
            Self::Listed(numbers, rank) => (0..numbers.len())
                .find(|index| numbers.int(*index).and_then(|number| self::axis(number, *rank).ok()) == Some(axis)),
        }
    }

    /// How many there are, in a tensor of some rank.
    pub(super) fn count(&self, rank: usize) -> usize {
        match self {
            Self::All => rank,
            Self::Listed(numbers, _) => numbers.len(),
            Self::Open(_, count) => count.unwrap_or(0),
        }
    }
}

/// The axes of a parameter, each of which a tensor of the rank must have, once.
///
/// # Errors
/// One of them is not there, or there twice.
pub(super) fn axes<'a, D: Dimension>(
    given: &Arguments<'a, D>,
    parameter: usize,
    rank: usize,
    absent: bool,
) -> Result<Axes<'a, D>, Problem<'static>> {
    let numbers = match given.numbers(parameter) {
        Err(because) => return Ok(Axes::Open(because, given.length(parameter))),
        Ok(None) if absent => return Ok(Axes::All),
        Ok(None) => return Ok(Axes::Listed(Numbers::Many(crate::elements::Elements::Ints(&[])), rank)),
        Ok(Some(numbers)) => numbers,
    };
    if (0..numbers.len()).any(|index| numbers.int(index).is_none()) {
        let because = given.because_of(parameter);
        return Ok(Axes::Open(because, Some(numbers.len())));
    }
    for index in 0..numbers.len() {
        let Some(number) = numbers.int(index) else { continue };
        let found = axis(number, rank)?;
        let before = (0..index).filter_map(|index| numbers.int(index)).filter_map(|number| axis(number, rank).ok());
        if before.into_iter().any(|other| other == found) {
            return Err(Problem::Refused {
                code: Code::AxisRange,
                message: "an axis is named twice",
                expected: Detail::Text("each axis once"),
                found: Detail::Entry { index, value: number },
            });
        }
    }
    Ok(Axes::Listed(numbers, rank))
}
