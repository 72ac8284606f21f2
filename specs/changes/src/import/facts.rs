//! Reads the facts of a release of the onnx package or of onnxruntime, as `specs/facts/dump.py` writes them.

use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use shape_specs::document::{AttributeKind, Literal, ParameterOption, SupportLevel};
use shape_specs::operator::{Attribute, Parameter, ParameterType, Range, TypeConstraint, Version, arity};
use shape_specs::tables::{Release, ReleaseNumber, Runtime, Tables, Type};

/// The version of the file format; newer ones are refused.
pub const FACTS_VERSION: u32 = 1;

/// The facts of all operator versions that a release of a package registers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// The version of the file format: [`FACTS_VERSION`].
    pub facts_version: u32,
    /// The package that was asked.
    #[serde(default = "onnx")]
    pub package: String,
    /// Its release.
    pub release: String,
    /// The next release, where these are only what it has otherwise: [`Facts::before`] makes them whole.
    pub before: Option<String>,
    /// What the next release brings: `com.acme::Gelu-1`.
    #[serde(default)]
    pub later: Vec<String>,
    /// The newest IR version that it supports; only of the onnx package, as are the opsets.
    pub ir: Option<u32>,
    /// The newest opset of `ai.onnx` that it supports.
    pub opset: Option<u32>,
    /// The newest opset of `ai.onnx.ml` that it supports.
    pub ml: Option<u32>,
    /// The distinct lists of types, each type as ONNX writes it.
    pub type_sets: Vec<Vec<String>>,
    /// The operator versions, sorted by domain, name and version.
    pub operators: Vec<VersionFacts>,
}

/// The facts of an operator version.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are those of `shape ops --format json`, and of ONNX")]
pub struct VersionFacts {
    pub domain: String,
    pub name: String,
    pub since_version: u32,
    #[serde(default)]
    pub deprecated: bool,
    #[serde(default)]
    pub support_level: Level,
    #[serde(default)]
    pub has_function: bool,
    #[serde(default)]
    pub has_shape_inference: bool,
    #[serde(default = "yes")]
    pub deterministic: bool,
    #[serde(default)]
    pub other_attributes: bool,
    pub min_input: u32,
    pub max_input: u32,
    pub min_output: u32,
    pub max_output: u32,
    pub inputs: Vec<ParameterFacts>,
    pub outputs: Vec<ParameterFacts>,
    pub attributes: Vec<AttributeFacts>,
    pub types: Vec<TypeFacts>,
}

/// The support level in ONNX's spelling.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "the names are ONNX's own")]
pub enum Level {
    #[default]
    Common,
    Experimental,
}

/// A formal parameter.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are those of `shape ops --format json`, and of ONNX")]
pub struct ParameterFacts {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: String,
    #[serde(default)]
    pub option: ParameterOption,
    #[serde(default = "yes")]
    pub homogeneous: bool,
    #[serde(default = "one")]
    pub min_arity: u32,
}

/// An attribute.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are those of `shape ops --format json`, and of ONNX")]
pub struct AttributeFacts {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: AttributeKind,
    #[serde(default)]
    pub required: bool,
    #[serde(default)]
    pub default: Option<Literal>,
}

/// A type variable.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeFacts {
    /// Its name.
    pub name: String,
    /// The index of its types in [`Facts::type_sets`].
    pub allow: usize,
}

/// The package whose facts name none.
pub(super) const ONNX: &str = "onnx";

fn onnx() -> String {
    ONNX.to_owned()
}

fn yes() -> bool {
    true
}

fn one() -> u32 {
    1
}

impl Facts {
    /// The release of ONNX that they are of; `None` for another package.
    pub(super) fn onnx_release(&self) -> Option<Release> {
        let Self { release, ir, opset, ml, .. } = self;
        Some(Release { release: release.clone(), ir: (*ir)?, opset: (*opset)?, ml: (*ml)? })
    }

