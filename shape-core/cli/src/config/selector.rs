//! Words that stand for codes: a code, the beginning of several, or `ALL`.

use shape_core::code::Code;
use shape_specs::names::suggest;

/// What stands for every code.
pub(super) const ALL: &str = "ALL";

/// Codes that are selected or ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selector {
    /// `ALL`.
    All,
    /// The codes that begin so: `conversion-`.
    Prefix(String),
    /// One code.
    Code(Code),
}

impl Selector {
    /// Reads a selector; fails with what is wrong and what is meant.
    pub(super) fn parse(text: &str) -> Result<Self, (String, Option<String>)> {
        if text == ALL {
            return Ok(Self::All);
        }
        if let Some(code) = Code::from_name(text) {
            return Ok(Self::Code(code));
        }
        if text.ends_with('-') && Code::all().any(|code| code.name().starts_with(text)) {
            return Ok(Self::Prefix(text.to_owned()));
        }
        let prefixes = prefixes();
        let mut known: Vec<&str> = Code::all().map(Code::name).chain([ALL]).collect();
        known.extend(prefixes.iter().map(String::as_str));
        let what = if text.ends_with('-') { "no code that begins with" } else { "no code" };
        Err((format!("there is {what} `{text}`"), suggest(text, known).or_else(|| Some(HELP.to_owned()))))
    }

    /// How specific the selector is for a code: a larger number is more specific. `None` if it does not select the
    /// code.
    pub(super) fn rank(&self, code: Code) -> Option<usize> {
        match self {
            Self::All => Some(0),
            Self::Prefix(prefix) => code.name().starts_with(&**prefix).then_some(prefix.len()),
            Self::Code(one) => (*one == code).then_some(usize::MAX),
        }
    }
}

/// What helps if no code is similar.
const HELP: &str = "`shape explain` lists the codes; `ALL` stands for all, and `conversion-` for those that begin so";

/// The beginnings that several codes have in common, each up to a hyphen.
pub(super) fn prefixes() -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in Code::all().map(Code::name) {
        all.extend(name.match_indices('-').filter_map(|(at, _)| Some(name.get(..=at)?.to_owned())));
    }
    all.sort_unstable();
    let runs = all.chunk_by(|left, right| left == right);
    runs.filter(|run| run.len() > 1).filter_map(|run| run.first().cloned()).collect()
}
