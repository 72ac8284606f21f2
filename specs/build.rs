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
    // The whole folder, since a domain that is new has a folder that is new.
    println!("cargo::rerun-if-changed={}", root.display());
    fs::write(out.join("descriptors.rs"), list)
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
