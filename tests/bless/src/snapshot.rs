//! The form of generated Rust in a snapshot: no line numbers of descriptors, and no line that is wider than a terminal.

/// What a line has at most, in characters.
pub const WIDTH: usize = 100;

/// Formatted Rust in that form.
///
/// Without the line numbers, an additional line at the top of a descriptor does not change every version. A comment, or a
/// string, that is too long goes on in the next line.
///
/// ```
/// use shape_bless::snapshot::{WIDTH, rust};
/// let sentence = "Gives the same elements. ".repeat(6);
/// let text = rust(&format!("    /// {}(`ai.onnx/Identity.yaml:12`)\n", sentence));
/// assert!(text.lines().all(|line| line.starts_with("    /// ") && line.len() <= WIDTH));
/// assert!(text.ends_with("(`ai.onnx/Identity.yaml`)\n"));
/// ```
pub fn rust(text: &str) -> String {
    numberless(text).lines().map(wrapped).collect()
}

fn wrapped(line: &str) -> String {
    let code = line.trim_start();
    let indent = &line[..line.len() - code.len()];
    let comment = ["/// ", "//! "].into_iter().find(|comment| code.starts_with(comment));
    let (begin, end) = comment.map_or(("    ", "\\"), |comment| (comment, ""));
    let first = indent.len() + begin.len();
    let (mut text, mut rest, mut is_string) = (String::new(), line.to_owned(), false);
    while rest.chars().count() > WIDTH {
        let (mut cut, mut inside, mut escaped) = (None, is_string, false);
        for (at, c) in rest.char_indices().take(WIDTH + 1 - end.len()) {
            let before = |end| rest[..at].ends_with(end);
            let is_sentence = before(". ") || before("\\n");
            if at > first && c != ' ' && (before(" ") || is_sentence) && (comment.is_some() || inside) {
                cut = Some((at, inside));
                // So that an edit of a sentence leaves the lines of the next one alone.
                if is_sentence {
                    break;
                }
            }
            inside ^= c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
        }
        let Some((at, inside)) = cut else { break };
        let (line, more) = rest.split_at(at);
        text += &format!("{}{end}\n", if comment.is_some() { line.trim_end() } else { line });
        (rest, is_string) = (format!("{indent}{begin}{more}"), inside);
    }
    text + &rest + "\n"
}

/// A text without the line numbers of descriptors.
pub fn numberless(text: &str) -> String {
    let mut parts = text.split(".yaml:");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + ".yaml" + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

/// Whether a line is wider than a terminal, and could be broken between words.
pub fn is_too_long(line: &str) -> bool {
    line.chars().count() > WIDTH && line.trim_start().contains(' ')
}
