//! The JSON Schema of the descriptor language against what the compiler says: it accepts every descriptor that the
//! compiler accepts, and refuses each mistake of form.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{fs, iter};

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::{Value, json};
use shape_changes::write::{descriptor, with_version};
use shape_specs::{DESCRIPTOR_SCHEMA, SpecErrors, Tables, resolve};
use shape_tests::root;

const EVERYTHING: &str = "shape-macros/codegen/tests/Everything.yaml";

/// A schema that is ready to be held against values.
struct Validator {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Validator {
    fn new(schema: &str) -> Self {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("schema.json", serde_json::from_str(schema).unwrap()).unwrap();
        let index = compiler.compile("schema.json", &mut schemas).unwrap();
        Self { schemas, index }
    }

    /// What is wrong with the form of a value, each mistake with its place.
    ///
    /// # Errors
    /// Something is.
    fn check(&self, value: &Value) -> Result<(), String> {
        self.schemas.validate(value, self.index).map_err(|error| error.to_string())
    }
}

/// A file as JSON, which has no NaN and no infinity: another number stands for them.
fn read(path: &Path) -> Value {
    let yaml = serde_yaml::from_slice(&fs::read(path).unwrap());
    let mut yaml: serde_yaml::Value = yaml.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    make_finite(&mut yaml);
    serde_json::to_value(yaml).unwrap()
}

fn make_finite(yaml: &mut serde_yaml::Value) {
    match yaml {
        serde_yaml::Value::Number(number) if !number.is_finite() => *number = 0.5.into(),
        serde_yaml::Value::Sequence(list) => list.iter_mut().for_each(make_finite),
        serde_yaml::Value::Mapping(mapping) => mapping.values_mut().for_each(make_finite),
        _ => {}
    }
}

/// The YAML files of a folder and of all below it, but for those that have mistakes on purpose and what is built.
fn yaml_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && !["target", "malformed"].contains(&&*name) {
                yaml_files(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            found.push(path);
        }
    }
}

/// The files of this repository, each with the schema that it names in its first line.
fn named() -> Vec<(PathBuf, PathBuf)> {
    let mut files = Vec::new();
    for folder in ["specs", "shape-core/tests", "shape-macros"] {
        yaml_files(&root().join(folder), &mut files);
    }
    assert!(files.len() >= shape_specs::DESCRIPTORS.len() + Tables::FILES.len() + 3, "{files:#?}");
    let schema = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        let first = text.lines().next().unwrap_or_default().strip_prefix("# yaml-language-server: $schema=");
        let first = first.unwrap_or_else(|| panic!("{} names no schema in its first line", file.display()));
        file.parent().unwrap().join(first)
    };
    files.into_iter().map(|file| (file.clone(), schema(&file))).collect()
}

#[test]
fn every_file_fits_the_schema_that_it_names() {
    let mut validators = HashMap::new();
    for (file, schema) in named() {
        let schema = schema.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", schema.display()));
        let compiled = |schema: &PathBuf| Validator::new(&fs::read_to_string(schema).unwrap());
        let validator = validators.entry(schema).or_insert_with_key(compiled);
        assert_eq!(validator.check(&read(&file)), Ok(()), "{}", file.display());
    }
}

#[test]
fn new_descriptors_and_versions_fit() {
    let (validator, tables) = (Validator::new(DESCRIPTOR_SCHEMA), Tables::builtin().unwrap());
    for (domain, file) in [("ai.onnx", "ai.onnx/Gelu.yaml"), ("com.acme", "com.acme/Gelu.yaml")] {
        let text = descriptor(domain, "Gelu", 1, "../descriptor.schema.json", tables).unwrap();
        let text = with_version(file, text.as_bytes(), 2, tables).unwrap().text;
        assert_eq!(validator.check(&serde_yaml::from_str(&text).unwrap()), Ok(()), "{text}");
    }
}

