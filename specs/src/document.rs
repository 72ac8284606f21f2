//! The descriptor language: the types that serde reads descriptor files into.
//!
//! A [`Document`] is one operator. Its versions are deltas: each lists the changes from the previous version, and
//! [`crate::resolve()`] turns them into full versions. Everything that an error can refer to is [`Spanned`].

use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use shape_yaml::NodeId;

use crate::de::{DIMS, LITERAL, Spanned, TEXTS};

/// The summary of a descriptor that nobody has documented yet.
pub const UNSAID: &str = "Not said yet.";

/// One descriptor file.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// The operator's name, as in `NodeProto.op_type`; also the name of the file.
    pub operator: Spanned<String>,
    /// Its domain, which is also the name of the folder. The default domain is written `ai.onnx`.
    pub domain: Spanned<String>,
    /// The runtime that registers the operator on its own, where its domain is one of ONNX; or the one whose releases its
    /// versions name.
    pub runtime: Option<Spanned<String>>,
    /// One sentence: what the operator computes.
    pub summary: Spanned<String>,
    /// Details that the summary leaves out: a formula, an algorithm, edge cases; a few lines of plain text.
    pub details: Option<Spanned<String>>,
    /// The documents that the facts were read from.
    #[serde(default)]
    pub sources: Vec<Source>,
    /// The versions, oldest first.
    pub versions: Spanned<Vec<Spanned<VersionDelta>>>,
    /// Contradictions in or between the documents, and how they are resolved here.
    #[serde(default)]
    pub errata: Vec<Erratum>,
    /// Example nodes and their expected results. They come last in the file, so that a reader of the facts can stop
    /// before them.
    #[serde(default)]
    pub examples: Vec<Spanned<ExampleEntry>>,
}

/// A document that is the source of facts.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The short name that versions, examples and errata refer to.
    pub id: Spanned<String>,
    /// Its title.
    pub title: String,
}

/// The changes of a version from the previous one.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct VersionDelta {
    /// The opset that introduced the version (`since_version`).
    pub since: Spanned<u32>,
    /// The first release of the runtime that has the version as it stands here. With the `since` of the entry before it, what
    /// that release changes of the version in place.
    pub release: Option<Spanned<String>>,
    /// Whether it starts from scratch instead of from the previous version.
    #[serde(default, rename = "afresh")]
    pub reset: Option<Spanned<bool>>,
    /// The ids of the documents that this version's facts were read from.
    #[serde(default)]
    pub sources: Vec<Spanned<String>>,
    /// A new summary, which replaces the operator's `summary`.
    pub summary: Option<Spanned<String>>,
    /// New details, which replace the operator's `details`.
    pub details: Option<Spanned<String>>,
    /// Whether ONNX deprecates the operator from this version on.
    pub deprecated: Option<bool>,
    /// Whether ONNX defines the version as a function of other operators.
    pub function: Option<bool>,
    /// ONNX's support level.
    pub support_level: Option<SupportLevel>,
    /// Whether the reference implementation infers shapes for it.
    pub shape_inference: Option<bool>,
    /// Whether the same inputs always produce the same outputs. Default: they do.
    pub deterministic: Option<bool>,
    /// Whether a node may have attributes that are not listed here.
    pub other_attributes: Option<bool>,
    /// How the graphs in its attributes correspond to its nodes.
    pub subgraphs: Option<SubgraphKind>,
    /// How its meaning differs from that of the previous version, if the facts do not show it.
    pub semantics: Option<Spanned<String>>,
    /// What converts nodes from and to the previous version, in addition to what the facts say; an empty list if the
    /// facts say all.
    pub adapter: Option<Spanned<Vec<Spanned<ActionEntry>>>>,
    /// What this version removes.
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
    /// Attributes and inputs that exclude each other; replaces those of the previous version.
    pub exclusive: Option<Vec<Spanned<ExclusiveEntry>>>,
    /// Relations among dimensions, attributes and elements that a node must meet; replaces those of the previous version.
    pub requires: Option<Vec<Spanned<RequirementEntry>>>,
    /// The rules for the outputs: for their types, if the inputs leave them open, and for their dimensions.
    #[serde(default)]
    pub rules: Vec<Spanned<RuleEntry>>,
}

impl VersionDelta {
    /// A version without any changes.
    #[must_use]
    pub fn of(since: Spanned<u32>) -> Self {
        Self {
            since,
            release: None,
            reset: None,
            sources: Vec::new(),
            summary: None,
            details: None,
            deprecated: None,
            function: None,
            support_level: None,
            shape_inference: None,
            deterministic: None,
            other_attributes: None,
            subgraphs: None,
            semantics: None,
            adapter: None,
            remove: None,
            attributes: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            types: Vec::new(),
            exclusive: None,
            requires: None,
            rules: Vec::new(),
        }
    }
}

