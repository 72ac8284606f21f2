//! Lowers a version to a `Schema`, and its attributes, parameters and types to the rows of its tables.

use super::adapter::action;
use super::constant::{Constant, Fields, Rest, Struct};
use super::requirement::requirement;
use super::rule::output_rule;
use super::value::attribute_value;
use crate::document::AttributeKind;
use crate::operator::{Attribute, Exclusive, Operator, Parameter, ParameterType, TypeConstraint, Version};
use crate::tables::{Release, Runtime, RuntimeOperator};

/// Whether a field has the value that it has in `Schema::EMPTY`, `Attribute::PLAIN` or `FormalParameter::PLAIN`.
fn is_plain(field: &str, value: &Constant<'_>) -> bool {
    match (field, value) {
        ("deterministic" | "homogeneous", value) => *value == Constant::Bool(true),
        ("min_arity", value) => *value == Constant::Int(1),
        ("support_level" | "option", Constant::Variant { name, .. }) => matches!(&**name, "Common" | "Single"),
        (_, Constant::List(list)) => list.is_empty(),
        (_, value) => matches!(value, Constant::Bool(false) | Constant::None | Constant::Text("")),
    }
}

/// A struct without the fields that have their plain values.
fn plain<'d>(of: &'static str, mut fields: Fields<'d>, rest: &'static str) -> Struct<'d> {
    fields.retain(|(field, value)| !is_plain(field, value));
    Struct { of, variant: None, fields, rest: Some(Rest::Constant(rest)) }
}

/// The schema of a version: its differences from the previous version, whose schema provides the other fields.
///
/// ```
/// use shape_specs::lower::{Rest, schema};
/// let operators = shape_specs::builtin()?;
/// let shape = operators.iter().find(|operator| operator.name == "Shape").unwrap();
/// let [first, second, ..] = &*shape.versions else { unreachable!() };
/// let second = schema(shape, second, Some(first));
/// assert_eq!(second.rest, Some(Rest::Schema(1)));
/// assert!(second.fields.iter().any(|(name, _)| *name == "types"));
/// assert!(second.fields.iter().all(|(name, _)| *name != "inputs"));
/// # Ok::<(), shape_specs::SpecErrors>(())
/// ```
#[must_use]
pub fn schema<'d>(operator: &'d Operator, version: &'d Version, before: Option<&Version>) -> Struct<'d> {
    let mut fields = fields(operator, version);
    let Some(before) = before else { return plain("Schema", fields, "EMPTY") };
    let known = self::fields(operator, before);
    fields.retain(|field| !known.contains(field));
    Struct { of: "Schema", variant: None, fields, rest: Some(Rest::Schema(before.since)) }
}

/// All fields of the schema of a version.
fn fields<'d>(operator: &'d Operator, version: &'d Version) -> Fields<'d> {
    let attributes = version.attributes.iter().map(|row| Constant::Struct(attribute(row)));
    let adapter = version.adapter.as_ref().map(|actions| Constant::list(actions.iter().map(action)));
    let rules = version.rules.iter().filter_map(|rule| output_rule(version, rule));
    vec![
        ("domain", Constant::Text(&operator.domain)),
        ("name", Constant::Text(&operator.name)),
        ("since_version", Constant::Int(version.since.into())),
        ("summary", Constant::Text(&version.summary)),
        ("details", Constant::Text(&version.details)),
        ("deprecated", Constant::Bool(version.deprecated)),
        ("support_level", Constant::unit("SupportLevel", version.support_level)),
        ("has_function", Constant::Bool(version.function)),
        ("has_shape_inference", Constant::Bool(version.shape_inference)),
        ("deterministic", Constant::Bool(version.deterministic)),
        ("semantics", Constant::text(version.semantics.as_ref())),
        ("adapter", Constant::option(adapter)),
        ("subgraphs", Constant::option(version.subgraphs.map(|kind| Constant::unit("SubgraphKind", kind)))),
        ("attributes", Constant::list(attributes)),
        ("inputs", Constant::list(version.inputs.iter().filter_map(parameter))),
        ("outputs", Constant::list(version.outputs.iter().filter_map(parameter))),
        ("types", Constant::list(version.types.iter().map(constraint))),
        ("exclusive", Constant::list(version.exclusive.iter().map(exclusive))),
        ("requires", Constant::list(version.requires.iter().filter_map(|of| requirement(version, of)))),
        ("rules", Constant::list(rules)),
    ]
}

