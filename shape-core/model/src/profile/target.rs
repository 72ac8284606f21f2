//! Checks of a tensor that lists sizes, such as the target of Reshape.
//!
//! An entry is a number, or computed from dimensions. Dimensions are zero or more. A file does not say whether a
//! dimension will be zero at run time, so a rule that depends on it is undetermined.

use super::arguments::Arguments;
use super::node::{agree, contradicted};
use super::outcome::{Outcome, fail, open, pass};
use super::subject::Subject;
use shape_core::dimension::{Dimension, Product};
use shape_core::elements::Scalar;
use shape_core::symbolic::{Dim, Reason};

/// Whether an entry or a dimension equals a number.
enum Is {
    Yes,
    No,
    /// It may be; this describes it.
    Maybe(String),
}

fn entries<'f>(subject: &Subject<'f, '_>, parameter: &str) -> Result<&'f [Scalar<Dim>], Outcome> {
    let value = subject.value(parameter)?;
    let unknown =
        |reason: &Reason| open(format!("the entries of `{parameter}` are unknown: {}", subject.facts.explain(reason)));
    let entries = value
        .elements
        .as_deref()
        .map_err(|reason| unknown(&value.without_elements().unwrap_or_else(|| reason.clone())))?;
    // Elements that the file does not tell, all of them: each has a symbol, but that says nothing.
    let reason = |entry: &'f Scalar<Dim>| match entry {
        Scalar::Expression(Dim::Symbol(symbol)) => subject.facts.analysis.origin(*symbol),
        _ => None,
    };
    match entries.first().and_then(reason) {
        Some(first) if entries.iter().all(|entry| reason(entry).is_some()) => Err(unknown(first)),
        _ => Ok(entries),
    }
}

fn text(subject: &Subject<'_, '_>, entry: &Scalar<Dim>) -> String {
    match entry {
        Scalar::Unknown(reason) => subject.facts.explain(reason),
        Scalar::Expression(dim) if subject.facts.unknown_dim(dim).is_some() => {
            subject.facts.unknown_dim(dim).map_or_else(String::new, |reason| subject.facts.explain(reason))
        }
        entry => format!("`{}`", entry.display(&subject.facts.analysis.symbols)),
    }
}

fn same_as(subject: &Subject<'_, '_>, entry: &Scalar<Dim>, number: i64) -> Is {
    match entry {
        Scalar::Int(value) if *value == number => Is::Yes,
        Scalar::Int(_) => Is::No,
        Scalar::Size(dim) | Scalar::Expression(dim) => {
            let lower = if matches!(entry, Scalar::Size(_)) {
                Some(dim.lower_bound().unwrap_or(0).max(0))
            } else {
                dim.lower_bound()
            };
            let upper = dim.upper_bound();
            match (lower, upper) {
                (Some(lower), Some(upper)) if lower == number && upper == number => Is::Yes,
                _ if lower.is_some_and(|lower| lower > number) || upper.is_some_and(|upper| upper < number) => Is::No,
                _ => Is::Maybe(text(subject, entry)),
            }
        }
        Scalar::Unknown(_) | Scalar::Bool(_) | Scalar::Float(_) | Scalar::Ratio(_) => Is::Maybe(text(subject, entry)),
    }
}

/// Whether a dimension is zero.
fn is_zero(subject: &Subject<'_, '_>, dims: &[Dim]) -> Is {
    if dims.iter().any(|dim| dim.known() == Some(0)) {
        return Is::Yes;
    }
    match dims.iter().find(|dim| dim.lower_bound().is_none_or(|lower| lower < 1)) {
        None => Is::No,
        Some(dim) => Is::Maybe(match subject.facts.unknown_dim(dim) {
            Some(reason) => format!("an unknown dimension: {}", subject.facts.explain(reason)),
            None => format!("`{}`", subject.facts.dim(dim)),
        }),
    }
}

/// Whether some entry equals a number.
fn some_is(subject: &Subject<'_, '_>, entries: &[Scalar<Dim>], number: i64) -> Is {
    let mut maybe = Is::No;
    for entry in entries {
        match same_as(subject, entry, number) {
            Is::Yes => return Is::Yes,
            Is::No => {}
            other => maybe = other,
        }
    }
    maybe
}

/// The outcome of a check, which may have ended early.
fn settle(outcome: Result<Outcome, Outcome>) -> Outcome {
    outcome.unwrap_or_else(|outcome| outcome)
}

/// No entry is less than a number.
pub(super) fn entries_from(subject: &Subject<'_, '_>, arguments: &Arguments) -> Outcome {
    let (parameter, number) = (arguments.value, arguments.number);
    let judge = || {
        let mut maybe = None;
        for (index, entry) in entries(subject, parameter)?.iter().enumerate() {
            let lower = match entry {
                Scalar::Int(value) if *value < number => {
                    return Ok(fail(format!("entry {index} of `{parameter}` is {value}")));
                }
                Scalar::Int(value) => Some(*value),
                Scalar::Size(_) => Some(0),
                Scalar::Expression(dim) => dim.lower_bound(),
                _ => None,
            };
            if lower.is_none_or(|lower| lower < number) {
                maybe = Some(format!("entry {index} of `{parameter}` may be below {number}: {}", text(subject, entry)));
            }
        }
        Ok(maybe.map_or_else(|| pass(format!("no entry of `{parameter}` is below {number}")), open))
    };
    settle(judge())
}

