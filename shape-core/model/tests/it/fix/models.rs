//! Small models, and what is said and done when they are repaired.

use shape_core::DataType;
use shape_core::node::AttributeKind;
use shape_model::file::Message as _;
use shape_model::file::proto::{
    AttributeProto, Dimension, DimensionValue, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    TensorProto, TensorShapeProto, TensorType, TypeProto, TypeValue, ValueInfoProto,
};
use shape_model::fix::{Fixing, fix, suggest};
use shape_model::{ModelFile, Options, Safety, check};

pub(super) type Failure = Box<dyn std::error::Error>;

pub(super) fn node(op_type: &str, inputs: &[&str], outputs: &[&str]) -> NodeProto {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    NodeProto { op_type: op_type.into(), input: names(inputs), output: names(outputs), ..NodeProto::default() }
}

pub(super) fn named(name: &str, node: NodeProto) -> NodeProto {
    NodeProto { name: name.into(), ..node }
}

pub(super) fn of_domain(domain: &str, node: NodeProto) -> NodeProto {
    NodeProto { domain: domain.into(), ..node }
}

pub(super) fn opset(domain: &str, version: i64) -> OperatorSetIdProto {
    OperatorSetIdProto { domain: domain.into(), version: Some(version) }
}

pub(super) fn typed(element: DataType, dims: &[i64]) -> TypeProto {
    let dim = |size: &i64| Dimension { value: Some(DimensionValue::DimValue(*size)), ..Dimension::default() };
    let shape = Some(TensorShapeProto { dim: dims.iter().map(dim).collect() });
    let tensor = TensorType { elem_type: Some(element.number().into()), shape };
    TypeProto { value: Some(TypeValue::TensorType(tensor)), ..TypeProto::default() }
}

