//! From deltas to full versions, and every mistake on the way.

use std::collections::{HashMap, HashSet};

use crate::de::Spanned;
use crate::document::{
    AttributeEntry, Document, ExampleEntry, Literal, ParameterEntry, ParameterOption, TypeEntry, VersionDelta,
};
use crate::error::{Mistake, nearest};
use crate::operator::{Attribute, Operator, Parameter, ParameterType, Ruling, TypeConstraint, Version};
use crate::tables::{Tables, Type};
use crate::validate;
use crate::yaml::NodeId;

/// As many type variables as the core's checker binds without allocating.
pub(crate) const MOST_TYPE_VARIABLES: usize = 16;

/// What is collected while a document is resolved.
pub(crate) struct Context<'t> {
    pub(crate) tables: &'t Tables,
    pub(crate) mistakes: Vec<Mistake>,
    /// Names that stand in a part of the file that could not be read: they are not unknown.
    pub(crate) left_out: HashSet<String>,
    /// Whether the domain counts the opsets that `types.yaml` dates element types with.
    dated: bool,
    lines: &'t dyn Fn(NodeId) -> usize,
}

impl<'t> Context<'t> {
    pub(crate) fn new(
        tables: &'t Tables,
        mistakes: Vec<Mistake>,
        left_out: HashSet<String>,
        lines: &'t dyn Fn(NodeId) -> usize,
    ) -> Self {
        Self { tables, mistakes, left_out, dated: false, lines }
    }

    pub(crate) fn mistake(&mut self, at: NodeId, code: &'static str, message: impl Into<String>) {
        self.mistakes.push(Mistake::new(at, code, message));
    }

    pub(crate) fn mistake_help(&mut self, at: NodeId, code: &'static str, message: String, help: impl Into<String>) {
        self.mistakes.push(Mistake::new(at, code, message).help(help));
    }

    /// A name that refers to nothing, with the nearest one that exists.
    pub(crate) fn unknown<'a>(
        &mut self,
        name: &Spanned<String>,
        code: &'static str,
        message: String,
        known: impl IntoIterator<Item = &'a str>,
    ) {
        if !self.left_out.contains(&name.value) {
            self.mistakes.push(Mistake::new(name.at, code, message).maybe_help(nearest(name, known)));
        }
    }

    /// The types that a word stands for; none, and a mistake, where it stands for nothing.
    fn types(&mut self, word: &Spanned<String>) -> Vec<Type> {
        self.tables.types(word).unwrap_or_else(|(message, help)| {
            self.mistakes.push(Mistake::new(word.at, "unknown-type", message).maybe_help(help));
            Vec::new()
        })
    }
}

/// Makes full versions of a document's deltas.
pub(crate) fn resolve(file: &str, document: &Document, context: &mut Context<'_>) -> Operator {
    context.dated = document.domain.value == "ai.onnx";
    validate::head(file, document, context);
    let mut versions: Vec<Version> = Vec::new();
    let mut examples = Examples::default();
    for delta in &document.versions.value {
        validate::order(delta, &document.domain, versions.last().map(|version| version.since), context);
        validate::references(&delta.sources, document, context);
        let version = step(versions.last(), delta, document, context);
        examples.step(versions.is_empty(), delta, document, context);
        validate::version(&version, delta, &document.domain, context);
        versions.push(version);
    }
    validate::errata(document, context);
    let examples = examples.finish(&versions, context);
    Operator {
        file: file.to_owned(),
        name: document.operator.value.clone(),
        domain: document.domain.value.clone(),
        summary: versions.last().map_or_else(|| document.summary.value.clone(), |version| version.summary.clone()),
        kernel: document.kernel.as_ref().map(|kernel| kernel.value.clone()),
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
    }
}

fn values(names: &[Spanned<String>]) -> Vec<String> {
    names.iter().map(|name| name.value.clone()).collect()
}

