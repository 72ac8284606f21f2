//! Whole models from bytes in memory, by processor time: what `tests/verification/peers/whole.py` holds against other
//! readers. It reads lines such as `infer 20 model.onnx` and answers each with the nanoseconds of one call, the mean of so
//! many; so the other side can have its turn in between, and neither pays for a start.
//!
//! | line | what is timed |
//! |---|---|
//! | `open CALLS MODEL` | the bytes are read as a model, and it is dropped |
//! | `infer CALLS MODEL` | read, analysed and dropped |
//! | `analyse CALLS MODEL` | the analysis alone, of a model that is read |
//! | `check CALLS MODEL` | read, checked and dropped |
//! | `peak 1 MODEL` | nothing: the answer is the kilobytes that this process has needed at most once it is analysed |
//!
//! With the argument `untimed` each answer is 0, and the clock is not read: valgrind, which counts the instructions, has no
//! such clock.

mod measure;

use std::env;
use std::fs;
use std::hint::black_box;
use std::io::{self, BufRead as _, Write as _};

use measure::{Failure, peak};
use rustix::time::{ClockId, clock_gettime};
use shape_model::file::{Bytes, ModelFile};
use shape_model::{Options, analyse, check};

/// The processor time of this process so far, in nanoseconds.
fn now() -> i128 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    i128::from(time.tv_sec) * 1_000_000_000 + i128::from(time.tv_nsec)
}

fn infer(file: &ModelFile) -> Result<(), Failure> {
    black_box(analyse(file.model(), &Options::of(file))?);
    Ok(())
}

fn answer(line: &str, now: fn() -> i128) -> Result<i128, Failure> {
    let mut parts = line.splitn(3, ' ');
    let mut part = || parts.next().ok_or("a line is WORK CALLS MODEL");
    let (work, calls, path) = (part()?, part()?.parse::<u32>()?, part()?);
    let bytes = Bytes::from(fs::read(path)?);
    let open = || ModelFile::from_bytes(black_box(bytes.clone()));
    let read = open()?;
    let call: &dyn Fn() -> Result<(), Failure> = match work {
        "open" => &|| {
            black_box(open()?);
            Ok(())
        },
        "infer" => &|| infer(&open()?),
        "analyse" => &|| infer(&read),
        "check" => &|| {
            let file = open()?;
            black_box(check(file.model(), &Options::of(&file))?);
            Ok(())
        },
        "peak" => {
            infer(&read)?;
            return Ok(peak()?.into());
        }
        _ => return Err(format!("there is no work `{work}`").into()),
    };
    let start = now();
    (0..calls).try_for_each(|_| call())?;
    Ok((now() - start) / i128::from(calls))
}

fn main() -> Result<(), Failure> {
    let now = if env::args().any(|argument| argument == "untimed") { || 0 } else { now };
    for line in io::stdin().lock().lines() {
        println!("{}", answer(&line?, now)?);
        io::stdout().flush()?;
    }
    Ok(())
}
