//! A rule as function pointers, which a static table can hold.

use core::fmt;

use super::arguments::RuleArguments;
use super::output::Output;
use super::stop::Stop;
use crate::dimension::Dimension;

pub(crate) type Run<D> = for<'n, 'a> fn(&RuleArguments<'n, 'a, D>, &mut Output<'_, D>) -> Result<(), Stop<'a>>;

/// What computes an output of a node.
///
/// A reference, so that a table in another crate refers to what is compiled here: with the function pointers in it, each
/// such crate would compile every rule again.
#[derive(Clone, Copy)]
pub struct Rule(&'static Functions);

impl fmt::Debug for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Rule {
    /// The rule of these functions; for generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(functions: &'static Functions) -> Self {
        Self(functions)
    }

    /// Whether it also computes the elements of its output: all of them, if all elements that it reads are known.
    #[must_use]
    pub const fn gives_elements(&self) -> bool {
        self.0.gives_elements
    }

    /// Its name in descriptors: one of `specs/rules.yaml`, or a path.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.0.name
    }
}

/// What a [`Rule`] refers to: its name, and its function for every kind of dimension.
#[doc(hidden)]
pub struct Functions {
    name: &'static str,
    gives_elements: bool,
    concrete: Run<u64>,
    #[cfg(feature = "alloc")]
    symbolic: Run<crate::symbolic::Dim>,
}

impl fmt::Debug for Functions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

impl Functions {
    /// The functions of a rule with its name.
    #[must_use]
    pub const fn new<C: Compute>(name: &'static str, gives_elements: bool) -> Self {
        Self {
            name,
            gives_elements,
            concrete: C::compute::<u64>,
            #[cfg(feature = "alloc")]
            symbolic: C::compute::<crate::symbolic::Dim>,
        }
    }
}

/// What a [`Rule`] computes, for every kind of dimension.
#[doc(hidden)]
pub trait Compute {
    /// Sets the output from the arguments.
    ///
    /// # Errors
    /// Why the output is unknown, or what is wrong with the node.
    fn compute<'a, D: Dimension>(
        arguments: &RuleArguments<'_, 'a, D>,
        output: &mut Output<'_, D>,
    ) -> Result<(), Stop<'a>>;
}

/// Makes a [`Rule`] from an expression over its arguments and its output.
#[doc(hidden)]
#[macro_export]
macro_rules! rule {
    ($name:expr, $gives_elements:expr, |$arguments:ident, $output:ident| $body:expr) => {{
        struct Computed;
        impl $crate::rule::Compute for Computed {
            fn compute<'a, D: $crate::dimension::Dimension>(
                $arguments: &$crate::rule::RuleArguments<'_, 'a, D>,
                $output: &mut $crate::rule::Output<'_, D>,
            ) -> ::core::result::Result<(), $crate::rule::Stop<'a>> {
                $body
            }
        }
        static FUNCTIONS: $crate::rule::Functions = $crate::rule::Functions::new::<Computed>($name, $gives_elements);
        $crate::rule::Rule::new(&FUNCTIONS)
    }};
}

/// A kind of dimension that a [`Rule`] is run with: `u64`, and with the feature `alloc` [`Dim`](crate::Dim).
pub trait RuleDimension: Dimension {
    /// The function of a rule for it.
    #[doc(hidden)]
    fn function(rule: Rule) -> Run<Self>;
}

impl RuleDimension for u64 {
    fn function(rule: Rule) -> Run<Self> {
        rule.0.concrete
    }
}

#[cfg(feature = "alloc")]
impl RuleDimension for crate::symbolic::Dim {
    fn function(rule: Rule) -> Run<Self> {
        rule.0.symbolic
    }
}
