//! Writes new descriptors, and adds new versions to existing ones.
//!
//! The results are valid for [`shape_specs::resolve()`], and contain comments that show the other fields.

use std::fmt;

use shape_specs::operator::Operator;
use shape_specs::tables::Tables;
use shape_specs::yaml::{self, Kind, Node, NodeId, Position, Positions};
use shape_specs::{Scope, SpecErrors, names, resolve, resolve_scope};

/// A text with an added version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extended {
    /// The whole text: the original and the new lines.
    pub text: String,
    /// The line of the new version.
    pub line: usize,
}

/// Why a version cannot be added to a descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The descriptor has errors already.
    Errors(SpecErrors),
    /// The version is not newer than the existing ones.
    NotNewer {
        /// The newest existing version.
        newest: u32,
    },
    /// The opset is newer than the newest known one of the domain.
    OpsetTooNew {
        /// The newest known opset.
        newest: u32,
    },
    /// The versions are written in a form that lines cannot be appended to, such as in brackets.
    Form,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Errors(errors) => errors.fmt(formatter),
            Self::NotNewer { newest } => {
                write!(formatter, "version {newest} stands there already; a new one comes after it")
            }
            Self::OpsetTooNew { newest } => write!(
                formatter,
                "the newest opset known of the domain is {newest}; if a newer one exists by now, add it to opsets.yaml first"
            ),
            Self::Form => formatter.write_str(
                "the versions do not stand on lines of their own, each behind a `- `; write them so, or add the new one by hand",
            ),
        }
    }
}

impl std::error::Error for Refusal {}

/// A template for a descriptor, without errors: one version, one input and one output, and comments that show the other
/// fields.
///
/// `schema` is the path to `descriptor.schema.json`, relative to the folder of the file, for editors; `since` is the
/// opset of the version.
///
/// # Errors
/// The names or the opset cannot be those of an operator.
///
/// ```
/// use shape_changes::write;
/// use shape_specs::{Tables, resolve};
/// let tables = Tables::builtin()?;
/// let text = write::descriptor("com.acme", "Gelu", 1, "../descriptor.schema.json", tables)?;
/// assert_eq!(resolve("com.acme/Gelu.yaml", text.as_bytes(), tables)?.name, "Gelu");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn descriptor(domain: &str, name: &str, since: u32, schema: &str, tables: &Tables) -> Result<String, SpecErrors> {
    let mut snake = names::snake(name);
    // An invalid name is reported where it is used as a name, not in a comment.
    snake.retain(|c| c == '_' || c.is_ascii_alphanumeric());
    let text = format!(
        r#"# yaml-language-server: $schema={schema}
operator: {name}
domain: {domain}
# One sentence: what the operator gives.
summary: Gives what this sentence is to say.
# What the summary leaves out: a formula, edge cases.
# details: It may have several sentences.

# The documents that the facts below are read from.
sources:
  - {{ id: page, title: "the page of {name}" }}

# Oldest first; each version after the first says only what it changes of the one before it.
versions:
  - since: {since}
    sources: [page]
    # An attribute with neither a `default` nor `optional: true` is required.
    # attributes: [{{ name: axis, type: INT, default: 0, doc: "What it means." }}]
    # With `option: optional` it may be left out; with `option: variadic` it stands for several.
    inputs: [{{ name: x, type: T, doc: "What it holds." }}]
    outputs: [{{ name: y, type: T, doc: "What it holds." }}]
    # Element types, groups of them such as every_type_of_opset_13, and types such as `seq(tensor(float))`.
    types: [{{ name: T, allow: [float16, float, double], doc: "What it allows." }}]
    # The dimensions of an output: one by one, "[x[0], 2*x[1], ...x[2:]]"; by a rule of onnxspec-core, "broadcast(x,
    # w)"; or by a function of your crate, "crate::rules::{snake}(x, axis)". Without it they stay unknown.
    rules: [{{ output: y, dims: "[...x]" }}]

# Tests of what comes out, or with `error: CODE` in place of `outputs` of what is refused. They stand last in the file.
# examples:
#   - name: two_by_three
#     source: page
#     inputs: [{{ type: float, dims: [2, N] }}]
#     outputs: [{{ type: float, dims: [2, N] }}]
"#
    );
    resolve(&format!("{domain}/{name}.yaml"), text.as_bytes(), tables).map(|_| text)
}

