//! Keeps one of several equal initializers.
//!
//! Equal for every value of the symbols, since they have the same type, dimensions and bytes.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::draft::{Draft, Reader, Source, ValueId};
use super::pass::Pass;
use crate::file::Message as _;
use crate::file::proto::{DataLocation, StringStringEntryProto, TensorProto};

pub(super) const INITIALIZERS: Pass =
    Pass { name: "same-initializers", summary: "Equal initializers are there once", run };

/// What two equal initializers have in common at first sight: their types, dimensions, sizes and first bytes, or the place
/// of their elements in another file.
type Key = (Option<i32>, Vec<i64>, usize, Vec<u8>, Vec<(String, String)>);

/// How many elements a tensor has at most that is compared as a message.
const MAX_ELEMENTS: i64 = 4096;

/// How many of the first bytes are in the key.
const FIRST: usize = 64;

fn run(draft: &mut Draft<'_, '_>) -> usize {
    if draft.ir_version < 4 {
        return 0;
    }
    let Some(graph) = draft.model.graph() else { return 0 };
    let mut known: HashMap<Key, Vec<(ValueId, &TensorProto)>> = HashMap::new();
    let scopes = draft.analysis.scopes();
    let mut count = 0;
    for tensor in graph.initializers() {
        let Some(value) = scopes.index(0, &tensor.name).map(|value| value as usize) else { continue };
        let is_plain = draft.value(value).is_some_and(|value| matches!(value.source, Source::Initializer))
            && draft.has_no_fixed_reader(value)
            && draft.is_read(value);
        let Some(key) = key(tensor).filter(|_| is_plain) else { continue };
        match known.entry(key) {
            Entry::Vacant(vacant) => {
                vacant.insert(vec![(value, tensor)]);
            }
            Entry::Occupied(mut others) => match others.get().iter().find(|(_, other)| same(tensor, other)).copied() {
                Some((first, _)) => {
                    let what = format!("`{}` is equal to `{}`", draft.name(value), draft.name(first));
                    let reader = draft.readers(value).iter().find_map(|reader| match reader {
                        Reader::Node(node, _) => Some(*node),
                        _ => None,
                    });
                    if draft.replace(value, first) > 0
                        && let Some(reader) = reader
                    {
                        draft.change(INITIALIZERS.name, reader, what);
                        count += 1;
                    }
                }
                None => others.get_mut().push((value, tensor)),
            },
        }
    }
    count
}

fn key(tensor: &TensorProto) -> Option<Key> {
    let is_external = tensor.data_location == Some(DataLocation::External.number());
    let raw = tensor.raw_data.as_ref();
    if is_external {
        let entry = |entry: &StringStringEntryProto| (entry.key.clone(), entry.value.clone());
        let mut places: Vec<(String, String)> = tensor.external_data.iter().map(entry).collect();
        places.sort();
        return Some((tensor.data_type, tensor.dims.clone(), 0, Vec::new(), places));
    }
    let Some(raw) = raw else {
        // Elements in fields of their own are of small tensors.
        let count = tensor.dims.iter().try_fold(1_i64, |count, dim| count.checked_mul(*dim))?;
        let plain = TensorProto { name: String::new(), doc_string: String::new(), ..tensor.clone() };
        let bytes = if count <= MAX_ELEMENTS { plain.encode_to_vec() } else { return None };
        return Some((tensor.data_type, tensor.dims.clone(), 0, bytes, Vec::new()));
    };
    let first = raw.get(..FIRST.min(raw.len()))?.to_vec();
    Some((tensor.data_type, tensor.dims.clone(), raw.len(), first, Vec::new()))
}

fn same(left: &TensorProto, right: &TensorProto) -> bool {
    left.raw_data == right.raw_data
}
