//! Turns the deltas of a document into full versions, and reports every error.

use std::borrow::Cow;
use std::collections::HashSet;

use shape_yaml::{NodeId, Position};

use crate::context::{Context, Doubt};
use crate::de::Spanned;
use crate::document::{
    AttributeEntry, Document, Literal, ParameterEntry, ParameterOption, RuleEntry, TypeEntry, VersionDelta,
};
use crate::error::{Code, DocumentError};
use crate::operator::{Attribute, Named, Operator, Parameter, ParameterType, Range, Ruling, TypeConstraint, Version};
use crate::rules::{Alternative, DimsRule};
use crate::tables::{ReleaseNumber, Type};
use crate::{adapter_check, examples, rule_check, validate};

/// Turns the deltas of a document into full versions.
pub(crate) fn operator(file: &str, document: &Document, context: &mut Context<'_>) -> Operator {
    // A runtime does not say from which opset on it takes a type.
    context.dated = document.domain.value == "ai.onnx" && document.runtime.is_none();
    validate::head(file, document, context);
    let mut versions: Vec<Version> = Vec::new();
    let mut doubts: Vec<Doubt> = Vec::new();
    let newest = context.tables.newest_opset(&document.domain).unwrap_or(u32::MAX);
    for delta in &document.versions.value {
        // After a version that is far too new, later ones would seem to be out of order.
        let last = versions.iter().rfind(|version| version.since <= newest);
        validate::order(delta, &document.domain, last, context);
        let release = validate::release(delta, document, context);
        validate::references(&delta.sources, document, context);
        let (mut version, doubt) = step(versions.last().zip(doubts.last()), delta, release, document, context);
        validate::version(&version, versions.last(), &doubt, delta, &document.domain, context);
        // What a release changes in place takes the place of what it was.
        if let Some(mut before) = versions.pop_if(|before| validate::in_place(before, delta)) {
            validate::changed(&before, &version, &doubt, delta, context);
            version.earlier = std::mem::take(&mut before.earlier);
            version.earlier.push(before);
        }
        versions.push(version);
        doubts.push(doubt);
    }
    arguments(&versions, &doubts, document, context);
    validate::errata(document, context);
    let examples = examples::examples(document, &versions, context);
    Operator {
        file: file.to_owned(),
        name: document.operator.value.clone(),
        domain: document.domain.value.clone(),
        runtime: document.runtime.as_ref().map(|runtime| runtime.value.clone()),
        summary: versions.last().map_or_else(|| document.summary.value.clone(), |version| version.summary.clone()),
        sources: document.sources.iter().map(|source| (source.id.value.clone(), source.title.clone())).collect(),
        versions,
        examples,
        errata: document
            .errata
            .iter()
            .map(|erratum| Ruling {
                versions: erratum.versions.iter().map(|version| version.value).collect(),
                sources: values(&erratum.sources),
                says: erratum.says.clone(),
                ruling: erratum.ruling.value.clone(),
                examples: values(&erratum.examples),
            })
            .collect(),
        paths: paths(document, context),
    }
}

/// Checks what the rules and relations of each entry name. Those of an entry may name what a later release brings to the
/// version: until then no node gives it.
fn arguments(versions: &[Version], doubts: &[Doubt], document: &Document, context: &mut Context<'_>) {
    // There is one of each for every entry.
    let mut deltas = document.versions.value.iter();
    let mut doubts = doubts.iter();
    let mut before: Option<Cow<'_, Version>> = None;
    for newest in versions {
        let Some(doubt) = doubts.nth(newest.earlier.len()) else { return };
        let Version { attributes, inputs, outputs, types, .. } = newest;
        let with_all = |earlier: &Version| Version {
            attributes: attributes.clone(),
            inputs: inputs.clone(),
            outputs: outputs.clone(),
            types: types.clone(),
            ..earlier.clone()
        };
        let earlier = newest.earlier.iter().map(|earlier| Cow::Owned(with_all(earlier)));
        for (version, delta) in earlier.chain([Cow::Borrowed(newest)]).zip(deltas.by_ref()) {
            let reset = delta.reset.as_ref().is_some_and(|reset| reset.value);
            rule_check::arguments(&version, before.as_deref().filter(|_| !reset), doubt, delta, context);
            before = Some(version);
        }
    }
}

