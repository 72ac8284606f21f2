//! `--passes`, `--only` and `--skip`: lists the passes, and selects which of them run.

use std::io::Write as _;

use serde::Serialize;
use shape_model::{PASSES, Pass};
use shape_specs::names::suggest;

use crate::json::{self, SCHEMA_VERSION};
use crate::options::Format;
use crate::render::STRONG;
use crate::terminal::{Done, Exit, Terminal};

/// The passes that the command line selects.
#[derive(Debug, clap::Args)]
pub(super) struct Selection {
    /// List the passes, and exit
    #[arg(id = "passes", long = "passes")]
    pub(super) list: bool,

    /// Run only these passes
    #[arg(long, value_name = "PASS", value_delimiter = ',')]
    only: Vec<String>,

    /// Leave these passes out
    #[arg(long, value_name = "PASS", value_delimiter = ',', conflicts_with = "only")]
    skip: Vec<String>,
}

impl Selection {
    /// The selected passes; fails if there is none of a name.
    pub(super) fn passes(&self) -> Result<Vec<Pass>, String> {
        for name in self.only.iter().chain(&self.skip) {
            if !PASSES.iter().any(|pass| pass.name == *name) {
                let help = suggest(name, PASSES.iter().map(|pass| pass.name));
                let help = help.unwrap_or_else(|| "`shape simplify --passes` lists them".to_owned());
                return Err(format!("there is no pass `{name}`; {help}"));
            }
        }
        let selected = |pass: &&Pass| {
            let is_in = |list: &[String]| list.iter().any(|name| *name == pass.name);
            (self.only.is_empty() || is_in(&self.only)) && !is_in(&self.skip)
        };
        Ok(PASSES.iter().filter(selected).copied().collect())
    }
}

/// Parses `64KiB`.
pub(super) fn bytes(text: &str) -> Result<usize, String> {
    const UNITS: [(&str, usize); 4] = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("B", 1)];
    let (number, unit) =
        UNITS.iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit))).unwrap_or((text, 1));
    let bytes = number.trim().parse::<usize>().ok().and_then(|number| number.checked_mul(unit));
    bytes.ok_or_else(|| format!("`{text}` is not a size; a size is a number of bytes, or one as in `64KiB` or `1MiB`"))
}

#[derive(Serialize)]
struct Listed {
    schema_version: u32,
    passes: Vec<ListedPass>,
}

#[derive(Serialize)]
struct ListedPass {
    name: &'static str,
    summary: &'static str,
}

/// Prints all passes.
pub(super) fn list(format: Format, terminal: &mut Terminal) -> Done {
    let out = terminal.out();
    match format {
        Format::Text => {
            for pass in PASSES {
                writeln!(out, "{STRONG}{:17}{STRONG:#}  {}", pass.name, pass.summary)?;
            }
        }
        Format::Json => {
            let passes = PASSES.iter().map(|Pass { name, summary, .. }| ListedPass { name, summary }).collect();
            json::write(out, &Listed { schema_version: SCHEMA_VERSION, passes })?;
        }
    }
    terminal.flush()?;
    Ok(Exit::Clean)
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn sizes() {
        for (text, expected) in [
            ("0", Some(0)),
            ("12", Some(12)),
            ("64KiB", Some(65_536)),
            ("1 MiB", Some(1 << 20)),
            ("9B", Some(9)),
            ("1MB", None),
            ("-1", None),
            ("", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(bytes(text).ok(), expected, "{text}");
        }
    }
}
