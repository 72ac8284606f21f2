//! How a descriptor defines the outputs of a node: where a type comes from, and what computes the dimensions and the
//! elements.
//!
//! A descriptor calls a rule with attributes, inputs and numbers as arguments, `reduce(data, axes, keepdims)`, which is a
//! [`Call`], or lists the dimensions one by one, `[X[0], 2*X[1]]`, which are [`Term`]s. A [`Rule`] reads its
//! [`RuleArguments`] and writes its [`Output`].

mod argument;
mod arguments;
mod call;
mod display;
pub(crate) mod evaluate;
mod function;
mod graph;
mod input_list;
mod layout;
mod numbers;
mod output;
mod requirement;
mod stop;
mod term;
mod type_source;

pub use crate::signature::Expression;
pub use argument::Argument;
pub use arguments::{Count, RuleArguments};
pub use call::{Alternative, Amount, Call, DimsRule, OutputRule};
pub use display::display_terms;
pub(crate) use evaluate::{amount, dims};
#[doc(hidden)]
pub use function::{Compute, Functions};
pub use function::{Rule, RuleDimension};
pub use graph::{Graph, GraphOutput};
pub use input_list::InputList;
pub(crate) use layout::run;
pub use numbers::{Integer, List, Numbers};
pub(crate) use numbers::{size, whole};
pub use output::Output;
pub use requirement::FittingAxis;
pub(crate) use requirement::{broken, chosen, fitting, implied};
pub use stop::{Done, Stop};
pub use term::Term;
pub use type_source::{Condition, TypeOf, TypeSource};
