//! The pages of codes of findings.

use askama::Template;
use shape_core::code::Code;
use shape_specs::operator::Expectation;

use super::address;
use super::frame::{File, Frame, Link, facts};
use super::site::{Site, full, link};
use crate::commands::explain::Report;

#[derive(Template)]
#[template(path = "docs/codes.html")]
struct Index {
    frame: Frame,
    codes: Vec<(Code, Link)>,
}

#[derive(Template)]
#[template(path = "docs/code.html")]
struct Page {
    frame: Frame,
    code: Code,
    /// The operators with a relation that gives it.
    relations: Vec<Link>,
    /// The examples that give it.
    examples: Vec<(Link, String)>,
}

pub(super) fn files(site: &Site<'_>) -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    for code in Code::all() {
        let folder = address::code(code.name());
        let relations = site.all().filter(|operator| {
            let mut requires = operator.versions.iter().flat_map(|version| &version.requires);
            requires.any(|requirement| requirement.code == code.name())
        });
        let mut examples = Vec::new();
        for operator in site.all() {
            let shows = operator
                .examples
                .iter()
                .filter(|example| matches!(&example.expect, Expectation::Error(error) if error == code.name()));
            for example in shows {
                // The page of the newest version that the example holds for has it.
                let version = operator.versions.iter().rfind(|version| example.holds_for(version.since));
                let Some(version) = version else { continue };
                let folder = address::version(operator, version.since);
                let to = Link::new(&folder, example.name.clone()).at(&format!("example-{}", example.name));
                examples.push((to, full(operator, &format!("{}-{}", operator.name, version.since))));
            }
        }
        let page = Page {
            frame: Frame::new(&*folder, code.name(), code.title()).below([Link::new("codes", "Codes")]).with_json(),
            code,
            relations: relations.map(link).collect(),
            examples,
        };
        files.extend([Frame::page(&folder, &page)?, facts(&folder, &Report::new(&[code]))?]);
    }
    let codes: Vec<Code> = Code::all().collect();
    let page = Index {
        frame: Frame::new("codes", "Codes of findings", "What shape check may find in a model").with_json(),
        codes: codes.iter().map(|code| (*code, Link::new(&address::code(code.name()), code.name()))).collect(),
    };
    files.extend([Frame::page("codes", &page)?, facts("codes", &Report::new(&codes))?]);
    Ok(files)
}