/// One action of an adapter: one of `move`, `rename`, `respell`, `assume`, `front`, `drop`, `through`, `keep`,
/// `refuse`, `up` and `down`, with the fields that belong to it.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ActionEntry {
    /// An attribute of one version that is an input of the other.
    pub r#move: Option<Spanned<String>>,
    /// With `move`: the input, if it has another name.
    pub input: Option<Spanned<String>>,
    /// With `move`: whether the constant of a single number is 1-D.
    pub one: Option<bool>,
    /// With `move`: what an absent input stands for, if it is not what an absent attribute stands for.
    pub absent: Option<Spanned<Literal>>,
    /// An attribute, input or output by its name in the older version.
    pub rename: Option<Spanned<String>>,
    /// With `rename`: its name in the newer version.
    pub to: Option<Spanned<String>>,
    /// An attribute of which a value is written otherwise in the older version.
    pub respell: Option<Spanned<String>>,
    /// With `respell`: the value in the older version.
    pub old: Option<Spanned<Literal>>,
    /// With `respell`: the value in the newer version.
    pub new: Option<Spanned<Literal>>,
    /// An attribute or input without which a version does what the other one does with a value.
    pub assume: Option<Spanned<String>>,
    /// With `assume`: the value.
    pub value: Option<Spanned<Literal>>,
    /// With `assume`: the value as it is computed from the node, `outputs()`.
    pub formula: Option<Spanned<String>>,
    /// An attribute or input with axes, which may be negative in the newer version alone.
    pub front: Option<Spanned<String>>,
    /// With `front`: the input or output whose axes they are.
    pub of: Option<Spanned<String>>,
    /// Attributes and inputs that mean nothing where the condition holds.
    pub drop: Vec<Spanned<String>>,
    /// A node that each value of an input or output goes through: `X = Squeeze<axes = [0]>(X)`.
    pub through: Option<Spanned<String>>,
    /// The direction in which the node means the same where the condition holds; no later action is looked at.
    pub keep: Option<Spanned<Direction>>,
    /// The direction in which the node cannot be converted where the condition holds.
    pub refuse: Option<Spanned<Direction>>,
    /// With `refuse`: the reason, in a sentence.
    pub why: Option<Spanned<String>>,
    /// The nodes that take the place of the node on the way to the newer version.
    pub up: Vec<Spanned<String>>,
    /// The nodes that take the place of the node on the way to the older version.
    pub down: Vec<Spanned<String>>,
    /// The direction of any other action. Default: both.
    pub way: Option<Spanned<Direction>>,
    /// A condition: `axis == rank(input) - 1`. The action is done only where it is known to hold.
    pub when: Option<Spanned<String>>,
    /// A condition: `same(A, B)`. The action is not done where it is known to hold.
    pub unless: Option<Spanned<String>>,
}

/// The direction of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// To the newer version.
    Up,
    /// To the older version.
    Down,
    /// To either.
    Both,
}

/// What a version removes from the previous one, by name.
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

/// ONNX's support level of an operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SupportLevel {
    /// Part of the standard.
    #[default]
    Common,
    /// May change without a new version.
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

/// How the graphs in the attributes of a version correspond to its nodes: their inputs and outputs, and how often they
/// run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SubgraphKind {
    /// One of `then_branch` and `else_branch` runs, once; the first input selects it. It has no inputs.
    Branch,
    /// The graph runs as often as the first input says, and as long as the condition holds. It carries values from
    /// round to round, and produces slices of outputs.
    Loop,
    /// The graph runs once for each slice of the last `num_scan_inputs` inputs. It carries values from round to round,
    /// and produces slices of outputs.
    Scan,
    /// A scan whose first input has the lengths of the sequences; the first axis of each other input is a batch.
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

