//! Reads `shape.toml`. All mistakes are reported, each with its place.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Deserialize;
use shape_specs::names::suggest;
use shape_specs::yaml::Position;
use shape_specs::{SpecError, SpecErrors};
use toml::Spanned;
use toml::de::{DeTable, Deserializer, Error};

use super::error::ConfigError;
use super::glob::Glob;
use super::layer::Layer;
use super::level::Level;
use super::selector::Selector;
use crate::input;

/// What is an error besides findings that are errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    /// Findings that are warnings
    Warnings,
    /// Rules of the profile whose verdict is undetermined
    Undetermined,
}

/// A text of the file with its place.
type Text = Spanned<String>;

/// Which findings `shape check` reports of the models in the folder of the file and below it.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Document {
    /// The findings that are reported: codes, beginnings such as `conversion-`, or `ALL`. All, if it is left out.
    #[cfg_attr(test, schemars(with = "Option<Vec<String>>"))]
    pub(super) select: Option<Vec<Text>>,
    /// The findings that are not reported. Of what is selected and ignored, the longer word decides.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub(super) ignore: Vec<Text>,
    /// How much findings weigh, by code or beginning: `error`, `warning`, `info`, or `off`, which does not report them.
    #[cfg_attr(test, schemars(with = "BTreeMap<String, String>"))]
    pub(super) severity: BTreeMap<Text, Text>,
    /// The findings that are not reported of models whose path matches, relative to the folder of the file. `*` stays
    /// within a name and `**` stands for any folders; a pattern without a slash is for the name of a file in whatever
    /// folder.
    #[cfg_attr(test, schemars(with = "BTreeMap<String, Vec<String>>"))]
    pub(super) per_file_ignores: BTreeMap<Text, Vec<Text>>,
    /// What is an error besides findings that are errors: `warnings`, and `undetermined` rules of a profile.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub(super) deny: Vec<Text>,
    /// The models and folders that are left out where a folder is checked. Models that are named are checked.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub(super) exclude: Vec<Text>,
    /// The file of findings that are known, relative to the folder of this file: `shape check --write-baseline` writes
    /// it. They are not reported, and it is told which of them are gone.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub(super) baseline: Option<Text>,
}

/// The fields of [`Document`], each with what it is.
pub(super) const FIELDS: [(&str, &str); 7] = [
    ("select", "it is a list of codes: `select = [\"ALL\"]`"),
    ("ignore", "it is a list of codes: `ignore = [\"conversion-\"]`"),
    ("severity", "it is a table of levels: `severity = { no-descriptor = \"info\" }`"),
    ("per-file-ignores", "it is a table of lists: `per-file-ignores = { \"old/*.onnx\" = [\"ALL\"] }`"),
    ("deny", "it is a list: `deny = [\"warnings\"]`"),
    ("exclude", "it is a list of patterns: `exclude = [\"old/**\"]`"),
    ("baseline", "it is a path: `baseline = \"known.json\"`"),
];

/// The settings of a file.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) layer: Layer,
    pub(super) deny: Vec<Deny>,
    pub(super) baseline: Option<PathBuf>,
}

impl File {
    /// Reads a file; its patterns and paths are relative to `base`.
    pub(super) fn read(path: &Path, base: &Path) -> Result<Self, ConfigError> {
        let bytes = input::text(path).map_err(ConfigError::Unread)?;
        let name = path.to_string_lossy();
        let text = String::from_utf8(bytes).map_err(|_| ConfigError::Unread(format!("{name} is not UTF-8")))?;
        Self::parse(&name, &text, base).map_err(ConfigError::Mistakes)
    }

    /// Reads the text of a file.
    pub(super) fn parse(name: &str, text: &str, base: &Path) -> Result<Self, SpecErrors> {
        let mut mistakes = Mistakes { name, text, all: Vec::new() };
        let document = mistakes.document();
        let file = mistakes.file(document, base);
        let mut all = mistakes.all;
        all.sort_by_key(|error| (error.position.line, error.position.column));
        if all.is_empty() { Ok(file) } else { Err(SpecErrors(all)) }
    }
}

/// The mistakes of a file, while it is read.
struct Mistakes<'t> {
    name: &'t str,
    text: &'t str,
    all: Vec<SpecError>,
}

