//! Lowers a version to a `Schema`, and its attributes, parameters and types to the rows of its tables.

use std::borrow::Cow;

use super::adapter::action;
use super::constant::{Constant, Fields, Rest, SchemaName, Struct};
use super::requirement::requirement;
use super::rule::output_rule;
use super::value::attribute_value;
use crate::document::AttributeKind;
use crate::operator::{Attribute, Exclusive, Named, Operator, Parameter, ParameterType, TypeConstraint, Version};
use crate::tables::{Release, ReleaseNumber, Runtime, RuntimeOperator};

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

/// The schema of a version in its newest release: its differences from the one before it, whose schema provides the other
/// fields. That is the same version in the release before, or the newest of the version before.
///
/// ```
/// use shape_specs::lower::{Rest, SchemaName, schema};
/// let operators = shape_specs::builtin()?;
/// let shape = operators.iter().find(|operator| operator.name == "Shape").unwrap();
/// let [first, second, ..] = &*shape.versions else { unreachable!() };
/// let second = schema(shape, second, Some(first));
/// assert_eq!(second.rest, Some(Rest::Schema(SchemaName { since: 1, earlier: None })));
/// assert!(second.fields.iter().any(|(name, _)| *name == "types"));
/// assert!(second.fields.iter().all(|(name, _)| *name != "inputs"));
/// # Ok::<(), shape_specs::SpecErrors>(())
/// ```
#[must_use]
pub fn schema<'d>(operator: &'d Operator, version: &'d Version, before: Option<&'d Version>) -> Struct<'d> {
    let last = version.earlier.iter().enumerate().next_back();
    let last = last.map(|(index, earlier)| (earlier, SchemaName { since: earlier.since, earlier: Some(index) }));
    differences((operator, version), version, last.or_else(|| Some((before?, SchemaName::newest(before?)))))
}

/// The schemas of a version as earlier releases have it, oldest first, written likewise.
#[must_use]
pub fn earlier_schemas<'d>(
    operator: &'d Operator,
    version: &'d Version,
    before: Option<&'d Version>,
) -> Vec<(SchemaName, Struct<'d>)> {
    let mut before = before.map(|before| (before, SchemaName::newest(before)));
    let schemas = version.earlier.iter().enumerate().map(|(index, earlier)| {
        let name = SchemaName { since: earlier.since, earlier: Some(index) };
        (name, differences((operator, version), earlier, before.replace((earlier, name))))
    });
    schemas.collect()
}

/// The differences of a version from the one before; `newest` is the same version in its newest release.
fn differences<'d>(
    (operator, newest): (&'d Operator, &'d Version),
    version: &'d Version,
    before: Option<(&'d Version, SchemaName)>,
) -> Struct<'d> {
    let mut fields = fields(operator, newest, version);
    let Some((before, name)) = before else { return plain("Schema", fields, "EMPTY") };
    let of_before = if before.since == newest.since { newest } else { before };
    let known = self::fields(operator, of_before, before);
    fields.retain(|field| !known.contains(field));
    Struct { of: "Schema", variant: None, fields, rest: Some(Rest::Schema(name)) }
}

/// A version whose lists go on with what later releases bring, up to its newest form: its rules and relations count in them.
fn with_later<'v>(version: &'v Version, newest: &Version) -> Cow<'v, Version> {
    fn rest<T: Named + Clone>(list: &[T], newest: &[T]) -> Vec<T> {
        let is_new = |one: &&T| list.iter().all(|known| known.name() != one.name());
        newest.iter().filter(is_new).cloned().collect()
    }
    if version.release == newest.release {
        return Cow::Borrowed(version);
    }
    let mut with = version.clone();
    with.attributes.extend(rest(&version.attributes, &newest.attributes));
    with.inputs.extend(rest(&version.inputs, &newest.inputs));
    with.outputs.extend(rest(&version.outputs, &newest.outputs));
    Cow::Owned(with)
}

/// All fields of the schema of a version.
fn fields<'d>(operator: &'d Operator, newest: &'d Version, version: &'d Version) -> Fields<'d> {
    let with_later = with_later(version, newest);
    let attributes = version.attributes.iter().map(|row| Constant::Struct(attribute(row)));
    let adapter = version.adapter.as_ref().map(|actions| Constant::list(actions.iter().map(action)));
    let rules = version.rules.iter().filter_map(|rule| output_rule(&with_later, rule));
    let release = operator.runtime.as_ref().zip(version.release).map(|(runtime, release)| {
        let fields = [("runtime", Constant::Text(runtime)), ("number", number(release))];
        Constant::named_fields("RuntimeRelease", None, fields)
    });
    let is_later = |one: &&Attribute| version.attributes.iter().all(|known| known.name != one.name);
    let later = newest.attributes.iter().filter(is_later);
    let later = later.map(|row| Constant::Struct(attribute(row)));
    let earlier = (0..version.earlier.len()).map(|index| SchemaName { since: version.since, earlier: Some(index) });
    vec![
        ("domain", Constant::Text(&operator.domain)),
        ("name", Constant::Text(&operator.name)),
        ("since_version", Constant::Int(version.since.into())),
        ("release", Constant::option(release)),
        ("earlier", Constant::list(earlier.map(Constant::Schema))),
        ("later", Constant::list(later)),
        ("summary", Constant::Text(&version.summary)),
        ("details", Constant::Text(&version.details)),
        ("deprecated", Constant::Bool(version.deprecated)),
        ("support_level", Constant::unit("SupportLevel", version.support_level)),
        ("has_function", Constant::Bool(version.function)),
        ("has_shape_inference", Constant::Bool(version.shape_inference)),
        ("deterministic", Constant::Bool(version.deterministic)),
        ("other_attributes", Constant::Bool(version.other_attributes)),
        ("semantics", Constant::text(version.semantics.as_ref())),
        ("adapter", Constant::option(adapter)),
        ("subgraphs", Constant::option(version.subgraphs.map(|kind| Constant::unit("SubgraphKind", kind)))),
        ("attributes", Constant::list(attributes)),
        ("inputs", Constant::list(version.inputs.iter().filter_map(parameter))),
        ("outputs", Constant::list(version.outputs.iter().filter_map(parameter))),
        ("types", Constant::list(version.types.iter().map(constraint))),
        ("exclusive", Constant::list(version.exclusive.iter().map(exclusive))),
        ("requires", Constant::list(version.requires.iter().filter_map(|of| requirement(&with_later, of)))),
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

/// The number of a release.
pub(super) fn number(number: ReleaseNumber) -> Constant<'static> {
    let ReleaseNumber { major, minor, patch } = number;
    let fields = [("major", major), ("minor", minor), ("patch", patch)];
    let fields = fields.map(|(name, number)| (name, Constant::Int(number.into())));
    Constant::named_fields("ReleaseNumber", None, fields)
}

/// The constant of a runtime.
#[must_use]
pub fn runtime(runtime: &Runtime) -> Constant<'_> {
    let Runtime { runtime: name, releases, sources: _, operators } = runtime;
    let fields = [
        ("name", Constant::Text(name)),
        ("releases", Constant::list(releases.iter().copied().map(number))),
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
