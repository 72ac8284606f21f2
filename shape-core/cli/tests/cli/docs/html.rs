//! Reads pages: what they link to, and what can be linked to in them.

use std::collections::{BTreeMap, HashMap, HashSet};

use html5gum::{Token, Tokenizer};

/// What a test looks at in a page.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// The elements, each with its attributes, in their order.
    pub(super) elements: Vec<(String, HashMap<String, String>)>,
    /// The text, without that of elements which show none.
    pub(super) text: String,
    pub(super) title: String,
}

impl Page {
    pub(super) fn read(html: &str) -> Self {
        let mut page = Self::default();
        let mut in_title = false;
        for token in Tokenizer::new(html) {
            let Ok(token) = token;
            match token {
                Token::StartTag(tag) => {
                    let name = text(&tag.name);
                    in_title = name == "title";
                    let attributes = tag.attributes.iter().map(|(name, value)| (text(name), text(value)));
                    page.elements.push((name, attributes.collect()));
                }
                Token::EndTag(_) => in_title = false,
                Token::String(string) if in_title => page.title.push_str(&text(&string)),
                Token::String(string) => page.text.push_str(&text(&string)),
                Token::Error(error) => panic!("{error:?}: {html}"),
                Token::Comment(_) | Token::Doctype(_) => {}
            }
        }
        page
    }

    pub(super) fn count(&self, name: &str) -> usize {
        self.elements.iter().filter(|(element, _)| element == name).count()
    }

    /// The values of an attribute, in whatever elements.
    pub(super) fn values(&self, attribute: &str) -> impl Iterator<Item = &str> {
        self.elements.iter().filter_map(move |(_, attributes)| attributes.get(attribute)).map(String::as_str)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The links of pages that lead nowhere: to a file that is not there, or to a place that its page does not have.
/// `files` are the paths of all files, of which `pages` are pages.
pub(super) fn broken(files: &HashSet<String>, pages: &BTreeMap<String, Page>) -> Vec<String> {
    let places = |page: &Page| page.values("id").map(str::to_owned).collect::<HashSet<String>>();
    let places: HashMap<&str, HashSet<String>> = pages.iter().map(|(path, page)| (&**path, places(page))).collect();
    let mut broken = Vec::new();
    for (path, page) in pages {
        for to in page.values("href").chain(page.values("src")).filter(|to| *to != "data:,") {
            let (file, place) = to.split_once('#').unwrap_or((to, ""));
            let target = if file.is_empty() { Some(path.clone()) } else { resolved(path, file) };
            let is_there = target.is_some_and(|target| {
                let has_place = places.get(&*target).is_some_and(|places| places.contains(place));
                files.contains(&target) && (place.is_empty() || has_place)
            });
            if !is_there {
                broken.push(format!("{path}: {to}"));
            }
        }
    }
    broken
}

/// The file that a relative link names; none if it leads out of the site.
fn resolved(from: &str, link: &str) -> Option<String> {
    let mut folder: Vec<&str> = from.split('/').collect();
    folder.pop();
    for part in link.split('/') {
        match part {
            ".." => _ = folder.pop()?,
            part => folder.push(part),
        }
    }
    Some(folder.join("/"))
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let page = |html: &str| ("a/b/index.html".to_owned(), Page::read(html));
    let files = HashSet::from(["a/b/index.html".to_owned(), "site.css".to_owned()]);
    let found = |html: &str| broken(&files, &BTreeMap::from([page(html)]));
    assert!(
        found("<a href='../../site.css'>a</a><p id=x><a href='#x'>b</a><a href='../b/index.html#x'>c</a>").is_empty()
    );
    for wrong in ["../site.css", "#y", "../b/index.html#y", "../../../site.css", "https://example.com/", "index.json"] {
        assert_eq!(found(&format!("<p id=x><a href='{wrong}'>a</a>")), [format!("a/b/index.html: {wrong}")]);
    }
}
