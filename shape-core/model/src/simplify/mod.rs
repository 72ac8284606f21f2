//! Simplifies a model: removes computations that it does not need.
//!
//! A [`Pass`] is a kind of rewrite, and beside each stands why the model computes the same after it, for every value of its
//! symbols. Passes run over a draft of the model until none changes anything; then the changed model is analysed, and they
//! run again, since an analysis may find more in it. What comes out is a fixed point: simplified again it is the same file.
//!
//! No rewrite changes a number that a run computes. Arithmetic on floats is never reordered, and no two operators are fused
//! into another one.
//!
//! **Architecture Invariant.** Passes know rules, and no operator: what a node does with the elements of its inputs is what
//! its rule says ([`Outputs::elements_of`](shape_core::facts::Outputs::elements_of)).

mod branches;
mod constant_nodes;
mod constants;
mod draft;
mod initializers;
mod merged;
mod no_effect;
mod numbers;
mod operator;
mod pass;
mod passes;
mod result;
mod same;
mod shapes;
mod sizes;
mod targets;
mod unused;

use crate::analysis::{Analysis, analyse};
use crate::file::{EditedFile, Model, ModelEdit, ModelFile};
use crate::finding::Finding;
use crate::functions::Functions;
use crate::options::Options;
use branches::BRANCHES;
use draft::Draft;
use shape_core::code::Code;
use unused::UNUSED;

use constants::CONSTANTS;
pub use pass::Pass;
pub use passes::PASSES;
pub use result::{Change, NotSimplified, Refusal, Simplification, Size};
use sizes::declarations;
pub(crate) use sizes::{Unfit, analyse_with_sizes};

/// How often a model is analysed at most, so that a fault of a pass cannot keep it busy; each analysis lets the passes run to a fixed point.
const MAX_ROUNDS: usize = 16;

/// How often the passes run over one draft at most.
const MAX_SWEEPS: usize = 32;

/// What [`simplify`] does.
#[derive(Clone, Debug)]
pub struct SimplifyOptions {
    /// The options of the analysis. With sizes, the simplified model is valid for these only, and its inputs and outputs
    /// declare them. What a run must have to succeed is not assumed, whatever they say: a model may have less to compute, but
    /// never accepts other inputs.
    pub analysis: Options,
    /// The passes, of [`PASSES`]; they run in the order of that list.
    pub passes: Vec<Pass>,
    /// The largest constant that takes the place of a computed value, in bytes. Elements of tensors with up to
    /// [`MAX_ELEMENTS`](crate::MAX_ELEMENTS) elements are computed at all.
    pub max_constant: usize,
    /// Whether to say why nodes are left as they are: [`Simplification::refusals`].
    pub refusals: bool,
}

impl SimplifyOptions {
    /// All passes, for a model that was opened from a file.
    #[must_use]
    pub fn of(file: &ModelFile) -> Self {
        Self { analysis: Options::of(file), passes: PASSES.to_vec(), max_constant: 1 << 20, refusals: false }
    }
}

/// Simplifies a model.
///
/// # Errors
/// The options do not fit the model, the model has errors other than in declarations, which are not what it computes; or the
/// result cannot be written.
///
/// ```
/// use shape_model::{ModelFile, SimplifyOptions, simplify};
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
/// let file = ModelFile::open(path)?;
/// let simplified = simplify(&file, &SimplifyOptions::of(&file))?;
/// assert!(simplified.after.nodes < simplified.before.nodes);
/// // The Reshape to (batch, seq, 4, 16) has a constant target now.
/// assert!(simplified.changes.iter().any(|change| change.what.ends_with("is written as [0, 0, 4, 16]")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn simplify<'f>(file: &'f ModelFile, options: &SimplifyOptions) -> Result<Simplification<'f>, NotSimplified> {
    simplify_with(file, options, &mut |_, _| {})
}

