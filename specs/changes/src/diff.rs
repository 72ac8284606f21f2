//! Compares versions of an operator.
//!
//! [`changes`] compares two versions; [`compare`] steps from one version to another. Both compare full versions, so
//! that a repeated fact is not a change.

use std::fmt;

use shape_specs::adapter::{Action, Way};
use shape_specs::document::{AttributeKind, Literal, SubgraphKind, SupportLevel};
use shape_specs::operator::{
    Attribute, Exclusive, Named, Operator, Parameter, Presence, Range, Requirement, TypeConstraint, Version, listed,
};
use shape_specs::rules::{Argument, Call, DimsRule, OutputRule};
use shape_specs::tables::Type;

/// One change from a version to another.
///
/// Its `Display` is a readable clause, [`Change::kind`] the stable name of the kind of change.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// The meaning changed in one of the versions, in the descriptor's words.
    Semantics {
        /// The version that introduced the change: the newer one.
        since: u32,
        /// The description of the change.
        says: String,
    },
    /// An attribute was replaced by an input with the same name.
    AttributeBecameInput {
        /// The old attribute.
        attribute: Attribute,
        /// The new input.
        input: Formal,
    },
    /// An input was replaced by an attribute with the same name.
    InputBecameAttribute {
        /// The old input.
        input: Formal,
        /// The new attribute.
        attribute: Attribute,
    },
    /// An attribute was added.
    AttributeAdded(Attribute),
    /// An attribute was removed.
    AttributeRemoved(Attribute),
    /// The kind of an attribute changed.
    AttributeKind(Both<AttributeKind>),
    /// Whether an attribute is required, optional or has a default changed, or the default did.
    AttributePresence(Both<Presence>),
    /// The allowed values of an attribute changed; empty if all are allowed.
    AttributeValues(Both<Vec<Literal>>),
    /// The bounds of an attribute, or of each of its elements, changed.
    AttributeRange(Both<Range>),
    /// Attributes or inputs now exclude each other.
    ExclusiveAdded(Exclusive),
    /// Attributes or inputs no longer exclude each other.
    ExclusiveRemoved(Exclusive),
    /// A node must now meet a relation.
    RequirementAdded(Requirement),
    /// A node need no longer meet a relation.
    RequirementRemoved(Requirement),
    /// The rule of an output changed, in the descriptor's words; `None` without a rule.
    OutputRule(Both<Option<String>>),
    /// Whether an attribute is a legacy one without meaning changed.
    AttributeLegacy(Both<bool>),
    /// An input or output was added.
    ParameterAdded(Side, Formal),
    /// An input or output was removed.
    ParameterRemoved(Side, Formal),
    /// The type or type variable of an input or output changed.
    ParameterType(Side, Both<String>),
    /// Whether an input or output is single, optional or variadic changed.
    ParameterOption(Side, Both<&'static str>),
    /// Whether the values of a variadic input or output share a type changed.
    ParameterHomogeneous(Side, Both<bool>),
    /// The minimum number of values of a variadic input or output changed.
    ParameterArity(Side, Both<u32>),
    /// The index of an input or output changed, among those that both versions have, counted from 0.
    ParameterPlace(Side, Both<usize>),
    /// A type variable was added.
    TypeVariableAdded(TypeConstraint),
    /// A type variable was removed.
    TypeVariableRemoved(TypeConstraint),
    /// A type variable allows more types.
    TypesWidened {
        /// The variable.
        variable: String,
        /// The added types.
        by: Vec<Type>,
    },
    /// A type variable allows fewer types.
    TypesNarrowed {
        /// The variable.
        variable: String,
        /// The removed types.
        by: Vec<Type>,
    },
    /// Whether ONNX deprecates the operator changed; contains the new value.
    Deprecated(bool),
    /// ONNX's support level changed.
    SupportLevel {
        /// The old level.
        before: SupportLevel,
        /// The new level.
        after: SupportLevel,
    },
    /// Whether ONNX defines it as a function of other operators changed; contains the new value.
    Function(bool),
    /// Whether the reference implementation infers shapes for it changed; contains the new value.
    ShapeInference(bool),
    /// Whether the same inputs always produce the same outputs changed; contains the new value.
    Deterministic(bool),
    /// Whether a node may have attributes that are not listed changed; contains the new value.
    OtherAttributes(bool),
    /// How the graphs in its attributes correspond to its nodes changed.
    Subgraphs {
        /// The old correspondence.
        before: Option<SubgraphKind>,
        /// The new correspondence.
        after: Option<SubgraphKind>,
    },
    /// What a conversion in this direction does beyond what the facts say, in a few words.
    Conversion {
        /// What is done.
        does: String,
    },
    /// Only the documentation changed.
    Documentation,
}

