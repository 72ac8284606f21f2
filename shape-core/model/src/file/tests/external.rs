//! Elements in other files, and models that name the wrong ones.

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::super::{External, ExternalError, TensorError};
use super::*;
use shape_core::code::Code;

/// A folder with a model in a folder of its own, ten bytes of data beside it, and a file that it must not read.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model");
    fs::create_dir_all(model.join("parts")).unwrap();
    fs::write(folder.path().join("secret.bin"), [0xaa; 10]).unwrap();
    for name in ["data.bin", "parts/one.bin", "..odd.bin"] {
        fs::write(model.join(name), (0..10).collect::<Vec<u8>>()).unwrap();
    }
    fs::write(model.join("empty.bin"), "").unwrap();
    (folder, model)
}

fn check(external: &External, tensor: &TensorProto, code: Code, says: &str) {
    let error = external.elements(tensor).expect_err(says);
    assert!(error.to_string().contains(says), "{error}\nnot: {says}");
    assert_eq!(error.code(), code, "{error}");
}

/// The files of a model that is in memory are those that were given, and no others.
#[test]
fn given_files_are_found_by_their_locations() {
    let data = External::given([("parts/one.bin".to_owned(), Bytes::from_static(&[0, 1, 2, 3]))]);
    let at = |location: &str, dims: i64| external(2, &[dims], &[("location", location), ("offset", "1")]);
    for location in ["parts/one.bin", "./parts/one.bin"] {
        assert_eq!(data.elements(&at(location, 3)).as_deref(), Ok(&[1, 2, 3][..]), "{location}");
    }
    check(&data, &at("parts/one.bin", 4), Code::ExternalDataShort, "parts/one.bin");
    check(&data, &at("one.bin", 1), Code::ExternalDataAbsent, "there is no file one.bin");
}

#[test]
fn elements_are_found_where_the_tensor_says() {
    let (_folder, folder) = folder();
    let data = External::beside(folder.join("model.onnx"));
    for (tensor, expected) in [
        (external(2, &[10], &[("location", "data.bin")]), &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9][..]),
        // What is behind the tensor belongs to others.
        (external(2, &[3], &[("location", "data.bin")]), &[0, 1, 2]),
        (external(2, &[3], &[("offset", "7"), ("location", "data.bin")]), &[7, 8, 9]),
        (external(2, &[2], &[("length", "2"), ("offset", "4"), ("location", "./parts/one.bin")]), &[4, 5]),
        (external(2, &[1], &[("location", "parts//one.bin"), ("offset", "0003")]), &[3]),
        (external(2, &[1], &[("location", "..odd.bin")]), &[0]),
        (external(4, &[2], &[("location", "data.bin"), ("offset", "1")]), &[1, 2, 3, 4]),
        (external(15, &[0, 3], &[("location", "data.bin"), ("offset", "10"), ("length", "0")]), &[]),
        (external(1, &[2, 0], &[("location", "empty.bin")]), &[]),
        (external(22, &[3], &[("location", "data.bin"), ("length", "2")]), &[0, 1]),
        (external(26, &[5], &[("location", "data.bin"), ("length", "2")]), &[0, 1]),
        (external(27, &[5], &[("location", "data.bin"), ("length", "4")]), &[0, 1, 2, 3]),
        // Nobody knows these keys, or needs them.
        (external(2, &[1], &[("location", "data.bin"), ("checksum", "x"), ("basepath", "/"), ("?", "")]), &[0]),
    ] {
        assert_eq!(data.elements(&tensor).as_deref(), Ok(expected), "{tensor:?}");
    }
    // What lies in the tensor itself is read without a folder.
    let own = TensorProto { raw_data: Some(Bytes::from_static(&[1])), ..tensor(2, &[]) };
    for data in [data, External::none()] {
        assert_eq!(*data.elements(&own).unwrap(), [1]);
    }
}

