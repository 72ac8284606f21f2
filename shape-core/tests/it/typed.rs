//! Typed operators from whoever keeps the attributes of a node: every version of every operator, lifted to the newest.

use std::collections::BTreeMap;

use shape_core::convert::{Input, Known, Numbers};
use shape_core::node::{AttributeKind, AttributeSource, AttributeValue, NodeAttribute};
use shape_core::operator::ReadError;
use shape_core::operators::ai_onnx::{AnyOperator, clip, concat, conv, gemm, lstm, relu, squeeze, upsample};
use shape_core::operators::{ai_onnx_ml, ai_onnx_preview, ai_onnx_preview_training};
use shape_core::problem::Problem;
use shape_core::registry::Missing;
use shape_core::schema::Schema;
use shape_core::{DataType, Registry, Type};

/// The smallest valid attributes of a version: those that are required.
fn required(schema: &'static Schema) -> Vec<NodeAttribute<'static>> {
    let attributes = schema.attributes.iter().filter(|attribute| attribute.required).filter_map(|attribute| {
        let value = attribute.values.first().copied().or(attribute.min).unwrap_or(match attribute.kind {
            AttributeKind::Float => AttributeValue::Float(1.0),
            AttributeKind::Int => AttributeValue::Int(1),
            AttributeKind::String => AttributeValue::String(b"x"),
            AttributeKind::Ints => AttributeValue::Ints(&[1]),
            AttributeKind::Floats => AttributeValue::Floats(&[1.0]),
            _ => return None,
        });
        let value = match (attribute.kind, value) {
            (AttributeKind::Ints, AttributeValue::Int(_)) => AttributeValue::Ints(&[1]),
            (AttributeKind::Floats, AttributeValue::Float(_)) => AttributeValue::Floats(&[1.0]),
            (_, value) => value,
        };
        Some(NodeAttribute::new(attribute.name, value))
    });
    attributes.collect()
}

/// An operator of a domain, whichever it is, must be the one that the registry has for the same name and opset.
#[test]
fn any_operator_is_the_one_of_the_registry() {
    let mut seen = 0;
    for schema in Registry::builtin().operators().flatten().copied() {
        let attributes = required(schema);
        let (name, opset) = (schema.name, schema.since_version);
        let found = match schema.domain {
            "ai.onnx" => AnyOperator::read(name, opset, &*attributes).map(|of| (of.schema(), format!("{of:?}"))),
            "ai.onnx.ml" => {
                ai_onnx_ml::AnyOperator::read(name, opset, &*attributes).map(|of| (of.schema(), format!("{of:?}")))
            }
            "ai.onnx.preview" => {
                ai_onnx_preview::AnyOperator::read(name, opset, &*attributes).map(|of| (of.schema(), format!("{of:?}")))
            }
            "ai.onnx.preview.training" => ai_onnx_preview_training::AnyOperator::read(name, opset, &*attributes)
                .map(|of| (of.schema(), format!("{of:?}"))),
            #[cfg(feature = "com-microsoft")]
            "com.microsoft" => {
                use shape_core::operators::com_microsoft::AnyOperator;
                AnyOperator::read(name, opset, &*attributes).map(|of| (of.schema(), format!("{of:?}")))
            }
            #[cfg(feature = "com-microsoft-nchwc")]
            "com.microsoft.nchwc" => {
                use shape_core::operators::com_microsoft_nchwc::AnyOperator;
                AnyOperator::read(name, opset, &*attributes).map(|of| (of.schema(), format!("{of:?}")))
            }
            #[cfg(feature = "com-ms-internal-nhwc")]
            "com.ms.internal.nhwc" => {
                use shape_core::operators::com_ms_internal_nhwc::AnyOperator;
                AnyOperator::read(name, opset, &*attributes).map(|of| (of.schema(), format!("{of:?}")))
            }
            other => panic!("the domain {other} has no operators here"),
        };
        match found {
            Ok((found, text)) => {
                assert!(std::ptr::eq(found, schema), "{name}-{opset}");
                assert!(text.starts_with(name), "{text}");
                seen += 1;
            }
            // A graph or a tensor that is required has no value here.
            Err(ReadError::Problem(Problem::AttributeMissing { attribute })) => {
                assert!(!matches!(attribute.kind, AttributeKind::Int | AttributeKind::String), "{name}-{opset}");
            }
            Err(other) => panic!("{name}-{opset}: {other}"),
        }
    }
    assert!(seen > 600, "{seen}");
}

#[test]
fn what_is_not_there_is_refused() {
    let none: &[NodeAttribute<'_>] = &[];
    let missing = |name, opset| match AnyOperator::read(name, opset, none).unwrap_err() {
        ReadError::Missing(missing) => missing,
        other => panic!("{other}"),
    };
    assert_eq!(missing("Convolution", 22), Missing::NoDescriptor);
    assert_eq!(missing("Zzz", 22), Missing::NoDescriptor);
    assert_eq!(missing("Mish", 17), Missing::OperatorTooNew { since: 18 });
    let newest = Registry::builtin().newest_opset("").unwrap();
    assert_eq!(missing("Conv", newest + 1), Missing::OpsetTooNew { newest });
    let wrong = [NodeAttribute::new("group", AttributeValue::Float(1.0))];
    let error = AnyOperator::read("Conv", 22, wrong).unwrap_err();
    assert_eq!(error.to_string(), "the attribute `group` has the kind FLOAT; it must be INT");
}

/// A source whose views outlive the handle that gives them.
struct Handle<'m>(&'m BTreeMap<String, Vec<i64>>);

impl<'m> AttributeSource<'m> for Handle<'m> {
    fn attributes(&self) -> impl Iterator<Item = NodeAttribute<'m>> {
        self.0.iter().map(|(name, list)| NodeAttribute::new(name, AttributeValue::Ints(list)))
    }
}