/// The old and the new value of something with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Both<T> {
    /// The name.
    pub name: String,
    /// The old value.
    pub before: T,
    /// The new value.
    pub after: T,
}

/// A formal parameter with its type as text, so that it can be displayed without its version.
#[derive(Clone, Debug, PartialEq)]
pub struct Formal {
    /// The parameter.
    pub parameter: Parameter,
    /// Its type variable or its type: `T`, `tensor(int64)`.
    pub ty: String,
    /// The facts about it in one line: `T, optional`.
    pub facts: String,
}

/// Inputs or outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The inputs.
    Input,
    /// The outputs.
    Output,
}

impl Side {
    /// `input` or `output`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
        }
    }
}

/// The changes from one version to another, which may be older; the most important ones first.
///
/// Empty if both are the same version; only [`Change::Documentation`] if all facts are the same.
///
/// ```
/// let operators = shape_specs::builtin()?;
/// let shape = operators.iter().find(|operator| operator.name == "Shape").unwrap();
/// let (old, new) = (shape.in_force(1).unwrap(), shape.in_force(13).unwrap());
/// let changes = shape_changes::diff::changes(old, new);
/// assert_eq!(changes[0].to_string(), "types of T widened by bfloat16");
/// assert_eq!(shape_changes::diff::changes(new, old)[0].kind(), "types-narrowed");
/// # Ok::<(), shape_specs::SpecErrors>(())
/// ```
#[must_use]
pub fn changes(before: &Version, after: &Version) -> Vec<Change> {
    if before.since == after.since {
        return Vec::new();
    }
    let newer = if before.since < after.since { after } else { before };
    let semantics = newer.semantics.iter().map(|says| Change::Semantics { since: newer.since, says: says.clone() });
    let mut changes: Vec<Change> = semantics.collect();
    changes.append(&mut facts(before, after));
    changes.extend(conversion(before, after));
    if changes.is_empty() {
        changes.push(Change::Documentation);
    }
    changes
}

/// The actions of the newer version's adapter that are for this direction.
fn conversion(before: &Version, after: &Version) -> Vec<Change> {
    let (newer, way) = if before.since < after.since { (after, Way::Up) } else { (before, Way::Down) };
    let actions = newer.adapter.iter().flatten().filter(move |action| action.way.is_none_or(|of| of == way));
    let does = |action: &Action| Action { way: None, ..action.clone() }.to_string();
    actions.map(|action| Change::Conversion { does: does(action) }).collect()
}

/// The changes from one version of an operator to another, step by step.
#[derive(Clone, Debug)]
pub struct Comparison<'o> {
    /// The steps between neighbouring versions.
    pub steps: Vec<Step<'o>>,
    /// The changes in total, without those that a later step reverts.
    pub overall: Vec<Change>,
}

/// A step from a version to its neighbour.
#[derive(Clone, Debug)]
pub struct Step<'o> {
    /// The version before the step.
    pub before: &'o Version,
    /// The version after the step.
    pub after: &'o Version,
    /// The changes of the step.
    pub changes: Vec<Change>,
}

