//! Axes, which may count from the end.

use crate::code::Code;
use crate::dimension::Dimension;
use crate::facts::UnknownCause;
use crate::problem::{Detail, Problem};
use crate::rule::{List, Numbers};

/// The axis that a number means in a tensor of some rank.
///
/// # Errors
/// There is none.
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
    /// Those that are listed, each once, in a tensor of some rank.
    Listed(Numbers<'a, D>, usize),
    /// They are not known; how many they are may be.
    Unknown(UnknownCause, Option<usize>),
}

impl<D: Dimension> Axes<'_, D> {
    /// Whether an axis is among them, where they are known.
    pub(super) fn has(&self, axis: usize) -> bool {
        match self {
            Self::All => true,
            Self::Unknown(..) => false,
            Self::Listed(..) => self.place(axis).is_some(),
        }
    }

    /// The place of an axis among them.
    pub(super) fn place(&self, axis: usize) -> Option<usize> {
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

    /// The same, where an empty list stands for all axes.
    pub(super) fn or_all(self) -> Self {
        match self {
            Self::Listed(numbers, _) if numbers.is_empty() => Self::All,
            axes => axes,
        }
    }
}

/// The axes of a list, each of which a tensor of the rank must have, once; all axes where there is no list.
///
/// # Errors
/// One of them is not there, or there twice.
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