/// Every element type has its bytes there as it would in `raw_data`.
#[test]
fn every_type() {
    let (_folder, folder) = folder();
    fs::write(folder.join("data.bin"), [1; 200]).unwrap();
    let data = External::beside(folder.join("model.onnx"));
    for data_type in shape_core::DataType::all() {
        let number = data_type.number().into();
        for count in 0..=9_u8 {
            let tensor = external(number, &[count.into()], &[("location", "data.bin"), ("offset", "5")]);
            match data_type.bytes(count.into()) {
                Some(len) => assert_eq!(data.elements(&tensor).unwrap().len() as u64, len, "{data_type} {count}"),
                None => check(&data, &tensor, Code::ExternalDataMalformed, "strings cannot lie in another file"),
            }
        }
    }
}

#[test]
fn each_file_is_mapped_once() {
    let (_folder, folder) = folder();
    let data = External::beside(folder.join("model.onnx"));
    let read = |location, offset| {
        data.elements(&external(2, &[1], &[("location", location), ("offset", offset)])).unwrap().as_ptr().addr()
    };
    let first = read("data.bin", "0");
    assert_eq!([read("data.bin", "9"), read("./data.bin", "9")], [first + 9; 2]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("data.bin", folder.join("link.bin")).unwrap();
        assert_eq!(read("link.bin", "9"), first + 9);
    }
    // A file that takes the name of a mapped one is another file, which is left alone.
    fs::write(folder.join("new.bin"), [7; 10]).unwrap();
    fs::rename(folder.join("new.bin"), folder.join("data.bin")).unwrap();
    assert_eq!(read("data.bin", "9"), first + 9);
}

#[test]
fn a_model_file_knows_its_folder() {
    let (_folder, folder) = folder();
    let model = ModelProto {
        graph: Some(GraphProto {
            initializer: vec![external(2, &[2], &[("location", "data.bin"), ("offset", "8")])],
            ..GraphProto::default()
        }),
        ..ModelProto::default()
    };
    fs::write(folder.join("model.onnx"), model.encode_to_vec()).unwrap();
    let first =
        |file: &ModelFile| file.external().elements(file.model().graph().unwrap().initializers().get(0).unwrap());
    let file = ModelFile::open(folder.join("model.onnx")).unwrap();
    assert_eq!(*first(&file).unwrap(), [8, 9]);
    let error = first(&read(model.encode_to_vec()).unwrap()).unwrap_err();
    assert_eq!(error, TensorError::External(ExternalError::NoFolder { location: "data.bin".into() }));
    assert_eq!(error.code(), Code::ExternalDataUnread);
}