pub(super) fn value(name: &str, dims: &[i64]) -> ValueInfoProto {
    ValueInfoProto { name: name.into(), r#type: Some(typed(DataType::Float, dims)), ..ValueInfoProto::default() }
}

pub(super) fn constant(name: &str, numbers: &[f32]) -> TensorProto {
    TensorProto {
        name: name.into(),
        dims: vec![i64::try_from(numbers.len()).unwrap_or(0)],
        data_type: Some(DataType::Float.number().into()),
        raw_data: Some(numbers.iter().flat_map(|number| number.to_le_bytes()).collect()),
        ..TensorProto::default()
    }
}

/// `y = Relu(Abs(x))`, which is in order.
pub(super) fn plain() -> ModelProto {
    let graph = GraphProto {
        name: "g".into(),
        node: vec![node("Abs", &["x"], &["a"]), node("Relu", &["a"], &["y"])],
        input: vec![value("x", &[2])],
        output: vec![value("y", &[2])],
        ..GraphProto::default()
    };
    ModelProto { ir_version: Some(8), opset_import: vec![opset("", 17)], graph: Some(graph), ..ModelProto::default() }
}

pub(super) fn with(mut model: ModelProto, change: impl FnOnce(&mut ModelProto, &mut GraphProto)) -> ModelProto {
    let mut graph = model.graph.take().unwrap_or_default();
    change(&mut model, &mut graph);
    model.graph = Some(graph);
    model
}

pub(super) fn broken(change: impl FnOnce(&mut ModelProto, &mut GraphProto)) -> ModelProto {
    with(plain(), change)
}

/// `y = if c { nodes } else { Abs(x) }`; the nodes give `t`.
pub(super) fn branches(nodes: Vec<NodeProto>) -> ModelProto {
    let branch = |name: &str, nodes: Vec<NodeProto>, output: &str| AttributeProto {
        name: name.into(),
        r#type: Some(AttributeKind::Graph.number()),
        g: Some(Box::new(GraphProto {
            name: name.into(),
            node: nodes,
            output: vec![value(output, &[2])],
            ..GraphProto::default()
        })),
        ..AttributeProto::default()
    };
    broken(|_, graph| {
        let attribute =
            vec![branch("then_branch", nodes, "t"), branch("else_branch", vec![node("Abs", &["x"], &["e"])], "e")];
        let condition =
            ValueInfoProto { name: "c".into(), r#type: Some(typed(DataType::Bool, &[])), ..ValueInfoProto::default() };
        graph.node = vec![NodeProto { attribute, ..node("If", &["c"], &["y"]) }];
        graph.input.push(condition);
    })
}

/// The function `my::F`, `b = nodes(a)`.
pub(super) fn function(nodes: Vec<NodeProto>) -> FunctionProto {
    FunctionProto {
        name: "F".into(),
        domain: "my".into(),
        input: vec!["a".into()],
        output: vec!["b".into()],
        node: nodes,
        opset_import: vec![opset("", 17)],
        ..FunctionProto::default()
    }
}

pub(super) fn open(model: &ModelProto) -> Result<ModelFile, Failure> {
    Ok(ModelFile::from_bytes(model.encode_to_vec().into())?)
}

/// What is repaired, and the model that is written. A second time there is nothing to do.
pub(super) fn fixed(model: &ModelProto, allowed: Safety) -> Result<(Fixing, ModelProto), Failure> {
    let file = open(model)?;
    let fixing = fix(&file, &Options::of(&file), allowed)?;
    let mut written = Vec::new();
    file.rewrite_to(&fixing.edit, &mut written)?;
    let again = ModelFile::from_bytes(written.clone().into())?;
    let second = fix(&again, &Options::of(&again), allowed)?;
    if !second.fixes.is_empty() {
        return Err(format!("a second time: {:?}", second.fixes).into());
    }
    let mut left = check(again.model(), &Options::of(&again))?;
    suggest(&again, &Options::of(&again), &mut left);
    if left != fixing.findings {
        return Err("what is written has other findings than was said".into());
    }
    Ok((fixing, ModelProto::decode(written)?))
}

/// Each fix on a line, as `code safety: message | before -> after`, and its graph if it is not the main one.
pub(super) fn told(fixing: &Fixing) -> Vec<String> {
    let one = |fix: &shape_model::fix::Fix| {
        let graph = if matches!(&*fix.graph, "" | "graph") { String::new() } else { format!(" in {}", fix.graph) };
        let change = match (&fix.before, &fix.after) {
            (None, None) => String::new(),
            (before, after) => {
                format!(" | {} -> {}", before.as_deref().unwrap_or("nothing"), after.as_deref().unwrap_or("nothing"))
            }
        };
        format!("{} {}{graph}: {}{change}", fix.code, fix.safety, fix.message)
    };
    fixing.fixes.iter().map(one).collect()
}

/// A broken model, what is said, and what it becomes.
pub(super) struct Case {
    pub(super) broken: ModelProto,
    pub(super) told: &'static [&'static str],
    pub(super) fixed: ModelProto,
}

/// All that is told and done for each case; with safe fixes alone nothing happens to those whose fixes are unsafe.
pub(super) fn hold(cases: Vec<Case>, safety: Safety) {
    for Case { broken, told: expected, fixed: wanted } in cases {
        let (fixing, written) = fixed(&broken, safety).unwrap_or_else(|error| panic!("{expected:?}: {error}"));
        assert_eq!(told(&fixing), expected);
        assert_eq!(written, wanted, "{expected:?}");
        assert!(fixing.fixes.iter().all(|fix| fix.safety == safety));
        if safety == Safety::Unsafe {
            let (fixing, written) = fixed(&broken, Safety::Safe).unwrap();
            assert_eq!((told(&fixing), written), (Vec::new(), broken.clone()), "{expected:?}");
        }
        let file = open(&broken).unwrap();
        let mut findings = check(file.model(), &Options::of(&file)).unwrap();
        suggest(&file, &Options::of(&file), &mut findings);
        let answered = |fix: &shape_model::fix::Fix| {
            findings.iter().filter_map(|found| found.fix.as_ref()).any(|found| found.message == fix.message)
        };
        assert!(fixing.fixes.iter().any(answered), "{expected:?}: {findings:#?}");
    }
}
