//! Where the site is written.

use std::fs;

use super::site::{files, site, vendor};
use crate::run::Folder;

#[test]
fn a_later_run_writes_the_same_and_deletes_what_is_no_longer_there() {
    let folder = vendor();
    let list =
        r#"{"schema_version":1,"written_by":"shape docs","files":["old/page/index.html","site.css","gone.html"]}"#;
    folder.write("again/shape-docs.json", list);
    for path in ["old/page/index.html", "site.css", "CNAME", "old/mine.txt"] {
        folder.write(format!("again/{path}"), "before");
    }
    let run = folder.shape(["docs", "-o", "again", "--specs", "vendor"]);
    assert_eq!((run.code, &*run.out), (0, ""), "{run:?}");
    assert!(run.notes.starts_with("wrote ") && run.notes.ends_with(" and 1 went\n"), "{run:?}");
    let root = folder.path().join("again");
    let mut again = files(&root);
    assert!(again.remove("CNAME") && again.remove("old/mine.txt"), "what others wrote stays");
    assert!(!root.join("old/page").exists());
    let first = site();
    assert_eq!(again, first.files);
    for path in &again {
        assert!(fs::read(root.join(path)).unwrap() == fs::read(first.path().join(path)).unwrap(), "{path}");
    }
}

#[test]
fn folders_that_are_refused() {
    let folder = Folder::new();
    folder.write("file", "");
    folder.write("mine/notes.txt", "");
    folder.write("other/shape-docs.json", r#"{"schema_version":1,"written_by":"somebody","files":[]}"#);
    folder.write("damaged/shape-docs.json", "{");
    let outside = r#"{"schema_version":1,"written_by":"shape docs","files":["../mine/notes.txt"]}"#;
    folder.write("outside/shape-docs.json", outside);
    let before = files(folder.path());
    let cases = [
        ("file", "file is a file; `-o` takes a folder"),
        (
            "mine",
            "mine has files that `shape docs` did not write, such as `notes.txt`; give a folder that is new or empty",
        ),
        (
            "other",
            "is no list of the files of a site: it was written by `somebody`; give a folder that is new or empty",
        ),
        ("damaged", "is no list of the files of a site: EOF while parsing"),
        ("outside", "is no list of the files of a site: `../mine/notes.txt` is not below it"),
    ];
    for (path, message) in cases {
        let run = folder.shape(["docs", "-o", path]);
        assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
        assert!(run.notes.starts_with("error: ") && run.notes.contains(message), "{run:?}");
    }
    assert_eq!(files(folder.path()), before);
}

#[test]
fn domains_that_are_refused() {
    let text = |domain: &str| {
        format!("operator: Twice\ndomain: {domain}\nsummary: Doubles.\nversions: [{{ since: 1, sources: [] }}]\n")
    };
    for (domain, message) in
        [("types", "which the site has for its own pages"), ("\"..\"", "which is no name of a folder")]
    {
        let folder = Folder::new();
        folder.write("Twice.yaml", text(domain));
        let run = folder.shape(["docs", "-o", "site", "--specs", "Twice.yaml"]);
        assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
        assert!(run.notes.contains("Twice.yaml: the pages of the domain `") && run.notes.contains(message), "{run:?}");
        assert!(!folder.path().join("site").exists());
    }
}

#[test]
fn a_mistake_in_a_descriptor_leaves_the_old_site() {
    let folder = vendor();
    folder.write("vendor/com.acme/Wrong.yaml", "operator: Wrong\ndomain: com.acme\nsummary: It.\nversion: []\n");
    let list = r#"{"schema_version":1,"written_by":"shape docs","files":["index.html"]}"#;
    let paths = [folder.write("site/shape-docs.json", list), folder.write("site/index.html", "before")];
    let run = folder.shape(["docs", "-o", "site", "--specs", "vendor"]);
    assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
    assert!(run.notes.contains("Wrong.yaml:4:1: error[unknown-field]"), "{run:?}");
    assert_eq!(paths.map(|path| fs::read_to_string(path).unwrap()), [list, "before"]);
    assert_eq!(files(&folder.path().join("site")).len(), 2);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_out_of_the_site() {
    let folder = Folder::new();
    let list = r#"{"schema_version":1,"written_by":"shape docs","files":["site.css"]}"#;
    folder.write("site/shape-docs.json", list);
    let css = folder.write("site/site.css", "before");
    fs::create_dir(folder.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", folder.path().join("site/errata")).unwrap();
    let run = folder.shape(["docs", "-o", "site"]);
    assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
    assert!(run.notes.contains("site/errata is not in the folder of the site but leads to "), "{run:?}");
    assert_eq!(fs::read_to_string(css).unwrap(), "before");
    assert_eq!(fs::read_dir(folder.path().join("elsewhere")).unwrap().count(), 0);
}
