//! The commands for people who write descriptors.

use std::path::PathBuf;

use clap::Subcommand;

#[cfg(not(feature = "expand"))]
use super::absent::{Ignored as ExpandArgs, refusal};
#[cfg(feature = "expand")]
use super::expand::{self, ExpandArgs};
use super::new::{self, NewArgs};
use super::new_version::{self, NewVersionArgs};
use super::specs::{self, SpecsArgs};
use crate::options::Format;
use crate::terminal::{Done, Terminal};

/// The commands of the feature `authoring`.
#[derive(Debug, Subcommand)]
pub(crate) enum Authoring {
    #[cfg_attr(not(feature = "expand"), command(hide = true, disable_help_flag = true))]
    Expand(ExpandArgs),
    New(NewArgs),
    NewVersion(NewVersionArgs),
    Specs(SpecsArgs),
}

impl Authoring {
    /// Whether standard output is for people or for programs.
    pub(crate) fn format(&self) -> Format {
        match self {
            Self::Expand(_) | Self::New(_) | Self::NewVersion(_) => Format::Text,
            Self::Specs(args) => args.format(),
        }
    }

    pub(crate) fn run(&self, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
        match self {
            #[cfg(feature = "expand")]
            Self::Expand(args) => expand::run(args, specs, terminal),
            #[cfg(not(feature = "expand"))]
            Self::Expand(_) => Ok(terminal.fail(&refusal("expand", "expand"))),
            Self::New(args) => new::run(args, specs, terminal),
            Self::NewVersion(args) => new_version::run(args, specs, terminal),
            Self::Specs(args) => specs::run(args, specs, terminal),
        }
    }
}
