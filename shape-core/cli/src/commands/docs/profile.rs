//! The pages of profiles: their rules, each with its proof and its tests, and their errata.

use askama::Template;
use shape_specs::operator::Operator;
use shape_specs::profile::{Erratum, Overlay, Profile, ProfileRule, Proof};

use super::address;
use super::frame::{File, Frame, Link, facts};
use super::site::{Site, link};
use crate::commands::explain::profile_rule::{Report, find};

/// The name of an example, and its place if the operator still has it.
type Example = (String, Option<Link>);

#[derive(Template)]
#[template(path = "docs/profiles.html")]
struct Index<'s> {
    frame: Frame,
    profiles: Vec<(&'s Profile, Link)>,
}

#[derive(Template)]
#[template(path = "docs/profile.html")]
struct ProfilePage<'s> {
    frame: Frame,
    profile: &'s Profile,
    errata: Link,
    operators: Vec<(String, Option<Link>)>,
    rules: Vec<(&'s ProfileRule, Link)>,
}

#[derive(Template)]
#[template(path = "docs/profile_rule.html")]
struct RulePage<'s> {
    frame: Frame,
    profile: &'s Profile,
    rule: &'s ProfileRule,
    operator: Option<Link>,
    overlay: Option<&'s Overlay>,
    /// The file and the function that decides it.
    check: String,
    examples: Vec<Example>,
}

impl RulePage<'_> {
    /// The goals that prove it.
    fn goals(&self) -> &[String] {
        match &self.rule.proof {
            Proof::Goals(goals) => goals,
            Proof::None(_) => &[],
        }
    }

    /// Why there is no proof.
    fn unproved(&self) -> Option<&str> {
        match &self.rule.proof {
            Proof::Goals(_) => None,
            Proof::None(why) => Some(why),
        }
    }
}

#[derive(Template)]
#[template(path = "docs/profile_errata.html")]
struct ErrataPage<'s> {
    frame: Frame,
    profile: &'s Profile,
    errata: Vec<(&'s Erratum, Vec<Example>)>,
}

/// The rules about a version of an operator.
pub(super) fn about(site: &Site<'_>, operator: &Operator, since: u32) -> Vec<Link> {
    if operator.beside_onnx().is_some() || operator.domain != "ai.onnx" {
        return Vec::new();
    }
    let mut links = Vec::new();
    for profile in &site.sources.profiles {
        let is = |overlay: &Overlay| overlay.operator == operator.name && overlay.since == since;
        if profile.overlays.iter().any(is) {
            let rules = profile.rules.iter().filter(|rule| rule.operator.as_ref() == Some(&operator.name));
            links.extend(rules.map(|rule| {
                Link::new(&address::profile_rule(&profile.name, &rule.id), format!("{}: {}", rule.id, rule.title))
            }));
        }
    }
    links
}

/// An example of an operator by its name, if the operator still has it.
fn example(operator: Option<&Operator>, name: &str) -> Example {
    let link = operator.and_then(|operator| {
        let example = operator.examples.iter().find(|example| example.name == name)?;
        let version = operator.versions.iter().rfind(|version| example.holds_for(version.since))?;
        let folder = address::version(operator, version.since);
        Some(Link::new(&folder, name).at(&format!("example-{name}")))
    });
    (name.to_owned(), link)
}

pub(super) fn files(site: &Site<'_>) -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    let top = || Link::new("profiles", "Profiles");
    let mut profiles = Vec::new();
    for profile in &site.sources.profiles {
        let folder = format!("profiles/{}", profile.name);
        let this = Link::new(&folder, &*profile.title);
        for rule in &profile.rules {
            files.extend(of_rule(site, profile, rule, [top(), this.clone()])?);
        }
        let operator = |name: &String| (name.clone(), site.operator("ai.onnx", name).map(link));
        let errata = format!("{folder}/errata");
        let page = ProfilePage {
            frame: Frame::new(&*folder, &*profile.title, &*profile.summary).below([top()]),
            profile,
            errata: Link::new(&errata, "its errata"),
            operators: profile.operators.iter().map(operator).collect(),
            rules: (profile.rules.iter())
                .map(|rule| (rule, Link::new(&address::profile_rule(&profile.name, &rule.id), &*rule.id)))
                .collect(),
        };
        files.push(Frame::page(&folder, &page)?);
        let shown = |of: &Erratum| {
            let operator = of.operator.as_ref().and_then(|name| site.operator("ai.onnx", name));
            of.examples.iter().map(|name| example(operator, name)).collect()
        };
        let title = format!("Errata of {}", profile.title);
        let about = format!("Where the documents of {} contradict each other or leave something open", profile.title);
        let page = ErrataPage {
            frame: Frame::new(&*errata, title, about).below([top(), this.clone()]),
            profile,
            errata: profile.errata.iter().map(|of| (of, shown(of))).collect(),
        };
        files.push(Frame::page(&errata, &page)?);
        profiles.push((profile, this));
    }
    let frame = Frame::new("profiles", "Profiles", "Restrictions of ONNX that shape check can judge a model by");
    files.push(Frame::page("profiles", &Index { frame, profiles })?);
    Ok(files)
}

fn of_rule(site: &Site<'_>, profile: &Profile, rule: &ProfileRule, above: [Link; 2]) -> Result<Vec<File>, String> {
    let folder = address::profile_rule(&profile.name, &rule.id);
    let operator = rule.operator.as_ref().and_then(|name| site.operator("ai.onnx", name));
    let check = site.tables.checks.iter().find(|check| check.name == rule.check.name);
    let page = RulePage {
        frame: Frame::new(&*folder, format!("{}: {}", rule.id, rule.title), &*rule.title).below(above).with_json(),
        profile,
        rule,
        operator: operator.map(link),
        overlay: profile.overlays.iter().find(|overlay| Some(&overlay.operator) == rule.operator.as_ref()),
        check: check.map(|check| format!("{}::{}", check.file, check.name)).unwrap_or_default(),
        examples: rule.examples.iter().map(|name| example(operator, name)).collect(),
    };
    let mut files = vec![Frame::page(&folder, &page)?];
    files.extend(find(&rule.id).map(|found| facts(&folder, &Report::new(found))).transpose()?);
    Ok(files)
}
