//! Checks a node against its schema: one generic check over the tables, for every operator.
//!
//! Nothing here allocates. A closure receives all problems, one after the other.

use crate::node::{AttributeValue, NodeAttribute};
use crate::problem::{Problem, Side};
use crate::schema::{Attribute, FormalParameter, ParameterType, Schema, arity};
use crate::types::Type;

/// Reports everything that is wrong with the attributes of a node.
pub fn attributes<'a>(schema: &'static Schema, given: &[NodeAttribute<'a>], report: &mut dyn FnMut(Problem<'a>)) {
    let mut met = 0;
    for (index, found) in given.iter().enumerate() {
        match of_version(schema, given, index, &mut met) {
            Ok(Some(attribute)) => value(attribute, found).unwrap_or_else(&mut *report),
            Ok(None) => {}
            Err(problem @ Problem::AttributeDuplicate { .. }) => {
                report(problem);
                continue;
            }
            Err(problem) => report(problem),
        }
        if !found.has_value {
            report(Problem::AttributeNoValue { name: found.name, kind: found.value.kind() });
        }
    }
    for attribute in schema.attributes.iter().filter(|attribute| attribute.required) {
        if !given.iter().any(|given| given.name == attribute.name) {
            report(Problem::AttributeMissing { attribute });
        }
    }
}

/// The attribute of the version that an attribute of a node is; `None` for another one, where it may have others. `met` has a
/// bit for each that was met before, so that a node with any number of attributes is walked once.
fn of_version<'a>(
    schema: &'static Schema,
    given: &[NodeAttribute<'a>],
    index: usize,
    met: &mut u128,
) -> Result<Option<&'static Attribute>, Problem<'a>> {
    let name = given.get(index).map_or("", |found| found.name);
    let at = schema.attributes.iter().position(|attribute| attribute.name == name);
    let Some((at, attribute)) = at.and_then(|at| Some((at, schema.attributes.get(at)?))) else {
        if schema.other_attributes {
            return Ok(None);
        }
        return Err(Problem::AttributeUnknown {
            name,
            operator: schema.name,
            since_version: schema.since_version,
            attributes: schema.attributes,
        });
    };
    let bit = u32::try_from(at).ok().and_then(|at| 1_u128.checked_shl(at));
    let again = match bit {
        Some(bit) => *met & bit != 0,
        None => given.iter().take(index).any(|other| other.name == name),
    };
    *met |= bit.unwrap_or(0);
    if again { Err(Problem::AttributeDuplicate { name }) } else { Ok(Some(attribute)) }
}

/// The first attribute of a node that the version does not have, or that appears twice.
///
/// # Errors
/// It, as a problem.
///
/// ```
/// # #[cfg(feature = "ai-onnx")] {
/// use shape_core::node::{AttributeValue, NodeAttribute};
/// use shape_core::{Registry, check};
/// let start = NodeAttribute::new("start", AttributeValue::Int(1));
/// let [shape13, shape15] = [13, 15].map(|opset| Registry::builtin().resolve("", "Shape", opset).unwrap());
/// assert!(check::names(shape15, &[start]).is_ok());
/// assert_eq!(check::names(shape15, &[start; 2]).unwrap_err().to_string(), "the attribute `start` appears twice");
/// assert_eq!(check::names(shape13, &[start]).unwrap_err().to_string(), "Shape-13 has no attribute `start`");
/// # }
/// ```
pub fn names<'a>(schema: &'static Schema, given: &[NodeAttribute<'a>]) -> Result<(), Problem<'a>> {
    let mut met = 0;
    (0..given.len()).try_for_each(|index| of_version(schema, given, index, &mut met).map(drop))
}

/// Checks that an attribute has the kind of its schema and an allowed value.
pub fn value<'a>(attribute: &'static Attribute, found: &NodeAttribute<'a>) -> Result<(), Problem<'a>> {
    let kind = found.value.kind();
    if kind != attribute.kind {
        return Err(Problem::AttributeType { name: found.name, expected: attribute.kind, found: kind });
    }
    // The value that a function's caller passes is not known here.
    if attribute.allows(found.value) || matches!(found.value, AttributeValue::Other(_)) {
        Ok(())
    } else {
        Err(Problem::AttributeValue { attribute, found: found.value })
    }
}

/// Checks the number of inputs and outputs of a node, and that every required input is present.
///
/// `inputs` says of each input whether it is present, `outputs` is the number of outputs.
pub fn counts(schema: &'static Schema, inputs: &[bool], outputs: usize, report: &mut dyn FnMut(Problem<'static>)) {
    for (side, formal, found) in [(Side::Input, schema.inputs, inputs.len()), (Side::Output, schema.outputs, outputs)] {
        let (min, max) = arity(formal);
        if found < min || max.is_some_and(|max| found > max) {
            report(Problem::Count { side, min, max, found });
        }
    }
    for (index, given) in inputs.iter().enumerate() {
        if let Some(parameter) = schema.input(index)
            && !given
            && parameter.needs_value()
        {
            report(Problem::InputMissing { parameter, index });
        }
    }
}