#[test]
fn what_a_tensor_says_wrongly() {
    let (_folder, folder) = folder();
    let data = External::beside(folder.join("model.onnx"));
    let with = |key, value| external(2, &[4], &[("location", "data.bin"), (key, value)]);
    let past_u64 = "18446744073709551616";
    for (key, value, says) in [
        ("offset", "", "the `offset` in `external_data` is ``, which is no whole number from 0 on"),
        ("offset", "-1", "is `-1`, which is no whole number"),
        ("offset", "+1", "is `+1`, which"),
        ("offset", " 1", "is ` 1`, which"),
        ("offset", "0x1", "is `0x1`, which"),
        ("offset", "1.0", "is `1.0`, which"),
        ("offset", "\u{663}", "which is no whole number"),
        ("offset", past_u64, "the `offset` in `external_data` is 18446744073709551616, more than any file has"),
        ("length", "-4", "the `length` in `external_data` is `-4`"),
        ("length", "four", "is `four`"),
        ("length", past_u64, "more than any file has"),
        ("location", "data.bin", "`external_data` has two entries `location`; one must"),
    ] {
        check(&data, &with(key, value), Code::ExternalDataMalformed, says);
    }
    let twice = external(2, &[4], &[("location", "data.bin"), ("length", "4"), ("length", "4")]);
    check(&data, &twice, Code::ExternalDataMalformed, "two entries `length`");
    for nowhere in [&[][..], &[("location", "")], &[("Location", "data.bin")]] {
        check(&data, &external(2, &[4], nowhere), Code::ExternalDataMalformed, "has no `location` that names it");
    }
    let raw = TensorProto { raw_data: Some(Bytes::from_static(&[0; 4])), ..with("offset", "0") };
    check(&data, &raw, Code::ExternalDataMalformed, "raw_data has elements, and `external_data` names a file");
    let typed = TensorProto { int32_data: [1].into_iter().collect(), ..with("offset", "0") };
    check(&data, &typed, Code::ExternalDataMalformed, "int32_data has elements");
    // An empty field says nothing.
    let empty = TensorProto { raw_data: Some(Bytes::new()), ..with("offset", "0") };
    assert_eq!(*data.elements(&empty).unwrap(), [0, 1, 2, 3]);

    let segment = TensorProto { segment: Some(Segment::default()), ..with("offset", "0") };
    check(&data, &segment, Code::TensorData, "segment of a larger one");
    check(&data, &external(0, &[], &[]), Code::ElementTypeUnknown, "data_type 0 is no element type");
    check(&data, &external(29, &[], &[]), Code::ElementTypeUnknown, "data_type 29");
    check(&data, &external(1, &[2, -1], &[]), Code::DimsNegative, "dimension 1 is -1");
    check(&data, &external(1, &[i64::MAX, 4], &[]), Code::TensorData, "too large for any memory");
}

#[test]
fn files_that_end_too_early() {
    let (_folder, folder) = folder();
    let data = External::beside(folder.join("model.onnx"));
    let short = Code::ExternalDataShort;
    let at = |dims, offset| external(2, dims, &[("location", "data.bin"), ("offset", offset)]);
    check(&data, &at(&[11], "0"), short, "data.bin has 10 bytes, and 11 are needed from byte 0 on");
    check(&data, &at(&[1], "10"), short, "1 are needed from byte 10 on");
    check(&data, &at(&[0], "11"), short, "0 are needed from byte 11 on");
    check(&data, &at(&[1], "18446744073709551615"), short, "from byte 18446744073709551615 on");
    check(&data, &at(&[i64::MAX], "9223372036854775807"), short, "9223372036854775807 are needed");
    let four_gigabytes = [("location", "data.bin"), ("length", "4294967296")];
    check(&data, &external(2, &[1 << 32], &four_gigabytes), short, "4294967296 are needed");
    check(&data, &external(1, &[1], &[("location", "empty.bin")]), short, "empty.bin has 0 bytes");

    let length = |length| external(2, &[4], &[("location", "data.bin"), ("length", length)]);
    for (wrong, says) in [
        ("3", "the dims ask for 4 bytes, and `external_data` says a `length` of 3"),
        ("5", "a `length` of 5"),
        ("4294967296", "a `length` of 4294967296"),
        ("18446744073709551615", "a `length` of 18446744073709551615"),
    ] {
        check(&data, &length(wrong), Code::ExternalDataLength, says);
    }
    assert_eq!(data.elements(&length("4")).unwrap().len(), 4);
}

/// A file of holes costs no disk, and reading its end no memory.
#[test]
fn a_file_of_five_gigabytes() {
    let (_folder, folder) = folder();
    let len = 5_u64 << 30;
    let file = fs::File::create(folder.join("holes.bin")).unwrap();
    if file.set_len(len).is_err() || usize::try_from(len).is_err() {
        return;
    }
    let data = External::beside(folder.join("model.onnx"));
    let at = |offset: u64| external(7, &[1], &[("location", "holes.bin"), ("offset", &offset.to_string())]);
    assert_eq!(*data.elements(&at(len - 8)).unwrap(), [0; 8]);
    check(&data, &at(len - 7), Code::ExternalDataShort, "has 5368709120 bytes");
    assert_eq!(data.elements(&external(2, &[5 << 30], &[("location", "holes.bin")])).unwrap().len() as u64, len);
}