/// Does what [`simplify`] does, and reports the round and the name of each pass before it runs.
///
/// # Errors
/// The same as for [`simplify`].
pub fn simplify_with<'f>(
    file: &'f ModelFile,
    options: &SimplifyOptions,
    progress: &mut dyn FnMut(usize, &'static str),
) -> Result<Simplification<'f>, NotSimplified> {
    let mut edited = EditedFile::of(file);
    let mut analysis_options = Options { assume: false, declared: false, ..options.analysis.clone() };
    let before = Size::of(file.model());
    let (mut changes, mut refusals, mut removed) = (Vec::new(), Vec::new(), (0, 0));
    let mut initializers = 0;
    for round in 0..MAX_ROUNDS {
        progress(round, "analysis");
        let (mut edit, mut found, refused, unread) = {
            let analysis = analyse_with_sizes(edited.model(), &analysis_options)?;
            check(&analysis, round)?;
            one_round(edited.model(), &analysis, options, &analysis_options, &mut |pass| progress(round, pass))
        };
        refusals = refused;
        initializers += unread;
        if found.is_empty() && has(options, UNUSED) {
            let (functions, imports) = unused::parts(edited.model(), &mut edit, &mut found);
            removed = (removed.0 + functions, removed.1 + imports);
        }
        let is_done = edit == ModelEdit::default();
        changes.extend(found);
        // The model that is written declares the sizes.
        (analysis_options.symbols, analysis_options.inputs) = (Vec::new(), Vec::new());
        if is_done {
            break;
        }
        edited.edit(&edit)?;
        if round + 1 == MAX_ROUNDS {
            check(&analyse(edited.model(), &analysis_options)?, MAX_ROUNDS)?;
        }
    }
    let after = Size::of(edited.model());
    Ok(Simplification {
        edited,
        changes,
        before,
        after,
        functions: removed.0,
        imports: removed.1,
        initializers,
        refusals,
    })
}

fn has(options: &SimplifyOptions, pass: Pass) -> bool {
    options.passes.contains(&pass)
}

/// Refuses a model with errors; after the first round, they are those of a rewrite.
fn check(analysis: &Analysis<'_>, round: usize) -> Result<(), NotSimplified> {
    let errors = || analysis.findings.iter().filter(|found| prevents(found));
    if errors().next().is_none() {
        return Ok(());
    }
    Err(match round {
        0 => NotSimplified::Refused(analysis.findings.clone().into()),
        _ => NotSimplified::Broken(errors().cloned().collect::<Vec<Finding>>()),
    })
}

/// Whether a finding prevents rewrites, because they would rely on what it reports as wrong. Of the outputs of an
/// operator that is not known nothing is concluded, and a runtime may have it.
pub(crate) fn prevents(found: &Finding) -> bool {
    found.prevents_edits() && found.code != Code::OperatorUnknown
}

/// What the passes change in a model as it is.
fn one_round<'m>(
    model: &'m Model,
    analysis: &Analysis<'m>,
    options: &SimplifyOptions,
    analysis_options: &Options,
    progress: &mut dyn FnMut(&'static str),
) -> (ModelEdit, Vec<Change>, Vec<Refusal>, usize) {
    if has(options, BRANCHES) && model.training_info().is_empty() {
        progress(BRANCHES.name);
        let functions = Functions::of(model);
        let ir_version = model.ir_version().unwrap_or(0);
        let (mut edit, changes) =
            branches::inline(analysis, functions.imports(None), &analysis_options.registry, ir_version);
        if !changes.is_empty() {
            edit.graph.declarations = declarations(analysis, analysis_options);
            return (edit, changes, Vec::new(), 0);
        }
    }
    let mut draft = Draft::of(model, analysis, analysis_options, options.max_constant);
    draft.refusals = options.refusals.then(Default::default);
    run(&mut draft, &options.passes, progress);
    let (mut edit, _) = draft.write();
    edit.graph.declarations = declarations(analysis, analysis_options);
    let refusals = draft.take_refusals();
    (edit, draft.changes, refusals, draft.unread_initializers)
}