/// Checks that a node has at most one of the attributes and inputs that exclude each other, and one if that is required.
///
/// `inputs` says of each input whether it is present.
pub fn exclusive(
    schema: &'static Schema,
    attributes: &[NodeAttribute<'_>],
    inputs: &[bool],
    report: &mut dyn FnMut(Problem<'static>),
) {
    let given = |name: &str| {
        let attribute = attributes.iter().find(|given| given.name == name);
        let default = || schema.attribute(name).and_then(|attribute| attribute.default);
        let at = schema.inputs.iter().position(|input| input.name == name);
        attribute.is_some_and(|given| Some(given.value) != default())
            || at.is_some_and(|at| inputs.get(at).copied().unwrap_or_default())
    };
    for exclusive in schema.exclusive {
        let mut names = exclusive.of.iter().copied().filter(|name| given(name));
        let given = [names.next(), names.next()];
        if given[1].is_some() || (exclusive.required && given[0].is_none()) {
            report(Problem::Exclusive { exclusive, given });
        }
    }
}

/// The maximum number of type variables; a descriptor with more is a compile error.
const MAX_TYPE_VARIABLES: usize = 16;

/// The types that the type variables of a version are bound to at a node.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bindings([Option<Type>; MAX_TYPE_VARIABLES]);

impl Bindings {
    /// The type of the variable at this index of [`Schema::types`], if an input or output binds it.
    #[must_use]
    pub fn get(&self, variable: usize) -> Option<Type> {
        self.0.get(variable).copied().flatten()
    }

    /// The type of a formal parameter, if it is fixed or its variable is bound.
    #[must_use]
    pub fn resolve(&self, parameter: &FormalParameter) -> Option<Type> {
        match parameter.ty {
            ParameterType::Fixed(ty) => Some(ty),
            ParameterType::Variable(_) if !parameter.homogeneous => None,
            // `types` binds a variable that allows only one type.
            ParameterType::Variable(variable) => self.get(variable),
        }
    }
}

/// Binds the type variables across all inputs and outputs of a node, and reports every type that does not fit.
///
/// A type that is not known (`None`) binds nothing and fits everywhere.
pub fn types(
    schema: &'static Schema,
    inputs: &[Option<Type>],
    outputs: &[Option<Type>],
    report: &mut dyn FnMut(Problem<'static>),
) -> Bindings {
    let mut bindings = Bindings::default();
    for (slot, constraint) in bindings.0.iter_mut().zip(schema.types) {
        if constraint.allow.len() == 1 {
            *slot = constraint.allow.iter().next();
        }
    }
    let values = |side, given: &'_ [Option<Type>]| {
        let given: &[Option<Type>] = given;
        (0..given.len()).map(move |index| (side, index))
    };
    for (side, index) in values(Side::Input, inputs).chain(values(Side::Output, outputs)) {
        let (parameter, found) = match side {
            Side::Input => (schema.input(index), inputs.get(index)),
            Side::Output => (schema.output(index), outputs.get(index)),
        };
        let (Some(parameter), Some(Some(found))) = (parameter, found.copied()) else { continue };
        match parameter.ty {
            ParameterType::Fixed(ty) if ty != found => {
                report(Problem::TypeNotAllowed { side, index, parameter, constraint: None, found });
            }
            ParameterType::Fixed(_) => {}
            ParameterType::Variable(variable) => {
                let Some(constraint) = schema.types.get(variable) else { continue };
                if !constraint.allow.contains(found) {
                    let constraint = Some(constraint);
                    report(Problem::TypeNotAllowed { side, index, parameter, constraint, found });
                } else if let Some(slot) = bindings.0.get_mut(variable).filter(|_| parameter.homogeneous) {
                    match *slot {
                        Some(bound) if bound != found => {
                            report(Problem::TypeMismatch { side, index, parameter, constraint, bound, found });
                        }
                        _ => *slot = Some(found),
                    }
                }
            }
        }
    }
    bindings
}
