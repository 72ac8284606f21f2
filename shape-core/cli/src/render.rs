//! Findings as text, and the styles and helpers of all text output.

use std::borrow::Cow;

use anstream::adapter::strip_str;
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use shape_core::code::Severity;
use shape_model::{Finding, NodeRef, Safety};
use shape_specs::SpecError;
use shape_specs::yaml::Position;

/// An error.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// A warning.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// A note.
pub(crate) const INFO: Style = AnsiColor::Cyan.on_default().bold();
/// A success.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// A heading.
pub(crate) const STRONG: Style = Style::new().bold();
/// Labels and frames.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// The style of a severity.
pub(crate) fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
        Severity::Info => INFO,
    }
}

/// A text from a file. Characters that are not [`visible`](is_visible) are escaped.
pub(crate) struct Clean<'t>(pub(crate) &'t str);

impl Display for Clean<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_plain(self.0) {
            return formatter.write_str(self.0);
        }
        for letter in self.0.chars() {
            if !is_visible(letter) {
                write!(formatter, "{}", letter.escape_unicode())?;
            } else {
                formatter.write_char(letter)?;
            }
        }
        Ok(())
    }
}

/// Whether a text is of letters, digits, signs and spaces of ASCII alone, as nearly all are: each of them is visible.
pub(crate) fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Whether a character shows as itself. Others could make two names look the same, or a text look like another one.
pub(crate) fn is_visible(letter: char) -> bool {
    if letter.is_ascii() {
        return !letter.is_ascii_control();
    }
    !letter.is_control() && !INVISIBLE.iter().any(|range| range.contains(&letter))
}

/// The characters besides control characters that do something to the text around them: line separators, and those that
/// Unicode says to ignore where they are not supported (`Default_Ignorable_Code_Point`), such as spaces without a width,
/// changes of the direction of writing, variation selectors and tags.
const INVISIBLE: [RangeInclusive<char>; 18] = [
    '\u{ad}'..='\u{ad}',
    '\u{34f}'..='\u{34f}',
    '\u{61c}'..='\u{61c}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{200b}'..='\u{200f}',
    '\u{2028}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fff8}',
    // Annotations between lines are made of these.
    '\u{fff9}'..='\u{fffb}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0000}'..='\u{e0fff}',
];

/// Writes a finding as compilers do, with further lines about others.
pub(crate) fn finding(out: &mut impl Write, model: &Path, finding: &Finding, more: &[String]) -> io::Result<()> {
    let severity = finding.severity();
    let style = style(severity);
    let (code, message) = (finding.code, Clean(&finding.message));
    writeln!(out, "{style}{severity}[{code}]{style:#}{STRONG}: {message}{STRONG:#}")?;
    let position = position(finding).map(|position| format!(": {position}")).unwrap_or_default();
    writeln!(out, "{FAINT}  -->{FAINT:#} {}{}", Clean(&model.display().to_string()), Clean(&position))?;
    for (name, fact) in facts(finding) {
        writeln!(out, "{FAINT}   ={FAINT:#} {name}: {}", Clean(&fact))?;
    }
    for line in more {
        writeln!(out, "{FAINT}   ={FAINT:#} {}", Clean(line))?;
    }
    writeln!(out)
}

/// A finding as plain text, without the model and the code.
pub(crate) fn plain(finding: &Finding) -> String {
    let mut text = finding.message.clone();
    let position = position(finding);
    for (name, fact) in position.iter().map(|position| ("in", Cow::from(position))).chain(facts(finding)) {
        let _ = write!(text, "\n{name}: {fact}");
    }
    text + &more_like_it(finding.more)
}

/// The last line of a plain text, which says how many more findings are like it; empty if there are none.
pub(crate) fn more_like_it(more: usize) -> String {
    if more > 0 { format!("\nand {more} more like it") } else { String::new() }
}

/// The lines below the message.
pub(crate) fn facts(finding: &Finding) -> impl Iterator<Item = (&'static str, Cow<'_, str>)> {
    let facts = [("expected", &finding.expected), ("found", &finding.found), ("help", &finding.help)];
    let facts = facts.into_iter().filter_map(|(name, fact)| Some((name, Cow::from(fact.as_deref()?))));
    facts.chain(finding.fix.as_ref().map(|fix| {
        let option = if fix.safety == Safety::Unsafe { "--fix --unsafe-fixes" } else { "--fix" };
        ("fix", format!("fixable with `{option}`: {}", fix.message).into())
    }))
}

