//! The page of a version of an operator, and its content, which the page of the operator has too.

use askama::Template;
use shape_changes::diff::changes;
use shape_core::code::Code;
use shape_specs::operator::{Attribute, Example, Expectation, Operator, Parameter, Ruling, Version};
use shape_specs::rules::{Call, DimsRule, OutputRule};

use super::frame::{File, Frame, Link, facts};
use super::site::{Site, above, full, heading, link};
use super::support::{self, Support};
use super::{address, profile};
use crate::commands::show::example::{argument, list, optional};
use crate::commands::show::{InRelease, Shown, json};

/// How many elements of a tensor of an example are shown.
const MAX_ITEMS: usize = 64;

#[derive(Template)]
#[template(path = "docs/version.html")]
struct Page<'s> {
    frame: Frame,
    content: Content<'s>,
    older: Option<Link>,
    newer: Option<Link>,
    /// The other versions, to compare with.
    compare: Vec<Link>,
}

/// All that is known of a version.
pub(super) struct Content<'s> {
    pub(super) version: &'s Version,
    /// The facts about it as a whole, each with its name.
    pub(super) head: Vec<(&'static str, String)>,
    /// The page of the opset that brought it.
    pub(super) opset: Option<Link>,
    /// The changes from the version before it, and the page that shows both.
    pub(super) changes: Vec<String>,
    pub(super) difference: Option<Link>,
    pub(super) attributes: Vec<AttributeRow<'s>>,
    pub(super) inputs: Vec<ParameterRow<'s>>,
    pub(super) outputs: Vec<ParameterRow<'s>>,
    pub(super) types: Vec<TypeRow<'s>>,
    pub(super) requires: Vec<RequirementRow<'s>>,
    pub(super) rules: Vec<RuleRow<'s>>,
    pub(super) adapter: Vec<String>,
    pub(super) support: Vec<Support>,
    pub(super) examples: Vec<ExampleRow<'s>>,
    pub(super) errata: Vec<&'s Ruling>,
    pub(super) profile: Vec<Link>,
    pub(super) sources: Vec<&'s (String, String)>,
}

pub(super) struct AttributeRow<'s> {
    pub(super) of: &'s Attribute,
    /// What it may be beyond its kind: `one of 0, 1`.
    pub(super) allowed: String,
}

pub(super) struct ParameterRow<'s> {
    pub(super) of: &'s Parameter,
    pub(super) ty: String,
    /// Whether the type is a variable of the version.
    pub(super) variable: bool,
    /// `optional`, or how many.
    pub(super) presence: String,
}

pub(super) struct TypeRow<'s> {
    pub(super) name: &'s str,
    pub(super) doc: &'s str,
    pub(super) group: Option<&'s str>,
    /// The allowed types, each with its page if it has one.
    pub(super) allow: Vec<(String, Option<Link>)>,
}

pub(super) struct RequirementRow<'s> {
    pub(super) that: &'s str,
    pub(super) doc: &'s str,
    pub(super) code: Link,
}

pub(super) struct RuleRow<'s> {
    pub(super) output: &'s str,
    pub(super) text: String,
    /// The rules that it calls.
    pub(super) calls: Vec<Link>,
}

