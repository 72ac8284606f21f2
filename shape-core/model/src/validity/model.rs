//! Checks the model as a whole: its versions, its metadata, and all of its graphs.

use std::collections::{HashMap, HashSet};

use super::checker::{Checker, Location};
use super::facts::Facts;
use crate::file::Model;
use crate::file::proto::ModelProto;
use crate::finding::Findings;
use crate::functions::Functions;
use crate::graph::{GraphInfo, NodeAt, graphs};
use crate::options::Options;
use shape_core::code::Code;
use shape_core::opset::Release;
use shape_core::registry::Registry;

/// The errors that make a model invalid; `infos` are its graphs in the order of the analysis.
pub(crate) fn check<'m>(model: &'m Model, infos: &[GraphInfo<'m>], options: &Options) -> Findings {
    checked(model, infos, options).findings
}

/// The lowest IR version that has all that the model uses, as far as it is newer than the first one.
pub(crate) fn needed_ir_version<'m>(model: &'m Model, infos: &[GraphInfo<'m>], options: &Options) -> i64 {
    checked(model, infos, options).needed_ir_version
}

fn checked<'m, 'o>(model: &'m Model, infos: &[GraphInfo<'m>], options: &'o Options) -> Checker<'m, 'o> {
    let functions = Functions::of(model);
    let header = model.header();
    let mut checker = Checker {
        model,
        options,
        ir_version: model.ir_version().unwrap_or(0),
        facts: Facts::of(model, &functions, &options.registry),
        functions,
        configurations: header.configuration.iter().map(|configuration| configuration.name.clone()).collect(),
        findings: Findings::default(),
        newer: HashSet::new(),
        needed_ir_version: 1,
        files: HashMap::new(),
        tensors_in_order: HashSet::default(),
        in_order: HashSet::default(),
        placeholder: None,
    };
    checker.model(&header);
    for graph in graphs(infos, model) {
        checker.graph(graph);
        for (index, node) in graph.nodes.iter().enumerate() {
            checker.node(graph, NodeAt { graph: graph.id, index, node });
        }
    }
    checker.recursion();
    checker.count_files();
    checker.findings.extend(checker.placeholder.take());
    checker.unused(graphs(infos, model));
    checker
}

/// The first release that has an opset, which says the IR version that the opset needs; `None` for a domain that ONNX
/// does not define.
pub(crate) fn ir_version_of_opset(registry: &Registry, domain: &str, opset: i64) -> Option<&'static Release> {
    let has = |release: &&Release| release.newest(domain).is_some_and(|newest| i64::from(newest) >= opset);
    registry.releases().iter().find(has)
}

impl Checker<'_, '_> {
    pub(super) fn model(&mut self, header: &ModelProto) {
        self.versions();
        let model = self.model;
        self.keys(&header.metadata_props, "the metadata of the model", Location::MODEL);
        if !model.functions().is_empty() {
            self.needs(8, "a function of the model", Location::MODEL);
        }
        if !model.training_info().is_empty() {
            self.needs(7, "training", Location::MODEL);
            self.training();
        }
        for configuration in &header.configuration {
            self.configuration(configuration);
        }
    }

    /// Checks the IR version, by itself and against the opsets that were released with it.
    fn versions(&mut self) {
        let releases = self.options.registry.releases();
        let newest = releases.last();
        if let Some(Release { release, ir, .. }) = newest
            && self.ir_version > i64::from(*ir)
        {
            let message = format!("IR version {} is unknown; the newest known one is {ir}", self.ir_version);
            let found = Location::MODEL.finding(Code::IrVersionTooNew, message);
            let found = found.expected(format!("at most {ir}, the newest known (ONNX {release})"));
            self.push(found.found(self.ir_version).help("correct ir_version, or use a newer version of this program"));
        }
        if !self.model.opset_import().is_empty() {
            self.needs(3, "the import of an opset", Location::MODEL);
        }
        let imports = self.functions.imports(None).clone();
        for (domain, version) in imports.iter() {
            let version = i64::from(version);
            let Some(Release { release, ir, .. }) = ir_version_of_opset(&self.options.registry, domain, version) else {
                continue;
            };
            self.needed_ir_version = self.needed_ir_version.max((*ir).into());
            if (3..i64::from(*ir)).contains(&self.ir_version) {
                let message =
                    format!("opset {version} of {domain} needs IR version {ir}; the model has {}", self.ir_version);
                let found = Location::MODEL.finding(Code::IrVersionTooOld, message);
                let found = found.expected(format!("IR version {ir} (ONNX {release}) or later"));
                let found = found.found(format!("IR version {}", self.ir_version));
                self.push(found.help(format!("set ir_version to {ir}, or import an older opset")));
            }
        }
    }
}
