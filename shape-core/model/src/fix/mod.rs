//! Repairs a model where there is one right answer.
//!
//! A fix answers findings of some codes; the table `FIXES` lists all of them. Each is tried by itself: the model that it gives is
//! checked in memory, and a fix that brings an error, or that leaves what it is for, is not made. Fixes are repeated until
//! nothing changes, so that a second call has nothing to do.

mod compose;
mod context;
mod declarations;
mod duplicate_import;
mod initializers;
mod ir_version;
mod missing_import;
mod names;
mod order;
mod places;
mod result;

use std::borrow::Cow;
use std::collections::HashMap;

use crate::check::{check, checked, new_findings};
use crate::file::{Model, ModelFile};
use crate::finding::Finding;
use crate::functions::Functions;
use crate::graph::{GraphAt, graphs};
use crate::options::{Options, OptionsError};
use crate::suggestion::{Safety, Suggestion};
use context::{Changes, Context};
use places::Places;
use shape_core::code::{Code, Severity};

pub use result::{Fix, Fixing};

/// A kind of fix.
struct Fixer {
    /// The codes of the findings that it answers.
    codes: &'static [Code],
    safety: Safety,
    /// Finds what it can repair, and adds the changes. Its documentation says why the model computes the same.
    find: fn(&Context<'_, '_>, &mut Changes),
}

impl Fixer {
    fn answers(&self, found: &Finding) -> bool {
        self.codes.contains(&found.code)
    }
}

const fn safe(codes: &'static [Code], find: fn(&Context<'_, '_>, &mut Changes)) -> Fixer {
    Fixer { codes, safety: Safety::Safe, find }
}

const fn needs_a_look(codes: &'static [Code], find: fn(&Context<'_, '_>, &mut Changes)) -> Fixer {
    Fixer { codes, safety: Safety::Unsafe, find }
}

/// All fixes, in the order in which they are made: what the types of values depend on first.
static FIXES: [Fixer; 16] = [
    safe(&[Code::ValueUndefined], order::sort),
    safe(&[Code::OpsetDuplicate], duplicate_import::same),
    needs_a_look(&[Code::OpsetDuplicate], duplicate_import::other),
    safe(&[Code::DomainNotImported, Code::OpsetMissing], missing_import::add),
    safe(&[Code::FieldMissing], names::of_graphs),
    safe(&[Code::NodeNameDuplicate], names::of_nodes),
    safe(&[Code::ValueRedefined], initializers::twice),
    safe(&[Code::FieldMissing], initializers::unnamed),
    safe(&[Code::InitializerUnused], initializers::unused),
    safe(&[Code::ValueInfoUnused], declarations::unused),
    safe(&[Code::OutputType, Code::OutputDims, Code::DimsFixed, Code::DimsRenamed], declarations::contradicting),
    needs_a_look(&[Code::OutputType, Code::OutputDims, Code::DimsFixed, Code::DimsRenamed], declarations::outputs),
    safe(&[Code::DimsMinusOne], declarations::minus_one),
    needs_a_look(&[Code::DimsMinusOne], declarations::minus_one_of_interface),
    safe(&[Code::IrVersionTooOld, Code::InitializerNotInput], ir_version::raise),
    needs_a_look(&[Code::IrVersionTooOld, Code::InitializerNotInput], ir_version::raise_past_3),
];

/// The most steps, of which each makes all fixes of a kind. Each takes away findings, so that few steps are made.
const MAX_STEPS: usize = 64;

/// Repairs a model, as far as there is one right answer. With [`Safety::Unsafe`], what a reader of the model sees may
/// change too: the declared type of an output, say. What is computed by the format stays the same either way.
///
/// Nothing is written: [`ModelFile::rewrite`] writes [`Fixing::edit`].
///
/// # Errors
/// The options name an input or a symbol that the model does not have.
///
/// ```
/// use shape_model::file::Message;
/// use shape_model::file::proto::{GraphProto, ModelProto, NodeProto, OperatorSetIdProto, ValueInfoProto};
/// use shape_model::fix::fix;
/// use shape_model::{ModelFile, Options, Safety};
/// let node = |input: &str, output: &str| NodeProto {
///     op_type: "Relu".to_owned(),
///     input: vec![input.to_owned()],
///     output: vec![output.to_owned()],
///     ..NodeProto::default()
/// };
/// let value = |name: &str| ValueInfoProto { name: name.to_owned(), ..ValueInfoProto::default() };
/// let graph = GraphProto {
///     name: "g".to_owned(),
///     node: vec![node("b", "c"), node("a", "b")],
///     input: vec![value("a")],
///     output: vec![value("c")],
///     ..GraphProto::default()
/// };
/// let import = OperatorSetIdProto { domain: String::new(), version: Some(17) };
/// let model = ModelProto {
///     ir_version: Some(8),
///     opset_import: vec![import],
///     graph: Some(graph),
///     ..ModelProto::default()
/// };
/// let file = ModelFile::from_bytes(model.encode_to_vec().into())?;
/// let fixing = fix(&file, &Options::of(&file), Safety::Safe)?;
/// assert_eq!(fixing.fixes.len(), 1);
/// assert_eq!(fixing.fixes[0].message, "sorts the nodes, of which 2 of 2 get other places");
/// let fixed = file.preview(&fixing.edit)?;
/// assert_eq!(fixed.graph().unwrap().nodes().first().unwrap().outputs().first(), Some("b"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fix(file: &ModelFile, options: &Options, allowed: Safety) -> Result<Fixing, OptionsError> {
    fix_codes(file, options, allowed, &|_| true)
}

