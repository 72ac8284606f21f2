//! The traceability matrix of a profile: from each rule to its definition, code, proof and tests.

use std::io::{self, Write};

use shape_specs::Tables;
use shape_specs::profile::{Profile, ProfileRule, Proof};

use super::cell;

/// The heads of the columns.
const HEADS: [&str; 6] = ["Rule", "Title", "Defined in", "Code", "Proof", "Tests"];

/// The columns of a rule.
struct Row {
    id: String,
    title: String,
    yaml: String,
    code: Vec<String>,
    proof: Result<Vec<String>, String>,
    tests: Vec<String>,
}

impl Row {
    fn new(rule: &ProfileRule, profile: &Profile, tables: &Tables) -> Self {
        let check = tables.checks.iter().find(|check| check.name == rule.check.name);
        let check = check.map(|check| format!("{}::{}", check.file, check.name));
        let overlay = profile.overlays.iter().find(|overlay| Some(&overlay.operator) == rule.operator.as_ref());
        let family = overlay.and_then(|overlay| overlay.family.as_ref());
        let rules = family.map(|family| format!("shape-core/src/rules/{family}.rs"));
        let descriptor = |name: &String| {
            let operator = overlay.map(|overlay| &*overlay.operator).unwrap_or_default();
            format!("specs/ai.onnx/{operator}.yaml::{name}")
        };
        Self {
            id: rule.id.clone(),
            title: rule.title.clone(),
            yaml: format!("specs/{}:{}", rule.file, rule.line),
            code: check.into_iter().chain(rules).collect(),
            proof: match &rule.proof {
                Proof::Goals(goals) => Ok(goals.clone()),
                Proof::None(why) => Err(format!("none, because {why}")),
            },
            tests: rule.tests.iter().cloned().chain(rule.examples.iter().map(descriptor)).collect(),
        }
    }

    fn cells(self, code: impl Fn(&[String]) -> String) -> [String; 6] {
        let Self { id, title, yaml, code: items, proof, tests } = self;
        let proof = proof.map_or_else(|why| why, |goals| code(&goals));
        [id, title, code(&[yaml]), code(&items), proof, code(&tests)]
    }
}

/// Writes the matrix as a Markdown page.
pub(super) fn markdown(out: &mut impl Write, profile: &Profile, tables: &Tables) -> io::Result<()> {
    let Profile { name, title, version, .. } = profile;
    writeln!(out, "# {title}: traceability matrix\n")?;
    writeln!(
        out,
        "Written by `shape profile matrix {name}` from the YAML files of the profile; edit these, not this page.\n\n\
         Version {version}. A test checks that the page is up to date, and that everything that it names exists.\n\
         Paths start at the root of the repository. A name after `::` is a function, or in a descriptor an\n\
         example, which is a test of its operator. Proof goals are in the formal specification beside this\n\
         page.\n"
    )?;
    writeln!(out, "| {} |", HEADS.join(" | "))?;
    writeln!(out, "|{}", "---|".repeat(HEADS.len()))?;
    for rule in &profile.rules {
        let code = |texts: &[String]| texts.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join("<br>");
        let cells = Row::new(rule, profile, tables).cells(code).map(|text| cell(&text));
        writeln!(out, "| {} |", cells.join(" | "))?;
    }
    Ok(())
}

/// Writes the matrix as CSV (RFC 4180). Several texts in a cell are on separate lines.
pub(super) fn csv(out: &mut impl Write, profile: &Profile, tables: &Tables) -> io::Result<()> {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let line = |cells: &[String]| cells.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",");
    write!(out, "{}\r\n", line(&HEADS.map(str::to_owned)))?;
    for rule in &profile.rules {
        write!(out, "{}\r\n", line(&Row::new(rule, profile, tables).cells(|texts| texts.join("\n"))))?;
    }
    Ok(())
}