pub(super) struct ExampleRow<'s> {
    pub(super) name: &'s str,
    pub(super) source: Option<&'s str>,
    pub(super) inputs: Vec<String>,
    pub(super) attributes: Vec<(&'s str, String)>,
    /// The outputs, each with the reason why only its type is known.
    pub(super) outputs: Vec<(String, Option<&'s str>)>,
    /// The finding that it gives instead.
    pub(super) error: Option<Link>,
}

impl<'s> Content<'s> {
    pub(super) fn new(site: &Site<'s>, operator: &'s Operator, version: &'s Version) -> Self {
        let older = operator.versions.iter().rfind(|older| older.since < version.since);
        let of_version = |example: &&Example| example.holds_for(version.since);
        let sources = operator.sources.iter().filter(|(id, _)| version.sources.contains(id)).collect();
        Self {
            version,
            head: head(site, operator, version),
            opset: operator.beside_onnx().is_none().then(|| {
                let opset = address::opset(&operator.domain, version.since);
                Link::new(&opset, format!("opset {} of {}", version.since, operator.domain))
            }),
            changes: older.iter().flat_map(|older| changes(older, version)).map(|of| of.to_string()).collect(),
            difference: older.map(|older| difference(operator, older, version)),
            attributes: version.attributes.iter().map(attribute).collect(),
            inputs: version.inputs.iter().map(|of| parameter(version, of)).collect(),
            outputs: version.outputs.iter().map(|of| parameter(version, of)).collect(),
            types: version
                .types
                .iter()
                .map(|of| TypeRow {
                    name: &of.name,
                    doc: &of.doc,
                    group: of
                        .group
                        .as_deref()
                        .filter(|group| site.tables.groups.iter().any(|(known, _)| known == group)),
                    allow: of
                        .allow
                        .iter()
                        .map(|ty| (ty.word(), address::ty(ty).map(|to| Link::new(&to, ty.word()))))
                        .collect(),
                })
                .collect(),
            requires: version
                .requires
                .iter()
                .map(|of| RequirementRow { that: &of.text, doc: &of.doc, code: code(&of.code) })
                .collect(),
            rules: version.rules.iter().map(|of| rule(site, of)).collect(),
            adapter: version.adapter.iter().flatten().map(ToString::to_string).collect(),
            support: support::of(site, operator, version),
            examples: operator.examples.iter().filter(of_version).map(example).collect(),
            errata: operator.errata.iter().filter(|ruling| ruling.versions.contains(&version.since)).collect(),
            profile: profile::about(site, operator, version.since),
            sources,
        }
    }

    /// The sections that the page has of it, each with its title.
    pub(super) fn places(&self) -> Vec<(&'static str, &'static str)> {
        let places = [
            ("attributes", "Attributes", self.attributes.is_empty()),
            ("inputs", "Inputs", self.inputs.is_empty()),
            ("outputs", "Outputs", self.outputs.is_empty()),
            ("types", "Types", self.types.is_empty()),
            ("relations", "Relations", self.requires.is_empty() && self.version.exclusive.is_empty()),
            ("rules", "Rules", self.rules.is_empty()),
            ("adapter", "Conversion", self.adapter.is_empty()),
            ("runtimes", "Runtimes", self.support.is_empty()),
            ("examples", "Examples", self.examples.is_empty()),
            ("errata", "Errata", self.errata.is_empty()),
            ("profile", "Profiles", self.profile.is_empty()),
        ];
        places.into_iter().filter(|(.., empty)| !empty).map(|(place, title, _)| (place, title)).collect()
    }

    /// The inputs and the outputs, each with what they are called.
    pub(super) fn parameters(&self) -> [(&'static str, &'static str, &[ParameterRow<'s>]); 2] {
        [("input", "Inputs", &self.inputs), ("output", "Outputs", &self.outputs)]
    }
}

/// What changed between two versions.
pub(super) fn difference(operator: &Operator, one: &Version, other: &Version) -> Link {
    let folder = address::difference(operator, one.since, other.since);
    Link::new(&folder, format!("{}-{} and {0}-{} side by side", operator.name, one.since, other.since))
}

fn head(site: &Site<'_>, operator: &Operator, version: &Version) -> Vec<(&'static str, String)> {
    let mut head = Vec::new();
    let release = site.release(&operator.domain, version.since).filter(|_| operator.beside_onnx().is_none());
    head.extend(release.map(|release| ("First release", format!("ONNX {}", release.release))));
    head.extend(version.deprecated.then(|| ("Deprecated", "yes: ONNX has no such operator from here on".to_owned())));
    head.push(("Support level", version.support_level.name().to_owned()));
    let yes = |is: bool, yes: &str, no: &str| (if is { yes } else { no }).to_owned();
    head.push(("Function", yes(version.function, "yes: ONNX defines it by other operators", "no")));
    head.push(("Shape inference of onnx", yes(version.shape_inference, "yes", "no")));
    head.push(("Deterministic", yes(version.deterministic, "yes", "no: the same inputs may give other outputs")));
    let others = || ("Other attributes", "a node may have attributes that are not listed here".to_owned());
    head.extend(version.other_attributes.then(others));
    head.extend(version.subgraphs.map(|kind| ("Graphs in its attributes", kind.name().to_owned())));
    head.extend(version.semantics.as_ref().map(|says| ("Meaning", says.clone())));
    head.extend(InRelease::of(operator, version).map(|release| ("Release", release.to_string())));
    head
}

fn attribute(of: &Attribute) -> AttributeRow<'_> {
    let each = if of.kind.is_list() { "each " } else { "" };
    let mut allowed = Vec::new();
    if !of.values.is_empty() {
        allowed.push(format!("{each}one of {}", list(&of.values)));
    }
    if of.range.min.is_some() || of.range.max.is_some() {
        allowed.push(format!("{each}{}", of.range));
    }
    AttributeRow { of, allowed: allowed.join(", ") }
}

fn parameter<'s>(version: &'s Version, of: &'s Parameter) -> ParameterRow<'s> {
    let ty = version.type_text(of);
    let facts = version.parameter_facts(of);
    let presence = facts.strip_prefix(&*ty).unwrap_or_default().trim_start_matches(", ").to_owned();
    let variable = version.types.iter().any(|variable| variable.name == ty);
    ParameterRow { of, ty, variable, presence }
}

/// A code of findings; those of a table of `--specs` alone have no page.
fn code(name: &str) -> Link {
    match Code::from_name(name) {
        Some(_) => Link::new(&address::code(name), name),
        None => Link::new("codes", name),
    }
}

fn rule<'s>(site: &Site<'_>, of: &'s OutputRule) -> RuleRow<'s> {
    let calls = of.dims.iter().flat_map(DimsRule::calls).chain(&of.elements);
    let mut names: Vec<&str> = Vec::new();
    for Call { rule, .. } in calls {
        // A function of another crate has no page.
        if !names.contains(&&**rule) && site.tables.family_of(rule).is_some() {
            names.push(rule);
        }
    }
    let calls = names.iter().map(|name| Link::new("rules", *name).at(name)).collect();
    RuleRow { output: &of.output, text: of.to_string(), calls }
}

fn example(of: &Example) -> ExampleRow<'_> {
    let (outputs, error) = match &of.expect {
        Expectation::Outputs(outputs) => {
            let outputs = outputs.iter().map(|output| {
                let unchecked = output.as_ref().and_then(|output| output.unchecked.as_deref());
                (optional(output, MAX_ITEMS), unchecked)
            });
            (outputs.collect(), None)
        }
        Expectation::Error(name) => (Vec::new(), Some(code(name))),
    };
    ExampleRow {
        name: &of.name,
        source: of.source.as_deref(),
        inputs: of.inputs.iter().map(|input| optional(input, MAX_ITEMS)).collect(),
        attributes: of.attributes.iter().map(|(name, value)| (&**name, argument(value, MAX_ITEMS))).collect(),
        outputs,
        error,
    }
}

/// The page of a version and its facts.
pub(super) fn files(site: &Site<'_>, operator: &Operator, version: &Version) -> Result<Vec<File>, String> {
    let Operator { name, versions, .. } = operator;
    let folder = address::version(operator, version.since);
    let to = |of: &Version| Link::new(&address::version(operator, of.since), format!("{name}-{}", of.since));
    let others = versions.iter().rev().filter(|other| other.since != version.since);
    let title = format!("{name}-{}", version.since);
    let window = full(operator, &title);
    let page = Page {
        frame: Frame::new(&*folder, heading(operator, &title), &*version.summary)
            .below(above(operator))
            .below([link(operator)])
            .in_window(window)
            .with_json(),
        content: Content::new(site, operator, version),
        older: versions.iter().rfind(|older| older.since < version.since).map(to),
        newer: versions.iter().find(|newer| newer.since > version.since).map(to),
        compare: others.map(|other| difference_with(operator, version, other)).collect(),
    };
    let shown = Shown::new(operator, Some((version.since, version)), site.tables);
    Ok(vec![Frame::page(&folder, &page)?, facts(&folder, &json::Report::new(&shown))?])
}

fn difference_with(operator: &Operator, version: &Version, other: &Version) -> Link {
    Link::new(&address::difference(operator, version.since, other.since), format!("{}-{}", operator.name, other.since))
}
