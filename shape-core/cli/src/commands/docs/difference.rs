//! The page of what changed between two versions of an operator, side by side.

use askama::Template;
use shape_changes::diff::{Change, compare};
use shape_specs::operator::{Operator, TypeConstraint, Version};
use shape_specs::tables::Type;

use super::address;
use super::frame::{File, Frame, Link, facts};
use super::site::{above, full, heading, link};
use crate::commands::diff::Report;

#[derive(Template)]
#[template(path = "docs/difference.html")]
struct Page<'s> {
    frame: Frame,
    before: Link,
    after: Link,
    changes: Vec<String>,
    /// What a conversion back does and one forwards does not.
    back: Vec<String>,
    /// The steps between versions that lie between the two, each with its changes.
    steps: Vec<(Link, Vec<String>)>,
    sections: Vec<Section<'s>>,
}

/// Parts of one kind.
struct Section<'s> {
    title: &'static str,
    id: &'static str,
    rows: Vec<Row<'s>>,
}

/// A part in both versions.
struct Row<'s> {
    name: String,
    /// Whether the name is one of the descriptor.
    code: bool,
    before: Option<Cell<'s>>,
    after: Option<Cell<'s>>,
}

impl<'s> Row<'s> {
    /// The part in each version, and whether that is the newer one.
    fn cells(&self) -> [(Option<&Cell<'s>>, bool); 2] {
        [(self.before.as_ref(), false), (self.after.as_ref(), true)]
    }

    /// What happened to it, in a word.
    fn what(&self) -> &'static str {
        match (&self.before, &self.after) {
            (None, _) => "added",
            (_, None) => "removed",
            (Some(before), Some(after)) if before.facts != after.facts || before.types != after.types => "changed",
            _ => "same",
        }
    }
}

/// A part of one version.
struct Cell<'s> {
    facts: String,
    /// The types of a variable, each with whether the other version has it too.
    types: Vec<(String, bool)>,
    doc: &'s str,
}

impl<'s> Cell<'s> {
    fn new(facts: impl Into<String>, doc: &'s str) -> Option<Self> {
        Some(Self { facts: facts.into(), types: Vec::new(), doc })
    }
}

/// The page of two versions and its facts.
pub(super) fn files(operator: &Operator, before: &Version, after: &Version) -> Result<Vec<File>, String> {
    let name = &operator.name;
    let folder = address::difference(operator, before.since, after.since);
    let comparison = compare(operator, before, after);
    let texts = |changes: &[Change]| changes.iter().map(ToString::to_string).collect::<Vec<_>>();
    let to = |of: &Version| Link::new(&address::version(operator, of.since), format!("{name}-{}", of.since));
    let steps = comparison.steps.iter().filter(|_| comparison.steps.len() > 1).map(|step| {
        let (from, to) = (step.before.since, step.after.since);
        let link = Link::new(&address::difference(operator, from, to), format!("{name}-{from} to {name}-{to}"));
        (link, texts(&step.changes))
    });
    let back = compare(operator, after, before).overall;
    let is_new = |change: &&Change| matches!(change, Change::Conversion { .. }) && !comparison.overall.contains(change);
    let back = back.iter().filter(is_new);
    let title = format!("{name}-{} and {name}-{}", before.since, after.since);
    let about = format!(
        "What changed in the ONNX operator {name} between version {} and version {}",
        before.since, after.since
    );
    let window = full(operator, &title);
    let frame = Frame::new(&*folder, heading(operator, &title), about).below(above(operator)).below([link(operator)]);
    let page = Page {
        frame: frame.in_window(window).with_json(),
        before: to(before),
        after: to(after),
        changes: texts(&comparison.overall),
        back: back.map(ToString::to_string).collect(),
        steps: steps.collect(),
        sections: sections(before, after),
    };
    let report = Report::new(operator, (before.since, before), (after.since, after), &comparison);
    Ok(vec![Frame::page(&folder, &page)?, facts(&folder, &report)?])
}