/// Writes an error in a descriptor as the compiler does.
pub(crate) fn spec_error(out: &mut impl Write, error: &SpecError) -> io::Result<()> {
    let SpecError { file, position: Position { line, column }, code, message, .. } = error;
    write!(out, "{}:{line}:{column}: {ERROR}error[{code}]{ERROR:#}", Clean(file))?;
    writeln!(out, "{STRONG}: {}{STRONG:#}", Clean(message))?;
    // The offending line and the help follow the message.
    let whole = error.to_string();
    let rest = whole.strip_prefix(&format!("{file}:{line}:{column}: error[{code}]: {message}")).unwrap_or_default();
    for line in rest.lines().skip(1) {
        writeln!(out, "{}", Clean(&line.replace('\t', " ")))?;
    }
    writeln!(out)
}

/// The position of a finding, as in ``graph, node 3 `name` (Shape)``; `None` for the model as a whole.
fn position(finding: &Finding) -> Option<String> {
    position_of(&finding.graph, finding.node.as_ref())
}

/// A graph, or a node in it, as in ``graph, node 3 `name` (Shape)``; `None` for the model as a whole.
pub(crate) fn position_of(graph: &str, node: Option<&NodeRef>) -> Option<String> {
    if graph.is_empty() {
        return None;
    }
    let mut position = graph.to_owned();
    if let Some(node) = node {
        let _ = write!(position, ", node {}", node.index);
        if !node.name.is_empty() {
            let _ = write!(position, " `{}`", node.name);
        }
        let domain = if matches!(&*node.domain, "" | "ai.onnx") { "" } else { &*node.domain };
        let colons = if domain.is_empty() { "" } else { "::" };
        let _ = write!(position, " ({domain}{colons}{})", node.op_type);
    }
    Some(position)
}

/// The number of findings, with those that are like them.
pub(crate) fn count(findings: &[Finding]) -> usize {
    findings.iter().map(|finding| 1 + finding.more).sum()
}

/// The numbers of findings of each severity.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) infos: usize,
}

impl Counts {
    /// Counts findings, and those that are like them.
    pub(crate) fn count<'f>(&mut self, findings: impl IntoIterator<Item = &'f Finding>) {
        for finding in findings {
            *match finding.severity() {
                Severity::Error => &mut self.errors,
                Severity::Warning => &mut self.warnings,
                Severity::Info => &mut self.infos,
            } += 1 + finding.more;
        }
    }

    /// Adds the numbers of others.
    pub(crate) fn add(&mut self, other: Self) {
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.infos += other.infos;
    }
}

impl Display for Counts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [(self.errors, "error"), (self.warnings, "warning"), (self.infos, "info")];
        let counts: Vec<String> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| number(*count, word)).collect();
        if counts.is_empty() { formatter.write_str("no findings") } else { formatter.write_str(&counts.join(", ")) }
    }
}

/// A number with a comma between each three digits.
pub(crate) fn grouped(count: impl Display) -> String {
    let digits = count.to_string();
    let first = digits.len() % 3;
    let (head, rest) = digits.split_at_checked(first).unwrap_or_default();
    let threes = rest.as_bytes().chunks(3).map(|three| str::from_utf8(three).unwrap_or_default());
    let parts: Vec<&str> = Some(head).filter(|head| !head.is_empty()).into_iter().chain(threes).collect();
    parts.join(",")
}

/// A number with its noun: `1 model`, `2 models`.
pub(crate) fn number(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// The width of text for reading.
const WIDTH: usize = 100;

/// Writes `first` and then a text, wrapped to the width; further lines are indented by the length of `first`. Characters
/// of the text that are not visible are escaped.
pub(crate) fn hanging(out: &mut impl Write, first: &str, text: &str) -> io::Result<()> {
    // Colours have no width.
    let indent = strip_str(first).to_string().chars().count();
    write!(out, "{first}")?;
    let mut column = indent;
    for (index, word) in text.split_whitespace().enumerate() {
        let word = Clean(word).to_string();
        let width = word.chars().count();
        if index > 0 && column + 1 + width > WIDTH {
            write!(out, "\n{:indent$}", "")?;
            column = indent;
        } else if index > 0 {
            write!(out, " ")?;
            column += 1;
        }
        write!(out, "{word}")?;
        column += width;
    }
    writeln!(out)
}
