//! What is left of a model that fails is smaller, still fails, and still is what it was.

use shape_core::Registry;
use shape_core::code::{Code, Severity};
use shape_model::generate::{Case, GenerateOptions, Generator, Reduction, Value, graph, reduce};
use shape_model::{Model, Options, check};

/// The codes of the errors of a model.
fn errors(case: &Case) -> Vec<Code> {
    let model = Model::of(&case.model).unwrap();
    let findings = check(&model, &Options::default()).unwrap();
    findings.iter().filter(|finding| finding.code.severity() == Severity::Error).map(|finding| finding.code).collect()
}

fn has(case: &Case, op_type: &str) -> bool {
    case.model.graph.as_ref().unwrap().node.iter().any(|node| node.op_type == op_type)
}

fn nodes(name: &str, since: u32) -> Generator {
    let operators = vec![(String::new(), name.to_owned(), Some(since))];
    Generator::new(Registry::builtin(), &GenerateOptions { operators, ..GenerateOptions::default() })
}

/// Takes every proposal that a test fails on, and looks at all proposals on the way.
fn reduced(case: Case, fails: &dyn Fn(&Case) -> bool) -> Case {
    let code = case.code;
    reduce(Registry::builtin(), case, |case| {
        assert_eq!(errors(case), Vec::from_iter(code), "{case:?}");
        let graph = case.model.graph.as_ref().unwrap();
        let inputs: Vec<&String> = graph.input.iter().map(|input| &input.name).collect();
        assert_eq!(inputs, case.inputs.iter().map(|(name, _)| name).collect::<Vec<_>>(), "{case:?}");
        let outputs: Vec<&String> = graph.output.iter().map(|output| &output.name).collect();
        assert!(code.is_some() || outputs == case.outputs.iter().map(|output| &output.name).collect::<Vec<_>>());
        fails(case)
    })
}

#[test]
fn one_node_of_a_graph_is_left() {
    let mut found = 0;
    for seed in 0..12 {
        let options = GenerateOptions { seed, opset: Some(21), ..GenerateOptions::default() };
        let case = graph(Registry::builtin(), &options, 20).unwrap();
        for op_type in ["Transpose", "Add", "Concat", "Function0"] {
            if has(&case, op_type) {
                let smallest = reduced(case.clone(), &|case| has(case, op_type));
                let graph = smallest.model.graph.as_ref().unwrap();
                assert_eq!(graph.node.len(), 1, "{op_type} of seed {seed}: {smallest:?}");
                assert_eq!(smallest.model.functions.len(), usize::from(op_type == "Function0"));
                found += 1;
            }
        }
    }
    assert!(found > 5, "{found}");
}

#[test]
fn a_node_is_left_with_what_the_failure_needs() {
    let strided = |case: &Case| {
        let node = &case.model.graph.as_ref().unwrap().node[0];
        node.attribute.iter().any(|attribute| attribute.name == "strides")
    };
    let case = nodes("Conv", 11).find(strided).unwrap();
    let smallest = reduced(case, &strided);
    let graph = smallest.model.graph.as_ref().unwrap();
    assert_eq!(graph.node[0].attribute.len(), 1, "{smallest:?}");
    assert_eq!((graph.node[0].input.len(), graph.initializer.len()), (2, 0), "{smallest:?}");
    let sizes = smallest.inputs.iter().flat_map(|(_, value)| value.dims().unwrap_or_default());
    assert!(sizes.clone().all(|size| *size <= 1), "{smallest:?}");
}

#[test]
fn a_large_size_that_the_failure_needs_is_left() {
    let wide = |case: &Case| case.inputs.iter().any(|(_, value)| value.dims().is_some_and(|dims| dims.contains(&3)));
    let case = nodes("Add", 14).find(|case| wide(case)).unwrap();
    let smallest = reduced(case, &wide);
    let dims: Vec<&[u64]> = smallest.inputs.iter().filter_map(|(_, value)| value.dims()).collect();
    let mut sorted = dims.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [&[][..], &[3]], "{smallest:?}");
    assert!(smallest.inputs.iter().all(|(_, value)| value.ty().to_string() == "tensor(float)"), "{smallest:?}");
    // The data shrinks along, and the output is what the smaller inputs give.
    assert!(smallest.inputs.iter().all(|(_, value)| matches!(value, Value::Tensor(tensor) if tensor.len() <= 3)));
    assert_eq!(smallest.outputs[0].dims, Some(vec![Some(3)]));
}

#[test]
fn a_wrong_model_stays_wrong_in_the_same_way() {
    let options = GenerateOptions { invalid: true, domain: Some("ai.onnx".to_owned()), ..GenerateOptions::default() };
    let mut smaller = 0;
    for case in Generator::new(Registry::builtin(), &options).take(30) {
        let before = case.model_bytes().len();
        let smallest = reduced(case, &|_| true);
        smaller += usize::from(smallest.model_bytes().len() < before);
    }
    assert!(smaller > 20, "{smaller} of 30 became smaller");
}

#[test]
fn nothing_is_proposed_where_nothing_smaller_fails() {
    let case = nodes("Relu", 14).next().unwrap();
    let mut reduction = Reduction::new(Registry::builtin(), case.clone());
    while reduction.propose() {
        reduction.passes();
    }
    assert_eq!(reduction.current().model_bytes(), case.model_bytes());
    // And what is smallest has nothing smaller.
    let smallest = reduced(case, &|_| true);
    assert!(!Reduction::new(Registry::builtin(), smallest).propose());
}
