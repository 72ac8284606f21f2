//! `shape explain ID`: a rule of a profile.

use std::io::Write as _;

use serde::Serialize;
use shape_model::profile::{PROFILES, Profile, ProfileRule, Proof};

use crate::json::{self, SCHEMA_VERSION};
use crate::options::Format;
use crate::render::{FAINT, STRONG, hanging};
use crate::terminal::{Done, Exit, Terminal};

/// A rule, and its profile.
#[derive(Clone, Copy)]
pub(crate) struct FoundRule {
    profile: &'static Profile,
    rule: &'static ProfileRule,
}

/// The rule with an id; upper and lower case count as equal.
pub(crate) fn find(id: &str) -> Option<FoundRule> {
    PROFILES.iter().find_map(|profile| {
        let rule = profile.rules.iter().find(|rule| rule.id.eq_ignore_ascii_case(id))?;
        Some(FoundRule { profile, rule })
    })
}

/// The ids of all rules.
pub(super) fn ids() -> impl Iterator<Item = &'static str> {
    PROFILES.iter().flat_map(|profile| profile.rules).map(|rule| rule.id)
}

#[derive(Serialize)]
pub(crate) struct Report {
    schema_version: u32,
    codes: [(); 0],
    rules: [Entry; 1],
}

#[derive(Serialize)]
struct Entry {
    id: &'static str,
    profile: &'static str,
    title: &'static str,
    says: &'static str,
    why: &'static str,
    operator: Option<Version>,
    variants: &'static [&'static str],
    option: Option<&'static str>,
    references: Vec<Reference>,
    yaml: String,
    check: String,
    rules: Option<String>,
    goals: &'static [&'static str],
    no_goals_because: Option<&'static str>,
    examples: &'static [&'static str],
    tests: &'static [&'static str],
}

#[derive(Serialize)]
struct Version {
    name: &'static str,
    since_version: u32,
}

#[derive(Serialize)]
struct Reference {
    document: &'static str,
    at: &'static str,
}

impl Entry {
    fn new(FoundRule { profile, rule }: FoundRule) -> Self {
        let overlay = profile.overlays.iter().find(|overlay| Some(overlay.operator) == rule.operator);
        let (goals, no_goals_because) = match rule.proof {
            Proof::Goals(goals) => (goals, None),
            Proof::None(why) => (&[][..], Some(why)),
        };
        let references = rule.references.iter();
        Self {
            id: rule.id,
            profile: profile.name,
            title: rule.title,
            says: rule.says,
            why: rule.why,
            operator: overlay.map(|overlay| Version { name: overlay.operator, since_version: overlay.since }),
            variants: rule.variants,
            option: rule.option,
            references: references
                .map(|reference| Reference { document: profile.document(reference.document), at: reference.at })
                .collect(),
            yaml: format!("specs/{}:{}", rule.file, rule.line),
            check: format!("{}::{}", rule.check.file(), rule.check.name()),
            rules: overlay.and_then(|of| of.family).map(|family| format!("shape-core/src/rules/{family}.rs")),
            goals,
            no_goals_because,
            examples: rule.examples,
            tests: rule.tests,
        }
    }
}

impl Report {
    pub(crate) fn new(rule: FoundRule) -> Self {
        Self { schema_version: SCHEMA_VERSION, codes: [], rules: [Entry::new(rule)] }
    }
}

pub(super) fn run(format: Format, rule: FoundRule, terminal: &mut Terminal) -> Done {
    let out = terminal.out();
    if format == Format::Json {
        json::write(out, &Report::new(rule))?;
        return Ok(Exit::Clean);
    }
    let entry = Entry::new(rule);
    writeln!(out, "{STRONG}{}: {}{STRONG:#}\n", entry.id, entry.title)?;
    hanging(out, "", entry.says)?;
    writeln!(out)?;
    hanging(out, "Why: ", entry.why)?;
    let mut facts: Vec<(&str, String)> = Vec::new();
    if let Some(Version { name, since_version }) = entry.operator {
        let variants =
            if entry.variants.is_empty() { String::new() } else { format!(" ({})", entry.variants.join(", ")) };
        facts.push(("operator", format!("{name}-{since_version}{variants}")));
        let names = rule.profile.overlays.iter().find(|overlay| overlay.operator == name).map(|of| of.names);
        let names = names.unwrap_or_default().iter().map(|(onnx, page)| format!("{onnx} is called {page}"));
        facts.push(("names", names.collect::<Vec<_>>().join(", ")));
    }
    facts.extend(entry.option.map(|option| ("option", format!("--option {option}"))));
    facts.extend(entry.references.iter().map(|of| ("source", format!("{}: {}", of.document, of.at))));
    facts.extend([("defined in", entry.yaml), ("checked by", entry.check)]);
    facts.extend(entry.rules.map(|rules| ("rules", rules)));
    facts.extend(entry.goals.iter().map(|goal| ("proof", (*goal).to_owned())));
    facts.extend(entry.no_goals_because.map(|why| ("proof", format!("none: {why}"))));
    facts.extend(entry.examples.iter().map(|example| ("example", (*example).to_owned())));
    facts.extend(entry.tests.iter().map(|test| ("test", (*test).to_owned())));
    writeln!(out)?;
    let mut last = "";
    for (name, fact) in &facts {
        let shown = if *name == last { "" } else { name };
        write!(out, "{FAINT}{shown:<10}{FAINT:#}  ")?;
        let text = fact.split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(out, "{text}")?;
        last = name;
    }
    Ok(Exit::Clean)
}
