//! The operators of a call: those of the build, of descriptors that the call names, and of functions in Python.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use shape_cli::Specs;
use shape_core::Registry;
use shape_core::runtime::release;

use crate::error;
use crate::rule;

/// The operators of descriptors, with the content that they were read from. What is read lives as long as the process, so
/// that files which did not change are not read again.
static READ: Mutex<Option<HashMap<Content, Registry>>> = Mutex::new(None);

/// The files of descriptors: the name and the bytes of each.
type Content = Vec<(String, Vec<u8>)>;

/// The operators of a call, those of a runtime as one of its releases has them where the call names it.
pub(crate) fn released(py: Python<'_>, specs: &[PathBuf], runtime: Option<&str>) -> PyResult<Registry> {
    let release = runtime.map(release).transpose().map_err(|unknown| error::runtime(py, &unknown.to_string()))?;
    let registry = operators(py, specs)?;
    Ok(if let Some(release) = release { registry.of_release(release) } else { registry })
}

/// The operators of a call.
pub(crate) fn operators(py: Python<'_>, specs: &[PathBuf]) -> PyResult<Registry> {
    let registry = if specs.is_empty() {
        Registry::builtin().clone()
    } else {
        py.detach(|| described(specs)).map_err(|message| error::specs(py, &message))?
    };
    rule::with_functions(py, registry).map_err(|message| error::specs(py, &message))
}

fn described(specs: &[PathBuf]) -> Result<Registry, String> {
    let specs = Specs::read(specs)?;
    let content: Content = specs.files().map(|(name, bytes)| (name.to_owned(), bytes.to_owned())).collect();
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let read = read.get_or_insert_default();
    if let Some(registry) = read.get(&content) {
        return Ok(registry.clone());
    }
    let registry = specs.registry()?;
    read.insert(content, registry.clone());
    Ok(registry)
}