#[test]
fn what_is_read_borrows_from_what_the_source_views() {
    let kept = BTreeMap::from([("pads".to_owned(), vec![1, 2])]);
    let conv = {
        let handle = Handle(&kept);
        conv::Conv::read(11, &handle).unwrap()
    };
    let conv::Conv::V11(conv) = conv else { panic!("{conv:?}") };
    assert_eq!((conv.pads, conv.group), (Some(&[1, 2][..]), 1));
    assert!(std::ptr::eq(conv.pads.unwrap(), &*kept["pads"]));
}

#[test]
fn what_a_default_would_hide_is_refused() {
    let axis = |name| NodeAttribute::new(name, AttributeValue::Int(1));
    let text = |given: &[NodeAttribute<'static>]| concat::Concat::read(13, given).unwrap_err().to_string();
    assert_eq!(text(&[axis("axis"); 2]), "the attribute `axis` appears twice");
    assert_eq!(text(&[axis("axis"), axis("axes")]), "Concat-13 has no attribute `axes`");
    // More than any version has.
    assert_eq!(text(&[axis("axis"); 100]), "the attribute `axis` appears twice");
    assert_eq!(text(&[axis("axes"); 100]), "Concat-13 has no attribute `axes`");

    /// A source with an attribute that has neither a kind nor a value.
    struct Bare;

    impl AttributeSource<'static> for Bare {
        fn attributes(&self) -> impl Iterator<Item = NodeAttribute<'static>> {
            std::iter::empty()
        }

        fn without_kind(&self) -> Option<&'static str> {
            Some("alpha")
        }
    }
    let message = "the attribute `alpha` has neither a kind nor a value";
    for read in [AnyOperator::read("Gemm", 13, Bare), AnyOperator::read("Gemm", 13, &Bare)] {
        assert_eq!(read.unwrap_err().to_string(), message);
    }
}

