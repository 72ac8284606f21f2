//! The trait behind every operator version, and the rule that a schema carries.

mod field;
#[doc(hidden)]
pub mod probe;
mod versioned;

use core::fmt;

use crate::check::Problem;
use crate::dims::{Dimension, Inputs, Outputs};
use crate::kernels::{Kernel, Node};
use crate::node::NodeAttribute;
use crate::schema::{Attribute, FormalParameter, Schema};

#[doc(hidden)]
pub use field::Blank;
pub use field::{Field, optional, required, tell};
#[doc(hidden)]
pub use versioned::{Reader, Slot, Told, Version, debug, read_as, same, tell_all};

/// One version of an operator: a struct with a field for each attribute.
///
/// A field is of the attribute's plain type where the attribute is required or has a default, and an `Option` of it
/// otherwise. `Default` gives the defaults, where every attribute has one or is optional.
pub trait Operator: Sized {
    /// The facts of the version.
    const SCHEMA: &'static Schema;

    /// The same version with fields that borrow from a node; `Self` where no field borrows.
    type Of<'a>: Operator;

    /// Reads the attributes of a node.
    ///
    /// # Errors
    /// The first attribute that is missing, of another kind, or outside of the allowed values. For all that is wrong
    /// with a node at once, see [`crate::check::attributes`].
    fn read<'a>(attributes: &[NodeAttribute<'a>]) -> Result<Self::Of<'a>, Problem<'a>>;

    /// Tells the attributes of a node that is this operator, one after the other, without those that are absent.
    fn attributes<'s>(&'s self, tell: &mut dyn FnMut(NodeAttribute<'s>));
}

/// An operator of which more is known than the types: what its outputs are.
pub trait Infer: Operator {
    /// What can be said of a node's outputs, given what is known of its inputs.
    ///
    /// It is written once for every kind of dimension: [`Dimension`] has the arithmetic.
    ///
    /// # Errors
    /// What the operator's rule refuses.
    fn infer<D: Dimension>(&self, inputs: Inputs<'_, D>, outputs: &mut dyn Outputs<D>) -> Result<(), Problem<'static>>;
}

type Run<D> =
    for<'a> fn(&'static Schema, &[NodeAttribute<'a>], Inputs<'_, D>, &mut dyn Outputs<D>) -> Result<(), Problem<'a>>;

/// What an operator means, behind function pointers, so that a table can hold it.
#[derive(Clone, Copy)]
pub struct Rule {
    concrete: Run<u64>,
    #[cfg(feature = "alloc")]
    symbolic: Run<crate::symbolic::Dim>,
}

impl Rule {
    /// The rule of an operator that is a Rust type: [`Operator::read`], then [`Infer::infer`].
    #[must_use]
    pub const fn of<O: Operator>() -> Self
    where
        for<'a> O::Of<'a>: Infer,
    {
        Self {
            concrete: read_and_infer::<O, u64>,
            #[cfg(feature = "alloc")]
            symbolic: read_and_infer::<O, crate::symbolic::Dim>,
        }
    }

    /// The rule of a kernel, for a version with these attributes and inputs.
    ///
    /// # Panics
    /// The version has an attribute or an input that the kernel does not read by its name, unless it is marked as
    /// without meaning. In a `const`, that is a compile error.
    #[must_use]
    pub const fn kernel<K: Kernel>(attributes: &[Attribute], inputs: &[FormalParameter]) -> Self {
        if let Some(name) = unread(K::ARGUMENTS, attributes, inputs) {
            unread_panic(name);
        }
        Self::unchecked::<K>()
    }

    /// The rule of a kernel, whatever the version.
    pub(crate) const fn unchecked<K: Kernel>() -> Self {
        Self {
            concrete: gather_and_infer::<K, u64>,
            #[cfg(feature = "alloc")]
            symbolic: gather_and_infer::<K, crate::symbolic::Dim>,
        }
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Rule")
    }
}

impl Schema {
    /// What can be said of the outputs of a node whose inputs have known dimensions; nothing for a version without a
    /// rule.
    ///
    /// # Errors
    /// The first attribute that cannot be read, or what the operator's rule refuses.
    pub fn infer<'a>(
        &'static self,
        attributes: &[NodeAttribute<'a>],
        inputs: Inputs<'_, u64>,
        outputs: &mut dyn Outputs<u64>,
    ) -> Result<(), Problem<'a>> {
        self.rule.map_or(Ok(()), |rule| (rule.concrete)(self, attributes, inputs, outputs))?;
        crate::rules::run(self, attributes, inputs, outputs)
    }

