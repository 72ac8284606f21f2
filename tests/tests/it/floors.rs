//! The floors of each crate, as ARCHITECTURE.md draws them: a module imports only from the floors below its own, and no
//! files import each other in a circle but those that the document names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, iter};

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Attribute, Item, UseTree};

/// A module by its path from the root of its crate.
type Module = Vec<String>;

/// The files of a crate, by the modules that they are.
struct Crate {
    files: BTreeMap<Module, String>,
    /// The modules from which each module takes something.
    imports: BTreeMap<Module, BTreeSet<Module>>,
}

impl Crate {
    fn read(source: &Path) -> Self {
        let mut files = BTreeMap::new();
        list(source, &mut Vec::new(), &mut files);
        let mut all = Self { files, imports: BTreeMap::new() };
        let modules: Vec<Module> = all.files.keys().cloned().collect();
        for module in modules {
            let text = fs::read_to_string(source.join(&all.files[&module])).unwrap();
            let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", all.files[&module]));
            let mut paths = Vec::new();
            collect(&file.items, 0, &mut paths);
            let imports = paths.iter().filter_map(|(depth, path)| all.resolve(&module, *depth, path));
            let imports = imports.filter(|import| *import != module).collect();
            all.imports.insert(module, imports);
        }
        all
    }

    /// The module whose file a path leads to, seen from so many inline modules inside of a module.
    fn resolve(&self, module: &Module, depth: usize, path: &[String]) -> Option<Module> {
        let (first, mut rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => Vec::new(),
            "self" if depth == 0 => module.clone(),
            "super" => {
                let above = 1 + rest.iter().take_while(|segment| *segment == "super").count();
                rest = &rest[above - 1..];
                // Inline modules lie in the same file.
                module[..module.len().saturating_sub(above.saturating_sub(depth))].to_vec()
            }
            // A module of this one's own: the beginning of a path in `use`.
            child if depth == 0 => {
                let own: Module = module.iter().cloned().chain([child.to_owned()]).collect();
                self.files.contains_key(&own).then_some(())?;
                own
            }
            _ => return None,
        };
        for segment in rest {
            at.push(segment.clone());
            if !self.files.contains_key(&at) {
                at.pop();
                break;
            }
        }
        Some(at)
    }

    /// The groups of modules that import each other, but for the root, which shows what all have.
    fn circles(&self) -> Vec<BTreeSet<&Module>> {
        let reach: BTreeMap<&Module, BTreeSet<&Module>> =
            self.imports.keys().map(|module| (module, self.reachable(module))).collect();
        let mut circles: Vec<BTreeSet<&Module>> = Vec::new();
        for (module, others) in &reach {
            if others.contains(module) && !circles.iter().any(|circle| circle.contains(module)) {
                circles.push(others.iter().copied().filter(|other| reach[*other].contains(module)).collect());
            }
        }
        circles
    }

    fn reachable<'s>(&'s self, from: &Module) -> BTreeSet<&'s Module> {
        let (mut found, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(module) = open.pop() {
            for import in self.imports.get(module).into_iter().flatten().filter(|import| !import.is_empty()) {
                if found.insert(import) {
                    open.push(import);
                }
            }
        }
        found
    }
}

/// All files of source code but those of tests.
fn list(folder: &Path, module: &mut Module, files: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if name == "tests" {
            continue;
        }
        if path.is_dir() {
            module.push(name);
            list(&path, module, files);
            module.pop();
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let is_face = matches!(name.as_str(), "mod" | "lib" | "main");
            let own = module.iter().cloned().chain((!is_face).then_some(name));
            let folders = module.iter().map(String::as_str).chain(path.file_name().unwrap().to_str());
            files.insert(own.collect(), folders.collect::<Vec<_>>().join("/"));
        }
    }
}

/// The paths in items, each with the number of inline modules around it.
fn collect(items: &[Item], depth: usize, paths: &mut Vec<(usize, Vec<String>)>) {
    for item in items {
        match item {
            Item::Mod(module) if is_test(&module.attrs) => {}
            Item::Mod(module) => {
                if let Some((_, items)) = &module.content {
                    collect(items, depth + 1, paths);
                }
            }
            Item::Use(item) if is_test(&item.attrs) => {}
            Item::Use(item) => trees(&item.tree, &mut Vec::new(), depth, paths),
            Item::Fn(item) if is_test(&item.attrs) => {}
            Item::Impl(item) if is_test(&item.attrs) => {}
            item => tokens(item.to_token_stream(), depth, paths),
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    let mut conditions = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    conditions.any(|attribute| attribute.to_token_stream().to_string().contains("test"))
}

fn trees(tree: &UseTree, before: &mut Vec<String>, depth: usize, paths: &mut Vec<(usize, Vec<String>)>) {
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            trees(&path.tree, before, depth, paths);
            before.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| trees(tree, before, depth, paths)),
        UseTree::Name(name) => paths.push((depth, before.iter().cloned().chain([name.ident.to_string()]).collect())),
        UseTree::Rename(name) => paths.push((depth, before.iter().cloned().chain([name.ident.to_string()]).collect())),
        UseTree::Glob(_) => paths.push((depth, before.clone())),
    }
}