impl Mistakes<'_> {
    fn push(&mut self, span: Range<usize>, code: &'static str, message: String, help: Option<String>) {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let position = Position {
            line: before.matches('\n').count() + 1,
            column: before.get(start..).unwrap_or_default().chars().count() + 1,
        };
        let line = self.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let line = line.chars().take(160).collect();
        self.all.push(SpecError { file: self.name.to_owned(), position, code, message, help, line });
    }

    fn error(&mut self, code: &'static str, error: &Error, help: Option<&str>) {
        let message = error.message().replace('\n', ", ");
        self.push(error.span().unwrap_or(0..0), code, message, help.map(str::to_owned));
    }

    /// The document without the fields that cannot be read.
    fn document(&mut self) -> Document {
        let (table, errors) = DeTable::parse_recoverable(self.text);
        if !errors.is_empty() {
            errors.iter().for_each(|error| self.error("syntax", error, None));
            return Document::default();
        }
        let span = table.span();
        let mut known = DeTable::new();
        for (key, value) in table.into_inner() {
            let field = key.get_ref().as_ref();
            let Some((_, form)) = FIELDS.iter().find(|(name, _)| *name == field) else {
                let message = format!("there is no setting `{field}`");
                self.push(key.span(), "unknown-field", message, suggest(field, FIELDS.map(|(name, _)| name)));
                continue;
            };
            // Each alone, so that one mistake does not hide another.
            let alone = DeTable::from_iter([(key.clone(), value.clone())]);
            match Document::deserialize(Deserializer::from(Spanned::new(span.clone(), alone))) {
                Ok(_) => _ = known.insert(key, value),
                Err(error) => self.error("wrong-form", &error, Some(form)),
            }
        }
        Document::deserialize(Deserializer::from(Spanned::new(span, known))).unwrap_or_default()
    }

    fn file(&mut self, document: Document, base: &Path) -> File {
        let Document { select, ignore, severity, per_file_ignores, deny, exclude, baseline } = document;
        let severity = severity.iter().map(|(code, level)| (self.selector(code), self.level(level)));
        let severity = severity.filter_map(|(code, level)| code.zip(level)).collect();
        let per_file = per_file_ignores.iter().map(|(glob, codes)| (self.glob(glob, base), self.selectors(codes)));
        let per_file_ignores = per_file.filter_map(|(glob, codes)| Some((glob?, codes))).collect();
        let layer = Layer {
            select: select.map(|select| self.selectors(&select)),
            ignore: self.selectors(&ignore),
            severity,
            per_file_ignores,
            exclude: exclude.iter().filter_map(|glob| self.glob(glob, base)).collect(),
        };
        let deny = deny.iter().filter_map(|word| self.deny(word)).collect();
        File { layer, deny, baseline: baseline.map(|path| base.join(path.into_inner())) }
    }

    fn selectors(&mut self, texts: &[Text]) -> Vec<Selector> {
        texts.iter().filter_map(|text| self.selector(text)).collect()
    }

    fn selector(&mut self, text: &Text) -> Option<Selector> {
        let selector = Selector::parse(text.get_ref());
        selector.map_err(|(message, help)| self.push(text.span(), "unknown-code", message, help)).ok()
    }

    fn level(&mut self, text: &Text) -> Option<Level> {
        let level = Level::parse(text.get_ref());
        level.map_err(|(message, help)| self.push(text.span(), "unknown-word", message, help)).ok()
    }

    fn glob(&mut self, text: &Text, base: &Path) -> Option<Glob> {
        let glob = Glob::parse(text.get_ref(), base);
        glob.map_err(|message| self.push(text.span(), "wrong-form", message, None)).ok()
    }

    fn deny(&mut self, text: &Text) -> Option<Deny> {
        let word = &**text.get_ref();
        let found = Deny::from_str(word, false).ok();
        if found.is_none() {
            let help = suggest(word, deny_words().iter().map(String::as_str));
            self.push(text.span(), "unknown-word", format!("there is no `{word}` to deny"), help);
        }
        found
    }
}

/// What may be denied.
pub(super) fn deny_words() -> Vec<String> {
    let words = Deny::value_variants().iter().filter_map(Deny::to_possible_value);
    words.map(|word| word.get_name().to_owned()).collect()
}
