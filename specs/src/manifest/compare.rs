//! What changed between two manifests, such as those of two releases of a runtime.

use std::collections::{BTreeMap, BTreeSet};

use super::entry::{Entry, Manifest};
use crate::operator::Operator;
use crate::tables::Type;

/// What changed between two manifests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The newest IR version, if it changed.
    pub ir_version: Option<(Option<u32>, Option<u32>)>,
    /// The newest opset of each domain where it changed.
    pub opsets: Vec<(String, Option<u32>, Option<u32>)>,
    /// The casts that the first one has and the second one has not, and the other way round, as in `float16 to float from opset 6`.
    pub casts: (Vec<String>, Vec<String>),
    /// The operators with changes, by domain and name.
    pub operators: Vec<Change>,
}

/// How the support of an operator changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The domain.
    pub domain: String,
    /// The operator.
    pub operator: String,
    /// Whether the first manifest has the operator.
    pub in_first: bool,
    /// Whether the second manifest has the operator.
    pub in_second: bool,
    /// The versions that only the second manifest has.
    pub added: Vec<u32>,
    /// The versions that only the first manifest has.
    pub removed: Vec<u32>,
    /// The types that were added or removed in versions that both have.
    pub types: Vec<TypeChange>,
}

/// The types that were added or removed for a type variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeChange {
    /// The versions; empty if they are not known.
    pub versions: Vec<u32>,
    /// The opsets with these types; `None` if they are all that select the version.
    pub opsets: Option<Vec<u32>>,
    /// The type variable; `None` if it is not known.
    pub variable: Option<String>,
    /// The types that only the second manifest has.
    pub added: Vec<Type>,
    /// The types that only the first manifest has. If both lists are empty, other combinations of types are supported.
    pub removed: Vec<Type>,
}

/// The part of an operator that types are compared in: a version, if it is known, and opsets.
type Part = (Option<u32>, Option<Vec<u32>>);

/// The types of each variable; `None` for one that is not known, or for all types.
type Types = BTreeMap<Option<String>, Option<BTreeSet<Type>>>;

/// Compares two manifests. `known` are the existing operators, which say what the versions are and which types their
/// variables may have.
#[must_use]
pub fn compare(first: &Manifest, second: &Manifest, known: &[Operator]) -> Comparison {
    let domains: BTreeSet<&String> = first.opsets.iter().chain(&second.opsets).map(|of| &of.domain).collect();
    let newest = |of: &Manifest, domain: &str| of.opsets.iter().find(|row| row.domain == domain).map(|row| row.newest);
    let opsets = domains.into_iter().map(|domain| (domain.clone(), newest(first, domain), newest(second, domain)));
    let casts = |of: &Manifest, other: &Manifest| {
        let only = of.casts.iter().filter(|cast| !other.casts.contains(cast));
        only.map(|cast| format!("{} to {} from opset {}", cast.from.name, cast.to.name, cast.since)).collect()
    };
    let mut entries: BTreeMap<(&str, &str), [Vec<&Entry>; 2]> = BTreeMap::new();
    for (side, manifest) in [first, second].into_iter().enumerate() {
        for entry in &manifest.entries {
            let sides = entries.entry((&entry.domain, &entry.operator)).or_default();
            if let Some(side) = sides.get_mut(side) {
                side.push(entry);
            }
        }
    }
    let change = |((domain, name), sides): ((&str, &str), [Vec<&Entry>; 2])| {
        let operator = known.iter().find(|operator| operator.domain == domain && operator.name == name);
        changes(domain, name, operator, &sides)
    };
    Comparison {
        ir_version: (first.ir_version != second.ir_version).then_some((first.ir_version, second.ir_version)),
        opsets: opsets.filter(|(_, from, to)| from != to).collect(),
        casts: (casts(first, second), casts(second, first)),
        operators: entries.into_iter().filter_map(change).collect(),
    }
}

