//! The strategy of proptest and what is made of the bytes of a fuzzer.

use proptest::prelude::*;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, TestError, TestRunner};
use shape_core::Registry;
use shape_core::code::Severity;
use shape_model::generate::{Case, GenerateOptions, Models};
use shape_model::{Model, Options, check};

/// What is wrong with a model.
fn errors(case: &Case) -> Vec<String> {
    let model = Model::of(&case.model).unwrap();
    let findings = check(&model, &Options::default()).unwrap();
    let errors = findings.iter().filter(|finding| finding.code.severity() == Severity::Error);
    errors.map(|finding| finding.message.clone()).collect()
}

fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    TestRunner::new_with_rng(config, proptest::test_runner::TestRng::deterministic_rng(Default::default()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_case_is_valid(case: Case) {
        prop_assert_eq!(errors(&case), Vec::<String>::new());
    }
}

#[test]
fn a_failure_shrinks_to_a_small_valid_model() {
    let nodes = |case: &Case| case.model.graph.as_ref().unwrap().node.clone();
    let options = GenerateOptions { opset: Some(21), ..GenerateOptions::default() };
    let fails = |case: &Case| nodes(case).iter().any(|node| node.op_type == "Reshape" || node.op_type == "Transpose");
    let failure = runner(64).run(&Models::graphs(&options, 10..=20), |case| {
        prop_assert!(!fails(&case));
        Ok(())
    });
    let Err(TestError::Fail(_, case)) = failure else { panic!("no such node in 64 graphs") };
    assert!(fails(&case) && errors(&case).is_empty(), "{case:?}");
    assert_eq!(nodes(&case).len(), 1, "{case:?}");
}

#[test]
fn shrinking_ends_whatever_the_answers_are() {
    let strategy = Models::nodes(&GenerateOptions::default());
    let mut runner = runner(1);
    for round in 0..30 {
        let mut tree = strategy.new_tree(&mut runner).unwrap();
        let mut last = tree.current();
        let mut more = tree.simplify();
        for step in 0.. {
            if !more {
                break;
            }
            assert!(step < 20_000, "{last:?}");
            let fails = (step + round) % 3 != 0;
            if fails {
                last = tree.current();
            }
            more = if fails { tree.simplify() } else { tree.complicate() };
        }
        // What is left is what failed last.
        assert_eq!(tree.current().model_bytes(), last.model_bytes());
    }
}

#[test]
fn the_options_are_those_of_the_generator() {
    let options = GenerateOptions {
        operators: vec![(String::new(), "Conv".to_owned(), None)],
        opset: Some(13),
        ..GenerateOptions::default()
    };
    let strategy = Models::nodes_of(Registry::builtin(), &options);
    let mut runner = runner(1);
    for _ in 0..20 {
        let case = strategy.new_tree(&mut runner).unwrap().current();
        let schema = case.schema.unwrap();
        assert_eq!((schema.name, schema.since_version, case.opset), ("Conv", 11, 13));
    }
    let none = GenerateOptions { domain: Some("nowhere".to_owned()), ..options };
    assert!(Models::nodes(&none).new_tree(&mut runner).is_err());
}

#[cfg(feature = "arbitrary")]
#[test]
fn bytes_of_a_fuzzer() {
    let case = |bytes: &[u8]| arbitrary::Unstructured::new(bytes).arbitrary::<Case>();
    for byte in 0..=40_u8 {
        let case = case(&[byte, byte.wrapping_mul(17), 1, 2, byte, 4, 5]).unwrap();
        assert!(errors(&case).is_empty(), "{case:?}");
    }
    // The first three bytes choose the version, the others the node.
    let schema = |last: u8| case(&[0, 200, 0, 1, 2, 3, last]).unwrap().schema.unwrap();
    assert!(std::ptr::eq(schema(1), schema(2)));
    assert_ne!(
        case(&[0, 200, 0, 1, 2, 3, 1]).unwrap().model_bytes(),
        case(&[0, 200, 0, 1, 2, 3, 2]).unwrap().model_bytes()
    );
}