#[test]
fn files_that_are_not_the_model_s() {
    let (_folder, folder) = folder();
    let data = External::beside(folder.join("model.onnx"));
    let at = |location: &str| external(2, &[1], &[("location", location)]);
    let absolute = folder.join("data.bin");
    for location in [
        "../secret.bin",
        "parts/../../secret.bin",
        // Within the folder, and refused all the same: what it means depends on the links on the way.
        "parts/../data.bin",
        "..",
        "parts/..",
        "..\\secret.bin",
        "parts\\..\\..\\secret.bin",
        "parts/..\\../secret.bin",
        "/etc/passwd",
        "//server/share/data.bin",
        "\\\\server\\share\\data.bin",
        "\\data.bin",
        "C:\\data.bin",
        "c:/data.bin",
        "C:data.bin",
        "data.bin\0.txt",
        absolute.to_str().unwrap(),
    ] {
        check(&data, &at(location), Code::ExternalDataOutside, "it must be a path below the model's folder");
    }
    for location in ["absent.bin", "data.bin/x", "absent/data.bin", "*/_ORT_MEM_ADDR_/*"] {
        check(&data, &at(location), Code::ExternalDataAbsent, "there is no file");
    }
    for location in [".", "parts", "./parts/"] {
        check(&data, &at(location), Code::ExternalDataAbsent, "is no regular file");
    }
    check(&data, &at(&"x".repeat(10_000)), Code::ExternalDataAbsent, "cannot read");
    check(&External::none(), &at("data.bin"), Code::ExternalDataUnread, "in no folder to look for it");
    check(&External::beside("/nowhere/at/all.onnx"), &at("data.bin"), Code::ExternalDataAbsent, "there is no file");
}

#[cfg(unix)]
#[test]
fn links_and_what_is_no_file() {
    use std::os::unix::fs::symlink;

    let (outer, folder) = folder();
    let data = External::beside(folder.join("model.onnx"));
    let at = |location: &str| external(2, &[1], &[("location", location)]);
    for (target, link) in [
        ("../secret.bin", "link.bin"),
        ("..", "up"),
        ("/dev/zero", "zero"),
        ("link.bin", "chain.bin"),
        ("data.bin", "inner.bin"),
        ("loop", "loop"),
        ("nowhere", "dangling"),
    ] {
        symlink(target, folder.join(link)).unwrap();
    }
    for location in ["link.bin", "up/secret.bin", "zero", "chain.bin"] {
        check(&data, &at(location), Code::ExternalDataOutside, "it leads out of the model's folder, to /");
    }
    // Out, and back in.
    assert_eq!(*data.elements(&at("up/model/data.bin")).unwrap(), [0]);
    assert_eq!(*data.elements(&at("inner.bin")).unwrap(), [0]);
    check(&data, &at("loop"), Code::ExternalDataAbsent, "cannot read");
    check(&data, &at("dangling"), Code::ExternalDataAbsent, "there is no file");

    pipe(folder.join("pipe"));
    check(&data, &at("pipe"), Code::ExternalDataAbsent, "is no regular file");
    let _socket = std::os::unix::net::UnixListener::bind(folder.join("socket")).unwrap();
    check(&data, &at("socket"), Code::ExternalDataAbsent, "is no regular file");

    // A folder whose name begins as the model's does is another one.
    let sibling = outer.path().join("model-2");
    fs::create_dir(&sibling).unwrap();
    fs::write(sibling.join("data.bin"), [5]).unwrap();
    symlink("../model-2/data.bin", folder.join("sibling.bin")).unwrap();
    check(&data, &at("sibling.bin"), Code::ExternalDataOutside, "leads out");
}

