//! The page of all rulings: where documents contradict themselves, and what is taken here.

use askama::Template;
use shape_specs::operator::{Operator, Ruling};

use super::address;
use super::frame::{File, Frame, Link};
use super::site::{Site, link};

#[derive(Template)]
#[template(path = "docs/errata.html")]
struct Page<'s> {
    frame: Frame,
    operators: Vec<(Link, Vec<Row<'s>>)>,
}

struct Row<'s> {
    ruling: &'s Ruling,
    versions: Vec<Link>,
    examples: Vec<Link>,
}

pub(super) fn files(site: &Site<'_>) -> Result<Vec<File>, String> {
    let with = site.all().filter(|operator| !operator.errata.is_empty());
    let page = Page {
        frame: Frame::new(
            "errata",
            "Errata",
            "Where the documents of ONNX contradict themselves, and what is taken here",
        ),
        operators: with.map(|of| (link(of), of.errata.iter().map(|ruling| row(of, ruling)).collect())).collect(),
    };
    Ok(vec![Frame::page("errata", &page)?])
}

fn row<'s>(operator: &'s Operator, ruling: &'s Ruling) -> Row<'s> {
    let version = |since: &u32| Link::new(&address::version(operator, *since), format!("{}-{since}", operator.name));
    let example = |name: &String| {
        let example = operator.examples.iter().find(|example| example.name == *name)?;
        let version = operator.versions.iter().rfind(|version| example.holds_for(version.since))?;
        Some(Link::new(&address::version(operator, version.since), &**name).at(&format!("example-{name}")))
    };
    Row {
        ruling,
        versions: ruling.versions.iter().map(version).collect(),
        examples: ruling.examples.iter().filter_map(example).collect(),
    }
}
