//! Checks what the types of a document cannot express: names, the order of versions, defaults, unused type variables.

use std::path::Path;

use shape_yaml::{Kind, Node, NodeId};

use crate::context::{Context, Doubt};
use crate::de::Spanned;
use crate::document::{AttributeEntry, AttributeKind, Document, Literal, ParameterOption, UNSAID, VersionDelta};
use crate::error::{Code, NOWHERE};
use crate::names::{is_identifier, is_of_onnx, is_slip};
use crate::operator::{Parameter, ParameterType, Range, Version, listed};
use crate::scope::Scope;
use crate::tables::ReleaseNumber;

/// The number of type variables that the core's checker can bind without allocating.
const MAX_TYPE_VARIABLES: usize = 16;

/// Checks that nothing follows the examples, where a reader of only the facts would miss it.
pub(crate) fn examples_last(root: &Node, context: &mut Context<'_>) {
    let Kind::Map(pairs) = &root.kind else { return };
    let is_examples = |key: &Node| matches!(&key.kind, Kind::Text(text) if text == "examples");
    let behind = pairs.iter().skip_while(|(key, _)| !is_examples(key)).nth(1);
    if let Some((key, _)) = behind {
        let message = "this field stands behind `examples`".to_owned();
        context.error_help(key.id, Code::ExamplesNotLast, message, "the examples are the last field of a file");
    }
}

/// Checks everything except the versions.
pub(crate) fn head(file: &str, document: &Document, context: &mut Context<'_>) {
    let Document { operator, domain, runtime, summary, sources, versions, .. } = document;
    if !is_identifier(operator) {
        let message = format!("`{}` cannot be an operator's name", operator.value);
        context.error_help(operator.at, Code::NameForm, message, "letters, digits and `_`, not beginning with a digit");
    }
    let domain_ok = !domain.is_empty() && domain.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    if !domain_ok {
        let message = format!("`{}` cannot be a domain's name", domain.value);
        context.error_help(
            domain.at,
            Code::NameForm,
            message,
            "letters, digits, `.`, `_` and `-`; the default is written `ai.onnx`",
        );
    }
    names(file, document, context);
    if let Some(runtime) = runtime {
        let known: Vec<&str> = context.tables.runtimes.iter().map(|known| &*known.runtime).collect();
        if !known.contains(&&*runtime.value) {
            let message = format!("there is no runtime `{}`", runtime.value);
            context.unknown(runtime, Code::UnknownRuntime, message, known);
        } else if !is_of_onnx(domain) && versions.value.iter().all(|version| version.release.is_none()) {
            let message = format!(
                "`{}` is no domain of ONNX and no version names a release, so that the operator needs no runtime",
                domain.value
            );
            context.error_help(runtime.at, Code::UnknownRuntime, message, "leave the field out");
        }
    }
    sentence(summary, "summary", context);
    for (index, source) in sources.iter().enumerate() {
        identifier(&source.id, "a source", context);
        if sources.iter().take(index).any(|other| other.id.value == source.id.value) {
            let message = format!("there is a source `{}` already", source.id.value);
            context.error(source.id.at, Code::DuplicateName, message);
        }
        if source.title.trim().is_empty() {
            let message = format!("the title of the source `{}` is empty", source.id.value);
            context.error_help(source.id.at, Code::EmptyText, message, "say which document it is");
        }
    }
    if context.scope == Scope::Documented && document.summary.value == UNSAID {
        let message = "the summary says nothing yet".to_owned();
        context.error_help(document.summary.at, Code::MissingDoc, message, "say in a sentence what the operator gives");
    }
    if versions.value.is_empty() && !context.left_out.entry_of(versions.at) {
        let message = "the operator has no version".to_owned();
        context.error_help(versions.at, Code::EmptyList, message, "give at least one: `- since: 1`");
    }
}

