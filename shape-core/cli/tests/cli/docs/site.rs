//! The site that most tests look at, written once: with an operator of one's own, whose texts are full of markup.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rayon::prelude::*;
use serde_json::Value as Json;

use super::html::Page;
use crate::run::Folder;

pub(super) struct Site {
    /// Kept, so that the folder lives as long as the tests.
    folder: Folder,
    /// The paths of all files.
    pub(super) files: HashSet<String>,
    pub(super) pages: BTreeMap<String, Page>,
    /// What the command said of it.
    pub(super) report: Json,
}

/// A descriptor whose texts are full of markup, and of characters that do not show.
pub(super) const MARKUP: &str = r#"operator: Markup
domain: com.acme
summary: Gives "it" & <script>alert(1)</script> `<b>`.
details: "A</p><img src=x onerror=alert(1)>\u202Eevil"
sources: [{ id: own, title: "</title><script>alert(2)</script>" }]
versions:
  - since: 1
    sources: [own]
    attributes:
      - { name: mode, type: STRING, default: "\"><svg onload=alert(3)>", doc: "<iframe src=//example.com>" }
    inputs: [{ name: x, type: T, doc: "</td></table><script>alert(4)</script>" }]
    outputs: [{ name: y, type: T, doc: "As `x`, &lt;not an entity&gt;." }]
    types: [{ name: T, allow: [float, "seq(tensor(float))"], doc: "<a href='javascript:alert(5)'>T</a>" }]
  - since: 3
    sources: [own]
    semantics: "Now <marquee>more</marquee>."
    types: [{ name: T, add: [int64] }]
    requires: [{ that: "rank(x) < 9", code: rank-mismatch, doc: "It may not be <u>." }]
errata:
  - { versions: [3], sources: [own], says: "<h1>One</h1>", ruling: "<h1>Another</h1>", examples: [text] }
examples:
  - name: text
    source: own
    inputs: [{ type: float, dims: [N, 3] }]
    attributes: [{ name: mode, value: "<i>" }]
    outputs: [{ type: float, unchecked: "nothing computes <it>" }]
"#;

impl Site {
    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join("site")
    }

    pub(super) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap()
    }

    pub(super) fn json(&self, path: &str) -> Json {
        serde_json::from_str(&self.read(path)).unwrap()
    }

    /// What the command prints with the same descriptors.
    pub(super) fn shape(&self, args: &[&str]) -> Json {
        let run = self.folder.shape(args.iter().chain(&["--specs", "vendor", "--format", "json"]));
        assert_eq!(run.code, 0, "{run:?}");
        run.json()
    }
}

/// A folder with the descriptor.
pub(super) fn vendor() -> Folder {
    let folder = Folder::new();
    folder.write("vendor/com.acme/Markup.yaml", MARKUP);
    folder
}

pub(super) fn site() -> &'static Site {
    static SITE: OnceLock<Site> = OnceLock::new();
    SITE.get_or_init(|| {
        let folder = vendor();
        let run = folder.shape(["docs", "-o", "site", "--specs", "vendor", "--format", "json"]);
        assert_eq!((run.code, &*run.notes), (0, ""), "{run:?}");
        let root = folder.path().join("site");
        let files = files(&root);
        let pages: Vec<&String> = files.iter().filter(|path| path.ends_with(".html")).collect();
        let read = |path: &&String| ((*path).clone(), Page::read(&fs::read_to_string(root.join(path)).unwrap()));
        let pages = pages.par_iter().map(read).collect();
        Site { files, pages, report: run.json(), folder }
    })
}

/// The paths of all files in a folder.
pub(super) fn files(root: &Path) -> HashSet<String> {
    let mut files = HashSet::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{folder}{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() { folders.push(format!("{path}/")) } else { _ = files.insert(path) }
        }
    }
    files
}
