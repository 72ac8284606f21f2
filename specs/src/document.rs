//! The descriptor language: the types that a descriptor file is read into, field by field.
//!
//! A [`Document`] is one operator. Its versions are deltas: each says what it changes of the one before it, and
//! [`crate::resolve()`] makes full versions of them. Everything that a message can be about is [`Spanned`].

use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::de::{DIMS, LITERAL, Spanned};

/// The summary of a descriptor for which nobody has found words yet.
pub const UNSAID: &str = "Not said yet.";

/// One descriptor file.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// The operator's name, as in `NodeProto.op_type`; the file is called the same.
    pub operator: Spanned<String>,
    /// Its domain; the folder is called the same. The default domain is written `ai.onnx`.
    pub domain: Spanned<String>,
    /// One sentence: what the operator gives.
    pub summary: Spanned<String>,
    /// What the summary leaves out: a formula, an algorithm, edge cases; a few lines of plain text.
    pub details: Option<Spanned<String>>,
    /// The documents that the facts were read from.
    #[serde(default)]
    pub sources: Vec<Source>,
    /// The versions, oldest first.
    pub versions: Spanned<Vec<Spanned<VersionDelta>>>,
    /// Where the documents contradict each other or themselves, and what holds here.
    #[serde(default)]
    pub errata: Vec<Erratum>,
    /// Nodes, and what each must give. They stand last in the file, since what only wants the facts does not read them.
    #[serde(default)]
    pub examples: Vec<Spanned<ExampleEntry>>,
}

/// A document that facts were read from.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The short name that versions, examples and errata refer to.
    pub id: Spanned<String>,
    /// What it is.
    pub title: String,
}

/// What a version says that the one before it did not.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct VersionDelta {
    /// The opset that the version came with (`since_version`).
    pub since: Spanned<u32>,
    /// Whether it keeps nothing of the version before it.
    #[serde(default, rename = "afresh")]
    pub reset: Option<Spanned<bool>>,
    /// The ids of the documents that this version's facts were read from.
    #[serde(default)]
    pub sources: Vec<Spanned<String>>,
    /// A new sentence in place of the operator's `summary`.
    pub summary: Option<Spanned<String>>,
    /// A new text in place of the operator's `details`.
    pub details: Option<Spanned<String>>,
    /// Whether ONNX deprecates the operator from this version on.
    pub deprecated: Option<bool>,
    /// Whether ONNX defines the version as a function of other operators.
    pub function: Option<bool>,
    /// ONNX's support level.
    pub support_level: Option<SupportLevel>,
    /// Whether the reference implementation infers shapes for it.
    pub shape_inference: Option<bool>,
    /// Whether the same inputs give the same outputs; where nothing is said, they do.
    pub deterministic: Option<bool>,
    /// How the graphs in its attributes line up with its nodes.
    pub subgraphs: Option<SubgraphKind>,
    /// What it means otherwise than the version before it, where the facts do not show that.
    pub semantics: Option<Spanned<String>>,
    /// The hand-written conversion of the core from and to the version before it.
    pub adapter: Option<Spanned<String>>,
    /// What is gone.
    #[serde(default)]
    pub remove: Option<Remove>,
    /// New and changed attributes.
    #[serde(default)]
    pub attributes: Vec<Spanned<AttributeEntry>>,
    /// New and changed inputs.
    #[serde(default)]
    pub inputs: Vec<Spanned<ParameterEntry>>,
    /// New and changed outputs.
    #[serde(default)]
    pub outputs: Vec<Spanned<ParameterEntry>>,
    /// New and changed type constraints.
    #[serde(default)]
    pub types: Vec<Spanned<TypeEntry>>,
    /// Attributes and inputs that exclude each other: all that hold from here on, in place of those before.
    pub exclusive: Option<Vec<Spanned<ExclusiveEntry>>>,
    /// What decides the outputs: their types where the inputs leave them open, and their dimensions.
    #[serde(default)]
    pub rules: Vec<Spanned<RuleEntry>>,
}

impl VersionDelta {
    /// A version that says nothing but when it came.
    #[must_use]
    pub fn of(since: Spanned<u32>) -> Self {
        Self {
            since,
            reset: None,
            sources: Vec::new(),
            summary: None,
            details: None,
            deprecated: None,
            function: None,
            support_level: None,
            shape_inference: None,
            deterministic: None,
            subgraphs: None,
            semantics: None,
            adapter: None,
            remove: None,
            attributes: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            types: Vec::new(),
            exclusive: None,
            rules: Vec::new(),
        }
    }
}

