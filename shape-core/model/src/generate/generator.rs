//! Goes through the versions of operators and makes a case of each in turn.

use fastrand::Rng;
use shape_core::opset::canonical_domain;
use shape_core::registry::Registry;
use shape_core::schema::Schema;

use super::body;
use super::case::Case;
use super::coverage::{Coverage, Goal};
use super::draft::Draft;
use super::invalid;
use super::model::{self, Declaration};
use super::node::Nodes;
use super::search::{Around, Found};
use super::wanted::Wanted;

/// Which models are made.
#[derive(Clone, Debug, Default)]
pub struct GenerateOptions {
    /// The same seed gives the same models.
    pub seed: u64,
    /// The operators, by domain and name, each with a version if only that one is wanted; empty for all.
    pub operators: Vec<(String, String, Option<u32>)>,
    /// The domain; `None` for all.
    pub domain: Option<String>,
    /// The opset of the domain that models import; `None` for any that selects the version. Domains that have no such opset
    /// are left out.
    pub opset: Option<u32>,
    /// Whether each model is wrong in one way.
    pub invalid: bool,
    /// Whether valid models declare all dimensions of the inputs, and those of the outputs that are known; otherwise some are
    /// symbols, and some are not declared. Graphs of several nodes are not asked.
    pub exact: bool,
    /// Which of the valid nodes are wanted; `None` for all.
    pub wanted: Option<Wanted>,
}

impl GenerateOptions {
    pub(super) fn names(&self, registry: &Registry, schema: &Schema) -> bool {
        let of_domain =
            self.domain.as_ref().is_none_or(|domain| canonical_domain(domain) == canonical_domain(schema.domain));
        let named = |(domain, name, since): &(String, String, Option<u32>)| {
            canonical_domain(domain) == canonical_domain(schema.domain)
                && name == schema.name
                && since.is_none_or(|since| since == schema.since_version)
        };
        let of_opset = self.opset.is_none_or(|opset| {
            let is_known = registry.newest_opset(schema.domain).is_some_and(|newest| opset <= newest);
            let selected = registry.resolve(schema.domain, schema.name, opset);
            is_known && selected.is_ok_and(|selected| selected.since_version == schema.since_version)
        });
        of_domain && of_opset && (self.operators.is_empty() || self.operators.iter().any(named)) && !schema.deprecated
    }
}

/// One version, and the opsets that select it and are wanted.
struct Version {
    nodes: Nodes,
    schema: &'static Schema,
    opsets: Vec<u32>,
    /// The operator that returns its input, for bodies.
    passing: Option<&'static Schema>,
    rng: Rng,
    made: usize,
    /// Whether the search for a node failed.
    empty: bool,
}

/// Makes models of one node each: one for each version in turn, again and again.
///
/// The models of a version depend on the seed and on nothing else that is made, so that each can be made again alone.
pub struct Generator {
    registry: Registry,
    versions: Vec<Version>,
    next: usize,
    invalid: bool,
    exact: bool,
    wanted: Option<Wanted>,
}

impl std::fmt::Debug for Generator {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Generator").field("versions", &self.versions.len()).finish_non_exhaustive()
    }
}

