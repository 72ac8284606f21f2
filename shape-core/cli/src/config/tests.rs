//! The schema of `shape.toml`, and what it says of codes.

use std::path::Path;

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};
use shape_core::code::{Code, Severity};

use super::file::{Document, FIELDS, File, deny_words};
use super::layer::Layer;
use super::level::Level;
use super::selector::{ALL, Selector, prefixes};
use super::{ConfigArgs, Settings};

/// The schema with the words that the types do not list.
fn schema() -> Value {
    let mut schema = SchemaSettings::draft07().into_generator().into_root_schema_for::<Document>().to_value();
    schema["title"] = json!("shape.toml");
    let codes: Vec<String> =
        [ALL.to_owned()].into_iter().chain(Code::all().map(|code| code.name().to_owned())).collect();
    let codes: Vec<String> = codes.into_iter().chain(prefixes()).collect();
    schema["definitions"] =
        json!({ "Selector": { "description": "A code, the beginning of several, or all.", "enum": codes } });
    let selector = || json!({ "$ref": "#/definitions/Selector" });
    for place in ["select", "ignore"] {
        schema["properties"][place]["items"] = selector();
    }
    schema["properties"]["deny"]["items"] = json!({ "enum": deny_words() });
    schema["properties"]["per-file-ignores"]["additionalProperties"]["items"] = selector();
    schema["properties"]["severity"]["propertyNames"] = selector();
    schema["properties"]["severity"]["additionalProperties"] = json!({ "enum": Level::WORDS.map(|(word, _)| word) });
    schema
}

#[test]
fn the_committed_schema_is_that_of_the_file() {
    let found = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("shape.schema.json");
    shape_bless::expect(&path, &found);
}

#[test]
fn the_fields_are_those_of_the_schema() {
    let schema = schema();
    let mut of_schema: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    let mut fields = FIELDS.map(|(field, _)| field);
    of_schema.sort_unstable();
    fields.sort_unstable();
    assert_eq!(fields.as_slice(), of_schema);
}

/// The help for a setting is one that can be read.
#[test]
fn what_settings_are() {
    for (field, form) in FIELDS {
        let shown = form.split('`').nth(1).unwrap();
        assert!(shown.starts_with(field) && File::parse("shape.toml", shown, Path::new("/m")).is_ok(), "{shown}");
    }
}

fn settings(text: &str) -> Settings {
    let file = File::parse("shape.toml", text, Path::new("/m")).unwrap();
    Settings::new(&ConfigArgs::default(), Some(("/m/shape.toml".into(), file)))
}

#[test]
fn which_codes_are_reported() {
    use Severity::{Error, Info, Warning};
    let (unknown, missing, conversion) = (Code::AttributeUnknown, Code::AttributeMissing, Code::ConversionType);
    let cases = [
        ("", unknown, "/m/a.onnx", Some(Error)),
        ("select = []", unknown, "/m/a.onnx", None),
        ("select = ['attribute-']", unknown, "/m/a.onnx", Some(Error)),
        ("select = ['attribute-']", conversion, "/m/a.onnx", None),
        ("ignore = ['conversion-']", conversion, "/m/a.onnx", None),
        ("ignore = ['ALL']", unknown, "/m/a.onnx", None),
        // The longer word decides, whichever list it is in; of the same word, the list that ignores.
        ("select = ['ALL']\nignore = ['attribute-']", unknown, "/m/a.onnx", None),
        ("select = ['attribute-unknown']\nignore = ['attribute-']", unknown, "/m/a.onnx", Some(Error)),
        ("select = ['attribute-unknown']\nignore = ['attribute-']", missing, "/m/a.onnx", None),
        ("select = ['ALL']\nignore = ['ALL']", unknown, "/m/a.onnx", None),
        ("[severity]\nattribute-unknown = 'warning'", unknown, "/m/a.onnx", Some(Warning)),
        ("[severity]\nALL = 'info'\nattribute- = 'warning'", unknown, "/m/a.onnx", Some(Warning)),
        ("[severity]\nALL = 'info'\nattribute- = 'warning'", conversion, "/m/a.onnx", Some(Info)),
        ("[severity]\nattribute-unknown = 'off'", unknown, "/m/a.onnx", None),
        ("[per-file-ignores]\n'old/*.onnx' = ['ALL']", unknown, "/m/old/a.onnx", None),
        ("[per-file-ignores]\n'old/*.onnx' = ['ALL']", unknown, "/m/old/b/a.onnx", Some(Error)),
        ("[per-file-ignores]\n'old/*.onnx' = ['ALL']", unknown, "/m/new/old/a.onnx", Some(Error)),
        ("[per-file-ignores]\n'./old/**/*.onnx' = ['ALL']", unknown, "/m/old/b/a.onnx", None),
        ("[per-file-ignores]\n'a.onnx' = ['attribute-']", unknown, "/m/x/y/a.onnx", None),
        ("[per-file-ignores]\n'a.onnx' = ['conversion-']", unknown, "/m/x/y/a.onnx", Some(Error)),
        ("[per-file-ignores]\n'/o/*.onnx' = ['ALL']", unknown, "/o/a.onnx", None),
    ];
    for (text, code, model, expected) in cases {
        let found = settings(text).severity(code, Path::new(model));
        assert_eq!(found, expected, "{text}: {code} in {model}");
    }
}

#[test]
fn the_command_line_goes_first() {
    let layer = |select: Option<&str>, ignore: Option<&str>, level: Option<Level>| Layer {
        select: select.map(|select| vec![Selector::parse(select).unwrap()]),
        ignore: ignore.map(|ignore| Selector::parse(ignore).unwrap()).into_iter().collect(),
        severity: level.map(|level| (Selector::Code(Code::AttributeUnknown), level)).into_iter().collect(),
        ..Layer::default()
    };
    let off = Some(Level::Off);
    let cases = [
        ("ignore = ['attribute-unknown']", layer(Some("ALL"), None, None), true),
        ("select = ['attribute-unknown']", layer(None, Some("ALL"), None), false),
        ("select = ['attribute-unknown']", layer(Some("conversion-"), None, None), false),
        ("select = ['conversion-']", layer(None, Some("conversion-"), None), false),
        ("", layer(None, None, off), false),
        ("[severity]\nattribute-unknown = 'off'", layer(None, None, Some(Level::Reported(Severity::Info))), true),
    ];
    for (text, above, expected) in cases {
        let mut settings = settings(text);
        settings.layers[0] = above;
        let found = settings.severity(Code::AttributeUnknown, Path::new("/m/a.onnx")).is_some();
        assert_eq!(found, expected, "{text}: {:?}", settings.layers);
    }
}

#[test]
fn which_models_are_left_out() {
    let cases = [
        ("old", "/m/old/a/b.onnx", true),
        ("old/", "/m/x/old/b.onnx", true),
        ("old/a", "/m/old/a/b.onnx", true),
        ("old/a", "/m/x/old/a/b.onnx", false),
        ("*.int8.onnx", "/m/x/a.int8.onnx", true),
        ("*.int8.onnx", "/m/x/a.onnx", false),
        ("**/tmp", "/m/x/y/tmp/a.onnx", true),
        // What is above the folder of the file is not looked at.
        ("m", "/m/a.onnx", false),
    ];
    for (pattern, model, expected) in cases {
        let found = settings(&format!("exclude = ['{pattern}']")).excludes(Path::new(model));
        assert_eq!(found, expected, "{pattern}: {model}");
    }
}