/// What a version takes away from the one before it, by name.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Remove {
    /// Attributes.
    pub attributes: Vec<Spanned<String>>,
    /// Inputs.
    pub inputs: Vec<Spanned<String>>,
    /// Outputs.
    pub outputs: Vec<Spanned<String>>,
    /// Type constraints.
    pub types: Vec<Spanned<String>>,
    /// Rules, by their outputs.
    pub rules: Vec<Spanned<String>>,
}

/// How far ONNX supports an operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SupportLevel {
    /// Part of the standard.
    #[default]
    Common,
    /// Not settled; may change without a new version.
    Experimental,
}

impl SupportLevel {
    /// The word in a descriptor: `common` or `experimental`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Common => "common",
            Self::Experimental => "experimental",
        }
    }
}

/// How the graphs in the attributes of a version line up with its nodes: their inputs and outputs, and how often they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
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

impl SubgraphKind {
    /// The word in a descriptor, such as `loop`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Branch => "branch",
            Self::Loop => "loop",
            Self::Scan => "scan",
            Self::BatchedScan => "batched_scan",
            Self::Map => "map",
        }
    }
}

/// An attribute as it stands in a descriptor. It is required unless it has a default or is called optional.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AttributeEntry {
    /// Its name.
    pub name: Spanned<String>,
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: Spanned<AttributeKind>,
    /// Whether it may be absent without having a default.
    #[serde(default)]
    pub optional: Option<Spanned<bool>>,
    /// Its value where a node does not give it.
    pub default: Option<Spanned<Literal>>,
    /// The values that it may take, where they are few; of a list, those that its elements may take.
    #[serde(default)]
    pub values: Vec<Spanned<Literal>>,
    /// The least value that it may have; of a list, the least of each element.
    pub min: Option<Spanned<Literal>>,
    /// The greatest value that it may have; of a list, the greatest of each element.
    pub max: Option<Spanned<Literal>>,
    /// Whether it is left from before ONNX settled: nodes may carry it, and it means nothing.
    #[serde(default)]
    pub legacy: bool,
    /// One sentence about what it means.
    #[serde(default)]
    pub doc: String,
}

/// The kind of an attribute, as `AttributeProto.AttributeType` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "the names are ONNX's own and say all there is")]
pub enum AttributeKind {
    Float,
    Int,
    String,
    Tensor,
    Graph,
    SparseTensor,
    TypeProto,
    Floats,
    Ints,
    Strings,
    Tensors,
    Graphs,
    SparseTensors,
    TypeProtos,
}

impl AttributeKind {
    /// The kind of the elements of a list; of everything else, its own.
    #[must_use]
    pub fn element(self) -> Self {
        match self {
            Self::Floats => Self::Float,
            Self::Ints => Self::Int,
            Self::Strings => Self::String,
            other => other,
        }
    }

    /// ONNX's name of the kind: `INTS`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Float => "FLOAT",
            Self::Int => "INT",
            Self::String => "STRING",
            Self::Tensor => "TENSOR",
            Self::Graph => "GRAPH",
            Self::SparseTensor => "SPARSE_TENSOR",
            Self::TypeProto => "TYPE_PROTO",
            Self::Floats => "FLOATS",
            Self::Ints => "INTS",
            Self::Strings => "STRINGS",
            Self::Tensors => "TENSORS",
            Self::Graphs => "GRAPHS",
            Self::SparseTensors => "SPARSE_TENSORS",
            Self::TypeProtos => "TYPE_PROTOS",
        }
    }
}

/// A value of an attribute or an element of an example, as it stands in a descriptor.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `true` or `false`: an element of a bool tensor, never an attribute.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number past the signed range: an element of a uint64 tensor.
    Unsigned(u64),
    /// A number with a point or an exponent.
    Float(f64),
    /// Text.
    Text(String),
    /// Several of the above, of one kind.
    List(Vec<Literal>),
}