/// Checks that the file is named after its operator if its folder belongs to a domain: a folder that is named like the
/// descriptor's domain, or whose name contains dots, such as `com.acme`. Elsewhere a file may have any name.
fn names(file: &str, document: &Document, context: &mut Context<'_>) {
    let Document { operator, domain, .. } = document;
    let path = Path::new(file);
    let folder = path.parent().and_then(Path::file_name).map(|folder| folder.to_string_lossy());
    let is_word = |word: &str| word.starts_with(|first: char| first.is_ascii_alphabetic());
    let is_dotted = |folder: &str| folder.contains('.') && folder.split('.').all(is_word);
    let Some(folder) = folder.filter(|folder| is_dotted(folder) || **folder == *domain.value) else { return };
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    if *stem != *operator.value {
        let message = format!("the file is called `{stem}`, the operator `{}`", operator.value);
        context.error_help(operator.at, Code::FileName, message, format!("call the file `{}.yaml`", operator.value));
    }
    if *folder != *domain.value {
        let message = format!("the folder is called `{folder}`, the domain `{}`", domain.value);
        let help = format!("put the file into a folder called `{}`", domain.value);
        context.error_help(domain.at, Code::FileName, message, help);
    }
}

/// Checks that a version of an operator of ONNX documents everything that it introduces.
fn documented(version: &Version, delta: &VersionDelta, domain: &str, context: &mut Context<'_>) {
    if context.scope != Scope::Documented || !is_of_onnx(domain) {
        return;
    }
    let named = |name: &Spanned<String>, what: &'static str, doc: Option<&String>| {
        let unsaid = doc.is_some_and(|doc| doc.trim().is_empty());
        unsaid.then(|| (name.at, format!("the {what} `{}` has no `doc`", name.value)))
    };
    let attributes = delta.attributes.iter().map(|entry| {
        let attribute = version.attributes.iter().find(|attribute| attribute.name == entry.name.value);
        named(&entry.name, "attribute", attribute.map(|attribute| &attribute.doc))
    });
    let parameters = [(&delta.inputs, &version.inputs, "input"), (&delta.outputs, &version.outputs, "output")];
    let parameters = parameters.into_iter().flat_map(|(entries, parameters, what)| {
        entries.iter().map(move |entry| {
            let parameter = parameters.iter().find(|parameter| parameter.name == entry.name.value);
            named(&entry.name, what, parameter.map(|parameter| &parameter.doc))
        })
    });
    // Adding types to a variable does not change its meaning.
    let types = delta.types.iter().filter(|entry| entry.allow.is_some()).map(|entry| {
        let variable = version.types.iter().find(|variable| variable.name == entry.name.value);
        named(&entry.name, "type variable", variable.map(|variable| &variable.doc))
    });
    let unsaid: Vec<(NodeId, String)> = attributes.chain(parameters).chain(types).flatten().collect();
    for (at, message) in unsaid {
        context.error_help(at, Code::MissingDoc, message, "say in a sentence what it means: `doc: \"...\"`");
    }
}

pub(crate) fn sentence(text: &Spanned<String>, what: &str, context: &mut Context<'_>) {
    if text.trim().is_empty() {
        context.error_help(text.at, Code::EmptyText, format!("the {what} is empty"), "write a sentence");
    }
}

