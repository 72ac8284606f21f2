//! What the writer changes, and what it leaves alone.

use std::fs;
use std::path::Path;

use super::super::{FunctionEdit, GraphEdit, ListEdit, ModelEdit, NodeEdit, SubgraphPosition, TrainingEdit};
use super::*;

fn edit(values: &[(&str, TypeProto)]) -> GraphEdit {
    GraphEdit {
        value_info: values.iter().map(|(name, r#type)| ((*name).to_owned(), r#type.clone())).collect(),
        ..GraphEdit::default()
    }
}

fn inside(node: usize, attribute: usize, index: usize, edit: GraphEdit) -> GraphEdit {
    GraphEdit { subgraphs: [(SubgraphPosition { node, attribute, index }, edit)].into(), ..GraphEdit::default() }
}

/// An edit of each graph of `model`, which changes every value that has a type.
pub(super) fn edit_all(model: &ModelProto) -> GraphEdit {
    fn of_graph(graph: &GraphProto) -> GraphEdit {
        let mut edit = edit(&[("new", tensor_type(1, &[1]))]);
        edit.value_info.extend(graph.value_info.iter().map(|value| (value.name.clone(), tensor_type(1, &[9; 200]))));
        for (node, proto) in graph.node.iter().enumerate() {
            for (attribute, proto) in proto.attribute.iter().enumerate() {
                for (index, inner) in proto.g.as_deref().into_iter().chain(&proto.graphs).enumerate() {
                    edit.subgraphs.insert(SubgraphPosition { node, attribute, index }, of_graph(inner));
                }
            }
        }
        edit
    }
    model.graph.as_ref().map(of_graph).unwrap_or_default()
}

fn write(bytes: &[u8], edit: &GraphEdit) -> Result<Vec<u8>, ModelError> {
    rewrite(bytes, &ModelEdit { graph: edit.clone(), ..ModelEdit::default() })
}

/// Both ways to hold a model must write the same, which must be what the preview showed.
#[track_caller]
fn rewrite(bytes: &[u8], edit: &ModelEdit) -> Result<Vec<u8>, ModelError> {
    let (_directory, path) = scratch();
    fs::write(&path, bytes).unwrap();
    let written = [read(bytes.to_vec()).unwrap(), ModelFile::open(&path).unwrap()].map(|file| {
        let output = path.with_extension("out");
        let preview = file.preview(edit);
        let written = file.rewrite(edit, &output).map(|()| fs::read(output).unwrap());
        match &written {
            Ok(written) => assert_eq!(of_views(&preview.unwrap()), of_views(read(written.clone()).unwrap().model())),
            Err(_) => assert!(preview.is_err()),
        }
        written
    });
    let [from_memory, from_file] = written;
    assert_eq!(from_memory.is_ok(), from_file.is_ok());
    let written = from_memory?;
    assert_eq!(Some(&written), from_file.as_ref().ok());
    Ok(written)
}

/// The output is `expected` to the byte, and decodes.
#[track_caller]
fn check(bytes: &[u8], edit: &GraphEdit, expected: &[u8]) {
    let written = write(bytes, edit).unwrap();
    assert_eq!(written, expected);
    read(written).unwrap();
}

fn unknown() -> Vec<u8> {
    [varint(90, 300), field(91, "?")].concat()
}

#[test]
fn nothing_to_change_changes_nothing() {
    let bytes = [sample().encode_to_vec(), unknown()].concat();
    check(&bytes, &GraphEdit::default(), &bytes);
    check(&bytes, &edit(&[("y", tensor_type(1, &[]))]), &bytes);
    check(&bytes, &inside(1, 0, 0, GraphEdit::default()), &bytes);
}

#[test]
fn new_values_follow_the_old_ones() {
    let (int, float) = (tensor_type(7, &[3]), tensor_type(1, &[200; 100]));
    let entry = |name, r#type: &TypeProto| field(13, value_info(name, r#type.clone()).encode_to_vec());
    let both = edit(&[("b", int.clone()), ("a", float.clone())]);
    let new = [entry("b", &int), entry("a", &float)].concat();

    // Fields out of order, and with a long form of the graph's length.
    let (head, tail) = ([unknown(), field(2, "g")].concat(), [field(1, field(3, "n")), unknown()].concat());
    let old = entry("y", &int);
    let graph = [&head[..], &old, &tail].concat();
    let long = [&[0x3a, 0x80 | u8::try_from(graph.len()).unwrap(), 0x80, 0][..], &graph].concat();
    let model = |graph: &[u8]| [unknown(), graph.to_vec(), varint(1, 8), unknown()].concat();
    check(&model(&long), &GraphEdit::default(), &model(&long));
    check(&model(&long), &both, &model(&field(7, [&head[..], &old, &new, &tail].concat())));

    // Without old ones they stand at the end.
    let graph = [head, tail].concat();
    check(&model(&field(7, &graph)), &both, &model(&field(7, [graph, new].concat())));
}

#[test]
fn an_old_value_keeps_all_but_its_type() {
    let (old, new) = (tensor_type(1, &[1, 2]), tensor_type(7, &[3; 100]));
    let r#type = |r#type: &TypeProto| field(2, r#type.encode_to_vec());
    let rest = [field(3, "doc"), unknown()].concat();
    let name = field(1, "y");
    let model = |entry: &[&[u8]]| field(7, [field(13, entry.concat()), field(2, "g")].concat());
    let change = edit(&[("y", tensor_type(7, &[0])), ("y", new.clone())]);
    let (old, new) = (r#type(&old), r#type(&new));
    for (before, after) in [
        ([&old[..], &name, &rest], [&new[..], &name, &rest]),
        ([&name, &rest, &old], [&name, &rest, &new]),
        ([&name, &rest, &[]], [&name, &rest, &new]),
        ([&old, &name, &old], [&new, &name, &[]]),
    ] {
        check(&model(&before), &change, &model(&after));
    }
}

#[test]
fn all_entries_of_a_name_agree() {
    let entry = |dims| field(13, value_info("y", tensor_type(1, dims)).encode_to_vec());
    let before = field(7, [entry(&[1]), entry(&[2])].concat());
    check(&before, &edit(&[("y", tensor_type(1, &[2]))]), &field(7, [entry(&[2]), entry(&[2])].concat()));
}

#[test]
fn graphs_in_nodes_are_edited() {
    let mut model = sample();
    let (then, other) = (tensor_type(7, &[4]), tensor_type(7, &[300; 100]));
    let mut change = edit(&[("v", then.clone())]);
    change.subgraphs.extend(inside(1, 0, 0, edit(&[("c", then.clone())])).subgraphs);
    change.subgraphs.extend(inside(1, 1, 0, edit(&[("c", other.clone())])).subgraphs);
    let written = write(&model.encode_to_vec(), &change).unwrap();

    let graph = model.graph.as_mut().unwrap();
    graph.value_info.push(value_info("v", then.clone()));
    for (attribute, r#type) in graph.node[1].attribute.iter_mut().zip([then, other]) {
        attribute.g.as_mut().unwrap().value_info.push(value_info("c", r#type));
    }
    // The sample was encoded by these messages, so its fields already stand in their order.
    assert_eq!(written, model.encode_to_vec());
}

#[test]
fn graphs_in_a_list_and_in_graphs_are_edited() {
    let leaf = |value: &[u8]| field(11, value);
    let outer = |inner: &[u8]| field(7, field(1, field(5, [leaf(&unknown()), leaf(inner)].concat())));
    let middle = |inner: &[u8]| [field(1, field(5, field(6, inner))), unknown()].concat();
    let change = inside(0, 0, 1, inside(0, 0, 0, edit(&[("a", TypeProto::default())])));
    let new = field(13, value_info("a", TypeProto::default()).encode_to_vec());
    check(&outer(&middle(&[])), &change, &outer(&middle(&new)));
}

#[test]
fn an_edit_of_no_graph_is_refused() {
    let bytes = sample().encode_to_vec();
    for (node, attribute, index) in [(2, 0, 0), (1, 2, 0), (1, 0, 1), (0, 0, 0)] {
        match write(&bytes, &inside(node, attribute, index, GraphEdit::default())) {
            Err(ModelError::NoSuchGraph { at, .. }) => assert_eq!(at, SubgraphPosition { node, attribute, index }),
            other => panic!("{other:?}"),
        }
    }
    let functions = ModelProto { functions: vec![FunctionProto::default()], ..ModelProto::default() };
    let change = edit(&[("a", TypeProto::default())]);
    assert!(matches!(write(&functions.encode_to_vec(), &change), Err(ModelError::NoGraph { .. })));
}

#[test]
fn a_graph_in_pieces_is_read_and_not_edited() {
    let bytes = [field(7, field(2, "g")), field(7, field(1, ""))].concat();
    assert_eq!(read(bytes.clone()).unwrap().model().graph().map(|graph| graph.nodes().len()), Some(1));
    check(&bytes, &GraphEdit::default(), &bytes);
    let change = edit(&[("a", TypeProto::default())]);
    assert!(matches!(write(&bytes, &change), Err(ModelError::SplitGraph { offset: 5, .. })));
    let inner = field(7, field(1, field(5, [field(6, ""), field(6, "")].concat())));
    assert!(matches!(write(&inner, &inside(0, 0, 0, change)), Err(ModelError::SplitGraph { .. })));
}

#[test]
fn a_model_can_be_written_onto_itself() {
    let (_directory, path) = scratch();
    let mut model = sample();
    // Long enough to be copied from file to file.
    model.graph.as_mut().unwrap().initializer[0].raw_data = Some(vec![3; 1 << 20].into());
    fs::write(&path, model.encode_to_vec()).unwrap();
    let file = ModelFile::open(&path).unwrap();
    file.write(&edit(&[("v", tensor_type(1, &[]))]), &path).unwrap();
    model.graph.as_mut().unwrap().value_info.push(value_info("v", tensor_type(1, &[])));
    assert_eq!(fs::read(&path).unwrap(), model.encode_to_vec());
    assert_eq!(of_views(ModelFile::open(&path).unwrap().model()), model);
    // What was open still has its own bytes.
    file.write(&GraphEdit::default(), path.with_extension("old")).unwrap();
    assert_eq!(fs::read(path.with_extension("old")).unwrap(), file.bytes()[..]);
}

#[test]
fn a_failed_write_leaves_the_old_file() {
    let (directory, path) = scratch();
    let source = directory.path().join("source.onnx");
    fs::write(&source, sample().encode_to_vec()).unwrap();
    fs::write(&path, "old").unwrap();
    let file = ModelFile::open(&source).unwrap();

    assert!(file.write(&inside(9, 0, 0, GraphEdit::default()), &path).is_err());
    fs::OpenOptions::new().append(true).open(&source).unwrap().set_len(1 << 20).unwrap();
    assert!(matches!(file.write(&GraphEdit::default(), &path), Err(ModelError::Changed { .. })));
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2, "a temporary file was left");

    let file = read(sample().encode_to_vec()).unwrap();
    for target in [directory.path(), &directory.path().join("none/model.onnx"), &path.join("model.onnx")] {
        assert!(matches!(file.write(&GraphEdit::default(), target), Err(ModelError::Write { .. })), "{target:?}");
    }
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
}

#[cfg(unix)]
#[test]
fn permissions_links_and_devices_are_respected() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    let (directory, path) = scratch();
    let file = read(sample().encode_to_vec()).unwrap();
    let write = |target: &Path| file.write(&GraphEdit::default(), target).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;

    let usual = directory.path().join("usual");
    fs::write(&usual, "").unwrap();
    write(&path);
    assert_eq!(mode(&path), mode(&usual));
    fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
    write(&path);
    assert_eq!(mode(&path), 0o640);

    fs::create_dir(directory.path().join("sub")).unwrap();
    for (link, leads_to) in [("old", "model.onnx"), ("new", "sub/created.onnx"), ("far", "new")] {
        let link = directory.path().join(link);
        symlink(leads_to, &link).unwrap();
        write(&link);
        assert!(link.is_symlink());
        assert_eq!(fs::read(directory.path().join(leads_to)).unwrap(), file.bytes()[..]);
    }
    symlink("loop", directory.path().join("loop")).unwrap();
    assert!(file.write(&GraphEdit::default(), directory.path().join("loop")).is_err());

    write(Path::new("/dev/null"));
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

fn node(names: &[&str], rest: &[u8]) -> Vec<u8> {
    let inputs: Vec<u8> = names.iter().flat_map(|name| field(1, name)).collect();
    field(1, [&inputs[..], rest].concat())
}

fn of_node(edit: NodeEdit) -> GraphEdit {
    GraphEdit { nodes: [(0, edit)].into(), ..GraphEdit::default() }
}

#[test]
fn a_node_keeps_all_but_what_is_edited() {
    let names = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    let attribute = |name: &str| AttributeProto { name: name.to_owned(), i: Some(1), ..AttributeProto::default() };
    let written = |name: &str| field(5, attribute(name).encode_to_vec());
    let other = [field(2, "y"), unknown(), field(4, "Op")].concat();
    let model = |node: Vec<u8>| [unknown(), field(7, [field(2, "g"), node].concat()), varint(1, 8)].concat();
    let rest = |attributes: &[&str]| {
        [&other[..], &attributes.iter().flat_map(|name| written(name)).collect::<Vec<_>>(), &unknown()].concat()
    };
    let inputs = |inputs| NodeEdit { inputs, ..NodeEdit::default() };
    let attributes = |remove: &[usize], add: &[&str]| NodeEdit {
        attributes: ListEdit {
            remove: remove.iter().copied().collect(),
            add: add.iter().map(|name| attribute(name)).collect(),
        },
        ..NodeEdit::default()
    };
    let both = NodeEdit { inputs: names(&["x", "s"]), ..attributes(&[0], &["c"]) };
    for (old, edit, new) in [
        ((&["x"][..], &["a"][..]), inputs(names(&["x"])), (&["x"][..], &["a"][..])),
        ((&["x"], &["a"]), inputs(names(&["x", "s"])), (&["x", "s"], &["a"])),
        ((&["x", "s"], &["a"]), inputs(names(&["x"])), (&["x"], &["a"])),
        ((&["x", "s"], &[]), inputs(names(&["s", "x", ""])), (&["s", "x", ""], &[])),
        ((&[], &["a"]), inputs(names(&["x"])), (&["x"], &["a"])),
        ((&["x"], &["a"]), inputs(names(&[])), (&[], &["a"])),
        ((&["x"], &["a", "b"]), attributes(&[0], &[]), (&["x"], &["b"])),
        ((&["x"], &["a", "b"]), attributes(&[0, 1, 9], &["c"]), (&["x"], &["c"])),
        ((&["x"], &["a"]), attributes(&[], &["c", "d"]), (&["x"], &["a", "c", "d"])),
        ((&["x"], &["a"]), both, (&["x", "s"], &["c"])),
    ] {
        check(&model(node(old.0, &rest(old.1))), &of_node(edit), &model(node(new.0, &rest(new.1))));
    }
    // Outputs as inputs, and nodes around it.
    let outputs = |names: &[&str]| names.iter().flat_map(|name| field(2, name)).collect::<Vec<_>>();
    let of = |outputs: &[u8]| node(&["x"], &[outputs, &field(4, "Op"), &unknown()].concat());
    let lone = |name: &str| NodeProto { name: name.to_owned(), ..NodeProto::default() };
    let written_lone = |name: &str| field(1, lone(name).encode_to_vec());
    for new in [&["z", "y"][..], &["z"], &["y", "z"], &[]] {
        let edit = NodeEdit { outputs: names(new), ..NodeEdit::default() };
        check(&model(of(&outputs(&["y", "v"]))), &of_node(edit), &model(of(&outputs(new))));
    }
    let around = NodeEdit { before: vec![lone("a"), lone("b")], after: vec![lone("c")], ..inputs(names(&["x"])) };
    let expected = [written_lone("a"), written_lone("b"), of(&outputs(&["y"])), written_lone("c")].concat();
    check(&model(of(&outputs(&["y"]))), &of_node(around), &model(expected));
    // Without attributes, new ones stand at the end.
    let expected = model(node(&["x"], &[other.clone(), unknown(), written("c")].concat()));
    check(&model(node(&["x"], &[other.clone(), unknown()].concat())), &of_node(attributes(&[], &["c"])), &expected);
    // A node that is not there.
    let missing = GraphEdit { nodes: [(7, inputs(names(&["x"])))].into(), ..GraphEdit::default() };
    assert!(matches!(write(&model(node(&["x"], &other)), &missing), Err(ModelError::NoSuchGraph { .. })));
}

#[test]
fn initializers_and_inputs_come_and_go() {
    let tensor = |name: &str| TensorProto { name: name.to_owned(), ..TensorProto::default() };
    let input = |name: &str| value_info(name, tensor_type(1, &[1]));
    let model = |initializers: &[&str], inputs: &[&str]| {
        let initializers: Vec<u8> =
            initializers.iter().flat_map(|name| field(5, tensor(name).encode_to_vec())).collect();
        let inputs: Vec<u8> = inputs.iter().flat_map(|name| field(11, input(name).encode_to_vec())).collect();
        field(7, [&field(2, "g"), &initializers[..], &unknown(), &inputs].concat())
    };
    let edit = GraphEdit {
        initializers: ListEdit { remove: [0].into(), add: vec![tensor("c")] },
        inputs: ListEdit { remove: [1].into(), add: vec![input("z")] },
        ..GraphEdit::default()
    };
    check(&model(&["a", "b"], &["x", "y"]), &edit, &model(&["b", "c"], &["x", "z"]));
}

#[test]
fn nodes_make_room_for_others() {
    let of = |name: &str| NodeProto { name: name.to_owned(), ..NodeProto::default() };
    let node = |name: &str| field(1, of(name).encode_to_vec());
    let model = |names: &[&str]| {
        let nodes: Vec<u8> = names.iter().flat_map(|name| [node(name), unknown()].concat()).collect();
        field(7, [field(2, "g"), nodes].concat())
    };
    let edit = |index: usize, new: &[&str]| GraphEdit {
        replaced: [(index, new.iter().map(|name| of(name)).collect())].into(),
        ..GraphEdit::default()
    };
    let all = |middle: &[u8]| {
        let (first, last) = ([node("a"), unknown()].concat(), [unknown(), node("c"), unknown()].concat());
        field(7, [&field(2, "g")[..], &first, middle, &last].concat())
    };
    check(&model(&["a", "b", "c"]), &edit(1, &[]), &all(&[]));
    check(&model(&["a", "b", "c"]), &edit(1, &["x"]), &all(&node("x")));
    check(&model(&["a", "b", "c"]), &edit(1, &["x", "y"]), &all(&[node("x"), node("y")].concat()));
    let missing = write(&model(&["a"]), &edit(1, &[]));
    assert!(matches!(missing, Err(ModelError::NoSuchGraph { .. })));
    // A replaced node has no other edit, nor has a graph in it.
    let inputs = NodeEdit { inputs: Some(Vec::new()), ..NodeEdit::default() };
    let position = SubgraphPosition { node: 0, attribute: 0, index: 0 };
    for other in [
        GraphEdit { nodes: [(0, inputs)].into(), ..GraphEdit::default() },
        GraphEdit { subgraphs: [(position, GraphEdit::default())].into(), ..GraphEdit::default() },
    ] {
        let both = write(&model(&["a"]), &GraphEdit { replaced: edit(0, &["x"]).replaced, ..other });
        assert!(matches!(both, Err(ModelError::NoSuchGraph { .. })));
    }
}

#[test]
fn declarations_change_in_their_places_and_value_info_goes() {
    let entry = |number: u32, name: &str, size: i64| {
        let ty = field(2, tensor_type(1, &[size]).encode_to_vec());
        field(number, [&field(1, name)[..], &ty, &unknown()].concat())
    };
    let model = |sizes: [i64; 3], infos: &[&str]| {
        let infos: Vec<u8> = infos.iter().flat_map(|name| entry(13, name, 5)).collect();
        let [x, y, z] = sizes;
        field(7, [entry(12, "z", z), infos, entry(11, "x", x), unknown(), entry(11, "y", y)].concat())
    };
    let declare = |name: &str, size: i64| (name.to_owned(), tensor_type(1, &[size]));
    let edit = GraphEdit {
        declarations: vec![declare("y", 300), declare("z", 7), declare("a", 9)],
        forgotten: [1, 2, 9].into(),
        ..GraphEdit::default()
    };
    check(&model([1, 2, 3], &["a", "b", "c"]), &edit, &model([1, 300, 7], &["a"]));
    let more = GraphEdit { value_info: vec![declare("c", 5)], ..edit };
    let new = field(13, value_info("c", tensor_type(1, &[5])).encode_to_vec());
    let expected = [entry(12, "z", 7), entry(13, "a", 5), new, entry(11, "x", 1), unknown(), entry(11, "y", 300)];
    check(&model([1, 2, 3], &["a", "b", "c"]), &more, &field(7, expected.concat()));
}

#[test]
fn an_import_keeps_all_but_its_version() {
    let write = |bytes: &[u8], imports: &[(&str, i64)]| {
        let opset_import = imports
            .iter()
            .map(|(domain, version)| OperatorSetIdProto { domain: (*domain).to_owned(), version: Some(*version) });
        rewrite(bytes, &ModelEdit { opset_import: opset_import.collect(), ..ModelEdit::default() }).unwrap()
    };
    let model = |imports: &[Vec<u8>]| [&field(7, field(2, "g")), &imports.concat()[..], &varint(1, 8)].concat();
    let import = |parts: &[Vec<u8>]| field(8, parts.concat());
    let acme = import(&[field(1, "com.acme"), varint(2, 300), unknown()]);
    for (before, after) in [
        (import(&[field(1, ""), varint(2, 13)]), import(&[field(1, ""), varint(2, 300)])),
        (
            import(&[varint(2, 13), unknown(), field(1, "ai.onnx")]),
            import(&[varint(2, 300), unknown(), field(1, "ai.onnx")]),
        ),
        (import(&[unknown()]), import(&[unknown(), varint(2, 300)])),
        (import(&[varint(2, 1), varint(2, 13)]), import(&[varint(2, 300)])),
    ] {
        assert_eq!(write(&model(&[acme.clone(), before]), &[("", 300)]), model(&[acme.clone(), after]));
    }
    // Others of the same domain go.
    let of = |version| import(&[varint(2, version), unknown()]);
    let twice = model(&[of(13), acme.clone(), of(21), import(&[field(1, "ai.onnx"), varint(2, 7)])]);
    assert_eq!(write(&twice, &[("", 28)]), model(&[of(28), acme.clone()]));
    let added = import(&[field(1, "com.other"), varint(2, 2)]);
    assert_eq!(write(&model(std::slice::from_ref(&acme)), &[("com.other", 2)]), model(&[acme.clone(), added]));
    assert_eq!(write(&model(std::slice::from_ref(&acme)), &[]), model(&[acme]));
}

#[test]
fn an_ir_version_is_set_where_it_stands() {
    let edit = ModelEdit { ir_version: Some(300), ..ModelEdit::default() };
    let graph = || field(7, field(2, "g"));
    for (before, after) in [
        ([varint(1, 8), graph(), unknown()].concat(), [varint(1, 300), graph(), unknown()].concat()),
        ([graph(), varint(1, 8), unknown(), varint(1, 9)].concat(), [graph(), varint(1, 300), unknown()].concat()),
        ([graph(), unknown()].concat(), [graph(), unknown(), varint(1, 300)].concat()),
    ] {
        assert_eq!(rewrite(&before, &edit).unwrap(), after);
    }
}

#[test]
fn nodes_come_before_all_others() {
    let of = |name: &str| NodeProto { name: name.to_owned(), ..NodeProto::default() };
    let node = |name: &str| field(1, of(name).encode_to_vec());
    let model = |nodes: &[Vec<u8>]| field(7, [&field(2, "g")[..], &nodes.concat(), &unknown()].concat());
    let edit = GraphEdit { first: vec![of("x"), of("y")], ..GraphEdit::default() };
    check(&model(&[node("a")]), &edit, &model(&[node("x"), node("y"), node("a")]));
    let both = GraphEdit { replaced: [(0, vec![of("b")])].into(), ..edit.clone() };
    check(&model(&[node("a")]), &both, &model(&[node("x"), node("y"), node("b")]));
    check(&field(7, unknown()), &edit, &field(7, [unknown(), node("x"), node("y")].concat()));
}

#[test]
fn functions_and_training_are_edited() {
    let of = |name: &str| NodeProto { name: name.to_owned(), ..NodeProto::default() };
    let renamed = |name: &str| GraphEdit { replaced: [(0, vec![of(name)])].into(), ..GraphEdit::default() };
    let function = |version: u64, name: &str| {
        let import = field(9, varint(2, version));
        field(25, [field(1, "F"), import, field(7, of(name).encode_to_vec()), unknown()].concat())
    };
    let graph = |name: &str| [field(2, "g"), field(1, of(name).encode_to_vec()), unknown()].concat();
    let training =
        |first: &str, step: &str| field(20, [field(1, graph(first)), unknown(), field(2, graph(step))].concat());
    let model = |changed: bool| {
        let [version, name, first, step] = if changed { ["28", "new", "x", "y"] } else { ["13", "old", "a", "b"] };
        let other = [training("a", "b"), function(13, "old")].concat();
        [&other[..], &training(first, step), &function(version.parse().unwrap(), name), &unknown()].concat()
    };
    let import = OperatorSetIdProto { domain: String::new(), version: Some(28) };
    let edit = ModelEdit {
        functions: [(1, FunctionEdit { opset_import: vec![import], body: renamed("new") })].into(),
        training: [(1, TrainingEdit { initialization: renamed("x"), algorithm: renamed("y") })].into(),
        ..ModelEdit::default()
    };
    assert_eq!(rewrite(&model(false), &edit).unwrap(), model(true));
    let none = ModelEdit { functions: [(2, FunctionEdit::default())].into(), ..ModelEdit::default() };
    assert!(matches!(rewrite(&model(false), &none), Err(ModelError::NoSuchGraph { .. })));
}

#[test]
fn a_preview_shares_the_elements_of_the_model() {
    let (_directory, path) = scratch();
    let mut model = sample();
    model.graph.as_mut().unwrap().initializer[0].raw_data = Some(vec![3; 1 << 20].into());
    fs::write(&path, model.encode_to_vec()).unwrap();
    let edit = ModelEdit { ir_version: Some(14), graph: edit(&[("v", tensor_type(1, &[]))]), ..ModelEdit::default() };
    for file in [ModelFile::open(&path).unwrap(), read(model.encode_to_vec()).unwrap()] {
        let preview = file.preview(&edit).unwrap();
        let elements = preview.graph().unwrap().initializers().get(0).unwrap().raw_data.as_ref().unwrap();
        assert!(lies_in(elements, file.bytes()));
    }
}

/// Each node takes the place of another one, with what is changed in it and what is put around it; what stands between them
/// stays.
#[test]
fn nodes_get_another_order() {
    let node = |name: &str| NodeProto { op_type: "N".into(), name: name.into(), ..NodeProto::default() };
    let field_of = |node: NodeProto| field(1, node.encode_to_vec());
    let between = || [field(2, "g"), unknown()];
    let graph = |nodes: [Vec<u8>; 3]| {
        let ([first, second, third], [name, unknown]) = (nodes, between());
        field(7, [first, name, second, unknown, third].concat())
    };
    let before = graph(["a", "b", "longer"].map(|name| field_of(node(name))));
    let mut edit = GraphEdit { order: Some(vec![2, 0, 1]), ..GraphEdit::default() };
    check(&before, &edit, &graph(["longer", "a", "b"].map(|name| field_of(node(name)))));
    let renamed = NodeEdit { name: Some("c".into()), after: vec![node("new")], ..NodeEdit::default() };
    edit.nodes.insert(0, renamed);
    edit.replaced.insert(2, vec![]);
    edit.first.push(node("first"));
    let first = field_of(node("first"));
    let a = [field_of(node("c")), field_of(node("new"))].concat();
    // The first place is empty, and what comes before all nodes stays before them.
    check(&before, &edit, &graph([first, a, field_of(node("b"))]));
    for order in [vec![0, 1], vec![0, 1, 1], vec![0, 1, 2, 3], vec![0, 1, 3], vec![]] {
        let edit = GraphEdit { order: Some(order), ..GraphEdit::default() };
        assert!(matches!(write(&before, &edit), Err(ModelError::NoSuchGraph { .. })), "{edit:?}");
    }
}

#[test]
fn graphs_and_nodes_get_names() {
    let node = |name: &str| NodeProto { op_type: "N".into(), name: name.into(), ..NodeProto::default() };
    let model = |graph: &str, of_node: &str| ModelProto {
        graph: Some(GraphProto { name: graph.into(), node: vec![node(of_node)], ..GraphProto::default() }),
        ..ModelProto::default()
    };
    let mut edit = GraphEdit { name: Some("new".into()), ..GraphEdit::default() };
    edit.nodes.insert(0, NodeEdit { name: Some("n".into()), ..NodeEdit::default() });
    for (graph, of_node) in [("", ""), ("old", "longer than before")] {
        let written = write(&model(graph, of_node).encode_to_vec(), &edit).unwrap();
        assert_eq!(ModelProto::decode(written).unwrap(), model("new", "n"));
    }
}
