//! Shape and Reshape's target against the specification that is proved, `specs/profiles/sonnx/*.mlw`, case by case: its
//! definitions are transcribed here by their names, on integers that no case overflows.

use shape_core::Operator;
use shape_core::code::Code;
use shape_core::dimension::LARGEST;
use shape_core::elements::{Elements, Scalar};
use shape_core::facts::{Dims, EachElement, Fact, Inputs, Outputs, UnknownCause};
use shape_core::problem::{Detail, Problem};
use shape_core::rules::shape::dims_between;

use crate::{Reshape, Shape};

/// What a rule says of the first output.
#[derive(Debug, Default, PartialEq)]
struct Said {
    dims: Option<Vec<Result<u64, UnknownCause>>>,
    sizes: Option<Vec<u64>>,
    /// Why no element is known.
    unknown: Option<UnknownCause>,
}

impl Outputs<u64> for Said {
    fn dims(&mut self, _: usize, dims: Dims<'_>) {
        self.dims = dims.rank().ok().map(|rank| (0..rank).map(|axis| dims.dim(axis)).collect());
    }

    fn elements(&mut self, _: usize, elements: Result<EachElement<'_, u64>, UnknownCause>) {
        let size =
            |element: Scalar<u64>| if let Scalar::Int(size) = element { size.try_into().unwrap() } else { panic!() };
        self.unknown = elements.as_ref().err().copied();
        self.sizes = elements.ok().map(|(count, each)| (0..count).map(|index| size(each(index))).collect());
    }

    fn elements_of(&mut self, _: usize, _: usize) {}
}

fn fact<'a>(dims: Option<&'a [u64]>, elements: Option<&'a [i64]>) -> Option<Fact<'a>> {
    Some(Fact { ty: None, dims, elements: elements.map(Elements::Ints) })
}

/// Every list of at most `longest` of the values.
fn lists<T: Copy>(values: &[T], longest: usize) -> Vec<Vec<T>> {
    let mut all = vec![vec![]];
    let mut from = 0;
    for _ in 0..longest {
        let to = all.len();
        for index in from..to {
            let longer = values.iter().map(|value| all[index].iter().copied().chain([*value]).collect());
            let longer = longer.collect::<Vec<Vec<T>>>();
            all.extend(longer);
        }
        from = to;
    }
    all
}

mod shape_spec {
    pub(super) fn clamp(axis: i128, rank: i128) -> i128 {
        0.max(rank.min(if axis < 0 { axis + rank } else { axis }))
    }

    pub(super) fn shape(dims: &[u64], start: i128, stop: Option<i128>) -> Vec<u64> {
        let rank = dims.len() as i128;
        let first = clamp(start, rank);
        let past = stop.map_or(rank, |axis| clamp(axis, rank));
        (first..past).map(|axis| dims[usize::try_from(axis).unwrap()]).collect()
    }
}

#[test]
fn every_shape() {
    let numbers = || (-20..=20).chain([i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX]);
    let mut cases = 0;
    for rank in 0..=6 {
        let dims = [2, 3, 5, 7, 11, 13][..rank].to_vec();
        let known = [fact(Some(&dims), None)];
        for start in numbers() {
            for end in numbers().map(Some).chain([None]) {
                let expected = shape_spec::shape(&dims, start.into(), end.map(i128::from));
                assert_eq!(dims_between(&dims, start, end), expected, "{dims:?}[{start}..{end:?}]");

                let mut said = Said::default();
                Shape { start, end }.infer_outputs(Inputs(&known), &mut said).unwrap();
                let length = Some(vec![Ok(expected.len() as u64)]);
                assert_eq!(
                    said,
                    Said { dims: length, sizes: Some(expected), unknown: None },
                    "{dims:?}[{start}..{end:?}]"
                );
                cases += 1;
            }
        }
        // A node that gives neither: the defaults are the version's.
        let mut said = Said::default();
        Shape::SCHEMA.infer(&[], Inputs(&known), &mut said).unwrap();
        assert_eq!(said, Said { dims: Some(vec![Ok(rank as u64)]), sizes: Some(dims.clone()), unknown: None });
    }
    assert_eq!(cases, 7 * 45 * 46);
    println!("Shape: {cases} cases");

    let mut said = Said::default();
    Shape { start: 0, end: None }.infer_outputs(Inputs(&[fact(None, None)]), &mut said).unwrap();
    let because = UnknownCause::Dims(0);
    assert_eq!(said, Said { dims: Some(vec![Err(because)]), sizes: None, unknown: Some(because) });
}