fn sections<'s>(before: &'s Version, after: &'s Version) -> Vec<Section<'s>> {
    let both = (before, after);
    let section = |title, id, rows| Section { title, id, rows };
    let sections = [
        section(
            "Attributes",
            "attributes",
            rows(both, |of| of.attributes.iter().map(|of| (of.name.clone(), Cell::new(of.facts(), &of.doc))).collect()),
        ),
        section(
            "Inputs",
            "inputs",
            rows(both, |of| {
                of.inputs
                    .iter()
                    .map(|input| (input.name.clone(), Cell::new(of.parameter_facts(input), &input.doc)))
                    .collect()
            }),
        ),
        section(
            "Outputs",
            "outputs",
            rows(both, |of| {
                of.outputs.iter().map(|out| (out.name.clone(), Cell::new(of.parameter_facts(out), &out.doc))).collect()
            }),
        ),
        section("Types", "types", types(both)),
        section(
            "Attributes and inputs that exclude each other",
            "exclusive",
            rows(both, |of| of.exclusive.iter().map(|of| (of.of.join(", "), Cell::new(of.to_string(), ""))).collect()),
        ),
        section(
            "Relations that a node must meet",
            "relations",
            rows(both, |of| of.requires.iter().map(|of| (of.text.clone(), Cell::new(&*of.code, &of.doc))).collect()),
        ),
        section(
            "What gives the outputs",
            "rules",
            rows(both, |of| of.rules.iter().map(|of| (of.output.clone(), Cell::new(of.to_string(), ""))).collect()),
        ),
        section("The version as a whole", "whole", whole(both)),
    ];
    sections.into_iter().filter(|section| !section.rows.is_empty()).collect()
}

/// The parts of both versions by name: those of the older one in its order, and then the new ones.
fn rows<'s>(
    (before, after): (&'s Version, &'s Version),
    parts: impl Fn(&'s Version) -> Vec<(String, Option<Cell<'s>>)>,
) -> Vec<Row<'s>> {
    let mut rows: Vec<Row<'s>> =
        parts(before).into_iter().map(|(name, before)| Row { name, code: true, before, after: None }).collect();
    for (name, after) in parts(after) {
        match rows.iter_mut().find(|row| row.name == name) {
            Some(row) => row.after = after,
            None => rows.push(Row { name, code: true, before: None, after }),
        }
    }
    rows
}

fn whole((before, after): (&Version, &Version)) -> Vec<Row<'static>> {
    let yes = |is: bool| (if is { "yes" } else { "no" }).to_owned();
    let facts = |of: &Version| {
        [
            ("summary", of.summary.clone()),
            ("deprecated", yes(of.deprecated)),
            ("support level", of.support_level.name().to_owned()),
            ("function of other operators", yes(of.function)),
            ("shape inference of onnx", yes(of.shape_inference)),
            ("deterministic", yes(of.deterministic)),
            ("takes attributes that are not listed", yes(of.other_attributes)),
            ("graphs in its attributes", of.subgraphs.map_or("none", |kind| kind.name()).to_owned()),
        ]
    };
    let pairs = facts(before).into_iter().zip(facts(after));
    pairs
        .map(|((name, before), (_, after))| Row {
            name: name.to_owned(),
            code: false,
            before: Cell::new(before, ""),
            after: Cell::new(after, ""),
        })
        .collect()
}

fn types<'s>((before, after): (&'s Version, &'s Version)) -> Vec<Row<'s>> {
    let of = |one: &'s Version, other: &'s Version| -> Vec<(String, Option<Cell<'s>>)> {
        let cell = |of: &'s TypeConstraint| {
            let same = other.types.iter().find(|same| same.name == of.name);
            let is_in_both = |ty: &Type| same.is_some_and(|same| same.allow.contains(ty));
            let types = of.allow.iter().map(|ty| (ty.word(), is_in_both(ty))).collect();
            (of.name.clone(), Some(Cell { facts: String::new(), types, doc: &of.doc }))
        };
        one.types.iter().map(cell).collect()
    };
    rows((before, after), |version| if version.since == before.since { of(before, after) } else { of(after, before) })
}
