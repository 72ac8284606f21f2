//! The process that runs cases, and the one that watches it.

use std::io::{BufRead, BufReader, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{env, fs, thread};

use serde::{Deserialize, Serialize};

use crate::{Case, Data, Refusal};

/// The argument that makes the program the process that runs cases.
const WORKER: &str = "--worker";
/// What a line begins with that holds a result, since runtimes write to the output too.
const MARK: &str = "\u{1}result ";
const LIMIT: Duration = Duration::from_secs(20);

static PANIC: Mutex<String> = Mutex::new(String::new());

/// A runtime for ONNX models.
pub trait Runtime {
    /// The name of its package, by which its version is found in the lock file.
    const PACKAGE: &'static str;
    /// Its name in the results.
    const NAME: &'static str;

    /// Runs the model of a case; the outputs are in the order of the manifest.
    fn run(case: &Case) -> Result<Vec<Data>, Refusal>;
}

#[derive(Serialize, Deserialize)]
struct Output {
    name: String,
    #[serde(rename = "type")]
    type_name: String,
    dims: Vec<Option<usize>>,
}

#[derive(Serialize, Deserialize)]
struct Answer {
    case: String,
    outcome: String,
    message: String,
    outputs: Vec<Output>,
}

#[derive(Serialize)]
struct Named {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Results {
    schema_version: u32,
    runtime: Named,
    results: Vec<Answer>,
}

/// The program of a runner: `CASES OUT`.
pub fn main<R: Runtime>() -> Result<(), Refusal> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.as_slice() {
        [flag, cases, out] if flag == WORKER => work::<R>(Path::new(cases), Path::new(out)),
        [cases, out] => watch::<R>(Path::new(cases), Path::new(out)),
        _ => Err("two arguments are needed: the folder of the cases and a folder for the results".into()),
    }
}

/// Runs the cases that lines of the input name by their place.
fn work<R: Runtime>(cases: &Path, out: &Path) -> Result<(), Refusal> {
    panic::set_hook(Box::new(|info| {
        let mut kept = PANIC.lock().unwrap_or_else(PoisonError::into_inner);
        // A thread of a pool that panics is followed by the one that waited for it, which says less.
        if kept.is_empty() {
            *kept = info.to_string().replace('\n', " ");
        }
    }));
    let cases = Case::all(cases)?;
    for line in std::io::stdin().lines() {
        let Some(case) = cases.get(line?.parse::<usize>()?) else { break };
        PANIC.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let answer = answer(case, out, panic::catch_unwind(AssertUnwindSafe(|| R::run(case))))?;
        let mut stdout = std::io::stdout().lock();
        writeln!(stdout, "\n{MARK}{}", serde_json::to_string(&answer)?)?;
        stdout.flush()?;
    }
    Ok(())
}

/// What a run gave, with its outputs written to files.
fn answer(case: &Case, out: &Path, run: thread::Result<Result<Vec<Data>, Refusal>>) -> Result<Answer, Refusal> {
    let data = match run {
        Ok(Ok(data)) => data,
        Ok(Err(refusal)) => return Ok(Answer::without_outputs(case, "refused", chain(refusal.as_ref()))),
        Err(_) => {
            let message = PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone();
            return Ok(Answer::without_outputs(case, "crashed", message));
        }
    };
    let folder = out.join(&case.name);
    fs::create_dir_all(&folder)?;
    let mut outputs = Vec::new();
    for (at, tensor) in data.iter().enumerate() {
        let name = case.outputs.get(at).map_or_else(String::new, |output| output.name.clone());
        let dims = match &tensor.inferred {
            Some(inferred) => inferred.clone(),
            None => {
                fs::write(folder.join(format!("output_{at}.pb")), tensor.encode(&name))?;
                tensor.dims.iter().copied().map(Some).collect()
            }
        };
        outputs.push(Output { name, type_name: tensor.type_name(), dims });
    }
    Ok(Answer { outputs, ..Answer::without_outputs(case, "ran", String::new()) })
}

impl Answer {
    fn without_outputs(case: &Case, outcome: &str, message: String) -> Self {
        Self { case: case.name.clone(), outcome: outcome.to_owned(), message, outputs: Vec::new() }
    }
}

/// The message of an error and of those that caused it.
fn chain(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let more = inner.to_string();
        if !message.contains(&more) {
            message = format!("{message}: {more}");
        }
        cause = inner.source();
    }
    message
}

/// A process that runs cases, and the lines that it writes.
struct Worker {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Worker {
    fn start(cases: &Path, out: &Path) -> Result<Self, Refusal> {
        let log = fs::File::options().create(true).append(true).open(out.join("stderr.log"))?;
        let mut child = Command::new(env::current_exe()?)
            .args([Path::new(WORKER), cases, out])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else { return Err("the process has no pipes".into()) };
        let (send, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).into_owned();
                if let Some(result) = line.strip_prefix(MARK)
                    && send.send(result.to_owned()).is_err()
                {
                    break;
                }
            }
        });
        Ok(Self { child, input, lines })
    }

    /// Runs one case; without an answer the process is at its end.
    fn ask(&mut self, at: usize) -> Result<String, &'static str> {
        if writeln!(self.input, "{at}").and_then(|()| self.input.flush()).is_err() {
            return Err("crashed");
        }
        self.lines.recv_timeout(LIMIT).map_err(|error| match error {
            RecvTimeoutError::Timeout => "hung",
            RecvTimeoutError::Disconnected => "crashed",
        })
    }

    /// Ends the process, and says how it ended.
    fn end(mut self, outcome: &str) -> Result<String, Refusal> {
        if outcome == "hung" {
            self.child.kill()?;
        }
        let status = self.child.wait()?;
        Ok(if outcome == "hung" { format!("no answer in {} s", LIMIT.as_secs()) } else { status.to_string() })
    }
}

/// Has every case run, in processes that are started when the one before died.
fn watch<R: Runtime>(cases: &Path, out: &Path) -> Result<(), Refusal> {
    fs::create_dir_all(out)?;
    let (folder, out): (PathBuf, PathBuf) = (cases.canonicalize()?, out.canonicalize()?);
    let mut worker = None;
    let mut results = Vec::new();
    for (at, case) in Case::all(&folder)?.iter().enumerate() {
        let mut current = match worker.take() {
            Some(worker) => worker,
            None => Worker::start(&folder, &out)?,
        };
        match current.ask(at) {
            Ok(line) => {
                results.push(serde_json::from_str(&line)?);
                worker = Some(current);
            }
            Err(outcome) => results.push(Answer::without_outputs(case, outcome, current.end(outcome)?)),
        }
    }
    let runtime = Named { name: R::NAME, version: version(R::PACKAGE) };
    let results = Results { schema_version: 1, runtime, results };
    fs::write(out.join("results.json"), serde_json::to_vec(&results)?)?;
    Ok(())
}

/// The version of a package by the lock file.
fn version(package: &str) -> &'static str {
    let mut lines = include_str!("../Cargo.lock").lines();
    lines.find(|line| *line == format!("name = \"{package}\""));
    lines.next().and_then(|line| line.split('"').nth(1)).unwrap_or("unknown")
}
