//! The facts of an operator version as static tables.

use crate::adapters::Adapter;
use crate::node::{AttributeKind, AttributeValue};
use crate::rules::OutputRule;
use crate::types::{Type, TypeSet};

/// One version of an operator.
///
/// The tables are generated from the descriptors in `specs`; nothing in them is computed at run time.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// The domain; `ai.onnx` for the default one.
    pub domain: &'static str,
    /// The operator's name: `NodeProto.op_type`.
    pub name: &'static str,
    /// The opset that the version came with.
    pub since_version: u32,
    /// One sentence: what it gives.
    pub summary: &'static str,
    /// What the summary leaves out, in a few lines; empty where it leaves out nothing.
    pub details: &'static str,
    /// Whether ONNX deprecates the operator from this version on.
    pub deprecated: bool,
    /// ONNX's support level.
    pub support_level: SupportLevel,
    /// Whether ONNX defines the version as a function of other operators.
    pub has_function: bool,
    /// Whether the reference implementation infers shapes for it.
    pub has_shape_inference: bool,
    /// Whether the same inputs give the same outputs; otherwise they are random, or what a subgraph makes of them.
    pub deterministic: bool,
    /// How the graphs in its attributes line up with its nodes; `None` where it has none, or nobody says.
    pub subgraphs: Option<SubgraphKind>,
    /// What the version means otherwise than the one before it, where the other facts do not show that.
    pub semantics: Option<&'static str>,
    /// The hand-written conversion from and to the version before it.
    pub adapter: Option<Adapter>,
    /// Its attributes, in the order of the descriptor.
    pub attributes: &'static [Attribute],
    /// Its formal inputs.
    pub inputs: &'static [FormalParameter],
    /// Its formal outputs.
    pub outputs: &'static [FormalParameter],
    /// Its type variables.
    pub types: &'static [TypeConstraint],
    /// Attributes and inputs that exclude each other.
    pub exclusive: &'static [Exclusive],
    /// What decides its outputs: types that the inputs leave open, dimensions, and elements.
    pub rules: &'static [OutputRule],
}

impl Schema {
    /// What stands in for the schema of a struct whose derive has mistakes.
    #[doc(hidden)]
    pub const EMPTY: Self = Self {
        domain: "",
        name: "",
        since_version: 0,
        summary: "",
        details: "",
        deprecated: false,
        support_level: SupportLevel::Common,
        has_function: false,
        has_shape_inference: false,
        deterministic: true,
        subgraphs: None,
        semantics: None,
        adapter: None,
        attributes: &[],
        inputs: &[],
        outputs: &[],
        types: &[],
        exclusive: &[],
        rules: &[],
    };

    /// The attribute of this name.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&'static Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The formal input at a place; a variadic one stands for every place from its own on.
    #[must_use]
    pub fn input(&self, index: usize) -> Option<&'static FormalParameter> {
        at(self.inputs, index)
    }

    /// The formal output at a place; a variadic one stands for every place from its own on.
    #[must_use]
    pub fn output(&self, index: usize) -> Option<&'static FormalParameter> {
        at(self.outputs, index)
    }
}

/// The version that came with an opset, among the versions of an operator.
///
/// # Panics
/// There is none. In a `const`, that is a compile error.
#[must_use]
#[expect(clippy::panic, reason = "in a `const`, where it is called, this is a compile error")]
pub const fn version(versions: &'static [&'static Schema], since: u32) -> &'static Schema {
    let mut index = 0;
    while index < versions.len() {
        if versions[index].since_version == since {
            return versions[index];
        }
        index += 1;
    }
    panic!("the operator has no version of this opset")
}

fn at(parameters: &'static [FormalParameter], index: usize) -> Option<&'static FormalParameter> {
    parameters.get(index).or_else(|| parameters.last().filter(|last| last.option == ParameterOption::Variadic))
}

/// How far ONNX supports an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SupportLevel {
    /// Part of the standard.
    Common,
    /// Not settled; may change without a new version.
    Experimental,
}

/// How the graphs in the attributes of a version line up with its nodes: their inputs and outputs, and how often they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubgraphKind {
    /// One of `then_branch` and `else_branch` runs, once, as the first input says. It has no inputs.
    Branch,
    /// The graph runs as often as the first input says and as long as the condition holds. It carries values from round to
    /// round, and gives slices.
    Loop,
    /// The graph runs once for each slice of the last `num_scan_inputs` inputs. It carries values from round to round, and
    /// gives slices.
    Scan,
    /// A scan with the lengths of the sequences as its first input, and a batch as the first axis of each other one.
    BatchedScan,
    /// The graph runs once for each element of the first input, which is a sequence.
    Map,
}