/// Checks that versions are in ascending order, and not newer than the known opsets of the domain.
pub(crate) fn order(delta: &VersionDelta, domain: &str, before: Option<&Version>, context: &mut Context<'_>) {
    let VersionDelta { since, release, .. } = delta;
    if since.value == 0 {
        context.error_help(since.at, Code::VersionOrder, "there is no opset 0".to_owned(), "opsets count from 1");
    }
    match before {
        Some(before) if since.value == before.since => {
            // One that cannot be read is reported as that.
            let newer = |text: &Spanned<String>| text.parse().map_or(true, |of| Some(of) > before.release);
            match release {
                Some(release) if newer(release) => {}
                Some(Spanned { value, at }) => {
                    let message = format!("release {value} stands after a release that is not older");
                    context.error_help(*at, Code::VersionOrder, message, "oldest first: each says what it changes");
                }
                None => {
                    let message = format!("version {} stands here twice", since.value);
                    let help = "say in one entry what it changes, or with `release` which release changed it in place";
                    context.error_help(since.at, Code::VersionOrder, message, help);
                }
            }
        }
        Some(before) if since.value < before.since => {
            let message = format!("version {} stands after version {}", since.value, before.since);
            context.error_help(
                since.at,
                Code::VersionOrder,
                message,
                "oldest first: each version says what it changes",
            );
        }
        _ => {}
    }
    if let Some(newest) = context.tables.newest_opset(domain)
        && since.value > newest
    {
        let message = format!("opset {} of {domain} is not known, the newest is {newest}", since.value);
        context.error_help(since.at, Code::OpsetTooNew, message, "if it exists by now, add it to opsets.yaml first");
    }
    if let Some(summary) = &delta.summary {
        sentence(summary, "summary", context);
    }
    if let Some(adapter) = delta.adapter.as_ref().filter(|_| before.is_some_and(|before| in_place(before, delta))) {
        let message = "nothing is converted between releases of one version".to_owned();
        context.error_help(
            adapter.at,
            Code::AdapterForm,
            message,
            "give the adapter to the first entry of the version",
        );
    }
}

/// Whether an entry says what a release changes of the version before it in place.
pub(crate) fn in_place(before: &Version, delta: &VersionDelta) -> bool {
    delta.release.is_some() && before.since == delta.since.value
}

/// The release that a version names, if the runtime has it.
pub(crate) fn release(delta: &VersionDelta, document: &Document, context: &mut Context<'_>) -> Option<ReleaseNumber> {
    let named = delta.release.as_ref()?;
    let Some(runtime) = &document.runtime else {
        let message = format!("{} is a release of a runtime that the file does not name", named.value);
        context.error_help(named.at, Code::UnknownRuntime, message, "say in the head whose it is: `runtime: NAME`");
        return None;
    };
    // One that does not exist is reported in the head.
    let tables = context.tables;
    let runtime = tables.runtimes.iter().find(|known| known.runtime == runtime.value)?;
    let number: Option<ReleaseNumber> = named.parse().ok();
    if let Some(number) = number.filter(|number| runtime.releases.contains(number)) {
        return Some(number);
    }
    let nearest = number.and_then(|number| {
        let older = runtime.releases.iter().rfind(|known| **known < number);
        older.or(runtime.releases.first())
    });
    let message = format!("there is no release {} of {}", named.value, runtime.runtime);
    let help = match nearest {
        Some(nearest) => format!("the nearest is {nearest}; runtimes.yaml has all of them"),
        None => "a release has three numbers: \"1.23.0\"".to_owned(),
    };
    context.error_help(named.at, Code::UnknownRelease, message, help);
    None
}

/// Checks that a release changes something of the version.
pub(crate) fn changed(
    before: &Version,
    after: &Version,
    doubt: &Doubt,
    delta: &Spanned<VersionDelta>,
    context: &mut Context<'_>,
) {
    let Version { release, ref earlier, line, ref sources, .. } = *before;
    let same = Version { release, earlier: earlier.clone(), line, sources: sources.clone(), ..after.clone() };
    if same == *before && !doubt.in_any() && !context.left_out.within(delta.at) {
        let message = "this release changes nothing of the version".to_owned();
        context.error_help(delta.at, Code::NoChange, message, "say what it changes, or drop the entry");
    }
}

/// Checks the fields that depend on whether there is a previous version.
pub(crate) fn against_the_one_before(delta: &VersionDelta, one_before: bool, context: &mut Context<'_>) {
    let VersionDelta { semantics, .. } = delta;
    if let Some(semantics) = semantics {
        sentence(semantics, "semantics", context);
        if !one_before {
            let message = "the first version has none before it to mean something else than";
            context.error_help(semantics.at, Code::NothingBefore, message.to_owned(), "drop the field");
        }
    }
}

