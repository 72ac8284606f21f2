//! What is compiled: the domains whose features are on.

use shape_core::Registry;

/// Each domain that there are descriptors of, whether it is compiled, and one of its operators.
const DOMAINS: [(&str, bool, &str); 7] = [
    ("ai.onnx", cfg!(feature = "ai-onnx"), "Shape"),
    ("ai.onnx.ml", cfg!(feature = "ai-onnx-ml"), "Scaler"),
    ("ai.onnx.preview", cfg!(feature = "ai-onnx-preview"), "FlexAttention"),
    ("ai.onnx.preview.training", cfg!(feature = "ai-onnx-preview-training"), "Adam"),
    ("com.microsoft", cfg!(feature = "com-microsoft"), "FusedMatMul"),
    ("com.microsoft.nchwc", cfg!(feature = "com-microsoft-nchwc"), "ReorderInput"),
    ("com.ms.internal.nhwc", cfg!(feature = "com-ms-internal-nhwc"), "Conv"),
];

#[test]
fn the_registry_has_what_is_compiled() {
    let registry = Registry::builtin();
    let first = |versions: &[&shape_core::Schema]| (versions[0].domain, versions[0].name);
    let operators: Vec<_> = registry.operators().map(first).collect();
    assert!(operators.is_sorted(), "{operators:?}");
    for (domain, name) in &operators {
        let versions = registry.operator(domain, name);
        assert_eq!(first(versions), (*domain, *name));
        // Names that begin as it does.
        for other in [format!("{name}X"), name[..name.len() - 1].to_owned(), format!("{name}\0")] {
            let known = operators.contains(&(*domain, &other));
            assert_eq!(registry.operator(domain, &other).is_empty(), !known, "{domain}::{other}");
        }
        assert!(versions.is_sorted_by_key(|schema| schema.since_version), "{domain}::{name}");
    }
    for (domain, compiled, name) in DOMAINS {
        assert_eq!(operators.iter().any(|(of, _)| *of == domain), compiled, "{domain}");
        assert_eq!(registry.resolve(domain, name, 1).is_ok(), compiled, "{domain}::{name}");
    }
    assert!(operators.iter().all(|(domain, _)| DOMAINS.iter().any(|(known, ..)| domain == known)), "{operators:?}");
}

#[cfg(feature = "ai-onnx-ml")]
#[test]
fn opsets_stand_in_the_module_of_their_domain() {
    use shape_core::Operator as _;
    use shape_core::operators::ai_onnx_ml::{label_encoder, opset1, opset3, opset5};

    assert_eq!(opset1::LabelEncoder::SCHEMA.since_version, 1);
    assert_eq!(opset3::LabelEncoder::SCHEMA.since_version, 2);
    assert_eq!(opset5::LabelEncoder::SCHEMA.since_version, label_encoder::LabelEncoder4::SCHEMA.since_version);
}
