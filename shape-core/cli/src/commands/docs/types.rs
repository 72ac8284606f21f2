//! The pages of element types, and the table of them and of their groups.

use askama::Template;
use serde::Serialize;
use shape_specs::operator::{Operator, ParameterType, Version};
use shape_specs::tables::{Element, Type};

use super::address;
use super::frame::{File, Frame, Link, facts};
use super::site::{Site, link};
use super::sources::RuntimeManifest;
use crate::json::SCHEMA_VERSION;

#[derive(Template)]
#[template(path = "docs/types.html")]
struct Index<'s> {
    frame: Frame,
    elements: Vec<(&'s Element, Link, usize)>,
    groups: Vec<(&'s str, Vec<Link>)>,
}

#[derive(Template)]
#[template(path = "docs/type.html")]
struct Page<'s> {
    frame: Frame,
    element: &'s Element,
    release: Option<&'s str>,
    groups: Vec<&'s str>,
    operators: Vec<Row>,
    runtimes: Vec<(Link, usize)>,
}

/// An operator that takes the type.
struct Row {
    operator: Link,
    /// The first version that does, and the last one if no later version does.
    first: Link,
    last: Option<Link>,
    /// Where the newest of them takes it: variables, inputs and outputs.
    places: String,
}

/// The facts of the page of a type.
#[derive(Serialize)]
struct Facts<'s> {
    schema_version: u32,
    #[serde(rename = "type")]
    element: &'s str,
    /// The release of ONNX that brought it; null for one that was always there.
    release: Option<&'s str>,
    groups: &'s [&'s str],
    operators: Vec<OfOperator<'s>>,
}

#[derive(Serialize)]
struct OfOperator<'s> {
    operator: &'s str,
    first: &'s str,
    /// Null if the newest version takes it.
    last: Option<&'s str>,
    places: &'s str,
}

impl<'s> Facts<'s> {
    fn of(page: &'s Page<'s>) -> Self {
        let operator = |row: &'s Row| OfOperator {
            operator: &row.operator.text,
            first: &row.first.text,
            last: row.last.as_ref().map(|last| &*last.text),
            places: &row.places,
        };
        Self {
            schema_version: SCHEMA_VERSION,
            element: &page.element.name,
            release: page.release,
            groups: &page.groups,
            operators: page.operators.iter().map(operator).collect(),
        }
    }
}

/// Whether a type has elements of a type.
fn has(ty: &Type, element: &Element) -> bool {
    match ty {
        Type::Tensor(of) | Type::SparseTensor(of) => of == element,
        Type::Sequence(of) | Type::Optional(of) => has(of, element),
        Type::Map(key, of) => key == element || has(of, element),
    }
}

/// The variables, inputs and outputs of a version that may have elements of a type.
fn places<'s>(version: &'s Version, element: &Element) -> Vec<&'s str> {
    let variables = version.types.iter().filter(|of| of.allow.iter().any(|ty| has(ty, element))).map(|of| &*of.name);
    let parameters = version.inputs.iter().chain(&version.outputs);
    let fixed = parameters.filter(|of| matches!(&of.ty, ParameterType::Fixed(ty) if has(ty, element)));
    variables.chain(fixed.map(|of| &*of.name)).collect()
}

fn row(operator: &Operator, element: &Element) -> Option<Row> {
    let takes = |version: &&Version| !places(version, element).is_empty();
    let first = operator.versions.iter().find(takes)?;
    let last = operator.versions.iter().rfind(takes)?;
    let to = |of: &Version| Link::new(&address::version(operator, of.since), format!("{}-{}", operator.name, of.since));
    let is_newest = operator.versions.last().is_some_and(|newest| newest.since == last.since);
    Some(Row {
        operator: link(operator),
        first: to(first),
        last: (!is_newest).then(|| to(last)),
        places: places(last, element).join(", "),
    })
}

pub(super) fn files(site: &Site<'_>) -> Result<Vec<File>, String> {
    let folder = |element: &Element| format!("types/{}", element.name);
    let to = |element: &Element| Link::new(&folder(element), &*element.name);
    let mut files = Vec::new();
    let mut elements = Vec::new();
    for element in &site.tables.elements {
        let operators: Vec<Row> = site.all().filter_map(|operator| row(operator, element)).collect();
        elements.push((element, to(element), operators.len()));
        let groups = site.tables.groups.iter().filter(|(_, members)| members.contains(element));
        let about = format!("The ONNX element type {}: where it is allowed", element.name);
        let page = Page {
            frame: Frame::new(folder(element), &*element.name, about).below([Link::new("types", "Types")]).with_json(),
            element,
            release: site.release("ai.onnx", element.since).map(|release| &*release.release),
            groups: groups.map(|(name, _)| &**name).collect(),
            operators,
            runtimes: runtimes(site, element),
        };
        files.extend([Frame::page(&folder(element), &page)?, facts(&folder(element), &Facts::of(&page))?]);
    }
    let page = Index {
        frame: Frame::new("types", "Types", "The element types of ONNX and groups of them"),
        elements,
        groups: site.tables.groups.iter().map(|(name, of)| (&**name, of.iter().map(to).collect())).collect(),
    };
    files.push(Frame::page("types", &page)?);
    Ok(files)
}

/// The runtimes whose manifests name types, each with how many operators it takes with elements of a type.
fn runtimes(site: &Site<'_>, element: &Element) -> Vec<(Link, usize)> {
    let count = |of: &RuntimeManifest| {
        let takes = |types: &[Type]| types.iter().any(|ty| has(ty, element));
        let mut operators: Vec<(&str, &str)> = (of.manifest.entries.iter())
            .filter(|of| of.types.as_deref().is_some_and(takes) || of.variables.iter().any(|(_, types)| takes(types)))
            .map(|of| (&*of.domain, &*of.operator))
            .collect();
        operators.sort_unstable();
        operators.dedup();
        operators.len()
    };
    let named = |of: &&RuntimeManifest| {
        of.manifest.entries.iter().any(|entry| entry.types.is_some() || !entry.variables.is_empty())
    };
    let manifests = site.sources.manifests.iter().filter(named);
    manifests
        .map(|of| {
            (Link::new(&address::manifest(of.runtime, of.release), format!("{} {}", of.runtime, of.release)), count(of))
        })
        .collect()
}