/// A download cache has one folder of blobs, and one of links to them that bear the real names.
#[cfg(unix)]
#[test]
fn a_model_that_is_a_link() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().unwrap();
    let [blobs, names, other] = ["blobs", "snapshots", "other"].map(|name| folder.path().join(name));
    for folder in [&blobs, &names, &other] {
        fs::create_dir(folder).unwrap();
    }
    for (name, content) in [("4d7a", &[1][..]), ("9c01", &[2])] {
        fs::write(blobs.join(name), content).unwrap();
    }
    fs::write(other.join("secret"), [3]).unwrap();
    symlink("../blobs/4d7a", names.join("model.onnx")).unwrap();
    symlink("../blobs/9c01", names.join("model.onnx_data")).unwrap();
    symlink("../other/secret", names.join("secret")).unwrap();
    let data = External::beside(names.join("model.onnx"));
    let at = |location: &str| external(2, &[1], &[("location", location)]);
    assert_eq!(*data.elements(&at("model.onnx_data")).unwrap(), [2]);
    check(&data, &at("secret"), Code::ExternalDataOutside, "leads out");
    check(&data, &at("9c01"), Code::ExternalDataAbsent, "there is no file");
}

#[cfg(unix)]
#[test]
fn a_file_that_nobody_may_read() {
    use std::os::unix::fs::PermissionsExt;

    let (_folder, folder) = folder();
    fs::set_permissions(folder.join("data.bin"), fs::Permissions::from_mode(0o000)).unwrap();
    // Who may read everything may read this too.
    if fs::File::open(folder.join("data.bin")).is_err() {
        let data = External::beside(folder.join("model.onnx"));
        let tensor = external(2, &[1], &[("location", "data.bin")]);
        check(&data, &tensor, Code::ExternalDataAbsent, "permission denied");
    }
}

/// The folder of a model that is named without one is the current one.
#[test]
fn a_model_in_the_current_folder() {
    let data = External::beside(Path::new("model.onnx"));
    let tensor = external(2, &[1], &[("location", "Cargo.toml")]);
    assert_eq!(*data.elements(&tensor).unwrap(), fs::read("Cargo.toml").unwrap()[..1]);
}

/// Parts of locations, some of which lead out of the folder.
const PARTS: [&str; 8] = ["data.bin", "parts", "secret.bin", "out.bin", "up", "..", "/", "C:"];

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        (0_u64..12).prop_map(|small| small.to_string()),
        any::<i128>().prop_map(|any| any.to_string()),
        (u64::MAX - 5..=u64::MAX).prop_map(|large| large.to_string()),
        "\\PC{0,4}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever a tensor says, it gets an error, or as many bytes as it asks for from a file of the folder. The file
    /// outside is full of 0xaa.
    #[test]
    fn nothing_leads_out_of_the_folder(
        parts in prop::collection::vec(prop::sample::select(&PARTS[..]), 0..4),
        separator in prop::sample::select(&["/", "\\", "//"][..]),
        offset in proptest::option::weighted(0.3, number()),
        length in proptest::option::weighted(0.2, number()),
        data_type in prop_oneof![Just(2), -1..31],
        dims in prop::collection::vec(prop_oneof![9 => 1..4_i64, 1 => any::<i64>()], 0..3),
    ) {
        let (_folder, folder) = folder();
        #[cfg(unix)]
        for (target, link) in [("../secret.bin", "out.bin"), ("..", "up")] {
            std::os::unix::fs::symlink(target, folder.join(link)).unwrap();
        }
        let location = parts.join(separator);
        let mut entries = vec![("location", &*location)];
        entries.extend(offset.as_deref().map(|offset| ("offset", offset)));
        entries.extend(length.as_deref().map(|length| ("length", length)));
        let tensor = external(data_type, &dims, &entries);
        match External::beside(folder.join("model.onnx")).elements(&tensor) {
            Ok(bytes) => {
                prop_assert!(!bytes.contains(&0xaa), "{location}");
                let count = tensor.count().unwrap();
                let asked = tensor.element_type().unwrap().bytes(count).unwrap();
                prop_assert_eq!(bytes.len() as u64, asked);
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