/// Does what [`fix`] does for findings of some codes alone: those for which `wanted` is true.
///
/// # Errors
/// The same as for [`fix`].
///
/// ```
/// use shape_model::fix::fix_codes;
/// use shape_model::{ModelFile, Options, Safety};
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
/// let file = ModelFile::open(path)?;
/// let fixing = fix_codes(&file, &Options::of(&file), Safety::Unsafe, &|code| code.name() != "initializer-unused")?;
/// assert!(fixing.fixes.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fix_codes(
    file: &ModelFile,
    options: &Options,
    allowed: Safety,
    wanted: &dyn Fn(Code) -> bool,
) -> Result<Fixing, OptionsError> {
    let nothing = Fixing { findings: check(file.model(), options)?, ..Fixing::default() };
    let (mut fixing, model) = repaired(file, options, (&nothing, file.model()), (allowed, wanted));
    if allowed < Safety::Unsafe && fixing.findings.iter().any(|found| FIXES.iter().any(|fixer| fixer.answers(found))) {
        let (further, _) = repaired(file, options, (&fixing, &model), (Safety::Unsafe, wanted));
        let left = further.left();
        let suggestions = fixing.findings.iter().map(|found| match left.contains_key(&fixing.key(found)) {
            true => None,
            false => answer(&further.fixes, fixing.key(found), found).map(|fix| suggestion(fix, Safety::Unsafe)),
        });
        let suggestions: Vec<Option<Suggestion>> = suggestions.collect();
        for (found, suggestion) in fixing.findings.iter_mut().zip(suggestions) {
            found.fix = suggestion;
        }
    }
    Ok(fixing)
}

/// Goes on from what was made before, and from the model that this gave.
fn repaired<'m>(
    file: &'m ModelFile,
    options: &'m Options,
    (before, model): (&Fixing, &'m Model),
    (allowed, wanted): (Safety, &'m dyn Fn(Code) -> bool),
) -> (Fixing, Cow<'m, Model>) {
    // A fix may show a declaration that is wrong, which another one then corrects. If none does, it is not made.
    for pass_declarations in [true, false] {
        let model = Cow::Borrowed(model);
        let (made, model) =
            State { file, options, wanted, pass_declarations, made: before.clone(), model }.run(allowed);
        if new_findings(errors(&before.findings), errors(&made.findings).cloned()).is_empty() {
            return (made, model);
        }
    }
    (before.clone(), Cow::Borrowed(model))
}

/// Gives each finding that [`fix`] would remove its [`fix`](Finding::fix). The findings are those that
/// [`check`](fn@crate::check) has of the model with the same options.
///
/// ```
/// use shape_model::fix::suggest;
/// use shape_model::{ModelFile, Options, check};
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
/// let (file, options) = (ModelFile::open(path)?, Options::default());
/// let mut findings = check(file.model(), &options)?;
/// suggest(&file, &options, &mut findings);
/// assert!(findings.iter().all(|found| found.fix.is_none()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn suggest(file: &ModelFile, options: &Options, findings: &mut [Finding]) {
    if !findings.iter().any(|found| FIXES.iter().any(|fixer| fixer.answers(found))) {
        return;
    }
    let Ok(fixing) = fix(file, options, Safety::Safe) else { return };
    let left = fixing.left();
    for found in findings {
        let key = (found.code, &*found.graph, &*found.message);
        found.fix = match left.get(&key) {
            Some(suggestion) => suggestion.cloned(),
            None => answer(&fixing.fixes, key, found).map(|fix| suggestion(fix, Safety::Safe)),
        };
    }
}

/// What tells findings apart: the code, the graph in the original model, and the message.
type Key<'k> = (Code, &'k str, &'k str);

impl Fixing {
    /// What tells a finding about the repaired model from others.
    fn key<'k>(&'k self, found: &'k Finding) -> Key<'k> {
        (found.code, self.original(&found.graph), &found.message)
    }

