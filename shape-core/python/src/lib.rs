//! The extension module of the Python package `onnxspec`: a thin shell around `onnxspec-model`.
//!
//! Python has the functions that people call, their documentation and their types; see `python/onnxspec`. What is here takes
//! a model in, lets go of Python's lock while it works, and gives back bytes or plain objects.
//!
//! | module | what it has |
//! |---|---|
//! | `source` | a model from a path or from bytes, which are not copied |
//! | `error` | errors as the exceptions of `onnxspec._errors` |
//! | `finding`, `value`, `node` | what is found in a model, as objects that own what they say |
//! | `registry` | the operators of a call: those of the build, of descriptors, and of functions in Python |
//! | `rule` | functions in Python that infer the outputs of operators |
//! | `view` | a model with sizes for its symbols |
//! | `operations` | the functions that take a model and give one |
//! | `schema` | the versions of operators |
//! | `support` | what a runtime supports of a model |

mod error;
mod finding;
mod node;
mod operations;
mod registry;
mod rule;
mod schema;
mod source;
mod support;
mod value;
mod view;

use pyo3::prelude::*;

/// The module `onnxspec._native`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::finding::{Finding, Place};
    #[pymodule_export]
    use crate::node::Node;
    #[pymodule_export]
    use crate::operations::{check, command, convert, infer, infer_file, simplify};
    #[pymodule_export]
    use crate::rule::{Dim, Input, register, unregister};
    #[pymodule_export]
    use crate::schema::{
        AttrType, Attribute, FormalParameter, FormalParameterOption, OpSchema, SupportType, TypeConstraint,
        all_schemas, newest_opset, schemas,
    };
    #[pymodule_export]
    use crate::support::{Lack, Support};
    #[pymodule_export]
    use crate::value::Value;
    #[pymodule_export]
    use crate::view::View;
}
