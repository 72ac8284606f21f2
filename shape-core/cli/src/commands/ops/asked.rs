//! The runtime that is asked about, what it lacks for a model, and which of its releases have all of it.

#[cfg(feature = "pages")]
use std::collections::BTreeSet;

use serde::Serialize;
use shape_core::Registry;
use shape_core::runtime::{RuntimeRelease, release};
use shape_model::{Analysis, ModelFile, NodeUse, Options, analyse};
#[cfg(feature = "pages")]
use shape_specs::manifest::BUILTIN;

use super::gaps::{Gap, Gaps};
use super::hints;
use super::manifest::Support;
use super::releases::{Manifests, Releases};

/// The runtime that is asked about.
pub(super) struct Asked {
    pub(super) support: Support,
    /// The release that is named, or the newest one.
    release: Option<RuntimeRelease>,
    /// The manifests of all releases, where none is named.
    pub(super) manifests: Option<Manifests>,
}

/// Whether conversions are tried, to see what can be done about what is lacking.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hints {
    Tried,
    #[cfg(feature = "pages")]
    None,
}

impl Asked {
    /// The runtime of a manifest in a file.
    pub(super) fn of(support: Support) -> Self {
        Self { support, release: None, manifests: None }
    }

    /// A runtime of this build. Without a release the newest is meant, and it is told which other ones do.
    pub(super) fn named(name: &str) -> Result<Self, String> {
        let support = Support::named(name)?;
        Ok(match release(name) {
            Ok(release) if name.contains('@') => Self { support, release: Some(release), manifests: None },
            Ok(release) => {
                Self { support, release: Some(release), manifests: Some((release.runtime, Support::all(name)?)) }
            }
            Err(_) => Self::of(support),
        })
    }

    /// The operators, those of the runtime as the release that is named has them.
    pub(super) fn registry(&self, registry: &Registry) -> Registry {
        let named = self.release.filter(|_| self.manifests.is_none());
        named.map_or_else(|| registry.clone(), |release| registry.clone().of_release(release))
    }

    /// What the runtime lacks for a model, and which releases have all of it. `registry` is that of [`Asked::registry`].
    pub(super) fn compare<'m>(
        &self,
        usage: &[NodeUse<'m>],
        file: &'m ModelFile,
        analysis: &Analysis<'m>,
        registry: &Registry,
        tried: Hints,
    ) -> (Gaps, Option<Releases>) {
        let (model, released) = (file.model(), analysis.released(file.model(), registry));
        let releases = self
            .manifests
            .as_ref()
            .and_then(|(runtime, all)| Releases::of(runtime, all, usage, analysis, (model, registry), &released));
        let seen = self.support.usage(analysis, model, registry);
        let mut gaps = Gaps::new(&seen, analysis, model, &self.support);
        gaps.name_versions(usage);
        if let Some(release) = self.release {
            gaps.add_needs(&released, &seen, release.number);
        }
        if tried == Hints::Tried {
            hints::add(&mut gaps, &seen, file, registry, &self.support);
        }
        (gaps, releases)
    }
}

/// What a runtime supports of a model.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RuntimeSupport {
    /// The runtime and its release: `onnxruntime-cpu 1.31.1`.
    pub runtime: String,
    /// The first release from which on each known one supports all of the model; `None` if the newest one does not, if the
    /// oldest known one already does, and where a release was asked about.
    pub first: Option<String>,
    /// What of the model not every known release has, each as a sentence.
    pub needs: Vec<String>,
    /// What the runtime lacks.
    pub lacks: Vec<Lack>,
    /// What it may lack: a version or a type is not known.
    pub may_lack: Vec<Lack>,
}

/// What a runtime lacks for a model.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Lack {
    /// `operator`, `version`, `type`, `opset` or `ir_version`; or what of an operator a release does not have: `attribute`,
    /// `input`, `output` or `value`.
    pub kind: &'static str,
    /// The domain of the operator or of the opset; empty for an IR version.
    pub domain: String,
    /// The operator; empty for what is of the model as a whole.
    pub op_type: String,
    /// The version of the operator.
    pub since_version: Option<u32>,
    /// What is lacking, as text.
    pub message: String,
    /// What can be done about it, each as a sentence.
    pub help: Vec<String>,
    /// The nodes, by their indices in [`Analysis::usage`].
    pub nodes: Vec<usize>,
}

impl From<Gap> for Lack {
    fn from(Gap { kind, domain, name, since_version, text, hints, used, .. }: Gap) -> Self {
        let help = hints.into_iter().map(|hint| hint.text).collect();
        Self { kind, domain, op_type: name, since_version, message: text, help, nodes: used }
    }
}

/// What a runtime supports of a model: one of `shape ops --runtimes`, in its newest release or in `NAME@RELEASE`.
///
/// # Errors
/// There is no such runtime or release, or the model has no input or symbol that the options name.
///
/// ```
/// use shape_model::{ModelFile, Options};
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
/// let file = ModelFile::open(path)?;
/// let found = shape_cli::support(&file, &Options::of(&file), "onnxruntime-cpu@1.31.1")?;
/// assert_eq!((&*found.runtime, found.lacks.len()), ("onnxruntime-cpu 1.31.1", 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn support(file: &ModelFile, options: &Options, name: &str) -> Result<RuntimeSupport, String> {
    let asked = Asked::named(name)?;
    let options = Options { registry: asked.registry(&options.registry), ..options.clone() };
    let analysis = analyse(file.model(), &options).map_err(|error| error.to_string())?;
    Ok(found(asked, file, &analysis, &options.registry, Hints::Tried))
}

/// What each runtime whose releases are known supports of a model; nothing is proposed.
#[cfg(feature = "pages")]
pub(crate) fn supports<'m>(
    file: &'m ModelFile,
    analysis: &Analysis<'m>,
    registry: &Registry,
) -> Result<Vec<RuntimeSupport>, String> {
    let runtimes: BTreeSet<&str> = BUILTIN.iter().map(|builtin| builtin.runtime).collect();
    let released = runtimes.into_iter().filter(|name| release(name).is_ok());
    let found = |name| Ok(found(Asked::named(name)?, file, analysis, registry, Hints::None));
    released.map(found).collect()
}

/// What a runtime supports of a model that was analysed with the operators of [`Asked::registry`].
fn found<'m>(
    asked: Asked,
    file: &'m ModelFile,
    analysis: &Analysis<'m>,
    registry: &Registry,
    tried: Hints,
) -> RuntimeSupport {
    let usage = analysis.usage(file.model(), registry);
    let (gaps, releases) = asked.compare(&usage, file, analysis, registry, tried);
    let lacks = |gaps: Vec<Gap>| gaps.into_iter().map(Lack::from).collect();
    let Releases { first, needs, .. } = releases.unwrap_or_default();
    RuntimeSupport {
        runtime: asked.support.label,
        first,
        needs,
        lacks: lacks(gaps.certain),
        may_lack: lacks(gaps.possible),
    }
}