/// Checks that each id belongs to a source.
pub(crate) fn references(ids: &[Spanned<String>], document: &Document, context: &mut Context<'_>) {
    for id in ids {
        if !document.sources.iter().any(|source| source.id.value == id.value) {
            let message = format!("there is no source `{}`", id.value);
            let known: Vec<&str> = document.sources.iter().map(|source| &*source.id.value).collect();
            context.unknown(id, Code::UnknownSource, message, known);
        }
    }
}

/// Reports a text that is not a valid name; returns whether it is one.
pub(crate) fn identifier(name: &Spanned<String>, what: &str, context: &mut Context<'_>) -> bool {
    let is = is_identifier(name);
    if !is {
        let message = format!("`{}` cannot be the name of {what}", name.value);
        context.error_help(name.at, Code::NameForm, message, "letters, digits and `_`, not beginning with a digit");
    }
    is
}

/// Checks the name of a parameter. ONNX has an output `outputs...`, in Split-1.
pub(crate) fn parameter_name(name: &Spanned<String>, context: &mut Context<'_>) {
    if !name.strip_suffix("...").is_some_and(is_identifier) {
        identifier(name, "a parameter", context);
    }
}

pub(crate) fn attribute(entry: &Spanned<AttributeEntry>, context: &mut Context<'_>) {
    let AttributeEntry { name, kind, optional, default, values, min, max, .. } = &entry.value;
    identifier(name, "an attribute", context);
    if let (Some(optional), Some(_)) = (optional, default) {
        let message = format!("`{}` has a default, which says already that it may be left out", name.value);
        context.error_help(optional.at, Code::OptionalDefault, message, "keep one of the two fields");
    }
    let element = kind.value.element();
    let bounds = [(min, "lower bound"), (max, "upper bound")];
    let bounds = bounds.into_iter().filter_map(|(bound, what)| Some((bound.as_ref()?, what, element)));
    let values_of = values.iter().map(|value| (value, "value", element));
    for (value, what, kind) in default.iter().map(|value| (value, "default", kind.value)).chain(values_of).chain(bounds)
    {
        if !fits_kind(kind, value) {
            let message = format!("the {what} {} is not of the kind {}", value.value, kind.name());
            context.error_help(value.at, Code::DefaultType, message, kind_example(kind));
        } else if what.ends_with("bound") && !matches!(kind, AttributeKind::Int | AttributeKind::Float) {
            let message = format!("a {} has no {what}", kind.name());
            context.error_help(value.at, Code::DefaultType, message, "list what it may be in `values`");
        }
    }
    let wide = |value: &Spanned<Literal>| widened(element, &value.value);
    let range = Range { min: min.as_ref().map(wide), max: max.as_ref().map(wide) };
    if let (Some(_), Some(lower), Some(upper)) = (&range.min, min, &range.max)
        && !(Range { min: None, max: Some(upper.clone()) }).contains(&wide(lower))
    {
        let message = format!("nothing is {range}");
        context.error_help(lower.at, Code::DefaultValue, message, "the lower bound comes before the upper bound");
    }
    let allowed: Vec<Literal> = values.iter().map(wide).collect();
    let fits = |value: &Literal| (allowed.is_empty() || allowed.contains(value)) && range.contains(value);
    let elements = |value: &Literal| match value {
        Literal::List(list) => list.clone(),
        one => vec![one.clone()],
    };
    if let Some(default) = default
        && fits_kind(kind.value, default)
        && !context.left_out.within(entry.at)
        && !elements(&widened(kind.value, default)).iter().all(fits)
    {
        let message = format!("the default {} is not among the values of `{}`", default.value, name.value);
        let help = if allowed.is_empty() { range.to_string() } else { format!("one of {}", listed(&allowed)) };
        context.error_help(default.at, Code::DefaultValue, message, help);
    }
    for (index, value) in values.iter().enumerate() {
        if values.iter().take(index).any(|other| wide(other) == wide(value)) {
            context.error(value.at, Code::DuplicateValue, format!("the value {} stands here twice", value.value));
        }
    }
}

