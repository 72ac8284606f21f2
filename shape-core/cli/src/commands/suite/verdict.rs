//! The verdict on a runtime's result for a case.

use std::path::Path;

use serde::Serialize;
use shape_model::test_case::Value;

use super::results::{How, Outcome, Output, Results};
use crate::cases::{Entry, Slot, output_file};

/// The verdict on a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    /// A valid model that gave what is expected, or an invalid one that was refused.
    Passed,
    /// Another number of outputs, or one of another type.
    WrongType,
    WrongDims,
    WrongElements,
    /// A valid model that was refused.
    Refused,
    /// An invalid model that was not.
    Accepted,
    Crashed,
    Hung,
    /// The results do not have the case.
    NotRun,
}

impl Verdict {
    pub(super) fn is_wrong(self) -> bool {
        matches!(self, Self::WrongType | Self::WrongDims | Self::WrongElements)
    }
}

/// A verdict and its reason.
#[derive(Debug)]
pub(super) struct Judgement {
    pub(super) verdict: Verdict,
    pub(super) message: String,
    /// Whether elements of an output were compared.
    pub(super) compared: bool,
}

impl Judgement {
    fn new(verdict: Verdict, message: impl Into<String>) -> Self {
        Self { verdict, message: message.into(), compared: false }
    }

    /// The verdict on a case of a suite in a folder.
    pub(super) fn of(suite: &Path, case: &Entry, results: &Results) -> Self {
        let Some(outcome) = results.of(&case.name) else { return Self::new(Verdict::NotRun, "") };
        let message = &*outcome.message;
        match (outcome.outcome, case.valid) {
            (How::Crashed, _) => Self::new(Verdict::Crashed, message),
            (How::Hung, _) => Self::new(Verdict::Hung, message),
            (How::Refused, true) => Self::new(Verdict::Refused, message),
            (How::Refused, false) => Self::new(Verdict::Passed, message),
            (How::Ran, false) => Self::new(Verdict::Accepted, ""),
            (How::Ran, true) => Self::of_outputs(suite, case, outcome, results),
        }
    }

    fn of_outputs(suite: &Path, case: &Entry, outcome: &Outcome, results: &Results) -> Self {
        let (found, expected) = (outcome.outputs.len(), case.outputs.len());
        if found != expected {
            return Self::new(Verdict::WrongType, format!("it has {found} outputs, expected {expected}"));
        }
        let mut compared = false;
        for (index, (found, expected)) in outcome.outputs.iter().zip(&case.outputs).enumerate() {
            let wrong =
                |verdict, what: String| Self::new(verdict, format!("output {index} `{}` {what}", expected.name));
            if let Err((verdict, what)) = of_type(found, expected) {
                return wrong(verdict, what);
            }
            let file = results.output(&case.name, index);
            // A runtime that infers alone has no elements.
            let Some(agreement) = expected.data.as_ref().filter(|_| file.exists()) else { continue };
            let right = match Value::open(output_file(suite, &case.name, index)) {
                Ok(right) => right,
                Err(error) => return wrong(Verdict::NotRun, format!("cannot be judged: {error}")),
            };
            match Value::open(file) {
                Err(error) => return wrong(Verdict::WrongElements, format!("cannot be read: {error}")),
                Ok(value) if (value.data_type(), value.dims()) != (right.data_type(), right.dims()) => {
                    let what = format!("has a file of {value}, expected {right}");
                    return wrong(Verdict::WrongElements, what);
                }
                Ok(value) => {
                    if let Some(difference) = value.difference(&right, agreement.tolerance()) {
                        return wrong(Verdict::WrongElements, format!("is {difference}"));
                    }
                }
            }
            compared = true;
        }
        Self { compared, ..Self::new(Verdict::Passed, "") }
    }
}

/// Whether an output has the expected type, and dimensions that may be the expected ones.
pub(super) fn of_type(found: &Output, expected: &Slot) -> Result<(), (Verdict, String)> {
    if found.ty != expected.ty {
        return Err((Verdict::WrongType, format!("is {}, expected {}", found.ty, expected.ty)));
    }
    let (true, Some(dims), Some(known)) = (expected.ty.starts_with("tensor("), &found.dims, &expected.dims) else {
        return Ok(());
    };
    let may_be = |(found, known): (&Option<u64>, &Option<u64>)| found.is_none() || known.is_none() || found == known;
    if dims.len() == known.len() && dims.iter().zip(known).all(may_be) {
        return Ok(());
    }
    Err((Verdict::WrongDims, format!("has dimensions {}, expected {}", shown(dims), shown(known))))
}

/// Dimensions as text; `?` for one that is not known.
fn shown(dims: &[Option<u64>]) -> String {
    let one = |dim: &Option<u64>| dim.map_or_else(|| "?".to_owned(), |dim| dim.to_string());
    format!("[{}]", dims.iter().map(one).collect::<Vec<_>>().join(", "))
}
