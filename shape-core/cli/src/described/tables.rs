//! A described operator as the tables that the core checks by, made at run time.
//!
//! The macro writes the same as Rust. The tables live as long as the process, since the core borrows them for that long.

use shape_core::DataType;
use shape_core::adapters;
use shape_core::kernels;
use shape_core::node::{AttributeKind, AttributeValue, StringsView};
use shape_core::rules::{Argument, Call, Given, OutputRule, Rule, TypeOf, TypeSource};
use shape_core::schema::{
    Attribute, Exclusive, FormalParameter, ParameterOption, ParameterType, Schema, SupportLevel, TypeConstraint,
};
use shape_core::types::{Type, TypeSet};
use shape_specs::document::{self, Literal};
use shape_specs::operator::{self, Operator};
use shape_specs::rules;
use shape_specs::tables;

/// The schemas of all versions of an operator, none with a rule where the kernel is in somebody's crate; `None` for an
/// operator of which the core cannot hold a type, which no descriptor gets by with.
pub(super) fn schemas(operator: &Operator) -> Option<Vec<&'static Schema>> {
    let (domain, name) = (text(&operator.domain), text(&operator.name));
    let rule = operator.kernel.as_deref().and_then(kernels::by_name).map(|(_, rule)| rule);
    let schemas = operator.versions.iter().map(|version| -> Option<&'static Schema> {
        Some(Box::leak(Box::new(Schema {
            domain,
            name,
            since_version: version.since,
            summary: text(&version.summary),
            deprecated: version.deprecated,
            support_level: match version.support_level {
                document::SupportLevel::Common => SupportLevel::Common,
                document::SupportLevel::Experimental => SupportLevel::Experimental,
            },
            has_function: version.function,
            has_shape_inference: version.shape_inference,
            deterministic: version.deterministic,
            semantics: version.semantics.as_deref().map(text),
            adapter: version.adapter.as_deref().and_then(adapters::by_name),
            attributes: list(version.attributes.iter().map(attribute)),
            inputs: parameters(&version.inputs)?,
            outputs: parameters(&version.outputs)?,
            types: list(version.types.iter().map(constraint).collect::<Option<Vec<_>>>()?),
            exclusive: list(version.exclusive.iter().map(exclusive)),
            rules: list(version.rules.iter().map(|rule| output_rule(version, rule)).collect::<Option<Vec<_>>>()?),
            rule,
        })))
    });
    schemas.collect()
}

fn text(text: &str) -> &'static str {
    Box::leak(text.into())
}

fn list<T>(rows: impl IntoIterator<Item = T>) -> &'static [T] {
    Box::leak(rows.into_iter().collect())
}

fn attribute(attribute: &operator::Attribute) -> Attribute {
    let (kind, element) = (kind(attribute.kind), kind(attribute.kind.element()));
    Attribute {
        name: text(&attribute.name),
        kind,
        required: attribute.required,
        default: attribute.default.as_ref().and_then(|default| value(kind, default)),
        values: list(attribute.values.iter().filter_map(|allowed| value(element, allowed))),
        min: attribute.range.min.as_ref().and_then(|min| value(element, min)),
        max: attribute.range.max.as_ref().and_then(|max| value(element, max)),
        legacy: attribute.legacy,
        doc: text(&attribute.doc),
    }
}

fn kind(kind: document::AttributeKind) -> AttributeKind {
    use document::AttributeKind as Described;
    match kind {
        Described::Float => AttributeKind::Float,
        Described::Int => AttributeKind::Int,
        Described::String => AttributeKind::String,
        Described::Tensor => AttributeKind::Tensor,
        Described::Graph => AttributeKind::Graph,
        Described::SparseTensor => AttributeKind::SparseTensor,
        Described::TypeProto => AttributeKind::TypeProto,
        Described::Floats => AttributeKind::Floats,
        Described::Ints => AttributeKind::Ints,
        Described::Strings => AttributeKind::Strings,
        Described::Tensors => AttributeKind::Tensors,
        Described::Graphs => AttributeKind::Graphs,
        Described::SparseTensors => AttributeKind::SparseTensors,
        Described::TypeProtos => AttributeKind::TypeProtos,
    }
}

/// A value of an attribute. The rules of descriptors leave none that is of another kind.
fn value(kind: AttributeKind, value: &Literal) -> Option<AttributeValue<'static>> {
    let each = |value: &Literal| match value {
        Literal::List(list) => list.clone(),
        one => vec![one.clone()],
    };
    Some(match kind {
        AttributeKind::Int => AttributeValue::Int(int(value)?),
        AttributeKind::Float => AttributeValue::Float(float(value)?),
        AttributeKind::String => AttributeValue::String(bytes(value)?),
        AttributeKind::Ints => AttributeValue::Ints(list(each(value).iter().filter_map(int))),
        AttributeKind::Floats => AttributeValue::Floats(list(each(value).iter().filter_map(float))),
        AttributeKind::Strings => AttributeValue::Strings(StringsView::new(list(each(value).iter().filter_map(bytes)))),
        _ => return None,
    })
}

fn int(value: &Literal) -> Option<i64> {
    if let Literal::Int(value) = value { Some(*value) } else { None }
}

fn float(value: &Literal) -> Option<f32> {
    #[expect(clippy::cast_possible_truncation, reason = "rounding to 32 bits is what ONNX does with the default")]
    if let Literal::Float(value) = value { Some(*value as f32) } else { None }
}

