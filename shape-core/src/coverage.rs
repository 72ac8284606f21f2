//! How much is known of what an operator version means.
//!
//! Where a type comes from and which outputs have a rule for their dimensions stands in the tables. Whether elements flow
//! through a version is asked of its rules themselves, on small tensors of known numbers: what says nothing of elements
//! there says nothing anywhere.

use alloc::vec::Vec;

use crate::data_type::DataType;
use crate::dims::{Dims, EachElement, Fact, Inputs, Outputs, UnknownCause};
use crate::elements::{Elements, Scalar};
use crate::node::{AttributeKind, AttributeValue, NodeAttribute};
use crate::rules::OutputRule;
use crate::schema::{Attribute, FormalParameter, ParameterType, Schema, arity};
use crate::tensor::Tensor;
use crate::types::Type;

/// How much is known of what an operator version means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// What gives the types of its outputs.
    pub types: Types,
    /// Of how many of its outputs there is a rule for the dimensions.
    pub dims: Share,
    /// Whether elements flow through it, known before the model runs.
    pub values: bool,
    /// Whether there is a kernel by which `shape test` runs its nodes.
    pub data: bool,
}

/// What gives the types of the outputs of an operator version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Types {
    /// Each follows from the type constraints.
    Constraints,
    /// Some of them a rule gives, the others follow.
    Rule,
    /// Nothing gives some of them.
    Open,
}

/// How many of the outputs of an operator version have something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// None does.
    None,
    /// Some do.
    Some,
    /// All do.
    All,
    /// There is none that could: no output is a tensor, or there are no outputs.
    Pointless,
}

impl Schema {
    /// How much is known of what the version means.
    ///
    /// ```
    /// # #[cfg(feature = "ai-onnx")] {
    /// use shape_core::Registry;
    /// use shape_core::coverage::{Coverage, Share, Types};
    /// let shape = Registry::builtin().resolve("", "Shape", 25).unwrap();
    /// let all = Coverage { types: Types::Constraints, dims: Share::All, values: true, data: true };
    /// assert_eq!(shape.coverage(), all);
    /// # }
    /// ```
    #[must_use]
    pub fn coverage(&'static self) -> Coverage {
        Coverage { types: types(self), dims: dims(self), values: self.infers() && values(self), data: self.computes() }
    }
}

fn types(schema: &'static Schema) -> Types {
    let mut all = Types::Constraints;
    for (index, output) in schema.outputs.iter().enumerate() {
        let ParameterType::Variable(variable) = output.ty else { continue };
        let shared =
            schema.inputs.iter().any(|input| input.ty == output.ty && (input.homogeneous || output.is_variadic()));
        let settled = schema.types.get(variable).is_some_and(|constraint| constraint.allow.len() == 1);
        if settled || (shared && output.homogeneous) {
            continue;
        }
        match rule(schema, index) {
            Some(rule) if !rule.types.is_empty() => all = Types::Rule,
            _ => return Types::Open,
        }
    }
    all
}

fn dims(schema: &'static Schema) -> Share {
    let is_tensor = |output: &FormalParameter| match output.ty {
        ParameterType::Fixed(ty) => ty.element().is_some(),
        ParameterType::Variable(variable) => {
            schema.types.get(variable).is_none_or(|constraint| constraint.allow.iter().any(|ty| ty.element().is_some()))
        }
    };
    let tensors = schema.outputs.iter().enumerate().filter(|(_, output)| is_tensor(output));
    let has = |index: usize| schema.rule.is_some() || rule(schema, index).is_some_and(|rule| rule.dims.is_some());
    let having: Vec<bool> = tensors.map(|(index, _)| has(index)).collect();
    if having.is_empty() {
        Share::Pointless
    } else if having.iter().all(|has| *has) {
        Share::All
    } else if having.contains(&true) {
        Share::Some
    } else {
        Share::None
    }
}

