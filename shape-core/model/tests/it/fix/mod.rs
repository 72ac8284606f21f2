//! Broken models, what is said of each fix, and what comes out.

mod models;
mod structure;
mod values;

use shape_model::file::proto::ValueInfoProto;
use shape_model::fix::suggest;
use shape_model::{Options, Safety, check};

use models::{branches, broken, constant, fixed, named, node, open, opset, plain, told, value, with};

#[test]
fn what_is_in_order_stays() {
    for model in [plain(), branches(vec![node("Abs", &["x"], &["t"])])] {
        let (fixing, written) = fixed(&model, Safety::Unsafe).unwrap();
        assert_eq!(told(&fixing), [""; 0]);
        assert_eq!(written, model);
    }
}

/// Each edit is of what those before it left.
#[test]
fn many_fixes_of_one_model() {
    let model = with(
        branches(vec![named("n", node("Abs", &["m"], &["t"])), named("n", node("Neg", &["k"], &["m"]))]),
        |model, graph| {
            model.opset_import = vec![opset("", 17), opset("ai.onnx", 17)];
            model.ir_version = Some(7);
            graph.name.clear();
            graph.initializer =
                vec![constant("", &[1.0]), constant("u", &[1.0]), constant("w", &[1.0, 2.0]), constant("v", &[1.0])];
            graph.value_info = vec![value("gone", &[1]), value("k", &[3]), value("gone too", &[1])];
            graph.node.push(node("Add", &["x", "w"], &["k"]));
            graph.node[0].attribute[0].g.as_mut().unwrap().value_info = vec![value("m", &[5])];
        },
    );
    let wanted = with(
        branches(vec![named("n", node("Neg", &["k"], &["m"])), named("n_1", node("Abs", &["m"], &["t"]))]),
        |_, graph| {
            graph.name = "graph".into();
            graph.initializer = vec![constant("w", &[1.0, 2.0])];
            graph.value_info = vec![value("k", &[2])];
            graph.node.insert(0, node("Add", &["x", "w"], &["k"]));
            graph.node[1].attribute[0].g.as_mut().unwrap().value_info = vec![value("m", &[2])];
        },
    );
    let (fixing, written) = fixed(&model, Safety::Safe).unwrap();
    assert_eq!(written, wanted, "{:#?}", told(&fixing));
    assert_eq!(fixing.findings, []);
    // Places are those of the model as it was.
    let graphs: Vec<&str> = fixing.fixes.iter().map(|fix| &*fix.graph).filter(|graph| graph.contains('/')).collect();
    assert!(graphs.iter().all(|graph| *graph == "graph/0:If.then_branch"), "{graphs:?}");
    assert!(graphs.len() >= 3, "{graphs:?}");
    let file = open(&model).unwrap();
    let mut findings = check(file.model(), &Options::of(&file)).unwrap();
    suggest(&file, &Options::of(&file), &mut findings);
    let without: Vec<_> = findings.iter().filter(|found| found.fix.is_none()).collect();
    assert!(without.is_empty(), "{without:#?}");
}

/// A fix that shows an error which nothing corrects is not made; others are.
#[test]
fn a_fix_that_brings_an_error_is_not_made() {
    let error = |unused: bool| {
        broken(|_, graph| {
            graph.node = vec![node("Add", &["a", "w"], &["y"]), node("Abs", &["x"], &["a"])];
            graph.initializer = vec![constant("w", &[1.0, 2.0, 3.0])];
            graph.initializer.extend(unused.then(|| constant("u", &[1.0])));
            graph.output = vec![ValueInfoProto { name: "y".into(), ..ValueInfoProto::default() }];
        })
    };
    let declaration = |unused: bool| {
        broken(|_, graph| {
            graph.node.reverse();
            graph.initializer.extend(unused.then(|| constant("u", &[1.0])));
            graph.output = vec![value("y", &[3])];
        })
    };
    for (model, safety) in [(&error as &dyn Fn(bool) -> _, Safety::Unsafe), (&declaration, Safety::Safe)] {
        let (fixing, written) = fixed(&model(true), safety).unwrap();
        assert_eq!(
            told(&fixing),
            ["initializer-unused safe: removes an initializer that nothing reads | u -> nothing"]
        );
        assert_eq!(written, model(false));
    }
}

/// A safe fix that shows what an unsafe one corrects needs the same leave.
#[test]
fn a_safe_fix_may_need_an_unsafe_one() {
    let model = broken(|_, graph| {
        graph.node.reverse();
        graph.output = vec![value("y", &[3])];
    });
    let (fixing, written) = fixed(&model, Safety::Safe).unwrap();
    assert_eq!((told(&fixing), &written), (Vec::new(), &model));
    let (fixing, written) = fixed(&model, Safety::Unsafe).unwrap();
    assert_eq!((fixing.fixes.len(), written), (2, plain()));
    let file = open(&model).unwrap();
    let mut findings = check(file.model(), &Options::of(&file)).unwrap();
    suggest(&file, &Options::of(&file), &mut findings);
    let safeties: Vec<_> = findings.iter().map(|found| found.fix.as_ref().map(|fix| fix.safety)).collect();
    assert_eq!(safeties, [Some(Safety::Unsafe)], "{findings:?}");
}
