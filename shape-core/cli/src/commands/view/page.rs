//! The page as one file: the HTML, with its style and its modules in it.
//!
//! A module is a `data:` URL in an import map, so that the file works from a disk, where modules in files of their own are
//! not loaded.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

/// What answers the questions of the page.
#[derive(Clone, Debug)]
pub enum Engine<'a> {
    /// The WebAssembly of `shape-core/web`, compressed by gzip, in base64.
    Worker {
        /// The text.
        wasm: &'a str,
    },
    /// The server at this path.
    Server {
        /// The path, which ends with a slash.
        url: &'a str,
    },
    /// Answers that are in the page: `data-engine.js` says which.
    Data {
        /// The answers.
        data: Value,
    },
}

/// The place of the style and the modules in the HTML.
const PLACE: &str = "<!-- page -->";

const HTML: &str = include_str!("../../../page/index.html");
const STYLE: &str = include_str!("../../../page/style.css");
/// What the layout library asks of each copy.
const LICENCE: &str = include_str!("../../../page/vendor/dagre.LICENSE");

/// The files of the page that are modules.
macro_rules! modules {
    ($($name:literal)*) => { &[$(($name, include_str!(concat!("../../../page/", $name)))),*] };
}

const MODULES: &[(&str, &str)] = modules! {
    "actions.js" "colour.js" "compare.js" "data-engine.js" "dims.js" "dom.js" "drawing.js" "edit-page.js" "engine.js" "files.js"
    "filter.js" "findings.js" "graph-svg.js" "layout-worker.js" "layout.js" "lookup.js" "lost.js" "main.js" "model.js"
    "neighbours.js" "node-panel.js" "operator-page.js" "pages.js" "panel.js" "parts.js" "picture.js" "row.js"
    "server-engine.js" "session.js" "state.js" "summary.js" "symbols.js" "table.js" "views.js" "why.js"
    "worker-engine.js" "worker.js" "zoom.js" "vendor/dagre.js"
};

/// What a URL need not escape; less would make the page three times as long.
const PLAIN: AsciiSet = NON_ALPHANUMERIC
    .remove(b' ')
    .remove(b'(')
    .remove(b')')
    .remove(b';')
    .remove(b',')
    .remove(b'.')
    .remove(b':')
    .remove(b'=')
    .remove(b'{')
    .remove(b'}')
    .remove(b'[')
    .remove(b']')
    .remove(b'*')
    .remove(b'/')
    .remove(b'_')
    .remove(b'-')
    .remove(b'!')
    .remove(b'$')
    .remove(b'?')
    .remove(b'+')
    .remove(b'|');

/// The page with what answers its questions, as the text of an HTML file that needs no other.
///
/// ```
/// use shape_cli::page::{Engine, html};
/// let page = html(&Engine::Server { url: "/" });
/// assert!(page.starts_with("<!doctype html>") && page.contains(r#"{"engine":"server","url":"/"}"#));
/// ```
#[must_use]
pub fn html(engine: &Engine<'_>) -> String {
    let modules = MODULES.iter().map(|(name, text)| {
        let url = format!("data:text/javascript;charset=utf-8,{}", utf8_percent_encode(text, &PLAIN));
        (format!("page/{name}"), Value::from(url))
    });
    let imports = json!({ "imports": modules.collect::<serde_json::Map<_, _>>() });
    let config = match engine {
        Engine::Worker { wasm } => json!({ "engine": "worker", "wasm": wasm }),
        Engine::Server { url } => json!({ "engine": "server", "url": url }),
        Engine::Data { data } => json!({ "engine": "data", "data": data }),
    };
    let parts = format!(
        "<!-- The module page/vendor/dagre.js is @dagrejs/dagre:\n\n{LICENCE}-->\n\
         <style>\n{STYLE}</style>\n<script type=\"importmap\">{}</script>\n\
         <script type=\"application/json\" id=\"page-config\">{}</script>\n\
         <script type=\"module\">import \"page/main.js\"</script>",
        in_script(&imports),
        in_script(&config)
    );
    HTML.replacen(PLACE, &parts, 1)
}

/// JSON in which no character can end the script that it is in.
fn in_script(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// A module that is not in the list would be missed by those that import it, but only in a browser.
    #[test]
    fn every_module_of_the_folder_is_in_the_list() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut found = BTreeSet::new();
        for part in ["", "vendor/"] {
            for entry in std::fs::read_dir(folder.join(part)).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                if name.ends_with(".js") {
                    found.insert(format!("{part}{name}"));
                }
            }
        }
        assert_eq!(MODULES.iter().map(|(name, _)| (*name).to_owned()).collect::<BTreeSet<_>>(), found);
    }

    /// A comment that ends early would leave its rest on the page.
    #[test]
    fn the_licence_is_a_comment_as_a_whole() {
        let page = html(&Engine::Server { url: "/" });
        let comment = &page[page.find("<!--").unwrap()..page.find("-->").unwrap()];
        assert!(comment.contains("Copyright (c)") && comment.trim_end().ends_with("SOFTWARE."), "{comment}");
    }

    #[test]
    fn what_a_model_says_ends_no_script() {
        let page = html(&Engine::Data { data: json!({ "name": "</script><script>alert(1)</script>" }) });
        assert!(page.contains("\\u003c/script>\\u003cscript>alert(1)"));
        assert_eq!(page.matches("</script>").count(), 3);
    }
}
