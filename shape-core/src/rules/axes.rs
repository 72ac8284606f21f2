//! Axes, which may count from the end.

use crate::code::Code;
use crate::dimension::Dimension;
use crate::facts::UnknownCause;
use crate::problem::{Detail, Problem};
use crate::rule::{List, Numbers};

/// Resolves an axis number in a tensor of some rank.
///
/// # Errors
/// There is no such axis.
pub fn axis(number: i64, rank: usize) -> Result<usize, Problem<'static>> {
    let back = || usize::try_from(number.unsigned_abs()).ok().and_then(|back| rank.checked_sub(back));
    let axis = if number < 0 { back() } else { usize::try_from(number).ok() };
    axis.filter(|axis| *axis < rank).ok_or(Problem::Refused {
        code: Code::AxisRange,
        message: "an axis is out of range",
        expected: Detail::Counted(rank as u64, "axes; negative numbers count from the end"),
        found: Detail::Int(number),
    })
}

/// The axes that an operator takes.
pub(super) enum Axes<'a, D: Dimension> {
    /// All of them.
    All,
    /// The listed ones, each once, in a tensor of some rank.
    Listed(Numbers<'a, D>, usize),
    /// Unknown axes; their number may be known.
    Unknown(UnknownCause, Option<usize>),
}

impl<D: Dimension> Axes<'_, D> {
    /// Whether an axis is among them, if they are known.
    pub(super) fn has(&self, axis: usize) -> bool {
        match self {
            Self::All => true,
            Self::Unknown(..) => false,
            Self::Listed(..) => self.position(axis).is_some(),
        }
    }

    /// The position of an axis in the list.
    pub(super) fn position(&self, axis: usize) -> Option<usize> {
        match self {
            Self::All => Some(axis),
            Self::Unknown(..) => None,
            Self::Listed(numbers, rank) => (0..numbers.len())
                .find(|index| numbers.int(*index).and_then(|number| self::axis(number, *rank).ok()) == Some(axis)),
        }
    }

    /// How many there are, in a tensor of some rank.
    pub(super) fn count(&self, rank: usize) -> usize {
        match self {
            Self::All => rank,
            Self::Listed(numbers, _) => numbers.len(),
            Self::Unknown(_, count) => count.unwrap_or(0),
        }
    }

    /// The same axes, but all of them if the list is empty.
    pub(super) fn or_all(self) -> Self {
        match self {
            Self::Listed(numbers, _) if numbers.is_empty() => Self::All,
            axes => axes,
        }
    }
}

/// The axes of a list, or all axes without a list.
///
/// # Errors
/// A tensor of the rank does not have one of them, or the list has it twice.
pub(super) fn axes<'a, D: Dimension>(list: Option<List<'a, D>>, rank: usize) -> Result<Axes<'a, D>, Problem<'static>> {
    let Some(list) = list else { return Ok(Axes::All) };
    let numbers = match list.numbers() {
        Err(cause) => return Ok(Axes::Unknown(cause, list.len())),
        Ok(numbers) if !numbers.all_ints() => return Ok(Axes::Unknown(list.cause(), Some(numbers.len()))),
        Ok(numbers) => numbers,
    };
    for index in 0..numbers.len() {
        let Some(number) = numbers.int(index) else { continue };
        let found = axis(number, rank)?;
        let before = (0..index).filter_map(|index| numbers.int(index)).filter_map(|number| axis(number, rank).ok());
        if before.into_iter().any(|other| other == found) {
            return Err(Problem::Refused {
                code: Code::AxisRange,
                message: "an axis appears twice",
                expected: Detail::Text("each axis once"),
                found: Detail::Entry { index, value: number },
            });
        }
    }
    Ok(Axes::Listed(numbers, rank))
}
