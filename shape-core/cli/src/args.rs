//! The command line: the commands, and the options that all of them have.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::commands::Authoring;
use crate::commands::check::CheckArgs;
use crate::commands::completions::CompletionsArgs;
use crate::commands::convert::ConvertArgs;
use crate::commands::diff::DiffArgs;
#[cfg(all(feature = "pages", not(target_family = "wasm")))]
use crate::commands::docs::DocsArgs;
use crate::commands::explain::ExplainArgs;
use crate::commands::fold::FoldArgs;
#[cfg(feature = "generate")]
use crate::commands::generate::GenerateArgs;
use crate::commands::infer::InferArgs;
use crate::commands::info::InfoArgs;
use crate::commands::man::ManArgs;
use crate::commands::ops::OpsArgs;
use crate::commands::profile::ProfileArgs;
use crate::commands::show::ShowArgs;
use crate::commands::simplify::SimplifyArgs;
#[cfg(feature = "generate")]
use crate::commands::suite::SuiteArgs;
use crate::commands::test::TestArgs;
#[cfg(all(feature = "pages", not(target_family = "wasm")))]
use crate::commands::view::ViewArgs;
use crate::input::is_stream;
use crate::options::{Format, exit_codes};
use crate::terminal::Narration;

/// Check ONNX models against the exact operator versions that they import, and infer their shapes.
#[derive(Debug, Parser)]
#[command(name = "shape", version, arg_required_else_help = true, after_help = concat!(
    "Examples:\n",
    "  shape check model.onnx\n",
    "  shape infer model.onnx --set batch=4\n",
    "  shape show Shape@14",
    exit_codes!(),
))]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours: auto, always or never; auto respects `NO_COLOR`
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub(crate) color: clap::ColorChoice,

    /// Write errors to standard error, and nothing else; overrides --verbose
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,

    /// Also tell what is read, and how long each step takes
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,

    /// Add the operators of these descriptors: a YAML file, or a folder of them; may be repeated
    ///
    /// Nodes of these operators are checked like all others. Their shapes are inferred if the descriptor uses rules
    /// that this program has; the outputs of a rule that is written in another crate are unknown. Use `shape specs
    /// lint` to check the descriptors.
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) specs: Vec<PathBuf>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Box<CheckArgs>),
    Infer(InferArgs),
    Info(InfoArgs),
    #[cfg(all(feature = "pages", not(target_family = "wasm")))]
    View(ViewArgs),
    Simplify(SimplifyArgs),
    Fold(FoldArgs),
    Convert(ConvertArgs),
    Test(TestArgs),
    #[cfg(feature = "generate")]
    Generate(GenerateArgs),
    #[cfg(feature = "generate")]
    Suite(SuiteArgs),
    Show(ShowArgs),
    Diff(DiffArgs),
    Ops(OpsArgs),
    Explain(ExplainArgs),
    #[cfg(all(feature = "pages", not(target_family = "wasm")))]
    Docs(DocsArgs),
    Profile(ProfileArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
    #[command(flatten)]
    Authoring(Authoring),
}

impl Args {
    /// How much is told on standard error.
    pub(crate) fn narration(&self) -> Narration {
        match (self.quiet, self.verbose) {
            (true, _) => Narration::Quiet,
            (false, false) => Narration::Usual,
            (false, true) => Narration::Verbose,
        }
    }
}

impl Command {
    /// Whether standard output is for a file, and what there is to read goes to standard error.
    pub(crate) fn writes_to_stdout(&self) -> bool {
        let output = match self {
            Self::Check(args) => args.report.as_deref().or(args.fix.output.as_deref()),
            Self::Infer(args) => args.output.as_deref().filter(|output| is_stream(output)).or(args.html()),
            Self::Simplify(args) => args.output.as_deref(),
            Self::Fold(args) => Some(&*args.output),
            Self::Convert(args) => Some(&*args.output),
            _ => None,
        };
        output.is_some_and(is_stream)
    }

    /// Whether standard output is for people or for programs; only text for people has colours.
    pub(crate) fn format(&self) -> Format {
        match self {
            Self::Check(args) => args.format.kind(),
            Self::Infer(args) => args.format,
            Self::Info(args) => args.format,
            Self::Simplify(args) => args.format,
            Self::Fold(args) => args.format,
            Self::Convert(args) => args.format,
            Self::Test(args) => args.format,
            #[cfg(feature = "generate")]
            Self::Generate(args) => args.format,
            #[cfg(feature = "generate")]
            Self::Suite(args) => args.format(),
            Self::Show(args) => args.format,
            Self::Diff(args) => args.format,
            Self::Ops(args) => args.format,
            Self::Explain(args) => args.format,
            #[cfg(all(feature = "pages", not(target_family = "wasm")))]
            Self::Docs(args) => args.format,
            #[cfg(all(feature = "pages", not(target_family = "wasm")))]
            Self::View(_) => Format::Text,
            // Markdown, CSV, scripts and pages are data: text in them that looks like a colour must stay.
            Self::Profile(_) | Self::Completions(_) | Self::Man(_) => Format::Json,
            Self::Authoring(command) => command.format(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        use clap::CommandFactory as _;
        Args::command().debug_assert();
    }
}