type Refusal = (Code, Option<(usize, i64)>);

fn refusal(problem: &Problem<'_>) -> Refusal {
    match problem {
        Problem::Refused { found: Detail::Entry { index, value }, .. } => (problem.code(), Some((*index, *value))),
        _ => (problem.code(), None),
    }
}

mod reshape_spec {
    use super::*;

    /// The product; past `i128` it stays at its largest, which is past `LARGEST` as well.
    pub(super) fn product(numbers: impl Iterator<Item = i128> + Clone) -> i128 {
        if numbers.clone().any(|number| number == 0) { 0 } else { numbers.fold(1, i128::saturating_mul) }
    }

    fn nothing(target: &[i64], i: usize) -> bool {
        target[i] < -1
    }

    fn second(target: &[i64], i: usize) -> bool {
        target[i] == -1 && (0..i).any(|j| target[j] == -1)
    }

    fn beyond(rank: usize, copies: bool, target: &[i64], i: usize) -> bool {
        target[i] == 0 && copies && i >= rank
    }

    fn first_wrong(rank: usize, copies: bool, target: &[i64]) -> Option<usize> {
        (0..target.len()).find(|i| nothing(target, *i) || second(target, *i) || beyond(rank, copies, target, *i))
    }

    fn given(data: &[u64], copies: bool, target: &[i64], i: usize) -> i128 {
        match target[i] {
            -1 => 1,
            0 if copies => data[i].into(),
            size => size.into(),
        }
    }

    /// The dimensions of the output, or why there are none: the code and, where it is an entry's, its place and value.
    pub(super) fn answer(data: &[u64], copies: bool, target: &[i64]) -> Result<Vec<u64>, Refusal> {
        let largest = i128::from(LARGEST);
        if let Some(i) = first_wrong(data.len(), copies, target) {
            return Err((Code::TargetEntry, Some((i, target[i]))));
        }
        let inferring = target.contains(&-1);
        let elements = product(data.iter().map(|dim| i128::from(*dim)));
        let rest = product((0..target.len()).map(|i| given(data, copies, target, i)));
        if inferring && rest == 0 {
            let first_zero = (0..target.len()).find(|i| given(data, copies, target, *i) == 0);
            return Err((Code::TargetZero, first_zero.map(|i| (i, 0))));
        }
        if elements > largest || rest > largest {
            return Err((Code::ElementOverflow, None));
        }
        if if inferring { elements % rest != 0 } else { elements != rest } {
            return Err((Code::ElementCount, None));
        }
        let output = |i: usize| if target[i] == -1 { elements / rest } else { given(data, copies, target, i) };
        Ok((0..target.len()).map(|i| u64::try_from(output(i)).unwrap()).collect())
    }
}

