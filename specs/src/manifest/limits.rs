//! The limits of a runtime on valid nodes: relations in the language of `requires`, in a file beside the manifests.
//!
//! ```yaml
//! limits:
//!   - { operators: [LRN], that: "rank(X) == 4", says: the input must have 4 dimensions }
//!   - { operators: [BatchNormalization], versions: [7], that: "spatial == 1", says: each place has no statistics of its own }
//! ```
//!
//! A limit is about the versions that have all that it names. It is there for models that are to run, and may ask for a
//! little more than the runtime does, where the language cannot say it exactly.

use serde::Deserialize;
use shape_yaml::Position;

use crate::de::{self, Spanned};
use crate::error::{Code, DocumentError, SpecError, SpecErrors, located};
use crate::names::suggest;
use crate::operator::{Operator, Requirement, Version};
use crate::relation::Relation;
use crate::rule_check::misfit_claim;
use crate::tables::Tables;

/// The limits of this crate: the runtime, the path within `specs`, and the bytes of the file.
static LIMITS: &[(&str, &str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/limits.rs"));

/// What a finding about a limit would have as its code.
const CODE: &str = "dims-mismatch";

/// What a runtime refuses of nodes that are valid.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct LimitsFile {
    /// What was read or tried, and which release.
    #[serde(rename = "sources")]
    _sources: Vec<String>,
    /// The limits.
    limits: Vec<Spanned<Row>>,
}

/// A limit of operators.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Row {
    /// The operators: `Name`, or `com.acme::Name`.
    operators: Vec<Spanned<String>>,
    /// The versions. Left out: all that have what the relation names.
    versions: Option<Vec<Spanned<u32>>>,
    /// The relation that holds of each node that the runtime takes, as in `requires`.
    that: Spanned<String>,
    /// What is wrong with another node.
    says: String,
}

/// A limit: a relation that a node of an operator must meet for a runtime, in addition to those of the operator itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The domain of the operator.
    pub domain: String,
    /// The name of the operator.
    pub operator: String,
    /// The versions; `None` for all that have each attribute, input and output that the relation names.
    pub versions: Option<Vec<u32>>,
    /// The relation, with what is wrong where it does not hold.
    pub requirement: Requirement,
}

impl Limit {
    /// Whether it is about a version.
    #[must_use]
    pub fn is_about(&self, version: &Version) -> bool {
        let is_listed = self.versions.as_ref().is_none_or(|versions| versions.contains(&version.since));
        let names: Vec<&str> = self.requirement.that.claims().flat_map(|claim| claim.names()).collect();
        is_listed && names.into_iter().all(|name| has(version, name))
    }
}

/// Whether a version has an attribute, an input or an output with a name.
fn has(version: &Version, name: &str) -> bool {
    version.attributes.iter().any(|attribute| attribute.name == name)
        || version.inputs.iter().chain(&version.outputs).any(|parameter| parameter.name == name)
}

/// The limits of a runtime; none for one whose limits are not known.
///
/// # Errors
/// Every error of the file.
///
/// ```
/// let known = shape_specs::builtin()?;
/// let limits = shape_specs::manifest::limits("onnxruntime-cpu", &known)?;
/// let of_lrn = limits.iter().filter(|limit| limit.operator == "LRN");
/// assert!(of_lrn.map(|limit| &*limit.requirement.text).any(|text| text == "rank(X) == 4"));
/// assert!(shape_specs::manifest::limits("acme", &known)?.is_empty());
/// # Ok::<(), shape_specs::SpecErrors>(())
/// ```
pub fn limits(runtime: &str, known: &[Operator]) -> Result<Vec<Limit>, SpecErrors> {
    let files = LIMITS.iter().filter(|(of, ..)| *of == runtime);
    let mut all = Vec::new();
    for (_, file, bytes) in files {
        all.extend(read(file, bytes, known)?);
    }
    Ok(all)
}

