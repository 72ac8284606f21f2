//! The facets in which nodes of a version may differ, such as a type or a rank, and the choices of each.

use fastrand::Rng;
use shape_core::data_type::DataType;
use shape_core::node::AttributeKind;
use shape_core::node::AttributeValue;
use shape_core::rule::DimsRule;
use shape_core::schema::{Attribute, ParameterOption, Part, Schema};
use shape_core::types::Type;

use super::change::{self, MAX_RANK};
use super::draft::{Argument, Draft};
use super::numbers;

/// One thing in which nodes of a version may differ; each of its possibilities is a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Facet {
    /// The type that a type variable is bound to.
    Type(usize),
    /// The value of an attribute, by kinds of values.
    Attribute(usize),
    /// Whether the node has an optional input.
    Input(usize),
    /// Whether the node has an optional output.
    Output(usize),
    /// The rank of the first input.
    Rank,
    /// Whether a size of the first input is 0 or 1.
    Size,
    /// Which alternative of a rule gives the dimensions of an output.
    Branch(usize),
}

/// A value of an attribute, or a kind of them.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Choice {
    Absent,
    Is(AttributeValue<'static>),
    Negative,
    Positive,
    Given,
}

/// The element types that most runtimes know, the most common one first.
const COMMON: [DataType; 6] =
    [DataType::Float, DataType::Int64, DataType::Bool, DataType::Int32, DataType::Uint8, DataType::String];

/// The facets of a version.
pub(super) fn facets(schema: &Schema) -> Vec<Facet> {
    let mut facets = Vec::new();
    facets.extend((0..schema.types.len()).map(Facet::Type));
    facets.extend((0..schema.attributes.len()).map(Facet::Attribute));
    let optional = |of: &[shape_core::schema::FormalParameter]| -> Vec<usize> {
        let optional = of.iter().enumerate().filter(|(_, formal)| formal.option == ParameterOption::Optional);
        optional.map(|(index, _)| index).collect()
    };
    facets.extend(optional(schema.inputs).into_iter().map(Facet::Input));
    facets.extend(optional(schema.outputs).into_iter().map(Facet::Output));
    if !schema.inputs.is_empty() {
        facets.extend([Facet::Rank, Facet::Size]);
    }
    facets.extend((0..schema.rules.len()).map(Facet::Branch));
    facets.retain(|facet| facet.count(schema) > 1);
    facets
}

/// The choices of an attribute.
fn choices(attribute: &Attribute) -> Vec<Choice> {
    let mut choices = Vec::new();
    if !attribute.required {
        choices.push(Choice::Absent);
    }
    let named = |value: &AttributeValue<'static>| Choice::Is(*value);
    match attribute.kind {
        AttributeKind::Int | AttributeKind::Float | AttributeKind::String if !attribute.values.is_empty() => {
            choices.extend(attribute.values.iter().map(named));
        }
        AttributeKind::Int | AttributeKind::Float => {
            choices.extend(attribute.min.iter().map(named));
            choices.extend(attribute.max.iter().map(named));
            if attribute.min.is_none() {
                choices.push(Choice::Negative);
            }
            if attribute.max.is_none() {
                choices.push(Choice::Positive);
            }
        }
        _ => choices.push(Choice::Given),
    }
    choices
}

/// The sign of a number.
fn sign(value: AttributeValue<'_>) -> Choice {
    match value {
        AttributeValue::Int(..0) => Choice::Negative,
        AttributeValue::Float(number) if number < 0.0 => Choice::Negative,
        _ => Choice::Positive,
    }
}

impl Facet {
    /// How many choices it has.
    pub(super) fn count(self, schema: &Schema) -> usize {
        match self {
            Self::Type(variable) => schema.types.get(variable).map_or(0, |constraint| constraint.allow.len()),
            Self::Attribute(index) => schema.attributes.get(index).map_or(0, |attribute| choices(attribute).len()),
            Self::Input(_) | Self::Output(_) => 2,
            Self::Rank => MAX_RANK + 1,
            Self::Size => 3,
            Self::Branch(rule) => match schema.rules.get(rule).and_then(|rule| rule.dims) {
                Some(DimsRule::Alternatives(alternatives)) => alternatives.len(),
                _ => 1,
            },
        }
    }

    /// The choices that most nodes of models have, the most usual one first: a common type, what is optional left out.
    pub(super) fn usual(self, schema: &Schema) -> Vec<usize> {
        match self {
            Self::Type(variable) => {
                let Some(constraint) = schema.types.get(variable) else { return Vec::new() };
                let place = |ty: &DataType| constraint.allow.iter().position(|of| of == Type::tensor(*ty));
                COMMON.iter().find_map(place).into_iter().collect()
            }
            Self::Attribute(index) => {
                let optional = schema.attributes.get(index).is_some_and(|attribute| !attribute.required);
                optional.then_some(0).into_iter().collect()
            }
            Self::Input(_) | Self::Output(_) => vec![0],
            Self::Rank => vec![4, 3, 2, 1],
            Self::Size => vec![2],
            Self::Branch(_) => Vec::new(),
        }
    }

