//! Findings as text, and what all texts share.

use anstream::adapter::strip_str;
use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use shape_core::code::Severity;
use shape_model::{Finding, NodeRef};
use shape_specs::SpecError;
use shape_specs::yaml::Position;

/// What is wrong.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// What may be wrong.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// What is worth knowing.
pub(crate) const INFO: Style = AnsiColor::Cyan.on_default().bold();
/// What is right.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// A heading.
pub(crate) const STRONG: Style = Style::new().bold();
/// What only frames the rest.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// The style of a severity.
pub(crate) fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
        Severity::Info => INFO,
    }
}

/// A text of a file, which a terminal must not take for commands: what steers it is shown escaped.
pub(crate) struct Clean<'t>(pub(crate) &'t str);

impl fmt::Display for Clean<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            // The ranges turn the direction of writing around.
            if letter.is_control()
                || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            {
                write!(formatter, "{}", letter.escape_unicode())?;
            } else {
                formatter.write_char(letter)?;
            }
        }
        Ok(())
    }
}

/// A finding in the form that compilers have made known.
pub(crate) fn finding(out: &mut impl Write, model: &Path, finding: &Finding) -> io::Result<()> {
    let severity = finding.severity();
    let style = style(severity);
    let (code, message) = (finding.code, Clean(&finding.message));
    writeln!(out, "{style}{severity}[{code}]{style:#}{STRONG}: {message}{STRONG:#}")?;
    let place = place(finding).map(|place| format!(": {place}")).unwrap_or_default();
    writeln!(out, "{FAINT}  -->{FAINT:#} {}{}", Clean(&model.display().to_string()), Clean(&place))?;
    for (name, fact) in facts(finding) {
        writeln!(out, "{FAINT}   ={FAINT:#} {name}: {}", Clean(fact))?;
    }
    writeln!(out)
}

/// A finding as one text, without the model and the code, which stand beside it.
pub(crate) fn plain(finding: &Finding) -> String {
    let mut text = finding.message.clone();
    let place = place(finding);
    for (name, fact) in place.iter().map(|place| ("in", &**place)).chain(facts(finding)) {
        let _ = write!(text, "\n{name}: {fact}");
    }
    text
}

/// What is told below the message.
fn facts(finding: &Finding) -> impl Iterator<Item = (&'static str, &str)> {
    let facts = [("expected", &finding.expected), ("found", &finding.found), ("help", &finding.help)];
    facts.into_iter().filter_map(|(name, fact)| Some((name, fact.as_deref()?)))
}

/// A mistake in a descriptor, as the compiler tells it.
pub(crate) fn spec_error(out: &mut impl Write, error: &SpecError) -> io::Result<()> {
    let SpecError { file, position: Position { line, column }, code, message, .. } = error;
    write!(out, "{}:{line}:{column}: {ERROR}error[{code}]{ERROR:#}", Clean(file))?;
    writeln!(out, "{STRONG}: {}{STRONG:#}", Clean(message))?;
    // Below the message stand the line and the help, which hold no line breaks of their own.
    let whole = error.to_string();
    let rest = whole.strip_prefix(&format!("{file}:{line}:{column}: error[{code}]: {message}")).unwrap_or_default();
    for line in rest.lines().skip(1) {
        writeln!(out, "{}", Clean(&line.replace('\t', " ")))?;
    }
    writeln!(out)
}

/// Where in the model it was found, ``graph, node 3 `name` (Shape)``, where it is not about the model as a whole.
fn place(finding: &Finding) -> Option<String> {
    place_of(&finding.graph, finding.node.as_ref())
}

/// A graph, or a node in it: ``graph, node 3 `name` (Shape)``; `None` for the model as a whole.
pub(crate) fn place_of(graph: &str, node: Option<&NodeRef>) -> Option<String> {
    if graph.is_empty() {
        return None;
    }
    let mut place = graph.to_owned();
    if let Some(node) = node {
        let _ = write!(place, ", node {}", node.index);
        if !node.name.is_empty() {
            let _ = write!(place, " `{}`", node.name);
        }
        let domain = if matches!(&*node.domain, "" | "ai.onnx") { "" } else { &*node.domain };
        let colons = if domain.is_empty() { "" } else { "::" };
        let _ = write!(place, " ({domain}{colons}{})", node.op_type);
    }
    Some(place)
}

/// How many findings there are of each severity.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) infos: usize,
}

impl Counts {
    /// Adds findings up.
    pub(crate) fn count<'f>(&mut self, findings: impl IntoIterator<Item = &'f Finding>) {
        for finding in findings {
            *match finding.severity() {
                Severity::Error => &mut self.errors,
                Severity::Warning => &mut self.warnings,
                Severity::Info => &mut self.infos,
            } += 1;
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [(self.errors, "error"), (self.warnings, "warning"), (self.infos, "info")];
        let counts: Vec<String> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| number(*count, word)).collect();
        if counts.is_empty() { formatter.write_str("no findings") } else { formatter.write_str(&counts.join(", ")) }
    }
}

/// A number of things: `1 model`, `2 models`.
pub(crate) fn number(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// As wide as texts for reading are.
const WIDTH: usize = 100;

/// Writes a text behind `first` on the same line, in lines of limited width; later lines begin below it.
pub(crate) fn hanging(out: &mut impl Write, first: &str, text: &str) -> io::Result<()> {
    // What colours the text takes no room.
    let indent = strip_str(first).to_string().chars().count();
    write!(out, "{first}")?;
    let mut column = indent;
    for (index, word) in text.split_whitespace().enumerate() {
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