#[test]
fn attributes_that_became_inputs_are_constants() {
    let float = Known { ty: Some(Type::tensor(DataType::Float)), ..Known::default() };
    let attributes = [NodeAttribute::new("max", AttributeValue::Float(6.0))];
    let old = clip::Clip::read(6, attributes).unwrap();
    let latest = old.latest(&[Some(float)], 1).unwrap();
    let inputs: Vec<Option<&Input<'_>>> =
        latest.inputs().iter().map(|input| Some(input).filter(|input| **input != Input::Absent)).collect();
    let clip::Inputs { input, min, max } = clip::Inputs::of(&inputs).unwrap();
    assert!(matches!(input, Input::Given { index: 0, .. }));
    let numbers = |input: Option<&Input<'_>>| input.and_then(Input::constant).map(|of| of.numbers.clone());
    assert_eq!(numbers(max), Some(Numbers::Floats(vec![6.0])));
    // The default of old is the least float.
    assert_eq!(numbers(min), Some(Numbers::Floats(vec![f64::from(f32::MIN)])));
    assert_eq!(latest.operator().unwrap(), clip::Clip13 {});
}

fn old_input(index: usize) -> Input<'static> {
    Input::Given { index, known: Known::default() }
}

#[test]
fn old_versions_read_as_the_newest() {
    let lists = [NodeAttribute::new("pads", AttributeValue::Ints(&[1, 1]))];
    for opset in [1, 11, 22] {
        let old = conv::Conv::read(opset, lists).unwrap();
        let latest = old.latest(&[Some(Known::default()), Some(Known::default()), None], 1).unwrap();
        let conv: conv::Conv22<'_> = latest.operator().unwrap();
        assert_eq!(
            (conv.pads, conv.auto_pad, &latest.inputs()[1]),
            (Some(&[1, 1][..]), conv::AutoPad::Notset, &old_input(1))
        );
    }
    let old = relu::Relu::read(1, &[][..]).unwrap();
    assert_eq!(old.latest(&[Some(Known::default())], 1).unwrap().outputs().len(), 1);
}

#[test]
fn what_the_newest_version_cannot_express_is_refused() {
    let scales = [NodeAttribute::new("scales", AttributeValue::Floats(&[1.0, 2.0]))];
    let old = upsample::Upsample::read(7, scales).unwrap();
    let refusals = old.latest(&[Some(Known::default())], 1).unwrap_err();
    assert_eq!(refusals[0].to_string(), "Upsample-7 becomes Resize-10, and not one Upsample-10");
    let old = squeeze::Squeeze::read(1, &[][..]).unwrap();
    let refusals = old.latest(&[], 1).unwrap_err();
    assert!(refusals[0].is_of_original(), "{refusals:?}");
}

#[test]
fn inputs_by_name() {
    let conv::Inputs { x, w, b } = conv::Inputs::of(&[Some("x"), Some("w")]).unwrap();
    assert_eq!((x, w, b), ("x", "w", None));
    let lstm = lstm::Inputs::of(&[Some(1), Some(2), Some(3), None, None, Some(6)]).unwrap();
    assert_eq!((lstm.b, lstm.sequence_lens, lstm.initial_h, lstm.initial_c, lstm.p), (None, None, Some(6), None, None));
    let many = [Some('a'), None, Some('c')];
    assert_eq!(concat::Inputs::of(&many).unwrap().inputs, many);
    assert_eq!(lstm::Outputs::of(&[None, Some(2)]).unwrap().y_h, Some(2));
    let problem = |given: &[Option<u32>]| conv::Inputs::of(given).err().unwrap().to_string();
    assert_eq!(problem(&[Some(1)]), "the node has 1 input; allowed: 2 to 3");
    assert_eq!(problem(&[Some(1), None]), "the required input 1 (`W`) has an empty name");
    assert_eq!(problem(&[Some(1); 4]), "the node has 4 inputs; allowed: 2 to 3");
}

#[test]
fn numbers_that_say_yes_or_no() {
    let gemm = |number| gemm::Gemm::read(13, [NodeAttribute::new("transA", AttributeValue::Int(number))]);
    let gemm::Gemm::V13(yes) = gemm(1).unwrap() else { panic!() };
    assert!(yes.trans_a() && !yes.trans_b() && yes.trans_a == 1);
    assert!(gemm(2).is_err());
}
