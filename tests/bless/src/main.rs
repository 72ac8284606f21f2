//! `cargo bless`: writes the files that tests compare with, and says which have changed.

use std::collections::BTreeMap;
use std::error::Error;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;
use std::{env, fs, io};

use shape_bless::targets::{TARGETS, Target};
use shape_bless::{lines_that_differ, root};

const USAGE: &str = "\
Writes the files of the repository that tests compare with.

Usage: cargo bless [--check | --show] [TARGET...]

  (neither)  writes the files, and lists those that have changed
  --check    lists the files that are out of date and leaves them as they are; exits with 1 if there is one
  --show     the same, with the lines that differ

Without TARGET it does all:
";

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Write,
    Check,
    Show,
}

/// The files that Git has or would add, by their paths from the root.
type Files = BTreeMap<String, Vec<u8>>;

fn main() -> ExitCode {
    match run(env::args().skip(1)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: impl Iterator<Item = String>) -> Result<ExitCode, Box<dyn Error>> {
    let (mut mode, mut named) = (Mode::Write, Vec::new());
    for argument in arguments {
        match &*argument {
            "--check" => mode = Mode::Check,
            "--show" => mode = Mode::Show,
            "-h" | "--help" => {
                print!("{USAGE}{}", listed());
                return Ok(ExitCode::SUCCESS);
            }
            name => {
                let target = TARGETS.iter().find(|target| target.name == name);
                named.push(target.ok_or_else(|| format!("there is no `{name}`; the targets are\n{}", listed()))?);
            }
        }
    }
    let chosen: Vec<&Target> =
        TARGETS.iter().filter(|target| named.is_empty() || named.iter().any(|one| one.name == target.name)).collect();
    let before = files()?;
    let together = chosen.len() > 1;
    let failed =
        chosen.iter().map(|target| bless(target, together)).collect::<Result<Vec<_>, _>>()?.into_iter().flatten();
    let failed: Vec<&str> = failed.collect();
    let after = files()?;
    let changed: Vec<&String> = before
        .keys()
        .chain(after.keys().filter(|file| !before.contains_key(*file)))
        .filter(|file| before.get(*file) != after.get(*file))
        .collect();
    for file in &changed {
        let (sign, old, new) = match (before.get(*file), after.get(*file)) {
            (None, new) => ('A', None, new),
            (old, None) => ('D', old, None),
            (old, new) => ('M', old, new),
        };
        println!("{sign} {file}");
        if mode == Mode::Show {
            let text = |bytes: Option<&Vec<u8>>| {
                bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
            };
            for line in lines_that_differ(&text(old), &text(new)).lines() {
                println!("    {line}");
            }
        }
    }
    let count = match changed.len() {
        1 => "1 file".to_owned(),
        count => format!("{count} files"),
    };
    if mode == Mode::Write {
        println!("{count} changed");
    } else {
        for file in &changed {
            let path = root().join(file);
            match before.get(*file) {
                Some(bytes) => fs::write(path, bytes)?,
                None => fs::remove_file(path)?,
            }
        }
        println!("{count} out of date");
    }
    if !failed.is_empty() {
        return Err(
            format!("{} failed for another reason than a file; what it said stands above", failed.join(", ")).into()
        );
    }
    Ok(ExitCode::from(u8::from(mode != Mode::Write && !changed.is_empty())))
}

fn listed() -> String {
    TARGETS.iter().map(|target| format!("  {:<18} {}\n", target.name, target.files.join(" "))).collect()
}

/// Runs the tests of a target so that they write; its name if they fail all the same.
///
/// A package alone is built with fewer features than in the workspace. So one target builds its package, and several are
/// built together, once: as `cargo test --workspace` builds them, which mostly comes before or after.
fn bless(target: &Target, together: bool) -> Result<Option<&'static str>, io::Error> {
    let start = Instant::now();
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.arg("test").current_dir(root()).stdin(Stdio::null());
    if together {
        cargo.arg("--workspace");
    } else {
        cargo.args(["--package", target.package]).args(target.feature.iter().flat_map(|name| ["--features", name]));
    }
    // `INSTA_UPDATE` and `TRYBUILD` are the words of insta and trybuild for the same.
    cargo
        .args(target.arguments)
        .envs([("BLESS", "1"), ("INSTA_UPDATE", "always"), ("TRYBUILD", "overwrite")])
        .env_remove("INSTA_FORCE_PASS");
    let output = cargo.output()?;
    if !output.status.success() {
        eprint!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        eprintln!("{}: {cargo:?} failed", target.name);
        return Ok(Some(target.name));
    }
    eprintln!("{:<18} {:>4} s", target.name, start.elapsed().as_secs());
    Ok(None)
}

fn files() -> Result<Files, Box<dyn Error>> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root());
    let output = git.output()?;
    if !output.status.success() {
        return Err(format!("git: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let names = String::from_utf8(output.stdout)?;
    let mut files = Files::new();
    for name in names.split_terminator('\0') {
        // One that Git has and that is deleted is no file.
        if let Ok(bytes) = fs::read(root().join(name)) {
            files.insert(name.to_owned(), bytes);
        }
    }
    Ok(files)
}
