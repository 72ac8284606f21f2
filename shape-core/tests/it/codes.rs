//! The README lists the codes as `codes.yaml` has them; `BLESS=1` writes the list anew.

use std::fmt::Write as _;
use std::{env, fs};

use shape_core::code::Code;

const BEGIN: &str = "<!-- codes -->\n\n";
const END: &str = "\n<!-- end of codes -->\n";

#[test]
fn the_readme_has_all_codes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = fs::read_to_string(path).unwrap();
    let (before, rest) = readme.split_once(BEGIN).unwrap();
    let (committed, after) = rest.split_once(END).unwrap();
    let mut table = "| code | severity | what it is |\n|---|---|---|\n".to_owned();
    for code in Code::all() {
        writeln!(table, "| `{code}` | {} | {} |", code.severity(), code.title()).unwrap();
    }
    if env::var_os("BLESS").is_some() {
        fs::write(path, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
    } else {
        assert!(committed == table, "the table differs; `BLESS=1 cargo test -p shape-core --test it codes` writes it");
    }
}
