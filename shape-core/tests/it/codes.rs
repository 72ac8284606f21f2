//! The README lists the codes as `codes.yaml` has them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use shape_core::code::Code;

const BEGIN: &str = "<!-- codes -->\n\n";
const END: &str = "\n<!-- end of codes -->\n";

#[test]
fn the_readme_has_all_codes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let mut table = "| code | severity | what it is |\n|---|---|---|\n".to_owned();
    for code in Code::all() {
        writeln!(table, "| `{code}` | {} | {} |", code.severity(), code.title()).unwrap();
    }
    shape_bless::expect(&path, &format!("{before}{BEGIN}{table}{END}{after}"));
}
