//! A node of a domain that is not compiled is one without a descriptor, and of one that is compiled is checked.

use shape_core::code::Code;
use shape_model::file::proto::{GraphProto, ModelProto, NodeProto, OperatorSetIdProto};
use shape_model::{Model, Options, analyse};

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

/// The codes of the findings on a node that is an operator of a domain, and their help.
fn check(domain: &str, op_type: &str) -> Vec<(Code, String)> {
    let import = |domain: &str| OperatorSetIdProto { domain: domain.into(), version: Some(1) };
    let model = ModelProto {
        ir_version: Some(8),
        opset_import: vec![import(domain)],
        graph: Some(GraphProto {
            name: "g".into(),
            node: vec![NodeProto { op_type: op_type.into(), domain: domain.into(), ..NodeProto::default() }],
            ..GraphProto::default()
        }),
        ..ModelProto::default()
    };
    let model = Model::of(&model).unwrap();
    let findings = analyse(&model, &Options::default()).unwrap().findings;
    findings.into_iter().map(|found| (found.code, found.help.unwrap_or_default())).collect()
}

#[test]
fn an_operator_is_unknown_only_where_its_domain_is_known() {
    for (domain, compiled, name) in DOMAINS {
        let no_operator = check(domain, "NoSuchOperator");
        let codes: Vec<Code> = no_operator.iter().map(|(code, _)| *code).collect();
        if compiled {
            assert_eq!(codes, [Code::OperatorUnknown], "{domain}");
            assert!(check(domain, name).iter().all(|(code, _)| *code != Code::NoDescriptor), "{domain}::{name}");
        } else {
            assert_eq!(codes, [Code::NoDescriptor], "{domain}");
            let feature = format!("without the feature `{}`", domain.replace('.', "-"));
            for (code, help) in check(domain, name).into_iter().chain(no_operator) {
                assert_eq!(code, Code::NoDescriptor, "{domain}::{name}");
                assert!(help.ends_with(&feature), "{help}");
            }
        }
    }
    assert_eq!(check("com.acme", "Gelu")[0].0, Code::NoDescriptor);
}
