//! The sentences of descriptors in the form that templates need: paragraphs, split into plain text and code.

/// A part of a text: words, or a name or formula between backticks.
pub(crate) struct Part<'t> {
    pub(crate) text: &'t str,
    pub(crate) code: bool,
}

/// The parts of a text. A backtick without a second one is a letter like others.
pub(crate) fn parts<T: AsRef<str> + ?Sized>(text: &T) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = text.as_ref();
    while let Some((before, code, after)) = next(rest) {
        parts.extend([Part { text: before, code: false }, Part { text: code, code: true }]);
        rest = after;
    }
    parts.push(Part { text: rest, code: false });
    parts
}

fn next(text: &str) -> Option<(&str, &str, &str)> {
    let (before, from) = text.split_once('`')?;
    let (code, after) = from.split_once('`')?;
    Some((before, code, after))
}

/// A paragraph, or lines that are kept as they are.
#[derive(Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) text: String,
    pub(crate) formula: bool,
}

/// The blocks of a text of several lines: indented lines are formulas. A line goes on in the next one if the first word
/// of that would not have had room in it.
pub(crate) fn blocks<T: AsRef<str> + ?Sized>(text: &T) -> Vec<Block> {
    /// Lines are wrapped where they reach this, or a little before.
    const WIDTH: usize = 106;
    let mut blocks: Vec<Block> = Vec::new();
    let mut last = 0;
    for line in text.as_ref().lines() {
        let formula = line.starts_with(' ');
        let first = line.split_whitespace().next().map_or(0, |word| word.chars().count());
        match blocks.last_mut() {
            _ if line.trim().is_empty() => {}
            Some(block) if block.formula && formula => {
                block.text.push('\n');
                block.text.push_str(line.get(2..).unwrap_or_default());
            }
            Some(block) if !block.formula && !formula && last + 1 + first > WIDTH => {
                block.text.push(' ');
                block.text.push_str(line);
            }
            _ => {
                let text = if formula { line.get(2..).unwrap_or_default() } else { line };
                blocks.push(Block { text: text.to_owned(), formula });
            }
        }
        last = line.chars().count();
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backticks_are_code() {
        let of = |text| parts(text).iter().map(|part| (part.text.to_owned(), part.code)).collect::<Vec<_>>();
        let part = |text: &str, code| (text.to_owned(), code);
        assert_eq!(of("a `b` c"), [part("a ", false), part("b", true), part(" c", false)]);
        assert_eq!(of("a ` b"), [part("a ` b", false)]);
    }

    #[test]
    fn wrapped_lines_are_one_paragraph() {
        let long = "word ".repeat(22);
        let text = format!("{}\ngoes on.\nNext.\n  a = b\n    c\nLast.\n", long.trim());
        let block = |text: &str, formula| Block { text: text.to_owned(), formula };
        assert_eq!(
            blocks(&text),
            [
                block(&format!("{long}goes on."), false),
                block("Next.", false),
                block("a = b\n  c", true),
                block("Last.", false),
            ]
        );
    }
}