/// An attribute in a descriptor. It is required unless it has a default or is marked optional.
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
    /// Its value if a node does not set it.
    pub default: Option<Spanned<Literal>>,
    /// The allowed values, if they are few; for a list, the allowed values of its elements.
    #[serde(default)]
    pub values: Vec<Spanned<Literal>>,
    /// The minimum; for a list, that of each element.
    pub min: Option<Spanned<Literal>>,
    /// The maximum; for a list, that of each element.
    pub max: Option<Spanned<Literal>>,
    /// Whether it is left over from early versions of ONNX: nodes may have it, but it has no meaning.
    #[serde(default)]
    pub legacy: bool,
    /// Its meaning, in one sentence.
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
    /// The kind of the elements of a list; any other kind itself.
    #[must_use]
    pub fn element(self) -> Self {
        match self {
            Self::Floats => Self::Float,
            Self::Ints => Self::Int,
            Self::Strings => Self::String,
            other => other,
        }
    }

    /// Whether it is a list of numbers or strings.
    #[must_use]
    pub fn is_list(self) -> bool {
        self.element() != self
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

/// A value of an attribute, or an element of an example, in a descriptor.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `true` or `false`: an element of a bool tensor, never an attribute.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer above the signed range: an element of a uint64 tensor.
    Unsigned(u64),
    /// A number with a decimal point or an exponent.
    Float(f64),
    /// A string.
    Text(String),
    /// A list of the above, all of one kind.
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

/// An input or output in a descriptor.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ParameterEntry {
    /// Its name.
    pub name: Spanned<String>,
    /// A type variable of the version, or a type such as `tensor(int64)`.
    #[serde(rename = "type")]
    pub ty: Spanned<String>,
    /// Whether it may be absent, or represents several values.
    #[serde(default)]
    pub option: Spanned<ParameterOption>,
    /// Whether all values of a variadic parameter have the same type. Default: they do.
    pub homogeneous: Option<bool>,
    /// The minimum number of values of a variadic parameter. Default: one.
    pub min_arity: Option<u32>,
    /// What it contains, in one sentence.
    #[serde(default)]
    pub doc: String,
}

/// How many values a formal parameter represents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ParameterOption {
    /// One.
    #[default]
    Single,
    /// One or none.
    Optional,
    /// Any number from its minimum arity on; only the last parameter can be variadic.
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

/// A type constraint in a descriptor: the whole list, or its changes.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TypeEntry {
    /// The type variable.
    pub name: Spanned<String>,
    /// The whole list: element types (`float16`, for a tensor of it), groups of `types.yaml`, or types such as
    /// `seq(tensor(float))`.
    pub allow: Option<Spanned<Vec<Spanned<String>>>>,
    /// Types that the previous version did not allow.
    #[serde(default)]
    pub add: Vec<Spanned<String>>,
    /// Types that the previous version allowed.
    #[serde(default)]
    pub remove: Vec<Spanned<String>>,
    /// Whether ONNX declares it although no input or output uses it.
    #[serde(default)]
    pub unused: bool,
    /// Its meaning, in one sentence.
    #[serde(default)]
    pub doc: String,
}

/// Attributes and inputs of which a node has at most one.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExclusiveEntry {
    /// Their names: two or more. An attribute with a default counts as present if it has another value.
    pub of: Vec<Spanned<String>>,
    /// Whether a node must have one of them.
    #[serde(default)]
    pub required: bool,
}

/// A relation that a node must meet.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RequirementEntry {
    /// The relation: `X[1] % group == 0`, `-rank(X) <= axis < rank(X)`, `mode is not linear or rank(X) == 4`. What names an
    /// absent attribute or input, or a number that is not known, refuses nothing.
    pub that: Spanned<String>,
    /// The nodes of which it is not asked, as a relation: several entries share it by an anchor, `&name`, and aliases, `*name`.
    pub unless: Option<Spanned<String>>,
    /// The code of the finding for a node that does not meet it.
    pub code: Spanned<String>,
    /// What is wrong with such a node, in a sentence without an end mark.
    pub doc: Spanned<String>,
}

/// The rules for an output. Entries that are left out are kept from the previous version.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RuleEntry {
    /// The output.
    pub output: Spanned<String>,
    /// The sources of its type; the first one that determines a type is used. An attribute, an input, a type, or a form
    /// of one: `dtype`, `seq(dtype)`, `body[1..]`, `tensor(int64) if value_int`.
    #[serde(rename = "type", default)]
    pub ty: Vec<Spanned<String>>,
    /// The rule for its dimensions. A rule of `rules.yaml`, or a function of one's own crate by its path, called with
    /// attributes, inputs and numbers: `reduce(data, axes, keepdims)`; `_` leaves an argument out. Or the dimensions
    /// one by one: `[X[0], 2*X[1], ...X[2:]]`. Or a list of these, each but the last with a condition, of which the first
    /// one that holds decides: `same(X) if rank(X) == 3`.
    pub dims: Option<Spanned<DimsTexts>>,
    /// The rule for its elements, if there is one, called in the same way: `add(A, B)`.
    pub elements: Option<Spanned<String>>,
    /// How many multiply-adds it takes in all, where no rule says it: `size(A)*N`. Or a list of these, each but the last with
    /// a condition, of which the first one that holds decides: `2*size(query)*total if given(key)`.
    pub multiply_adds: Option<Spanned<DimsTexts>>,
}