/// The operators that the limits of a runtime are about, each by its domain and name.
///
/// # Errors
/// Every error of the structure of the file.
pub fn limited(runtime: &str) -> Result<Vec<(String, String)>, SpecErrors> {
    let mut all = Vec::new();
    for (_, file, bytes) in LIMITS.iter().filter(|(of, ..)| *of == runtime) {
        let root = shape_yaml::parse(bytes).map_err(|error| SpecErrors(vec![SpecError::syntax(file, bytes, error)]))?;
        let rows = de::read::<LimitsFile>(&root).value.map(|file| file.limits).unwrap_or_default();
        let names = rows.iter().flat_map(|row| &row.value.operators).map(|name| path(&name.value));
        all.extend(names.map(|(domain, name)| (domain.to_owned(), name.to_owned())));
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

/// The domain and the name in `com.acme::Name`; the domain of `Name` is `ai.onnx`.
fn path(text: &str) -> (&str, &str) {
    text.rsplit_once("::").unwrap_or(("ai.onnx", text))
}

fn read(file: &str, bytes: &[u8], known: &[Operator]) -> Result<Vec<Limit>, SpecErrors> {
    let root = shape_yaml::parse(bytes).map_err(|error| SpecErrors(vec![SpecError::syntax(file, bytes, error)]))?;
    let tables = Tables::builtin().map_err(Clone::clone)?;
    let de::Read { value, mut errors, .. } = de::read::<LimitsFile>(&root);
    let mut limits = Vec::new();
    for row in value.iter().flat_map(|file| &file.limits) {
        let Row { operators, versions, that, says } = &row.value;
        let relation = match Relation::parse(that) {
            Ok(relation) => relation,
            Err((message, help)) => {
                errors.push(DocumentError::new(that.at, Code::RuleForm, message).maybe_help(help));
                continue;
            }
        };
        // No finding shows where it stands.
        let position = Position { line: 1, column: 1 };
        let requirement = Requirement::new(relation, CODE.to_owned(), says.clone(), position);
        for operator in operators {
            let (domain, name) = path(operator);
            let Some(of) = known.iter().find(|of| of.domain == domain && of.name == name) else {
                let help = suggest(name, known.iter().map(|of| &*of.name));
                let message = format!("{domain} has no operator `{name}`");
                errors.push(DocumentError::new(operator.at, Code::UnknownOperator, message).maybe_help(help));
                continue;
            };
            for since in versions.iter().flatten() {
                if !of.versions.iter().any(|version| version.since == since.value) {
                    let message = format!("{name} has no version {}", since.value);
                    errors.push(DocumentError::new(since.at, Code::UnknownVersion, message));
                }
            }
            let limit = Limit {
                domain: domain.to_owned(),
                operator: name.to_owned(),
                versions: versions.as_ref().map(|versions| versions.iter().map(|since| since.value).collect()),
                requirement: requirement.clone(),
            };
            let meant = |version: &Version| {
                versions.is_none() || limit.versions.iter().flatten().any(|since| *since == version.since)
            };
            let lacking = match versions {
                None => !of.versions.iter().any(|version| limit.is_about(version)),
                Some(_) => of.versions.iter().any(|version| meant(version) && !limit.is_about(version)),
            };
            if lacking {
                let message = format!("{name} has no version with all that `{}` names", that.value);
                let help = "name attributes, inputs and outputs as the descriptor does";
                errors.push(DocumentError::new(that.at, Code::UnknownArgument, message).help(help));
            }
            for version in of.versions.iter().filter(|version| limit.is_about(version)) {
                let mut claims = limit.requirement.that.claims();
                if let Some(misfit) = claims.find_map(|claim| misfit_claim(claim, version, tables)) {
                    let message = format!("{name}-{}: {}", version.since, misfit.message);
                    errors.push(DocumentError::new(that.at, Code::RuleForm, message).help(misfit.help));
                }
            }
            limits.push(limit);
        }
    }
    let errors = located(file, bytes, errors);
    if errors.is_empty() { Ok(limits) } else { Err(SpecErrors(errors)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_of_this_crate_are_about_versions_that_there_are() {
        let known = crate::builtin().unwrap();
        assert!(!LIMITS.is_empty());
        for (runtime, ..) in LIMITS {
            assert!(super::super::named(runtime).is_ok(), "{runtime} has limits and no manifest");
            let limits = limits(runtime, &known).unwrap_or_else(|errors| panic!("{errors}"));
            let named = limited(runtime).unwrap();
            assert!(limits.iter().all(|limit| named.contains(&(limit.domain.clone(), limit.operator.clone()))));
        }
    }

    #[test]
    fn what_there_is_not_is_refused() {
        let known = crate::builtin().unwrap();
        let of = |row: &str| {
            let text = format!("sources: []\nlimits: [{row}]");
            read("limits.yaml", text.as_bytes(), &known).unwrap_err().0[0].code
        };
        assert_eq!(of("{ operators: [Lrn], that: size == 1, says: odd }"), "unknown-operator");
        assert_eq!(of("{ operators: [LRN], versions: [2], that: size == 1, says: odd }"), "unknown-version");
        assert_eq!(of("{ operators: [LRN], that: sizes == 1, says: odd }"), "unknown-argument");
        assert_eq!(of("{ operators: [LRN], that: size, says: odd }"), "rule-form");
        assert_eq!(of("{ operators: [LRN], that: size is odd, says: odd }"), "rule-form");
    }
}