/// The paths of custom functions that rules call, each once.
fn paths(document: &Document, context: &Context<'_>) -> Vec<(String, Position)> {
    let mut paths: Vec<(String, Position)> = Vec::new();
    let rules = document.versions.iter().flat_map(|version| &version.rules);
    for rule in rules {
        let elements = rule.elements.iter().map(|text| (&*text.value, text.at));
        for (text, at) in rule.dims.iter().flat_map(Spanned::texts).chain(elements) {
            let Ok(Alternative { dims: DimsRule::Call(call), .. }) = Alternative::parse(text) else { continue };
            if call.is_custom() && context.positions.is_some() && !paths.iter().any(|(path, _)| *path == call.rule) {
                paths.push((call.rule, context.position(at)));
            }
        }
    }
    paths
}

fn values(names: &[Spanned<String>]) -> Vec<String> {
    names.iter().map(|name| name.value.clone()).collect()
}

/// Applies a delta: the previous version without removed parts, plus new and changed ones.
fn step(
    before: Option<(&Version, &Doubt)>,
    delta: &Spanned<VersionDelta>,
    release: Option<ReleaseNumber>,
    document: &Document,
    context: &mut Context<'_>,
) -> (Version, Doubt) {
    let reset = delta.reset.as_ref().is_some_and(|reset| reset.value);
    let some_lacking = context.left_out.entry_of(document.versions.at);
    nothing_to_remove(before.is_none() && !some_lacking, reset, delta, context);
    validate::against_the_one_before(delta, before.is_some() || some_lacking || context.is_draft(), context);
    let base = before.filter(|_| !reset);
    let mut doubt = match base {
        Some((_, doubt)) => doubt.clone(),
        None if some_lacking => Doubt::in_all(),
        None => Doubt::default(),
    };
    if some_lacking && !reset {
        doubt = Doubt { names: doubt.names, ..Doubt::in_all() };
    }
    doubt.note_left_out(delta.at, &context.left_out);
    let base = base.map(|(version, _)| version);
    // What comes behind a version comes no earlier.
    let release = release.or(before.and_then(|(before, _)| before.release));
    let mut version = Version { release, ..taken_over(base, reset, delta, document, context) };
    edit_lists(&mut version, base, delta, &mut doubt, context);
    if !before.is_some_and(|(before, _)| validate::in_place(before, delta)) {
        adapter_check::check(&version, before.map(|(version, _)| version), &doubt, delta, &document.domain, context);
    }
    // A variable that was unused may be used now, even if no entry mentions it.
    for index in 0..version.types.len() {
        let used = validate::is_used(&version, index);
        if let Some(constraint) = version.types.get_mut(index) {
            let said = delta.types.iter().any(|entry| entry.name.value == constraint.name && entry.unused);
            constraint.unused &= !used || said;
        }
    }
    (version, doubt)
}

/// An error for what takes something away from a version that is not there, or of which nothing is kept.
fn nothing_to_remove(is_first: bool, reset: bool, delta: &Spanned<VersionDelta>, context: &mut Context<'_>) {
    let removed = delta.remove.as_ref().map(|remove| {
        let names = [&remove.attributes, &remove.inputs, &remove.outputs, &remove.types, &remove.rules];
        names.into_iter().flatten().map(|name| name.at).min().unwrap_or(delta.at)
    });
    let mut error = |at: NodeId, message: &str, help: &str| {
        context.error_help(at, Code::NothingBefore, message.to_owned(), help);
    };
    if is_first {
        if let Some(reset) = &delta.reset {
            error(reset.at, "the first version has none before it to start afresh from", "drop the field");
        }
        if let Some(removed) = removed {
            error(removed, "the first version has none before it to remove anything from", "drop the field");
        }
    } else if let Some(removed) = removed.filter(|_| reset) {
        error(removed, "this version starts afresh, so that there is nothing to remove", "drop one of the two fields");
    }
}