fn changes(domain: &str, name: &str, operator: Option<&Operator>, sides: &[Vec<&Entry>; 2]) -> Option<Change> {
    let [first, second] = sides.each_ref().map(|entries| parts(operator, entries));
    let versions =
        |of: &BTreeMap<Part, Vec<&Entry>>| -> BTreeSet<u32> { of.keys().filter_map(|(since, _)| *since).collect() };
    let (before, after) = (versions(&first), versions(&second));
    let mut types: Vec<TypeChange> = Vec::new();
    let all: BTreeSet<&Part> = first.keys().chain(second.keys()).collect();
    let in_both = |since: Option<u32>| since.is_none_or(|since| before.contains(&since) && after.contains(&since));
    for part in all.into_iter().filter(|(since, _)| in_both(*since)) {
        // What holds in all opsets holds in some of them too.
        let whole: Part = (part.0, None);
        let side = |of: &BTreeMap<Part, Vec<&Entry>>| {
            let parts: BTreeSet<&Part> = BTreeSet::from([part, &whole]);
            let entries: Vec<&Entry> = parts.into_iter().filter_map(|part| of.get(part)).flatten().copied().collect();
            (!entries.is_empty()).then(|| of_variables(operator, part.0, &entries))
        };
        for change in type_changes(part, side(&first).as_ref(), side(&second).as_ref()) {
            let same = |other: &&mut TypeChange| {
                let facts =
                    |of: &TypeChange| (of.opsets.clone(), of.variable.clone(), of.added.clone(), of.removed.clone());
                facts(other) == facts(&change)
            };
            match types.iter_mut().find(same) {
                Some(known) => known.versions.extend(change.versions),
                None => types.push(change),
            }
        }
    }
    let change = Change {
        domain: domain.to_owned(),
        operator: name.to_owned(),
        in_first: !first.is_empty(),
        in_second: !second.is_empty(),
        added: after.difference(&before).copied().collect(),
        removed: before.difference(&after).copied().collect(),
        types,
    };
    let nothing = change.added.is_empty() && change.removed.is_empty() && change.types.is_empty();
    (!nothing || change.in_first != change.in_second).then_some(change)
}

/// The entries of each version and of the opsets in which they hold.
fn parts<'e>(operator: Option<&Operator>, entries: &[&'e Entry]) -> BTreeMap<Part, Vec<&'e Entry>> {
    let mut parts: BTreeMap<Part, Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        let versions: Vec<Option<u32>> = match (&entry.versions, operator) {
            (Some(versions), _) => versions.iter().copied().map(Some).collect(),
            (None, Some(operator)) => operator.versions.iter().map(|version| Some(version.since)).collect(),
            (None, None) => vec![None],
        };
        for since in versions {
            let selects = |opset: &u32| operator.is_none_or(|of| of.in_force(*opset).map(|of| of.since) == since);
            let opsets = entry.opsets.as_ref().map(|opsets| opsets.iter().copied().filter(selects).collect::<Vec<_>>());
            if opsets.as_ref().is_none_or(|opsets| !opsets.is_empty()) {
                parts.entry((since, opsets)).or_default().push(entry);
            }
        }
    }
    parts
}

/// The types that entries support of each variable of a version that leaves a choice.
fn of_variables(operator: Option<&Operator>, since: Option<u32>, entries: &[&Entry]) -> Types {
    let version = operator.and_then(|operator| operator.versions.iter().find(|version| Some(version.since) == since));
    let Some(version) = version else {
        let all: Option<Vec<&[Type]>> = entries.iter().map(|entry| entry.types.as_deref()).collect();
        return BTreeMap::from([(None, all.map(|lists| lists.into_iter().flatten().cloned().collect()))]);
    };
    let of_variable = |name: &str, allow: &[Type]| -> BTreeSet<Type> {
        let supports =
            |ty: &&Type| entries.iter().any(|entry| entry.types_of(name).is_none_or(|types| types.contains(ty)));
        allow.iter().filter(supports).cloned().collect()
    };
    let variables = version.types.iter().filter(|constraint| constraint.allow.len() > 1);
    variables.map(|of| (Some(of.name.clone()), Some(of_variable(&of.name, &of.allow)))).collect()
}

fn type_changes(part: &Part, first: Option<&Types>, second: Option<&Types>) -> Vec<TypeChange> {
    // What is not supported at all has no types.
    let none = |of: Option<&Types>, beside: Option<&Types>| match of {
        Some(types) => types.clone(),
        None => beside.into_iter().flatten().map(|(name, _)| (name.clone(), Some(BTreeSet::new()))).collect(),
    };
    let (before, after) = (none(first, second), none(second, first));
    let mut changes = Vec::new();
    for (variable, types) in &before {
        let (Some(types), Some(Some(others))) = (types, after.get(variable)) else { continue };
        if types != others {
            changes.push(TypeChange {
                versions: part.0.into_iter().collect(),
                opsets: part.1.clone(),
                variable: variable.clone(),
                added: others.difference(types).cloned().collect(),
                removed: types.difference(others).cloned().collect(),
            });
        }
    }
    changes
}
