//! Generated models are what they are said to be: valid, or wrong in one way; and the same for the same seed.

use shape_core::Registry;
use shape_core::code::{Code, Severity};
use shape_model::generate::{Case, GenerateOptions, Generator, Goal, Obstacle, graph, obstacle};
use shape_model::{ModelFile, Options, check};

/// The codes of the errors of a model.
fn errors(case: &Case) -> Option<Vec<(Code, String)>> {
    let file = ModelFile::from_bytes(case.model_bytes()).ok()?;
    let findings = check(file.model(), &Options::of(&file)).ok()?;
    let errors = findings.iter().filter(|finding| finding.code.severity() == Severity::Error);
    Some(errors.map(|finding| (finding.code, finding.message.to_string())).collect())
}

fn options() -> GenerateOptions {
    GenerateOptions { domain: Some("ai.onnx".to_owned()), ..GenerateOptions::default() }
}

#[test]
fn each_version_has_a_valid_model() {
    let registry = Registry::builtin();
    let mut generator = Generator::new(registry, &options());
    let versions = generator.coverage().len();
    let cases: Vec<Case> = generator.by_ref().take(versions).collect();
    for case in &cases {
        assert_eq!(errors(case), Some(Vec::new()), "{}", case.name);
    }
    let without: Vec<&str> = generator.coverage().iter().filter(|of| of.nodes == 0).map(|of| of.schema.name).collect();
    assert!(without.is_empty(), "no valid node was found of {without:?}");
}

#[test]
fn no_descriptor_contradicts_itself() {
    let registry = Registry::builtin();
    let mut unsupported = Vec::new();
    for schema in registry.operators().flatten().filter(|schema| !schema.deprecated) {
        match obstacle(registry, schema) {
            None => {}
            Some(Obstacle::Unsupported(what)) => unsupported.push((schema.domain, schema.name, what)),
            Some(Obstacle::Contradiction(parts)) => panic!("{} of {}: {parts:?}", schema.name, schema.domain),
        }
    }
    // What is not generated: maps, sparse tensors, graphs of which a descriptor does not say what they are for, and tensors
    // that must be larger than those that are drawn.
    let known = [
        ("ai.onnx.ml", "CastMap", "X"),
        ("ai.onnx.ml", "DictVectorizer", "X"),
        ("com.microsoft", "BeamSearch", "decoder"),
        ("com.microsoft", "GreedySearch", "decoder"),
        ("com.microsoft", "Mamba2Verify", "ssm_state[1] == heads and ssm_state[2] == 128 and ssm_state[3] == 64"),
        ("com.microsoft", "Sampling", "decoder"),
        ("com.microsoft", "SparseToDenseMatMul", "A"),
        ("com.microsoft", "WhisperBeamSearch", "decoder"),
    ];
    let here = |of: &&(&str, &str, &str)| !registry.operator(of.0, of.1).is_empty();
    assert_eq!(unsupported, known.iter().filter(here).copied().collect::<Vec<_>>());
}

#[test]
fn the_same_seed_gives_the_same_models_alone_or_among_others() {
    let registry = Registry::builtin();
    let one = GenerateOptions { operators: vec![(String::new(), "Conv".to_owned(), Some(11))], ..options() };
    let all = GenerateOptions { operators: vec![(String::new(), "Conv".to_owned(), None)], ..options() };
    let alone: Vec<_> = Generator::new(registry, &one).take(5).map(|case| case.model_bytes()).collect();
    let among: Vec<_> = Generator::new(registry, &all)
        .take(30)
        .filter(|case| case.schema.is_some_and(|schema| schema.since_version == 11))
        .map(|case| case.model_bytes())
        .collect();
    assert_eq!(alone, among[..5]);
    let other = GenerateOptions { seed: 1, ..one };
    let others: Vec<_> = Generator::new(registry, &other).take(5).map(|case| case.model_bytes()).collect();
    assert_ne!(alone, others);
}

#[test]
fn a_wrong_model_has_the_one_finding_that_is_said() {
    let options = GenerateOptions { invalid: true, ..options() };
    let mut codes = std::collections::BTreeSet::new();
    for case in Generator::new(Registry::builtin(), &options).take(400) {
        let code = case.code.unwrap();
        let found: Option<Vec<Code>> = errors(&case).map(|errors| errors.into_iter().map(|(code, _)| code).collect());
        assert_eq!(found, Some(vec![code]), "{}", case.name);
        codes.insert(code.name());
    }
    assert!(codes.len() >= 18, "{codes:?}");
}

#[test]
fn graphs_are_valid_and_connected() {
    let mut read = 0;
    for seed in 0..20 {
        let options = GenerateOptions { seed, opset: Some(21), ..options() };
        let case = graph(Registry::builtin(), &options, 20).unwrap();
        assert_eq!(errors(&case), Some(Vec::new()), "{}", case.name);
        let proto = case.model.graph.unwrap();
        let computed: Vec<&String> = proto.node.iter().flat_map(|node| &node.output).collect();
        read += proto.node.iter().flat_map(|node| &node.input).filter(|name| computed.contains(name)).count();
    }
    assert!(read > 100, "{read} inputs of nodes are computed by others");
}

/// What the check of a graph knows beyond that of a node: lists of which no value may be left out, a target that is no
/// marker, the difference of a value and itself, and bodies that pass on what another node computed.
#[test]
fn graphs_of_nodes_that_refuse_what_others_compute_are_valid() {
    let graphs: [(&[&str], u32, std::ops::Range<u64>); 4] = [
        (&["Concat", "Min", "SequenceConstruct", "Sum"], 28, 0..50),
        (&["Reshape", "TopK"], 20, 350..400),
        (&["Range", "ReduceLogSum", "Sub"], 20, 100..150),
        (&["Loop", "Optional"], 28, 0..50),
    ];
    for (names, opset, seeds) in graphs {
        let operators: Vec<_> = names.iter().map(|name| (String::new(), (*name).to_owned(), None)).collect();
        let mut used = std::collections::BTreeSet::new();
        for seed in seeds {
            let options = GenerateOptions { seed, opset: Some(opset), operators: operators.clone(), ..options() };
            let case = graph(Registry::builtin(), &options, 10).unwrap();
            assert_eq!(errors(&case), Some(Vec::new()), "{}", case.name);
            used.extend(case.model.graph.unwrap().node.into_iter().map(|node| node.op_type));
        }
        assert!(names.iter().all(|name| used.contains(*name)), "{used:?}");
    }
}

#[test]
fn each_pair_of_choices_is_made_once_or_said_to_be_missed() {
    let options = GenerateOptions { operators: vec![(String::new(), "Transpose".to_owned(), Some(13))], ..options() };
    let mut generator = Generator::new(Registry::builtin(), &options);
    while generator.next_uncovered(Goal::Pairs).is_some() {}
    let coverage = generator.coverage();
    assert!(coverage[0].complete);
    let pairs = coverage[0].missed.iter().filter(|missed| missed.choices.len() == 2).count();
    assert!(coverage[0].pairs_made + pairs <= coverage[0].pairs);
    assert!(coverage[0].pairs_made > 100, "{coverage:?}");
}