/// A descriptor with an additional last version, which changes nothing yet and shows the possible fields in comments.
/// All of `bytes` is kept, including comments.
///
/// # Errors
/// See [`Refusal`].
///
/// ```
/// use shape_changes::write;
/// use shape_specs::{Tables, resolve};
/// let tables = Tables::builtin()?;
/// let gelu = write::descriptor("com.acme", "Gelu", 1, "descriptor.schema.json", tables)?;
/// let extended = write::with_version("Gelu.yaml", gelu.as_bytes(), 7, tables).unwrap();
/// assert_eq!(resolve("Gelu.yaml", extended.text.as_bytes(), tables)?.versions.last().unwrap().since, 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_version(file: &str, bytes: &[u8], since: u32, tables: &Tables) -> Result<Extended, Refusal> {
    let before = resolve(file, bytes, tables).map_err(Refusal::Errors)?;
    let newest = before.versions.last().map_or(0, |version| version.since);
    if since <= newest {
        return Err(Refusal::NotNewer { newest });
    }
    if let Some(newest) = tables.newest_opset(&before.domain).filter(|newest| since > *newest) {
        return Err(Refusal::OpsetTooNew { newest });
    }
    let text = String::from_utf8_lossy(bytes);
    let extended = insert(&text, "versions", &version(&before, since));
    extended.filter(|extended| adds_one_version(before, bytes, extended, since, tables)).ok_or(Refusal::Form)
}

/// The lines of a version without changes, and with the possible fields in comments, without their indentation.
fn version(before: &Operator, since: u32) -> Vec<String> {
    let mut lines = vec![format!("since: {since}")];
    let Some(newest) = before.versions.last() else { return lines };
    if !newest.sources.is_empty() {
        lines.push(format!("sources: [{}] # the documents that its facts are read from", newest.sources.join(", ")));
    }
    lines.push(format!("# What it changes of version {}; an entry with the same name replaces.", newest.since));
    lines.push("# attributes: [{ name: axis, type: INT, default: 0 }]".to_owned());
    if let Some(constraint) = newest.types.first() {
        lines.push(format!("# types: [{{ name: {}, add: [TYPE], remove: [TYPE] }}]", constraint.name));
    }
    lines.push(
        "# remove: { attributes: [NAME], inputs: [NAME], outputs: [NAME], types: [NAME], rules: [OUTPUT] }".to_owned(),
    );
    lines
}

/// Inserts the lines of an entry after the last one of a top-level list; `None` if the list is not written on lines.
pub(crate) fn insert(text: &str, list: &str, lines: &[String]) -> Option<Extended> {
    let root = yaml::parse(text.as_bytes()).ok()?;
    let Kind::Map(pairs) = &root.kind else { return None };
    let index = pairs.iter().position(|(key, _)| key.kind == Kind::Text(list.to_owned()))?;
    let (_, Node { kind: Kind::List(entries), .. }) = pairs.get(index)? else { return None };
    let positions = Positions::new(text.as_bytes());
    let dash = dash(text, positions.of(first_field(entries.last()?)?))?;
    let rows: Vec<&str> = text.split_inclusive('\n').collect();
    // Before the next field, or at the end of the file.
    let mut row = match pairs.get(index + 1) {
        Some((next, _)) => positions.of(next.id).line - 1,
        None => rows.len(),
    };
    // Blank lines, and comments with another indentation than the entries, belong to what follows.
    let follows = |row: &str| {
        let indent = row.len() - row.trim_start().len();
        row.trim().is_empty() || (row.trim_start().starts_with('#') && indent < dash.find('-').unwrap_or(0).max(1))
    };
    while row > 0 && rows.get(row - 1).is_some_and(|row| follows(row)) {
        row -= 1;
    }
    let (before, after) = (rows.get(..row)?.concat(), rows.get(row..)?.concat());
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    // If entries are separated by blank lines, so is the new one.
    let apart = entries.len() > 1 && {
        let last = positions.of(first_field(entries.last()?)?).line;
        last > 1 && rows.get(last - 2).is_some_and(|row| row.trim().is_empty())
    };
    let mut head = before;
    if !head.ends_with('\n') {
        head.push_str(end);
    }
    if apart {
        head.push_str(end);
    }
    let line = head.matches('\n').count() + 1;
    let mut text = head;
    let space = " ".repeat(dash.chars().count());
    for (index, line) in lines.iter().enumerate() {
        text.push_str(if index == 0 { &dash } else { &space });
        text.push_str(line);
        text.push_str(end);
    }
    Some(Extended { text: text + &after, line })
}

