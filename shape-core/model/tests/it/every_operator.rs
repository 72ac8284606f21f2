//! Nodes of every operator version with inputs and attributes at the ends of what a file can say: an answer or a finding,
//! never a panic, and no dimension that a file could not say.

use shape_core::node::AttributeKind;
use shape_core::schema::{Attribute, FormalParameter, ParameterType, Schema};
use shape_core::{DataType, Dim, Registry, Type};
use shape_model::file::proto::{
    AttributeProto, Dimension, DimensionValue, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto,
    TensorShapeProto, TensorType, TypeProto, TypeValue, ValueInfoProto,
};
use shape_model::{Model, Options, analyse, annotate};

const NODES: usize = 30;
const NUMBERS: [i64; 12] = [i64::MIN, i64::MIN + 1, -9, -2, -1, 0, 1, 2, 3, 9, i64::MAX - 1, i64::MAX];

/// Numbers that follow from a seed: an xorshift.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(end).unwrap()).unwrap()
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// One time in so many.
    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn numbers(&mut self) -> Vec<i64> {
        // One time in three small ones, which lead further.
        let numbers = if self.one_in(3) { &NUMBERS[4..9] } else { &NUMBERS[..] };
        (0..self.below(5)).map(|_| self.of(numbers)).collect()
    }
}

fn dim(chance: &mut Chance) -> Dimension {
    let value = match chance.below(10) {
        0..2 => Some(DimensionValue::DimParam("N".into())),
        2 => Some(DimensionValue::DimParam("M - 1".into())),
        3 => None,
        4..7 => Some(DimensionValue::DimValue(chance.of(&[1, 2, 3]))),
        _ => Some(DimensionValue::DimValue(chance.of(&[0, 1, 7, 1 << 31, 1 << 62, i64::MAX]))),
    };
    Dimension { value, ..Dimension::default() }
}

fn declared(chance: &mut Chance, name: &str, ty: Type) -> ValueInfoProto {
    let dims = (0..chance.below(6)).map(|_| dim(chance)).collect();
    let shape = (!chance.one_in(8)).then_some(TensorShapeProto { dim: dims });
    let tensor = ty.element().map(|element| TensorType { elem_type: Some(element.number().into()), shape });
    let ty = tensor.map(|tensor| TypeProto { value: Some(TypeValue::TensorType(tensor)), ..TypeProto::default() });
    ValueInfoProto { name: name.into(), r#type: ty, ..ValueInfoProto::default() }
}

fn attribute(chance: &mut Chance, attribute: &Attribute) -> Option<AttributeProto> {
    let proto = AttributeProto {
        name: attribute.name.into(),
        r#type: Some(attribute.kind.number()),
        ..AttributeProto::default()
    };
    Some(match attribute.kind {
        AttributeKind::Int => AttributeProto { i: Some(chance.of(&NUMBERS)), ..proto },
        AttributeKind::Ints => AttributeProto { ints: chance.numbers(), ..proto },
        AttributeKind::Float => AttributeProto { f: Some(chance.of(&[0.0, -1.5, f32::MAX, f32::NAN])), ..proto },
        AttributeKind::Floats => AttributeProto { floats: vec![f32::INFINITY; chance.below(4)], ..proto },
        AttributeKind::Tensor => AttributeProto { t: Some(Box::new(tensor("", chance.numbers()))), ..proto },
        AttributeKind::Graph => AttributeProto { g: Some(Box::default()), ..proto },
        AttributeKind::String => AttributeProto { s: Some("SAME_UPPER".into()), ..proto },
        _ => return None,
    })
}

fn tensor(name: &str, numbers: Vec<i64>) -> TensorProto {
    TensorProto {
        name: name.into(),
        dims: vec![i64::try_from(numbers.len()).unwrap()],
        data_type: Some(DataType::Int64.number().into()),
        int64_data: numbers.into_iter().collect(),
        ..TensorProto::default()
    }
}

/// A type for each parameter, the same for each type variable.
fn types(chance: &mut Chance, schema: &Schema) -> Vec<Type> {
    let int64 = Type::tensor(DataType::Int64);
    let choices: Vec<Type> = (schema.types.iter())
        .map(|variable| {
            let allowed: Vec<Type> = variable.allow.iter().filter(|ty| ty.element().is_some()).collect();
            if allowed.is_empty() || (variable.allow.contains(int64) && chance.one_in(2)) {
                int64
            } else {
                chance.of(&allowed)
            }
        })
        .collect();
    let of = |parameter: &FormalParameter| match parameter.ty {
        ParameterType::Variable(variable) => choices[variable],
        ParameterType::Fixed(ty) => ty,
    };
    schema.inputs.iter().map(of).collect()
}

fn model(chance: &mut Chance, schema: &Schema) -> ModelProto {
    let mut node = NodeProto { op_type: schema.name.into(), domain: schema.domain.into(), ..NodeProto::default() };
    let mut graph = GraphProto::default();
    for (index, ty) in types(chance, schema).into_iter().enumerate() {
        let parameter = &schema.inputs[index];
        for copy in 0..if parameter.is_variadic() { chance.below(4) } else { 1 } {
            let name = format!("x{index}_{copy}");
            if chance.one_in(8) {
                node.input.push(String::new());
                continue;
            }
            if ty == Type::tensor(DataType::Int64) && !chance.one_in(3) {
                graph.initializer.push(tensor(&name, chance.numbers()));
            } else {
                graph.input.push(declared(chance, &name, ty));
            }
            node.input.push(name);
        }
    }
    node.attribute = (schema.attributes.iter())
        .filter(|given| given.required || !chance.one_in(3))
        .collect::<Vec<_>>()
        .into_iter()
        .filter_map(|given| attribute(chance, given))
        .collect();
    node.output = (0..schema.outputs.len().max(1) + chance.below(2)).map(|index| format!("y{index}")).collect();
    graph.node.push(node);
    let import = |domain: &str, version| OperatorSetIdProto { domain: domain.into(), version: Some(version) };
    let mut opset_import = vec![import("", 21)];
    if schema.domain == "ai.onnx" {
        opset_import[0].version = Some(schema.since_version.into());
    } else {
        opset_import.push(import(schema.domain, schema.since_version.into()));
    }
    ModelProto { ir_version: Some(10), opset_import, graph: Some(graph), ..ModelProto::default() }
}

#[test]
fn at_the_ends_of_what_a_file_can_say() {
    let mut inferred = 0;
    for schema in Registry::builtin().operators().flatten() {
        let mut chance = Chance(0x9e37_79b9_7f4a_7c15 ^ u64::from(schema.since_version));
        for _ in 0..NODES {
            let model = model(&mut chance, schema);
            let model = Model::of(&model).unwrap();
            let analysis = analyse(&model, &Options::default()).unwrap();
            for value in &analysis.values {
                let dims = value.dims.iter().flatten();
                assert!(
                    dims.clone().all(|dim| !matches!(dim, Dim::Known(size) if i64::try_from(*size).is_err())),
                    "{}-{}: {dims:?} of {model:?}",
                    schema.name,
                    schema.since_version
                );
                inferred += dims.count();
                // Every reason can be told.
                let _ = analysis.unknown(value).map(|reason| analysis.explain(reason));
            }
            let _ = annotate(&analysis, shape_model::Annotations::default());
        }
    }
    assert!(inferred > 5_000, "{inferred}");
}