/// A seed of its own for each version.
fn seed_of(seed: u64, schema: &Schema) -> u64 {
    let text = schema.domain.bytes().chain([0]).chain(schema.name.bytes()).chain(schema.since_version.to_le_bytes());
    // FNV-1a, which is the same on every machine.
    text.fold(0xcbf2_9ce4_8422_2325 ^ seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl Generator {
    /// A generator of the versions that the options name.
    #[must_use]
    pub fn new(registry: &Registry, options: &GenerateOptions) -> Self {
        let mut versions = Vec::new();
        for all in registry.operators() {
            for (index, schema) in all.iter().copied().enumerate() {
                if !options.names(registry, schema) {
                    continue;
                }
                let newest = registry.newest_opset(schema.domain).unwrap_or(schema.since_version);
                let last = all.get(index + 1).map_or(newest, |next| next.since_version - 1);
                let seed = seed_of(options.seed, schema);
                let (first, last) = options.opset.map_or((schema.since_version, last), |opset| (opset, opset));
                let is_wanted =
                    |opset: &u32| options.wanted.as_ref().is_none_or(|wanted| wanted.accepts_opset(schema, *opset));
                let opsets: Vec<u32> = (first..=last).filter(is_wanted).collect();
                versions.push(Version {
                    nodes: Nodes::new(schema, seed),
                    schema,
                    empty: opsets.is_empty(),
                    opsets,
                    passing: body::passing(registry, model::body_opset(registry, schema, schema.since_version)),
                    rng: Rng::with_seed(seed ^ 1),
                    made: 0,
                });
            }
        }
        let GenerateOptions { invalid, exact, .. } = *options;
        Self { registry: registry.clone(), versions, next: 0, invalid, exact, wanted: options.wanted.clone() }
    }

    /// What the nodes of each version cover so far.
    #[must_use]
    pub fn coverage(&self) -> Vec<Coverage> {
        self.versions.iter().map(|version| version.nodes.coverage()).collect()
    }

    /// The next case that the goal asks for; `None` once each choice, or each pair of them, of each version was tried.
    ///
    /// ```
    /// use shape_core::Registry;
    /// use shape_model::generate::{GenerateOptions, Generator, Goal};
    /// let operators = vec![(String::new(), "Flatten".to_owned(), Some(13))];
    /// let mut generator = Generator::new(Registry::builtin(), &GenerateOptions { operators, ..GenerateOptions::default() });
    /// while generator.next_uncovered(Goal::Choices).is_some() {}
    /// assert!(generator.coverage()[0].choices_made > 20);
    /// ```
    pub fn next_uncovered(&mut self, goal: Goal) -> Option<Case> {
        let is_open = |version: &Version| !version.empty && !version.nodes.is_done(goal);
        while self.versions.iter().any(is_open) {
            let at = self.next % self.versions.len().max(1);
            self.next += 1;
            if self.versions.get(at).is_some_and(is_open)
                && let Some(case) = self.make(at, Some(goal))
            {
                return Some(case);
            }
        }
        None
    }

    /// A case of a version: one that a goal asks for, or any.
    fn make(&mut self, at: usize, goal: Option<Goal>) -> Option<Case> {
        let version = self.versions.get_mut(at)?;
        let passing = version.passing;
        let complete = move |draft: &mut Draft, rng: &mut Rng| {
            if let Some(passing) = passing {
                body::complete(draft, rng, passing);
            }
        };
        // The first and the last opset are where a look-up that is off by one shows.
        let opset = *match version.rng.u8(0..4) {
            0 => version.rng.choice(&version.opsets),
            1 => version.opsets.last(),
            _ => version.opsets.first(),
        }?;
        let wanted = |found: &Found| self.wanted.as_ref().is_none_or(|wanted| wanted.accepts(opset, found));
        let around = Around { complete: &complete, wanted: &wanted };
        let found = match goal {
            Some(goal) => version.nodes.next_open(goal, &around),
            None => version.nodes.next(&around),
        };
        let Some(found) = found else {
            version.empty = version.made == 0;
            return None;
        };
        version.made += 1;
        let schema = version.schema;
        let prefix =
            if canonical_domain(schema.domain) == "ai.onnx" { String::new() } else { format!("{}.", schema.domain) };
        let name = |mark: &str| format!("{prefix}{}_{}_{mark}{}", schema.name, schema.since_version, version.made);
        if self.invalid {
            return invalid::case(&self.registry, &mut version.rng, name("x"), opset, &found, &around);
        }
        let declaration = if self.exact { Declaration::Exact } else { Declaration::draw(&mut version.rng) };
        let choices = version.nodes.choices(&found);
        model::case(&self.registry, &mut version.rng, name(""), opset, &found, (declaration, choices))
    }
}

impl Iterator for Generator {
    type Item = Case;

    /// The next case; `None` if no version has a valid node.
    fn next(&mut self) -> Option<Case> {
        let mut barren = 0;
        while barren <= 4 * self.versions.len() {
            let at = self.next % self.versions.len().max(1);
            self.next += 1;
            if self.versions.get(at).is_some_and(|version| !version.empty)
                && let Some(case) = self.make(at, None)
            {
                return Some(case);
            }
            barren += 1;
        }
        None
    }
}
