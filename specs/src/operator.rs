//! Resolved operators: every version in full, without deltas.

use std::collections::HashSet;
use std::fmt::{self, Write as _};

use shape_yaml::Position;

use crate::adapter::Action;
use crate::document::{AttributeKind, Literal, ParameterOption, SubgraphKind, SupportLevel};
use crate::names::is_of_onnx;
use crate::relation::{Claim, Relation};
use crate::rules::OutputRule;
use crate::tables::{ReleaseNumber, Type};
use crate::terms::Expression;

/// An operator with all its versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Operator {
    /// The file that it was read from, by the name that was passed to the reader.
    pub file: String,
    /// Its name.
    pub name: String,
    /// Its domain, `ai.onnx` for the default one.
    pub domain: String,
    /// The runtime that registers it on its own, where its domain is one of ONNX; or the one whose releases its versions name.
    pub runtime: Option<String>,
    /// One sentence: what the newest version computes.
    pub summary: String,
    /// Ids and titles of the documents that the facts were read from.
    pub sources: Vec<(String, String)>,
    /// The versions, oldest first.
    pub versions: Vec<Version>,
    /// The examples, in the order of the file.
    pub examples: Vec<Example>,
    /// Contradictions in the documents, and how they are resolved here.
    pub errata: Vec<Ruling>,
    /// The custom functions that its rules call by path, each with the position of its first use; empty if the operator
    /// was not read from a text.
    pub paths: Vec<(String, Position)>,
}

impl Operator {
    /// The runtime that registers it on its own in a domain of ONNX, so that no other knows it.
    #[must_use]
    pub fn beside_onnx(&self) -> Option<&str> {
        self.runtime.as_deref().filter(|_| is_of_onnx(&self.domain))
    }

    /// The version that is in force at an opset: the latest one that is not newer.
    #[must_use]
    pub fn in_force(&self, opset: u32) -> Option<&Version> {
        self.versions.iter().rfind(|version| version.since <= opset)
    }
}

/// One version of an operator, in full.
#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    /// The opset that introduced it.
    pub since: u32,
    /// The first release of [`Operator::runtime`] that has it as it is here; `None` if all known ones do.
    pub release: Option<ReleaseNumber>,
    /// The same version as releases before that one have it, oldest first.
    pub earlier: Vec<Self>,
    /// Its line in the file.
    pub line: usize,
    /// One sentence: what it computes.
    pub summary: String,
    /// Details that the summary leaves out, in a few lines; may be empty.
    pub details: String,
    /// The ids of the documents that its facts were read from.
    pub sources: Vec<String>,
    /// Whether ONNX deprecates the operator from here on.
    pub deprecated: bool,
    /// Whether ONNX defines it as a function of other operators.
    pub function: bool,
    /// ONNX's support level.
    pub support_level: SupportLevel,
    /// Whether the reference implementation infers shapes for it.
    pub shape_inference: bool,
    /// Whether the same inputs always produce the same outputs.
    pub deterministic: bool,
    /// Whether a node may have attributes that are not among [`Version::attributes`].
    pub other_attributes: bool,
    /// How the graphs in its attributes correspond to its nodes; `None` if it has none, or if this is not described.
    pub subgraphs: Option<SubgraphKind>,
    /// How its meaning differs from that of the previous version, if the facts do not show it. Always set for a version
    /// that starts from scratch.
    pub semantics: Option<String>,
    /// What converts nodes from and to the previous version, in addition to what the facts say; `None` if nothing is
    /// decided.
    pub adapter: Option<Vec<Action>>,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// Its formal inputs.
    pub inputs: Vec<Parameter>,
    /// Its formal outputs.
    pub outputs: Vec<Parameter>,
    /// Its type variables.
    pub types: Vec<TypeConstraint>,
    /// Attributes and inputs that exclude each other.
    pub exclusive: Vec<Exclusive>,
    /// Relations that a node must meet.
    pub requires: Vec<Requirement>,
    /// The rules for its outputs.
    pub rules: Vec<OutputRule>,
}

