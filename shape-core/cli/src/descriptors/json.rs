//! Attributes, parameters, type constraints and changes of descriptors, as JSON.

use serde::Serialize;
use serde_json::Value as Json;
use shape_changes::diff::{self, Both};
use shape_specs::document::{Literal, SubgraphKind};
use shape_specs::operator::{self, Presence};
use shape_specs::tables::Type;

#[derive(Serialize)]
pub(crate) struct Attribute<'s> {
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
pub(crate) struct Parameter<'s> {
    name: &'s str,
    #[serde(rename = "type")]
    ty: String,
    option: &'static str,
    homogeneous: bool,
    min_arity: u32,
    doc: &'s str,
}

#[derive(Serialize)]
pub(crate) struct TypeConstraint<'s> {
    name: &'s str,
    group: Option<&'s str>,
    allow: Vec<String>,
    doc: &'s str,
}

pub(crate) fn parameter<'s>(parameter: &'s operator::Parameter, ty: String) -> Parameter<'s> {
    let operator::Parameter { name, option, homogeneous, min_arity, doc, .. } = parameter;
    Parameter { name, ty, option: option.name(), homogeneous: *homogeneous, min_arity: *min_arity, doc }
}

pub(crate) fn attribute(attribute: &operator::Attribute) -> Attribute<'_> {
    let operator::Attribute { name, kind, required, default, values, range, legacy, doc } = attribute;
    let (default, values) = (default.as_ref().map(literal), values.iter().map(literal).collect());
    let (min, max) = (range.min.as_ref().map(literal), range.max.as_ref().map(literal));
    Attribute { name, kind: kind.name(), required: *required, default, values, min, max, legacy: *legacy, doc }
}

pub(crate) fn constraint(constraint: &operator::TypeConstraint) -> TypeConstraint<'_> {
    let operator::TypeConstraint { name, allow, group, unused: _, doc } = constraint;
    TypeConstraint { name, group: group.as_deref(), allow: allow.iter().map(ToString::to_string).collect(), doc }
}

/// A change from one version to the next. `kind` is stable; `before` and `after` are the facts, or null.
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
        C::RequirementAdded(of) => (Fact::Nothing, Fact::of(&*of.text)),
        C::RequirementRemoved(of) => (Fact::of(&*of.text), Fact::Nothing),
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
        C::Deprecated(now)
        | C::Function(now)
        | C::ShapeInference(now)
        | C::Deterministic(now)
        | C::OtherAttributes(now) => (Fact::of(!now), Fact::of(*now)),
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

pub(crate) fn literal(literal: &Literal) -> Json {
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
