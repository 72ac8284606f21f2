//! `shape view`: a page that shows a model.
//!
//! The page asks a [`Session`] about the models that it has open. It does so from the server of this command, or, where
//! `shape-core/web` compiled this crate to WebAssembly, in the browser alone. What `shape infer --html` writes has the
//! answers in it.

mod answers;
mod compare;
mod graphs;
mod named;
mod node;
mod page;
mod question;
#[cfg(not(target_family = "wasm"))]
mod serve;
#[cfg(not(target_family = "wasm"))]
mod server;
mod session;

use std::path::{Path, PathBuf};

use shape_model::ModelFile;

use crate::descriptors::inputs;
use crate::sizes::Sizes;
use named::{name, session};

pub use page::{Engine, html};
#[cfg(not(target_family = "wasm"))]
pub(crate) use serve::{ViewArgs, run};
pub use session::Session;

/// Writes the page with what is known of a model, with sizes: what `shape infer --html` does. `path` is what named the model.
///
/// # Errors
/// Something cannot be read or written, or the model does not have what the sizes name.
pub(crate) fn write_page(
    model: &ModelFile,
    path: &Path,
    sizes: &Sizes,
    output: &Path,
    specs: &[PathBuf],
) -> Result<(), String> {
    let mut session = session(specs)?;
    // The bytes are shared.
    let copy = ModelFile::from_bytes(model.bytes().clone()).map_err(|error| error.to_string())?;
    let held = session.hold(&name(path), copy.with_external(model.external().clone()));
    let page = answers::written_page(&mut session, held, &sizes.json())?;
    let mut inputs = inputs(specs);
    inputs.add(model.data_files());
    inputs.add([path.to_owned()]);
    inputs.write(output, page.as_bytes())
}
