//! The verdicts on runtimes, as text and as Markdown.

use std::io::{self, Write};

use super::results::Runtime;
use super::tally::{Counts, Judged, OfVersion, Report};
use super::verdict::Verdict;
use crate::render::{Clean, ERROR, FAINT, STRONG, grouped, hanging};

/// The verdicts on valid cases beside those that passed or are wrong, and on invalid ones, with the words for them.
const OF_VALID: [(Verdict, &str); 4] = [
    (Verdict::Refused, "refused"),
    (Verdict::Crashed, "crashed"),
    (Verdict::Hung, "hung"),
    (Verdict::NotRun, "not run"),
];
const OF_INVALID: [(Verdict, &str); 5] = [
    (Verdict::Passed, "refused"),
    (Verdict::Accepted, "accepted"),
    (Verdict::Crashed, "crashed"),
    (Verdict::Hung, "hung"),
    (Verdict::NotRun, "not run"),
];

/// How many cases have each of some verdicts: `3 refused, 1 crashed`.
fn words(counts: &Counts, verdicts: &[(Verdict, &str)]) -> Vec<String> {
    let some = verdicts.iter().map(|(verdict, word)| (counts.of(*verdict), word)).filter(|(count, _)| *count > 0);
    some.map(|(count, word)| format!("{} {word}", grouped(count))).collect()
}

/// What became of the valid cases that did not pass.
fn failures(counts: &Counts) -> Vec<String> {
    let wrong = counts.wrong();
    let wrong = (wrong > 0).then(|| format!("{} wrong", grouped(wrong)));
    wrong.into_iter().chain(words(counts, &OF_VALID)).collect()
}

fn name(version: &OfVersion) -> String {
    let domain = if version.domain == "ai.onnx" { String::new() } else { format!("{}::", version.domain) };
    format!("{domain}{}-{}", version.operator, version.version)
}

fn share(counts: &Counts) -> String {
    format!("{}/{}", counts.of(Verdict::Passed), counts.cases)
}

/// The first of some choices as text; `None` without any.
fn listed(choices: &[String]) -> Option<String> {
    const SHOWN: usize = 6;
    let shown = choices.get(..SHOWN.min(choices.len()))?.join(", ");
    let more = choices.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!choices.is_empty()).then(|| format!("{shown}{more}"))
}

/// A table for each runtime of the versions that do not pass all of their cases, and each case that is wrong.
pub(super) fn text(report: &Report, out: &mut impl Write) -> io::Result<()> {
    for (index, judged) in report.runtimes.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        of_runtime(judged, report.opset, out)?;
    }
    Ok(())
}

fn of_runtime(judged: &Judged, opset: Option<u32>, out: &mut impl Write) -> io::Result<()> {
    let Judged { runtime: Runtime { name: runtime, version }, valid, invalid, versions } = judged;
    let at = opset.map(|opset| format!(" at opset {opset}")).unwrap_or_default();
    writeln!(out, "{STRONG}{} {}{STRONG:#}{at}", Clean(runtime), Clean(version))?;
    let passed = valid.of(Verdict::Passed);
    let failed = failures(valid);
    let failed = if failed.is_empty() { String::new() } else { format!("; {}", failed.join(", ")) };
    writeln!(
        out,
        "{} of {} valid cases pass, {} of them with the expected elements{failed}",
        grouped(passed),
        grouped(valid.cases),
        grouped(valid.passed_with_elements)
    )?;
    let of_invalid = words(invalid, &OF_INVALID);
    if !of_invalid.is_empty() {
        writeln!(out, "{} invalid cases: {}", grouped(invalid.cases), of_invalid.join(", "))?;
    }
    let all = versions.iter().filter(|of| of.valid.of(Verdict::Passed) == of.valid.cases).count();
    let none = versions.iter().filter(|of| of.valid.cases > 0 && of.valid.of(Verdict::Passed) == 0).count();
    writeln!(
        out,
        "{} of {} versions pass all of their cases, {} pass none",
        grouped(all),
        grouped(versions.len()),
        grouped(none)
    )?;
    let open: Vec<&OfVersion> = versions.iter().filter(|of| of.valid.of(Verdict::Passed) < of.valid.cases).collect();
    let width = open.iter().map(|of| name(of).chars().count()).max().unwrap_or(0);
    for of in open {
        let never = listed(&of.never).map(|never| format!("; never {never}")).unwrap_or_default();
        let first = format!("  {:width$}  {:>7}  ", Clean(&name(of)).to_string(), share(&of.valid));
        hanging(out, &first, &format!("{}{never}", failures(&of.valid).join(", ")))?;
    }
    for of in versions {
        for case in of.failed.iter().filter(|case| case.verdict.is_wrong() || case.verdict == Verdict::Crashed) {
            let word = if case.verdict == Verdict::Crashed { "crash" } else { "wrong" };
            let valid = if case.valid { "" } else { " (invalid)" };
            let message = case.message.lines().next().unwrap_or_default();
            writeln!(out, "{ERROR}{word}{ERROR:#} {}{FAINT}{valid}{FAINT:#} {}", Clean(&case.case), Clean(message))?;
        }
    }
    Ok(())
}

/// A table of the sums, and one with a line for each version and a column for each runtime.
pub(super) fn markdown(report: &Report, out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "| | valid | pass | with elements | wrong | refused | crashed, hung | invalid | refused | accepted |"
    )?;
    writeln!(out, "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")?;
    for Judged { runtime, valid, invalid, .. } in &report.runtimes {
        let ended = valid.of(Verdict::Crashed) + valid.of(Verdict::Hung);
        let counts = [
            valid.cases,
            valid.of(Verdict::Passed),
            valid.passed_with_elements,
            valid.wrong(),
            valid.of(Verdict::Refused),
            ended,
            invalid.cases,
            invalid.of(Verdict::Passed),
            invalid.of(Verdict::Accepted),
        ];
        let counts = counts.map(grouped).join(" | ");
        writeln!(out, "| {} {} | {counts} |", cell(&runtime.name), cell(&runtime.version))?;
    }
    let names = report.runtimes.iter().map(|judged| cell(&judged.runtime.name)).collect::<Vec<_>>().join(" | ");
    writeln!(out, "\n| | {names} |")?;
    writeln!(out, "|---|{}", "---:|".repeat(report.runtimes.len()))?;
    // All are judged by the same suite, so that the versions of each are in the same places.
    for (at, version) in report.runtimes.first().into_iter().flat_map(|first| &first.versions).enumerate() {
        let shares = report.runtimes.iter().filter_map(|judged| Some(share(&judged.versions.get(at)?.valid)));
        writeln!(out, "| {} | {} |", cell(&name(version)), shares.collect::<Vec<_>>().join(" | "))?;
    }
    Ok(())
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    Clean(&text.replace('|', "\\|")).to_string()
}
