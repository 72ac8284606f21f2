//! Workflow commands of GitHub Actions, which show a finding beside its file and line.

use std::io::{self, Write};

use shape_core::code::Severity;

use crate::render::Clean;

/// A finding, as GitHub shows it.
pub(crate) struct Annotation<'a> {
    pub(crate) severity: Severity,
    pub(crate) file: &'a str,
    /// Line and column; `None` for a model, which has no lines.
    pub(crate) position: Option<(usize, usize)>,
    pub(crate) title: &'a str,
    pub(crate) text: &'a str,
}

impl Annotation<'_> {
    /// Writes the command and a line break.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { severity, file, position, title, text } = self;
        let command = match severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        write!(out, "::{command} file={}", escaped(file, true))?;
        if let Some((line, column)) = position {
            write!(out, ",line={line},col={column}")?;
        }
        writeln!(out, ",title={}::{}", escaped(title, true), escaped(text, false))
    }
}

/// Escapes a text within a workflow command: what would end the command, and what a terminal would take for a command.
fn escaped(text: &str, property: bool) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '%' => escaped.push_str("%25"),
            '\r' => escaped.push_str("%0D"),
            '\n' => escaped.push_str("%0A"),
            ':' if property => escaped.push_str("%3A"),
            ',' if property => escaped.push_str("%2C"),
            letter => escaped.push_str(&Clean(letter.encode_utf8(&mut [0; 4])).to_string()),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands() {
        let cases = [
            (Severity::Error, "m.onnx", None, "a", "::error file=m.onnx,title=code::a\n"),
            (Severity::Warning, "m.onnx", Some((1, 2)), "a", "::warning file=m.onnx,line=1,col=2,title=code::a\n"),
            (Severity::Info, "a,b:%.onnx", None, "", "::notice file=a%2Cb%3A%25.onnx,title=code::\n"),
            (
                Severity::Info,
                "m",
                None,
                "a: 1,2\r\n50%\u{1b}[m",
                "::notice file=m,title=code::a: 1,2%0D%0A50%25\\u{1b}[m\n",
            ),
        ];
        for (severity, file, position, text, expected) in cases {
            let mut out = Vec::new();
            Annotation { severity, file, position, title: "code", text }.write(&mut out).unwrap();
            assert_eq!(String::from_utf8_lossy(&out), expected);
        }
    }
}