fn bytes(value: &Literal) -> Option<&'static [u8]> {
    if let Literal::Text(value) = value { Some(text(value).as_bytes()) } else { None }
}

fn parameters(parameters: &[operator::Parameter]) -> Option<&'static [FormalParameter]> {
    parameters.iter().map(parameter).collect::<Option<Vec<_>>>().map(list)
}

fn parameter(parameter: &operator::Parameter) -> Option<FormalParameter> {
    Some(FormalParameter {
        name: text(&parameter.name),
        ty: match &parameter.ty {
            operator::ParameterType::Variable(index) => ParameterType::Variable(*index),
            operator::ParameterType::Fixed(ty) => ParameterType::Fixed(self::ty(ty)?),
        },
        option: match parameter.option {
            document::ParameterOption::Single => ParameterOption::Single,
            document::ParameterOption::Optional => ParameterOption::Optional,
            document::ParameterOption::Variadic => ParameterOption::Variadic,
        },
        homogeneous: parameter.homogeneous,
        min_arity: parameter.min_arity,
        doc: text(&parameter.doc),
    })
}

fn constraint(constraint: &operator::TypeConstraint) -> Option<TypeConstraint> {
    let (mut set, mut others) = (TypeSet::new(&[]), Vec::new());
    for allowed in &constraint.allow {
        let ty = ty(allowed)?;
        match set.and(ty) {
            Some(more) => set = more,
            None => others.push(ty),
        }
    }
    Some(TypeConstraint::new(text(&constraint.name), set.listing(list(others)), text(&constraint.doc)))
}

fn exclusive(exclusive: &operator::Exclusive) -> Exclusive {
    let of = list(exclusive.of.iter().map(|name| text(name)));
    Exclusive { of, required: exclusive.required }
}

fn output_rule(version: &operator::Version, rule: &rules::OutputRule) -> Option<OutputRule> {
    let output = version.outputs.iter().position(|output| output.name == rule.output)?;
    let sources = rule.types.iter().map(|source| {
        let given = match &source.given {
            None => None,
            Some(rules::Given { name, is }) => Some(match (place(version, name)?, is) {
                ((at, true), Some(rules::Is::Type(is))) => Given::InputOf(at, ty(is)?),
                ((at, false), Some(rules::Is::Value(is))) => {
                    Given::AttributeIs(at, value(kind(version.attributes.get(at)?.kind), is)?)
                }
                (_, Some(_)) => return None,
                ((at, true), None) => Given::Input(at),
                ((at, false), None) => Given::Attribute(at),
            }),
        };
        Some(TypeSource { of: type_of(version, &source.of)?, given })
    });
    // `Some(None)` is one that cannot be made.
    let call = |call: &Option<rules::Call>| match call {
        None => Some(None),
        Some(call) => self::call(version, call).map(Some),
    };
    Some(OutputRule {
        output,
        types: list(sources.collect::<Option<Vec<_>>>()?),
        dims: call(&rule.dims)?,
        elements: call(&rule.elements)?,
    })
}

fn call(version: &operator::Version, call: &rules::Call) -> Option<Call> {
    let arguments = call.arguments.iter().map(|argument| match argument {
        rules::Argument::Absent => Argument::Absent,
        rules::Argument::Int(number) => Argument::Int(*number),
        rules::Argument::Named(name) => match place(version, name) {
            Some((at, true)) => Argument::Input(at),
            Some((at, false)) => Argument::Attribute(at),
            None => Argument::Absent,
        },
    });
    Some(Call { rule: Rule::by_name(&call.rule)?, arguments: list(arguments) })
}

/// The place of an attribute or input, and whether it is an input.
fn place(version: &operator::Version, name: &str) -> Option<(usize, bool)> {
    let attribute = version.attributes.iter().position(|attribute| attribute.name == name).map(|at| (at, false));
    attribute.or_else(|| version.inputs.iter().position(|input| input.name == name).map(|at| (at, true)))
}

fn type_of(version: &operator::Version, of: &rules::TypeOf) -> Option<TypeOf> {
    let inner = |of| Some(&*Box::leak(Box::new(type_of(version, of)?)));
    Some(match of {
        rules::TypeOf::Type(of) => TypeOf::Type(ty(of)?),
        rules::TypeOf::Named { name, from } => match place(version, name)? {
            (at, true) => TypeOf::Input(at),
            (index, false) => TypeOf::Attribute { index, from: *from },
        },
        rules::TypeOf::Sequence(of) => TypeOf::Sequence(inner(of)?),
        rules::TypeOf::Optional(of) => TypeOf::Optional(inner(of)?),
        rules::TypeOf::Element(of) => TypeOf::Element(inner(of)?),
        rules::TypeOf::Value(of) => TypeOf::Value(inner(of)?),
        rules::TypeOf::Updated { groups, name } => match place(version, name)? {
            (input, true) => TypeOf::Updated { input, groups: *groups },
            (_, false) => return None,
        },
    })
}

/// A type; `None` where it nests deeper than the core's word holds.
pub(crate) fn ty(ty: &tables::Type) -> Option<Type> {
    let element = |element: &tables::Element| DataType::from_name(&element.name);
    match ty {
        tables::Type::Tensor(of) => element(of).map(Type::tensor),
        tables::Type::SparseTensor(of) => element(of).map(Type::sparse_tensor),
        tables::Type::Sequence(of) => self::ty(of)?.sequence(),
        tables::Type::Optional(of) => self::ty(of)?.optional(),
        tables::Type::Map(key, of) => self::ty(of)?.map(element(key)?),
    }
}
