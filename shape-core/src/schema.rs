//! The facts of an operator version as static tables.

use core::fmt;

use crate::adapter::Action;
use crate::rule::OutputRule;
use crate::runtime::RuntimeRelease;
use crate::signature::{at, counted};

pub use crate::signature::{
    Attribute, Claim, Comparison, Exclusive, FormalParameter, Operand, OperandValue, ParameterOption, ParameterType,
    Part, Requirement, TypeConstraint, arity,
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
    /// The opset that introduced the version.
    pub since_version: u32,
    /// The first release of its runtime that has the version as it is here; `None` if each known one does, or if it is ONNX's.
    pub release: Option<RuntimeRelease>,
    /// The same version as releases before that one have it, oldest first.
    pub earlier: &'static [&'static Self],
    /// The attributes that later releases bring to the version. Its rules and relations may read them, which no node gives
    /// before: they count on behind [`attributes`](Self::attributes), and what counts is the default.
    pub later: &'static [Attribute],
    /// One sentence: what it computes.
    pub summary: &'static str,
    /// A few lines with what the summary leaves out; empty if there is nothing.
    pub details: &'static str,
    /// Whether ONNX deprecates the operator from this version on.
    pub deprecated: bool,
    /// ONNX's support level.
    pub support_level: SupportLevel,
    /// Whether ONNX defines the version as a function of other operators.
    pub has_function: bool,
    /// Whether the reference implementation infers shapes for it.
    pub has_shape_inference: bool,
    /// Whether the same inputs always give the same outputs; not so if they are random, or depend on a subgraph.
    pub deterministic: bool,
    /// Whether a node may have attributes that are not among [`attributes`](Self::attributes). Structs do not have them.
    pub other_attributes: bool,
    /// How a node runs the graphs in its attributes; `None` if it has none, or the descriptor does not say.
    pub subgraphs: Option<SubgraphKind>,
    /// How its meaning differs from the version before it, if the other facts do not show it.
    pub semantics: Option<&'static str>,
    /// What converts a node from and to the version before it, in addition to what the tables of the two say; `None` if the
    /// descriptor decides nothing.
    pub adapter: Option<&'static [Action]>,
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
    /// Relations among dimensions, attributes and elements that a node must meet.
    pub requires: &'static [Requirement],
    /// What decides its outputs: types that do not follow from the inputs, dimensions, and elements.
    pub rules: &'static [OutputRule],
}

impl Schema {
    /// The placeholder for the schema of a struct whose derive has mistakes.
    #[doc(hidden)]
    pub const EMPTY: Self = Self {
        domain: "",
        name: "",
        since_version: 0,
        release: None,
        earlier: &[],
        later: &[],
        summary: "",
        details: "",
        deprecated: false,
        support_level: SupportLevel::Common,
        has_function: false,
        has_shape_inference: false,
        deterministic: true,
        other_attributes: false,
        subgraphs: None,
        semantics: None,
        adapter: None,
        attributes: &[],
        inputs: &[],
        outputs: &[],
        types: &[],
        exclusive: &[],
        requires: &[],
        rules: &[],
    };

    /// The version as each release has it that changes it in place, oldest first; the last one is itself.
    pub fn by_release(&'static self) -> impl DoubleEndedIterator<Item = &'static Self> {
        self.earlier.iter().copied().chain([self])
    }

    /// The attribute that rules and relations name by this index.
    pub(crate) fn counted(&self, index: usize) -> Option<&'static Attribute> {
        counted([self.attributes, self.later], index)
    }