/// Compares two versions of an operator, step by step through those between them, upwards or downwards.
#[must_use]
pub fn compare<'o>(operator: &'o Operator, from: &'o Version, to: &'o Version) -> Comparison<'o> {
    let (low, high) = (from.since.min(to.since), from.since.max(to.since));
    let mut way: Vec<&Version> =
        operator.versions.iter().filter(|version| (low..=high).contains(&version.since)).collect();
    if from.since > to.since {
        way.reverse();
    }
    let steps: Vec<Step<'o>> = way
        .windows(2)
        .filter_map(|pair| match pair {
            [before, after] => Some(Step { before, after, changes: changes(before, after) }),
            _ => None,
        })
        .collect();
    let of_steps = || steps.iter().flat_map(|step| &step.changes);
    let mut overall: Vec<Change> =
        of_steps().filter(|change| matches!(change, Change::Semantics { .. })).cloned().collect();
    overall.append(&mut facts(from, to));
    overall.extend(of_steps().filter(|change| matches!(change, Change::Conversion { .. })).cloned());
    if overall.is_empty() && !steps.is_empty() && of_steps().all(|change| *change == Change::Documentation) {
        overall.push(Change::Documentation);
    }
    Comparison { steps, overall }
}

/// The changes of facts alone: the same whether a new version made them or a release of a runtime in place.
#[must_use]
pub fn facts(before: &Version, after: &Version) -> Vec<Change> {
    let mut changes = Vec::new();
    attributes(before, after, &mut changes);
    for side in [Side::Input, Side::Output] {
        parameters(side, before, after, &mut changes);
    }
    types(before, after, &mut changes);
    rules(before, after, &mut changes);
    for (was, is, change) in [
        (before.deprecated, after.deprecated, Change::Deprecated as fn(bool) -> Change),
        (before.function, after.function, Change::Function),
        (before.shape_inference, after.shape_inference, Change::ShapeInference),
        (before.deterministic, after.deterministic, Change::Deterministic),
        (before.other_attributes, after.other_attributes, Change::OtherAttributes),
    ] {
        changes.extend((was != is).then(|| change(is)));
    }
    if before.support_level != after.support_level {
        changes.push(Change::SupportLevel { before: before.support_level, after: after.support_level });
    }
    if before.subgraphs != after.subgraphs {
        changes.push(Change::Subgraphs { before: before.subgraphs, after: after.subgraphs });
    }
    changes
}

fn find<'v, T: Named>(list: &'v [T], name: &str) -> Option<&'v T> {
    list.iter().find(|item| item.name() == name)
}

fn both<T: PartialEq>(name: &str, before: T, after: T) -> Option<Both<T>> {
    (before != after).then(|| Both { name: name.to_owned(), before, after })
}

fn formal(version: &Version, parameter: &Parameter) -> Formal {
    let (ty, facts) = (version.type_text(parameter), version.parameter_facts(parameter));
    Formal { parameter: parameter.clone(), ty, facts }
}

/// The input of one version that replaces an attribute of the other one.
fn as_input<'v>(attribute: &Attribute, with: &Version, without: &'v Version) -> Option<&'v Parameter> {
    let name = &attribute.name;
    let moved = find(&with.inputs, name).is_none() && find(&without.attributes, name).is_none();
    find(&without.inputs, name).filter(|_| moved)
}

fn attributes(before: &Version, after: &Version, changes: &mut Vec<Change>) {
    for old in &before.attributes {
        let Some(new) = find(&after.attributes, &old.name) else {
            changes.push(match as_input(old, before, after) {
                Some(input) => Change::AttributeBecameInput { attribute: old.clone(), input: formal(after, input) },
                None => Change::AttributeRemoved(old.clone()),
            });
            continue;
        };
        changes.extend(both(&old.name, old.kind, new.kind).map(Change::AttributeKind));
        changes.extend(both(&old.name, old.presence(), new.presence()).map(Change::AttributePresence));
        changes.extend(both(&old.name, old.values.clone(), new.values.clone()).map(Change::AttributeValues));
        changes.extend(both(&old.name, old.range.clone(), new.range.clone()).map(Change::AttributeRange));
        changes.extend(both(&old.name, old.legacy, new.legacy).map(Change::AttributeLegacy));
    }
    for new in after.attributes.iter().filter(|new| find(&before.attributes, &new.name).is_none()) {
        changes.push(match as_input(new, after, before) {
            Some(input) => Change::InputBecameAttribute { input: formal(before, input), attribute: new.clone() },
            None => Change::AttributeAdded(new.clone()),
        });
    }
}