/// Attributes and inputs of which a node has at most one.
#[derive(Clone, Debug, PartialEq)]
pub struct Exclusive {
    /// Their names.
    pub of: Vec<String>,
    /// Whether a node must have one of them.
    pub required: bool,
}

impl fmt::Display for Exclusive {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.required { "exactly" } else { "at most" };
        write!(formatter, "{how} one of {}", self.of.join(", "))
    }
}

/// A relation that a node must meet. Two are the same wherever they stand.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The relation.
    pub that: Relation,
    /// Its text.
    pub text: String,
    /// The names and numbers in it, each once, with their texts.
    pub operands: Vec<(String, Operand)>,
    /// The code of the finding for a node that does not meet it.
    pub code: String,
    /// What is wrong with such a node.
    pub doc: String,
    /// The position of its text in the file.
    pub position: Position,
}

/// A part of a relation whose value a finding shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A number.
    Number(Expression),
    /// An attribute, input or output that is given or not.
    Given(String),
}

impl PartialEq for Requirement {
    fn eq(&self, other: &Self) -> bool {
        fn parts(of: &Requirement) -> (&Relation, &str, &[(String, Operand)], &str, &str) {
            (&of.that, &of.text, &of.operands, &of.code, &of.doc)
        }
        parts(self) == parts(other)
    }
}

impl Requirement {
    /// The requirement that a relation holds.
    #[must_use]
    pub fn new(that: Relation, code: String, doc: String, position: Position) -> Self {
        let mut operands = Vec::new();
        for claim in that.claims() {
            if let Claim::Given { name, .. } = claim {
                operands.push((name.clone(), Operand::Given(name.clone())));
            }
            if let Claim::Type { name, .. } = claim {
                let of = Expression::Type(name.clone());
                operands.push((of.to_string(), Operand::Number(of)));
            }
            for leaf in claim.expressions().flat_map(Expression::leaves) {
                operands.push((leaf.to_string(), Operand::Number(leaf.clone())));
            }
        }
        let mut seen = HashSet::new();
        operands.retain(|(text, _)| seen.insert(text.clone()));
        Self { text: that.to_string(), that, operands, code, doc, position }
    }
}

impl Version {
    /// The version as each release has it that changes it in place, oldest first; the last one is itself.
    pub fn by_release(&self) -> impl Iterator<Item = &Self> {
        self.earlier.iter().chain([self])
    }

    /// The version as a release of its runtime has it; `None` if the release does not have it yet.
    #[must_use]
    pub fn in_release(&self, release: ReleaseNumber) -> Option<&Self> {
        self.earlier.iter().chain([self]).rfind(|version| version.release.is_none_or(|first| first <= release))
    }

    /// The type of a parameter of this version in the syntax of descriptors: `T` or `tensor(int64)`.
    #[must_use]
    pub fn type_text(&self, parameter: &Parameter) -> String {
        match &parameter.ty {
            ParameterType::Variable(index) => self.types.get(*index).map(|ty| ty.name.clone()).unwrap_or_default(),
            ParameterType::Fixed(ty) => ty.to_string(),
            ParameterType::Unknown => String::new(),
        }
    }

    /// The facts of a parameter of this version, in one line: `T, optional`.
    #[must_use]
    pub fn parameter_facts(&self, parameter: &Parameter) -> String {
        let mut facts = self.type_text(parameter);
        match parameter.option {
            ParameterOption::Single => {}
            ParameterOption::Optional => facts.push_str(", optional"),
            ParameterOption::Variadic => {
                let types = if parameter.homogeneous { "" } else { ", of any of the types each" };
                _ = write!(facts, ", {} or more{types}", parameter.min_arity);
            }
        }
        facts
    }
}

/// An attribute of a version.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: AttributeKind,
    /// Whether a node must set it.
    pub required: bool,
    /// Its value if a node does not set it.
    pub default: Option<Literal>,
    /// The allowed values of it, or of each of its elements; empty if all are allowed.
    pub values: Vec<Literal>,
    /// The bounds of it, or of each of its elements.
    pub range: Range,
    /// Whether it is left over from early versions of ONNX: nodes may have it, but it has no meaning.
    pub legacy: bool,
    /// One sentence.
    pub doc: String,
}