/// The paths among tokens that begin with `crate`, `super` or `self`.
fn tokens(stream: TokenStream, depth: usize, paths: &mut Vec<(usize, Vec<String>)>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let is_colon = |at: usize| matches!(trees.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    let ident = |at: usize| match trees.get(at) {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    };
    // What is quoted is code of another crate, and `pub(in path)` imports nothing.
    let is_foreign = |at: usize, group: &Group| {
        let is_quote = at > 1 && matches!(ident(at - 2).as_deref(), Some("quote" | "quote_spanned"));
        let is_visibility = at > 0
            && ident(at - 1).as_deref() == Some("pub")
            && matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(first)) if first == "in");
        is_quote || is_visibility
    };
    for (at, tree) in trees.iter().enumerate() {
        // What a macro writes stands where it is called.
        let is_written = at > 0 && matches!(&trees[at - 1], TokenTree::Punct(punct) if punct.as_char() == '$');
        match tree {
            _ if is_written => {}
            TokenTree::Group(group) if is_foreign(at, group) => {}
            TokenTree::Group(group) => tokens(group.stream(), depth, paths),
            TokenTree::Ident(first) if first == "crate" || first == "super" || first == "self" => {
                let segments = (1..).map_while(|index: usize| {
                    let place = at + 3 * index;
                    (is_colon(place - 2) && is_colon(place - 1)).then(|| ident(place)).flatten()
                });
                let path: Vec<String> = iter::once(first.to_string()).chain(segments).collect();
                // A macro stands at the root of its crate, wherever it is written.
                let behind = trees.get(at + 3 * (path.len() - 1) + 1);
                let is_macro = matches!(behind, Some(TokenTree::Punct(punct)) if punct.as_char() == '!');
                if path.len() > 1 && !is_macro {
                    paths.push((depth, path));
                }
            }
            _ => {}
        }
    }
}

/// The blocks of ARCHITECTURE.md that begin with a word, each with the crate that it names and its lines.
fn blocks<'d>(document: &'d str, word: &str) -> Vec<(&'d str, Vec<&'d str>)> {
    let begin = format!("```{word} ");
    let mut blocks = Vec::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix(begin.as_str()) {
            blocks.push((name, lines.by_ref().take_while(|line| *line != "```").collect()));
        }
    }
    blocks
}

#[test]
fn imports_lead_down() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let document = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let floors = blocks(&document, "floors");
    let recursions = blocks(&document, "recursion");
    let mut wrong = Vec::new();
    assert!(floors.len() >= 5, "the crates with floors: {floors:?}");
    for (name, lines) in floors {
        let all = Crate::read(&root.join(name));
        // The highest floor stands first.
        let floor: BTreeMap<&str, usize> = lines
            .iter()
            .rev()
            .enumerate()
            .flat_map(|(floor, line)| line.split_whitespace().map(move |module| (module, floor)))
            .collect();
        let modules: BTreeSet<&str> =
            all.files.keys().filter_map(|module| module.first()).map(String::as_str).collect();
        for module in &modules {
            if !floor.contains_key(module) {
                wrong.push(format!("{name}: `{module}` stands on no floor of ARCHITECTURE.md"));
            }
        }
        for module in floor.keys().filter(|module| !modules.contains(*module)) {
            wrong.push(format!("{name}: ARCHITECTURE.md has a floor for `{module}`, which is no module"));
        }
        for (module, imports) in &all.imports {
            let Some(own) = module.first() else { continue };
            for import in imports {
                let Some(other) = import.first() else {
                    wrong.push(format!("{name}/{}: imports from the root of its crate", all.files[module]));
                    continue;
                };
                if own != other && floor.get(other.as_str()) >= floor.get(own.as_str()) {
                    wrong.push(format!(
                        "{name}/{}: imports `{other}`, which does not lie below `{own}`",
                        all.files[module]
                    ));
                }
            }
        }
        let allowed: Vec<BTreeSet<&str>> = recursions
            .iter()
            .filter(|(of, _)| *of == name)
            .flat_map(|(_, lines)| lines.iter().map(|line| line.split_whitespace().collect()))
            .collect();
        let circles: Vec<BTreeSet<&str>> = all
            .circles()
            .iter()
            .map(|circle| circle.iter().map(|module| all.files[*module].as_str()).collect())
            .collect();
        for circle in circles.iter().filter(|circle| !allowed.contains(circle)) {
            wrong.push(format!("{name}: these files import each other: {circle:?}"));
        }
        for circle in allowed.iter().filter(|circle| !circles.contains(circle)) {
            wrong.push(format!("{name}: ARCHITECTURE.md names a recursion that there is not: {circle:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
