//! What the programs of `tests/verification/peers/run` measure with.

#![allow(dead_code, reason = "no program needs all of it")]

use std::time::{Duration, Instant};

pub(crate) type Failure = Box<dyn std::error::Error>;

/// A round is as many calls as take about this long, so that the clock's own cost is lost in it.
const ROUND_NS: f64 = 2e6;
/// Once so much has passed, no more rounds are begun than are needed for a median.
const ENOUGH: Duration = Duration::from_millis(200);
const FEWEST_ROUNDS: usize = 3;

/// The median, over at most so many rounds, of the nanoseconds that a call takes.
pub(crate) fn median(rounds: usize, mut call: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    let mut round = |calls: u32| -> Result<f64, Failure> {
        let start = Instant::now();
        for _ in 0..calls {
            call()?;
        }
        Ok(start.elapsed().as_secs_f64() * 1e9 / f64::from(calls))
    };
    let mut calls = 1_u32;
    while round(calls)? * f64::from(calls) < ROUND_NS {
        calls *= 2;
    }
    let start = Instant::now();
    let mut times = Vec::with_capacity(rounds);
    while times.len() < FEWEST_ROUNDS.min(rounds) || (times.len() < rounds && start.elapsed() < ENOUGH) {
        times.push(round(calls)?);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

/// The most memory that the process has taken, in kilobytes.
pub(crate) fn peak() -> Result<u64, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("the kernel tells no VmHWM")?;
    Ok(most.trim().trim_end_matches(" kB").parse()?)
}
