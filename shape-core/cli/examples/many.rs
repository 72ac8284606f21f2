//! Runs the command once for each line of standard input, in one process.
//!
//! A test that calls the command some hundred thousand times waits mostly for the start of a process. A line is a JSON list
//! of arguments. After what the command writes there comes a line of a NUL and the exit code.
//!
//! ```sh
//! echo '["check", "model.onnx", "--format", "json"]' | cargo run --release -p onnxspec-cli --example many
//! ```

use std::io::{self, BufRead as _, Write as _};
use std::iter::once;

fn main() -> io::Result<()> {
    let mut line = String::new();
    // The command locks the streams itself while it runs.
    while io::stdin().lock().read_line(&mut line)? != 0 {
        let arguments: Vec<String> = serde_json::from_str(&line)?;
        let code = shape_cli::run(once("shape".to_owned()).chain(arguments));
        let mut out = io::stdout().lock();
        writeln!(out, "\n\0{code}")?;
        out.flush()?;
        line.clear();
    }
    Ok(())
}
