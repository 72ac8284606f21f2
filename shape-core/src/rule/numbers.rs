//! Numbers as arguments of a rule.

use crate::dimension::{Dimension, LARGEST};
use crate::elements::{Elements, Scalar};
use crate::facts::{Fact, Input, UnknownCause, copy};

/// One number: from an attribute, from the call, or the element of an input.
pub struct Integer<'a, D: Dimension>(pub(super) Source<'a, D>);

pub(super) enum Source<'a, D: Dimension> {
    Number(i64),
    Float(f32),
    Input(Input<'a, D>),
}

impl<'a, D: Dimension> Integer<'a, D> {
    /// The number, if it is known.
    #[must_use]
    pub fn known(&self) -> Option<i64> {
        if let Ok(Scalar::Int(number)) = self.scalar() { Some(number) } else { None }
    }

    /// The number as an element.
    ///
    /// # Errors
    /// It is an element of an input, and not known.
    pub fn scalar(&self) -> Result<Scalar<D>, UnknownCause> {
        match &self.0 {
            Source::Number(number) => Ok(Scalar::Int(*number)),
            Source::Float(number) => Ok(Scalar::Float((*number).into())),
            Source::Input(input) => input.elements()?.get(0).ok_or(UnknownCause::Elements(input.index)),
        }
    }

    /// The number as a size.
    ///
    /// # Errors
    /// It is not known, or not a size.
    pub fn size(&self) -> Result<D, UnknownCause> {
        size(self.scalar()?).ok_or(self.cause())
    }

    /// The cause to report for what is unknown because of this number.
    #[must_use]
    pub fn cause(&self) -> UnknownCause {
        match &self.0 {
            Source::Number(_) | Source::Float(_) => UnknownCause::Data,
            Source::Input(input) => UnknownCause::Elements(input.index),
        }
    }
}

/// Several numbers: from an attribute, or the elements of an input.
pub enum List<'a, D: Dimension> {
    /// From an attribute or the call.
    Known(Numbers<'a, D>),
    /// The elements of an input.
    Input(Input<'a, D>),
}

impl<'a, D: Dimension> List<'a, D> {
    /// The same, where an element that may be any integer is unknown.
    pub(super) fn as_target(self) -> Self {
        match self {
            Self::Input(Input { index, fact }) => {
                // Where none is known, nothing is known of the list but its length.
                let some = |list: &Elements<'_, D>| list.is_empty() || list.iter().any(|entry| entry.is_known());
                let elements = fact.elements.map(Elements::as_target).filter(some);
                Self::Input(Input { index, fact: Fact { elements, ..fact } })
            }
            known @ Self::Known(_) => known,
        }
    }

    /// The numbers.
    ///
    /// # Errors
    /// They are the elements of an input, and nothing is known of them.
    pub fn numbers(&self) -> Result<Numbers<'a, D>, UnknownCause> {
        match self {
            Self::Known(numbers) => Ok(*numbers),
            Self::Input(input) if matches!(input.fact.dims, Some([len]) if len.known() == Some(0)) => {
                Ok(Numbers::Many(Elements::Ints(&[])))
            }
            Self::Input(input) => input.elements().map(Numbers::Many),
        }
    }

    /// How many there are, if that is known; the numbers themselves may be unknown.
    #[must_use]
    pub fn len(&self) -> Option<usize> {
        match (self.numbers(), self) {
            (Ok(numbers), _) => Some(numbers.len()),
            (Err(_), Self::Input(input)) => match input.fact.dims? {
                [] => Some(1),
                [len] => usize::try_from(len.known()?).ok(),
                _ => None,
            },
            (Err(_), Self::Known(_)) => None,
        }
    }

    /// Whether there are none, if that is known.
    #[must_use]
    pub fn is_empty(&self) -> Option<bool> {
        self.len().map(|len| len == 0)
    }

    /// The cause to report for what is unknown because of one of them.
    #[must_use]
    pub fn cause(&self) -> UnknownCause {
        match self {
            Self::Known(_) => UnknownCause::NotGiven,
            Self::Input(input) => UnknownCause::Elements(input.index),
        }
    }

    /// One of them as a size.
    ///
    /// # Errors
    /// It is not known, missing, or not a size.
    pub fn size(&self, index: usize) -> Result<D, UnknownCause> {
        self.numbers()?.get(index).and_then(size).ok_or(self.cause())
    }
}

/// Known numbers: those of an attribute, or the elements of an input.
#[derive(Debug)]
pub enum Numbers<'a, D: Dimension> {
    /// One.
    One(i64),
    /// Several.
    Many(Elements<'a, D>),
}

copy!(Integer, Source, List, Numbers);

impl<D: Dimension> Numbers<'_, D> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Many(elements) => elements.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number at an index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Scalar<D>> {
        match self {
            Self::One(number) => (index == 0).then_some(Scalar::Int(*number)),
            Self::Many(elements) => elements.get(index),
        }
    }

    /// The number at an index, if it is an integer.
    #[must_use]
    pub fn int(&self, index: usize) -> Option<i64> {
        if let Scalar::Int(number) = self.get(index)? { Some(number) } else { None }
    }

    /// Whether each of them is an integer.
    #[must_use]
    pub fn all_ints(&self) -> bool {
        (0..self.len()).all(|index| self.int(index).is_some())
    }
}

/// An element as a dimension; `None` if it cannot be one.
pub(crate) fn size<D: Dimension>(scalar: Scalar<D>) -> Option<D> {
    match scalar {
        Scalar::Int(number) => u64::try_from(number).ok().map(D::from),
        Scalar::Size(size) | Scalar::Expression(size) => Some(size),
        // An unknown dimension may carry the reason.
        Scalar::Unknown(reason) => D::unknown(reason),
        Scalar::Float(number) => whole(number).filter(|size| *size as f64 == number).map(D::from),
        Scalar::Bool(_) | Scalar::Ratio(_) => None,
    }
}

/// A float without its fraction, if that is a size.
pub(crate) fn whole(number: f64) -> Option<u64> {
    (0.0..=LARGEST as f64).contains(&number).then_some(number as u64)
}
