//! Resolved operators: every version in full, without deltas.

use std::fmt::{self, Write as _};

use crate::document::{AttributeKind, Literal, ParameterOption, SubgraphKind, SupportLevel};
use crate::rules::OutputRule;
use crate::tables::Type;
use crate::yaml::Position;

/// An operator with all its versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Operator {
    /// The file that it was read from, as it was named to the reader.
    pub file: String,
    /// Its name.
    pub name: String,
    /// Its domain, `ai.onnx` for the default one.
    pub domain: String,
    /// One sentence: what the newest version gives.
    pub summary: String,
    /// Ids and titles of the documents that the facts were read from.
    pub sources: Vec<(String, String)>,
    /// The versions, oldest first.
    pub versions: Vec<Version>,
    /// The examples, in the order of the file.
    pub examples: Vec<Example>,
    /// What the documents contradict, and what holds here.
    pub errata: Vec<Ruling>,
    /// The custom functions that its rules call by their paths, each with the position where it is named first; none of
    /// an operator that was not read from a text.
    pub paths: Vec<(String, Position)>,
}

impl Operator {
    /// The version that is in force at an opset: the latest one that is not newer.
    #[must_use]
    pub fn in_force(&self, opset: u32) -> Option<&Version> {
        self.versions.iter().rfind(|version| version.since <= opset)
    }
}

/// One version of an operator, in full.
#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    /// The opset that it came with.
    pub since: u32,
    /// The line of the file where it stands.
    pub line: usize,
    /// One sentence: what it gives.
    pub summary: String,
    /// What the summary leaves out, in a few lines; empty where it leaves out nothing.
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
    /// Whether the same inputs give the same outputs.
    pub deterministic: bool,
    /// How the graphs in its attributes line up with its nodes; `None` where it has none, or nobody says.
    pub subgraphs: Option<SubgraphKind>,
    /// What it means otherwise than the version before it, where the facts do not show that. A version that starts
    /// afresh always has it.
    pub semantics: Option<String>,
    /// The hand-written conversion of the core from and to the version before it.
    pub adapter: Option<String>,
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
    /// What decides the types of outputs that the inputs leave open.
    pub rules: Vec<OutputRule>,
}

/// Attributes and inputs of which a node gives one at most.
#[derive(Clone, Debug, PartialEq)]
pub struct Exclusive {
    /// Their names.
    pub of: Vec<String>,
    /// Whether a node must give one of them.
    pub required: bool,
}

impl fmt::Display for Exclusive {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.required { "exactly" } else { "at most" };
        write!(formatter, "{how} one of {}", self.of.join(", "))
    }
}

impl Version {
    /// The type of a parameter of this version as a descriptor has it: `T` or `tensor(int64)`.
    #[must_use]
    pub fn type_text(&self, parameter: &Parameter) -> String {
        match &parameter.ty {
            ParameterType::Variable(index) => self.types.get(*index).map(|ty| ty.name.clone()).unwrap_or_default(),
            ParameterType::Fixed(ty) => ty.to_string(),
            ParameterType::Unknown => String::new(),
        }
    }

    /// What is known of a parameter of this version, in one line: `T, optional`.
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
    /// Whether a node must give it.
    pub required: bool,
    /// Its value where a node does not give it.
    pub default: Option<Literal>,
    /// The values that it, or each of its elements, may take; empty where any will do.
    pub values: Vec<Literal>,
    /// The bounds of it, or of each of its elements.
    pub range: Range,
    /// Whether it is left from before ONNX settled: nodes may carry it, and it means nothing.
    pub legacy: bool,
    /// One sentence.
    pub doc: String,
}

impl Attribute {
    /// What is known of it, in one line: `INT, default 0, one of 0, 1`.
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

    /// Whether a value, or each element of a list, is among those that it may take and within its bounds.
    #[must_use]
    pub fn allows(&self, value: &Literal) -> bool {
        let allows =
            |value: &Literal| (self.values.is_empty() || self.values.contains(value)) && self.range.contains(value);
        match value {
            Literal::List(list) => list.iter().all(allows),
            value => allows(value),
        }
    }

