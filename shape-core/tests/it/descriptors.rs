//! The examples of the built-in operators: a test for each version, and a table of all.
//!
//! They are expanded here, and not in onnxspec-core, which would be compiled once more for them.

macro_rules! examples_of {
    ($($(#[$feature:meta])? $module:ident $folder:literal)*) => { $(
        $(#[$feature])?
        pub(crate) mod $module {
            pub(crate) use shape_core::operators::$module::*;

            pub(crate) mod descriptor_examples {
                shape_core::custom_examples!(::shape_core; specs $folder);
            }
        }
    )* };
}

examples_of! {
    ai_onnx "ai.onnx"
    ai_onnx_ml "ai.onnx.ml"
    ai_onnx_preview "ai.onnx.preview"
    ai_onnx_preview_training "ai.onnx.preview.training"
    #[cfg(feature = "com-microsoft")]
    com_microsoft "com.microsoft"
    #[cfg(feature = "com-microsoft-nchwc")]
    com_microsoft_nchwc "com.microsoft.nchwc"
    #[cfg(feature = "com-ms-internal-nhwc")]
    com_ms_internal_nhwc "com.ms.internal.nhwc"
    #[cfg(feature = "onnxruntime-in-onnx")]
    onnxruntime "runtimes/onnxruntime/ai.onnx"
}
