//! Operators in a crate that has onnxspec-core from its packages and nothing else: built-in ones, ones of YAML with a
//! rule of this crate and with a built-in one, and derived ones. All of it without the standard library.

#![no_std]

/// Operators of YAML.
pub mod described {
    onnx::operators!("specs/Stack.yaml", "specs/Extent.yaml");
}

/// The rules of operators of YAML.
pub mod rules {
    use onnx::Dimension;
    use onnx::code::Code;
    use onnx::facts::{Dims, UnknownCause};
    use onnx::problem::{Detail, Problem};
    use onnx::rule::{Done, InputList, Output};

    /// One dimension more, which is as large as there are inputs.
    ///
    /// # Errors
    /// There is no such axis, or the dimensions of the inputs are not known.
    pub fn stack<D: Dimension>(layers: InputList<'_, D>, axis: i64, output: &mut Output<'_, D>) -> Done {
        let dims = layers.iter().find_map(|layer| layer.dims().ok()).ok_or(UnknownCause::Dims(0))?;
        let axis = usize::try_from(axis).ok().filter(|axis| *axis <= dims.len()).ok_or(Problem::Refused {
            code: Code::AxisRange,
            message: "the tensors have no such axis",
            expected: Detail::Text("an axis, or the index behind the last one"),
            found: Detail::Int(axis),
        })?;
        let count = D::from(layers.count() as u64);
        let dim = |at: usize| match at {
            at if at < axis => dims.get(at),
            at if at == axis => Some(&count),
            at => dims.get(at - 1),
        };
        output.dims(Dims::Each(dims.len() + 1, &|at| dim(at).cloned().ok_or(UnknownCause::Dims(0))));
        Ok(())
    }
}

/// Derived operators.
pub mod derived {
    use onnx::facts::{Dims, Inputs, Outputs, UnknownCause};
    use onnx::problem::Problem;
    use onnx::{AttributeEnum, Dimension, Infer, Operator};

    /// Puts copies of a tensor side by side, along a new first axis.
    #[derive(Clone, Debug, PartialEq, Operator)]
    #[operator(
        crate = ::onnx,
        domain = "com.acme",
        since_version = 1,
        types(T: [float16, float, double]),
        inputs(data: T),
        outputs(copies: T)
    )]
    pub struct Copies<'a> {
        /// How many.
        #[attribute(default = 2, values = [2, 3, 4])]
        pub count: i64,
        /// What is done between them.
        #[attribute(default = Between::Nothing)]
        pub between: Between,
        /// Who wants to know.
        pub tag: Option<&'a str>,
    }

    /// What is between two copies.
    #[derive(Clone, Copy, Debug, PartialEq, AttributeEnum)]
    #[attribute(crate = ::onnx, rename_all = "lowercase")]
    pub enum Between {
        /// They touch.
        Nothing,
        /// A line.
        Line,
    }

    impl Infer for Copies<'_> {
        fn infer<D: Dimension>(
            &self,
            inputs: Inputs<'_, D>,
            outputs: &mut dyn Outputs<D>,
        ) -> Result<(), Problem<'static>> {
            let Some(dims) = inputs.required(0).fact.dims else {
                outputs.dims(0, Dims::Unknown(UnknownCause::Dims(0)));
                return Ok(());
            };
            let count = D::from(self.count.unsigned_abs());
            let dim = |at: usize| at.checked_sub(1).map_or(Some(&count), |at| dims.get(at)).cloned();
            outputs.dims(0, Dims::Each(dims.len() + 1, &|at| dim(at).ok_or(UnknownCause::Dims(0))));
            Ok(())
        }
    }
}