/// One version: the one before it, less what is removed, plus what is new or changed.
fn step(
    before: Option<&Version>,
    delta: &Spanned<VersionDelta>,
    document: &Document,
    context: &mut Context<'_>,
) -> Version {
    let afresh = delta.afresh.as_ref().is_some_and(|afresh| afresh.value);
    if before.is_none() {
        if let Some(afresh) = &delta.afresh {
            context.mistake(afresh.at, "nothing-before", "the first version has none before it to start afresh from");
        }
        if delta.remove.is_some() {
            context.mistake(delta.at, "nothing-before", "the first version has none before it to remove anything from");
        }
    }
    let base = before.filter(|_| !afresh);
    let removed = delta.remove.clone().unwrap_or_default();
    let mut version = Version {
        since: delta.since.value,
        line: (context.lines)(delta.at),
        summary: match (&delta.summary, base) {
            (Some(summary), _) => summary.value.clone(),
            (None, Some(base)) => base.summary.clone(),
            (None, None) => document.summary.value.clone(),
        },
        sources: values(&delta.sources),
        deprecated: delta.deprecated.or(base.map(|base| base.deprecated)).unwrap_or_default(),
        function: delta.function.or(base.map(|base| base.function)).unwrap_or_default(),
        support_level: delta.support_level.or(base.map(|base| base.support_level)).unwrap_or_default(),
        shape_inference: delta.shape_inference.or(base.map(|base| base.shape_inference)).unwrap_or_default(),
        attributes: base.map(|base| base.attributes.clone()).unwrap_or_default(),
        inputs: base.map(|base| base.inputs.clone()).unwrap_or_default(),
        outputs: base.map(|base| base.outputs.clone()).unwrap_or_default(),
        types: Vec::new(),
    };
    version.types = constraints(base, delta, &removed.types, context);
    edit(
        &mut version.attributes,
        &removed.attributes,
        &delta.attributes,
        "attribute",
        context,
        |entry, old, context| attribute(entry, old, context),
    );
    // A parameter that stays keeps its variable by name: the list of variables may have changed under it.
    for list in [&mut version.inputs, &mut version.outputs] {
        for parameter in list.iter_mut() {
            if let (ParameterType::Variable(index), Some(base)) = (&mut parameter.ty, base) {
                let name = base.types.get(*index).map(|constraint| &constraint.name);
                *index = version.types.iter().position(|new| Some(&new.name) == name).unwrap_or(usize::MAX);
            }
        }
    }
    let types = std::mem::take(&mut version.types);
    edit(&mut version.inputs, &removed.inputs, &delta.inputs, "input", context, |entry, old, context| {
        parameter(entry, old, &types, context)
    });
    edit(&mut version.outputs, &removed.outputs, &delta.outputs, "output", context, |entry, old, context| {
        parameter(entry, old, &types, context)
    });
    version.types = types;
    version
}

/// Something of a version that has a name.
pub(crate) trait Named {
    fn name(&self) -> &str;
}

macro_rules! named {
    ($($ty:ty),*) => { $(impl Named for $ty { fn name(&self) -> &str { &self.name } })* };
}
named!(Attribute, Parameter, TypeConstraint);