/// At most a certain number of entries equal a number.
pub(super) fn entries_at_most(subject: &Subject<'_, '_>, arguments: &Arguments) -> Outcome {
    let (parameter, number, most) = (arguments.value, arguments.number, arguments.most);
    let judge = || {
        let (mut count, mut maybe) = (0, Vec::new());
        for entry in entries(subject, parameter)? {
            match same_as(subject, entry, number) {
                Is::Yes => count += 1,
                Is::No => {}
                Is::Maybe(what) => maybe.push(what),
            }
        }
        let entries = if count == 1 { "entry is" } else { "entries are" };
        Ok(match (count, maybe.first()) {
            (count, _) if count > most as usize => fail(format!("{count} {entries} {number}")),
            (count, Some(what)) if count + maybe.len() > most as usize => {
                open(format!("{count} {entries} {number}, and another may be: {what}"))
            }
            (count, _) => pass(format!("{count} {entries} {number}")),
        })
    };
    settle(judge())
}

/// The indices of entries that equal a number are less than the rank of another tensor.
pub(super) fn below_rank(subject: &Subject<'_, '_>, arguments: &Arguments) -> Outcome {
    let (parameter, number, beside) = (arguments.value, arguments.number, arguments.beside);
    let judge = || {
        let (entries, rank) = (entries(subject, parameter)?, subject.dims(beside)?.len());
        let mut maybe = None;
        for (index, entry) in entries.iter().enumerate().skip(rank) {
            let what = format!("`{beside}` has the rank {rank}, and entry {index} of `{parameter}`");
            match same_as(subject, entry, number) {
                Is::Yes => return Ok(fail(format!("{what} is {number}"))),
                Is::No => {}
                Is::Maybe(entry) => maybe = Some(format!("{what} may be {number}: {entry}")),
            }
        }
        let why = || pass(format!("no entry of `{parameter}` from {rank} on is {number}"));
        Ok(maybe.map_or_else(why, open))
    };
    settle(judge())
}

/// If an entry equals a number, no dimension of another tensor is zero.
pub(super) fn no_zero(subject: &Subject<'_, '_>, arguments: &Arguments) -> Outcome {
    zero_beside(subject, arguments, false)
}

/// If an entry equals a number, a dimension of another tensor is zero.
pub(super) fn needs_zero(subject: &Subject<'_, '_>, arguments: &Arguments) -> Outcome {
    zero_beside(subject, arguments, true)
}

fn zero_beside(subject: &Subject<'_, '_>, arguments: &Arguments, wanted: bool) -> Outcome {
    let (parameter, number, beside) = (arguments.value, arguments.number, arguments.beside);
    let judge = || {
        let some = some_is(subject, entries(subject, parameter)?, number);
        if matches!(some, Is::No) {
            return Ok(pass(format!("no entry of `{parameter}` is {number}")));
        }
        Ok(match (some, is_zero(subject, subject.dims(beside)?)) {
            (_, Is::Yes) if wanted => pass(format!("a dimension of `{beside}` is zero")),
            (_, Is::No) if !wanted => pass(format!("no dimension of `{beside}` is zero")),
            (Is::Maybe(what), _) => open(format!("an entry may be {number}: {what}")),
            (_, Is::Yes) => fail(format!("an entry is {number}, and a dimension of `{beside}` is zero")),
            (_, Is::No) => fail(format!("an entry is {number}, and no dimension of `{beside}` is zero")),
            (_, Is::Maybe(what)) if wanted => {
                open(format!("an entry is {number}, and in `{beside}` only {what} may be zero"))
            }
            (_, Is::Maybe(what)) => {
                open(format!("an entry is {number}, and a dimension of `{beside}` may be zero: {what}"))
            }
        })
    };
    settle(judge())
}

/// Some numbers do not all occur among the entries.
pub(super) fn apart(subject: &Subject<'_, '_>, arguments: &Arguments) -> Outcome {
    let (parameter, numbers) = (arguments.value, arguments.values);
    let judge = || {
        let entries = entries(subject, parameter)?;
        let mut maybe = None;
        for number in numbers {
            match some_is(subject, entries, *number) {
                Is::Yes => {}
                Is::No => return Ok(pass(format!("no entry of `{parameter}` is {number}"))),
                Is::Maybe(what) => maybe = Some(format!("an entry may be {number}: {what}")),
            }
        }
        let all: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        Ok(maybe.map_or_else(|| fail(format!("entries of `{parameter}` are {}", all.join(" and "))), open))
    };
    settle(judge())
}

