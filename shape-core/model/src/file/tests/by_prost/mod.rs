//! The reader against `prost`: the same declarations, read by another library.

#[allow(unreachable_pub, reason = "so has the module that it stands for")]
mod packed;
#[path = "../../proto/mod.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    clippy::enum_variant_names,
    reason = "it is a second copy of the declarations"
)]
mod proto;
#[allow(unreachable_pub, clippy::enum_variant_names, reason = "it does what the declarations ask for")]
mod wire;

use std::path::Path;

use prost::Message as _;

use super::super::cursor::Refusal;
use super::super::model;
use super::super::wire::Message as _;
use super::*;

/// Both readers accept the bytes as the same model, or both refuse them, for the same reason at the same place.
#[track_caller]
fn compare(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    let other = proto::ModelProto::decode(&mut rest);
    let ours = model::read(Bytes::copy_from_slice(bytes).into(), usize::MAX);
    match (ours, other) {
        (Ok(ours), Ok(other)) => {
            assert!(of_views(&ours).encode_to_vec() == other.encode_to_vec(), "another model");
            true
        }
        (Err((offset, ours)), Err(other)) => {
            if ours.refusal() != Refusal::TooDeep {
                assert_eq!(ours.to_string(), other.to_string());
            }
            // Where a number ends too early, one of the two has read its bytes.
            assert!(offset == bytes.len() - rest.len() || ours.refusal() == Refusal::Varint);
            false
        }
        (ours, other) => panic!("{:?}, {:?}", ours.map(drop), other.map(drop)),
    }
}

/// The same bytes with a few of them changed, left out or repeated, by chance that depends on `seed`.
fn damaged(bytes: &[u8], mut seed: u64) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below.max(1)
    };
    for _ in 0..=next(3) {
        if bytes.is_empty() {
            break;
        }
        let at = next(bytes.len());
        let end = (at + 1 + next(40)).min(bytes.len());
        match next(5) {
            0 => bytes[at] = u8::try_from(next(256)).unwrap(),
            1 => bytes[at] ^= 1 << next(8),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let copy = bytes[at..end].to_vec();
                let to = next(bytes.len());
                bytes.splice(to..to, copy);
            }
            _ => bytes.truncate(at.max(1)),
        }
    }
    bytes
}

/// Compares the models of a folder, each also in `times` damaged forms.
fn compare_folder(folder: &Path, times: u64) -> [usize; 2] {
    let mut counts = [0; 2];
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "onnx" || extension == "pb") {
            let bytes = std::fs::read(&path).unwrap();
            if bytes.len() > 1 << 22 {
                continue;
            }
            counts[usize::from(compare(&bytes))] += 1;
            for seed in 0..times {
                counts[usize::from(compare(&damaged(&bytes, seed)))] += 1;
            }
        }
    }
    counts
}

#[test]
fn the_reader_agrees_with_prost() {
    let whole = sample().encode_to_vec();
    let all = (0..4000).map(|seed| compare(&damaged(&whole, seed)));
    let accepted = all.filter(|accepted| *accepted).count();
    assert!((100..3900).contains(&accepted), "{accepted}");
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models");
    let [refused, accepted] = compare_folder(models.as_ref(), 40);
    assert!(refused > 20 && accepted > 2, "{refused} {accepted}");
}

/// What comes in several pieces, and in any order.
#[test]
fn pieces_are_put_together() {
    let model = sample();
    let graph = model.graph.clone().unwrap();
    let halves =
        [&graph.node[..1], &graph.node[1..]].map(|node| GraphProto { node: node.to_vec(), ..GraphProto::default() });
    let mut nested = graph.clone();
    for attribute in &mut nested.node[1].attribute {
        attribute.t = Some(Box::new(tensor(1, &[1])));
        attribute.ints = vec![1];
    }
    let attribute = |attribute: &AttributeProto| {
        // A graph, numbers, the graph again, a tensor twice, numbers again.
        let parts = [attribute.clone(), attribute.clone()].map(|attribute| attribute.encode_to_vec());
        field(5, parts.concat())
    };
    let node: Vec<u8> = nested.node[1].attribute.iter().flat_map(attribute).collect();
    for bytes in [
        halves.iter().flat_map(|half| field(7, half.encode_to_vec())).collect::<Vec<u8>>(),
        [field(7, field(1, &node)), field(7, field(1, &node)), field(7, [field(1, &node), field(1, &node)].concat())]
            .concat(),
        [field(20, [field(1, field(1, &node)), field(1, field(1, &node)), field(2, field(1, &node))].concat())]
            .concat(),
        field(7, field(1, [field(2, "out"), field(1, "in"), node.clone(), field(1, "in2"), field(2, "out2")].concat())),
    ] {
        assert!(compare(&bytes));
    }
}

/// The long form: `MODELS=folder cargo test -p onnxspec-model --release --lib models_of_a_folder -- --ignored`.
#[test]
#[ignore = "it takes a folder of models"]
fn models_of_a_folder() {
    let folder = std::env::var_os("MODELS").unwrap();
    println!("{:?}", compare_folder(Path::new(&folder), 50));
}
