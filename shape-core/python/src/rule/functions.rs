//! The functions that are registered, and the operators that they make.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use shape_core::node::{AttributeKind, AttributeValue, StringsView};
use shape_core::opset::canonical_domain;
use shape_core::rule::{self, Argument, Call, DimsRule, OutputRule, Rule, TypeOf, TypeSource};
use shape_core::schema::{Attribute, FormalParameter, ParameterOption, ParameterType, Schema, TypeConstraint};
use shape_core::types::{Type, TypeSet};
use shape_core::{DataType, Registry};

use super::call::Runner;
use super::callees::{self, Callee};
use crate::error;

/// A function that is registered for an operator.
struct Registered {
    function: Py<PyAny>,
    /// The version that its signature describes.
    own: &'static Schema,
    /// The versions that descriptors describe, with the function as their rule, by the address of the described one.
    described: HashMap<usize, &'static Schema>,
}

/// The functions by the operators that they are of: domain, name and version. A schema and what it refers to live as long as
/// the process.
type Functions = BTreeMap<(&'static str, &'static str, u32), Registered>;

static FUNCTIONS: Mutex<Functions> = Mutex::new(Functions::new());

fn locked<T>(then: impl FnOnce(&mut Functions) -> T) -> T {
    then(&mut FUNCTIONS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A version of an operator with a function as its rule; the sources of the types of its outputs.
fn called_by(function: Py<PyAny>, version: &Schema, types: impl Fn(usize) -> &'static [TypeSource]) -> &'static Schema {
    let inputs = version.inputs.iter().filter(|input| !input.is_variadic()).count();
    let (outputs, attributes) = (version.outputs.len(), version.attributes);
    let number = callees::add(Callee { function, inputs, outputs, attributes });
    let label = leak_text(&format!("Python function of {}, number ", version.name));
    let rule = Rule::new(Box::leak(Box::new(rule::Functions::new::<Runner>(label, false))));
    let call = Call { rule, arguments: leak(vec![Argument::Int(number)]) };
    let whole = |output| {
        // It gives all outputs at once.
        let dims = (output == 0).then_some(DimsRule::Call(call));
        OutputRule { output, types: types(output), dims, elements: None, multiply_adds: &[] }
    };
    let rules = leak((0..version.outputs.len()).map(whole).collect());
    Box::leak(Box::new(Schema { rules, ..*version }))
}

fn leak<T>(value: Vec<T>) -> &'static [T] {
    Box::leak(value.into_boxed_slice())
}

fn leak_text(text: &str) -> &'static str {
    Box::leak(Box::from(text))
}

/// A parameter of a function as it stands in its signature: the name, and whether it may be left out or takes any number.
#[derive(FromPyObject)]
pub(crate) struct Parameter(String, bool, bool);

/// The default of an attribute.
#[derive(FromPyObject)]
pub(crate) enum Default {
    Int(i64),
    Float(f32),
    Text(String),
    Ints(Vec<i64>),
    Floats(Vec<f32>),
    Texts(Vec<String>),
}

impl Default {
    /// The value for an attribute of a kind: of floats, a default may be written as an int, and an empty list is one of any.
    fn value(self, kind: AttributeKind) -> AttributeValue<'static> {
        let float = |number: i64| number as f32;
        match self {
            Self::Int(number) if kind == AttributeKind::Float => AttributeValue::Float(float(number)),
            Self::Ints(numbers) if kind == AttributeKind::Floats => {
                AttributeValue::Floats(leak(numbers.into_iter().map(float).collect()))
            }
            Self::Ints(numbers) if kind == AttributeKind::Strings && numbers.is_empty() => {
                AttributeValue::Strings(StringsView::new(&[]))
            }
            Self::Int(number) => AttributeValue::Int(number),
            Self::Float(number) => AttributeValue::Float(number),
            Self::Text(text) => AttributeValue::String(leak_text(&text).as_bytes()),
            Self::Ints(numbers) => AttributeValue::Ints(leak(numbers)),
            Self::Floats(numbers) => AttributeValue::Floats(leak(numbers)),
            Self::Texts(texts) => {
                let texts: Vec<&'static [u8]> = texts.iter().map(|text| leak_text(text).as_bytes()).collect();
                AttributeValue::Strings(StringsView::new(leak(texts)))
            }
        }
    }
}

/// Registers a function for an operator. Where the operator is described elsewhere, the function gives the dimensions of its
/// outputs; where it is not, its signature is the description.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are the parts of a signature, which Python takes apart")]
pub(crate) fn register(
    py: Python<'_>,
    function: Py<PyAny>,
    domain: String,
    name: String,
    since_version: u32,
    doc: String,
    inputs: Vec<Parameter>,
    attributes: Vec<(String, i32, bool, Option<Default>)>,
    outputs: Vec<String>,
    types: Vec<Option<String>>,
) -> PyResult<()> {
    let (domain, name) = (leak_text(canonical_domain(&domain)), leak_text(&name));
    if !Registry::builtin().operator(domain, name).is_empty() {
        return Err(error::specs(
            py,
            &format!("{domain}::{name} has a rule already, which a function may not replace"),
        ));
    }
    let schema = schema(domain, name, since_version, &doc, inputs, attributes, &outputs)
        .map_err(|message| error::specs(py, &message))?;
    let sources: Vec<&'static [TypeSource]> = types
        .iter()
        .map(|of| source(of.as_deref()))
        .collect::<Result<_, _>>()
        .map_err(|message| error::specs(py, &message))?;
    let types = |output: usize| sources.get(output).copied().unwrap_or_default();
    locked(|functions| {
        let own = called_by(function.clone_ref(py), &schema, types);
        let registered = Registered { function, own, described: HashMap::new() };
        functions.insert((domain, name, since_version), registered);
    });
    Ok(())
}

