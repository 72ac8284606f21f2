//! The frame around the content of each page, and the files that pages become.

use askama::Template;
use serde::Serialize;

use super::address;

/// A file of the site.
pub(super) struct File {
    /// Its path from the root of the site, with `/` between folders.
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
}

/// A text that leads to a page.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Link {
    /// The file from the root of the site, with the place in it.
    pub(super) to: String,
    pub(super) text: String,
}

impl Link {
    /// A link to the page of a folder.
    pub(super) fn new(folder: &str, text: impl Into<String>) -> Self {
        Self { to: address::page(folder), text: text.into() }
    }

    /// The same link to a place in the page.
    pub(super) fn at(mut self, place: &str) -> Self {
        self.to = format!("{}#{place}", self.to);
        self
    }
}

/// The frame around the content of a page.
pub(super) struct Frame {
    /// The relative path from the page to the root of the site: `../../`.
    pub(super) root: String,
    pub(super) title: String,
    /// The title for a browser's window, which does not show the site and folder of the page.
    pub(super) window: String,
    /// What the page is about, for search engines.
    pub(super) about: String,
    /// The pages above it.
    pub(super) trail: Vec<Link>,
    /// Whether its facts are beside it as `index.json`.
    pub(super) json: bool,
}

impl Frame {
    pub(super) fn new(folder: impl Into<String>, title: impl Into<String>, about: impl Into<String>) -> Self {
        let folder = folder.into();
        let depth = if folder.is_empty() { 0 } else { folder.split('/').count() };
        let root = "../".repeat(depth);
        let title = title.into();
        let window = title.clone();
        let about = about.into().replace('`', "");
        Self { root, title, window, about, trail: Vec::new(), json: false }
    }

    pub(super) fn below(mut self, trail: impl IntoIterator<Item = Link>) -> Self {
        self.trail.extend(trail);
        self
    }

    /// The same frame with another title for the window.
    pub(super) fn in_window(mut self, title: String) -> Self {
        self.window = title;
        self
    }

    pub(super) fn with_json(mut self) -> Self {
        self.json = true;
        self
    }

    /// The page with this frame.
    pub(super) fn page(folder: &str, page: &impl Template) -> Result<File, String> {
        let path = address::page(folder);
        let text = page.render().map_err(|error| format!("the page {path} cannot be made: {error}"))?;
        Ok(File { path, bytes: text.into_bytes() })
    }
}

/// The facts of a page, beside it.
pub(super) fn facts(folder: &str, facts: &impl Serialize) -> Result<File, String> {
    json(&format!("{folder}/index.json"), facts)
}

/// A file of JSON.
pub(super) fn json(path: &str, value: &impl Serialize) -> Result<File, String> {
    let mut bytes = Vec::new();
    crate::json::write(&mut bytes, value).map_err(|error| format!("the file {path} cannot be made: {error}"))?;
    Ok(File { path: path.to_owned(), bytes })
}
