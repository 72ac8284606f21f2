//! What the operators mean: one hand-written rule an operator, for all its versions.
//!
//! **Architecture Invariant.** A kernel knows no version number. It asks the node for each attribute and input that it
//! reads, by name, and has a default for what a version lacks. It allocates nothing, never panics, and is generic over
//! the dimension.

pub mod reshape;
pub mod shape;

use crate::check::Problem;
use crate::dims::{Dimension, Input, Inputs, Integers, Outputs};
use crate::node::AttributeValue;
use crate::operator::{Field, Rule};
use crate::schema::Schema;

pub use reshape::Reshape;
pub use shape::Shape;

/// A rule that serves every version of an operator, or of several.
pub trait Kernel {
    /// The attributes and inputs that it reads, by name. A version that has others is refused when it is compiled.
    const ARGUMENTS: &'static [&'static str];

    /// What can be said of a node's outputs.
    ///
    /// # Errors
    /// What the rule refuses.
    fn infer<D: Dimension>(node: &Node<'_, D>, outputs: &mut dyn Outputs<D>) -> Result<(), Problem<'static>>;
}

/// The kernels of this crate by the names that descriptors have for them.
///
/// ```
/// let (arguments, _) = shape_core::kernels::by_name("shape").unwrap();
/// assert_eq!(arguments, ["data", "start", "end"]);
/// assert!(shape_core::kernels::by_name("gelu").is_none());
/// ```
#[must_use]
pub fn by_name(name: &str) -> Option<(&'static [&'static str], Rule)> {
    Some(match name {
        "reshape" => (Reshape::ARGUMENTS, Rule::unchecked::<Reshape>()),
        "shape" => (Shape::ARGUMENTS, Rule::unchecked::<Shape>()),
        _ => return None,
    })
}

/// A node as a kernel sees it: its attributes and inputs by the names that its version has for them.
#[derive(Clone, Copy)]
pub struct Node<'a, D: Dimension> {
    pub(crate) schema: &'static Schema,
    pub(crate) given: &'a dyn Fn(&str) -> Option<AttributeValue<'a>>,
    pub(crate) inputs: Inputs<'a, D>,
}

impl<'a, D: Dimension> Node<'a, D> {
    /// The value of an attribute: the node's, or the version's default. `None` where there is neither, or the version
    /// has no such attribute.
    #[must_use]
    pub fn attribute<T: Field<'a>>(&self, name: &str) -> Option<T> {
        let default = || self.schema.attribute(name).and_then(|attribute| attribute.default);
        (self.given)(name).or_else(default).and_then(T::from_value)
    }

    /// An input; one of which nothing is known where the node does not give it, or the version has no such input.
    #[must_use]
    pub fn input(&self, name: &str) -> Input<'a, D> {
        self.place(name).map_or_else(Input::default, |index| self.inputs.required(index))
    }

    /// All inputs that the node gives, in their order, for a version with a variadic one.
    #[must_use]
    pub fn inputs(&self) -> Inputs<'a, D> {
        self.inputs
    }

    /// Integers that some versions take as an attribute and others as an input of the same name.
    #[must_use]
    pub fn integers(&self, name: &str) -> Integers<'a, D> {
        match self.place(name) {
            Some(index) => Integers::Input(self.inputs.required(index)),
            None => self.attribute(name).map_or(Integers::Absent, Integers::Attribute),
        }
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.schema.inputs.iter().position(|input| input.name == name)
    }
}