/// An attribute of an operator version.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// Its kind.
    pub kind: AttributeKind,
    /// Whether a node must give it.
    pub required: bool,
    /// Its value where a node does not give it.
    pub default: Option<AttributeValue<'static>>,
    /// The values that it, or each element of a list, may take; empty where any will do.
    pub values: &'static [AttributeValue<'static>],
    /// The least value that it, or each element of a list, may have.
    pub min: Option<AttributeValue<'static>>,
    /// The greatest value that it, or each element of a list, may have.
    pub max: Option<AttributeValue<'static>>,
    /// Whether it is left from before ONNX settled: nodes may carry it, and it means nothing.
    pub legacy: bool,
    /// One sentence.
    pub doc: &'static str,
}

impl Attribute {
    /// An optional INT without a name, for tables to say only what is otherwise.
    #[doc(hidden)]
    pub const PLAIN: Self = Self {
        name: "",
        kind: AttributeKind::Int,
        required: false,
        default: None,
        values: &[],
        min: None,
        max: None,
        legacy: false,
        doc: "",
    };

    /// Whether a value, or each element of a list, is among those that the attribute may take and within its bounds. Of
    /// a value of another kind, nothing is said.
    #[must_use]
    pub fn allows(&self, value: AttributeValue<'_>) -> bool {
        match value {
            AttributeValue::Ints(list) => list.iter().all(|value| self.allows_one(AttributeValue::Int(*value))),
            AttributeValue::Floats(list) => list.iter().all(|value| self.allows_one(AttributeValue::Float(*value))),
            AttributeValue::Strings(list) => list.iter().all(|value| self.allows_one(AttributeValue::String(value))),
            value => self.allows_one(value),
        }
    }

    fn allows_one(&self, value: AttributeValue<'_>) -> bool {
        let in_order = |least, greatest| match (least, greatest) {
            (AttributeValue::Int(least), AttributeValue::Int(greatest)) => least <= greatest,
            (AttributeValue::Float(least), AttributeValue::Float(greatest)) => least <= greatest,
            _ => true,
        };
        (self.values.is_empty() || self.values.contains(&value))
            && self.min.is_none_or(|min| in_order(min, value))
            && self.max.is_none_or(|max| in_order(value, max))
    }
}

/// Attributes and inputs of which a node gives one at most. An attribute with a default is given where it has another
/// value.
#[derive(Clone, Copy, Debug)]
pub struct Exclusive {
    /// Their names.
    pub of: &'static [&'static str],
    /// Whether a node must give one of them.
    pub required: bool,
}

/// A formal input or output of an operator version.
#[derive(Clone, Copy, Debug)]
pub struct FormalParameter {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub ty: ParameterType,
    /// How many values it stands for.
    pub option: ParameterOption,
    /// Whether the values of a variadic one share a type.
    pub homogeneous: bool,
    /// The least number of values of a variadic one; 1 for every other.
    pub min_arity: u32,
    /// One sentence.
    pub doc: &'static str,
}

impl FormalParameter {
    /// Whether it stands for any number of values.
    #[must_use]
    pub const fn is_variadic(&self) -> bool {
        matches!(self.option, ParameterOption::Variadic)
    }

    /// A single one without a name, for tables to say only what is otherwise.
    #[doc(hidden)]
    pub const PLAIN: Self = Self {
        name: "",
        ty: ParameterType::Variable(0),
        option: ParameterOption::Single,
        homogeneous: true,
        min_arity: 1,
        doc: "",
    };
}

/// The type of a formal parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterType {
    /// The type variable at this place of [`Schema::types`].
    Variable(usize),
    /// A type that is fixed.
    Fixed(Type),
}

/// How many values a formal parameter stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterOption {
    /// One.
    Single,
    /// One or none.
    Optional,
    /// Any number from its arity on.
    Variadic,
}

/// A type variable of an operator version.
#[derive(Clone, Copy, Debug)]
pub struct TypeConstraint {
    /// Its name: `T`.
    pub name: &'static str,
    /// What it may be bound to.
    pub allow: TypeSet,
    /// One sentence.
    pub doc: &'static str,
}

impl TypeConstraint {
    /// A variable of this name that may be bound to these types.
    #[must_use]
    pub const fn new(name: &'static str, allow: TypeSet, doc: &'static str) -> Self {
        Self { name, allow, doc }
    }
}

/// The least and the most number of values that formal parameters take; `usize::MAX` for no bound.
#[must_use]
pub fn arity(parameters: &[FormalParameter]) -> (usize, usize) {
    let mut least = 0;
    let mut most = parameters.len();
    for (index, parameter) in parameters.iter().enumerate() {
        match parameter.option {
            ParameterOption::Single => least = index + 1,
            ParameterOption::Optional => {}
            ParameterOption::Variadic => {
                most = usize::MAX;
                // What stands before it must be there, if only as an empty name; so too in the reference.
                least = index + parameter.min_arity as usize;
            }
        }
    }
    (least, most)
}