    /// The findings that are left, with their fixes.
    fn left(&self) -> HashMap<Key<'_>, Option<&Suggestion>> {
        self.findings.iter().map(|found| (self.key(found), found.fix.as_ref())).collect()
    }
}

/// A safe fix may need an unsafe one beside it.
fn suggestion(fix: &Fix, safety: Safety) -> Suggestion {
    Suggestion { safety, message: fix.message.clone() }
}

/// The fix of a finding.
fn answer<'f>(fixes: &'f [Fix], (code, graph, _): Key<'_>, found: &Finding) -> Option<&'f Fix> {
    let is_around =
        |outer: &str| graph.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let answers = |fix: &&Fix| fix.code == code && (fix.graph.is_empty() || is_around(&fix.graph));
    let texts = || [Some(&found.message), found.expected.as_ref(), found.found.as_ref()].into_iter().flatten();
    let names = |fix: &&Fix| !fix.subject.is_empty() && texts().any(|text| text.contains(&fix.subject));
    let answers = || fixes.iter().rev().filter(answers);
    answers().find(names).or_else(|| answers().next())
}

fn errors(findings: &[Finding]) -> impl Iterator<Item = &Finding> {
    findings.iter().filter(|found| found.severity() == Severity::Error)
}

/// A model that is being repaired.
struct State<'f> {
    file: &'f ModelFile,
    options: &'f Options,
    /// Whether to fix findings with a code.
    wanted: &'f dyn Fn(Code) -> bool,
    /// Whether a fix may cause errors, if they are only of declarations.
    pass_declarations: bool,
    made: Fixing,
    /// The model that the fixes give.
    model: Cow<'f, Model>,
}

impl<'f> State<'f> {
    /// Makes fixes until each was tried on what the others left.
    fn run(mut self, allowed: Safety) -> (Fixing, Cow<'f, Model>) {
        let fixers: Vec<&Fixer> = FIXES.iter().filter(|fixer| fixer.safety <= allowed).collect();
        let mut first = 0;
        for _ in 0..MAX_STEPS {
            let Some((used, made, model)) = self.step(fixers.iter().copied().cycle().skip(first).take(fixers.len()))
            else {
                break;
            };
            first = (first + used) % fixers.len();
            (self.made, self.model) = (made, Cow::Owned(model));
        }
        (self.made, self.model)
    }

    /// Makes the first fix that can be made: what it gives, and the number of those that were tried.
    fn step<'t>(&self, fixers: impl Iterator<Item = &'t Fixer>) -> Option<(usize, Fixing, Model)> {
        let mut fixers = (1..).zip(fixers).filter(|(_, fixer)| self.count(fixer, &self.made.findings) > 0).peekable();
        fixers.peek()?;
        let model = &*self.model;
        let analysis = checked(model, self.options).ok()?;
        let graphs: Vec<GraphAt<'_, '_>> = graphs(&analysis.graphs, model).collect();
        let (functions, places) = (Functions::of(model), Places::of(&graphs, &self.made.edit));
        fixers.find_map(|(tried, fixer)| {
            let context = Context {
                file: self.file,
                options: self.options,
                model,
                analysis: &analysis,
                graphs: &graphs,
                functions: &functions,
                made: &self.made.edit,
                places: &places,
                safety: fixer.safety,
            };
            let mut changes = Changes::default();
            (fixer.find)(&context, &mut changes);
            let (made, model) = self.after(fixer, changes)?;
            Some((tried, made, model))
        })
    }

    /// The number of wanted findings that a fixer answers.
    fn count(&self, fixer: &Fixer, findings: &[Finding]) -> usize {
        let answered = findings.iter().filter(|found| fixer.answers(found) && (self.wanted)(found.code));
        answered.map(|found| 1 + found.more).sum()
    }

    /// What is there after some changes; `None` if there are none, or if they bring an error or leave what they are for.
    fn after(&self, fixer: &Fixer, changes: Changes) -> Option<(Fixing, Model)> {
        if changes.fixes.is_empty() {
            return None;
        }
        let edit = compose::then(&self.made.edit, &changes.edit);
        let model = self.file.preview(&edit).ok()?;
        let analysis = checked(&model, self.options).ok()?;
        let graphs: Vec<GraphAt<'_, '_>> = graphs(&analysis.graphs, &model).collect();
        let paths = Places::of(&graphs, &edit).changed(&graphs);
        let findings: Vec<Finding> = analysis.findings.into();
        let new = new_findings(errors(&self.made.findings), errors(&findings).cloned());
        let brings_errors = new.iter().any(|found| found.prevents_edits() || !self.pass_declarations);
        if brings_errors || self.count(fixer, &findings) >= self.count(fixer, &self.made.findings) {
            return None;
        }
        let fixes = self.made.fixes.iter().cloned().chain(changes.fixes).collect();
        Some((Fixing { fixes, edit, findings, paths }, model))
    }
}