/// Forgets the functions of an operator.
#[pyfunction]
pub(crate) fn unregister(domain: &str, name: &str) {
    let domain = canonical_domain(domain);
    locked(|functions| functions.retain(|(of, called, _), _| (*of, *called) != (domain, name)));
}

/// The operators of a registry, with the functions as the rules of theirs. A version that the registry describes keeps its
/// description.
pub(crate) fn with_functions(py: Python<'_>, registry: Registry) -> Result<Registry, String> {
    let schemas = locked(|functions| {
        let registered = std::mem::take(functions);
        let mut schemas: Vec<&'static Schema> = Vec::new();
        *functions = registered
            .into_iter()
            .map(|(key, mut registered)| {
                let described = registry.operator(key.0, key.1);
                if described.is_empty() {
                    schemas.push(registered.own);
                }
                for version in described {
                    let schema = registered.described.entry(std::ptr::from_ref(*version).addr()).or_insert_with(|| {
                        let of = |output| version.rules.iter().find(|rule| rule.output == output);
                        let types = |output| of(output).map_or(&[][..], |rule| rule.types);
                        called_by(registered.function.clone_ref(py), version, types)
                    });
                    schemas.push(schema);
                }
                (key, registered)
            })
            .collect();
        schemas
    });
    if schemas.is_empty() { Ok(registry) } else { registry.replacing(schemas).map_err(|twice| twice.to_string()) }
}

fn schema(
    domain: &'static str,
    name: &'static str,
    since_version: u32,
    doc: &str,
    inputs: Vec<Parameter>,
    attributes: Vec<(String, i32, bool, Option<Default>)>,
    outputs: &[String],
) -> Result<Schema, String> {
    // Each input and output has a type of its own, which may be any.
    let variable = |name: &str| TypeConstraint::new(leak_text(&format!("T_{name}")), any_type(), "Any type.");
    let names = inputs.iter().map(|Parameter(name, ..)| name).chain(outputs);
    let types = leak(names.map(|name| variable(name)).collect());
    let first_output = inputs.len();
    let inputs = inputs.into_iter().enumerate().map(|(index, Parameter(name, optional, variadic))| FormalParameter {
        name: leak_text(&name),
        ty: ParameterType::Variable(index),
        option: match (variadic, optional) {
            (true, _) => ParameterOption::Variadic,
            (false, true) => ParameterOption::Optional,
            (false, false) => ParameterOption::Single,
        },
        homogeneous: !variadic,
        min_arity: u32::from(!variadic),
        doc: "",
    });
    let outputs = outputs.iter().enumerate().map(|(index, name)| FormalParameter {
        name: leak_text(name),
        ty: ParameterType::Variable(first_output + index),
        option: if index == 0 { ParameterOption::Single } else { ParameterOption::Optional },
        homogeneous: true,
        min_arity: 1,
        doc: "",
    });
    let attributes = attributes.into_iter().map(|(name, kind, required, default)| {
        let kind = AttributeKind::from_number(kind).ok_or_else(|| format!("`{name}` has no kind of attribute"))?;
        let default = default.map(|default| default.value(kind));
        Ok(Attribute {
            name: leak_text(&name),
            kind,
            required,
            default,
            values: &[],
            min: None,
            max: None,
            legacy: false,
            doc: "",
        })
    });
    Ok(Schema {
        domain,
        name,
        since_version,
        summary: leak_text(doc),
        attributes: leak(attributes.collect::<Result<_, String>>()?),
        inputs: leak(inputs.collect()),
        outputs: leak(outputs.collect()),
        types,
        ..Schema::EMPTY
    })
}

/// Tensors of all element types, sequences and optionals of them.
fn any_type() -> TypeSet {
    let tensors: Vec<DataType> = DataType::all().collect();
    let tensors = TypeSet::new(&tensors);
    let sequences = tensors.in_sequences();
    tensors.union(sequences).union(tensors.union(sequences).in_optionals())
}

/// Where the type of an output comes from: an element type, or the first input.
fn source(of: Option<&str>) -> Result<&'static [TypeSource], String> {
    let of = match of {
        None => TypeOf::Input(0),
        Some(name) => {
            let element = DataType::from_name(name).ok_or_else(|| format!("`{name}` is not an element type"))?;
            TypeOf::Type(Type::tensor(element))
        }
    };
    Ok(leak(vec![TypeSource { of, condition: None }]))
}