/// The fields that stand once in a version, as it says or as the base has them; its lists are those of the base.
fn taken_over(
    base: Option<&Version>,
    reset: bool,
    delta: &Spanned<VersionDelta>,
    document: &Document,
    context: &mut Context<'_>,
) -> Version {
    // What leads from the version of the opset before it is the same in each release.
    let same_opset = base.filter(|base| validate::in_place(base, delta));
    Version {
        since: delta.since.value,
        release: None,
        earlier: Vec::new(),
        line: context.positions.map_or(0, |positions| positions.of_mapping(delta.at).line),
        summary: match (&delta.summary, base) {
            (Some(summary), _) => summary.value.clone(),
            (None, Some(base)) => base.summary.clone(),
            (None, None) => document.summary.value.clone(),
        },
        details: match (&delta.details, base) {
            (Some(details), _) => details.value.trim_end().to_owned(),
            (None, Some(base)) => base.details.clone(),
            (None, None) => document.details.as_ref().map_or_else(String::new, |details| details.trim_end().to_owned()),
        },
        sources: values(&delta.sources),
        deprecated: delta.deprecated.or(base.map(|base| base.deprecated)).unwrap_or_default(),
        function: delta.function.or(base.map(|base| base.function)).unwrap_or_default(),
        support_level: delta.support_level.or(base.map(|base| base.support_level)).unwrap_or_default(),
        shape_inference: delta.shape_inference.or(base.map(|base| base.shape_inference)).unwrap_or_default(),
        deterministic: delta.deterministic.or(base.map(|base| base.deterministic)).unwrap_or(true),
        other_attributes: delta.other_attributes.or(base.map(|base| base.other_attributes)).unwrap_or_default(),
        subgraphs: delta.subgraphs.or(base.and_then(|base| base.subgraphs)),
        semantics: match &delta.semantics {
            Some(semantics) => Some(semantics.value.clone()),
            None if same_opset.is_some() => same_opset.and_then(|base| base.semantics.clone()),
            None => reset.then(|| "It starts afresh: nothing of the version before it holds.".to_owned()),
        },
        adapter: match &delta.adapter {
            Some(actions) => Some(adapter_check::read(actions, context)),
            None => same_opset.and_then(|base| base.adapter.clone()),
        },
        attributes: base.map(|base| base.attributes.clone()).unwrap_or_default(),
        inputs: base.map(|base| base.inputs.clone()).unwrap_or_default(),
        outputs: base.map(|base| base.outputs.clone()).unwrap_or_default(),
        types: base.map(|base| base.types.clone()).unwrap_or_default(),
        exclusive: match &delta.exclusive {
            Some(entries) => rule_check::exclusive(entries, context),
            None => base.map(|base| base.exclusive.clone()).unwrap_or_default(),
        },
        requires: match &delta.requires {
            Some(entries) => rule_check::requires(entries, context),
            None => base.map(|base| base.requires.clone()).unwrap_or_default(),
        },
        rules: base.map(|base| base.rules.clone()).unwrap_or_default(),
    }
}

