//! What the whole catalogue costs to compile: a crate whose `operators!` reads the descriptors of 20, 100 and all
//! versions, and onnxspec-core itself.
//!
//! Counted is the processor time, of user and system, of the compiler on that crate alone: this program stands before
//! the compiler as cargo's wrapper and asks the system for the time of its children, so that what else the machine does
//! counts little. `cargo bench -p onnxspec-core --bench catalogue_cost -- --record` also writes the table into
//! `README.md`, and a line into `history/catalogue_cost.csv`.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, SystemTime};
use std::{env, fs, thread};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// How many versions, at least; the last is all that there are.
const SIZES: [usize; 3] = [20, 100, usize::MAX];
const RUNS: usize = 3;
/// The variable that tells the wrapper where to note what it sees, and of which crate.
const NOTE: &str = "CATALOGUE_COST";
/// What a prototype of static tables and thin structs cost at all versions, in seconds: the goal.
const GOALS: [f64; 5] = [2.2, 3.0, 4.2, 6.9, 1.0];
/// The commands, each with what it is called; the last one runs once more after an edit.
const COMMANDS: [(&str, &[&str]); 5] = [
    ("check", &["check"]),
    ("dev build", &["build"]),
    ("release build", &["build", "--release"]),
    ("test, not run", &["test", "--no-run", "--lib"]),
    ("check after an edit", &["check"]),
];

