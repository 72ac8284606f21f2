//! The verdicts of a profile on models, as a self-contained HTML page.

use askama::Template;
use shape_model::Finding;
use shape_model::profile::{Judgement, Profile, ProfileRule, Proof, Verdict};

use super::profile_report::{ModelReport, SelectedProfile, Totals, UNCOVERED};
use crate::render::{number, position_of};

/// The style of the pages about operators, and what only a report has.
const STYLE: &str =
    concat!(include_str!("../../../templates/docs/site.css"), include_str!("../../../templates/report/report.css"));

/// The page, while models are added.
pub(super) struct Page<'p> {
    selected: &'p SelectedProfile,
    /// Those of the models, or why one cannot be written.
    sections: askama::Result<String>,
    totals: Totals,
    count: usize,
}

/// What the page says of a model.
#[derive(Template)]
#[template(path = "report/model.html")]
struct Section<'a> {
    selected: &'a SelectedProfile,
    name: String,
    model: &'a ModelReport,
    totals: Totals,
}

/// The whole page; `sections` are those of the models.
#[derive(Template)]
#[template(path = "report/report.html")]
struct Report<'a> {
    profile: &'static Profile,
    models: String,
    sections: &'a str,
    options: String,
    totals: Totals,
    verdict: Verdict,
    rules: Vec<&'static ProfileRule>,
}

impl Section<'_> {
    fn position(&self, finding: &Finding) -> String {
        position_of(&finding.graph, finding.node.as_ref()).unwrap_or_default()
    }

    fn node(&self, judgement: &Judgement) -> String {
        position_of(&judgement.graph, judgement.node.as_deref()).unwrap_or_else(|| "the model".to_owned())
    }

    /// Each rule with how often it passes, fails, and is undetermined.
    fn rules(&self) -> impl Iterator<Item = (&'static ProfileRule, [usize; 3])> {
        let verdicts = [Verdict::Pass, Verdict::Fail, Verdict::Undetermined];
        self.selected.rules().map(move |rule| (rule, verdicts.map(|verdict| self.model.count(rule, verdict))))
    }
}

impl<'p> Page<'p> {
    pub(super) fn new(selected: &'p SelectedProfile) -> Self {
        Self { selected, sections: Ok(String::new()), totals: Totals::default(), count: 0 }
    }

    /// Adds the verdicts on a model.
    pub(super) fn model(&mut self, model: &ModelReport) {
        let totals = Totals::of(&model.report);
        self.totals.add(totals);
        self.count += 1;
        let name = model.model.to_string_lossy().into_owned();
        let section = Section { selected: self.selected, name, model, totals };
        if let Ok(sections) = &mut self.sections {
            let written = section.render_into(sections).map(|()| sections.push('\n'));
            self.sections = written.map(|()| std::mem::take(sections));
        }
    }

    /// Makes the page; fails if a text of it cannot be written.
    pub(super) fn end(self) -> Result<String, String> {
        self.page().map_err(|error| format!("cannot make the report: {error}"))
    }

    fn page(self) -> askama::Result<String> {
        let Self { selected, sections, totals, count } = self;
        let sections = sections?;
        let report = Report {
            profile: selected.profile,
            models: number(count, "model"),
            sections: &sections,
            options: if selected.options.is_empty() { "none".to_owned() } else { selected.options.join(", ") },
            totals,
            verdict: match totals {
                Totals { fail: 1.., .. } => Verdict::Fail,
                Totals { undetermined: 1.., .. } => Verdict::Undetermined,
                _ => Verdict::Pass,
            },
            rules: selected.rules().collect(),
        };
        let mut page = report.render()?;
        page.push('\n');
        Ok(page)
    }
}