    /// The choice that a valid node has made, if it is one. `outputs` are the types of its outputs.
    pub(super) fn of(self, draft: &Draft, outputs: &[Option<Type>]) -> Option<usize> {
        let schema = draft.schema;
        match self {
            Self::Type(variable) => {
                let ty = change::bound(draft, variable).or_else(|| {
                    let output =
                        schema.outputs.iter().position(|formal| super::draft::variable(formal) == Some(variable))?;
                    outputs.get(output).copied().flatten()
                })?;
                schema.types.get(variable)?.allow.iter().position(|allowed| allowed == ty)
            }
            Self::Attribute(index) => {
                let choices = choices(schema.attributes.get(index)?);
                let found = draft.attributes.get(index)?.as_ref().map(Argument::view);
                let is = |choice: &Choice| match (choice, found) {
                    (Choice::Absent, found) => found.is_none(),
                    (Choice::Is(value), Some(found)) => *value == found,
                    (Choice::Given, found) => found.is_some(),
                    (_, None) => false,
                    (sign_of, Some(found)) => *sign_of == sign(found),
                };
                choices.iter().position(is)
            }
            Self::Input(index) => Some(usize::from(draft.value(index).is_some())),
            Self::Output(index) => Some(usize::from(draft.outputs.get(index).copied().unwrap_or_default())),
            Self::Rank => draft.value(0)?.dims().map(<[u64]>::len),
            Self::Size => {
                let dims = draft.value(0)?.dims()?;
                Some(if dims.contains(&0) {
                    0
                } else if dims.contains(&1) {
                    1
                } else {
                    2
                })
            }
            Self::Branch(rule) => match schema.rules.get(rule)?.dims? {
                DimsRule::Alternatives(alternatives) => {
                    let conditions: Vec<_> = alternatives.iter().map(|of| of.condition).collect();
                    numbers::chosen(draft, &conditions)
                }
                _ => Some(0),
            },
        }
    }

    /// Changes a node so that it makes a choice, if one change is enough.
    pub(super) fn choose(self, draft: &mut Draft, rng: &mut Rng, choice: usize) {
        let schema = draft.schema;
        match self {
            Self::Type(variable) => {
                if let Some(ty) = schema.types.get(variable).and_then(|of| of.allow.iter().nth(choice)) {
                    change::set_variable(draft, rng, variable, ty);
                }
            }
            Self::Attribute(index) => {
                let Some(attribute) = schema.attributes.get(index) else { return };
                let value = match choices(attribute).get(choice) {
                    None | Some(Choice::Absent) => None,
                    Some(Choice::Is(value)) => Argument::of(*value),
                    Some(Choice::Given) => change::argument(rng, draft, attribute),
                    Some(wanted) => {
                        let drawn = (0..16).filter_map(|_| change::argument(rng, draft, attribute));
                        drawn.into_iter().find(|argument| sign(argument.view()) == *wanted)
                    }
                };
                if let Some(slot) = draft.attributes.get_mut(index) {
                    *slot = value;
                }
            }
            Self::Input(index) => {
                change::give(draft, rng, Part::Input(index), choice == 1);
                while let Some(None) = draft.inputs.last() {
                    draft.inputs.pop();
                }
            }
            Self::Output(index) => {
                change::give(draft, rng, Part::Output(index), choice == 1);
                while draft.outputs.last() == Some(&false) {
                    draft.outputs.pop();
                }
            }
            Self::Rank => {
                let old = draft.value(0).and_then(|value| value.dims()).map(<[u64]>::len);
                for index in 0..draft.inputs.len() {
                    if index == 0 || draft.value(index).and_then(|value| value.dims()).map(<[u64]>::len) == old {
                        change::set_rank(draft, rng, index, choice);
                    }
                }
            }
            Self::Size => {
                let rank = draft.value(0).and_then(|value| value.dims()).map_or(0, <[u64]>::len);
                if rank > 0 {
                    let axis = rng.usize(..rank);
                    let size = u64::try_from(choice).unwrap_or(0);
                    for axis in if choice == 2 { 0..rank } else { axis..axis + 1 } {
                        change::set_dim(draft, rng, 0, axis, size);
                    }
                }
            }
            Self::Branch(_) => {}
        }
    }

    /// The facet and a choice, as text: `T=float`, `auto_pad=VALID`.
    pub(super) fn text(self, schema: &Schema, choice: usize) -> String {
        let given = |is: usize| if is == 1 { "given" } else { "absent" };
        match self {
            Self::Type(variable) => {
                let constraint = schema.types.get(variable);
                let ty = constraint.and_then(|constraint| constraint.allow.iter().nth(choice));
                let text = ty.map(|ty| ty.to_string()).unwrap_or_default();
                format!("{}={text}", constraint.map_or("", |constraint| constraint.name))
            }
            Self::Attribute(index) => {
                let attribute = schema.attributes.get(index);
                let choice = attribute.and_then(|attribute| choices(attribute).get(choice).copied());
                let text = match choice {
                    None | Some(Choice::Absent) => "absent".to_owned(),
                    Some(Choice::Is(value)) => value.to_string(),
                    Some(Choice::Negative) => "negative".to_owned(),
                    Some(Choice::Positive) => "0 or greater".to_owned(),
                    Some(Choice::Given) => "given".to_owned(),
                };
                format!("{}={text}", attribute.map_or("", |attribute| attribute.name))
            }
            Self::Input(index) => format!("{} {}", schema.input(index).map_or("", |of| of.name), given(choice)),
            Self::Output(index) => format!("{} {}", schema.output(index).map_or("", |of| of.name), given(choice)),
            Self::Rank => format!("rank {choice}"),
            Self::Size => ["with a size of 0", "with a size of 1", "with larger sizes"]
                .get(choice)
                .copied()
                .unwrap_or("")
                .to_owned(),
            Self::Branch(rule) => match schema.rules.get(rule).and_then(|rule| rule.dims) {
                Some(DimsRule::Alternatives(alternatives)) => {
                    let text = alternatives.get(choice).map_or("", |of| of.text);
                    if text.is_empty() { "otherwise".to_owned() } else { format!("if {text}") }
                }
                _ => String::new(),
            },
        }
    }
}
