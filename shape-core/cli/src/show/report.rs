//! An operator as JSON.

use serde::Serialize;
use serde_json::Value as Json;
use shape_specs::diff::{self, Both};
use shape_specs::document::{Literal, SubgraphKind};
use shape_specs::operator::{self, Expectation, Presence};
use shape_specs::rules::OutputRule;
use shape_specs::tables::Type;

use super::{Entry, Shown};
use crate::json::SCHEMA_VERSION;

#[derive(Serialize)]
pub(super) struct Report<'s> {
    schema_version: u32,
    operator: Operator<'s>,
}

#[derive(Serialize)]
struct Operator<'s> {
    domain: &'s str,
    name: &'s str,
    summary: &'s str,
    /// What the summary leaves out, in a few lines.
    details: &'s str,
    /// The opset that was asked for; then there is one version.
    opset: Option<u32>,
    versions: Vec<VersionEntry<'s>>,
    examples: Vec<Example<'s>>,
    errata: Vec<Ruling<'s>>,
    sources: Vec<Source<'s>>,
}

#[derive(Serialize)]
struct VersionEntry<'s> {
    since: u32,
    summary: &'s str,
    details: &'s str,
    deprecated: bool,
    function: bool,
    support_level: &'static str,
    shape_inference: bool,
    deterministic: bool,
    semantics: Option<&'s str>,
    adapter: Option<&'s str>,
    /// What it changed of the version before it; `None` for the first one.
    changes: Option<Vec<Change<'s>>>,
    attributes: Vec<Attribute<'s>>,
    inputs: Vec<Parameter<'s>>,
    outputs: Vec<Parameter<'s>>,
    types: Vec<TypeConstraint<'s>>,
    exclusive: Vec<Exclusive<'s>>,
    /// What decides the types of outputs that the inputs leave open.
    rules: Vec<Rule<'s>>,
    sources: &'s [String],
}

#[derive(Serialize)]
struct Exclusive<'s> {
    of: &'s [String],
    required: bool,
}

#[derive(Serialize)]
struct Rule<'s> {
    output: &'s str,
    #[serde(rename = "type")]
    ty: Vec<String>,
    dims: Option<String>,
    elements: Option<String>,
}

#[derive(Serialize)]
struct Attribute<'s> {
    name: &'s str,
    kind: &'static str,
    required: bool,
    default: Option<Json>,
    values: Vec<Json>,
    min: Option<Json>,
    max: Option<Json>,
    legacy: bool,
    doc: &'s str,
}

#[derive(Serialize)]
struct Parameter<'s> {
    name: &'s str,
    #[serde(rename = "type")]
    ty: String,
    option: &'static str,
    homogeneous: bool,
    min_arity: u32,
    doc: &'s str,
}

#[derive(Serialize)]
struct TypeConstraint<'s> {
    name: &'s str,
    group: Option<&'s str>,
    allow: Vec<String>,
    doc: &'s str,
}

#[derive(Serialize)]
struct Example<'s> {
    name: &'s str,
    source: Option<&'s str>,
    since: u32,
    until: Option<u32>,
    /// Null for an input that the node does not give.
    inputs: Vec<Option<Tensor<'s>>>,
    attributes: Vec<Argument<'s>>,
    outputs: Option<Vec<Option<Tensor<'s>>>>,
    error: Option<&'s str>,
}

#[derive(Serialize)]
struct Tensor<'s> {
    #[serde(rename = "type")]
    ty: String,
    /// Numbers, symbols and expressions, null for one that is unknown; null where not even their number is known.
    dims: Option<Vec<Json>>,
    values: Option<Vec<Json>>,
    unchecked: Option<&'s str>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ArgumentValue<'s> {
    Value(Json),
    Tensor(Tensor<'s>),
    Graph { inputs: Vec<Tensor<'s>>, outputs: Vec<Tensor<'s>> },
    Type(String),
}

#[derive(Serialize)]
struct Argument<'s> {
    name: &'s str,
    #[serde(flatten)]
    value: ArgumentValue<'s>,
}

