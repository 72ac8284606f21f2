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
    ///
    /// # Errors
    /// They are too few or too many.
    pub fn new(
        side: Side,
        formal: &'static [FormalParameter],
        given: &'n [Option<V>],
    ) -> Result<Self, Problem<'static>> {
        let ((min, max), found) = (arity(formal), given.len());
        if found < min || max.is_some_and(|max| found > max) {
            return Err(Problem::Count { side, min, max, found });
        }
        Ok(Self { side, formal, given, next: 0 })
    }

    fn index(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    /// The value of the next parameter, which takes one.
    ///
    /// # Errors
    /// It is left out.
    pub fn one(&mut self) -> Result<V, Problem<'static>> {
        let index = self.index();
        let value = self.given.get(index).copied().flatten();
        value.ok_or_else(|| {
            let (min, max) = arity(self.formal);
            match (self.side, self.formal.get(index)) {
                (Side::Input, Some(parameter)) => Problem::InputMissing { parameter, index },
                (side, _) => Problem::Count { side, min, max, found: index },
            }
        })
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
                let mut of =
                    $crate::operator::Connections::new($crate::problem::Side::$side, $schema.$formal, given)?;
                ::core::result::Result::Ok(Self { $($field: $crate::connections!(@read of $how)),* })
            }
        }
    };
    (@read $of:ident one) => { $of.one()? };
    (@read $of:ident $how:ident) => { $of.$how() };
}
