//! The verdicts of a profile on models, as a self-contained HTML page.

use std::fmt::Write as _;

use shape_model::profile::{Judgement, ProfileRule, Proof, Verdict};

use super::profile_report::{ModelReport, SelectedProfile, Totals, UNCOVERED};
use crate::render::{Clean, number, position_of};

const STYLE: &str = include_str!("html.css");

/// The page, while models are added.
pub(super) struct Page<'p> {
    selected: &'p SelectedProfile,
    models: String,
    totals: Totals,
    count: usize,
}

/// Escapes markup, and characters that are not visible.
fn text(text: &str) -> String {
    let mut escaped = String::new();
    for letter in Clean(text).to_string().chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

impl<'p> Page<'p> {
    pub(super) fn new(selected: &'p SelectedProfile) -> Self {
        Self { selected, models: String::new(), totals: Totals::default(), count: 0 }
    }

    /// Adds the verdicts on a model.
    pub(super) fn model(&mut self, model: &ModelReport) {
        let totals = Totals::of(&model.report);
        self.totals.add(totals);
        self.count += 1;
        let out = &mut self.models;
        let name = text(&model.model.to_string_lossy());
        let sha = &model.sha256;
        let external = model.external.iter().map(|(location, sha256)| {
            format!("<dt>SHA-256 of {}</dt><dd><code class=\"sha256\">{sha256}</code></dd>\n", text(location))
        });
        let external: String = external.collect();
        let more = if model.uncovered { format!(" ({UNCOVERED})") } else { String::new() };
        let onnx = if model.report.is_onnx() { "no errors" } else { "errors" };
        let _ = write!(
            out,
            "<section class=\"model\">\n<h2>{name}</h2>\n<dl>\n\
             <dt>SHA-256</dt><dd><code class=\"sha256\">{sha}</code>{more}</dd>\n{external}\
             <dt>As ONNX</dt><dd>{onnx}</dd>\n<dt>Nodes</dt><dd>{}</dd>\n\
             <dt>Totals</dt><dd class=\"totals\">{totals}</dd>\n</dl>\n",
            model.report.nodes
        );
        if !model.report.findings.is_empty() {
            out.push_str("<h3>Findings about ONNX</h3>\n<ul class=\"findings\">\n");
            for finding in &model.report.findings {
                let position = position_of(&finding.graph, finding.node.as_ref()).unwrap_or_default();
                let (severity, code, message) = (finding.severity(), finding.code, text(&finding.message));
                let more =
                    if finding.more > 0 { format!(", and {} more like it", finding.more) } else { String::new() };
                let _ =
                    writeln!(out, "<li>{severity}[{code}]: {message} <small>{}{more}</small></li>", text(&position));
            }
            out.push_str("</ul>\n");
        }
        out.push_str("<h3>Rules</h3>\n<table>\n<thead><tr><th>Rule</th><th>pass</th><th>fail</th><th>undetermined</th></tr></thead>\n<tbody>\n");
        for rule in self.selected.rules() {
            let count = |verdict| model.count(rule, verdict);
            let (pass, fail, open) = (count(Verdict::Pass), count(Verdict::Fail), count(Verdict::Undetermined));
            let _ = writeln!(
                out,
                "<tr><td>{} {}</td><td>{pass}</td><td>{fail}</td><td>{open}</td></tr>",
                link(rule),
                text(rule.title)
            );
        }
        out.push_str("</tbody>\n</table>\n<h3>Verdicts</h3>\n<table class=\"verdicts\">\n<thead><tr><th>Node</th><th>Rule</th><th>Verdict</th><th>Reason</th></tr></thead>\n<tbody>\n");
        for Judgement { rule, graph, node, verdict, reason } in &model.report.judgements {
            let position = position_of(graph, node.as_deref()).unwrap_or_else(|| "the model".to_owned());
            let _ = writeln!(
                out,
                "<tr class=\"{0}\"><td>{1}</td><td>{2}</td><td>{0}</td><td>{3}</td></tr>",
                verdict.name(),
                text(&position),
                link(rule),
                text(reason)
            );
        }
        out.push_str("</tbody>\n</table>\n</section>\n");
    }

    /// Makes the page.
    pub(super) fn end(self) -> String {
        let Self { selected, models, totals, count } = self;
        let profile = selected.profile;
        let (title, version, tool) = (text(profile.title), text(profile.version), env!("CARGO_PKG_VERSION"));
        let options = if selected.options.is_empty() { "none".to_owned() } else { text(&selected.options.join(", ")) };
        let rules: String = selected.rules().map(|rule| self::rule(selected, rule)).collect();
        let verdict = match totals {
            Totals { fail: 1.., .. } => Verdict::Fail,
            Totals { undetermined: 1.., .. } => Verdict::Undetermined,
            _ => Verdict::Pass,
        };
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <title>{title}: {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n<dl>\n\
             <dt>Verdict</dt><dd id=\"verdict\" class=\"{2}\">{2}</dd>\n<dt>Totals</dt><dd id=\"totals\">{totals}</dd>\n\
             <dt>Profile</dt><dd id=\"profile\">{} {version}</dd>\n<dt>Options</dt><dd id=\"options\">{options}</dd>\n\
             <dt>Tool</dt><dd id=\"tool\">shape {tool}</dd>\n</dl>\n<p>{3}</p>\n</header>\n{models}\
             <section id=\"rules\">\n<h2>Texts of the rules</h2>\n{rules}</section>\n</body>\n</html>\n",
            number(count, "model"),
            profile.name,
            verdict.name(),
            text(profile.summary),
        )
    }
}

/// A rule's id, as a link to its text.
fn link(rule: &ProfileRule) -> String {
    format!("<a href=\"#{0}\">{0}</a>", text(rule.id))
}

/// The text of a rule.
fn rule(selected: &SelectedProfile, rule: &ProfileRule) -> String {
    let references = rule.references.iter().map(|reference| {
        format!("<li>{}: {}</li>\n", text(selected.profile.document(reference.document)), text(reference.at))
    });
    let proof = match rule.proof {
        Proof::Goals(goals) => goals.iter().map(|goal| format!("<code>{}</code> ", text(goal))).collect(),
        Proof::None(why) => format!("none: {}", text(why)),
    };
    let (id, title, says, why) = (text(rule.id), text(rule.title), text(rule.says), text(rule.why));
    let tests: String = rule.tests.iter().map(|test| format!("<li><code>{}</code></li>\n", text(test))).collect();
    format!(
        "<article id=\"{id}\">\n<h3>{id}: {title}</h3>\n<p>{says}</p>\n<p>Why: {why}</p>\n<ul>\n{}</ul>\n<dl>\n\
         <dt>Defined in</dt><dd><code>specs/{}:{}</code></dd>\n<dt>Checked by</dt><dd><code>{}::{}</code></dd>\n\
         <dt>Proof</dt><dd>{proof}</dd>\n<dt>Tests</dt><dd><ul>{tests}</ul></dd>\n</dl>\n</article>\n",
        references.collect::<String>(),
        text(rule.file),
        rule.line,
        text(rule.check.file()),
        text(rule.check.name()),
    )
}
