//! An example: a node and its expected outputs.

use crate::code::Code;
use crate::node::AttributeValue;
use crate::runtime::ReleaseNumber;
use crate::schema::Schema;
use crate::types::Type;

/// A node, and what is expected of it.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Its name in the descriptor.
    pub name: &'static str,
    /// The location of its name in the descriptor.
    pub place: Place,
    /// The first version that it applies to.
    pub since: u32,
    /// The first version that it no longer applies to.
    pub until: Option<u32>,
    /// The first release of the runtime that it applies to; `None` for all of them.
    pub release: Option<ReleaseNumber>,
    /// The inputs, in their order; `None` for one that is absent.
    pub inputs: &'static [Option<Value>],
    /// The attributes of the node, by name.
    pub attributes: &'static [(&'static str, Argument)],
    /// The expected outputs or finding.
    pub expect: Expectation,
}

/// A location in a descriptor: a line and a column, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// The value of an attribute of an example.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// A number, a string, or a list of them.
    Value(AttributeValue<'static>),
    /// A tensor.
    Tensor(Value),
    /// A graph.
    Graph(Graph),
    /// A type.
    Type(Type),
}

/// The inputs and outputs of a graph attribute.
#[derive(Clone, Copy, Debug)]
pub struct Graph {
    /// Its inputs.
    pub inputs: &'static [Value],
    /// Its outputs.
    pub outputs: &'static [Value],
}

/// A value of an example.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// Its type.
    pub ty: Type,
    /// Its location.
    pub place: Place,
    /// Its dimensions, for a sequence those that its tensors share; `None` if the rank is unknown.
    pub dims: Option<&'static [Entry]>,
    /// Its elements in row-major order, if they matter.
    pub elements: Option<&'static [Entry]>,
    /// Why rules infer only the type of this output; `None` if they infer more.
    pub unchecked: Option<&'static str>,
}

/// A dimension or an element: a number, a text, an expression, or `?` for one that is unknown.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its text.
    pub text: &'static str,
    /// Its location.
    pub place: Place,
}

/// The expected result of an example.
#[derive(Clone, Copy, Debug)]
pub enum Expectation {
    /// These outputs; `None` for one that is absent.
    Outputs(&'static [Option<Value>]),
    /// A finding with this code.
    Error(Code),
}

impl Example {
    /// Whether it applies to a version, as a release has it.
    #[must_use]
    pub fn holds_for(&self, schema: &Schema) -> bool {
        let Schema { since_version: since, release, .. } = *schema;
        self.since <= since
            && self.until.is_none_or(|until| since < until)
            && self.release <= release.map(|release| release.number)
    }
}
