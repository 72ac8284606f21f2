//! The text of dimensions, elements and reasons, with the names of a model's symbols.

use core::fmt;

use super::dim::Dim;
use super::reason::Cause;
use super::symbols::Symbols;
use super::write;
use crate::elements::Scalar;

impl Dim {
    /// The text of the dimension, with the names of symbols and `?` if it is unknown.
    #[must_use]
    pub fn display<'s>(&'s self, symbols: &'s Symbols) -> DisplayDim<'s> {
        DisplayDim { dim: self, symbols }
    }
}

/// See [`Dim::display`].
#[derive(Clone, Copy, Debug)]
pub struct DisplayDim<'s> {
    dim: &'s Dim,
    symbols: &'s Symbols,
}

impl fmt::Display for DisplayDim<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.dim {
            Dim::Known(size) => write!(formatter, "{size}"),
            Dim::Symbol(symbol) => formatter.write_str(self.symbols.name(*symbol)),
            Dim::Expression(expression) => formatter.write_str(&write::text(expression.terms(), self.symbols)),
            Dim::Unknown(_) => formatter.write_str("?"),
        }
    }
}

/// See [`Scalar::display`].
#[derive(Clone, Copy, Debug)]
pub struct DisplayScalar<'s> {
    scalar: &'s Scalar<Dim>,
    symbols: &'s Symbols,
}

impl Scalar<Dim> {
    /// The text of the element, expressions like those of dimensions, and `?` if it is unknown.
    ///
    /// ```
    /// use shape_core::elements::Scalar;
    /// use shape_core::symbolic::Symbols;
    /// let mut symbols = Symbols::default();
    /// let element = Scalar::Size(symbols.dim("N")).sub(&Scalar::Int(1));
    /// assert_eq!(element.display(&symbols).to_string(), "N - 1");
    /// ```
    #[must_use]
    pub fn display<'s>(&'s self, symbols: &'s Symbols) -> DisplayScalar<'s> {
        DisplayScalar { scalar: self, symbols }
    }
}

impl fmt::Display for DisplayScalar<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scalar {
            Scalar::Int(number) => write!(formatter, "{number}"),
            Scalar::Size(dim) | Scalar::Expression(dim) => dim.display(self.symbols).fmt(formatter),
            Scalar::Ratio(ratio) => {
                let dividend = alloc::format!("{}", ratio.of().display(self.symbols));
                let mut depth = 0;
                let is_sum = dividend.chars().any(|character| {
                    depth += i32::from(character == '(') - i32::from(character == ')');
                    depth == 0 && matches!(character, '+' | '-' | '/' | '%')
                });
                let (open, close) = if is_sum { ("(", ")") } else { ("", "") };
                write!(formatter, "{open}{dividend}{close}/{}", ratio.by())
            }
            Scalar::Bool(value) => write!(formatter, "{value}"),
            Scalar::Float(number) => write!(formatter, "{number}"),
            Scalar::Unknown(_) => formatter.write_str("?"),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Cause::NotDeclared => "the model does not declare it",
            Cause::NoDescriptor => "its operator has no descriptor",
            Cause::NoRule => "its operator has no rule for it yet",
            Cause::NoVersion => "the version of its operator is unknown",
            Cause::FunctionCall => {
                "the function call that computes it is nested too deeply, or there are too many calls"
            }
            Cause::Referred => "the caller of the function sets an attribute of its node",
            Cause::Refused => "its node has an error",
            Cause::Undefined => "nothing computes it",
            Cause::NotATensor => "it is not a tensor",
            Cause::BadDeclaration => "its declaration is invalid",
            Cause::GivenAtRun => "its elements are known only when the model runs",
            Cause::Replaceable => "its elements are a default, which an input of the same name may replace",
            Cause::ElementsNotFollowed => "elements of its type are not computed",
            Cause::TooManyElements => "it has too many elements to compute",
            Cause::BadElements => "its elements cannot be read",
            Cause::TooManyDims => "it has too many dimensions to compute",
            Cause::MayDiffer => "two dimensions are broadcast to each other, and either may be 1",
            Cause::ToolsDiffer => "runtimes compute different sizes for such a node",
            Cause::Varies => "the tensors in it may differ",
            Cause::Rounds => "it may change from one iteration to the next",
            Cause::Branches => "the branches may return different results",
            Cause::Condition => "none of the conditions on its dimensions is known to hold",
            Cause::DependsOnData | Cause::Common => "it depends on elements that are known only when the model runs",
            Cause::TooLarge => "the model is too large to follow it",
            Cause::ExpressionTooLarge => "an expression for it is too large",
            Cause::Arithmetic(why) => why.text(),
        })
    }
}
