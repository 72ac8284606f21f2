//! Paths relative to the folder of a baseline, so that they are the same on every machine.

use std::path::{Component, Path};

/// A path from a folder, with slashes: both from the root and without `..`.
pub(super) fn relative(path: &Path, folder: &Path) -> String {
    let (path, folder): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (path.components().collect(), folder.components().collect());
    let shared = path.iter().zip(&folder).take_while(|(left, right)| left == right).count();
    let up = folder.iter().skip(shared).map(|_| "..".into());
    let down = path.iter().skip(shared).map(|part| part.as_os_str().to_string_lossy());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let cases = [
            ("/a/b/m.onnx", "/a/b", "m.onnx"),
            ("/a/b/c/m.onnx", "/a/b", "c/m.onnx"),
            ("/a/m.onnx", "/a/b", "../m.onnx"),
            ("/x/m.onnx", "/a/b", "../../x/m.onnx"),
            ("/a/bc/m.onnx", "/a/b", "../bc/m.onnx"),
        ];
        for (path, folder, expected) in cases {
            assert_eq!(relative(Path::new(path), Path::new(folder)), expected);
        }
    }
}