#[derive(Serialize)]
struct Ruling<'s> {
    versions: &'s [u32],
    sources: &'s [String],
    says: &'s str,
    ruling: &'s str,
    examples: &'s [String],
}

#[derive(Serialize)]
struct Source<'s> {
    id: &'s str,
    title: &'s str,
}

impl<'s> Report<'s> {
    pub(super) fn new(shown: &'s Shown<'s>) -> Self {
        let operator = shown.operator;
        let sources = operator.sources.iter().map(|(id, title)| Source { id, title }).collect();
        let operator = Operator {
            domain: &operator.domain,
            name: &operator.name,
            summary: shown.summary(),
            details: shown.details(),
            opset: shown.opset,
            versions: shown.versions.iter().map(version).collect(),
            examples: shown.examples().map(example).collect(),
            errata: shown.errata().map(ruling).collect(),
            sources,
        };
        Self { schema_version: SCHEMA_VERSION, operator }
    }
}

fn version<'s>(entry: &'s Entry<'s>) -> VersionEntry<'s> {
    let Entry { version, older, changes } = entry;
    VersionEntry {
        since: version.since,
        summary: &version.summary,
        details: &version.details,
        deprecated: version.deprecated,
        function: version.function,
        support_level: version.support_level.name(),
        shape_inference: version.shape_inference,
        deterministic: version.deterministic,
        semantics: version.semantics.as_deref(),
        adapter: version.adapter.as_deref(),
        changes: older.map(|_| changes.iter().map(change).collect()),
        attributes: version.attributes.iter().map(attribute).collect(),
        inputs: version.inputs.iter().map(|input| parameter(input, version.type_text(input))).collect(),
        outputs: version.outputs.iter().map(|output| parameter(output, version.type_text(output))).collect(),
        types: version.types.iter().map(constraint).collect(),
        exclusive: version.exclusive.iter().map(exclusive).collect(),
        rules: version.rules.iter().map(rule).collect(),
        sources: &version.sources,
    }
}

fn parameter<'s>(parameter: &'s operator::Parameter, ty: String) -> Parameter<'s> {
    let operator::Parameter { name, option, homogeneous, min_arity, doc, .. } = parameter;
    Parameter { name, ty, option: option.name(), homogeneous: *homogeneous, min_arity: *min_arity, doc }
}

fn attribute(attribute: &operator::Attribute) -> Attribute<'_> {
    let operator::Attribute { name, kind, required, default, values, range, legacy, doc } = attribute;
    let (default, values) = (default.as_ref().map(literal), values.iter().map(literal).collect());
    let (min, max) = (range.min.as_ref().map(literal), range.max.as_ref().map(literal));
    Attribute { name, kind: kind.name(), required: *required, default, values, min, max, legacy: *legacy, doc }
}

fn exclusive(exclusive: &operator::Exclusive) -> Exclusive<'_> {
    Exclusive { of: &exclusive.of, required: exclusive.required }
}

fn rule(rule: &OutputRule) -> Rule<'_> {
    Rule {
        output: &rule.output,
        ty: rule.types.iter().map(ToString::to_string).collect(),
        dims: rule.dims.as_ref().map(ToString::to_string),
        elements: rule.elements.as_ref().map(ToString::to_string),
    }
}

fn constraint(constraint: &operator::TypeConstraint) -> TypeConstraint<'_> {
    let operator::TypeConstraint { name, allow, group, unused: _, doc } = constraint;
    TypeConstraint { name, group: group.as_deref(), allow: allow.iter().map(ToString::to_string).collect(), doc }
}