    /// The facts of the release before, of which `older` is what it has otherwise.
    ///
    /// ```
    /// use shape_changes::import::Facts;
    /// let newer: Facts = serde_json::from_str(
    ///     r#"{ "facts_version": 1, "release": "2.0", "type_sets": [["tensor(bool)"]], "operators": [{
    ///         "domain": "com.acme", "name": "Flip", "since_version": 1, "min_input": 0, "max_input": 0, "inputs": [],
    ///         "min_output": 0, "max_output": 0, "outputs": [], "attributes": [], "types": [] }] }"#,
    /// )?;
    /// let older: Facts = serde_json::from_str(
    ///     r#"{ "facts_version": 1, "release": "1.0", "before": "2.0", "later": ["com.acme::Flip-1"], "type_sets": [],
    ///         "operators": [] }"#,
    /// )?;
    /// assert!(newer.before(older).operators.is_empty());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn before(&self, mut older: Self) -> Self {
        let path = |of: &VersionFacts| format!("{}::{}-{}", of.domain, of.name, of.since_version);
        let own: HashSet<String> = older.operators.iter().map(path).chain(older.later.drain(..)).collect();
        // The indices of its type lists count on behind those of the newer release.
        for constraint in older.operators.iter_mut().flat_map(|operator| &mut operator.types) {
            constraint.allow += self.type_sets.len();
        }
        older.operators.extend(self.operators.iter().filter(|of| !own.contains(&path(of))).cloned());
        older.type_sets.splice(0..0, self.type_sets.iter().cloned());
        older.before = None;
        older
    }

    /// The runtime that they are of, and the number of its release; `None` for those of ONNX.
    pub(super) fn runtime_release<'t>(&self, tables: &'t Tables) -> Option<(&'t Runtime, ReleaseNumber)> {
        let runtime = tables.runtimes.iter().find(|known| known.runtime == self.package)?;
        Some((runtime, self.release.parse().ok()?))
    }

    /// The full version, in the form of a descriptor.
    ///
    /// # Errors
    /// Facts that are not supported, such as a type that is not in `types.yaml`.
    pub(super) fn version(&self, facts: &VersionFacts, source: &str, tables: &Tables) -> Result<Version, Vec<String>> {
        let mut wrong = Vec::new();
        let types: Vec<TypeConstraint> = (facts.types.iter())
            .map(|constraint| TypeConstraint {
                name: constraint.name.clone(),
                allow: self.types(constraint, tables, &mut wrong),
                group: None,
                unused: !facts.inputs.iter().chain(&facts.outputs).any(|parameter| parameter.ty == constraint.name),
                doc: String::new(),
            })
            .collect();
        let mut parameters = |list: &[ParameterFacts]| {
            list.iter().map(|facts| parameter(facts, &types, tables, &mut wrong)).collect::<Vec<_>>()
        };
        let (inputs, outputs) = (parameters(&facts.inputs), parameters(&facts.outputs));
        for (what, list, said) in [
            ("inputs", &inputs, (facts.min_input, facts.max_input)),
            ("outputs", &outputs, (facts.min_output, facts.max_output)),
        ] {
            let (lower_bound, upper_bound) = arity(list);
            let bound = |count: Option<usize>| {
                count.and_then(|count| u32::try_from(count).ok()).map_or(UNBOUNDED, |count| count.min(UNBOUNDED))
            };
            let by_list = (bound(Some(lower_bound)), bound(upper_bound));
            if by_list != said {
                let ((from, to), (min, max)) = (by_list, said);
                wrong.push(format!("it takes {min} to {max} {what}, and by the list of them {from} to {to}"));
            }
        }
        let version = Version {
            since: facts.since_version,
            release: None,
            earlier: Vec::new(),
            line: 0,
            summary: String::new(),
            details: String::new(),
            sources: vec![source.to_owned()],
            deprecated: facts.deprecated,
            function: facts.has_function,
            support_level: match facts.support_level {
                Level::Common => SupportLevel::Common,
                Level::Experimental => SupportLevel::Experimental,
            },
            shape_inference: facts.has_shape_inference,
            deterministic: facts.deterministic,
            other_attributes: facts.other_attributes,
            subgraphs: None,
            semantics: None,
            adapter: None,
            attributes: facts.attributes.iter().map(attribute).collect(),
            inputs,
            outputs,
            types,
            exclusive: Vec::new(),
            requires: Vec::new(),
            rules: Vec::new(),
        };
        if wrong.is_empty() { Ok(version) } else { Err(wrong) }
    }

    fn types(&self, constraint: &TypeFacts, tables: &Tables, wrong: &mut Vec<String>) -> Vec<Type> {
        let Some(set) = self.type_sets.get(constraint.allow) else {
            wrong.push(format!("there is no type set {}", constraint.allow));
            return Vec::new();
        };
        let mut types = Vec::new();
        for text in set {
            match tables.parse_type(text) {
                Ok(ty) => types.push(ty),
                Err((message, help)) => {
                    let help = help.map(|help| format!("; {help}")).unwrap_or_default();
                    wrong.push(format!("{message}{help}; a new element type is added to types.yaml by hand"));
                }
            }
        }
        types.sort();
        types
    }
}

/// ONNX's value for no bound.
const UNBOUNDED: u32 = 2_147_483_647;

fn parameter(facts: &ParameterFacts, types: &[TypeConstraint], tables: &Tables, wrong: &mut Vec<String>) -> Parameter {
    let ty = match types.iter().position(|constraint| constraint.name == facts.ty) {
        Some(variable) => ParameterType::Variable(variable),
        None => match tables.parse_type(&facts.ty) {
            Ok(ty) => ParameterType::Fixed(ty),
            Err((message, _)) => {
                wrong.push(format!("{message}, and it has no such type variable"));
                ParameterType::Unknown
            }
        },
    };
    let ParameterFacts { name, option, homogeneous, min_arity, .. } = facts;
    let (name, doc) = (name.clone(), String::new());
    Parameter { name, ty, option: *option, homogeneous: *homogeneous, min_arity: *min_arity, doc }
}

fn attribute(facts: &AttributeFacts) -> Attribute {
    let AttributeFacts { name, kind, required, default } = facts;
    Attribute {
        name: name.clone(),
        kind: *kind,
        required: *required,
        default: default.clone(),
        values: Vec::new(),
        range: Range::default(),
        legacy: LEGACY.contains(&&**name),
        doc: String::new(),
    }
}

/// Attributes of early opsets that told a runtime which buffers it may overwrite. ONNX dropped them without notice.
const LEGACY: [&str; 1] = ["consumed_inputs"];

/// An error in facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactsError {
    /// The operator version, if the error is about one: `ai.onnx::Resize-11`.
    pub operator: Option<String>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for FactsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(operator) = &self.operator {
            write!(formatter, "{operator}: ")?;
        }
        formatter.write_str(&self.message)
    }
}