    /// What can be said of the outputs of a node whose inputs may have symbolic and unknown dimensions; nothing for a
    /// version without a rule.
    ///
    /// # Errors
    /// The first attribute that cannot be read, or what the operator's rule refuses.
    #[cfg(feature = "alloc")]
    pub fn infer_symbolic<'a>(
        &'static self,
        attributes: &[NodeAttribute<'a>],
        inputs: Inputs<'_, crate::symbolic::Dim>,
        outputs: &mut dyn Outputs<crate::symbolic::Dim>,
    ) -> Result<(), Problem<'a>> {
        self.rule.map_or(Ok(()), |rule| (rule.symbolic)(self, attributes, inputs, outputs))?;
        crate::rules::run(self, attributes, inputs, outputs)
    }

    /// Whether something is known of the outputs but their types.
    #[must_use]
    pub fn infers(&self) -> bool {
        self.rule.is_some() || self.rules.iter().any(|rule| rule.dims.is_some())
    }

    /// Whether the rule of the version says what the elements of its outputs are, so that a node can be run by it.
    #[must_use]
    pub fn computes(&self) -> bool {
        self.rule.is_some()
    }
}

fn read_and_infer<'a, O: Operator, D: Dimension>(
    _: &'static Schema,
    attributes: &[NodeAttribute<'a>],
    inputs: Inputs<'_, D>,
    outputs: &mut dyn Outputs<D>,
) -> Result<(), Problem<'a>>
where
    for<'of> O::Of<'of>: Infer,
{
    O::read(attributes)?.infer(inputs, outputs)
}

fn gather_and_infer<'a, K: Kernel, D: Dimension>(
    schema: &'static Schema,
    attributes: &[NodeAttribute<'a>],
    inputs: Inputs<'_, D>,
    outputs: &mut dyn Outputs<D>,
) -> Result<(), Problem<'a>> {
    for given in attributes {
        if let Some(attribute) = schema.attribute(given.name) {
            crate::check::value(attribute, given)?;
        }
    }
    let given = |name: &str| attributes.iter().find(|given| given.name == name).map(|given| given.value);
    K::infer(&Node { schema, given: &given, inputs }, outputs)
}

/// What a kernel says of an operator that is a Rust type: the generated [`Infer::infer`].
///
/// # Errors
/// What the kernel refuses.
pub fn infer_by<K: Kernel, O: Operator, D: Dimension>(
    operator: &O,
    inputs: Inputs<'_, D>,
    outputs: &mut dyn Outputs<D>,
) -> Result<(), Problem<'static>> {
    let given = |name: &str| {
        let mut found = None;
        operator.attributes(&mut |attribute| found = found.or((attribute.name == name).then_some(attribute.value)));
        found
    };
    K::infer(&Node { schema: O::SCHEMA, given: &given, inputs }, outputs)
}

/// The first attribute or input that a kernel does not read.
pub(crate) const fn unread(
    arguments: &[&str],
    attributes: &[Attribute],
    inputs: &[FormalParameter],
) -> Option<&'static str> {
    // A `const fn` has no iterators.
    let mut index = 0;
    while index < attributes.len() {
        if !attributes[index].legacy && !contains(arguments, attributes[index].name) {
            return Some(attributes[index].name);
        }
        index += 1;
    }
    let mut index = 0;
    while index < inputs.len() {
        if !contains(arguments, inputs[index].name) {
            return Some(inputs[index].name);
        }
        index += 1;
    }
    None
}

const fn contains(names: &[&str], name: &str) -> bool {
    let mut index = 0;
    while index < names.len() {
        if equal(names[index].as_bytes(), name.as_bytes()) {
            return true;
        }
        index += 1;
    }
    false
}

const fn equal(left: &[u8], right: &[u8]) -> bool {
    let mut index = 0;
    while index < left.len() && index < right.len() && left[index] == right[index] {
        index += 1;
    }
    index == left.len() && index == right.len()
}

/// Panics with a sentence about a name, which a `const` panic does not put together by itself.
#[expect(clippy::panic, reason = "in a `const`, where it is called, this is a compile error")]
const fn unread_panic(name: &str) -> ! {
    const BEFORE: &[u8] = b"the kernel reads no argument `";
    let (mut message, mut length) = ([b' '; 160], 0);
    let parts = [BEFORE, name.as_bytes(), b"`"];
    let mut part = 0;
    while part < parts.len() {
        let mut index = 0;
        while index < parts[part].len() && length < message.len() {
            message[length] = parts[part][index];
            length += 1;
            index += 1;
        }
        part += 1;
    }
    match core::str::from_utf8(&message) {
        Ok(message) => panic!("{}", message),
        Err(_) => panic!("the kernel does not read an argument"),
    }
}
