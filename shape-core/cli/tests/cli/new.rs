//! `shape new` and `shape new-version`: what they write, and what they leave alone.

use std::fs;

use shape_changes::write::{Refusal, with_version};
use shape_core::Registry;
use shape_specs::{DESCRIPTOR_SCHEMA, DESCRIPTORS, Tables, resolve};

use crate::run::{Folder, Run};

const GELU: &str = "\
# Ours.
operator: Gelu
domain: com.acme
summary: Weighs each element by the chance of a smaller one.
versions:
  - since: 1
    inputs: [{ name: x, type: T }] # of any rank
    outputs: [{ name: y, type: T }]
    types: [{ name: T, allow: [float, double] }]
    # Half precision is to come.

# What the papers leave open.
errata: []
";

fn text(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

/// The names of all files, so that none is left behind.
fn files(folder: &Folder) -> Vec<String> {
    let (mut open, mut names) = (vec![folder.path().to_owned()], Vec::new());
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            names.push(path.strip_prefix(folder.path()).unwrap().to_str().unwrap().replace('\\', "/"));
        }
    }
    names.sort();
    names
}

fn fails(run: &Run, message: &str) {
    assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
    assert!(run.notes.starts_with("error: ") && run.notes.contains(message), "{message}: {run:?}");
}

#[test]
fn a_new_descriptor_has_no_mistake() {
    let folder = Folder::new();
    let run = folder.shape(["new", "com.acme::Gelu"]);
    let notes = "wrote specs/com.acme/Gelu.yaml\nwrote specs/descriptor.schema.json, for editors\n";
    assert_eq!((run.code, &*run.out, &*run.notes), (0, "", notes));
    let run = folder.shape(["new", "Blur", "--since", "20"]);
    assert_eq!((run.code, &*run.notes), (0, "wrote specs/ai.onnx/Blur.yaml\n"));
    assert_eq!(files(&folder), ["specs/ai.onnx/Blur.yaml", "specs/com.acme/Gelu.yaml", "specs/descriptor.schema.json"]);
    let run = folder.shape(["specs", "lint", "specs"]);
    assert_eq!((run.code, &*run.notes), (0, "no findings in 2 files\n"));
    // Editors find the schema.
    let first = text(&folder, "specs/com.acme/Gelu.yaml").lines().next().unwrap().to_owned();
    let schema = first.strip_prefix("# yaml-language-server: $schema=").unwrap();
    assert_eq!(text(&folder, &format!("specs/com.acme/{schema}")), DESCRIPTOR_SCHEMA);
    assert!(text(&folder, "specs/ai.onnx/Blur.yaml").contains("  - since: 20\n"));
    // It means something already.
    let run = folder.shape(["expand", "specs/com.acme/Gelu.yaml@5"]);
    assert!(run.code == 0 && run.out.contains("pub type Gelu1 ="), "{run:?}");
}

#[test]
fn nothing_is_overwritten() {
    let folder = Folder::new();
    folder.write("vendor/com.acme/Gelu.yaml", GELU);
    folder.write("vendor/descriptor.schema.json", "{}");
    let run = folder.shape(["new", "com.acme::Gelu", "--specs", "vendor"]);
    fails(&run, "vendor/com.acme/Gelu.yaml already exists; `shape new-version com.acme::Gelu N` adds a version");
    assert_eq!(text(&folder, "vendor/com.acme/Gelu.yaml"), GELU);
    assert_eq!(folder.shape(["new", "com.acme::Blur", "--specs", "vendor"]).code, 0);
    assert_eq!(text(&folder, "vendor/descriptor.schema.json"), "{}");
}

#[test]
fn operators_that_cannot_be() {
    let folder = Folder::new();
    let mistakes = [
        ("com.acme::Ge lu", "1", "error[name-form]: `Ge lu` cannot be an operator's name"),
        ("com/acme::Gelu", "1", "error[name-form]: `com/acme` cannot be a domain's name"),
        ("../x::Gelu", "1", "error[name-form]"),
        ("com.acme::Gelu\ndetails: x", "1", "error[file-name]"),
        ("", "1", "error[wrong-form]"),
        ("Gelu", "999", "error[opset-too-new]: opset 999 of ai.onnx is not known"),
    ];
    for (operator, since, message) in mistakes {
        let run = folder.shape(["new", operator, "--since", since]);
        assert!(run.code == 1 && run.out.contains(message), "{run:?}");
    }
    fails(&folder.shape(["new", "..::Gelu"]), "`..` cannot be the name of a folder");
    fails(&folder.shape(["new", "Gelu", "--since", "0"]), "`0` is not an opset");
    folder.write("file", "");
    fails(&folder.shape(["new", "Gelu", "--specs", "file"]), "cannot write file/ai.onnx/Gelu.yaml: ");
    assert_eq!(files(&folder), ["file"]);
}