fn rule(schema: &'static Schema, output: usize) -> Option<&'static OutputRule> {
    schema.rules.iter().find(|rule| rule.output == output)
}

/// Whether something is said of elements where those of the inputs are known.
fn values(schema: &'static Schema) -> bool {
    let (least, _) = arity(schema.inputs);
    let most = schema.inputs.len() + usize::from(schema.inputs.last().is_some_and(FormalParameter::is_variadic));
    let optional = schema.attributes.iter().filter(|attribute| !attribute.required && !attribute.legacy);
    let optional: Vec<NodeAttribute<'static>> = optional.filter_map(given).collect();
    let required: Vec<NodeAttribute<'static>> =
        schema.attributes.iter().filter(|attribute| attribute.required).filter_map(given).collect();
    let mut lists = alloc::vec![required.clone()];
    lists.extend(optional.into_iter().map(|one| required.iter().copied().chain([one]).collect()));
    let counts = if least == most { alloc::vec![least] } else { alloc::vec![least, most] };
    lists.iter().any(|attributes| {
        counts.iter().any(|count| {
            SAMPLES.iter().any(|first| SAMPLES.iter().any(|rest| flow(schema, attributes, *count, first, rest)))
        })
    })
}

/// Dimensions and the number that each element is.
type Sample = (&'static [u64], i64);

/// The same with its elements.
type Held = (&'static [u64], Type, Vec<Scalar>);

const SAMPLES: &[Sample] = &[(&[], 1), (&[], 0), (&[1], 1), (&[1], 0), (&[2], 1), (&[1, 1], 1)];

/// Whether something is said of elements where the first input is one sample, and each of the others another.
fn flow(
    schema: &'static Schema,
    attributes: &[NodeAttribute<'static>],
    count: usize,
    first: &Sample,
    rest: &Sample,
) -> bool {
    let sample = |index: usize| {
        let sample = if index == 0 { first } else { rest };
        let ty = schema.input(index).and_then(|input| element(schema, input))?;
        Some((*sample, ty))
    };
    let samples: Vec<Option<(Sample, Type)>> = (0..count).map(sample).collect();
    let held = samples.iter().map(|sample| {
        let ((dims, number), ty) = (*sample)?;
        let count = usize::try_from(dims.iter().product::<u64>()).ok()?;
        Some((dims, ty, alloc::vec![scalar(ty, number); count]))
    });
    let held: Vec<Option<Held>> = held.collect();
    let facts = held.iter().map(|held| {
        let (dims, ty, elements) = held.as_ref()?;
        Some(Fact { ty: Some(*ty), dims: Some(dims), elements: Some(Elements::Scalars(elements)) })
    });
    let facts: Vec<Option<Fact<'_>>> = facts.collect();
    let mut said = Said { outputs: schema.outputs.len(), elements: false };
    // What is refused has said nothing.
    schema.infer(attributes, Inputs(&facts), &mut said).is_ok() && said.elements
}

/// The type that a sample has for an input: what sizes have, where it may.
fn element(schema: &Schema, input: &FormalParameter) -> Option<Type> {
    let wished = [DataType::Int64, DataType::Bool, DataType::Float].map(Type::tensor);
    match input.ty {
        ParameterType::Fixed(ty) => Some(ty),
        ParameterType::Variable(variable) => {
            let allow = schema.types.get(variable)?.allow;
            wished.into_iter().find(|ty| allow.contains(*ty)).or_else(|| allow.iter().next())
        }
    }
}

fn scalar(ty: Type, number: i64) -> Scalar {
    use DataType::{Bfloat16, Bool, Double, Float, Float16};
    match ty.element() {
        Some(Bool) => Scalar::Bool(number != 0),
        Some(Float | Double | Float16 | Bfloat16) => Scalar::Float(if number == 0 { 0.0 } else { 1.0 }),
        _ => Scalar::Int(number),
    }
}

/// A value that an attribute may have.
fn given(attribute: &'static Attribute) -> Option<NodeAttribute<'static>> {
    let value = match (attribute.values, attribute.kind) {
        ([first, ..], AttributeKind::Int | AttributeKind::Float | AttributeKind::String) => *first,
        // The number of int64 for what names a type, and an axis that small tensors have for what names that.
        (_, AttributeKind::Int) if attribute.name == "to" || attribute.name == "dtype" => AttributeValue::Int(7),
        (_, AttributeKind::Int) => AttributeValue::Int(0),
        (_, AttributeKind::Float) => AttributeValue::Float(1.0),
        (_, AttributeKind::String) if attribute.name == "to" => AttributeValue::String(b"INT64"),
        (_, AttributeKind::Tensor) => AttributeValue::Tensor(Tensor::new(DataType::Int64, &[1], &[0; 8]).ok()?.into()),
        (_, AttributeKind::Ints) => AttributeValue::Ints(&[0]),
        (_, AttributeKind::Floats) => AttributeValue::Floats(&[1.0]),
        _ => return None,
    };
    Some(NodeAttribute::new(attribute.name, value))
}

/// Whether anything was said of elements.
struct Said {
    outputs: usize,
    elements: bool,
}

impl Outputs<u64> for Said {
    fn count(&self) -> usize {
        self.outputs
    }

    fn dims(&mut self, _: usize, _: Dims<'_, u64>) {}

    fn sizes(&mut self, _: usize, _: &[u64]) {
        self.elements = true;
    }

    fn elements(&mut self, _: usize, elements: Result<EachElement<'_, u64>, UnknownCause>) {
        let known = |(count, each): EachElement<'_, u64>| (0..count).all(|index| each(index).is_known());
        self.elements |= elements.is_ok_and(known);
    }

    fn elements_of(&mut self, _: usize, _: usize) {
        self.elements = true;
    }
}