/// The kinds of mistakes that show in the form of a file alone.
const OF_FORM: &[&str] =
    &["wrong-form", "unknown-field", "missing-field", "unknown-word", "empty-text", "name-form", "unknown-code"];

/// Cases whose mistake JSON cannot show.
const UNSEEN: &[&str] = &["form_number_has_a_point"];

fn is_of_form(errors: &SpecErrors) -> bool {
    // Whether a type variable is new, and lacks its types, shows in the versions before.
    let elsewhere = |message: &str| message.contains("is new in this version and has no `allow`");
    errors.0.iter().any(|error| OF_FORM.contains(&error.code) && !elsewhere(&error.message))
}

#[test]
fn mistakes_of_form_are_refused() {
    let validator = Validator::new(DESCRIPTOR_SCHEMA);
    let mut refused = 0;
    for entry in fs::read_dir(root().join("specs/tests/malformed")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let bytes = fs::read(&path).unwrap();
        if path.extension().is_none_or(|extension| extension != "yaml") || name.starts_with("table_") {
            continue;
        }
        // What is no YAML has no form either, and what is wrong with the name of a file is not in it.
        let Ok(value) = serde_yaml::from_slice::<Value>(&bytes) else { continue };
        let Err(errors) = resolve("ai.onnx/Demo.yaml", &bytes, Tables::builtin().unwrap()) else { continue };
        let accepted = validator.check(&value).is_ok();
        if is_of_form(&errors) {
            assert_eq!(accepted, UNSEEN.contains(&&*name), "{name}:\n{errors}");
        }
        refused += usize::from(!accepted);
    }
    assert!(refused >= 50, "{refused}");
}

/// All values that come about when one place of a value is taken away or holds something else.
fn edits(value: &Value) -> Vec<Value> {
    let scalars =
        [json!(null), json!(true), json!(7), json!(-1), json!(0.5), json!(""), json!("x"), json!("tensor(int64)")];
    let others = scalars.into_iter().chain([json!([]), json!(["x"]), json!({}), json!({ "name": "x" })]);
    let mut edits: Vec<Value> = others.filter(|other| other != value).collect();
    match value {
        Value::Array(list) => {
            for index in 0..list.len() {
                let with = |new: Option<Value>| {
                    let (head, tail) = (list[..index].iter().cloned(), list[index + 1..].iter().cloned());
                    Value::Array(head.chain(new).chain(tail).collect())
                };
                edits.extend(
                    iter::once(with(None)).chain(self::edits(&list[index]).into_iter().map(|new| with(Some(new)))),
                );
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                let with = |new: Option<Value>| {
                    let kept = fields.iter().filter(|(other, _)| *other != name);
                    let kept = kept.map(|(name, value)| (name.clone(), value.clone()));
                    Value::Object(kept.chain(new.map(|new| (name.clone(), new))).collect())
                };
                edits.extend(iter::once(with(None)).chain(self::edits(field).into_iter().map(|new| with(Some(new)))));
            }
        }
        _ => {}
    }
    edits
}

/// Each place of a descriptor edited in each way: the schema refuses nothing that the compiler accepts, and accepts
/// nothing that has a mistake of form.
#[test]
fn the_schema_and_the_compiler_agree_on_every_edit() {
    let validator = Validator::new(DESCRIPTOR_SCHEMA);
    let tables = Tables::builtin().unwrap();
    let (mut accepted, mut refused) = (0, 0);
    for edit in edits(&read(&root().join(EVERYTHING))) {
        let yaml = serde_yaml::to_string(&edit).unwrap();
        let form = validator.check(&edit);
        match resolve("Everything.yaml", yaml.as_bytes(), tables) {
            Ok(_) => {
                accepted += 1;
                assert_eq!(form, Ok(()), "{yaml}");
            }
            Err(errors) => {
                refused += 1;
                assert!(!is_of_form(&errors) || form.is_err(), "{errors}");
            }
        }
    }
    assert!(accepted > 100 && refused > 1000, "{accepted} accepted, {refused} refused");
}
