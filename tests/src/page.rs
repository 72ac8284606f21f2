//! Pages whose commands and code a test takes as they stand.

/// A part of a page, between two lines of three backticks or outside of them.
#[derive(Clone, Copy, Debug)]
pub enum Part<'p> {
    /// What is read.
    Prose(&'p str),
    /// What is run, written or compared.
    Block {
        /// What stands behind the backticks that begin it.
        language: &'p str,
        /// Its lines.
        text: &'p str,
    },
}

/// The parts of a section of a page, which begins with this heading and ends before the next of its level; what stands
/// before, and what behind it.
#[must_use]
pub fn section<'p>(page: &'p str, heading: &str) -> Option<(&'p str, Vec<Part<'p>>, &'p str)> {
    let begin = page.find(&format!("\n{heading}\n"))? + heading.len() + 2;
    let (before, rest) = page.split_at_checked(begin)?;
    let (section, after) = rest.split_at_checked(rest.find("\n## ").unwrap_or(rest.len()))?;
    let parts = section.split("```").enumerate().map(|(index, part)| match part.split_once('\n') {
        Some((language, text)) if index % 2 == 1 => Part::Block { language, text },
        _ => Part::Prose(part),
    });
    Some((before, parts.collect(), after))
}
