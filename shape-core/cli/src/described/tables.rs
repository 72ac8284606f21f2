//! A described operator as the tables that the core checks by, made at run time.
//!
//! The macro writes the same as Rust. The tables live as long as the process, since the core borrows them for that long.

use shape_core::DataType;
use shape_core::adapters;
use shape_core::code::Code;
use shape_core::elements::arithmetic::Operation;
use shape_core::example::{self, Entry, Example, Expectation, Graph, Place, Value};
use shape_core::node::{AttributeKind, AttributeValue, StringsView};
use shape_core::opset::Release;
use shape_core::rules::{Argument, Call, DimsRule, Expression, Given, OutputRule, Rule, Term, TypeOf, TypeSource};
use shape_core::schema::{
    Attribute, Exclusive, FormalParameter, ParameterOption, ParameterType, Schema, SubgraphKind, SupportLevel,
    TypeConstraint,
};
use shape_core::types::{Type, TypeSet};
use shape_specs::document::{self, Literal};
use shape_specs::operator::{self, Operator};
use shape_specs::tables;
use shape_specs::terms;
use shape_specs::yaml::Position;
use shape_specs::{Tables, rules};

/// The schemas of all versions of an operator, without the rules that are in somebody's crate; `None` for an operator of
/// which the core cannot hold a type, which no descriptor gets by with.
pub(crate) fn schemas(operator: &Operator) -> Option<Vec<&'static Schema>> {
    let (domain, name) = (text(&operator.domain), text(&operator.name));
    let schemas = operator.versions.iter().map(|version| -> Option<&'static Schema> {
        Some(Box::leak(Box::new(Schema {
            domain,
            name,
            since_version: version.since,
            summary: text(&version.summary),
            details: text(&version.details),
            deprecated: version.deprecated,
            support_level: match version.support_level {
                document::SupportLevel::Common => SupportLevel::Common,
                document::SupportLevel::Experimental => SupportLevel::Experimental,
            },
            has_function: version.function,
            has_shape_inference: version.shape_inference,
            deterministic: version.deterministic,
            subgraphs: version.subgraphs.map(|kind| match kind {
                document::SubgraphKind::Branch => SubgraphKind::Branch,
                document::SubgraphKind::Loop => SubgraphKind::Loop,
                document::SubgraphKind::Scan => SubgraphKind::Scan,
                document::SubgraphKind::BatchedScan => SubgraphKind::BatchedScan,
                document::SubgraphKind::Map => SubgraphKind::Map,
            }),
            semantics: version.semantics.as_deref().map(text),
            adapter: version.adapter.as_deref().and_then(adapters::by_name),
            attributes: list(version.attributes.iter().map(attribute)),
            inputs: parameters(&version.inputs)?,
            outputs: parameters(&version.outputs)?,
            types: list(version.types.iter().map(constraint).collect::<Option<Vec<_>>>()?),
            exclusive: list(version.exclusive.iter().map(exclusive)),
            rules: list(version.rules.iter().map(|rule| output_rule(version, rule)).collect::<Option<Vec<_>>>()?),
        })))
    });
    schemas.collect()
}

