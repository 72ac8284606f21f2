//! Lists the descriptors of this folder and embeds them, so that a new file is noticed without a `cargo clean` and a
//! published crate carries its specs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    let mut list = String::from("[\n");
    for domain in sorted(&root)? {
        if !domain.is_dir() || !name(&domain).contains("onnx") {
            continue;
        }
        for file in sorted(&domain)? {
            if file.extension().is_some_and(|extension| extension == "yaml") {
                let path = format!("{}/{}", name(&domain), name(&file));
                writeln!(list, "    ({path:?}, include_bytes!({:?})),", file.display().to_string())
                    .map_err(io::Error::other)?;
            }
        }
    }
    list.push_str("]\n");
    fs::write(out.join("profiles.rs"), profiles(&root)?)?;
    fs::write(out.join("manifests.rs"), manifests(&root)?)?;
    // The whole folder, since a domain that is new has a folder that is new.
    println!("cargo::rerun-if-changed={}", root.display());
    fs::write(out.join("descriptors.rs"), list)
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

/// The manifests of runtimes, each called `RUNTIME-RELEASE.yaml`, a newer release behind an older one.
fn manifests(root: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    for file in sorted(&root.join("manifests"))? {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (runtime, release) = stem.rsplit_once('-').ok_or(io::ErrorKind::InvalidData)?;
        let numbers: Vec<u32> = release.split('.').map(|part| part.parse().unwrap_or_default()).collect();
        files.push((runtime.to_owned(), numbers, release.to_owned(), file));
    }
    files.sort();
    let mut list = String::from("[\n");
    for (runtime, _, release, file) in files {
        let path = format!("manifests/{}", name(&file));
        let bytes = file.display().to_string();
        writeln!(
            list,
            "    Builtin {{ runtime: {runtime:?}, release: {release:?}, file: {path:?}, bytes: include_bytes!({bytes:?}) }},"
        )
        .map_err(io::Error::other)?;
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
