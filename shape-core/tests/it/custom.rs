//! An operator of one's own whose dimensions are listed in every way there is: what they are, how they are shown, and
//! what they read.

mod acme {
    shape_core::operators!("tests/custom/Arrange.yaml");
}

pub(crate) mod rules {
    use shape_core::dimension::Dimension;
    use shape_core::facts::Input;
    use shape_core::rule::{Done, Output};

    /// A number that stands in the call, the first axis of each input, and the last one of the first.
    pub(crate) fn picked<D: Dimension>(
        number: i64,
        x: Input<'_, D>,
        z: Input<'_, D>,
        output: &mut Output<'_, D>,
    ) -> Done {
        output.each_dim(&[Ok(D::from(number.unsigned_abs())), x.dim(0), z.dim(0), x.dim(1)]);
        Ok(())
    }
}

use shape_core::Operator as _;
use shape_core::rule::{DimsRule, display_terms};

use acme::arrange::Arrange1 as Arrange;

#[test]
fn terms_are_shown_as_they_were_written() {
    let terms = |rule: usize| match Arrange::SCHEMA.rules[rule].dims {
        Some(DimsRule::Terms(terms)) => {
            display_terms(terms, Arrange::SCHEMA.attributes, Arrange::SCHEMA.inputs).to_string()
        }
        _ => String::new(),
    };
    assert_eq!(terms(0), "[count, ...X, k]");
    assert_eq!(terms(1), "[...X[1:], X[0], ...sizes[:-1], ...sizes[1:2]]");
    let counted = "[len(scales, sizes), 2*(X[0] + 1) - 1, max(X[-1], count), min(rank(X), size(X)//2 % 5), sizes[2]]";
    assert_eq!(terms(2), counted);
}

#[test]
fn what_a_rule_reads_and_gives() {
    let reads = |rule: usize| {
        let mut inputs = Vec::new();
        Arrange::SCHEMA.rules[rule].each_input(&mut |input| inputs.push(input));
        inputs
    };
    assert_eq!([reads(0), reads(1), reads(2)], [vec![0, 2], vec![0, 0], vec![0, 0, 0, 0]]);
    assert_eq!([reads(3), reads(4)], [vec![1, 0], vec![0, 1]]);
    assert!(Arrange::SCHEMA.rules.iter().all(|rule| !rule.gives_elements()));
    for (name, gives) in [("Shape", true), ("Add", true), ("Conv", false)] {
        let schema = shape_core::Registry::builtin().resolve("", name, 21).unwrap();
        assert_eq!(schema.rules[0].gives_elements(), gives, "{name}");
    }
}
