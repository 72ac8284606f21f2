//! Findings and verdicts as workflow commands of GitHub Actions. A model has no lines, so the text names the node.

use std::io::{self, Write};
use std::path::Path;

use shape_core::code::Severity;
use shape_model::profile::Verdict;

use super::{Checked, End, Report};
use crate::causes::{Cause, causes};
use crate::commands::check::profile_report::ModelReport;
use crate::github::Annotation;
use crate::render;

pub(super) struct Github;

impl Report for Github {
    fn checked(&mut self, out: &mut dyn Write, model: Checked) -> io::Result<()> {
        causes(&model.findings).iter().try_for_each(|cause| annotation(out, &model.path, cause))?;
        model.judged.iter().try_for_each(|judged| verdict_annotations(out, judged))
    }

    fn end(self: Box<Self>, _: &mut dyn Write, _: End) -> io::Result<()> {
        Ok(())
    }
}

fn annotation(mut out: &mut dyn Write, model: &Path, cause: &Cause<'_>) -> io::Result<()> {
    let (severity, file) = (cause.first.severity(), &*model.to_string_lossy());
    let (title, text) = (cause.first.code.name(), &*cause.plain());
    Annotation { severity, file, position: None, title, text }.write(&mut out)
}

/// Writes the rules that fail or are undetermined as workflow commands.
fn verdict_annotations(mut out: &mut dyn Write, model: &ModelReport) -> io::Result<()> {
    for (judgement, more) in model.listed() {
        let severity = if judgement.verdict == Verdict::Fail { Severity::Error } else { Severity::Warning };
        let position = render::position_of(&judgement.graph, judgement.node.as_deref());
        let position = position.map(|position| format!("\nin: {position}")).unwrap_or_default();
        let (verdict, rule) = (judgement.verdict.name(), judgement.rule);
        let more = render::more_like_it(more);
        let text = format!("{verdict}: {}{position}\nreason: {}{more}", rule.title, judgement.reason);
        let file = &*model.model.to_string_lossy();
        Annotation { severity, file, position: None, title: rule.id, text: &text }.write(&mut out)?;
    }
    Ok(())
}