fn parameters(side: Side, before: &Version, after: &Version, changes: &mut Vec<Change>) {
    let list = |version| {
        let version: &Version = version;
        match side {
            Side::Input => &version.inputs,
            Side::Output => &version.outputs,
        }
    };
    let (old_list, new_list) = (list(before), list(after));
    // A change that was reported for the attribute is not repeated for the input.
    let reported = |parameter: &Parameter, with: &Version, without: &Version| {
        let attribute = find(&without.attributes, &parameter.name);
        side == Side::Input && attribute.is_some_and(|attribute| as_input(attribute, without, with).is_some())
    };
    for old in old_list {
        if find(new_list, &old.name).is_none() && !reported(old, before, after) {
            changes.push(Change::ParameterRemoved(side, formal(before, old)));
        }
    }
    let index = |of: &Parameter, list: &[Parameter], other: &[Parameter]| {
        list.iter().filter(|kept| find(other, &kept.name).is_some()).position(|kept| kept.name == of.name)
    };
    for new in new_list {
        let name = &new.name;
        let Some(old) = find(old_list, name) else {
            if !reported(new, after, before) {
                changes.push(Change::ParameterAdded(side, formal(after, new)));
            }
            continue;
        };
        let types = both(name, before.type_text(old), after.type_text(new));
        changes.extend(types.map(|both| Change::ParameterType(side, both)));
        let options = both(name, old.option.name(), new.option.name());
        changes.extend(options.map(|both| Change::ParameterOption(side, both)));
        let homogeneous = both(name, old.homogeneous, new.homogeneous);
        changes.extend(homogeneous.map(|both| Change::ParameterHomogeneous(side, both)));
        let arity = both(name, old.min_arity, new.min_arity);
        changes.extend(arity.map(|both| Change::ParameterArity(side, both)));
        if let (Some(was), Some(is)) = (index(old, old_list, new_list), index(new, new_list, old_list)) {
            changes.extend(both(name, was, is).map(|both| Change::ParameterPlace(side, both)));
        }
    }
}

fn types(before: &Version, after: &Version, changes: &mut Vec<Change>) {
    for old in &before.types {
        let Some(new) = find(&after.types, &old.name) else {
            changes.push(Change::TypeVariableRemoved(old.clone()));
            continue;
        };
        let only = |these: &[Type], those: &[Type]| -> Vec<Type> {
            these.iter().filter(|ty| !those.contains(ty)).cloned().collect()
        };
        let (more, less) = (only(&new.allow, &old.allow), only(&old.allow, &new.allow));
        let variable = || old.name.clone();
        if !more.is_empty() {
            changes.push(Change::TypesWidened { variable: variable(), by: more });
        }
        if !less.is_empty() {
            changes.push(Change::TypesNarrowed { variable: variable(), by: less });
        }
    }
    for new in after.types.iter().filter(|new| find(&before.types, &new.name).is_none()) {
        changes.push(Change::TypeVariableAdded(new.clone()));
    }
}

fn rules(before: &Version, after: &Version, changes: &mut Vec<Change>) {
    let only = |these: &Version, those: &Version| -> Vec<Exclusive> {
        these.exclusive.iter().filter(|exclusive| !those.exclusive.contains(exclusive)).cloned().collect()
    };
    changes.extend(only(before, after).into_iter().map(Change::ExclusiveRemoved));
    changes.extend(only(after, before).into_iter().map(Change::ExclusiveAdded));
    let only = |these: &Version, those: &Version| -> Vec<Requirement> {
        let known = |text: &str| those.requires.iter().any(|requirement| requirement.text == text);
        these.requires.iter().filter(|requirement| !known(&requirement.text)).cloned().collect()
    };
    changes.extend(only(before, after).into_iter().map(Change::RequirementRemoved));
    changes.extend(only(after, before).into_iter().map(Change::RequirementAdded));
    // Outputs that were added or removed are already reported.
    for output in after.outputs.iter().filter(|output| find(&before.outputs, &output.name).is_some()) {
        let rule = |version: &'_ Version| find(&version.rules, &output.name).cloned();
        let (old, new) = (rule(before), rule(after));
        if old.as_ref().zip(new.as_ref()).is_some_and(|(old, new)| is_implied((before, old), (after, new))) {
            continue;
        }
        let words = |rule: Option<OutputRule>| rule.map(|rule| rule.to_string());
        changes.extend(both(&output.name, words(old), words(new)).map(Change::OutputRule));
    }
}

