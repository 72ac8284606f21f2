//! The inputs or outputs of a node by the names of their formal parameters.

use crate::problem::{Problem, Side};
use crate::schema::{FormalParameter, ParameterOption, arity};

/// Gives the values of a node to the formal parameters of a version, one after the other. `V` is what stands for a value,
/// such as its name or its number; `None` is one that is left out, which has an empty name in a file.
#[derive(Debug)]
pub struct Connections<'n, V> {
    side: Side,
    formal: &'static [FormalParameter],
    given: &'n [Option<V>],
    next: usize,
}

impl<'n, V: Copy> Connections<'n, V> {
    /// The values of a node, in their order.
    #[must_use]
    pub fn new(side: Side, formal: &'static [FormalParameter], given: &'n [Option<V>]) -> Self {
        Self { side, formal, given, next: 0 }
    }

    /// Whether they are neither too few nor too many.
    #[must_use]
    pub fn fit(&self) -> bool {
        let ((min, max), found) = (arity(self.formal), self.given.len());
        found >= min && max.is_none_or(|max| found <= max)
    }

    /// What is wrong with them: they do not fit, or one that is required is left out.
    #[must_use]
    pub fn problem(&self) -> Problem<'static> {
        let (min, max) = arity(self.formal);
        let is_single = |parameter: &FormalParameter| parameter.option == ParameterOption::Single;
        let is_missing = |index: usize| self.given.get(index).copied().flatten().is_none();
        let missing = self.formal.iter().enumerate().find(|(index, formal)| is_single(formal) && is_missing(*index));
        match missing.filter(|_| self.fit()) {
            Some((index, parameter)) if self.side == Side::Input => Problem::InputMissing { parameter, index },
            Some((found, _)) => Problem::Count { side: self.side, min, max, found },
            None => Problem::Count { side: self.side, min, max, found: self.given.len() },
        }
    }

    fn index(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    /// The value of the next parameter, which takes one; `None` if it is left out.
    pub fn one(&mut self) -> Option<V> {
        self.optional()
    }

    /// The value of the next parameter, which may be left out.
    pub fn optional(&mut self) -> Option<V> {
        let index = self.index();
        self.given.get(index).copied().flatten()
    }

    /// The values of the last parameter, which takes any number.
    pub fn rest(&mut self) -> &'n [Option<V>] {
        let index = self.index();
        debug_assert!(self.formal.get(index).is_none_or(|formal| formal.option == ParameterOption::Variadic));
        self.given.get(index..).unwrap_or_default()
    }
}

/// A struct of the inputs or outputs of a version by name: `one` value, an `optional` one, or the `rest` of them.
/// `V` is the type of a value. It has no derives, which would be the most of its cost: it is taken apart where it is made.
#[doc(hidden)]
#[macro_export]
macro_rules! connections {
    (
        $(#[$doc:meta])* $name:ident [$($life:lifetime)?] $side:ident $formal:ident $schema:ident
        { $($(#[$field_doc:meta])* $field:ident: $how:ident $ty:ty),* }
    ) => {
        $(#[$doc])*
        pub struct $name<$($life,)? V> {
            $($(#[$field_doc])* pub $field: $ty),*
        }

        impl<$($life,)? V: ::core::marker::Copy> $name<$($life,)? V> {
            /// Those of a node, in their order; `None` is one that is left out.
            ///
            /// # Errors
            /// They are too few or too many, or one that is required is left out.
            #[inline]
            pub fn of(
                given: &$($life)? [::core::option::Option<V>],
            ) -> ::core::result::Result<Self, $crate::problem::Problem<'static>> {
                let mut of = $crate::operator::Connections::new($crate::problem::Side::$side, $schema.$formal, given);
                // One branch for all: an early return for each value would cost the compiler as much as all the rest.
                match ($(of.$how(),)*) {
                    ($($crate::connections!(@value $how $field),)*) if of.fit() => {
                        ::core::result::Result::Ok(Self { $($field),* })
                    }
                    _ => ::core::result::Result::Err(of.problem()),
                }
            }
        }
    };
    (@value one $field:ident) => { ::core::option::Option::Some($field) };
    (@value $how:ident $field:ident) => { $field };
}