impl<'de> Deserialize<'de> for Literal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyLiteral;

        impl<'de> Visitor<'de> for AnyLiteral {
            type Value = Literal;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(LITERAL)
            }

            fn visit_bool<E>(self, value: bool) -> Result<Literal, E> {
                Ok(Literal::Bool(value))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Literal, E> {
                Ok(Literal::Int(value))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Literal, E> {
                Ok(i64::try_from(value).map_or(Literal::Unsigned(value), Literal::Int))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Literal, E> {
                Ok(Literal::Float(value))
            }

            fn visit_str<E>(self, value: &str) -> Result<Literal, E> {
                Ok(Literal::Text(value.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Literal, A::Error> {
                let mut list = Vec::new();
                while let Some(element) = access.next_element()? {
                    list.push(element);
                }
                Ok(Literal::List(list))
            }
        }

        deserializer.deserialize_any(AnyLiteral)
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(formatter, "{value}"),
            Self::Int(value) => write!(formatter, "{value}"),
            Self::Unsigned(value) => write!(formatter, "{value}"),
            Self::Float(value) => write!(formatter, "{value:?}"),
            Self::Text(value) => write!(formatter, "{value:?}"),
            Self::List(list) => {
                formatter.write_str("[")?;
                for (index, element) in list.iter().enumerate() {
                    write!(formatter, "{}{element}", if index == 0 { "" } else { ", " })?;
                }
                formatter.write_str("]")
            }
        }
    }
}

/// An input or output as it stands in a descriptor.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ParameterEntry {
    /// Its name.
    pub name: Spanned<String>,
    /// A type variable of the version, or a type such as `tensor(int64)`.
    #[serde(rename = "type")]
    pub ty: Spanned<String>,
    /// Whether it may be absent, or stand for several.
    #[serde(default)]
    pub option: Spanned<ParameterOption>,
    /// Whether the values that a variadic one stands for are all of one type. Left out, they are.
    pub homogeneous: Option<bool>,
    /// The least number of values of a variadic one. Left out, one.
    pub min_arity: Option<u32>,
    /// One sentence about what it holds.
    #[serde(default)]
    pub doc: String,
}

/// How many values a formal parameter stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ParameterOption {
    /// One.
    #[default]
    Single,
    /// One or none.
    Optional,
    /// Any number from its arity on; only the last parameter can be so.
    Variadic,
}

impl ParameterOption {
    /// The word in a descriptor: `single`, `optional` or `variadic`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Optional => "optional",
            Self::Variadic => "variadic",
        }
    }
}

impl Default for Spanned<ParameterOption> {
    fn default() -> Self {
        Self { value: ParameterOption::Single, at: 0 }
    }
}

/// A type constraint as it stands in a descriptor: the whole list, or what changes of it.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TypeEntry {
    /// The type variable.
    pub name: Spanned<String>,
    /// The whole list: element types (`float16`, for a tensor of it), groups of `types.yaml`, or types such as
    /// `seq(tensor(float))`.
    pub allow: Option<Spanned<Vec<Spanned<String>>>>,
    /// What the version before it did not allow.
    #[serde(default)]
    pub add: Vec<Spanned<String>>,
    /// What the version before it allowed.
    #[serde(default)]
    pub remove: Vec<Spanned<String>>,
    /// Whether ONNX declares it and no input or output has it.
    #[serde(default)]
    pub unused: bool,
    /// One sentence about it.
    #[serde(default)]
    pub doc: String,
}

/// Attributes and inputs of which a node gives one at most.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExclusiveEntry {
    /// Their names: two or more. An attribute with a default is given where it has another value.
    pub of: Vec<Spanned<String>>,
    /// Whether a node must give one of them.
    #[serde(default)]
    pub required: bool,
}

/// What decides an output. What an entry leaves out of the output's rule in the version before, it keeps.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RuleEntry {
    /// The output.
    pub output: Spanned<String>,
    /// Where its type comes from; the first that says something decides. An attribute, an input, a type, or a form of
    /// one: `dtype`, `seq(dtype)`, `body[1..]`, `tensor(int64) if value_int`.
    #[serde(rename = "type", default)]
    pub ty: Vec<Spanned<String>>,
    /// What gives its dimensions. A rule of `rules.yaml`, or one of one's own crate by its path, called with
    /// attributes, inputs and numbers: `reduce(data, axes, keepdims)`; what `_` stands for is left out. Or the
    /// dimensions one by one: `[X[0], 2*X[1], ...X[2:]]`.
    pub dims: Option<Spanned<String>>,
    /// The rule of its elements, where it has one besides, called in the same way: `add(A, B)`.
    pub elements: Option<Spanned<String>>,
}