/// Whether two rules differ at most in arguments that were added or removed together with their attribute or input.
fn is_implied((before, old): (&Version, &OutputRule), (after, new): (&Version, &OutputRule)) -> bool {
    let has = |version: &Version, argument: &Argument| match argument.name() {
        Some(name) => find(&version.attributes, name).is_some() || find(&version.inputs, name).is_some(),
        None => *argument != Argument::Absent,
    };
    let same = |one: Option<&Call>, other: Option<&Call>| match (one, other) {
        (Some(one), Some(other)) => {
            let new_in = |call: &Call, other: &Call, version: &Version| {
                call.arguments.iter().all(|argument| other.arguments.contains(argument) || !has(version, argument))
            };
            one.rule == other.rule && new_in(other, one, before) && new_in(one, other, after)
        }
        (None, None) => true,
        _ => false,
    };
    let same_dims = match (&old.dims, &new.dims) {
        (Some(DimsRule::Call(old)), Some(DimsRule::Call(new))) => same(Some(old), Some(new)),
        (old, new) => old == new,
    };
    old.types == new.types
        && same_dims
        && same(old.elements.as_ref(), new.elements.as_ref())
        && old.multiply_adds == new.multiply_adds
}

impl Change {
    /// The same change without the documentation of added and removed parts.
    pub(crate) fn without_doc(&self) -> Self {
        let mut change = self.clone();
        match &mut change {
            Self::AttributeBecameInput { attribute, input } | Self::InputBecameAttribute { input, attribute } => {
                attribute.doc.clear();
                input.parameter.doc.clear();
            }
            Self::AttributeAdded(attribute) | Self::AttributeRemoved(attribute) => attribute.doc.clear(),
            Self::ParameterAdded(_, formal) | Self::ParameterRemoved(_, formal) => formal.parameter.doc.clear(),
            Self::TypeVariableAdded(variable) | Self::TypeVariableRemoved(variable) => variable.doc.clear(),
            _ => {}
        }
        change
    }