fn example(example: &operator::Example) -> Example<'_> {
    let operator::Example { name, source, since, until, inputs, attributes, expect, .. } = example;
    let (outputs, error) = match expect {
        Expectation::Outputs(outputs) => (Some(optional(outputs)), None),
        Expectation::Error(code) => (None, Some(&**code)),
    };
    let attributes = attributes.iter().map(|(name, value)| Argument { name, value: argument(value) }).collect();
    let (source, inputs) = (source.as_deref(), optional(inputs));
    Example { name, source, since: *since, until: *until, inputs, attributes, outputs, error }
}

fn optional(values: &[Option<operator::Tensor>]) -> Vec<Option<Tensor<'_>>> {
    values.iter().map(|value| value.as_ref().map(tensor)).collect()
}

fn argument(argument: &operator::Argument) -> ArgumentValue<'_> {
    match argument {
        operator::Argument::Value(value) => ArgumentValue::Value(literal(value)),
        operator::Argument::Tensor(of) => ArgumentValue::Tensor(tensor(of)),
        operator::Argument::Type(ty) => ArgumentValue::Type(ty.to_string()),
        operator::Argument::Graph(operator::Graph { inputs, outputs }) => ArgumentValue::Graph {
            inputs: inputs.iter().map(tensor).collect(),
            outputs: outputs.iter().map(tensor).collect(),
        },
    }
}

fn tensor(tensor: &operator::Tensor) -> Tensor<'_> {
    let operator::Tensor { ty, dims, values, unchecked, .. } = tensor;
    let list = |entries: &Vec<operator::Entry>| entries.iter().map(entry).collect();
    let texts = |entries: &Vec<operator::Entry>| entries.iter().map(|entry| Json::from(&*entry.text)).collect();
    let values = values.as_ref().map(|values| if ty.word() == "string" { texts(values) } else { list(values) });
    let dims = dims.as_ref().map(list);
    Tensor { ty: ty.word(), dims, values, unchecked: unchecked.as_deref() }
}

/// A number where it is one, `?` as null, and a text otherwise.
fn entry(entry: &operator::Entry) -> Json {
    let text = &*entry.text;
    match text {
        "?" => Json::Null,
        "true" => Json::from(true),
        "false" => Json::from(false),
        _ => {
            let (signed, unsigned) = (text.parse::<i64>().map(Json::from), text.parse::<u64>().map(Json::from));
            let float = || text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Json::from);
            signed.or(unsigned).ok().or_else(float).unwrap_or_else(|| Json::from(text))
        }
    }
}

fn ruling(ruling: &operator::Ruling) -> Ruling<'_> {
    let operator::Ruling { versions, sources, says, ruling, examples } = ruling;
    Ruling { versions, sources, says, ruling, examples }
}