pub(crate) fn fits_kind(kind: AttributeKind, value: &Literal) -> bool {
    let all = |of| matches!(value, Literal::List(list) if list.iter().all(|value| fits_kind(of, value)));
    match kind {
        AttributeKind::Int => matches!(value, Literal::Int(_)),
        // An integer is also a valid FLOAT; nobody should have to write `1.0` for 1.
        AttributeKind::Float => match value {
            #[expect(clippy::cast_possible_truncation, reason = "whether it rounds to infinity is what is asked")]
            Literal::Float(value) => !value.is_finite() || (*value as f32).is_finite(),
            other => matches!(other, Literal::Int(_)),
        },
        AttributeKind::String => matches!(value, Literal::Text(_)),
        AttributeKind::Ints => all(AttributeKind::Int),
        AttributeKind::Floats => all(AttributeKind::Float),
        AttributeKind::Strings => all(AttributeKind::String),
        _ => false,
    }
}

fn kind_example(kind: AttributeKind) -> &'static str {
    match kind {
        AttributeKind::Int => "write a whole number of 64 bits: `0`",
        AttributeKind::Float => "write a number of 32 bits: `0.5`",
        AttributeKind::String => "write a text: `\"NOTSET\"`",
        AttributeKind::Ints => "write a list of whole numbers: `[1, 1]`",
        AttributeKind::Floats => "write a list of numbers: `[0.5, 1.0]`",
        AttributeKind::Strings => "write a list of texts: `[\"a\", \"b\"]`",
        _ => "drop it: a value of this kind cannot be written in a descriptor",
    }
}

/// The value with integers converted to floats if the kind requires floats, so that each kind has only one form of
/// value.
pub(crate) fn widened(kind: AttributeKind, value: &Literal) -> Literal {
    match (kind, value) {
        #[expect(clippy::cast_precision_loss, reason = "a FLOAT attribute has 32 bits; the loss is its own")]
        (AttributeKind::Float | AttributeKind::Floats, Literal::Int(value)) => Literal::Float(*value as f64),
        (AttributeKind::Floats, Literal::List(list)) => {
            Literal::List(list.iter().map(|value| widened(AttributeKind::Float, value)).collect())
        }
        _ => value.clone(),
    }
}

