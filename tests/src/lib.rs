#![doc = include_str!("../../README.md")]
//!
//! ---
//!
//! This crate holds the tests that cross the crates of the project; what one crate does is tested in that crate. The
//! README stands above so that its examples are compiled and run. Here is what several tests share.

pub mod page;

/// The page for authors of importers, so that its examples are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../shape-core/IMPORTERS.md")]
pub mod importers {}

use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

use shape_specs::Tables;
use shape_specs::tables::Release;

/// The root of the repository.
#[must_use]
pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Cargo in a folder outside of the workspace, offline. It builds into the workspace's target directory and with the
/// workspace's profiles, so that it finds the dependencies built.
///
/// # Errors
/// The test program is not in a target directory, or the profiles cannot be read there or written.
pub fn cargo(folder: &Path) -> io::Result<Command> {
    let program = env::current_exe()?;
    let target =
        program.ancestors().nth(3).ok_or_else(|| io::Error::other("the program is not in target/debug/deps"))?;
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder).env("CARGO_TARGET_DIR", target).env("CARGO_NET_OFFLINE", "true");
    command.env_remove("RUSTFLAGS").env_remove("INSTA_WORKSPACE_ROOT");
    // What a manifest says of profiles can stand in a file of cargo's configuration too.
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    let (_, profiles) = manifest.split_at(manifest.find("[profile.").unwrap_or(manifest.len()));
    let config = target.join("profiles.toml");
    fs::write(&config, profiles)?;
    command.arg("--config").arg(config);
    Ok(command)
}

/// A command that ends, whatever it waits for, and takes signals as if no shell had ignored them for the tests.
#[cfg(unix)]
pub fn ending(command: &mut Command) -> &mut Command {
    use std::os::unix::process::CommandExt as _;

    /// More than any command takes, in seconds, on a machine that does much else.
    const LONGEST: u32 = 300;
    #[expect(unsafe_code, reason = "no safe function sets what a child does with signals")]
    // SAFETY: between `fork` and `exec` only functions are called that POSIX allows there, and none allocates.
    unsafe {
        command.pre_exec(|| {
            // `nohup`, and a shell that runs something in the background, ignore signals for all that they start.
            for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGTERM, libc::SIGALRM] {
                if libc::signal(signal, libc::SIG_DFL) == libc::SIG_ERR {
                    return Err(io::Error::last_os_error());
                }
            }
            // It survives `exec`, and ends the command.
            libc::alarm(LONGEST);
            Ok(())
        })
    }
}

/// The command as it is, where there are no signals.
#[cfg(not(unix))]
pub fn ending(command: &mut Command) -> &mut Command {
    command
}

/// What a command writes to standard output.
///
/// # Errors
/// It cannot be run, or fails: then what it writes.
pub fn output(command: &mut Command) -> io::Result<String> {
    let output = command.output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        Err(io::Error::other(text(&output.stdout) + &text(&output.stderr)))
    }
}

/// Copies a folder with all that is in it but what was built there.
///
/// # Errors
/// What cannot be read or written.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (name, target) = (entry.file_name(), to.join(entry.file_name()));
        if !entry.file_type()?.is_dir() {
            fs::copy(entry.path(), target)?;
        } else if name != "target" {
            copy(&entry.path(), &target)?;
        }
    }
    Ok(())
}

/// A row for `opsets.yaml` that says of a release of ONNX that it brings one opset of `ai.onnx` more than is known.
pub struct NextRelease {
    /// The last row that stands there.
    pub last: String,
    /// The one that comes behind it.
    pub row: String,
    /// The opset.
    pub opset: u32,
}

/// The release behind the newest one that is known, whichever that is.
#[must_use]
pub fn next_release() -> Option<NextRelease> {
    let (_, releases) = Tables::FILES.iter().find(|(file, _)| *file == "opsets.yaml")?;
    let last = str::from_utf8(releases).ok()?.trim_end().lines().next_back()?;
    let Release { release, opset, .. } = Tables::builtin().ok()?.releases.last()?;
    let (major, rest) = release.split_once('.')?;
    let minor: u32 = rest.split('.').next()?.parse().ok()?;
    let row = last.replace(release, &format!("{major}.{}.0", minor + 1));
    let row = row.replace(&format!("opset: {opset}"), &format!("opset: {}", opset + 1));
    Some(NextRelease { last: last.to_owned(), row, opset: opset + 1 })
}
