//! The commands for people who write descriptors, in a build without them.

use std::path::PathBuf;

use clap::Subcommand;

use super::absent::{Ignored, refusal};
use crate::options::Format;
use crate::terminal::{Done, Terminal};

/// The commands of the feature `authoring`: each is refused, with any arguments. The help does not list them.
#[derive(Debug, Subcommand)]
pub(crate) enum Authoring {
    #[command(hide = true, disable_help_flag = true)]
    Expand(Ignored),
    #[command(hide = true, disable_help_flag = true)]
    New(Ignored),
    #[command(hide = true, disable_help_flag = true)]
    NewVersion(Ignored),
    #[command(hide = true, disable_help_flag = true)]
    Specs(Ignored),
}

impl Authoring {
    /// The refusal is text.
    pub(crate) fn format(&self) -> Format {
        Format::Text
    }

    pub(crate) fn run(&self, _: &[PathBuf], terminal: &mut Terminal) -> Done {
        Ok(terminal.fail(&self.refusal()))
    }

    fn refusal(&self) -> String {
        let name = match self {
            Self::Expand(_) => "expand",
            Self::New(_) => "new",
            Self::NewVersion(_) => "new-version",
            Self::Specs(_) => "specs",
        };
        refusal(name, "authoring")
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use crate::args::{Args, Command};

    #[test]
    fn each_command_is_refused_whatever_its_arguments() {
        let cases: [(&str, &[&str]); 4] = [
            ("expand", &["Shape@14"]),
            ("new", &["--since", "20", "Gelu", "--specs", "vendor"]),
            ("new-version", &["--help"]),
            ("specs", &["lint", "--format", "json", "specs"]),
        ];
        for (name, arguments) in cases {
            let line = ["shape", name];
            let parsed = Args::try_parse_from(line.iter().chain(arguments)).unwrap();
            let Command::Authoring(command) = parsed.command else { panic!("{name}") };
            assert!(
                command.refusal().starts_with(&format!("this build of shape has no `{name}`; build onnxspec-cli with"))
            );
        }
    }
}