/// The checks that need a full version. Errors that were inherited from an earlier version were reported there.
pub(crate) fn version(
    version: &Version,
    before: Option<&Version>,
    doubt: &Doubt,
    delta: &Spanned<VersionDelta>,
    domain: &str,
    context: &mut Context<'_>,
) {
    documented(version, delta, domain, context);
    let reset = delta.reset.as_ref().is_some_and(|reset| reset.value);
    let before = before.filter(|_| !reset);
    let own_parameter = |name: &str| delta.inputs.iter().chain(&delta.outputs).find(|entry| *entry.name.value == *name);
    for (index, constraint) in version.types.iter().enumerate() {
        let name = &constraint.name;
        let taken_over = before.is_some_and(|before| {
            before.types.iter().position(|old| old.name == *name).is_some_and(|old| !is_used(before, old))
        });
        let meant =
            delta.inputs.iter().chain(&delta.outputs).any(|entry| {
                !version.types.iter().any(|known| known.name == *entry.ty.value) && is_slip(&entry.ty, name)
            });
        let unsure = doubt.inputs || doubt.outputs || doubt.types || context.left_out.mentions(name);
        let entry = delta.types.iter().find(|entry| entry.name.value == *name);
        let at = entry.map_or(delta.at, |entry| entry.name.at);
        if !is_used(version, index) && !constraint.unused && !taken_over && !meant && !unsure {
            let message = format!("no input or output has the type variable `{name}`");
            let help = "remove it, or use it; one that ONNX has so is marked `unused: true`";
            context.error_help(at, Code::UnusedTypeVariable, message, help);
        } else if is_used(version, index) && constraint.unused {
            let message = format!("the type variable `{name}` is marked as unused, and is used");
            context.error_help(at, Code::UnusedTypeVariable, message, "drop `unused`");
        }
    }
    let many = |version: &Version| version.types.len() > MAX_TYPE_VARIABLES;
    if many(version) && !before.is_some_and(many) {
        let message =
            format!("a version has at most {MAX_TYPE_VARIABLES} type variables, this one {}", version.types.len());
        context.error(delta.at, Code::TooMany, message);
    }
    for (list, old, entries, what) in [
        (&version.inputs, before.map(|before| &before.inputs), &delta.inputs, "input"),
        (&version.outputs, before.map(|before| &before.outputs), &delta.outputs, "output"),
    ] {
        let not_last = |list: &[Parameter]| {
            let last = list.len().saturating_sub(1);
            let found = list.iter().take(last).find(|parameter| parameter.option == ParameterOption::Variadic);
            found.map(|parameter| parameter.name.clone())
        };
        if let Some(name) = not_last(list)
            && old.and_then(|old| not_last(old)).is_none()
        {
            let at = entries.iter().find(|entry| entry.name.value == name).map_or(delta.at, |entry| entry.at);
            let message = format!("the variadic {what} `{name}` is not the last one");
            context.error_help(at, Code::VariadicNotLast, message, "where it ends could not be told: put it last");
        }
    }
    for (list, old) in [
        (&version.inputs, before.map(|before| &before.inputs)),
        (&version.outputs, before.map(|before| &before.outputs)),
    ] {
        for parameter in list.iter().filter(|parameter| own_parameter(&parameter.name).is_none()) {
            let had = old.is_some_and(|old| {
                old.iter().any(|old| old.name == parameter.name && old.ty != ParameterType::Unknown)
            });
            if parameter.ty == ParameterType::Unknown && had {
                let message = format!("`{}` is left without its type variable", parameter.name);
                let help = "give it another type, or keep the variable";
                context.error_help(delta.at, Code::UnknownTypeVariable, message, help);
            }
        }
    }
    let counted = context.tables.newest_opset(domain).is_some();
    if delta.sources.is_empty()
        && counted
        && !context.is_draft()
        && delta.since.value > 0
        && !context.left_out.field(delta.at, "sources")
    {
        let message = format!("version {} names no document that its facts were read from", version.since);
        context.error_help(delta.since.at, Code::MissingField, message, "add `sources: [...]`");
    }
}

pub(crate) fn is_used(version: &Version, variable: usize) -> bool {
    let mut parameters = version.inputs.iter().chain(&version.outputs);
    parameters.any(|parameter| parameter.ty == ParameterType::Variable(variable))
}

pub(crate) fn errata(document: &Document, context: &mut Context<'_>) {
    // The number of a version that could not be read is unknown.
    let known_versions = !context.left_out.entry_of(document.versions.at) && document.versions.at != NOWHERE;
    for erratum in &document.errata {
        references(&erratum.sources, document, context);
        sentence(&erratum.ruling, "ruling", context);
        for version in &erratum.versions {
            let exists = document.versions.value.iter().any(|delta| delta.since.value == version.value);
            if !exists && known_versions {
                let message = format!("there is no version {}", version.value);
                let list: Vec<String> =
                    document.versions.value.iter().map(|delta| delta.since.value.to_string()).collect();
                let help = format!("versions of this file: {}", list.join(", "));
                context.error_help(version.at, Code::UnknownVersion, message, help);
            }
        }
        let known: Vec<&str> = document.examples.iter().map(|example| &*example.name.value).collect();
        for name in &erratum.examples {
            if context.scope != Scope::Facts && !known.contains(&name.as_str()) {
                let message = format!("there is no example `{}`", name.value);
                context.unknown(name, Code::UnknownExample, message, known.iter().copied());
            }
        }
    }
}