/// The row of an attribute.
#[must_use]
pub fn attribute(attribute: &Attribute) -> Struct<'_> {
    let Attribute { name, kind, required, default, values, range, legacy, doc } = attribute;
    let of = |kind: AttributeKind, value| attribute_value(kind, value);
    let bound = |bound| Constant::option(Option::and_then(bound, |bound| of(kind.element(), bound)));
    let fields = vec![
        ("name", Constant::Text(name)),
        ("kind", Constant::unit("AttributeKind", kind)),
        ("required", Constant::Bool(*required)),
        ("default", Constant::option(default.as_ref().and_then(|default| of(*kind, default)))),
        ("values", Constant::list(values.iter().filter_map(|value| of(kind.element(), value)))),
        ("min", bound(range.min.as_ref())),
        ("max", bound(range.max.as_ref())),
        ("legacy", Constant::Bool(*legacy)),
        ("doc", Constant::Text(doc)),
    ];
    plain("Attribute", fields, "PLAIN")
}

/// The row of an input or output; `None` if its type is unknown.
fn parameter(parameter: &Parameter) -> Option<Constant<'_>> {
    let Parameter { name, ty, option, homogeneous, min_arity, doc } = parameter;
    let ty = match ty {
        ParameterType::Variable(index) => Constant::variant("ParameterType", "Variable", [Constant::index(*index)]),
        ParameterType::Fixed(ty) => Constant::variant("ParameterType", "Fixed", [Constant::Type(ty)]),
        ParameterType::Unknown => return None,
    };
    let fields = vec![
        ("name", Constant::Text(name)),
        ("ty", ty),
        ("option", Constant::unit("ParameterOption", option)),
        ("homogeneous", Constant::Bool(*homogeneous)),
        ("min_arity", Constant::Int((*min_arity).into())),
        ("doc", Constant::Text(doc)),
    ];
    Some(Constant::Struct(plain("FormalParameter", fields, "PLAIN")))
}

fn constraint(constraint: &TypeConstraint) -> Constant<'_> {
    let TypeConstraint { name, allow, doc, .. } = constraint;
    let fields = [("name", Constant::Text(name)), ("allow", Constant::TypeSet(allow)), ("doc", Constant::Text(doc))];
    Constant::named_fields("TypeConstraint", None, fields)
}

fn exclusive(exclusive: &Exclusive) -> Constant<'_> {
    let Exclusive { of, required } = exclusive;
    let of = Constant::list(of.iter().map(|name| Constant::Text(name)));
    Constant::named_fields("Exclusive", None, [("of", of), ("required", Constant::Bool(*required))])
}

/// The constant of a runtime.
#[must_use]
pub fn runtime(runtime: &Runtime) -> Constant<'_> {
    let Runtime { runtime: name, release, sources: _, operators } = runtime;
    let fields = [
        ("name", Constant::Text(name)),
        ("release", Constant::Text(release)),
        ("operators", Constant::List(operators.iter().map(runtime_operator).collect())),
    ];
    Constant::named_fields("Runtime", None, fields)
}

fn runtime_operator(row: &RuntimeOperator) -> Constant<'_> {
    let RuntimeOperator { domain, operator, since, deprecated } = row;
    let fields = [
        ("domain", Constant::Text(domain)),
        ("name", Constant::Text(operator)),
        ("since_version", Constant::Int((*since).into())),
        ("deprecated", Constant::Bool(*deprecated)),
    ];
    Constant::named_fields("RuntimeOperator", None, fields)
}

/// A release of ONNX.
#[must_use]
pub fn release(release: &Release) -> Constant<'_> {
    let Release { release, ir, opset, ml } = release;
    let fields = [
        ("release", Constant::Text(release)),
        ("ir", Constant::Int((*ir).into())),
        ("opset", Constant::Int((*opset).into())),
        ("ml", Constant::Int((*ml).into())),
    ];
    Constant::named_fields("Release", None, fields)
}