/// One thing that changed. `kind` is stable; `before` and `after` are what was and is there, null where nothing is.
#[derive(Serialize)]
pub(crate) struct Change<'s> {
    kind: &'static str,
    name: Option<&'s str>,
    before: Fact<'s>,
    after: Fact<'s>,
    text: String,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Fact<'s> {
    Nothing,
    Attribute(Box<Attribute<'s>>),
    Parameter(Parameter<'s>),
    TypeConstraint(TypeConstraint<'s>),
    Presence { required: bool, default: Option<Json> },
    Other(Json),
}

pub(crate) fn change<'s>(change: &'s diff::Change) -> Change<'s> {
    use diff::Change as C;
    let of_attribute = |of| Fact::Attribute(Box::new(attribute(of)));
    let of_formal = |formal: &'s diff::Formal| Fact::Parameter(parameter(&formal.parameter, formal.ty.clone()));
    let of_types = |types: &[Type]| Fact::Other(types.iter().map(ToString::to_string).collect());
    let (before, after) = match change {
        C::Semantics { says, .. } => (Fact::Nothing, Fact::of(&**says)),
        C::AttributeBecameInput { attribute, input } => (of_attribute(attribute), of_formal(input)),
        C::InputBecameAttribute { input, attribute } => (of_formal(input), of_attribute(attribute)),
        C::AttributeAdded(attribute) => (Fact::Nothing, of_attribute(attribute)),
        C::AttributeRemoved(attribute) => (of_attribute(attribute), Fact::Nothing),
        C::AttributeKind(both) => pair(both, |kind| Fact::of(kind.name())),
        C::AttributePresence(both) => pair(both, presence),
        C::AttributeValues(both) => pair(both, |values| Fact::Other(values.iter().map(literal).collect())),
        C::AttributeRange(both) => pair(both, |range| {
            let bound = |bound: &Option<Literal>| bound.as_ref().map_or(Json::Null, literal);
            Fact::Other(serde_json::json!({ "min": bound(&range.min), "max": bound(&range.max) }))
        }),
        C::ExclusiveAdded(of) => (Fact::Nothing, Fact::of(of.to_string())),
        C::ExclusiveRemoved(of) => (Fact::of(of.to_string()), Fact::Nothing),
        C::OutputRule(both) => pair(both, |rule| rule.as_deref().map_or(Fact::Nothing, Fact::of)),
        C::AttributeLegacy(both) => pair(both, |legacy| Fact::of(*legacy)),
        C::ParameterAdded(_, formal) => (Fact::Nothing, of_formal(formal)),
        C::ParameterRemoved(_, formal) => (of_formal(formal), Fact::Nothing),
        C::ParameterType(_, both) => pair(both, |ty| Fact::of(&**ty)),
        C::ParameterOption(_, both) => pair(both, |option| Fact::of(*option)),
        C::ParameterHomogeneous(_, both) => pair(both, |homogeneous| Fact::of(*homogeneous)),
        C::ParameterArity(_, both) => pair(both, |arity| Fact::of(*arity)),
        C::ParameterPlace(_, both) => pair(both, |place| Fact::of(*place)),
        C::TypeVariableAdded(of) => (Fact::Nothing, Fact::TypeConstraint(constraint(of))),
        C::TypeVariableRemoved(of) => (Fact::TypeConstraint(constraint(of)), Fact::Nothing),
        C::TypesWidened { by, .. } => (Fact::Nothing, of_types(by)),
        C::TypesNarrowed { by, .. } => (of_types(by), Fact::Nothing),
        C::Deprecated(now) | C::Function(now) | C::ShapeInference(now) | C::Deterministic(now) => {
            (Fact::of(!now), Fact::of(*now))
        }
        C::SupportLevel { before, after } => (Fact::of(before.name()), Fact::of(after.name())),
        C::Subgraphs { before, after } => {
            let of = |kind: &Option<SubgraphKind>| kind.map_or(Fact::Nothing, |kind| Fact::of(kind.name()));
            (of(before), of(after))
        }
        _ => (Fact::Nothing, Fact::Nothing),
    };
    Change { kind: change.kind(), name: change.name(), before, after, text: change.to_string() }
}

impl Fact<'_> {
    fn of(value: impl Into<Json>) -> Self {
        Self::Other(value.into())
    }
}

fn pair<'s, T>(both: &'s Both<T>, fact: impl Fn(&'s T) -> Fact<'s>) -> (Fact<'s>, Fact<'s>) {
    (fact(&both.before), fact(&both.after))
}

fn presence(presence: &Presence) -> Fact<'_> {
    let default = match presence {
        Presence::Default(value) => Some(literal(value)),
        Presence::Required | Presence::Optional => None,
    };
    Fact::Presence { required: *presence == Presence::Required, default }
}

fn literal(literal: &Literal) -> Json {
    match literal {
        Literal::Bool(value) => Json::from(*value),
        Literal::Int(value) => Json::from(*value),
        Literal::Unsigned(value) => Json::from(*value),
        // JSON has no infinities.
        Literal::Float(value) if !value.is_finite() => Json::from(literal.to_string()),
        Literal::Float(value) => Json::from(*value),
        Literal::Text(value) => Json::from(&**value),
        Literal::List(values) => values.iter().map(self::literal).collect(),
    }
}
