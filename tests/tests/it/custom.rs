//! Operators of one's own from YAML: a rule of this crate, one of the core's, and both in a model.

#![deny(missing_docs, unsafe_code, warnings)]

/// The operators of acme.
pub mod acme {
    shape_core::operators!("../shape-core/tests/custom/Stack.yaml", "../shape-core/tests/custom/Extent.yaml");
}

/// The rules of acme's operators.
pub mod rules {
    use shape_core::code::Code;
    use shape_core::dimension::Dimension;
    use shape_core::facts::UnknownCause;
    use shape_core::problem::{Detail, Problem};
    use shape_core::rule::{Done, InputList, Output};

    /// A new dimension as large as there are inputs.
    ///
    /// # Errors
    /// There is no such axis, or the dimensions are not known.
    pub fn stack<D: Dimension>(layers: InputList<'_, D>, axis: i64, output: &mut Output<'_, D>) -> Done {
        let layer = layers.iter().next().ok_or(UnknownCause::NotGiven)?;
        let mut dims: Vec<_> = layer.dims()?.iter().cloned().map(Ok).collect();
        let axis = usize::try_from(axis).ok().filter(|axis| *axis <= dims.len()).ok_or(Problem::Refused {
            code: Code::AxisRange,
            message: "the tensors have no such axis",
            expected: Detail::Text("an axis, or the index behind the last one"),
            found: Detail::Int(axis),
        })?;
        dims.insert(axis, Ok(D::from(layers.count() as u64)));
        output.each_dim(&dims);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use shape_core::convert::Known;
    use shape_core::{DataType, Operator as _, Registry};
    use shape_model::file::proto::{
        Dimension, DimensionValue, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorShapeProto, TensorType,
        TypeProto, TypeValue, ValueInfoProto,
    };
    use shape_model::{Model, Options, analyse};

    use super::acme;
    use shape_model::NodeError;

    fn node(op_type: &str, inputs: &[&str], outputs: &[&str]) -> NodeProto {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        NodeProto {
            op_type: op_type.into(),
            domain: "com.acme".into(),
            input: names(inputs),
            output: names(outputs),
            ..NodeProto::default()
        }
    }

    #[test]
    fn in_a_model() {
        let dim = |name: &str| Dimension { value: Some(DimensionValue::DimParam(name.into())), ..Dimension::default() };
        let shape = Some(TensorShapeProto { dim: vec![dim("N"), dim("2*N")] });
        let tensor = TensorType { elem_type: Some(DataType::Float.number().into()), shape };
        let ty = TypeProto { value: Some(TypeValue::TensorType(tensor)), ..TypeProto::default() };
        let model = ModelProto {
            ir_version: Some(8),
            opset_import: vec![OperatorSetIdProto { domain: "com.acme".into(), version: Some(3) }],
            graph: Some(GraphProto {
                input: vec![ValueInfoProto { name: "x".into(), r#type: Some(ty), ..ValueInfoProto::default() }],
                node: vec![node("Stack", &["x", "x", "x"], &["s"]), node("Extent", &["s"], &["e"])],
                ..GraphProto::default()
            }),
            ..ModelProto::default()
        };
        let registry = Registry::builtin().with(acme::OPERATORS.concat()).unwrap();
        let model = Model::of(&model).unwrap();
        let analysis = analyse(&model, &Options { registry, ..Options::default() }).unwrap();
        assert!(analysis.findings.is_empty(), "{:?}", analysis.findings);
        let extent = analysis.values.iter().find(|value| value.name == "e").unwrap();
        let elements = extent.elements.as_deref().unwrap();
        let texts: Vec<String> =
            elements.iter().map(|element| element.display(&analysis.symbols).to_string()).collect();
        assert_eq!(texts, ["3", "N", "2*N"]);
    }

    #[test]
    fn as_types() {
        assert_eq!(acme::stack::Stack2::default().axis, 0);
        let old = acme::extent::Extent::V1(acme::extent::Extent1 { start: 1, end: None });
        let latest = old.latest(&[Some(Known::default())], 1).unwrap();
        assert_eq!(latest.operator().unwrap(), acme::extent::Extent4 { start: 1, end: None });
        assert_eq!(acme::extent::Extent4::SCHEMA.types[0].allow.len(), 3);
    }

    #[test]
    fn any_operator_of_a_domain_of_ones_own() {
        let graph = GraphProto {
            node: vec![
                node("Extent", &["s"], &["e"]),
                node("Shape", &["s"], &["f"]),
                NodeProto { domain: String::new(), ..node("Extent", &["s"], &["g"]) },
            ],
            ..GraphProto::default()
        };
        let import = |domain: &str| OperatorSetIdProto { domain: domain.into(), version: Some(3) };
        let opset_import = vec![import("com.acme"), import("")];
        let model = ModelProto { ir_version: Some(8), opset_import, graph: Some(graph), ..ModelProto::default() };
        let model = Model::of(&model).unwrap();
        let any = |index| model.graph().unwrap().nodes().get(index).unwrap().read::<acme::AnyOperator>();
        assert!(matches!(any(0), Ok(acme::AnyOperator::Extent(_))));
        let text = |error: NodeError| error.to_string();
        assert_eq!(
            any(1).map_err(text).unwrap_err(),
            "the node that gives `f` (Shape): the operator has no descriptor"
        );
        assert_eq!(
            any(2).map_err(text).unwrap_err(),
            "the node that gives `g` (Extent): the operator has no descriptor"
        );
        let analysis = analyse(&model, &Options::default()).unwrap();
        let none = shape_model::file::External::none();
        let first = model.graph().unwrap().nodes().first().unwrap();
        assert!(analysis.reader(&none).latest::<acme::extent::Extent>(0, first).is_ok());
    }
}
