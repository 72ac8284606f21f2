//! Mistakes in descriptors, and the one place that renders them.

use std::fmt::{self, Write as _};

use crate::yaml::{self, NodeId, Position};

/// One mistake, before it is known where in the text it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    pub(crate) at: NodeId,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Mistake {
    pub(crate) fn new(at: NodeId, code: &'static str, message: impl Into<String>) -> Self {
        Self { at, code, message: message.into(), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }
}

/// A mistake in a descriptor or another data file, with the place where it stands.
///
/// Its `Display` is what a compiler prints: `file:line:column: error[code]: message`, the line itself with a mark under
/// the place, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// The file as it was named to the reader.
    pub file: String,
    /// Where in the file.
    pub position: Position,
    /// The stable name of the kind of mistake, such as `unknown-field`.
    pub code: &'static str,
    /// What is wrong and what stands there.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
    /// The line of the file at that place.
    pub line: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, position: Position { line, column }, code, message, help, line: text } = self;
        write!(formatter, "{file}:{line}:{column}: error[{code}]: {message}")?;
        let gutter = line.to_string().len();
        if !text.trim().is_empty() {
            // A tab in the mark's indentation keeps the mark under its character however wide tabs are shown.
            let indent: String =
                text.chars().take(column.saturating_sub(1)).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            write!(formatter, "\n{:gutter$} |\n{line} | {text}\n{:gutter$} | {indent}^", "", "")?;
        }
        if let Some(help) = help {
            write!(formatter, "\n{:gutter$} = help: {help}", "")?;
        }
        Ok(())
    }
}

impl std::error::Error for SpecError {}

/// All mistakes of one or more files, in the order of the files and of the places in them. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecErrors(pub Vec<SpecError>);

impl fmt::Display for SpecErrors {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                formatter.write_str("\n\n")?;
            }
            fmt::Display::fmt(error, formatter)?;
        }
        Ok(())
    }
}

impl std::error::Error for SpecErrors {}

/// Gives each mistake its place, drops what was found twice, and sorts by place.
pub(crate) fn place(file: &str, bytes: &[u8], mistakes: Vec<Mistake>) -> Vec<SpecError> {
    let mut errors: Vec<SpecError> = Vec::new();
    for Mistake { at, code, message, help } in mistakes {
        let position = yaml::locate(bytes, at);
        let error =
            SpecError { file: file.to_owned(), position, code, message, help, line: line_of(bytes, position.line) };
        if !errors.contains(&error) {
            errors.push(error);
        }
    }
    errors.sort_by_key(|error| error.position);
    errors
}

/// The text of a line (from 1), cut to what fits a message.
pub(crate) fn line_of(bytes: &[u8], line: usize) -> String {
    let text = bytes.split(|&byte| byte == b'\n').nth(line.saturating_sub(1)).unwrap_or_default();
    String::from_utf8_lossy(text).trim_end().chars().take(160).collect()
}

/// "did you mean" for a name that is not among those that exist; otherwise the list, where it is short.
pub(crate) fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<String> {
    let known: Vec<&str> = known.into_iter().collect();
    let best = known.iter().map(|candidate| (distance(name, candidate), *candidate)).min();
    match best {
        Some((distance, candidate)) if distance <= 1 + name.chars().count() / 4 => {
            Some(format!("did you mean `{candidate}`?"))
        }
        _ if known.is_empty() => Some("there is none".to_owned()),
        _ if known.len() <= 16 => {
            let mut list = String::new();
            for (index, name) in known.iter().enumerate() {
                let _ = write!(list, "{}`{name}`", if index == 0 { "" } else { ", " });
            }
            Some(format!("one of {list}"))
        }
        _ => None,
    }
}

/// Edits (insert, drop, replace, swap of neighbours) that turn one name into the other, upper and lower case alike.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.to_lowercase().chars().collect();
    let right: Vec<char> = right.to_lowercase().chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (i, &l) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &r) in right.iter().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX - 1);
            let mut best = (at(&last, j) + usize::from(l != r)).min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && left.get(i - 1) == Some(&r) && right.get(j - 1) == Some(&l);
            if swapped {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or_default()
}
