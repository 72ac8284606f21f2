//! The options that say which findings are reported, such as `--select` and `--severity`.

use std::path::{Path, PathBuf};

use super::file::Deny;
use super::full::full;
use super::glob::Glob;
use super::layer::Layer;
use super::level::Level;
use super::selector::Selector;

/// Which findings are reported, and how much they weigh. What stands here goes before what the file says.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct ConfigArgs {
    /// Report only these findings: codes, beginnings such as `conversion-`, or ALL; may be repeated
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = selector)]
    select: Option<Vec<Selector>>,

    /// Do not report these findings; may be repeated
    ///
    /// Of what is selected and ignored, the longer word decides: `--select ALL --ignore conversion-` reports all others.
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = selector)]
    ignore: Vec<Selector>,

    /// Let findings weigh this much: error, warning, info or off; may be repeated
    #[arg(long, value_name = "CODE=LEVEL", value_delimiter = ',', value_parser = severity)]
    severity: Vec<(Selector, Level)>,

    /// Do not report these findings of models whose path matches; may be repeated
    ///
    /// `*` stays within a name and `**` stands for any folders; a pattern without a slash is for the name of a file in
    /// whatever folder.
    #[arg(long, value_name = "GLOB=CODE,...", value_parser = per_file)]
    per_file_ignores: Vec<(Glob, Vec<Selector>)>,

    /// Exit with 1 for these too; may be repeated
    #[arg(long, value_name = "WHAT")]
    pub(super) deny: Vec<Deny>,

    /// Do not report the findings that stand in this file, and tell which of them are gone
    #[arg(long, value_name = "FILE.json", conflicts_with = "write_baseline")]
    pub(super) baseline: Option<PathBuf>,

    /// Write the findings into a file for `--baseline`, in place of reporting them
    #[arg(long, value_name = "FILE.json")]
    pub(crate) write_baseline: Option<PathBuf>,

    /// Take these settings for all models, in place of the nearest `shape.toml` in the folder of a model or above it
    #[arg(long, value_name = "FILE.toml", conflicts_with = "isolated")]
    pub(super) config: Option<PathBuf>,

    /// Look for no `shape.toml`
    #[arg(long)]
    pub(super) isolated: bool,
}

impl ConfigArgs {
    /// The settings of these options for codes.
    pub(super) fn layer(&self) -> Layer {
        Layer {
            select: self.select.clone(),
            ignore: self.ignore.clone(),
            severity: self.severity.clone(),
            per_file_ignores: self.per_file_ignores.clone(),
            exclude: Vec::new(),
        }
    }
}

fn selector(text: &str) -> Result<Selector, String> {
    Selector::parse(text.trim()).map_err(with_help)
}

fn severity(text: &str) -> Result<(Selector, Level), String> {
    let (code, level) = text.split_once('=').ok_or("it is written as CODE=LEVEL")?;
    Ok((selector(code)?, Level::parse(level.trim()).map_err(with_help)?))
}

fn per_file(text: &str) -> Result<(Glob, Vec<Selector>), String> {
    let (glob, codes) = text.rsplit_once('=').ok_or("it is written as GLOB=CODE,...")?;
    let codes = codes.split(',').map(selector).collect::<Result<_, _>>()?;
    Ok((Glob::parse(glob, &full(Path::new(".")))?, codes))
}

fn with_help((message, help): (String, Option<String>)) -> String {
    help.map_or_else(|| message.clone(), |help| format!("{message}; {help}"))
}
