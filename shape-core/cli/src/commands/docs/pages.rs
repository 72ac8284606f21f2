//! Collects all files of the site: each page, its JSON, the search index and the styles.

use std::collections::HashMap;

use rayon::prelude::*;
use serde::Serialize;

use super::frame::{File, json};
use super::site::Site;
use super::{address, codes, domain, errata, operator, opset, profile, rules, runtimes, search, types, viewer};
use crate::commands::show::{Shown, json as shown_json};
use crate::json::SCHEMA_VERSION;

/// What all pages share: how they look, and the search.
const ASSETS: [(&str, &str); 2] = [
    ("site.css", include_str!("../../../templates/docs/site.css")),
    ("site.js", include_str!("../../../templates/docs/site.js")),
];

/// What makes some of the files.
type Make = fn(&Site<'_>) -> Result<Vec<File>, String>;

/// The pages that are about more than one operator or domain.
const OTHERS: [Make; 11] = [
    domain::index,
    opset::releases,
    types::files,
    codes::files,
    profile::files,
    rules::files,
    runtimes::files,
    errata::files,
    search::files,
    viewer::files,
    facts,
];

/// Makes all files, sorted by their paths.
pub(super) fn all(site: &Site<'_>) -> Result<Vec<File>, String> {
    check_domains(site)?;
    let operators: Vec<_> = site.all().collect();
    let domains = site.domains();
    let (of_operators, (of_domains, others)) = rayon::join(
        || operators.par_iter().map(|of| operator::files(site, of)).collect::<Result<Vec<_>, String>>(),
        || {
            rayon::join(
                || {
                    let of = |domain: &&str| {
                        let mut files = domain::files(site, domain)?;
                        files.extend(opset::files(site, domain)?);
                        Ok(files)
                    };
                    domains.par_iter().map(of).collect::<Result<Vec<_>, String>>()
                },
                || OTHERS.par_iter().map(|files| files(site)).collect::<Result<Vec<_>, String>>(),
            )
        },
    );
    let assets = ASSETS.map(|(path, text)| File { path: path.to_owned(), bytes: text.as_bytes().to_vec() });
    let parts = [of_operators?, of_domains?, others?, vec![Vec::from(assets)]];
    let mut files: Vec<File> = parts.into_iter().flatten().flatten().collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    check_paths(&files)?;
    Ok(files)
}

/// Fails if a domain cannot have a folder of its own.
fn check_domains(site: &Site<'_>) -> Result<(), String> {
    for operator in &site.operators {
        let domain = &*operator.domain;
        let taken = address::TAKEN.iter().any(|taken| taken.eq_ignore_ascii_case(domain));
        if taken || domain.bytes().all(|byte| byte == b'.') {
            let why = if taken { "which the site has for its own pages" } else { "which is no name of a folder" };
            return Err(format!(
                "{}: the pages of the domain `{domain}` would be in the folder `{domain}`, {why}; give the domain \
                 another name, as in `com.acme`",
                operator.file
            ));
        }
    }
    Ok(())
}

/// Fails if two files would be one where upper and lower case count as equal.
fn check_paths(files: &[File]) -> Result<(), String> {
    let mut known: HashMap<String, &str> = HashMap::new();
    for File { path, .. } in files {
        if let Some(other) = known.insert(path.to_ascii_lowercase(), path) {
            return Err(format!(
                "the pages {other} and {path} would be one file where upper and lower case count as equal; give one of \
                 the operators or domains another name"
            ));
        }
    }
    Ok(())
}

/// The facts of all operators, as `shape show` prints each.
#[derive(Serialize)]
struct All<'s> {
    schema_version: u32,
    operators: Vec<shown_json::Operator<'s>>,
}

fn facts(site: &Site<'_>) -> Result<Vec<File>, String> {
    let shown: Vec<Shown<'_>> = site.all().map(|operator| Shown::new(operator, None, site.tables)).collect();
    let operators = shown.iter().map(|shown| shown_json::Report::new(shown).operator).collect();
    Ok(vec![json("all.json", &All { schema_version: SCHEMA_VERSION, operators })?])
}
