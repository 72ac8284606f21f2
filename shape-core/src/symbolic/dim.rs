//! A dimension that is a number, a symbol, an expression, or unknown for a reason.

use super::expression::{Expression, Form};
use super::polynomial::Failure;
use super::reason::{Cause, Reason};
use super::symbols::Symbol;
use super::term::{Factor, Term};
use crate::dimension::{LARGEST, Undecided};
use crate::elements::Scalar;

/// A dimension of a tensor in a graph.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// A number of elements.
    Known(u64),
    /// A symbol: a `dim_param`.
    Symbol(Symbol),
    /// An expression over symbols.
    Expression(Expression),
    /// Unknown, for this reason.
    Unknown(Reason),
}

impl From<u64> for Dim {
    fn from(size: u64) -> Self {
        Self::Known(size)
    }
}

impl From<Failure> for Reason {
    fn from(failure: Failure) -> Self {
        Self::here(match failure {
            Failure::TooLarge => Cause::ExpressionTooLarge,
            Failure::ZeroDivisor => Cause::Arithmetic(Undecided::ZeroDivisor),
        })
    }
}

/// Calls a function with a number as terms.
pub(super) fn with_number<R>(number: i64, then: impl FnOnce(&[Term]) -> R) -> R {
    if number == 0 { then(&[]) } else { then(&[Term::number(number)]) }
}

impl Dim {
    /// Calls a function with the dimension as terms.
    ///
    /// # Errors
    /// Why it is unknown. So is a number past int64, which no model can have.
    pub(super) fn with_terms<R>(&self, then: impl FnOnce(&[Term]) -> R) -> Result<R, Reason> {
        match self {
            Self::Known(size) => match i64::try_from(*size) {
                Ok(number) => Ok(with_number(number, then)),
                Err(_) => Err(Failure::TooLarge.into()),
            },
            Self::Symbol(symbol) => Ok(then(&[Term::of(1, Factor::Symbol(*symbol))])),
            Self::Expression(expression) => Ok(then(expression.terms())),
            Self::Unknown(reason) => Err(reason.clone()),
        }
    }

    pub(super) fn from_form(form: Form) -> Self {
        match form {
            // A negative number is not a size.
            Form::Number(number) => u64::try_from(number)
                .map_or_else(|_| Self::Unknown(Reason::here(Cause::ExpressionTooLarge)), Self::Known),
            Form::Symbol(symbol) => Self::Symbol(symbol),
            Form::Expression(expression) => Self::Expression(expression),
        }
    }

    /// The size of the dimension for these sizes of the symbols; `None` if it is not known, or not a size.
    ///
    /// ```
    /// use shape_core::symbolic::Symbols;
    /// let mut symbols = Symbols::default();
    /// let dim = symbols.dim("4*T");
    /// assert_eq!(dim.value(&|_| Some(8)), Some(32));
    /// ```
    #[must_use]
    pub fn value(&self, size: &dyn Fn(Symbol) -> Option<u64>) -> Option<u64> {
        match self {
            Self::Known(size) => Some(*size),
            Self::Symbol(symbol) => size(*symbol),
            Self::Expression(expression) => u64::try_from(expression.value(size)?).ok(),
            Self::Unknown(_) => None,
        }
        .filter(|size| *size <= LARGEST)
    }

    /// The integer that the expression is for these sizes of the symbols; it may be negative. `None` if it is not known, or
    /// past int64.
    ///
    /// ```
    /// use shape_core::symbolic::Symbols;
    /// let mut symbols = Symbols::default();
    /// assert_eq!(symbols.dim("N//2 - 5").integer(&|_| Some(7)), Some(-2));
    /// ```
    #[must_use]
    pub fn integer(&self, size: &dyn Fn(Symbol) -> Option<u64>) -> Option<i64> {
        match self {
            Self::Expression(expression) => i64::try_from(expression.value(size)?).ok(),
            dim => i64::try_from(dim.value(size)?).ok(),
        }
    }

    /// Calls `see` with each symbol in it, as often as it occurs.
    pub fn each_symbol(&self, see: &mut dyn FnMut(Symbol)) {
        match self {
            Self::Known(_) | Self::Unknown(_) => {}
            Self::Symbol(symbol) => see(*symbol),
            Self::Expression(expression) => expression.each_symbol(see),
        }
    }

    /// The fresh symbol in it that was made first; see [`Symbols::make_fresh`](super::Symbols::make_fresh).
    ///
    /// ```
    /// use shape_core::dimension::Dimension as _;
    /// use shape_core::symbolic::{Dim, Symbols};
    /// let mut symbols = Symbols::default();
    /// let fresh = symbols.make_fresh(true);
    /// let sum = symbols.dim("N").add(&Dim::Symbol(fresh)).unwrap();
    /// assert_eq!((sum.fresh(), symbols.dim("N").fresh()), (Some(fresh), None));
    /// ```
    #[must_use]
    pub fn fresh(&self) -> Option<Symbol> {
        let mut first: Option<Symbol> = None;
        self.each_symbol(&mut |symbol| {
            if symbol.fresh().is_some() {
                first = Some(first.map_or(symbol, |first| first.min(symbol)));
            }
        });
        first
    }

    /// Whether it has a fresh symbol with this index or a later one.
    #[must_use]
    pub fn has_fresh(&self, from: usize) -> bool {
        let mut has = false;
        self.each_symbol(&mut |symbol| has |= symbol.fresh().is_some_and(|index| index >= from));
        has
    }

    /// About how many bytes the dimension takes on the heap, where an expression has its terms.
    ///
    /// ```
    /// use shape_core::symbolic::{Dim, Symbols};
    /// let mut symbols = Symbols::default();
    /// assert_eq!((Dim::Known(4).heap(), symbols.dim("N").heap()), (0, 0));
    /// assert!(symbols.dim("N + T").heap() > symbols.dim("2*N").heap());
    /// ```
    #[inline]
    #[must_use]
    pub fn heap(&self) -> usize {
        match self {
            Self::Known(_) | Self::Symbol(_) | Self::Unknown(_) => 0,
            Self::Expression(expression) => expression.heap(),
        }
    }

    /// If unknown, records the value at which the reason occurred.
    #[inline]
    #[must_use]
    pub fn at(self, value: u32) -> Self {
        match self {
            Self::Unknown(reason) => Self::Unknown(reason.at(value)),
            dim => dim,
        }
    }
}

impl Scalar<Dim> {
    /// About how many bytes the element takes on the heap; see [`Dim::heap`].
    #[inline]
    #[must_use]
    pub fn heap(&self) -> usize {
        self.dim().map_or(0, Dim::heap)
    }

    /// If unknown, records the value at which the reason occurred.
    #[inline]
    #[must_use]
    pub fn at(self, value: u32) -> Self {
        match self {
            Self::Size(dim) => Self::Size(dim.at(value)),
            Self::Unknown(reason) => Self::Unknown(reason.at(value)),
            known => known,
        }
    }
}