/// Adds, replaces and removes the entries of the lists of a version.
fn edit_lists(
    version: &mut Version,
    base: Option<&Version>,
    delta: &VersionDelta,
    doubt: &mut Doubt,
    context: &mut Context<'_>,
) {
    // What is removed from nothing was reported.
    let removed = delta.remove.clone().filter(|_| base.is_some()).unwrap_or_default();
    let lists = Lists { context, names: &mut doubt.names };
    doubt.types |=
        edit(lists, &mut version.types, &removed.types, &delta.types, "type variable", |entry, old, context| {
            constraint(entry, old, delta.since.value, context)
        });
    let lists = Lists { context, names: &mut doubt.names };
    doubt.attributes |=
        edit(lists, &mut version.attributes, &removed.attributes, &delta.attributes, "attribute", attribute);
    // A parameter that is kept refers to its variable by name: the list of variables may have changed.
    for list in [&mut version.inputs, &mut version.outputs] {
        for parameter in list.iter_mut() {
            if let (ParameterType::Variable(index), Some(base)) = (&parameter.ty, base) {
                let name = base.types.get(*index).map(|constraint| &constraint.name);
                let index = version.types.iter().position(|new| Some(&new.name) == name);
                parameter.ty = index.map_or(ParameterType::Unknown, ParameterType::Variable);
            }
        }
    }
    let types = std::mem::take(&mut version.types);
    let make = |entry: &Spanned<ParameterEntry>, old: Option<&Parameter>, context: &mut Context<'_>| {
        parameter(entry, old, &types, delta.since.value, context)
    };
    let lists = Lists { context, names: &mut doubt.names };
    doubt.inputs |= edit(lists, &mut version.inputs, &removed.inputs, &delta.inputs, "input", make);
    let lists = Lists { context, names: &mut doubt.names };
    doubt.outputs |= edit(lists, &mut version.outputs, &removed.outputs, &delta.outputs, "output", make);
    version.types = types;
    let lists = Lists { context, names: &mut doubt.names };
    // A rule is removed with its output. One of an output that a later release of the version brings waits for it.
    let has = |outputs: &[Parameter], name: &str| outputs.iter().any(|output| output.name == name);
    let waits = |name: &str| base.is_some_and(|of| of.since == delta.since.value && !has(&of.outputs, name));
    version.rules.retain(|rule| has(&version.outputs, &rule.output) || waits(&rule.output));
    edit(lists, &mut version.rules, &removed.rules, &delta.rules, "rule of", |entry, old, context| {
        rule_check::output_rule(entry, old, context)
    });
}

/// Where [`edit`] reports its errors, and the names that become uncertain by them.
struct Lists<'c, 't> {
    context: &'c mut Context<'t>,
    names: &'c mut HashSet<String>,
}

/// The semantics of deltas: remove by name, replace entries with the same name, append the rest. Returns whether an
/// error makes the contents of the list uncertain.
fn edit<'t, T: Named, E: NamedEntry>(
    Lists { context, names }: Lists<'_, 't>,
    list: &mut Vec<T>,
    removed: &[Spanned<String>],
    entries: &[Spanned<E>],
    what: &'static str,
    make: impl Fn(&Spanned<E>, Option<&T>, &mut Context<'t>) -> T,
) -> bool {
    let mut doubt = false;
    let mut gone: HashSet<&str> = HashSet::new();
    for name in removed {
        if let Some(at) = list.iter().position(|item| item.name() == name.value) {
            list.remove(at);
        } else if gone.contains(name.as_str()) {
            let message = format!("this version removes the {what} `{}` twice", name.value);
            context.error(name.at, Code::DuplicateName, message);
        } else {
            let message = format!("there is no {what} `{}` to remove", name.value);
            context.unknown(name, Code::NothingToRemove, message, list.iter().map(Named::name));
            doubt = true;
        }
        gone.insert(name);
    }
    let mut seen = HashSet::new();
    for entry in entries {
        let name = entry.value.spanned_name();
        if !seen.insert(name.value.clone()) {
            let message = format!("this version names the {what} `{}` twice", name.value);
            context.error(name.at, Code::DuplicateName, message);
            doubt = true;
            continue;
        }
        let at = list.iter().position(|item| item.name() == name.value);
        let before = context.errors.len();
        let item = make(entry, at.and_then(|at| list.get(at)), context);
        let is_in_doubt = context.errors.iter().skip(before).any(leaves_doubt);
        if is_in_doubt || context.left_out.within(entry.at) {
            names.insert(name.value.clone());
        }
        match at.and_then(|at| list.get_mut(at)) {
            Some(old) => *old = item,
            None => list.push(item),
        }
    }
    doubt
}

