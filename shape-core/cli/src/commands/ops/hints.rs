//! What can be done about what a runtime lacks: another opset, another IR version, another type.

use std::collections::{HashMap, HashSet};

use shape_core::Registry;
use shape_model::file::Model;
use shape_model::{ModelFile, NodeUse, Options, Target, analyse, convert};

use super::gaps::{Gap, Gaps};
use super::hint::Hint;
use super::manifest::Support;

/// The most opsets that a model is converted to, to see what happens.
const MAX_CONVERSIONS: usize = 16;

/// What becomes of the nodes of a model.
struct Outcome {
    /// How many opsets and IR versions of the model itself the runtime does not read.
    of_model: usize,
    /// The outputs of nodes that it does not support, or may not.
    failing: HashSet<String>,
}

impl Outcome {
    fn new(usage: &[NodeUse<'_>], gaps: &Gaps) -> Self {
        let nodes = gaps.certain.iter().chain(&gaps.possible).flat_map(|gap| &gap.used);
        let outputs = nodes.filter_map(|node| usage.get(*node)).flat_map(outputs);
        let of_model = gaps.certain.iter().filter(|gap| gap.used.is_empty()).count();
        Self { of_model, failing: outputs.collect() }
    }
}

fn outputs(node: &NodeUse<'_>) -> Vec<String> {
    node.outputs.iter().filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Adds hints for conversions. Each conversion is tried; its hint is added only if the nodes of the gap then run, and
/// no others fail.
pub(super) fn add(gaps: &mut Gaps, usage: &[NodeUse<'_>], file: &ModelFile, registry: &Registry, support: &Support) {
    let before = Outcome::new(usage, gaps);
    let limits = limits(gaps);
    let mut outcomes = Outcomes { file, registry, support, tried: HashMap::new() };
    for gap in &mut gaps.certain {
        if gap.used.is_empty() {
            if let Some(after) = outcomes.of(&limits)
                && after.of_model == 0
                && after.failing.is_subset(&before.failing)
            {
                let target: Vec<String> = limits.opsets().map(|(domain, opset)| opset_text(domain, opset)).collect();
                let ir_version = limits.to_ir_version().map(|ir_version| format!("IR version {ir_version}"));
                let target: Vec<String> = target.into_iter().chain(ir_version).collect();
                let text = format!("convert to {} and it loads", target.join(" and "));
                gap.hints.push(Hint::convert(&limits, &gap.domain, text));
            }
            continue;
        }
        let nodes: Vec<&NodeUse<'_>> = gap.used.iter().filter_map(|node| usage.get(*node)).collect();
        let needed: Vec<String> = nodes.iter().flat_map(|node| outputs(node)).collect();
        let runs = |after: &&Outcome| {
            after.failing.is_subset(&before.failing) && needed.iter().all(|output| !after.failing.contains(output))
        };
        let opsets = opsets(gap, &nodes, registry, support);
        let found = opsets.iter().find(|opset| {
            let target = limits.clone().opset(&gap.domain, **opset);
            outcomes.of(&target).filter(runs).is_some()
        });
        if let Some(opset) = found {
            let text = format!("convert to {} and it runs", opset_text(&gap.domain, *opset));
            let target = Target::new().opset(&gap.domain, *opset);
            gap.hints.insert(0, Hint::convert(&target, &gap.domain, text));
            continue;
        }
        let versions = registry.operator(&gap.domain, &gap.name);
        let takes = |opset: &&u32| nodes.iter().all(|node| support.takes_at(node, versions, **opset));
        if let Some(opset) = opsets.iter().find(takes) {
            let why = match outcomes.of(&limits.clone().opset(&gap.domain, *opset)) {
                Some(_) => "other nodes, which run now, do not run there",
                None => "the model does not convert to it: `shape convert` says why",
            };
            let text = format!("{} has a version that it runs, but {why}", opset_text(&gap.domain, *opset));
            gap.hints.push(Hint::version(&gap.domain, *opset, text));
        }
    }
}

/// The newest opsets and IR version that the runtime reads, as far as the model has newer ones.
fn limits(gaps: &Gaps) -> Target {
    let newest = |gap: &Gap| gap.supported.first().and_then(|newest| newest.parse::<u32>().ok());
    gaps.certain.iter().filter(|gap| gap.used.is_empty()).fold(Target::new(), |target, gap| {
        match (newest(gap), gap.kind) {
            (Some(newest), "opset") => target.opset(&gap.domain, newest),
            (Some(newest), _) => target.ir_version(newest.into()),
            (None, _) => target,
        }
    })
}

/// The opsets in which the runtime has another version of the operator, the nearest first.
fn opsets(gap: &Gap, nodes: &[&NodeUse<'_>], registry: &Registry, support: &Support) -> Vec<u32> {
    let (Some(since), Some(now)) = (gap.since_version, nodes.first().and_then(|node| node.opset)) else {
        return Vec::new();
    };
    let mut opsets = support.other_opsets(registry.operator(&gap.domain, &gap.name), since);
    let newest = registry.newest_opset(&gap.domain).unwrap_or(u32::MAX);
    opsets.retain(|opset| *opset != now && *opset <= newest);
    opsets.sort_by_key(|opset| opset.abs_diff(now));
    opsets
}

fn opset_text(domain: &str, opset: u32) -> String {
    if domain == "ai.onnx" { format!("opset {opset}") } else { format!("opset {opset} of {domain}") }
}

/// What comes out of conversions of a model, each tried once.
struct Outcomes<'o> {
    file: &'o ModelFile,
    registry: &'o Registry,
    support: &'o Support,
    tried: HashMap<String, Option<Outcome>>,
}

impl Outcomes<'_> {
    /// `None` if the model cannot be converted, or if enough was tried.
    fn of(&mut self, target: &Target) -> Option<&Outcome> {
        let key = format!("{target:?}");
        if !self.tried.contains_key(&key) {
            if self.tried.len() >= MAX_CONVERSIONS {
                return None;
            }
            let outcome = self.converted(target);
            self.tried.insert(key.clone(), outcome);
        }
        self.tried.get(&key)?.as_ref()
    }

    fn converted(&self, target: &Target) -> Option<Outcome> {
        let conversion = convert(self.file, target.clone(), self.registry).ok()?;
        let model: Model = self.file.preview(&conversion.edit).ok()?;
        let options = Options { registry: self.registry.clone(), ..Options::of(self.file) };
        let analysis = analyse(&model, &options).ok()?;
        let usage = self.support.usage(&analysis, &model, self.registry);
        let gaps = Gaps::new(&usage, &analysis, &model, self.support);
        Some(Outcome::new(&usage, &gaps))
    }
}
