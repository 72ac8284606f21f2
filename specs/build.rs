//! Lists the descriptors of this folder and embeds them, so that a new file is noticed without a `cargo clean` and a
//! published crate carries its specs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The file of a runtime that is no manifest of a release, without its extension.
const LIMITS: &str = "limits";

/// The folders of data that are no domain.
const DATA: [&str; 3] = ["manifests", "profiles", "runtimes"];

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    // No other folder has a dot in its name.
    let is_domain = |folder: &Path| folder.is_dir() && name(folder).contains('.');
    let domains = sorted(&root)?.into_iter().filter(|folder| is_domain(folder));
    let descriptors = domains.map(|domain| (format!("{}/", name(&domain)), domain)).collect::<Vec<_>>();
    fs::write(out.join("descriptors.rs"), listed(&descriptors)?)?;
    let mut of_runtimes = Vec::new();
    for runtime in sorted(&root.join("runtimes"))? {
        let domains = sorted(&runtime)?.into_iter();
        of_runtimes.extend(domains.map(|domain| (format!("runtimes/{}/{}/", name(&runtime), name(&domain)), domain)));
    }
    fs::write(out.join("runtime_descriptors.rs"), listed(&of_runtimes)?)?;
    fs::write(out.join("profiles.rs"), profiles(&root)?)?;
    fs::write(out.join("manifests.rs"), manifests(&root)?)?;
    fs::write(out.join("limits.rs"), limits(&root)?)?;
    // Not the whole folder: an edit of what is no descriptor would build all crates anew. A new domain is in a table too.
    let is_table = |path: &Path| path.extension().is_some_and(|of| of == "yaml");
    let is_data = |path: &Path| is_domain(path) || DATA.contains(&&*name(path));
    for path in sorted(&root)?.iter().filter(|path| is_table(path) || is_data(path)) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    Ok(())
}

/// The YAML files of folders, each with its path as a name and its bytes.
fn listed(folders: &[(String, PathBuf)]) -> io::Result<String> {
    let mut list = String::from("[\n");
    for (path, folder) in folders {
        for file in sorted(folder)?.iter().filter(|file| file.extension().is_some_and(|of| of == "yaml")) {
            let path = format!("{path}{}", name(file));
            writeln!(list, "    ({path:?}, include_bytes!({:?})),", file.display().to_string())
                .map_err(io::Error::other)?;
        }
    }
    list.push_str("]\n");
    Ok(list)
}

/// The files of each profile, and what was proved of it.
fn profiles(root: &Path) -> io::Result<String> {
    let mut list = String::from("[\n");
    for folder in sorted(&root.join("profiles"))? {
        let name = name(&folder);
        let mut files = String::new();
        for file in sorted(&folder)?.iter().filter(|file| file.extension().is_some_and(|of| of == "yaml")) {
            let path = format!("profiles/{name}/{}", self::name(file));
            write!(files, "({path:?}, include_bytes!({:?}) as &[u8]), ", file.display().to_string())
                .map_err(io::Error::other)?;
        }
        let proofs = folder.join("proofs.json");
        let proofs = if proofs.is_file() {
            format!("Some(include_bytes!({:?}))", proofs.display().to_string())
        } else {
            "None".into()
        };
        writeln!(list, "    Files {{ name: {name:?}, yaml: &[{files}], proofs: {proofs} }},")
            .map_err(io::Error::other)?;
    }
    list.push_str("]\n");
    Ok(list)
}

/// The manifests: a folder for each runtime, a file for each release, a newer one behind an older one.
fn manifests(root: &Path) -> io::Result<String> {
    let mut list = String::from("[\n");
    for folder in sorted(&root.join("manifests"))? {
        let runtime = name(&folder);
        let mut files = sorted(&folder)?;
        let numbers = |release: &str| release.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u32>>();
        files.sort_by_cached_key(|file| numbers(&stem(file)));
        for file in files.into_iter().filter(|file| stem(file) != LIMITS) {
            let (release, path) = (stem(&file), format!("manifests/{runtime}/{}", name(&file)));
            let bytes = format!("include_bytes!({:?})", file.display().to_string());
            let fields = format!("runtime: {runtime:?}, release: {release:?}, file: {path:?}, bytes: {bytes}");
            writeln!(list, "    Builtin {{ {fields} }},").map_err(io::Error::other)?;
        }
    }
    list.push_str("]\n");
    Ok(list)
}

/// What runtimes refuse of valid nodes: a file beside the manifests of each of which that is known.
fn limits(root: &Path) -> io::Result<String> {
    let mut list = String::from("[\n");
    for folder in sorted(&root.join("manifests"))? {
        let runtime = name(&folder);
        for file in sorted(&folder)?.iter().filter(|file| stem(file) == LIMITS) {
            let path = format!("manifests/{runtime}/{}", name(file));
            writeln!(list, "    ({runtime:?}, {path:?}, include_bytes!({:?})),", file.display().to_string())
                .map_err(io::Error::other)?;
        }
    }
    list.push_str("]\n");
    Ok(list)
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