/// Whether an entry with such an error may be meant in another way.
fn leaves_doubt(error: &DocumentError) -> bool {
    let codes = [
        Code::UnknownType,
        Code::UnknownTypeVariable,
        Code::DefaultType,
        Code::TwoLists,
        Code::MissingField,
        Code::EmptyList,
        Code::NothingToRemove,
    ];
    codes.iter().any(|code| code.name() == error.code)
}

/// An entry of a delta that has a name.
trait NamedEntry {
    fn spanned_name(&self) -> &Spanned<String>;
}

macro_rules! named_entry {
    ($($ty:ty),*) => { $(impl NamedEntry for $ty { fn spanned_name(&self) -> &Spanned<String> { &self.name } })* };
}
named_entry!(AttributeEntry, ParameterEntry, TypeEntry);

impl NamedEntry for RuleEntry {
    fn spanned_name(&self) -> &Spanned<String> {
        &self.output
    }
}

/// The documentation of an entry, or that of the entry that it replaces.
fn doc(new: &str, old: Option<&str>) -> String {
    if new.is_empty() { old.unwrap_or_default().to_owned() } else { new.to_owned() }
}

fn attribute(entry: &Spanned<AttributeEntry>, old: Option<&Attribute>, context: &mut Context<'_>) -> Attribute {
    let AttributeEntry { name, kind, optional, default, values, min, max, legacy, doc: text } = &entry.value;
    validate::attribute(entry, context);
    let element = |value: &Spanned<Literal>| validate::widened(kind.value.element(), &value.value);
    Attribute {
        name: name.value.clone(),
        kind: kind.value,
        required: default.is_none() && !optional.as_ref().is_some_and(|optional| optional.value),
        default: default.as_ref().map(|default| validate::widened(kind.value, &default.value)),
        values: values.iter().map(element).collect(),
        range: Range { min: min.as_ref().map(element), max: max.as_ref().map(element) },
        legacy: *legacy,
        doc: doc(text, old.map(|old| &*old.doc)),
    }
}

fn parameter(
    entry: &Spanned<ParameterEntry>,
    old: Option<&Parameter>,
    types: &[TypeConstraint],
    since: u32,
    context: &mut Context<'_>,
) -> Parameter {
    let ParameterEntry { name, ty, option, homogeneous, min_arity, doc: text } = &entry.value;
    validate::parameter_name(name, context);
    let variadic = option.value == ParameterOption::Variadic;
    if !variadic && (homogeneous.is_some() || min_arity.is_some()) {
        let message = format!("`{}` is not variadic, so it has neither `homogeneous` nor `min_arity`", name.value);
        context.error_help(entry.at, Code::NotVariadic, message, "add `option: variadic`, or drop the field");
    }
    let variable = types.iter().position(|constraint| constraint.name == ty.value);
    if variable.is_none() && ty.contains('(') {
        context.too_new(ty, since);
    }
    let ty = match variable {
        Some(index) => ParameterType::Variable(index),
        None if ty.contains('(') => match context.tables.parse_type(ty) {
            Ok(fixed) => ParameterType::Fixed(fixed),
            Err((message, help)) => {
                context.errors.push(DocumentError::new(ty.at, Code::UnknownType, message).maybe_help(help));
                ParameterType::Unknown
            }
        },
        None => {
            let message = format!("this version declares no type variable `{}`", ty.value);
            if context.tables.element(ty).is_some() {
                let help = format!("for a tensor of this element type write `tensor({})`", ty.value);
                context.error_help(ty.at, Code::UnknownTypeVariable, message, help);
            } else {
                context.unknown(ty, Code::UnknownTypeVariable, message, types.iter().map(Named::name));
            }
            ParameterType::Unknown
        }
    };
    Parameter {
        name: name.value.clone(),
        ty,
        option: option.value,
        homogeneous: homogeneous.unwrap_or(true),
        min_arity: min_arity.unwrap_or(1),
        doc: doc(text, old.map(|old| &*old.doc)),
    }
}

