//! Values of options that several commands have in common.

use clap::ValueEnum;

/// The exit codes, at the end of each help page.
macro_rules! exit_codes {
    () => {
        "\n\nExit code: 0 if nothing is wrong, 1 if there is an error, 2 if the command line is wrong or a file \
         cannot be read or written."
    };
}
pub(crate) use exit_codes;

/// The output formats of most commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text to read
    Text,
    /// One JSON object
    Json,
}

/// The profiles of this build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileName {
    /// The profile of the ONNX working group for safety-related systems
    Sonnx,
}

impl ProfileName {
    /// The name as it is written.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sonnx => "sonnx",
        }
    }
}

/// Parses an opset, or says why the text is none.
pub(crate) fn opset(text: &str) -> Result<u32, String> {
    let number = text.parse::<u32>().ok().filter(|opset| *opset > 0);
    number.ok_or_else(|| format!("`{text}` is not an opset; an opset is a whole number, 1 or greater"))
}