/// Holds the rule against the specification for each of the dimensions and each of the targets, and counts what comes
/// of them: answers, and refusals of each kind.
fn reshape(dims: &[Vec<u64>], targets: &[Vec<i64>]) -> [usize; 5] {
    let mut counts = [0; 5];
    for (data, target) in dims.iter().flat_map(|data| targets.iter().map(move |target| (data, target))) {
        let len = [target.len() as u64];
        let inputs = [fact(Some(data), None), fact(Some(&len), Some(target))];
        for allowzero in [0, 1] {
            let mut said = Said::default();
            let reshape = Reshape { allowzero };
            let outcome = reshape.infer_outputs(Inputs(&inputs), &mut said);
            let found = outcome.map(|()| said.dims).map_err(|problem| refusal(&problem));
            let expected = reshape_spec::answer(data, allowzero == 0, target);
            counts[match &expected {
                Ok(_) => 0,
                Err((Code::TargetEntry, _)) => 1,
                Err((Code::TargetZero, _)) => 2,
                Err((Code::ElementOverflow, _)) => 3,
                Err(_) => 4,
            }] += 1;
            let expected = expected.map(|dims| Some(dims.into_iter().map(Ok).collect()));
            assert_eq!(found, expected, "{data:?} to {target:?}, allowzero={allowzero}");
        }
    }
    let [answers, entry, zero, overflow, count] = counts;
    println!(
        "Reshape: {} cases: {answers} answers, {entry} entries, {zero} zeroes, {overflow} overflows and {count} counts refused",
        counts.iter().sum::<usize>()
    );
    counts
}

#[test]
fn every_small_target() {
    let mut dims = lists(&[0, 1, 2, 3, 4], 2);
    dims.extend(lists(&[0, 2, 3], 3).into_iter().filter(|dims| dims.len() == 3));
    let targets = lists(&[-3, -2, -1, 0, 1, 2, 3, 4], 4);
    let counts = reshape(&dims, &targets);
    assert_eq!(counts.iter().sum::<usize>(), 58 * 4_681 * 2);
    assert!(counts[..3].iter().chain(&counts[4..]).all(|count| *count > 1_000), "{counts:?}");
}

#[test]
fn every_large_target() {
    let dims = lists(&[0, 1, 2, 1 << 32, LARGEST, LARGEST + 1, u64::MAX], 3);
    let targets = lists(&[i64::MIN, -1, 0, 1, 2, 1 << 32, i64::MAX], 3);
    let counts = reshape(&dims, &targets);
    assert_eq!(counts.iter().sum::<usize>(), 400 * 400 * 2);
    assert!(counts.iter().all(|count| *count > 1_000), "{counts:?}");
}

/// A target whose entries are not known has its length at most, and a tensor whose dimensions are not has no rank.
#[test]
fn what_is_not_known() {
    let targets = lists(&[-2, -1, 0, 1, 2], 3);
    for target in &targets {
        let len = [target.len() as u64];
        for allowzero in [0, 1] {
            let mut said = Said::default();
            let inputs = [fact(None, None), fact(Some(&len), Some(target))];
            let reshape = Reshape { allowzero };
            let outcome = reshape.infer_outputs(Inputs(&inputs), &mut said);
            // A 1 for each entry stands in for the dimensions; their number is no refusal then.
            let ones = vec![1; target.len()];
            match reshape_spec::answer(&ones, allowzero == 0, target) {
                Err(expected) if expected.0 != Code::ElementCount => {
                    assert_eq!(refusal(&outcome.unwrap_err()), expected, "{target:?}");
                }
                _ => {
                    outcome.unwrap();
                    let expected = target.iter().map(|entry| match entry {
                        0 if allowzero == 1 => Ok(0),
                        1.. => Ok(entry.unsigned_abs()),
                        _ => Err(UnknownCause::Dims(0)),
                    });
                    assert_eq!(said.dims, Some(expected.collect()), "{target:?}, allowzero={allowzero}");
                }
            }
        }
        let mut said = Said::default();
        let inputs = [fact(Some(&[2, 3]), None), fact(Some(&len), None)];
        Reshape { allowzero: 0 }.infer_outputs(Inputs(&inputs), &mut said).unwrap_or_else(|problem| {
            // Empty it is known, and six elements are none of it.
            assert_eq!((problem.code(), target.len()), (Code::ElementCount, 0));
        });
        if !target.is_empty() {
            assert_eq!(said.dims, Some(vec![Err(UnknownCause::Elements(1)); target.len()]));
        }
    }
    let mut said = Said { dims: Some(vec![]), ..Said::default() };
    Reshape { allowzero: 0 }.infer_outputs(Inputs(&[fact(Some(&[2, 3]), None), fact(None, None)]), &mut said).unwrap();
    assert_eq!(said.dims, None);
}