#[test]
fn a_new_version_stands_behind_the_others() {
    let folder = Folder::new();
    let expected = GELU.replace(
        "to come.\n",
        "to come.\n  - since: 2\n    # What it changes of version 1; an entry with the same name replaces.\n    \
         # attributes: [{ name: axis, type: INT, default: 0 }]\n    \
         # types: [{ name: T, add: [TYPE], remove: [TYPE] }]\n    \
         # remove: { attributes: [NAME], inputs: [NAME], outputs: [NAME], types: [NAME], rules: [OUTPUT] }\n",
    );
    let ways = [
        ("specs/com.acme/Gelu.yaml", &["com.acme::Gelu", "2"][..]),
        ("specs/com.acme/Gelu.yaml", &["specs/com.acme/Gelu.yaml", "2"]),
        ("specs/flat.yaml", &["com.acme::Gelu", "2"]),
        ("flat.yaml", &["com.acme::Gelu", "2", "--specs", "."]),
    ];
    for (file, args) in ways {
        let path = folder.write(file, GELU);
        let run = folder.shape(["new-version"].iter().chain(args));
        assert_eq!((run.code, &*run.out), (0, ""), "{run:?}");
        assert!(run.notes.starts_with("added version 2 at ") && run.notes.ends_with(":11\n"), "{run:?}");
        assert_eq!(text(&folder, file), expected);
        assert_eq!(folder.shape(["specs", "lint", file]).code, 0);
        assert_eq!(files(&folder), [file]);
        fs::remove_file(path).unwrap();
    }
}

/// What the command writes is what the library makes; here for all descriptors, of which the command reads each anew.
#[test]
fn each_built_in_descriptor_takes_a_version() {
    let folder = Folder::new();
    let tables = Tables::builtin().unwrap();
    let mut extended = 0;
    for (file, bytes) in DESCRIPTORS {
        let operator = resolve(file, bytes, tables).unwrap();
        let newest = tables.newest_opset(&operator.domain).unwrap_or(99);
        let text = match with_version(file, bytes, newest, tables) {
            Ok(extended) => extended.text,
            // It has one already.
            Err(refusal) => {
                assert_eq!(refusal, Refusal::NotNewer { newest }, "{file}");
                continue;
            }
        };
        folder.write(format!("specs/{file}"), text);
        extended += 1;
    }
    assert!(extended > DESCRIPTORS.len() / 2);
    for file in ["ai.onnx/Shape.yaml", "ai.onnx/If.yaml", "ai.onnx.ml/Normalizer.yaml"] {
        let expected = text(&folder, &format!("specs/{file}"));
        let (_, bytes) = DESCRIPTORS.iter().find(|(name, _)| *name == file).unwrap();
        folder.write(format!("specs/{file}"), bytes);
        let operator = file.trim_end_matches(".yaml").replace('/', "::");
        let newest = tables.newest_opset(operator.split_once("::").unwrap().0).unwrap();
        let run = folder.shape(["new-version", &operator, &newest.to_string()]);
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(text(&folder, &format!("specs/{file}")), expected);
    }
    let run = folder.shape(["specs", "lint", "specs"]);
    assert_eq!(run.code, 0, "{run:?}");
    let newest = tables.newest_opset("ai.onnx").unwrap();
    let run = folder.shape(["expand", &format!("specs/ai.onnx/Shape.yaml@{newest}")]);
    assert!(run.code == 0 && run.out.contains(&format!("static SCHEMA_{newest}:")), "{run:?}");
}

#[test]
fn a_file_that_takes_no_version_stays() {
    let folder = Folder::new();
    let in_brackets = GELU.replace("versions:\n  - since: 1", "versions:\n  -\n    since: 1");
    let wrong = GELU.replace("double", "dubble");
    let newest = Registry::builtin().newest_opset("").unwrap();
    let unknown = (newest + 1).to_string();
    let not_known = format!(
        "the newest opset known of the domain is {newest}; if a newer one exists by now, add it to opsets.yaml"
    );
    let onnx = GELU.replace("com.acme", "ai.onnx").replace("inputs:", "sources: []\n    inputs:");
    let onnx =
        onnx.replace("versions:", "sources: [{ id: a, title: b }]\nversions:").replace("sources: []", "sources: [a]");
    for (text_before, since, code, message) in [
        (
            GELU,
            "1",
            2,
            "error: cannot add a version to Gelu.yaml: version 1 stands there already; a new one comes after it",
        ),
        (&onnx, &unknown, 2, &not_known),
        (&in_brackets, "2", 2, "the versions do not stand on lines of their own, each behind a `- `"),
        (&wrong, "2", 1, "1 error in Gelu.yaml"),
    ] {
        folder.write("Gelu.yaml", text_before);
        let run = folder.shape(["new-version", "Gelu.yaml", since]);
        assert!(run.code == code && run.notes.contains(message), "{message}: {run:?}");
        assert_eq!(text(&folder, "Gelu.yaml"), text_before);
    }
}

#[test]
fn descriptors_that_are_not_there() {
    let folder = Folder::new();
    fails(&folder.shape(["new-version", "Gelu", "2"]), "cannot read specs: ");
    fails(&folder.shape(["new-version", "missing.yaml", "2"]), "cannot read missing.yaml: ");
    folder.write("specs/a.yaml", GELU);
    folder.write("specs/broken.yaml", "[");
    fails(&folder.shape(["new-version", "com.acme::Golu", "2"]), "did you mean `com.acme::Gelu`?");
    fails(&folder.shape(["new-version", "Gelu", "2"]), "no descriptor in specs describes `ai.onnx::Gelu`");
    folder.write("specs/b.yaml", GELU);
    let run = folder.shape(["new-version", "com.acme::Gelu", "2"]);
    fails(&run, "both specs/a.yaml and specs/b.yaml describe `com.acme::Gelu`");
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = Folder::new();
    let real = folder.write("real.yaml", GELU);
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path().join("link.yaml");
    symlink("real.yaml", &link).unwrap();
    assert_eq!(folder.shape(["new-version", "link.yaml", "2"]).code, 0);
    assert!(link.is_symlink() && text(&folder, "real.yaml").contains("- since: 2"));
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
}
