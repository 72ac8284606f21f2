//! Findings and verdicts in the form of `JUnit`: a suite for each model, a case for each finding. An error is a case
//! that fails; any other finding is a case that passes, with the finding as its output.

use std::io::{self, Write};
use std::path::Path;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use shape_core::code::Severity;

use super::entry::entries;
use super::{Checked, End, Report, Unread};
use crate::render::Clean;

#[derive(Default)]
pub(super) struct Junit {
    suites: Vec<Suite>,
}

/// A model.
struct Suite {
    name: String,
    cases: Vec<Case>,
}

struct Case {
    name: String,
    outcome: Outcome,
}

enum Outcome {
    /// It passes; with what there is to say.
    Pass(Option<String>),
    /// It fails: the code, one line, and all of it.
    Fail(&'static str, String, String),
    /// It could not be run.
    Error(String),
}

impl Report for Junit {
    fn checked(&mut self, _: &mut dyn Write, model: Checked) -> io::Result<()> {
        let mut cases = Vec::new();
        for entry in entries(&model) {
            let place = entry.place.as_ref().map(|place| format!(": {place}")).unwrap_or_default();
            let outcome = match entry.severity {
                Severity::Error => Outcome::Fail(entry.code, entry.message.clone(), entry.text()),
                severity => Outcome::Pass(Some(format!("{severity}[{}]: {}", entry.code, entry.text()))),
            };
            cases.push(Case { name: format!("{}{place}", entry.code), outcome });
        }
        if cases.is_empty() {
            cases.push(Case { name: "check".to_owned(), outcome: Outcome::Pass(None) });
        }
        self.suites.push(Suite { name: name(&model.path), cases });
        Ok(())
    }

    fn unread(&mut self, _: &mut dyn Write, Unread { path, error }: Unread) -> io::Result<()> {
        let case = Case { name: "read".to_owned(), outcome: Outcome::Error(error) };
        self.suites.push(Suite { name: name(&path), cases: vec![case] });
        Ok(())
    }

    fn end(self: Box<Self>, out: &mut dyn Write, _: End) -> io::Result<()> {
        let mut writer = Writer::new_with_indent(out, b' ', 1);
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let numbers = numbers(self.suites.iter().flat_map(|suite| &suite.cases));
        let all = writer.create_element("testsuites").with_attribute(("name", "shape check"));
        let all = numbers.iter().fold(all, |all, (name, number)| all.with_attribute((*name, &**number)));
        all.write_inner_content(|writer| self.suites.iter().try_for_each(|suite| suite.write(writer)))?;
        writeln!(writer.get_mut())
    }
}

impl Suite {
    fn write(&self, writer: &mut Writer<&mut dyn Write>) -> io::Result<()> {
        let name = allowed(&self.name);
        let suite = writer.create_element("testsuite").with_attribute(("name", &*name));
        let numbers = numbers(&self.cases);
        let suite = numbers.iter().fold(suite, |suite, (name, number)| suite.with_attribute((*name, &**number)));
        suite.write_inner_content(|writer| self.cases.iter().try_for_each(|case| case.write(writer, &name)))?;
        Ok(())
    }
}

impl Case {
    fn write(&self, writer: &mut Writer<&mut dyn Write>, class: &str) -> io::Result<()> {
        let case =
            writer.create_element("testcase").with_attributes([("classname", class), ("name", &*allowed(&self.name))]);
        match &self.outcome {
            Outcome::Pass(None) => case.write_empty()?,
            Outcome::Pass(Some(text)) => case.write_inner_content(|writer| {
                writer.create_element("system-out").write_text_content(BytesText::new(&allowed(text)))?;
                Ok(())
            })?,
            Outcome::Fail(code, message, text) => case.write_inner_content(|writer| {
                let failure = writer.create_element("failure");
                let failure = failure.with_attributes([("type", *code), ("message", &*allowed(message))]);
                failure.write_text_content(BytesText::new(&allowed(text)))?;
                Ok(())
            })?,
            Outcome::Error(text) => case.write_inner_content(|writer| {
                let error =
                    writer.create_element("error").with_attributes([("type", "unread"), ("message", &*allowed(text))]);
                error.write_empty()?;
                Ok(())
            })?,
        };
        Ok(())
    }
}

/// The numbers of cases, of those that fail, and of those that could not be run.
fn numbers<'c>(cases: impl IntoIterator<Item = &'c Case>) -> [(&'static str, String); 3] {
    let (mut tests, mut failures, mut errors) = (0, 0, 0);
    for case in cases {
        tests += 1;
        failures += usize::from(matches!(case.outcome, Outcome::Fail(..)));
        errors += usize::from(matches!(case.outcome, Outcome::Error(_)));
    }
    [("tests", tests), ("failures", failures), ("errors", errors)]
        .map(|(name, number): (_, usize)| (name, number.to_string()))
}

fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The text with visible characters alone, line by line, and without the two visible ones that XML does not have.
fn allowed(text: &str) -> String {
    let lines = text.split('\n').map(|line| Clean(line).to_string().replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}"));
    lines.collect::<Vec<_>>().join("\n")
}