/// An example: a node, and what it must give.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExampleEntry {
    /// Its name, unique in the file.
    pub name: Spanned<String>,
    /// The first version that it holds for; left out, the operator's first one.
    pub since: Option<Spanned<u32>>,
    /// The version from which on it holds no longer.
    pub until: Option<Spanned<u32>>,
    /// The id of the document that it was read from.
    pub source: Option<Spanned<String>>,
    /// The inputs in their order; `~` for one that the node does not give.
    #[serde(default)]
    pub inputs: Vec<Option<Spanned<TensorEntry>>>,
    /// The attributes that the node gives.
    #[serde(default)]
    pub attributes: Vec<Spanned<ArgumentEntry>>,
    /// The outputs in their order; `~` for one that the node does not give.
    pub outputs: Option<Spanned<Vec<Option<Spanned<TensorEntry>>>>>,
    /// The code of the finding that it must give instead of outputs.
    pub error: Option<Spanned<String>>,
}

/// A value of an example. With `values` and no `dims` it is 1-D and as long as they are; with `values` alone it is of
/// int64.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TensorEntry {
    /// An element type, for a tensor of it, or a type such as `seq(tensor(float))`. Left out, int64.
    #[serde(rename = "type")]
    pub ty: Option<Spanned<String>>,
    /// Its dimensions, of a sequence those that its tensors share: sizes, symbols (`N`), expressions (`"H//2"`), `"?"`
    /// for an unknown one; `"?"` in place of the list for an unknown rank.
    pub dims: Option<Spanned<DimsEntry>>,
    /// Its elements in row-major order, where they matter; of integers also expressions.
    pub values: Option<Spanned<Vec<Spanned<Literal>>>>,
    /// Of an output of which no rule gives anything but the type: why.
    pub unchecked: Option<Spanned<String>>,
}

/// The dimensions of a value of an example.
#[derive(Clone, Debug)]
pub enum DimsEntry {
    /// `"?"`: not even how many there are.
    Unknown,
    /// Each of them.
    Listed(Vec<Spanned<Literal>>),
}

impl<'de> Deserialize<'de> for DimsEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Dims;

        impl<'de> Visitor<'de> for Dims {
            type Value = DimsEntry;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(DIMS)
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<DimsEntry, E> {
                match text {
                    "?" => Ok(DimsEntry::Unknown),
                    other => Err(E::invalid_value(serde::de::Unexpected::Str(other), &self)),
                }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<DimsEntry, A::Error> {
                let mut list = Vec::new();
                while let Some(dim) = access.next_element()? {
                    list.push(dim);
                }
                Ok(DimsEntry::Listed(list))
            }
        }

        deserializer.deserialize_any(Dims)
    }
}

/// An attribute that a node gives: one of `value`, `tensor`, `graph` and `type`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ArgumentEntry {
    /// The attribute's name.
    pub name: Spanned<String>,
    /// A number, a text, or a list of them.
    pub value: Option<Spanned<Literal>>,
    /// A tensor, with its elements.
    pub tensor: Option<Spanned<TensorEntry>>,
    /// A graph, of which only its inputs and outputs matter.
    pub graph: Option<Spanned<GraphEntry>>,
    /// A type.
    #[serde(rename = "type")]
    pub ty: Option<Spanned<String>>,
}

/// A graph that an attribute is, as far as the node sees it.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GraphEntry {
    /// What it is given.
    #[serde(default)]
    pub inputs: Vec<Spanned<TensorEntry>>,
    /// What it gives.
    #[serde(default)]
    pub outputs: Vec<Spanned<TensorEntry>>,
}

/// Something that the documents contradict or leave open, and what holds here.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// The versions that it is about.
    pub versions: Vec<Spanned<u32>>,
    /// The documents that it is about.
    pub sources: Vec<Spanned<String>>,
    /// What they say.
    pub says: String,
    /// What holds here, and why.
    pub ruling: Spanned<String>,
    /// Examples that show it.
    #[serde(default)]
    pub examples: Vec<Spanned<String>>,
}
