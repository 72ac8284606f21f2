//! Checks of the model as a whole.

use super::arguments::Arguments;
use super::outcome::{Outcome, fail, named, pass};
use super::subject::Subject;
use crate::usage::UsedOperator;
use shape_core::code::Severity;
use shape_core::registry::Missing;

/// The model has no finding that is an error.
pub(super) fn onnx(subject: &Subject<'_, '_>, _: &Arguments) -> Outcome {
    let errors = subject.facts.analysis.findings.iter().filter(|finding| finding.severity() == Severity::Error);
    let count = errors.clone().map(|finding| 1 + finding.more).sum();
    let mut codes: Vec<&str> = errors.map(|finding| finding.code.name()).collect();
    codes.sort_unstable();
    codes.dedup();
    match count {
        0 => pass("no error was found"),
        1 => fail(format!("an error was found: {}", named(&codes))),
        count => fail(format!("{count} errors were found: {}", named(&codes))),
    }
}

/// The model has no graphs for training.
pub(super) fn no_training(subject: &Subject<'_, '_>, _: &Arguments) -> Outcome {
    match subject.facts.model.training_info().len() {
        0 => pass("the model has no training graphs"),
        count => fail(format!("the model has {count} entries in `training_info`")),
    }
}

/// The model imports an opset, and its imports select a version for each node.
pub(super) fn imports(subject: &Subject<'_, '_>, _: &Arguments) -> Outcome {
    let Some(used) = subject.operator() else {
        let imports = &subject.facts.model.opset_import();
        if imports.is_empty() {
            return fail("the model imports no opset");
        }
        let domain = |domain: &str| if domain.is_empty() { "ai.onnx".to_owned() } else { domain.to_owned() };
        let silent = imports.iter().filter(|import| import.version.is_none_or(|version| version < 1));
        let silent: Vec<String> = silent.map(|import| domain(&import.domain)).collect();
        if !silent.is_empty() {
            return fail(format!("the imports of these domains have no version: {}", named(&silent)));
        }
        let all = imports.iter().map(|import| format!("{} {}", domain(&import.domain), import.version.unwrap_or(0)));
        return pass(format!("the model imports {}", named(&all.collect::<Vec<_>>())));
    };
    match used.operator {
        UsedOperator::Version(schema) if subject.facts.model.opset_import().is_empty() => {
            fail(format!("no import selects {}-{}", schema.name, schema.since_version))
        }
        UsedOperator::Version(schema) => pass(format!("{}-{} is in force", schema.name, schema.since_version)),
        UsedOperator::Function => pass("the node calls a model-local function, whose nodes are judged"),
        UsedOperator::NotImported => fail(format!("the domain `{}` is not imported", used.domain)),
        UsedOperator::Missing(Missing::OpsetTooNew { newest }) => {
            fail(format!("the model imports an opset newer than {newest}, the newest known one"))
        }
        UsedOperator::Missing(Missing::OperatorTooNew { since }) => {
            fail(format!("the operator needs opset {since}; the model imports an older one"))
        }
        UsedOperator::Missing(Missing::ReleaseTooOld { first }) => fail(format!("the operator exists from {first} on")),
        UsedOperator::Missing(Missing::NoDescriptor) => fail("the operator has no descriptor"),
    }
}