/// An example: a node, and its expected result.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExampleEntry {
    /// Its name, unique in the file.
    pub name: Spanned<String>,
    /// The first version that it applies to. Default: the operator's first version.
    pub since: Option<Spanned<u32>>,
    /// The first version that it no longer applies to.
    pub until: Option<Spanned<u32>>,
    /// The first release of the runtime that it applies to. Default: all of them.
    pub release: Option<Spanned<String>>,
    /// The id of the document that it comes from.
    pub source: Option<Spanned<String>>,
    /// The inputs in order; `~` for one that is left out.
    #[serde(default)]
    pub inputs: Vec<Option<Spanned<TensorEntry>>>,
    /// The attributes of the node.
    #[serde(default)]
    pub attributes: Vec<Spanned<ArgumentEntry>>,
    /// The outputs in order; `~` for one that is left out.
    pub outputs: Option<Spanned<Vec<Option<Spanned<TensorEntry>>>>>,
    /// The code of the expected finding, instead of outputs.
    pub error: Option<Spanned<String>>,
}

/// A value of an example. With `values` and without `dims` it is 1-D with as many elements as there are values; with
/// `values` alone its type is int64.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TensorEntry {
    /// An element type, for a tensor of it, or a type such as `seq(tensor(float))`. Default: int64.
    #[serde(rename = "type")]
    pub ty: Option<Spanned<String>>,
    /// Its dimensions; for a sequence, those that its tensors share: sizes, symbols (`N`), expressions (`"H//2"`), or
    /// `"?"` for an unknown one; `"?"` instead of the list for an unknown rank.
    pub dims: Option<Spanned<DimsEntry>>,
    /// Its elements in row-major order, if they matter; integers may also be expressions.
    pub values: Option<Spanned<Vec<Spanned<Literal>>>>,
    /// For an output for which no rule computes more than the type: the reason.
    pub unchecked: Option<Spanned<String>>,
}

/// The dimensions of a value of an example.
#[derive(Clone, Debug)]
pub enum DimsEntry {
    /// `"?"`: the rank is unknown.
    Unknown,
    /// The dimensions.
    Listed(Vec<Spanned<Literal>>),
}

/// The rule for dimensions, or an amount: one, or several with conditions.
#[derive(Clone, Debug)]
pub enum DimsTexts {
    /// One that always holds.
    One(String),
    /// The alternatives, in the order in which they are tried.
    Alternatives(Vec<Spanned<String>>),
}

impl Spanned<DimsTexts> {
    /// The texts, each with its place.
    pub(crate) fn texts(&self) -> Vec<(&str, NodeId)> {
        match &self.value {
            DimsTexts::One(text) => vec![(text, self.at)],
            DimsTexts::Alternatives(texts) => texts.iter().map(|text| (&*text.value, text.at)).collect(),
        }
    }
}

impl<'de> Deserialize<'de> for DimsTexts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Texts;

        impl<'de> Visitor<'de> for Texts {
            type Value = DimsTexts;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(TEXTS)
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<DimsTexts, E> {
                Ok(DimsTexts::One(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<DimsTexts, A::Error> {
                let mut texts = Vec::new();
                while let Some(text) = access.next_element()? {
                    texts.push(text);
                }
                Ok(DimsTexts::Alternatives(texts))
            }
        }

        deserializer.deserialize_any(Texts)
    }
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

/// An attribute of a node: one of `value`, `tensor`, `graph` and `type`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ArgumentEntry {
    /// The attribute's name.
    pub name: Spanned<String>,
    /// A number, a string, or a list of them.
    pub value: Option<Spanned<Literal>>,
    /// A tensor, with its elements.
    pub tensor: Option<Spanned<TensorEntry>>,
    /// A graph; only its inputs and outputs matter.
    pub graph: Option<Spanned<GraphEntry>>,
    /// A type.
    #[serde(rename = "type")]
    pub ty: Option<Spanned<String>>,
}

/// The inputs and outputs of a graph in an attribute.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GraphEntry {
    /// Its inputs.
    #[serde(default)]
    pub inputs: Vec<Spanned<TensorEntry>>,
    /// Its outputs.
    #[serde(default)]
    pub outputs: Vec<Spanned<TensorEntry>>,
}

/// A contradiction or a gap in the documents, and how it is resolved here.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// The affected versions.
    pub versions: Vec<Spanned<u32>>,
    /// The documents.
    pub sources: Vec<Spanned<String>>,
    /// What they say.
    pub says: String,
    /// The resolution, and its reason.
    pub ruling: Spanned<String>,
    /// Examples that show it.
    #[serde(default)]
    pub examples: Vec<Spanned<String>>,
}
