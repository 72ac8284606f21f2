//! The facts of an operator version as static tables.

use crate::rule::OutputRule;
use crate::signature::at;

pub use crate::signature::{
    Attribute, Exclusive, FormalParameter, ParameterOption, ParameterType, TypeConstraint, arity,
};

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

/// What a conversion does between a version and the one before it beside what the tables of the two say. A descriptor
/// names it, at the newer of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adapter {
    /// Each attribute that became an input of its name becomes a constant, and such a constant the attribute again. What
    /// the attribute left out means, the input left out must mean too.
    AttributeToInput,
}

impl Adapter {
    /// Its name in descriptors.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AttributeToInput => "attribute_to_input",
        }
    }

    /// The adapter that a descriptor names.
    ///
    /// ```
    /// use shape_core::schema::Adapter;
    /// assert_eq!(Adapter::by_name("attribute_to_input"), Some(Adapter::AttributeToInput));
    /// assert_eq!(Adapter::by_name("input_to_attribute"), None);
    /// ```
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        [Self::AttributeToInput].into_iter().find(|adapter| adapter.name() == name)
    }
}