    /// The kind of change. A name is stable: it is never changed or reused.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Semantics { .. } => "semantics",
            Self::Conversion { .. } => "conversion",
            Self::AttributeBecameInput { .. } => "attribute-became-input",
            Self::InputBecameAttribute { .. } => "input-became-attribute",
            Self::AttributeAdded(_) => "attribute-added",
            Self::AttributeRemoved(_) => "attribute-removed",
            Self::AttributeKind(_) => "attribute-kind",
            Self::AttributePresence(_) => "attribute-presence",
            Self::AttributeValues(_) => "attribute-values",
            Self::AttributeRange(_) => "attribute-range",
            Self::AttributeLegacy(_) => "attribute-legacy",
            Self::ExclusiveAdded(_) => "exclusive-added",
            Self::ExclusiveRemoved(_) => "exclusive-removed",
            Self::RequirementAdded(_) => "requirement-added",
            Self::RequirementRemoved(_) => "requirement-removed",
            Self::OutputRule(_) => "output-rule",
            Self::ParameterAdded(Side::Input, _) => "input-added",
            Self::ParameterAdded(Side::Output, _) => "output-added",
            Self::ParameterRemoved(Side::Input, _) => "input-removed",
            Self::ParameterRemoved(Side::Output, _) => "output-removed",
            Self::ParameterType(Side::Input, _) => "input-type",
            Self::ParameterType(Side::Output, _) => "output-type",
            Self::ParameterOption(Side::Input, _) => "input-option",
            Self::ParameterOption(Side::Output, _) => "output-option",
            Self::ParameterHomogeneous(Side::Input, _) => "input-homogeneous",
            Self::ParameterHomogeneous(Side::Output, _) => "output-homogeneous",
            Self::ParameterArity(Side::Input, _) => "input-arity",
            Self::ParameterArity(Side::Output, _) => "output-arity",
            Self::ParameterPlace(Side::Input, _) => "input-place",
            Self::ParameterPlace(Side::Output, _) => "output-place",
            Self::TypeVariableAdded(_) => "type-variable-added",
            Self::TypeVariableRemoved(_) => "type-variable-removed",
            Self::TypesWidened { .. } => "types-widened",
            Self::TypesNarrowed { .. } => "types-narrowed",
            Self::Deprecated(_) => "deprecated",
            Self::SupportLevel { .. } => "support-level",
            Self::Function(_) => "function",
            Self::ShapeInference(_) => "shape-inference",
            Self::Deterministic(_) => "deterministic",
            Self::OtherAttributes(_) => "other-attributes",
            Self::Subgraphs { .. } => "subgraphs",
            Self::Documentation => "documentation",
        }
    }

    /// The name of the affected attribute, input, output or type variable.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::AttributeBecameInput { attribute, .. }
            | Self::InputBecameAttribute { attribute, .. }
            | Self::AttributeAdded(attribute)
            | Self::AttributeRemoved(attribute) => Some(&attribute.name),
            Self::AttributeKind(both) => Some(&both.name),
            Self::AttributePresence(both) => Some(&both.name),
            Self::AttributeValues(both) => Some(&both.name),
            Self::AttributeRange(both) => Some(&both.name),
            Self::AttributeLegacy(both) => Some(&both.name),
            Self::OutputRule(both) => Some(&both.name),
            Self::ParameterAdded(_, formal) | Self::ParameterRemoved(_, formal) => Some(&formal.parameter.name),
            Self::ParameterType(_, both) => Some(&both.name),
            Self::ParameterOption(_, both) => Some(&both.name),
            Self::ParameterHomogeneous(_, both) => Some(&both.name),
            Self::ParameterArity(_, both) => Some(&both.name),
            Self::ParameterPlace(_, both) => Some(&both.name),
            Self::TypeVariableAdded(constraint) | Self::TypeVariableRemoved(constraint) => Some(&constraint.name),
            Self::TypesWidened { variable, .. } | Self::TypesNarrowed { variable, .. } => Some(variable),
            Self::Semantics { .. }
            | Self::Conversion { .. }
            | Self::ExclusiveAdded(_)
            | Self::ExclusiveRemoved(_)
            | Self::RequirementAdded(_)
            | Self::RequirementRemoved(_)
            | Self::Deprecated(_)
            | Self::SupportLevel { .. }
            | Self::Subgraphs { .. }
            | Self::Function(_)
            | Self::ShapeInference(_)
            | Self::Deterministic(_)
            | Self::OtherAttributes(_)
            | Self::Documentation => None,
        }
    }
}

/// Types in the syntax of descriptors: `float` for a tensor of it. Element types that occur in several forms are not
/// repeated: `float, double; seq(tensor(*)) of these`.
fn words(types: &[Type]) -> String {
    let mut forms: Vec<(String, Vec<&str>)> = Vec::new();
    for ty in types {
        let (form, element) = form(ty);
        match forms.iter_mut().find(|(known, _)| *known == form) {
            Some((_, elements)) => elements.push(element),
            None => forms.push((form, vec![element])),
        }
    }
    let mut text = String::new();
    let mut before: Option<(&str, &[&str])> = None;
    for (form, elements) in &forms {
        let same = before.is_some_and(|(_, same)| same == elements);
        let lists = |(form, elements): (&str, &[&str])| form != "*" && elements.len() > 1;
        text.push_str(match before {
            None => "",
            Some(before) if lists(before) || lists((form, elements)) => "; ",
            Some(_) => ", ",
        });
        text.push_str(&match &**elements {
            [one] => form.replace('*', one),
            list if form == "*" => list.join(", "),
            _ if same => format!("{form} of these"),
            list => format!("{form} of {}", list.join(", ")),
        });
        before = Some((form, elements));
    }
    text
}