impl Attribute {
    /// The facts about it, in one line: `INT, default 0, one of 0, 1`.
    #[must_use]
    pub fn facts(&self) -> String {
        let mut facts = format!("{}, {}", self.kind.name(), self.presence());
        if !self.values.is_empty() {
            _ = write!(facts, ", {}one of {}", self.each(), listed(&self.values));
        }
        if self.range != Range::default() {
            _ = write!(facts, ", {}{}", self.each(), self.range);
        }
        if self.legacy {
            facts.push_str(", without meaning");
        }
        facts
    }

    /// Whether a value, or each element of a list, is allowed and within the bounds.
    #[must_use]
    pub fn allows(&self, value: &Literal) -> bool {
        let allows =
            |value: &Literal| (self.values.is_empty() || self.values.contains(value)) && self.range.contains(value);
        match value {
            Literal::List(list) => list.iter().all(allows),
            value => allows(value),
        }
    }

    /// The prefix of messages about the elements of a list.
    fn each(&self) -> &'static str {
        if self.kind.element() == self.kind { "" } else { "each " }
    }

    /// Whether a node must set it, and its value otherwise.
    #[must_use]
    pub fn presence(&self) -> Presence {
        match &self.default {
            Some(default) => Presence::Default(default.clone()),
            None if self.required => Presence::Required,
            None => Presence::Optional,
        }
    }
}

/// The bounds of a value, inclusive.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Range {
    /// The lower bound.
    pub min: Option<Literal>,
    /// The upper bound.
    pub max: Option<Literal>,
}

impl Range {
    /// Whether a value is within the bounds; always true for a value of the wrong kind, which is another error.
    #[must_use]
    pub fn contains(&self, value: &Literal) -> bool {
        let in_order = |left: &Literal, right: &Literal| match (left, right) {
            (Literal::Int(left), Literal::Int(right)) => left <= right,
            (Literal::Float(left), Literal::Float(right)) => left <= right,
            _ => true,
        };
        self.min.as_ref().is_none_or(|min| in_order(min, value))
            && self.max.as_ref().is_none_or(|max| in_order(value, max))
    }
}

impl fmt::Display for Range {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.min, &self.max) {
            (Some(min), Some(max)) => write!(formatter, "from {min} to {max}"),
            (Some(min), None) => write!(formatter, "at least {min}"),
            (None, Some(max)) => write!(formatter, "at most {max}"),
            (None, None) => formatter.write_str("any"),
        }
    }
}

/// Whether a node must set an attribute, and its value otherwise.
#[derive(Clone, Debug, PartialEq)]
pub enum Presence {
    /// A node must set it.
    Required,
    /// A node may leave it out; it then has no value.
    Optional,
    /// A node may leave it out; it then has this value.
    Default(Literal),
}

impl fmt::Display for Presence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Required => formatter.write_str("required"),
            Self::Optional => formatter.write_str("optional"),
            Self::Default(value) => write!(formatter, "default {value}"),
        }
    }
}

/// The texts of values, separated by commas.
#[must_use]
pub fn listed(values: &[Literal]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A formal input or output of a version.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: ParameterType,
    /// Whether it may be absent, or represents several values.
    pub option: ParameterOption,
    /// Whether all values of a variadic parameter have the same type.
    pub homogeneous: bool,
    /// The minimum number of values of a variadic parameter.
    pub min_arity: u32,
    /// One sentence.
    pub doc: String,
}

/// The type of a formal parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterType {
    /// The type variable with this index in [`Version::types`].
    Variable(usize),
    /// A type that is fixed.
    Fixed(Type),
    /// A type that cannot be read, or a variable that the version does not have. This is an error, so operators
    /// returned without errors never contain it.
    Unknown,
}