/// The dimensions that a target requests.
struct Target {
    /// The dimensions; `None` for the one that is inferred from the others.
    dims: Vec<Option<Dim>>,
    /// The dimensions of the tensor without the copied ones, and the requested sizes without them.
    data: Product<Dim>,
    sizes: Product<Dim>,
}

fn target(subject: &Subject<'_, '_>, arguments: &Arguments) -> Result<Target, Outcome> {
    let (parameter, beside) = (arguments.value, arguments.beside);
    let (entries, data) = (entries(subject, parameter)?, subject.dims(beside)?);
    let copies = match subject.int("allowzero")? {
        Some(0) | None => true,
        Some(1) => false,
        Some(other) => return Err(open(format!("the meaning of `allowzero` {other} is unknown"))),
    };
    let mut target = Target { dims: Vec::new(), data: Product::default(), sizes: Product::default() };
    let mut copied = vec![false; data.len()];
    for (index, entry) in entries.iter().enumerate() {
        let meaningless = || open(format!("entry {index} of `{parameter}` is invalid: {}", text(subject, entry)));
        let dim = match entry {
            Scalar::Int(0) if copies => {
                let dim = data.get(index).ok_or_else(meaningless)?;
                copied.get_mut(index).into_iter().for_each(|copied| *copied = true);
                target.dims.push(Some(dim.clone()));
                continue;
            }
            Scalar::Int(-1) if target.dims.contains(&None) => return Err(meaningless()),
            Scalar::Int(-1) => None,
            Scalar::Int(size) => Some(Dim::from(u64::try_from(*size).map_err(|_| meaningless())?)),
            Scalar::Size(dim) | Scalar::Expression(dim) => Some(dim.clone()),
            _ => return Err(open(format!("entry {index} of `{parameter}` is unknown: {}", text(subject, entry)))),
        };
        dim.iter().for_each(|dim| target.sizes.push(dim));
        target.dims.push(dim);
    }
    data.iter().zip(&copied).filter(|(_, copied)| !**copied).for_each(|(dim, _)| target.data.push(dim));
    if target.dims.contains(&None) && target.dims.iter().flatten().any(|dim| dim.known() == Some(0)) {
        return Err(open("the size for -1 is unknown, because another dimension is zero"));
    }
    Ok(target)
}

/// A tensor has as many elements as another one with the dimensions that its target requests.
pub(super) fn sizes_equal(subject: &Subject<'_, '_>, arguments: &Arguments) -> Outcome {
    let show = |dim: &Option<Dim>| dim.as_ref().map_or_else(|| "too many".to_owned(), |dim| subject.facts.dim(dim));
    let judge = || {
        let Target { dims, data, sizes } = target(subject, arguments)?;
        let beside = arguments.beside;
        if dims.contains(&None) {
            return Ok(match data.div_exact(&sizes) {
                None => {
                    let (data, sizes) = (show(&data.finish()), show(&sizes.finish()));
                    fail(format!("the {data} elements of `{beside}` are not divisible by {sizes}"))
                }
                Some(dim) => match subject.facts.unknown_dim(&dim) {
                    Some(reason) => open(subject.facts.explain(reason)),
                    None => pass(format!("-1 stands for {}", subject.facts.dim(&dim))),
                },
            });
        }
        // A copied dimension may be zero, so it cannot be cancelled from the products.
        let data: Product<Dim> = subject.dims(beside)?.iter().collect();
        let sizes: Product<Dim> = dims.iter().flatten().collect();
        let agree = data.may_equal(&sizes, false);
        let (data, sizes) = (data.finish(), sizes.finish());
        let both = format!("`{beside}` has {} elements, the target has {}", show(&data), show(&sizes));
        Ok(match (&data, &sizes) {
            (Some(left), Some(right)) if left.same_as(right) => pass(both),
            _ if !agree => fail(both),
            (Some(_), Some(_)) => open(both),
            _ => fail(format!("{both}; a number of elements must fit into int64")),
        })
    };
    settle(judge())
}

/// The declared output agrees with the dimensions that the target requests.
pub(super) fn as_target(subject: &Subject<'_, '_>, arguments: &Arguments) -> Outcome {
    let judge = || {
        if let Some(outcome) = contradicted(subject, arguments) {
            return Ok(outcome);
        }
        let Target { dims, data, sizes } = target(subject, arguments)?;
        let inferred = if dims.contains(&None) { data.div_exact(&sizes) } else { None };
        let dims: Option<Vec<Dim>> = dims.into_iter().map(|dim| dim.or_else(|| inferred.clone())).collect();
        let Some(dims) = dims else { return Ok(open("the size for -1 is unknown")) };
        let Some(name) = subject.node().and_then(|node| node.outputs().first()) else {
            return Ok(open("the node has no output"));
        };
        agree(subject, name, &dims)?;
        Ok(pass(format!("it gives {}", subject.facts.dims(&dims))))
    };
    settle(judge())
}