fn first_field(entry: &Node) -> Option<NodeId> {
    let Kind::Map(fields) = &entry.kind else { return None };
    fields.first().map(|(key, _)| key.id)
}

/// The text before an entry whose first field is here: `  - `.
fn dash(text: &str, Position { line, column }: Position) -> Option<String> {
    let row = text.split('\n').nth(line - 1)?.trim_start_matches('\u{feff}');
    let before: String = row.chars().take(column - 1).collect();
    let dash = before.split('{').next().unwrap_or_default();
    (dash.trim() == "-").then(|| dash.to_owned())
}

/// Whether a text describes the same operator as another one, with one more version.
fn adds_one_version(before: Operator, bytes: &[u8], extended: &Extended, since: u32, tables: &Tables) -> bool {
    let after = extended.text.as_bytes();
    // The examples move down, but must not change.
    let examples = |text: &[u8]| text.get(Scope::Facts.of(text).len()..).map(<[u8]>::to_vec);
    let Ok(mut operator) = resolve_scope(&before.file, after, tables, Scope::Facts) else { return false };
    let added = operator.versions.pop();
    added.is_some_and(|added| (added.since, added.line) == (since, extended.line))
        && operator == Operator { examples: Vec::new(), ..before }
        && examples(bytes) == examples(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shape_specs::DESCRIPTORS;

    fn tables() -> &'static Tables {
        Tables::builtin().unwrap()
    }

    #[test]
    fn what_stands_in_comments_may_stand_there() {
        for (domain, name, since) in [("com.acme", "Gelu", 7), ("ai.onnx", "Gelu", 20), ("x", "_1", 1)] {
            let text = descriptor(domain, name, since, "descriptor.schema.json", tables()).unwrap();
            let fields = ["details", "attributes", "examples", "  - name", "    source", "    inputs", "    outputs"];
            let is_field = |line: &str| fields.iter().any(|field| line.starts_with(&format!("{field}:")));
            let uncommented = text.lines().map(|line| match line.split_once("# ") {
                Some((indent, rest)) if is_field(rest) => format!("{indent}{rest}\n"),
                _ => format!("{line}\n"),
            });
            let (uncommented, file) = (uncommented.collect::<String>(), format!("{domain}/{name}.yaml"));
            assert_eq!(uncommented.matches("# ").count() + fields.len(), text.matches("# ").count());
            let operator = resolve(&file, uncommented.as_bytes(), tables()).unwrap_or_else(|errors| panic!("{errors}"));
            assert_eq!((operator.versions[0].attributes.len(), operator.examples.len()), (1, 1));
        }
    }

    #[test]
    fn names_that_are_none() {
        for (domain, name, since, code) in [
            ("com.acme", "Ge lu", 1, "name-form"),
            ("com/acme", "Gelu", 1, "name-form"),
            ("com.acme", "1", 1, "wrong-form"),
            ("com.acme", "Gelu", 0, "version-order"),
            ("ai.onnx", "Gelu", 999, "opset-too-new"),
        ] {
            let errors = descriptor(domain, name, since, "x", tables()).unwrap_err();
            assert_eq!(errors.0[0].code, code, "{domain}::{name}-{since}: {errors}");
        }
    }

    /// Adds version 9 to a text in which `@` marks its position.
    fn check(marked: &str) {
        let operator = "operator: Demo\ndomain: com.acme\nsummary: Gives something.\n";
        let marked = format!("{operator}{marked}");
        let text = marked.replace('@', "");
        let extended =
            with_version("Demo.yaml", text.as_bytes(), 9, tables()).unwrap_or_else(|no| panic!("{no}\n{text}"));
        let (before, after) = marked.split_once('@').unwrap();
        let added = extended.text.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        let added = added.unwrap_or_else(|| panic!("not at the mark:\n{}", extended.text));
        assert!(added.trim_start().trim_start_matches("-").trim_start().starts_with("since: 9"), "{added}");
        assert_eq!(added.contains("\r\n"), text.contains("\r\n"));
        assert!(added.ends_with('\n'), "{added:?}");
    }

    #[test]
    fn nothing_that_people_wrote_is_lost() {
        const ERRATA: &str = "errata: []\n";
        for marked in [
            "versions:\n  - since: 1\n@",
            "versions:\n  - since: 1\n    # its own\n@",
            "versions: # all\n- since: 1 # first\n- since: 3\n@# of what follows\n",
            "versions:\n  - since: 1@",
            "versions:\n  - since: 1\n@\n\n",
            "versions:\r\n  - since: 1\r\n@\r\nerrata: []\r\n",
            &format!("versions:\n  - since: 1\n\n    # its own\n@\n# of the errata\n{ERRATA}"),
            &format!("versions:\n  - since: 1\n@{ERRATA}"),
            &format!("versions:\n    -   since: 1\n        summary: Says\n          more, é.\n@{ERRATA}"),
            &format!("versions:\n  - since: 1\n    summary: |\n      # no comment\n@\n{ERRATA}"),
            &format!("versions:\n  - since: 1\n\n  - since: 2\n@\n{ERRATA}"),
            "versions:\n  - { since: 1 }\n  - since: 2\n@",
            "versions:\n  - since: 1\n  - { since: 2,\n    summary: Gives more }\n@",
        ] {
            check(marked);
        }
        for (file, bytes) in DESCRIPTORS {
            let operator = resolve(file, bytes, tables()).unwrap();
            let since = operator.versions.last().unwrap().since + 1;
            let extended = match with_version(file, bytes, since, tables()) {
                // What changed with the newest opset takes no more until there is a newer one.
                Err(Refusal::OpsetTooNew { newest }) if since > newest => continue,
                extended => extended.unwrap_or_else(|no| panic!("{file}: {no}")),
            };
            let text = str::from_utf8(bytes).unwrap();
            let rest = extended.text.lines().collect::<Vec<_>>();
            let mut left = rest.iter();
            assert!(text.lines().all(|line| left.any(|other| *other == line)), "{file}");
            assert!(rest.len() <= text.lines().count() + 7);
        }
    }

    #[test]
    fn refusals() {
        let head = "operator: Demo\ndomain: ai.onnx\nsummary: Gives something.\nsources: [{ id: a, title: b }]\n";
        let with = |versions: &str, since| {
            with_version("Demo.yaml", format!("{head}{versions}").as_bytes(), since, tables()).unwrap_err()
        };
        let versions = "versions:\n  - since: 3\n    sources: [a]\n";
        let newest = tables().newest_opset("ai.onnx").unwrap();
        assert_eq!(with(versions, 3), Refusal::NotNewer { newest: 3 });
        assert_eq!(with(versions, 0), Refusal::NotNewer { newest: 3 });
        assert_eq!(with(versions, newest + 1), Refusal::OpsetTooNew { newest });
        assert!(matches!(with("versions: []\n", 3), Refusal::Errors(_)));
        for form in [
            "versions: [{ since: 3, sources: [a] }]\n",
            "versions:\n  -\n    since: 3\n    sources: [a]\n",
            "versions:\n  - since: 3\n    sources: [a]\n...\n",
            "versions:\n  - since: 3\n    sources: [a]\n    summary: |+\n      Kept.\n\n\nerrata: []\n",
        ] {
            assert_eq!(with(form, 4), Refusal::Form, "{form}");
        }
    }
}