    /// The version as a release has it; `None` if the release does not have it yet. A version of another runtime, or of ONNX,
    /// is the same in each release.
    ///
    /// ```
    /// # #[cfg(feature = "com-microsoft")] {
    /// use shape_core::{Registry, runtime};
    /// let newest = Registry::builtin().resolve("com.microsoft", "GroupQueryAttention", 1).unwrap();
    /// let inputs = |release| newest.in_release(runtime::release(release).unwrap()).unwrap().inputs.len();
    /// assert_eq!((inputs("onnxruntime@1.22.0"), inputs("onnxruntime@1.23.0")), (11, 12));
    /// # }
    /// ```
    #[must_use]
    pub fn in_release(&'static self, release: RuntimeRelease) -> Option<&'static Self> {
        let has = |schema: &&Self| {
            schema.release.is_none_or(|first| first.runtime != release.runtime || first.number <= release.number)
        };
        self.by_release().rfind(has)
    }

    /// The attribute of this name.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&'static Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The formal input at an index; a variadic one covers its index and all later ones.
    #[must_use]
    pub fn input(&self, index: usize) -> Option<&'static FormalParameter> {
        at(self.inputs, index)
    }

    /// The formal output at an index; a variadic one covers its index and all later ones.
    #[must_use]
    pub fn output(&self, index: usize) -> Option<&'static FormalParameter> {
        at(self.outputs, index)
    }
}

/// The version of an operator that an opset introduced.
///
/// # Panics
/// There is no such version. In a `const`, this is a compile error.
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

/// The version of an operator that is in force at an opset, and its index: the latest one that is not newer. `newest` is
/// the newest known opset of its domain.
///
/// # Errors
/// The opset is newer than the newest known one, the operator is unknown, or it is newer than the opset; checked in this
/// order.
pub(crate) fn in_force(
    versions: &[&'static Schema],
    newest: Option<u32>,
    opset: u32,
) -> Result<(usize, &'static Schema), Missing> {
    if let Some(newest) = newest.filter(|newest| opset > *newest) {
        return Err(Missing::OpsetTooNew { newest });
    }
    let first = versions.first().ok_or(Missing::NoDescriptor)?;
    let later = versions.partition_point(|schema| schema.since_version <= opset);
    let index = later.checked_sub(1).ok_or(Missing::OperatorTooNew { since: first.since_version })?;
    versions.get(index).map(|schema| (index, *schema)).ok_or(Missing::NoDescriptor)
}

/// Why no version of an operator is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The opset is newer than the newest known opset of the domain.
    OpsetTooNew {
        /// The newest known opset.
        newest: u32,
    },
    /// A later opset introduced the operator.
    OperatorTooNew {
        /// The opset of the operator's first version.
        since: u32,
    },
    /// A later release of the runtime brought the version.
    ReleaseTooOld {
        /// The first release that has it.
        first: RuntimeRelease,
    },
    /// The registry does not have the operator in the domain.
    NoDescriptor,
}

impl fmt::Display for Missing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OpsetTooNew { newest } => {
                write!(formatter, "the opset is unknown; the newest known one of the domain is {newest}")
            }
            Self::OperatorTooNew { since } => write!(formatter, "the operator came with opset {since}"),
            Self::ReleaseTooOld { first } => write!(formatter, "the operator came with {first}"),
            Self::NoDescriptor => formatter.write_str("the operator has no descriptor"),
        }
    }
}

impl core::error::Error for Missing {}

/// How far ONNX supports an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SupportLevel {
    /// Part of the standard.
    Common,
    /// Not settled; may change without a new version.
    Experimental,
}

/// How a node runs the graphs in its attributes: what their inputs and outputs are, and how often they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubgraphKind {
    /// One of `then_branch` and `else_branch` runs, once, as the first input says. It has no inputs.
    Branch,
    /// The graph runs at most as often as the first input says, while the condition holds. It carries values from iteration
    /// to iteration, and outputs slices.
    Loop,
    /// The graph runs once for each slice of the last `num_scan_inputs` inputs. It carries values from iteration to
    /// iteration, and outputs slices.
    Scan,
    /// A scan whose first input is the lengths of the sequences, and whose other inputs have a batch as their first axis.
    BatchedScan,
    /// The graph runs once for each element of the first input, which is a sequence.
    Map,
}
