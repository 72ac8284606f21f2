//! What a node needs of a release of a runtime, by the tables of its version.

use shape_core::check;
use shape_core::code::Code;
use shape_core::node::NodeAttribute;
use shape_core::problem::{Problem, Side};
use shape_core::registry::Registry;
use shape_core::runtime::{ReleaseNumber, RuntimeRelease};
use shape_core::schema::{Schema, arity};
use shape_core::types::Type;
use std::fmt;

/// What a node uses that not every release of the runtime has.
///
/// Its `Display` says which have it: "the input `head_sink` exists from onnxruntime 1.23.0 on".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// What it is: `attribute`, `input`, `output`, `type`, `value`, or `operator` for all of it.
    pub kind: &'static str,
    /// What it is, in words: "the input `head_sink`".
    pub what: String,
    /// The first release that has it; `None` if the oldest known one does.
    pub from: Option<RuntimeRelease>,
    /// The first release after that one that does not have it any more.
    pub until: Option<RuntimeRelease>,
}

impl Need {
    /// Whether a release has it.
    #[must_use]
    pub fn is_met(&self, release: ReleaseNumber) -> bool {
        self.from.is_none_or(|from| from.number <= release) && self.until.is_none_or(|until| release < until.number)
    }
}

impl fmt::Display for Need {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, from, until, .. } = self;
        match (from, until) {
            (Some(from), None) => write!(formatter, "{what} exists from {from} on"),
            (Some(from), Some(until)) => write!(formatter, "{what} exists from {from} on, and before {}", until.number),
            (None, Some(until)) => write!(formatter, "{what} exists before {until} alone"),
            (None, None) => write!(formatter, "{what} exists in each release"),
        }
    }
}

/// A version as the newest release has it.
pub(crate) fn newest(schema: &'static Schema, registry: &Registry) -> &'static Schema {
    if !schema.earlier.is_empty() || registry.release().is_none() {
        return schema;
    }
    let versions = registry.operator(schema.domain, schema.name);
    versions.iter().copied().find(|newest| newest.since_version == schema.since_version).unwrap_or(schema)
}

/// How many outputs of a node count, by whether each has a name: one without is left out, but still counts if another
/// follows it.
pub(crate) fn outputs_that_count(
    schema: &'static Schema,
    mut named: impl ExactSizeIterator<Item = bool> + DoubleEndedIterator,
) -> usize {
    let (all, (_, max)) = (named.len(), arity(schema.outputs));
    if max.is_some_and(|max| all > max) { all } else { named.rposition(|named| named).map_or(0, |last| last + 1) }
}

/// What a node has that tables of a version are asked about.
#[derive(Clone, Debug)]
pub(crate) struct Given<'m> {
    pub(crate) attributes: Vec<NodeAttribute<'m>>,
    /// Whether each input is there.
    pub(crate) present: Vec<bool>,
    /// The type of each input, as far as it is known.
    pub(crate) types: Vec<Option<Type>>,
    /// Whether each output has a name.
    pub(crate) outputs: Vec<bool>,
    /// The type of each output that the model declares, or else that is known.
    pub(crate) output_types: Vec<Option<Type>>,
}

impl<'m> Given<'m> {
    fn outputs(&self, schema: &'static Schema) -> usize {
        outputs_that_count(schema, self.outputs.iter().copied())
    }

    /// What the tables of a version say against the node.
    pub(crate) fn problems(&self, schema: &'static Schema) -> Vec<Problem<'m>> {
        let mut problems = Vec::new();
        check::attributes(schema, &self.attributes, &mut |problem| problems.push(problem));
        check::counts(schema, &self.present, self.outputs(schema), &mut |problem| problems.push(problem));
        check::exclusive(schema, &self.attributes, &self.present, &mut |problem| problems.push(problem));
        // The type of another output is that of an input.
        let is_open = |index: usize| {
            schema.output(index).is_some_and(|output| schema.inputs.iter().all(|input| input.ty != output.ty))
        };
        let open = self.output_types.iter().enumerate().map(|(index, ty)| ty.filter(|_| is_open(index)));
        check::types(schema, &self.types, &open.collect::<Vec<_>>(), &mut |problem| problems.push(problem));
        problems
    }

    /// The last input or output that there is.
    fn last(&self, side: Side) -> Option<usize> {
        match side {
            Side::Input => self.present.iter().rposition(|present| *present),
            Side::Output => self.outputs.iter().rposition(|named| *named),
        }
    }
}

/// What a problem is about, so that it is recognised in another release.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Subject(Code, String);

impl Subject {
    fn of(problem: &Problem<'_>) -> Self {
        let about = match *problem {
            Problem::AttributeUnknown { name, .. }
            | Problem::AttributeType { name, .. }
            | Problem::AttributeDuplicate { name }
            | Problem::AttributeNoValue { name, .. }
            | Problem::AttributeNoKind { name } => name.to_owned(),
            Problem::AttributeMissing { attribute }
            | Problem::AttributeValue { attribute, .. }
            | Problem::NoElementType { attribute, .. } => attribute.name.to_owned(),
            Problem::Exclusive { given, .. } => format!("{given:?}"),
            Problem::Count { side, .. } => side.to_string(),
            Problem::InputMissing { index, .. } => index.to_string(),
            Problem::TypeNotAllowed { side, index, .. } | Problem::TypeMismatch { side, index, .. } => {
                format!("{side} {index}")
            }
            _ => String::new(),
        };
        Self(problem.code(), about)
    }
}

/// Whether a version has the attribute, input or output whose value or type a problem is about.
fn has_part(schema: &'static Schema, problem: &Problem<'_>) -> bool {
    let has_attribute = |name: &str| schema.attributes.iter().any(|attribute| attribute.name == name);
    match *problem {
        Problem::AttributeType { name, .. } => has_attribute(name),
        Problem::AttributeValue { attribute, .. } | Problem::NoElementType { attribute, .. } => {
            has_attribute(attribute.name)
        }
        Problem::TypeNotAllowed { side, index, .. } | Problem::TypeMismatch { side, index, .. } => match side {
            Side::Input => schema.input(index).is_some(),
            Side::Output => schema.output(index).is_some(),
        },
        _ => true,
    }
}

/// A node beside a version as each release has it.
pub(crate) struct Beside<'g, 'm> {
    given: &'g Given<'m>,
    releases: Vec<&'static Schema>,
    /// What the tables of each release say against the node.
    problems: Vec<Vec<Problem<'m>>>,
}

impl<'g, 'm> Beside<'g, 'm> {
    pub(crate) fn new(newest: &'static Schema, given: &'g Given<'m>) -> Self {
        let releases: Vec<&'static Schema> = newest.by_release().collect();
        let problems = releases.iter().map(|schema| given.problems(schema)).collect();
        Self { given, releases, problems }
    }