fn main() -> Result<ExitCode> {
    if let Some(note) = env::var_os(NOTE) {
        return wrapped(Path::new(&note));
    }
    let core = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = tempfile::tempdir()?;
    let files = descriptors(&core.join("../specs"))?;
    let mut table = String::from("| versions |");
    for (name, _) in COMMANDS {
        write!(table, " {name} |")?;
    }
    write!(table, "\n|---|{}\n", "---|".repeat(COMMANDS.len()))?;
    let mut row = String::new();
    for size in SIZES {
        let some = sample(&files, size);
        let consumer = Consumer::new(root.path(), core, &some)?;
        let mut cells = Vec::new();
        for (index, (name, arguments)) in COMMANDS.iter().enumerate() {
            let cost = if index + 1 < COMMANDS.len() { consumer.cold(arguments) } else { consumer.edited(arguments) }?;
            eprintln!("{} versions, {name}: {:.2} s, {} MB", some.versions, cost.seconds, cost.memory >> 10);
            cells.push(cost.seconds);
        }
        write!(table, "| {} |", some.versions)?;
        cells.iter().try_for_each(|cell| write!(table, " {cell:.2} s |"))?;
        table.push('\n');
        cells.iter().try_for_each(|cell| write!(row, ",{cell:.2}"))?;
        if size == usize::MAX {
            write!(table, "| goal |")?;
            GOALS.iter().try_for_each(|goal| write!(table, " {goal:.1} s |"))?;
            table.push('\n');
        }
    }
    let own = Consumer { root: root.path().to_owned(), core: core.to_owned(), edit: None };
    let check = own.cold(&["check"])?;
    let build = own.cold(&["build"])?;
    let pages = own.cold(&["doc", "--no-deps"])?;
    writeln!(
        table,
        "\n`onnxspec-core` itself, all domains: check {:.2} s, dev build {:.2} s; `cargo doc` {:.2} s and {:.2} GB (goal: under 3 GB).",
        check.seconds,
        build.seconds,
        pages.seconds,
        pages.memory as f64 / f64::from(1 << 20),
    )?;
    write!(row, ",{:.2},{:.2},{:.2},{}", check.seconds, build.seconds, pages.seconds, pages.memory >> 10)?;
    print!("{table}");
    if env::args().any(|argument| argument == "--record") {
        record(&core.join("benches"), &table, &row)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Descriptors, and how many versions they have.
struct Descriptors {
    files: Vec<(PathBuf, usize)>,
    versions: usize,
}

fn descriptors(specs: &Path) -> Result<Descriptors> {
    let mut files = Vec::new();
    for domain in fs::read_dir(specs)? {
        let domain = domain?.path();
        if !domain.is_dir() || !domain.file_name().is_some_and(|name| name.to_string_lossy().contains("onnx")) {
            continue;
        }
        for file in fs::read_dir(domain)? {
            let file = file?.path();
            let versions = fs::read_to_string(&file)?.lines().filter(|line| line.starts_with("  - since:")).count();
            files.push((file, versions));
        }
    }
    files.sort();
    let versions = files.iter().map(|(_, versions)| versions).sum();
    Ok(Descriptors { files, versions })
}

/// Operators from all over the alphabet with so many versions together.
fn sample(all: &Descriptors, size: usize) -> Descriptors {
    let mut some = Descriptors { files: Vec::new(), versions: 0 };
    let size = size.min(all.versions);
    let mut passed = 0;
    for (file, versions) in &all.files {
        passed += versions;
        if some.versions * all.versions < passed * size && some.versions < size {
            some.files.push((file.clone(), *versions));
            some.versions += versions;
        }
    }
    some
}

struct Cost {
    seconds: f64,
    /// In kibibytes, the most at a time.
    memory: u64,
}

/// A crate that is compiled: one that has descriptors, or onnxspec-core.
struct Consumer {
    root: PathBuf,
    core: PathBuf,
    /// The descriptor that is edited, and its text.
    edit: Option<(PathBuf, String)>,
}

impl Consumer {
    fn new(root: &Path, core: &Path, some: &Descriptors) -> Result<Self> {
        let root = root.join(format!("consumer{}", some.versions));
        fs::create_dir_all(root.join("src"))?;
        let mut edit = None;
        let mut names = String::new();
        for (file, _) in &some.files {
            let name = file.strip_prefix(core.join("../specs"))?.to_owned();
            let there = root.join(&name);
            fs::create_dir_all(there.parent().ok_or("a folder")?)?;
            let text = fs::read_to_string(file)?;
            fs::write(&there, &text)?;
            writeln!(names, "    {name:?},")?;
            edit = edit.or(Some((there, text)));
        }
        fs::write(root.join("src/lib.rs"), format!("//! Descriptors.\n\nshape_core::operators! {{\n{names}}}\n"))?;
        let manifest = format!(
            "[package]\nname = \"consumer\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
             onnxspec-core = {{ path = {core:?}, default-features = false }}\n\n[workspace]\n"
        );
        fs::write(root.join("Cargo.toml"), manifest)?;
        fs::copy(core.join("../Cargo.lock"), root.join("Cargo.lock"))?;
        Ok(Self { root, core: core.to_owned(), edit })
    }

    fn is_core(&self) -> bool {
        self.edit.is_none()
    }

    /// Compiled anew, all that it depends on having been compiled.
    fn cold(&self, arguments: &[&str]) -> Result<Cost> {
        self.run(arguments)?;
        self.median(|consumer| {
            let source =
                if consumer.is_core() { consumer.core.join("src/lib.rs") } else { consumer.root.join("src/lib.rs") };
            // What the compiler keeps for the next time goes too.
            for profile in ["debug", "release"] {
                drop(fs::remove_dir_all(consumer.root.join("target").join(profile).join("incremental")));
            }
            touch(&source)?;
            consumer.run(arguments)
        })
    }

    /// After an edit of one descriptor: its summary has another word.
    fn edited(&self, arguments: &[&str]) -> Result<Cost> {
        self.run(arguments)?;
        let mut edits = 0;
        self.median(|consumer| {
            let (file, text) = consumer.edit.as_ref().ok_or("a descriptor")?;
            edits += 1;
            fs::write(file, text.replacen("\nsummary: ", &format!("\nsummary: In {edits} words, "), 1))?;
            consumer.run(arguments)
        })
    }

    fn median(&self, mut run: impl FnMut(&Self) -> Result<Cost>) -> Result<Cost> {
        let mut costs = (0..RUNS).map(|_| run(self)).collect::<Result<Vec<_>>>()?;
        costs.sort_by(|left, right| left.seconds.total_cmp(&right.seconds));
        Ok(costs.swap_remove(RUNS / 2))
    }

    /// Runs cargo; what the compiler took for the crate.
    fn run(&self, arguments: &[&str]) -> Result<Cost> {
        let note = self.root.join("cost");
        fs::write(&note, "0 0")?;
        let (name, folder) = if self.is_core() { ("onnxspec-core", &self.core) } else { ("consumer", &self.root) };
        let documents = arguments.first() == Some(&"doc");
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(arguments).args(["--quiet", "--offline", "--package", name]).current_dir(folder);
        cargo.env("CARGO_TARGET_DIR", self.root.join("target")).env(NOTE, &note).env_remove("RUSTFLAGS");
        // As a user has them.
        cargo.env_remove("CARGO_INCREMENTAL").env_remove("CARGO_PROFILE_DEV_DEBUG");
        if documents {
            cargo.env("CATALOGUE_COST_RUSTDOC", "rustdoc").env("RUSTDOC", env::current_exe()?);
        } else {
            cargo.env("RUSTC_WRAPPER", env::current_exe()?);
        }
        if !cargo.status()?.success() {
            return Err(format!("cargo {arguments:?} of `{name}` fails").into());
        }
        let text = fs::read_to_string(&note)?;
        let mut numbers = text.split(' ');
        let mut next = || numbers.next().ok_or("a number");
        Ok(Cost { seconds: next()?.parse()?, memory: next()?.parse()? })
    }
}

fn touch(file: &Path) -> Result<()> {
    Ok(fs::File::options().append(true).open(file)?.set_modified(SystemTime::now())?)
}

/// Is the compiler, as cargo sees it, and notes what it takes for the crate that is looked at.
fn wrapped(note: &Path) -> Result<ExitCode> {
    let mut arguments = env::args_os().skip(1).peekable();
    let compiler = match env::var_os("CATALOGUE_COST_RUSTDOC") {
        Some(rustdoc) => rustdoc,
        None => arguments.next().ok_or("the compiler")?,
    };
    let arguments: Vec<_> = arguments.collect();
    let mut child = Command::new(compiler).args(&arguments).spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut memory = 0;
    let code = loop {
        if let Some(code) = child.try_wait()? {
            break code;
        }
        let text = fs::read_to_string(&status).unwrap_or_default();
        let most = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        memory = memory.max(most.unwrap_or(0_u64));
        thread::sleep(Duration::from_millis(5));
    };
    let name = |name: &str| arguments.windows(2).any(|pair| pair[0] == "--crate-name" && pair[1] == name);
    if name("consumer") || name("shape_core") {
        // The times of the children that ended, in hundredths of a second, are the 14th and 15th field after the name.
        let text = fs::read_to_string("/proc/self/stat")?;
        let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
        let hundredths: u64 = fields.skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
        fs::write(note, format!("{} {memory}", hundredths as f64 / 100.0))?;
    }
    Ok(if code.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Puts the table into the page, and a line under those of earlier runs.
fn record(benches: &Path, table: &str, row: &str) -> Result<()> {
    let page = benches.join("README.md");
    let text = fs::read_to_string(&page)?;
    let (begin, end) = ("<!-- catalogue_cost -->\n", "<!-- end -->");
    let (before, rest) = text.split_once(begin).ok_or("no place for the table in README.md")?;
    let (_, after) = rest.split_once(end).ok_or("no end of the table in README.md")?;
    fs::write(&page, format!("{before}{begin}{table}{end}{after}"))?;
    let printed = |program: &str, arguments: &[&str]| -> Result<String> {
        let output = Command::new(program).args(arguments).current_dir(benches).output()?;
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    };
    let (date, commit) = (printed("date", &["-u", "+%F"])?, printed("git", &["rev-parse", "--short", "HEAD"])?);
    let mut history = fs::File::options().append(true).open(benches.join("history/catalogue_cost.csv"))?;
    Ok(writeln!(history, "{date},{commit}{row}")?)
}