/// The one rule of deltas: remove by name, replace what has the same name, append the rest.
fn edit<T: Named, E: NamedEntry>(
    list: &mut Vec<T>,
    removed: &[Spanned<String>],
    entries: &[Spanned<E>],
    what: &'static str,
    context: &mut Context<'_>,
    mut make: impl FnMut(&Spanned<E>, Option<&T>, &mut Context<'_>) -> T,
) {
    for name in removed {
        if let Some(at) = list.iter().position(|item| item.name() == name.value) {
            list.remove(at);
        } else {
            let message = format!("there is no {what} `{}` to remove", name.value);
            context.unknown(name, "nothing-to-remove", message, list.iter().map(Named::name));
        }
    }
    let mut seen = HashSet::new();
    for entry in entries {
        let name = entry.value.spanned_name();
        if !seen.insert(name.value.clone()) {
            context.mistake(name.at, "duplicate-name", format!("this version names the {what} `{}` twice", name.value));
            continue;
        }
        let at = list.iter().position(|item| item.name() == name.value);
        let item = make(entry, at.and_then(|at| list.get(at)), context);
        match at.and_then(|at| list.get_mut(at)) {
            Some(place) => *place = item,
            None => list.push(item),
        }
    }
}

/// An entry of a delta that has a name.
trait NamedEntry {
    fn spanned_name(&self) -> &Spanned<String>;
}

macro_rules! named_entry {
    ($($ty:ty),*) => { $(impl NamedEntry for $ty { fn spanned_name(&self) -> &Spanned<String> { &self.name } })* };
}
named_entry!(AttributeEntry, ParameterEntry, TypeEntry);

/// An entry's sentence, or the one that the entry it replaces had.
fn doc(new: &str, old: Option<&str>) -> String {
    if new.is_empty() { old.unwrap_or_default().to_owned() } else { new.to_owned() }
}

fn attribute(entry: &Spanned<AttributeEntry>, old: Option<&Attribute>, context: &mut Context<'_>) -> Attribute {
    let AttributeEntry { name, kind, optional, default, values, doc: text } = &entry.value;
    validate::attribute(entry, context);
    Attribute {
        name: name.value.clone(),
        kind: kind.value,
        required: default.is_none() && !optional.as_ref().is_some_and(|optional| optional.value),
        default: default.as_ref().map(|default| validate::widened(kind.value, &default.value)),
        values: values.iter().map(|value| validate::widened(kind.value, &value.value)).collect(),
        doc: doc(text, old.map(|old| &*old.doc)),
    }
}

fn parameter(
    entry: &Spanned<ParameterEntry>,
    old: Option<&Parameter>,
    types: &[TypeConstraint],
    context: &mut Context<'_>,
) -> Parameter {
    let ParameterEntry { name, ty, option, homogeneous, min_arity, doc: text } = &entry.value;
    validate::identifier(name, "a parameter", context);
    let variadic = option.value == ParameterOption::Variadic;
    if !variadic && (homogeneous.is_some() || min_arity.is_some()) {
        let message = format!("`{}` is not variadic, so that it has neither `homogeneous` nor `min_arity`", name.value);
        context.mistake_help(entry.at, "not-variadic", message, "add `option: variadic`, or drop the field");
    }
    let variable = types.iter().position(|constraint| constraint.name == ty.value);
    let ty = match variable {
        Some(index) => ParameterType::Variable(index),
        None if ty.contains('(') => match context.types(ty).pop() {
            Some(fixed) => ParameterType::Fixed(fixed),
            None => ParameterType::Variable(usize::MAX),
        },
        None => {
            let message = format!("no type constraint of this version declares the variable `{}`", ty.value);
            if context.tables.element(ty).is_some() {
                let help = format!("for a tensor of this element type write `tensor({})`", ty.value);
                context.mistake_help(ty.at, "unknown-type-variable", message, help);
            } else {
                context.unknown(ty, "unknown-type-variable", message, types.iter().map(Named::name));
            }
            ParameterType::Variable(usize::MAX)
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

fn constraints(
    base: Option<&Version>,
    delta: &VersionDelta,
    removed: &[Spanned<String>],
    context: &mut Context<'_>,
) -> Vec<TypeConstraint> {
    let mut types = base.map(|base| base.types.clone()).unwrap_or_default();
    edit(&mut types, removed, &delta.types, "type constraint", context, |entry, old, context| {
        constraint(entry, old, delta.since.value, context)
    });
    types
}

fn constraint(
    entry: &Spanned<TypeEntry>,
    old: Option<&TypeConstraint>,
    since: u32,
    context: &mut Context<'_>,
) -> TypeConstraint {
    let TypeEntry { name, allow, add, remove, doc: text } = &entry.value;
    validate::identifier(name, "a type variable", context);
    let mut list: Vec<Type> = match (allow, old) {
        (Some(allow), _) => {
            let mut list = Vec::new();
            for word in &allow.value {
                let types = context.types(word);
                if !types.is_empty() && types.iter().all(|ty| list.contains(ty)) {
                    context.mistake(word.at, "duplicate-type", format!("`{}` stands in the list already", word.value));
                }
                list.extend(types);
            }
            if allow.value.is_empty() {
                context.mistake(allow.at, "empty-list", format!("`{}` allows no type at all", name.value));
            }
            if !add.is_empty() || !remove.is_empty() {
                let message = format!("`{}` has the whole list in `allow`, and changes of it", name.value);
                context.mistake_help(entry.at, "two-lists", message, "keep `allow`, or `add` and `remove`");
            }
            list
        }
        (None, Some(old)) => {
            if add.is_empty() && remove.is_empty() && text.is_empty() {
                context.mistake(entry.at, "no-change", format!("this entry changes nothing of `{}`", name.value));
            }
            old.allow.clone()
        }
        (None, None) => {
            let message = format!("`{}` is new in this version and has no `allow`", name.value);
            context.mistake_help(entry.at, "missing-field", message, "give its types: `allow: [float, double]`");
            Vec::new()
        }
    };
    for word in add {
        let types = context.types(word);
        if !types.is_empty() && types.iter().all(|ty| list.contains(ty)) {
            let message = format!("the version before this one allows `{}` for `{}` already", word.value, name.value);
            context.mistake(word.at, "duplicate-type", message);
        }
        list.extend(types);
    }
    for word in remove {
        let types = context.types(word);
        if !types.is_empty() && !types.iter().any(|ty| list.contains(ty)) {
            let message = format!("the version before this one does not allow `{}` for `{}`", word.value, name.value);
            context.mistake(word.at, "nothing-to-remove", message);
        }
        list.retain(|ty| !types.contains(ty));
    }
    list.sort();
    list.dedup();
    for word in allow.iter().flat_map(|allow| &allow.value).chain(add) {
        // What the word stands for was checked above; here only its age is.
        for ty in context.tables.types(word).unwrap_or_default() {
            if let Type::Tensor(element) = &ty
                && context.dated
                && element.since > since
            {
                let message = format!("`{}` came with opset {}, after this version", element.name, element.since);
                context.mistake(word.at, "type-too-new", message);
            }
        }
    }
    TypeConstraint {
        name: name.value.clone(),
        group: context.tables.group_of(&list).map(str::to_owned),
        allow: list,
        doc: doc(text, old.map(|old| &*old.doc)),
    }
}

/// The examples of a file with the versions between which each holds.
#[derive(Default)]
struct Examples<'d> {
    list: Vec<(&'d Spanned<ExampleEntry>, u32, Option<u32>)>,
    names: HashMap<&'d str, usize>,
}

impl<'d> Examples<'d> {
    fn step(&mut self, first: bool, delta: &'d VersionDelta, document: &Document, context: &mut Context<'_>) {
        // A version that keeps nothing keeps no example either.
        if delta.afresh.as_ref().is_some_and(|afresh| afresh.value) {
            self.list.iter_mut().for_each(|(_, _, until)| *until = until.or(Some(delta.since.value)));
        }
        for name in delta.remove.iter().filter(|_| !first).flat_map(|remove| &remove.examples) {
            let running =
                self.list.iter().filter(|(_, _, until)| until.is_none()).map(|(entry, ..)| &*entry.name.value);
            match self.names.get(name.as_str()).copied() {
                Some(at) if self.list.get(at).is_some_and(|(_, _, until)| until.is_none()) => {
                    if let Some((_, _, until)) = self.list.get_mut(at) {
                        *until = Some(delta.since.value);
                    }
                }
                _ => {
                    let message = format!("no example `{}` holds here", name.value);
                    context.unknown(name, "nothing-to-remove", message, running.collect::<Vec<_>>());
                }
            }
        }
        for entry in &delta.examples {
            validate::references(entry.source.as_slice(), document, context);
            if self.names.insert(&entry.name.value, self.list.len()).is_some() {
                let message = format!("there is an example `{}` already", entry.name.value);
                context.mistake(entry.name.at, "duplicate-name", message);
            }
            self.list.push((entry, delta.since.value, None));
        }
    }

    fn finish(self, versions: &[Version], context: &mut Context<'_>) -> Vec<crate::operator::Example> {
        self.list
            .into_iter()
            .filter_map(|(entry, since, until)| {
                let line = (context.lines)(entry.at);
                let example = validate::example(entry, line, since, until, context)?;
                let holding = versions.iter().filter(|version| example.holds_for(version.since));
                validate::example_fits(entry, &example, holding, context);
                Some(example)
            })
            .collect()
    }
}

/// The texts of the literals, for messages.
pub(crate) fn listed(values: &[Literal]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
