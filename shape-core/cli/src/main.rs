//! The program `shape`; all of it is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    shape_cli::run(std::env::args_os()).into()
}