/// The form of a type in the syntax of descriptors, with a star for its element type (for a map, that of its values),
/// and that element type.
fn form(ty: &Type) -> (String, &str) {
    fn inner(ty: &Type) -> (String, &str) {
        match ty {
            Type::Tensor(element) => ("tensor(*)".to_owned(), &element.name),
            other => form(other),
        }
    }
    match ty {
        Type::Tensor(element) => ("*".to_owned(), &element.name),
        Type::SparseTensor(element) => ("sparse_tensor(*)".to_owned(), &element.name),
        Type::Sequence(of) => {
            let (of, element) = inner(of);
            (format!("seq({of})"), element)
        }
        Type::Optional(of) => {
            let (of, element) = inner(of);
            (format!("optional({of})"), element)
        }
        // ONNX abbreviates a map to tensors: `map(int64, float)`.
        Type::Map(key, of) => {
            let (of, element) = form(of);
            (format!("map({}, {of})", key.name), element)
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = |values: &[Literal]| if values.is_empty() { "any".to_owned() } else { listed(values) };
        match self {
            Self::Semantics { says, .. } => write!(f, "semantics: {says}"),
            Self::Conversion { does, .. } => write!(f, "conversion: {does}"),
            Self::AttributeBecameInput { attribute, input } => {
                write!(f, "attribute {} became an input: {} -> {}", attribute.name, attribute.facts(), input.facts)
            }
            Self::InputBecameAttribute { input, attribute } => {
                write!(f, "input {} became an attribute: {} -> {}", attribute.name, input.facts, attribute.facts())
            }
            Self::AttributeAdded(attribute) => write!(f, "attribute {} added: {}", attribute.name, attribute.facts()),
            Self::AttributeRemoved(attribute) => {
                write!(f, "attribute {} removed: {}", attribute.name, attribute.facts())
            }
            Self::AttributeKind(Both { name, before, after }) => {
                write!(f, "attribute {name} is of another kind: {} -> {}", before.name(), after.name())
            }
            Self::AttributePresence(Both { name, before, after }) => {
                let what = match (before, after) {
                    (Presence::Default(_), Presence::Default(_)) => "has another default",
                    (_, Presence::Default(_)) => "has a default now",
                    (Presence::Required, Presence::Optional) => "may be left out now",
                    (_, Presence::Required) => "is required now",
                    (_, Presence::Optional) => "has no default any more",
                };
                write!(f, "attribute {name} {what}: {before} -> {after}")
            }
            Self::AttributeValues(Both { name, before, after }) => {
                write!(f, "attribute {name} may take other values: {} -> {}", values(before), values(after))
            }
            Self::AttributeRange(Both { name, before, after }) => {
                write!(f, "attribute {name} has other bounds: {before} -> {after}")
            }
            Self::ExclusiveAdded(exclusive) => write!(f, "takes {exclusive}"),
            Self::ExclusiveRemoved(exclusive) => write!(f, "no longer takes {exclusive}"),
            Self::RequirementAdded(requirement) => write!(f, "requires {}", requirement.text),
            Self::RequirementRemoved(requirement) => write!(f, "no longer requires {}", requirement.text),
            Self::OutputRule(Both { name, before, after }) => {
                let words = |rule: &Option<String>| rule.clone().unwrap_or_else(|| "none".to_owned());
                write!(f, "output {name} follows another rule: {} -> {}", words(before), words(after))
            }
            Self::AttributeLegacy(Both { name, after, .. }) => {
                write!(f, "attribute {name} {}", if *after { "means nothing any more" } else { "has a meaning now" })
            }
            Self::ParameterAdded(side, formal) => {
                write!(f, "{} {} added: {}", side.name(), formal.parameter.name, formal.facts)
            }
            Self::ParameterRemoved(side, formal) => {
                write!(f, "{} {} removed: {}", side.name(), formal.parameter.name, formal.facts)
            }
            Self::ParameterType(side, Both { name, before, after }) => {
                write!(f, "{} {name} has another type: {before} -> {after}", side.name())
            }
            Self::ParameterOption(side, Both { name, before, after }) => {
                write!(f, "{} {name} is {after} now: {before} -> {after}", side.name())
            }
            Self::ParameterHomogeneous(side, Both { name, after, .. }) => {
                let how = if *after { "share one type" } else { "may have different types" };
                write!(f, "{} {name}: its values {how}", side.name())
            }
            Self::ParameterArity(side, Both { name, before, after }) => {
                write!(f, "{} {name} has another least number of values: {before} -> {after}", side.name())
            }
            Self::ParameterPlace(side, Both { name, before, after }) => {
                write!(f, "{} {name} has another place: {before} -> {after}", side.name())
            }
            Self::TypeVariableAdded(TypeConstraint { name, allow, .. }) => {
                write!(f, "type variable {name} added: {}", words(allow))
            }
            Self::TypeVariableRemoved(TypeConstraint { name, allow, .. }) => {
                write!(f, "type variable {name} removed: {}", words(allow))
            }
            Self::TypesWidened { variable, by } => write!(f, "types of {variable} widened by {}", words(by)),
            Self::TypesNarrowed { variable, by } => write!(f, "types of {variable} narrowed by {}", words(by)),
            Self::Deprecated(true) => f.write_str("deprecated"),
            Self::Deprecated(false) => f.write_str("no longer deprecated"),
            Self::SupportLevel { before, after } => {
                write!(f, "support level: {} -> {}", before.name(), after.name())
            }
            Self::Function(true) => f.write_str("a function of other operators"),
            Self::Function(false) => f.write_str("no longer a function of other operators"),
            Self::ShapeInference(true) => f.write_str("shape inference upstream"),
            Self::ShapeInference(false) => f.write_str("no shape inference upstream"),
            Self::Deterministic(true) => f.write_str("deterministic"),
            Self::Deterministic(false) => f.write_str("no longer deterministic"),
            Self::OtherAttributes(true) => f.write_str("takes other attributes than those that are listed"),
            Self::OtherAttributes(false) => f.write_str("no longer takes other attributes than those that are listed"),
            Self::Subgraphs { before, after } => {
                let name = |kind: &Option<SubgraphKind>| kind.map_or("none", SubgraphKind::name);
                write!(f, "subgraphs: {} -> {}", name(before), name(after))
            }
            Self::Documentation => f.write_str("documentation only"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shape_specs::Tables;

    #[test]
    fn types_in_words() {
        let cases = [
            (&["float"][..], "float"),
            (&["float", "double"], "float, double"),
            (&["float", "seq(tensor(float))"], "float, seq(tensor(float))"),
            (&["seq(tensor(float))", "sparse_tensor(int8)"], "seq(tensor(float)), sparse_tensor(int8)"),
            (&["seq(tensor(float))", "seq(tensor(int8))"], "seq(tensor(*)) of float, int8"),
            (&["map(int64, float)", "map(int64, double)"], "map(int64, *) of float, double"),
            (&["map(int64, float)", "map(string, float)"], "map(int64, float), map(string, float)"),
            (&["seq(map(int64, float))", "int8"], "seq(map(int64, float)), int8"),
            (
                &["float", "int8", "seq(tensor(float))", "seq(tensor(int8))", "optional(seq(tensor(int8)))"],
                "float, int8; seq(tensor(*)) of these; optional(seq(tensor(int8)))",
            ),
            (
                &["seq(tensor(float))", "float", "seq(tensor(int8))", "int8"],
                "seq(tensor(*)) of float, int8; float, int8",
            ),
        ];
        for (types, expected) in cases {
            let tables = Tables::builtin().unwrap();
            let types: Vec<Type> = types.iter().map(|ty| tables.types(ty).unwrap().remove(0)).collect();
            assert_eq!(words(&types), expected);
        }
    }
}
