//! Why a version has no valid node: which parts of its descriptor contradict each other.
//!
//! A search that finds nothing proves nothing, but it says where to look. Each part of the descriptor is left out in turn;
//! those without which there is a valid node are the ones that contradict each other.

use std::collections::HashMap;
use std::fmt;

use fastrand::Rng;
use shape_core::data_type::DataType;
use shape_core::node::{AttributeKind, AttributeValue};
use shape_core::registry::Registry;
use shape_core::rule::Expression;
use shape_core::schema::{Attribute, Claim, Exclusive, ParameterOption, Requirement, Schema, TypeConstraint};
use shape_core::types::{Type, TypeSet};

use super::draft::{Draft, allowed};
use super::judge::{Fault, Refused};
use super::search::{Around, watched};
use super::{body, change, model};

/// How often a valid node is looked for.
const SEARCHES: u64 = 4;
/// How many changes are tried each time at the version as it is, and without a part of it.
const BUDGET: usize = 30_000;
const BUDGET_WITHOUT: usize = 8_000;
/// How many contradictions are looked for that are independent of each other.
const MAX_CONTRADICTIONS: usize = 4;
/// The largest number that sizes and lengths are drawn up to.
const LARGEST: i64 = 64;

/// Why no valid node of a version was found.
#[derive(Clone, Debug)]
pub enum Obstacle {
    /// Each node has something that is not generated: an input or attribute with this name, a size that is as large as this
    /// relation says, or what its rules take.
    Unsupported(&'static str),
    /// These parts contradict each other: without any one of them there are valid nodes.
    Contradiction(Vec<Constraint>),
}

/// A part of a descriptor that nodes must meet.
#[derive(Clone, Copy, Debug)]
pub enum Constraint {
    /// A relation.
    Requirement(&'static Requirement),
    /// The values and bounds of an attribute.
    Bounds(&'static Attribute),
    /// The types that type variables may be bound to.
    Types(&'static [TypeConstraint]),
    /// Attributes and inputs that exclude each other.
    Exclusive(&'static Exclusive),
    /// The conditions that the rules of the outputs check.
    Rules,
}

/// Why no valid node of a version is found; `None` if there is one.
///
/// Where it is more than one contradiction, one of them is given. Every call that finds one leaks some hundred bytes, since
/// schemas live as long as the process.
///
/// ```
/// use shape_core::Registry;
/// use shape_model::generate::{Obstacle, obstacle};
/// let registry = Registry::builtin();
/// assert!(obstacle(registry, registry.resolve("", "Conv", 11).unwrap()).is_none());
/// let of_a_map = registry.resolve("ai.onnx.ml", "CastMap", 1).unwrap();
/// assert!(matches!(obstacle(registry, of_a_map), Some(Obstacle::Unsupported("X"))));
/// ```
#[must_use]
pub fn obstacle(registry: &Registry, schema: &'static Schema) -> Option<Obstacle> {
    if let Some(name) = unsupported(schema) {
        return Some(Obstacle::Unsupported(name));
    }
    let mut first = None;
    for seed in 0..SEARCHES {
        first = furthest(registry, schema, seed, BUDGET).err()?;
    }
    // Further contradictions are left out, so that the first one stands alone.
    let mut others = schema;
    for _ in 0..MAX_CONTRADICTIONS {
        let Some(part) = first else { break };
        let without = part.left_out(others);
        match furthest(registry, without, 0, BUDGET_WITHOUT) {
            Ok(()) => {
                // It is the answer, whatever else would have to go.
                if let Some(text) = large(&part) {
                    return Some(Obstacle::Unsupported(text));
                }
                let parts = constraints(others).into_iter();
                let needed = parts.filter(|part| furthest(registry, part.left_out(others), 0, BUDGET_WITHOUT).is_ok());
                return Some(of_parts(needed.collect(), part));
            }
            Err(next) => (others, first) = (without, next),
        }
    }
    Some(Obstacle::Unsupported("its rules"))
}

/// The parts that contradict each other, unless one of them asks for more than is generated.
fn of_parts(mut parts: Vec<Constraint>, last: Constraint) -> Obstacle {
    if parts.is_empty() {
        parts.push(last);
    }
    // What a rule alone refuses may be what a run could have.
    match (parts.iter().find_map(large), &*parts) {
        (Some(text), _) => Obstacle::Unsupported(text),
        (None, [Constraint::Rules]) => Obstacle::Unsupported("its rules"),
        (None, _) => Obstacle::Contradiction(parts),
    }
}

/// The part that refuses those nodes that come furthest, most often; an error without one where it is no such part. `Ok` if
/// there is a valid node.
fn furthest(registry: &Registry, schema: &'static Schema, seed: u64, budget: usize) -> Result<(), Option<Constraint>> {
    let passing = body::passing(registry, model::body_opset(registry, schema, schema.since_version));
    let complete = |draft: &mut Draft, rng: &mut Rng| {
        if let Some(passing) = passing {
            body::complete(draft, rng, passing);
        }
    };
    let mut met: HashMap<(usize, usize), (usize, Option<Constraint>)> = HashMap::new();
    let mut watch = |refused: &Refused| {
        let (number, part) = of_fault(schema, refused.fault);
        met.entry((refused.stage, number)).or_insert((0, part)).0 += 1;
    };
    let around = Around { complete: &complete, wanted: &|_| true };
    let found = watched(schema, &mut Rng::with_seed(seed), (&[], &[]), budget, &around, &mut watch);
    if found.is_some() {
        return Ok(());
    }
    let last = met.into_iter().max_by_key(|((stage, number), (count, _))| (*stage, *count, *number));
    Err(last.and_then(|(_, (_, part))| part))
}

/// The part of a descriptor that a fault is one of, with a number of its own.
fn of_fault(schema: &'static Schema, fault: Fault) -> (usize, Option<Constraint>) {
    match fault {
        Fault::Attribute(index) => (index, schema.attributes.get(index).map(Constraint::Bounds)),
        Fault::Exclusive(exclusive) => (0, Some(Constraint::Exclusive(exclusive))),
        Fault::Type => (0, Some(Constraint::Types(schema.types))),
        Fault::Requirement(requirement) => (0, Some(Constraint::Requirement(requirement))),
        Fault::Rule(_) => (0, Some(Constraint::Rules)),
        Fault::Count(_) | Fault::Large => (0, None),
    }
}

/// All parts of a version that may contradict each other.
fn constraints(schema: &'static Schema) -> Vec<Constraint> {
    let bounded =
        |attribute: &&Attribute| attribute.min.is_some() || attribute.max.is_some() || !attribute.values.is_empty();
    let mut parts: Vec<Constraint> = schema.requires.iter().map(Constraint::Requirement).collect();
    parts.extend(schema.attributes.iter().filter(bounded).map(Constraint::Bounds));
    parts.extend((!schema.types.is_empty()).then_some(Constraint::Types(schema.types)));
    parts.extend(schema.exclusive.iter().map(Constraint::Exclusive));
    parts.push(Constraint::Rules);
    parts
}

impl Constraint {
    /// The version without this part.
    fn left_out(self, schema: &'static Schema) -> &'static Schema {
        let mut without = *schema;
        match self {
            Self::Requirement(gone) => {
                // A relation with a group of no claims holds for each node.
                let held = |of: &Requirement| Requirement { alternatives: &[&[]], ..*of };
                without.requires = replaced(schema.requires, |of| of.text == gone.text, held);
            }
            Self::Bounds(gone) => {
                let free = |of: &Attribute| Attribute { min: None, max: None, values: &[], ..*of };
                without.attributes = replaced(schema.attributes, |of| of.name == gone.name, free);
            }
            Self::Types(_) => {
                let all: Vec<DataType> = DataType::all().collect();
                let any = |of: &TypeConstraint| TypeConstraint { allow: TypeSet::new(&all), ..*of };
                without.types = replaced(schema.types, |_| true, any);
            }
            Self::Exclusive(gone) => {
                let free = |_: &Exclusive| Exclusive { of: &[], required: false };
                without.exclusive = replaced(schema.exclusive, |of| of.of == gone.of, free);
            }
            Self::Rules => without.rules = &[],
        }
        Box::leak(Box::new(without))
    }

    /// The relation, if it is one.
    #[must_use]
    pub fn requirement(self) -> Option<&'static Requirement> {
        if let Self::Requirement(requirement) = self { Some(requirement) } else { None }
    }
}

/// A list in which some entries are others.
fn replaced<T: Copy>(list: &[T], is: impl Fn(&T) -> bool, other: impl Fn(&T) -> T) -> &'static [T] {
    let list: Vec<T> = list.iter().map(|entry| if is(entry) { other(entry) } else { *entry }).collect();
    Vec::leak(list)
}

/// An input or attribute that each node has and that is not generated.
fn unsupported(schema: &'static Schema) -> Option<&'static str> {
    let drawn = |ty: Type| change::value(&mut Rng::with_seed(0), ty, &[1]).is_some();
    let input = schema.inputs.iter().find(|formal| {
        let required = match formal.option {
            ParameterOption::Single => true,
            ParameterOption::Variadic => formal.min_arity > 0,
            ParameterOption::Optional => false,
        };
        required && !allowed(schema, formal).into_iter().any(drawn)
    });
    let attribute = schema.attributes.iter().find(|attribute| {
        let drawn = match attribute.kind {
            AttributeKind::Graph => schema.subgraphs.is_some(),
            AttributeKind::SparseTensor
            | AttributeKind::Tensors
            | AttributeKind::Graphs
            | AttributeKind::SparseTensors
            | AttributeKind::TypeProtos => false,
            _ => true,
        };
        attribute.required && !drawn
    });
    input.map(|formal| formal.name).or(attribute.map(|attribute| attribute.name))
}

/// The relation that a part is, if it asks for more than is generated.
fn large(part: &Constraint) -> Option<&'static str> {
    match part {
        Constraint::Requirement(requirement) if is_large(requirement) => Some(requirement.text),
        _ => None,
    }
}

/// Whether a relation compares a size or a length with a number that is larger than what is drawn.
fn is_large(requirement: &Requirement) -> bool {
    fn parts(expression: &Expression) -> (i64, bool) {
        match expression {
            Expression::Int(number) => (number.saturating_abs(), false),
            Expression::Axis(..)
            | Expression::AxisAt(..)
            | Expression::Rank(_)
            | Expression::Size(_)
            | Expression::Length(_) => (0, true),
            Expression::Operation(_, left, right) => {
                let (left, right) = (parts(left), parts(right));
                (left.0.max(right.0), left.1 || right.1)
            }
            _ => (0, false),
        }
    }
    let mut claims = requirement.alternatives.iter().copied().flatten();
    claims.any(|claim| match claim {
        Claim::Compare(left, _, right) => {
            let (left, right) = (parts(left), parts(right));
            left.0.max(right.0) > LARGEST && (left.1 || right.1)
        }
        _ => false,
    })
}

/// A part in words: `group >= 4`, `group` is at most 3, `T` is float or double.
impl fmt::Display for Constraint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        match self {
            Self::Requirement(requirement) => write!(formatter, "`{}`", requirement.text),
            Self::Bounds(Attribute { name, values, min, max, .. }) => {
                let value = |value: &AttributeValue<'_>| value.to_string();
                let values: Vec<String> = values.iter().map(value).collect();
                let said = [
                    (!values.is_empty()).then(|| format!("one of {}", values.join(", "))),
                    min.as_ref().map(|min| format!("at least {}", value(min))),
                    max.as_ref().map(|max| format!("at most {}", value(max))),
                ];
                write!(formatter, "`{name}` is {}", said.into_iter().flatten().collect::<Vec<_>>().join(" and "))
            }
            Self::Types(variables) => {
                let one = |of: &TypeConstraint| {
                    let types: Vec<String> = of.allow.iter().map(|ty| ty.to_string()).collect();
                    format!("`{}` is {}", of.name, types.join(" or "))
                };
                write!(formatter, "{}", variables.iter().map(one).collect::<Vec<_>>().join(", and "))
            }
            Self::Exclusive(Exclusive { of, required: true }) => {
                write!(formatter, "a node has one of {} and no other", quoted(of))
            }
            Self::Exclusive(Exclusive { of, required: false }) => {
                write!(formatter, "a node has at most one of {}", quoted(of))
            }
            Self::Rules => write!(formatter, "what the rules of the outputs take"),
        }
    }
}
