//! Constant nodes become initializers.
//!
//! Equal for every value of the symbols, since the tensor is the same.

use super::draft::Draft;
use super::pass::Pass;
use crate::file::proto::TensorProto;
use shape_core::opset::canonical_domain;

pub(super) const CONSTANT_NODES: Pass =
    Pass { name: "constant-nodes", summary: "Constant nodes of the main graph become initializers", run };

fn run(draft: &mut Draft<'_, '_>) -> usize {
    let Some(operator) = draft.operator("constant") else { return 0 };
    let mut count = 0;
    for node in draft.live() {
        let Some(found) = draft.node(node) else { continue };
        let Some(file) = found.file.filter(|file| file.op_type() == operator.name) else { continue };
        let (is_main, value) = (draft.is_main(found.graph), draft.output(node, 0));
        let Some(value) = value.filter(|_| is_main && canonical_domain(file.domain()) == "ai.onnx") else { continue };
        if draft.is_constant_node(value) || !draft.is_read(value) {
            draft.refuse(CONSTANT_NODES.name, node, |_| {
                "an output of the graph, and a constant before IR 4, is a node".to_owned()
            });
            continue;
        }
        let tensor = file.attribute("value").and_then(|attribute| attribute.proto().t);
        let tensor = tensor.map(|tensor| *tensor).or_else(|| super::numbers::tensor(draft.analysis.values.get(value)?));
        let Some(tensor) = tensor.filter(|_| file.attributes().len() == 1) else { continue };
        // Nothing has read the attribute before, but the elements of an initializer are read.
        if let Err(error) = draft.options.external.check(&tensor) {
            draft.refuse(CONSTANT_NODES.name, node, |_| format!("its elements cannot be read: {error}"));
            continue;
        }
        let tensor = TensorProto { name: draft.name(value).to_owned(), ..tensor };
        let what = format!("`{}` is an initializer", tensor.name);
        draft.change(CONSTANT_NODES.name, node, what);
        draft.make_constant(value, tensor);
        draft.remove_unread([node]);
        count += 1;
    }
    count
}