    /// Whether each release allows what a problem is about: not where it lacks the part that the problem is with.
    fn allows(&self, problem: &Problem<'_>) -> Vec<bool> {
        let subject = Subject::of(problem);
        let allows = |(schema, problems): (&&'static Schema, &Vec<Problem<'_>>)| {
            has_part(schema, problem) && problems.iter().all(|one| Subject::of(one) != subject)
        };
        self.releases.iter().zip(&self.problems).map(allows).collect()
    }

    fn is_refused_by_all(&self, problem: &Problem<'_>) -> bool {
        !self.allows(problem).contains(&true)
    }

    /// Whether each release takes the node, but for what is wrong in all of them.
    pub(crate) fn taken(&self) -> Vec<bool> {
        self.problems.iter().map(|problems| problems.iter().all(|one| self.is_refused_by_all(one))).collect()
    }

    /// What some releases allow of the node and others do not.
    pub(crate) fn needs(&self) -> Vec<Need> {
        let mut needs: Vec<Need> = Vec::new();
        needs.extend(self.releases.first().and_then(|first| Some((first.name, first.release?))).map(|(name, from)| {
            Need { kind: "operator", what: format!("the operator `{name}`"), from: Some(from), until: None }
        }));
        let mut seen: Vec<Subject> = Vec::new();
        for problem in self.problems.iter().flatten() {
            let subject = Subject::of(problem);
            if !seen.contains(&subject) {
                needs.extend(self.need(problem));
                seen.push(subject);
            }
        }
        needs
    }

    /// The need that a problem in some of the releases shows; `None` if all of them refuse it.
    fn need(&self, problem: &Problem<'_>) -> Option<Need> {
        let allows = self.allows(problem);
        allows.contains(&true).then(|| need(problem, &self.releases, &allows, self.given))
    }

    /// Which releases allow what is wrong with the node by the tables of one, and if none takes the node as a whole, why;
    /// `None` if all of them refuse it.
    pub(crate) fn help(&self, problem: &Problem<'_>) -> Option<String> {
        let need = self.need(problem)?;
        if self.taken().contains(&true) {
            return Some(need.to_string());
        }
        let others = self.needs().into_iter().filter(|other| *other != need);
        let others: Vec<String> = others.map(|other| other.to_string()).collect();
        Some(format!("{need}; no release has all that the node uses: {}", others.join("; ")))
    }
}

/// The need that a problem in some of the releases shows.
fn need(problem: &Problem<'_>, releases: &[&'static Schema], allows: &[bool], given: &Given<'_>) -> Need {
    let first = allows.iter().position(|allows| *allows).unwrap_or_default();
    let end = allows.iter().skip(first).position(|allows| !*allows).map(|after| first + after);
    let release = |index: usize| releases.get(index).and_then(|schema| schema.release);
    let parameter = |side: Side, index: usize| {
        let of = |schema: &&'static Schema| match side {
            Side::Input => schema.input(index),
            Side::Output => schema.output(index),
        };
        releases.iter().find_map(of).map_or_else(|| index.to_string(), |parameter| parameter.name.to_owned())
    };
    let kind = |side: Side| if side == Side::Input { "input" } else { "output" };
    let (kind, what) = match *problem {
        Problem::AttributeUnknown { name, .. } => ("attribute", format!("the attribute `{name}`")),
        Problem::AttributeMissing { attribute } => {
            ("attribute", format!("a node without the attribute `{}`", attribute.name))
        }
        Problem::AttributeValue { attribute, .. } => ("value", format!("this value of `{}`", attribute.name)),
        Problem::AttributeType { name, found, .. } => {
            ("attribute", format!("an attribute `{name}` of the kind {found}"))
        }
        Problem::Count { side, max: Some(max), found, .. } if found > max => {
            let name = parameter(side, given.last(side).unwrap_or(max));
            (kind(side), format!("the {side} `{name}`"))
        }
        Problem::Count { side, found, .. } => {
            (kind(side), format!("a node without the {side} `{}`", parameter(side, found)))
        }
        Problem::InputMissing { parameter, .. } => ("input", format!("a node without the input `{}`", parameter.name)),
        Problem::TypeNotAllowed { side, parameter, found, .. } => {
            ("type", format!("the {side} `{}` of type {found}", parameter.name))
        }
        Problem::TypeMismatch { side, parameter, found, .. } => {
            ("type", format!("the {side} `{}` of a type of its own, {found},", parameter.name))
        }
        _ => ("value", format!("what `{}` tells", problem.code().name())),
    };
    Need { kind, what, from: release(first), until: end.and_then(release) }
}