/// A type variable of a version.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeConstraint {
    /// Its name: `T`.
    pub name: String,
    /// The allowed types, sorted, each once.
    pub allow: Vec<Type>,
    /// Whether ONNX declares it although no input or output uses it.
    pub unused: bool,
    /// The group of `types.yaml` with exactly these members.
    pub group: Option<String>,
    /// One sentence.
    pub doc: String,
}

/// An example with the versions that it applies to.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// Its name.
    pub name: String,
    /// The position of its name in the file.
    pub position: Position,
    /// The id of the document that it comes from.
    pub source: Option<String>,
    /// The first version that it applies to.
    pub since: u32,
    /// The first version that it no longer applies to.
    pub until: Option<u32>,
    /// The first release of the runtime that it applies to; `None` for all of them.
    pub release: Option<ReleaseNumber>,
    /// The inputs; `None` for one that is left out.
    pub inputs: Vec<Option<Tensor>>,
    /// The attributes of the node, by name.
    pub attributes: Vec<(String, Argument)>,
    /// The expected result.
    pub expect: Expectation,
}

impl Example {
    /// Whether the example applies to the version of an opset, in its newest release.
    #[must_use]
    pub fn holds_for(&self, since: u32) -> bool {
        self.since <= since && self.until.is_none_or(|until| since < until)
    }

    /// Whether the example applies to a version as a release has it.
    #[must_use]
    pub fn holds_in(&self, version: &Version) -> bool {
        self.holds_for(version.since) && self.release <= version.release
    }
}

/// The expected result of an example.
#[derive(Clone, Debug, PartialEq)]
pub enum Expectation {
    /// These outputs; `None` for one that is left out.
    Outputs(Vec<Option<Tensor>>),
    /// A finding with this code.
    Error(String),
}

/// The value of an attribute of an example.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A number, a string, or a list of them.
    Value(Literal),
    /// A tensor.
    Tensor(Tensor),
    /// A graph.
    Graph(Graph),
    /// A type.
    Type(Type),
}

/// The inputs and outputs of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// Its inputs.
    pub inputs: Vec<Tensor>,
    /// Its outputs.
    pub outputs: Vec<Tensor>,
}

/// A value of an example.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Its type.
    pub ty: Type,
    /// Its position in the file.
    pub position: Position,
    /// Its dimensions; `None` if the rank is unknown.
    pub dims: Option<Vec<Entry>>,
    /// Its elements in row-major order; `None` if they do not matter.
    pub values: Option<Vec<Entry>>,
    /// The reason why only its type is known.
    pub unchecked: Option<String>,
}

/// A dimension or an element of an example: a number, a string, or an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The text of it.
    pub text: String,
    /// Its position in the file.
    pub position: Position,
}

/// A contradiction in the documents, and how it is resolved here.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    /// The affected versions.
    pub versions: Vec<u32>,
    /// The ids of the documents.
    pub sources: Vec<String>,
    /// What they say.
    pub says: String,
    /// The resolution.
    pub ruling: String,
    /// Names of the examples that show it.
    pub examples: Vec<String>,
}

/// The minimum and maximum number of values of formal parameters; `None` for no maximum.
#[must_use]
pub fn arity(parameters: &[Parameter]) -> (usize, Option<usize>) {
    let lower_bound = parameters
        .iter()
        .enumerate()
        .map(|(index, parameter)| match parameter.option {
            ParameterOption::Single => index + 1,
            ParameterOption::Optional => 0,
            ParameterOption::Variadic => index + parameter.min_arity as usize,
        })
        .max()
        .unwrap_or(0);
    let variadic = parameters.last().is_some_and(|last| last.option == ParameterOption::Variadic);
    (lower_bound, (!variadic).then_some(parameters.len()))
}

/// A part of a version that has a name.
pub trait Named {
    /// The name.
    fn name(&self) -> &str;
}

macro_rules! named {
    ($($ty:ty),*) => { $(impl Named for $ty { fn name(&self) -> &str { &self.name } })* };
}
named!(Attribute, Parameter, TypeConstraint);

impl Named for OutputRule {
    fn name(&self) -> &str {
        &self.output
    }
}
