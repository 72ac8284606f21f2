//! In which forms Reshape takes its target, and which it refuses before it reads an entry.

use shape_core::Operator as _;
use shape_core::code::Code;
use shape_core::elements::Elements;
use shape_core::facts::{Dims, EachElement, Fact, Inputs, Outputs, UnknownCause};
use shape_core::problem::{Detail, Problem};
use shape_core::rules::reshape::MAX_ENTRIES;

use crate::{Reshape, ReshapeBy};

/// The rank of the first output, or why there is none; whose elements it has; and whether that was taken back.
#[derive(Debug, Default, PartialEq)]
struct Said(Option<Result<usize, UnknownCause>>, Option<(usize, usize)>, bool);

impl Outputs<u64> for Said {
    fn dims(&mut self, _: usize, dims: Dims<'_>) {
        self.0 = Some(dims.rank());
    }

    fn elements(&mut self, _: usize, _: Result<EachElement<'_, u64>, UnknownCause>) {
        self.2 = true;
    }

    fn elements_of(&mut self, output: usize, input: usize) {
        self.1 = Some((output, input));
    }
}

fn by_attribute(shape: Option<&[i64]>) -> Result<Said, (Code, Detail)> {
    let data = [Some(Fact { dims: Some(&[2, 3][..]), ..Fact::default() })];
    let mut said = Said::default();
    match (ReshapeBy { shape }).infer_outputs(Inputs(&data), &mut said) {
        Ok(()) => Ok(said),
        Err(problem) => Err(found(&problem)),
    }
}

fn by_input(target: Fact<'_>) -> Result<Said, (Code, Detail)> {
    let inputs = [Some(Fact { dims: Some(&[2, 3][..]), ..Fact::default() }), Some(target)];
    let mut said = Said::default();
    match (Reshape { allowzero: 0 }).infer_outputs(Inputs(&inputs), &mut said) {
        Ok(()) => Ok(said),
        Err(problem) => Err(found(&problem)),
    }
}

fn found(problem: &Problem<'_>) -> (Code, Detail) {
    let Problem::Refused { code, found, .. } = problem else { panic!("{problem}") };
    (*code, *found)
}

#[test]
fn targets_of_every_form() {
    let most = usize::try_from(MAX_ENTRIES).unwrap();
    let ones = vec![1; most + 1];
    let rank = |rank| Ok(Said(Some(Ok(rank)), Some((0, 0)), false));
    let unknown = |because| Ok(Said(Some(Err(because)), Some((0, 0)), false));

    assert_eq!(by_attribute(None), Err((Code::TargetMissing, Detail::Text("nothing"))));
    assert_eq!(by_attribute(Some(&[3, -1, 1])), rank(3));
    assert_eq!(by_attribute(Some(&ones)), Err((Code::TargetLength, Detail::Counted(MAX_ENTRIES + 1, "entries"))));
    assert_eq!(by_attribute(Some(&ones[1..])), Err((Code::ElementCount, Detail::Counted(1, "elements"))));

    let elements = Some(Elements::Ints(&[6, 1]));
    let target = |dims, elements| Fact { dims, elements, ty: None };
    assert_eq!(by_input(target(None, elements)), rank(2));
    assert_eq!(by_input(target(Some(&[2]), elements)), rank(2));
    assert_eq!(by_input(target(Some(&[1, 2]), elements)), Err((Code::TargetRank, Detail::Counted(2, "dimensions"))));
    assert_eq!(by_input(target(Some(&[]), None)), Err((Code::TargetRank, Detail::Counted(0, "dimensions"))));
    assert_eq!(by_input(target(None, None)), unknown(UnknownCause::Elements(1)));
    assert_eq!(by_input(target(Some(&[MAX_ENTRIES]), None)), rank(most));
    let too_long = Err((Code::TargetLength, Detail::Counted(MAX_ENTRIES + 1, "entries")));
    assert_eq!(by_input(target(Some(&[MAX_ENTRIES + 1]), None)), too_long);
    assert_eq!(by_input(target(None, Some(Elements::Ints(&ones)))), too_long);
    assert_eq!(by_input(target(Some(&[0]), None)), Err((Code::ElementCount, Detail::Counted(1, "elements"))));
}