/// Runs passes over a draft until none changes anything.
fn run(draft: &mut Draft<'_, '_>, passes: &[Pass], progress: &mut dyn FnMut(&'static str)) {
    for _ in 0..MAX_SWEEPS {
        let mut count = 0;
        for pass in PASSES.iter().filter(|pass| passes.contains(pass)) {
            progress(pass.name);
            count += (pass.run)(draft);
        }
        if count == 0 {
            break;
        }
    }
}

/// What replacing known values by constants changes in a model.
pub(crate) struct Folded {
    /// The values that became constants, by their indices in [`Analysis::values`].
    pub(crate) constants: Vec<u32>,
    /// The number of removed nodes, including those replaced by constants.
    pub(crate) nodes: usize,
    /// The number of removed initializers.
    pub(crate) initializers: usize,
    pub(crate) edit: ModelEdit,
}

/// Replaces known values by constants, once.
pub(crate) fn fold_constants<'m>(model: &'m Model, analysis: &Analysis<'m>, options: &Options) -> Folded {
    let mut draft = Draft::of(model, analysis, options, usize::MAX);
    (CONSTANTS.run)(&mut draft);
    let (mut edit, written) = draft.write();
    edit.graph.declarations = declarations(analysis, options);
    Folded { constants: draft.read_constants(), nodes: written.nodes, initializers: written.initializers, edit }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::Message as _;
    use crate::file::proto::{AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto};
    use crate::file::proto::{DimensionValue, TensorShapeProto, TensorType, TypeProto, TypeValue, ValueInfoProto};

    fn value(name: &str, element: i32, dims: &[&str]) -> ValueInfoProto {
        let dim = |dim: &&str| crate::file::proto::Dimension {
            value: Some(DimensionValue::DimParam((*dim).to_owned())),
            ..Default::default()
        };
        let shape = Some(TensorShapeProto { dim: dims.iter().map(dim).collect() });
        let ty = TypeValue::TensorType(TensorType { elem_type: Some(element), shape });
        let ty = TypeProto { value: Some(ty), ..TypeProto::default() };
        ValueInfoProto { name: name.to_owned(), r#type: Some(ty), ..ValueInfoProto::default() }
    }

    fn node(op_type: &str, inputs: &[&str], output: &str) -> NodeProto {
        NodeProto {
            op_type: op_type.to_owned(),
            input: inputs.iter().map(|input| (*input).to_owned()).collect(),
            output: vec![output.to_owned()],
            ..NodeProto::default()
        }
    }

    /// Each round costs an analysis: one finds what there is to do, a second one that there is no more.
    #[test]
    fn rounds_end_with_the_first_that_changes_nothing() {
        let branch = |name: &str| {
            let graph = GraphProto {
                name: name.to_owned(),
                node: vec![node("Identity", &["x"], "t"), node("Sin", &["t"], name)],
                output: vec![value(name, 1, &["N"])],
                ..GraphProto::default()
            };
            AttributeProto { r#type: Some(5), g: Some(Box::new(graph)), ..AttributeProto::default() }
        };
        let attribute = vec![
            AttributeProto { name: "then_branch".to_owned(), ..branch("a") },
            AttributeProto { name: "else_branch".to_owned(), ..branch("b") },
        ];
        let graph = GraphProto {
            name: "g".to_owned(),
            node: vec![NodeProto { attribute, ..node("If", &["c"], "y") }],
            input: vec![value("x", 1, &["N"]), value("c", 9, &[])],
            output: vec![value("y", 1, &["N"])],
            ..GraphProto::default()
        };
        let model = ModelProto {
            ir_version: Some(8),
            opset_import: vec![OperatorSetIdProto { domain: String::new(), version: Some(17) }],
            graph: Some(graph),
            ..ModelProto::default()
        };
        let file = ModelFile::from_bytes(model.encode_to_vec().into()).unwrap();
        let mut rounds = 0;
        let simplified =
            simplify_with(&file, &SimplifyOptions::of(&file), &mut |round, _| rounds = rounds.max(round + 1)).unwrap();
        assert_eq!((rounds, simplified.before.nodes, simplified.after.nodes), (2, 5, 3));
    }
}