/// The releases of ONNX.
pub(crate) fn releases(tables: &Tables) -> &'static [Release] {
    list(tables.releases.iter().map(|tables::Release { release, ir, opset, ml }| Release {
        release: text(release),
        ir: *ir,
        opset: *opset,
        ml: *ml,
    }))
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
    let dims = match &rule.dims {
        Some(rules::DimsRule::Call(call)) => self::call(version, call).map(DimsRule::Call),
        Some(rules::DimsRule::Terms(terms)) => {
            let terms: Option<Vec<Term>> = terms.0.iter().map(|of| term(version, of)).collect();
            Some(DimsRule::Terms(list(terms?)))
        }
        None => None,
    };
    Some(OutputRule {
        output,
        types: list(sources.collect::<Option<Vec<_>>>()?),
        dims,
        elements: rule.elements.as_ref().and_then(|call| self::call(version, call)),
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

fn term(version: &operator::Version, of: &terms::Term) -> Option<Term> {
    Some(match of {
        terms::Term::Data => Term::Data,
        terms::Term::Dim(of) => Term::Dim(expression(version, of)?),
        terms::Term::Stretch { of, from, to } => match place(version, of)? {
            (input, true) => Term::Axes { input, from: *from, to: *to },
            (attribute, false) => Term::Entries { attribute, from: *from, to: *to },
        },
    })
}

fn expression(version: &operator::Version, of: &terms::Expression) -> Option<Expression> {
    let inner = |of| Some(&*Box::leak(Box::new(expression(version, of)?)));
    Some(match of {
        terms::Expression::Number(number) => Expression::Int(*number),
        terms::Expression::Name(name) => match place(version, name)? {
            (input, true) => Expression::Element(input),
            (attribute, false) => Expression::Attribute(attribute),
        },
        terms::Expression::Entry(name, index) => match place(version, name)? {
            (input, true) => Expression::Axis(input, *index),
            (attribute, false) => Expression::Entry(attribute, *index),
        },
        terms::Expression::Length(names) => {
            let places: Option<Vec<usize>> = names.iter().map(|name| Some(place(version, name)?.0)).collect();
            Expression::Length(list(places?))
        }
        terms::Expression::Rank(name) => Expression::Rank(place(version, name)?.0),
        terms::Expression::Size(name) => Expression::Size(place(version, name)?.0),
        terms::Expression::Operation(operation, left, right) => {
            let operation = match operation {
                terms::Operation::Add => Operation::Add,
                terms::Operation::Sub => Operation::Sub,
                terms::Operation::Mul => Operation::Mul,
                terms::Operation::FloorDiv => Operation::FloorDiv,
                terms::Operation::Mod => Operation::Mod,
                terms::Operation::Min => Operation::Min,
                terms::Operation::Max => Operation::Max,
            };
            Expression::Operation(operation, inner(left)?, inner(right)?)
        }
    })
}

/// The examples of an operator, for the core's runner; `None` as for [`schemas`].
pub(crate) fn examples(operator: &Operator) -> Option<&'static [Example]> {
    operator.examples.iter().map(example).collect::<Option<Vec<_>>>().map(list)
}

fn example(example: &operator::Example) -> Option<Example> {
    let values = |values: &[Option<operator::Tensor>]| {
        let value = |value: &Option<operator::Tensor>| match value {
            Some(value) => example_value(value).map(Some),
            None => Some(None),
        };
        values.iter().map(value).collect::<Option<Vec<_>>>().map(list)
    };
    let attributes = example.attributes.iter().map(|(name, value)| Some((text(name), argument(value)?)));
    Some(Example {
        name: text(&example.name),
        place: at(example.place),
        since: example.since,
        until: example.until,
        inputs: values(&example.inputs)?,
        attributes: list(attributes.collect::<Option<Vec<_>>>()?),
        expect: match &example.expect {
            operator::Expectation::Outputs(outputs) => Expectation::Outputs(values(outputs)?),
            operator::Expectation::Error(code) => Expectation::Error(Code::from_name(code)?),
        },
    })
}

fn argument(argument: &operator::Argument) -> Option<example::Argument> {
    Some(match argument {
        operator::Argument::Value(of) => example::Argument::Value(value(literal_kind(of), of)?),
        operator::Argument::Tensor(tensor) => example::Argument::Tensor(example_value(tensor)?),
        operator::Argument::Type(of) => example::Argument::Type(ty(of)?),
        operator::Argument::Graph(operator::Graph { inputs, outputs }) => {
            let values =
                |values: &[operator::Tensor]| values.iter().map(example_value).collect::<Option<Vec<_>>>().map(list);
            example::Argument::Graph(Graph { inputs: values(inputs)?, outputs: values(outputs)? })
        }
    })
}

/// The kind that a literal has where a node is written with it.
fn literal_kind(literal: &Literal) -> AttributeKind {
    match literal {
        Literal::Float(_) => AttributeKind::Float,
        Literal::Text(_) => AttributeKind::String,
        Literal::List(list) => match list.first() {
            Some(Literal::Float(_)) => AttributeKind::Floats,
            Some(Literal::Text(_)) => AttributeKind::Strings,
            _ => AttributeKind::Ints,
        },
        _ => AttributeKind::Int,
    }
}

fn example_value(tensor: &operator::Tensor) -> Option<Value> {
    let entries = |entries: &Vec<operator::Entry>| {
        list(entries.iter().map(|entry| Entry { text: text(&entry.text), place: at(entry.place) }))
    };
    Some(Value {
        ty: ty(&tensor.ty)?,
        place: at(tensor.place),
        dims: tensor.dims.as_ref().map(entries),
        elements: tensor.values.as_ref().map(entries),
        unchecked: tensor.unchecked.as_deref().map(text),
    })
}

fn at(position: Position) -> Place {
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Place { line: number(position.line), column: number(position.column) }
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
