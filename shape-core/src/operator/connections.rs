//! The inputs or outputs of a node by the names of their formal parameters.

use crate::problem::{Problem, Side};
use crate::schema::{FormalParameter, ParameterOption, arity};

/// The values of a node by the formal parameters of a version, the first `N`: `None` is one that is left out, which has an
/// empty name in a file. `V` is what stands for a value, such as its name or its number. `None` in all if there are too few
/// or too many.
pub fn values<V: Copy, const N: usize>(formal: &[FormalParameter], given: &[Option<V>]) -> Option<[Option<V>; N]> {
    let ((min, max), found) = (arity(formal), given.len());
    let fit = found >= min && max.is_none_or(|max| found <= max);
    fit.then(|| core::array::from_fn(|index| given.get(index).copied().flatten()))
}

/// The values of the last parameter, which takes any number.
#[must_use]
pub fn rest<'n, V>(formal: &[FormalParameter], given: &'n [Option<V>]) -> &'n [Option<V>] {
    formal.len().checked_sub(1).and_then(|before| given.get(before..)).unwrap_or_default()
}

/// What is wrong with the values of a node: they are too few or too many, or one that is required is left out.
#[must_use]
pub fn misfit<V: Copy>(side: Side, formal: &'static [FormalParameter], given: &[Option<V>]) -> Problem<'static> {
    let ((min, max), found) = (arity(formal), given.len());
    let is_missing = |index: usize| given.get(index).copied().flatten().is_none();
    let mut single = formal.iter().enumerate().filter(|(_, formal)| formal.option == ParameterOption::Single);
    let fit = found >= min && max.is_none_or(|max| found <= max);
    match single.find(|(index, _)| fit && is_missing(*index)) {
        Some((index, parameter)) if side == Side::Input => Problem::InputMissing { parameter, index },
        Some((found, _)) => Problem::Count { side, min, max, found },
        None => Problem::Count { side, min, max, found },
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
                // One branch for all: an early return for each value would cost the compiler as much as all the rest.
                match $crate::operator::values($schema.$formal, given) {
                    ::core::option::Option::Some([$($crate::connections!(@pattern $how $field)),*]) => {
                        ::core::result::Result::Ok(Self {
                            $($field: $crate::connections!(@value $how $field $schema.$formal, given)),*
                        })
                    }
                    _ => ::core::result::Result::Err(
                        $crate::operator::misfit($crate::problem::Side::$side, $schema.$formal, given),
                    ),
                }
            }
        }
    };
    (@pattern one $field:ident) => { ::core::option::Option::Some($field) };
    (@pattern optional $field:ident) => { $field };
    (@pattern rest $field:ident) => { _ };
    (@value rest $field:ident $formal:expr, $given:ident) => { $crate::operator::rest($formal, $given) };
    (@value $how:ident $field:ident $formal:expr, $given:ident) => { $field };
}