    /// What a rule about the elements of a list says before it.
    fn each(&self) -> &'static str {
        if self.kind.element() == self.kind { "" } else { "each " }
    }

    /// Whether a node must give it, and what holds where it does not.
    #[must_use]
    pub fn presence(&self) -> Presence {
        match &self.default {
            Some(default) => Presence::Default(default.clone()),
            None if self.required => Presence::Required,
            None => Presence::Optional,
        }
    }
}

/// The bounds of a value; both are allowed themselves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Range {
    /// The lower bound.
    pub min: Option<Literal>,
    /// The upper bound.
    pub max: Option<Literal>,
}

impl Range {
    /// Whether a value is within it; one of another kind is, as that is another error.
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

/// Whether a node must give an attribute, and what holds where it does not.
#[derive(Clone, Debug, PartialEq)]
pub enum Presence {
    /// It must.
    Required,
    /// It need not, and nothing stands for it then.
    Optional,
    /// It need not, and this holds then.
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

/// The texts of values, one after the other.
pub(crate) fn listed(values: &[Literal]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A formal input or output of a version.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: ParameterType,
    /// Whether it may be absent, or stand for several.
    pub option: ParameterOption,
    /// Whether the values of a variadic one share a type.
    pub homogeneous: bool,
    /// The least number of values of a variadic one.
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
    /// One that cannot be read, or a variable that the version does not have. That is an error, so that no operator
    /// that is returned without one has it.
    Unknown,
}

/// A type variable of a version.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeConstraint {
    /// Its name: `T`.
    pub name: String,
    /// What it may be bound to, sorted and without repetition.
    pub allow: Vec<Type>,
    /// Whether ONNX declares it and no input or output has it.
    pub unused: bool,
    /// The group of `types.yaml` with just these members.
    pub group: Option<String>,
    /// One sentence.
    pub doc: String,
}

/// An example with the versions that it holds for.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// Its name.
    pub name: String,
    /// Where its name stands in the file.
    pub position: Position,
    /// The id of the document that it was read from.
    pub source: Option<String>,
    /// The first version that it holds for.
    pub since: u32,
    /// The version from which on it holds no longer.
    pub until: Option<u32>,
    /// The inputs; `None` for one that the node does not give.
    pub inputs: Vec<Option<Tensor>>,
    /// The attributes that the node gives, by name.
    pub attributes: Vec<(String, Argument)>,
    /// What must come out.
    pub expect: Expectation,
}

impl Example {
    /// Whether the example holds for a version.
    #[must_use]
    pub fn holds_for(&self, since: u32) -> bool {
        self.since <= since && self.until.is_none_or(|until| since < until)
    }
}

/// What an example must give.
#[derive(Clone, Debug, PartialEq)]
pub enum Expectation {
    /// These outputs; `None` for one that the node does not give.
    Outputs(Vec<Option<Tensor>>),
    /// A finding with this code.
    Error(String),
}

/// The value of an attribute of an example.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A number, a text, or a list of them.
    Value(Literal),
    /// A tensor.
    Tensor(Tensor),
    /// A graph.
    Graph(Graph),
    /// A type.
    Type(Type),
}

/// A graph, as far as the node around it sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// What it is given.
    pub inputs: Vec<Tensor>,
    /// What it gives.
    pub outputs: Vec<Tensor>,
}

/// A value of an example.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Its type.
    pub ty: Type,
    /// Where it stands in the file.
    pub position: Position,
    /// Its dimensions; `None` where not even their number is known.
    pub dims: Option<Vec<Entry>>,
    /// Its elements in row-major order; `None` where they do not matter.
    pub values: Option<Vec<Entry>>,
    /// Why nothing but its type is known.
    pub unchecked: Option<String>,
}

/// A dimension or an element of an example: a number, a text, or an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// It.
    pub text: String,
    /// Where it stands in the file.
    pub position: Position,
}

/// Something that the documents contradict, and what holds here.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    /// The versions that it is about.
    pub versions: Vec<u32>,
    /// The ids of the documents that it is about.
    pub sources: Vec<String>,
    /// What they say.
    pub says: String,
    /// What holds here.
    pub ruling: String,
    /// Names of the examples that show it.
    pub examples: Vec<String>,
}

/// The lower and the upper bound of the number of values that formal parameters take; `None` for no bound.
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

/// Something of a version that has a name.
pub(crate) trait Named {
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
