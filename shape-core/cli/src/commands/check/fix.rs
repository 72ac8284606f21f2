//! `--fix` and `--diff`: repairs models, or shows what would be repaired.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use shape_core::code::Code;
use shape_model::file::FileId;
use shape_model::fix::{Fix, fix_codes, suggest};
use shape_model::{Finding, ModelFile, Options, Safety};

use super::format::CheckFormat;
use crate::descriptors::inputs;
use crate::input::is_stream;
use crate::json::Node;
use crate::output::ModelOutput;
use crate::render::{Clean, ERROR, FAINT, GOOD, STRONG, position_of};

/// The options that repair models.
#[derive(Debug, clap::Args)]
pub(crate) struct FixArgs {
    /// Repair what has one right answer, and write the models
    ///
    /// Each fix is listed with what stood there before and after; then come the findings that are left. Findings that are
    /// ignored are not repaired. A model computes
    /// the same afterwards. It is checked again before it is written, and a fix that would bring an error is not made. A
    /// file is replaced only after everything is written; what needs no fix stays the same to the byte.
    #[arg(long, conflicts_with_all = ["diff", "profile"])]
    fix: bool,

    /// Show what `--fix` would do, and write nothing; exit with 1 if that is anything
    #[arg(long, conflicts_with = "profile")]
    diff: bool,

    /// Make fixes too after which a reader of the model may see something else
    ///
    /// The declared type of a graph output is corrected; an input or output of -1 is left open; of several imports of a
    /// domain the highest is kept, although onnxruntime took the last; inputs that are initializers are removed where the
    /// IR version is raised past 3. What is computed by the format stays the same.
    #[arg(long)]
    unsafe_fixes: bool,

    /// Write the repaired model to this file, in place of the model itself; of one model
    ///
    /// `-` is standard output; then results are written to standard error.
    #[arg(short, long, value_name = "OUT.onnx", requires = "fix")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    external: ModelOutput,
}

impl FixArgs {
    /// Fails if the models cannot be repaired as the options say.
    pub(super) fn check(&self, models: &[&Path], format: CheckFormat) -> Result<(), String> {
        if self.unsafe_fixes && !self.fix && !self.diff {
            return Err("`--unsafe-fixes` is of `--fix` or `--diff`; give one of the two".to_owned());
        }
        match &self.output {
            Some(_) if models.len() != 1 => Err(format!(
                "`-o` takes one model, and there are {}; without `-o`, each is replaced by the repaired one",
                models.len()
            )),
            Some(output) => ModelOutput::check(output, format.kind()),
            None if self.fix
                && let Some(twice) = named_twice(models) =>
            {
                Err(format!("{} is named twice, and a fix replaces it; name it once", twice.display()))
            }
            None if self.fix && models.iter().any(|model| is_stream(model)) => {
                Err("a model from standard input cannot be replaced; give `-o` a file, or `-` for standard output"
                    .into())
            }
            None => Ok(()),
        }
    }

    /// Repairs a model if that was asked for, as far as findings are `wanted`; `findings` are then those that are left. Else each finding says whether it
    /// could be repaired.
    pub(super) fn apply(
        &self,
        (model, path): (&ModelFile, &Path),
        (options, wanted): (&Options, &dyn Fn(Code) -> bool),
        findings: &mut Vec<Finding>,
        specs: &[PathBuf],
    ) -> Result<Option<Vec<Fix>>, String> {
        if !self.fix && !self.diff {
            suggest(model, options, findings);
            return Ok(None);
        }
        let allowed = if self.unsafe_fixes { Safety::Unsafe } else { Safety::Safe };
        let fixing = fix_codes(model, options, allowed, wanted).map_err(|error| error.to_string())?;
        if self.fix && (self.output.is_some() || !fixing.fixes.is_empty()) {
            let target = self.output.as_deref().unwrap_or(path);
            self.external.write(model, &fixing.edit, target, inputs(specs))?;
        }
        *findings = fixing.findings;
        Ok(Some(fixing.fixes))
    }

