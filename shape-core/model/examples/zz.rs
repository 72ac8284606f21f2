//! Measures.
#![allow(missing_docs, clippy::unwrap_used)]
use std::hint::black_box;
fn main() {
    let mut args = std::env::args().skip(1);
    let mode = args.next().unwrap();
    let bytes = shape_model::file::Bytes::from(std::fs::read(args.next().unwrap()).unwrap());
    let n: usize = args.next().map_or(1, |n| n.parse().unwrap());
    for _ in 0..n {
        let file = shape_model::ModelFile::from_bytes(bytes.clone()).unwrap();
        let options = shape_model::Options::of(&file);
        match &*mode {
            "open" => {
                black_box(&file);
            }
            "infer" => {
                black_box(shape_model::analyse(file.model(), &options).unwrap());
            }
            "check" => {
                black_box(shape_model::check(file.model(), &options).unwrap());
            }
            _ => {}
        }
    }
}