fn constraint(
    entry: &Spanned<TypeEntry>,
    old: Option<&TypeConstraint>,
    since: u32,
    context: &mut Context<'_>,
) -> TypeConstraint {
    let TypeEntry { name, allow, add, remove, unused, doc: text } = &entry.value;
    validate::identifier(name, "a type variable", context);
    let mut list: Vec<Type> = match (allow, old) {
        (Some(allow), _) => {
            let mut list = Vec::new();
            for word in &allow.value {
                let types = context.types(word);
                if !types.is_empty() && types.iter().all(|ty| list.contains(ty)) {
                    context.error(word.at, Code::DuplicateType, format!("`{}` stands in the list already", word.value));
                }
                list.extend(types);
            }
            if allow.value.is_empty() && !context.left_out.entry_of(allow.at) {
                context.error_help(
                    allow.at,
                    Code::EmptyList,
                    format!("`{}` allows no type at all", name.value),
                    "name at least one type",
                );
            }
            if !add.is_empty() || !remove.is_empty() {
                let message = format!("`{}` has a whole list in `allow`, and changes of a list beside it", name.value);
                context.error_help(entry.at, Code::TwoLists, message, "keep `allow`, or `add` and `remove`");
            }
            list
        }
        (None, Some(old)) => {
            if add.is_empty() && remove.is_empty() && text.is_empty() && !context.left_out.within(entry.at) {
                let message = format!("this entry changes nothing of `{}`", name.value);
                context.error_help(
                    entry.at,
                    Code::NoChange,
                    message,
                    "say what it should `add` or `remove`, or drop it",
                );
            }
            old.allow.clone()
        }
        (None, None) => {
            // Changes to a list that may be missing because of an error are not checked.
            if !context.left_out.mentions(name) && !context.left_out.within(entry.at) {
                let message = format!("`{}` is new in this version and has no `allow`", name.value);
                context.error_help(entry.at, Code::MissingField, message, "give its types: `allow: [float, double]`");
            }
            Vec::new()
        }
    };
    // If the entry also has a list, or there is nothing to change, that is the error; the changes cannot be checked.
    let changes = allow.is_none() && old.is_some();
    for word in add {
        let types = context.types(word);
        if changes && !types.is_empty() && types.iter().all(|ty| list.contains(ty)) {
            let message = format!("the version before this one allows `{}` for `{}` already", word.value, name.value);
            context.error_help(word.at, Code::DuplicateType, message, "drop the word");
        }
        list.extend(types);
    }
    for word in remove {
        let types = context.types(word);
        if changes && !types.is_empty() && !types.iter().any(|ty| list.contains(ty)) {
            let message = format!("the version before this one does not allow `{}` for `{}`", word.value, name.value);
            context.error_help(word.at, Code::NothingToRemove, message, "drop the word");
        }
        list.retain(|ty| !types.contains(ty));
    }
    list.sort();
    list.dedup();
    if changes && list.is_empty() && !remove.is_empty() {
        let message = format!("nothing is left that `{}` allows", name.value);
        context.error_help(entry.at, Code::EmptyList, message, "keep at least one type");
    }
    for word in allow.iter().flat_map(|allow| &allow.value).chain(add) {
        context.too_new(word, since);
    }
    TypeConstraint {
        name: name.value.clone(),
        group: context.tables.group_of(&list).map(str::to_owned),
        allow: list,
        unused: *unused,
        doc: doc(text, old.map(|old| &*old.doc)),
    }
}