    /// What became of the fixes.
    pub(super) fn totals(&self) -> Totals {
        Totals { shown: self.diff, ..Totals::default() }
    }
}

/// A file that is among the models twice, also through links.
fn named_twice<'p>(models: &[&'p Path]) -> Option<&'p Path> {
    let mut seen = HashSet::new();
    models.iter().find(|model| FileId::of(model).is_ok_and(|id| !seen.insert(id))).copied()
}

/// How much was repaired, or could be.
#[derive(Debug, Default)]
pub(super) struct Totals {
    /// Whether fixes are shown and not made.
    shown: bool,
    fixes: usize,
    safe: usize,
    with_a_look: usize,
}

impl Totals {
    /// Counts the fixes of a model, or those that its findings have.
    pub(super) fn add(&mut self, fixes: Option<&[Fix]>, findings: &[Finding]) {
        self.fixes += fixes.map_or(0, <[Fix]>::len);
        let suggested = |safety: Safety| {
            let with = |finding: &&Finding| finding.fix.as_ref().is_some_and(|fix| fix.safety == safety);
            findings.iter().filter(with).map(|finding| 1 + finding.more).sum::<usize>()
        };
        self.safe += suggested(Safety::Safe);
        self.with_a_look += suggested(Safety::Unsafe);
    }

    /// Whether `--diff` has something to show.
    pub(super) fn is_different(&self) -> bool {
        self.shown && self.fixes > 0
    }
}

impl fmt::Display for Totals {
    /// What the last line of the notes says of fixes; nothing if there is nothing to say.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { fixes: 1.., shown: true, .. } => write!(formatter, "; {} fixable", self.fixes),
            Self { fixes: 1.., .. } => write!(formatter, "; {} fixed", self.fixes),
            Self { safe: 1.., with_a_look: 0, .. } => write!(formatter, "; {} fixable with `--fix`", self.safe),
            Self { safe, with_a_look: 1.., .. } => {
                let with = "with `--fix --unsafe-fixes`";
                match safe {
                    0 => write!(formatter, "; {} fixable {with}", self.with_a_look),
                    safe => write!(formatter, "; {safe} fixable with `--fix`, {} more {with}", self.with_a_look),
                }
            }
            _ => Ok(()),
        }
    }
}

/// A fix in JSON.
#[derive(Serialize)]
pub(super) struct Json {
    model: String,
    code: &'static str,
    safety: &'static str,
    graph: String,
    node: Option<Node>,
    message: String,
    before: Option<String>,
    after: Option<String>,
}

impl Json {
    pub(super) fn new(model: &Path, fix: Fix) -> Self {
        let (code, safety) = (fix.code.name(), fix.safety.name());
        let Fix { graph, node, message, before, after, .. } = fix;
        let model = model.to_string_lossy().into_owned();
        Self { model, code, safety, graph, node: node.map(Node::from), message, before, after }
    }
}

/// Writes a fix: what it does, its place, and what stood there before and after.
pub(super) fn write_text(out: &mut impl Write, model: &Path, fix: &Fix) -> io::Result<()> {
    let safety = if fix.safety == Safety::Unsafe { ", unsafe" } else { "" };
    writeln!(out, "{GOOD}fix[{}{safety}]{GOOD:#}{STRONG}: {}{STRONG:#}", fix.code, Clean(&fix.message))?;
    let position =
        position_of(&fix.graph, fix.node.as_ref()).map(|position| format!(": {position}")).unwrap_or_default();
    writeln!(out, "{FAINT}  -->{FAINT:#} {}{}", Clean(&model.display().to_string()), Clean(&position))?;
    for (style, sign, text) in [(ERROR, '-', &fix.before), (GOOD, '+', &fix.after)] {
        if let Some(text) = text {
            writeln!(out, "   {style}{sign} {}{style:#}", Clean(text))?;
        }
    }
    writeln!(out)
}
