//! The JSON Schemas of the descriptor language and of the shared tables, for editors.
//!
//! They are derived from the types that serde reads, including their doc comments. Constraints that a type does not
//! express, such as the syntax of a name or the known element types, are added from [`bounds`] and from the tables. The
//! schemas accept everything that [`crate::resolve()`] accepts.
//!
//! The schemas are stored next to the files that they describe. After a change of the language or of a table, `cargo
//! bless schemas` updates them.

use std::borrow::Cow;
use std::path::Path;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::de::Spanned;
use crate::document::{AttributeKind, DimsEntry, DimsTexts, Document, Literal};
use crate::manifest::{LimitsFile, ManifestFile};
use crate::profile::{ErrataFile, OverlayFile, ProfileFile};
use crate::tables::{ChecksFile, CodesFile, OpsetsFile, ReleaseNumber, RulesFile, RuntimesFile, Tables, TypesFile};

/// The position of a value is not part of the file.
impl<T: JsonSchema> JsonSchema for Spanned<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl JsonSchema for ReleaseNumber {
    fn schema_name() -> Cow<'static, str> {
        "ReleaseNumber".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "The three numbers of a release.", "type": "string", "pattern": RELEASE })
    }
}

impl JsonSchema for Literal {
    fn schema_name() -> Cow<'static, str> {
        "Literal".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number, a text, `true`, `false` or a list of them.",
            "type": ["boolean", "number", "string", "array"],
            "items": generator.subschema_for::<Literal>(),
        })
    }
}

impl JsonSchema for DimsEntry {
    fn schema_name() -> Cow<'static, str> {
        "DimsEntry".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The dimensions of a value of an example.",
            "anyOf": [
                { "description": "`\"?\"`: not even how many there are.", "const": "?" },
                {
                    "description": "Each of them: a size, a symbol, an expression, or `\"?\"`.",
                    "type": "array",
                    "items": { "anyOf": [{ "type": "integer", "minimum": 0 }, { "type": "string" }] },
                },
            ],
        })
    }
}

impl JsonSchema for DimsTexts {
    fn schema_name() -> Cow<'static, str> {
        "DimsTexts".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The rule for dimensions.",
            "anyOf": [
                { "description": "One that always holds.", "type": "string" },
                {
                    "description": "Several, each but the last with a condition: `same(X) if rank(X) == 3`.",
                    "type": "array",
                    "minItems": 2,
                    "items": { "type": "string" },
                },
            ],
        })
    }
}

const RELEASE: &str = r"^\d+\.\d+\.\d+$";

const IDENTIFIER: &str = "(_*[A-Za-z]|_+[0-9])[A-Za-z0-9_]*";

/// A type such as `seq(tensor(float))`; only its outermost form is checked.
const TYPE: &str = r"^\s*(tensor|sparse_tensor|seq|optional|map)\s*\(.*\)\s*$";

/// A type other than a tensor.
const OTHER_TYPE: &str = r"^\s*(sparse_tensor|seq|optional|map)\s*\(.*\)\s*$";

/// Constraints on fields that their types do not express: the definition, the path in it, and what is added there.
fn bounds(tables: &Tables) -> Vec<(&'static str, &'static str, Value)> {
    let identifier = json!({ "pattern": format!("^{IDENTIFIER}$") });
    let sentence = json!({ "pattern": r"\S" });
    let tensors: Vec<String> = tables.elements.iter().map(|element| format!("tensor({})", element.name)).collect();
    let codes: Vec<&str> = tables.codes.iter().map(|code| &*code.code).collect();
    let word = refer("TypeWord");
    let parameter_type = json!({
        "anyOf": [
            { "description": "A type variable of the version.", "pattern": format!("^{IDENTIFIER}$") },
            { "description": "A tensor of an element type.", "enum": tensors },
            { "description": "A type, such as `seq(tensor(float))`.", "pattern": TYPE },
        ],
    });
    let value_type = json!({
        "anyOf": [
            { "description": "An element type, for a tensor of it.", "$ref": "#/definitions/ElementType" },
            { "description": "A type, such as `seq(tensor(float))`.", "pattern": TYPE },
            { "type": "null" },
        ],
    });
    // An attribute of an example is written in exactly one of these ways.
    let fields = ["value", "tensor", "graph", "type"];
    let ways = fields.map(|way| {
        let others =
            fields.iter().filter(|field| **field != way).map(|field| (field.to_string(), json!({ "type": "null" })));
        json!({ "required": [way], "properties": others.collect::<Map<_, _>>() })
    });
    vec![
        ("", "/properties/operator", identifier.clone()),
        ("VersionDelta", "/properties/release", json!({ "pattern": RELEASE, "examples": ["1.23.0"] })),
        ("ExampleEntry", "/properties/release", json!({ "pattern": RELEASE })),
        ("", "/properties/domain", json!({ "pattern": "^[A-Za-z0-9._-]+$", "examples": ["ai.onnx", "ai.onnx.ml"] })),
        ("", "/properties/summary", sentence.clone()),
        ("", "/properties/versions", json!({ "minItems": 1 })),
        ("", "", json!({ "allOf": domains() })),
        ("Source", "/properties/id", identifier.clone()),
        ("Source", "/properties/title", sentence.clone()),
        ("VersionDelta", "/properties/since", json!({ "minimum": 1, "maximum": u32::MAX })),
        ("VersionDelta", "/properties/summary", sentence.clone()),
        ("VersionDelta", "/properties/semantics", sentence.clone()),
        ("AttributeEntry", "/properties/name", identifier.clone()),
        ("AttributeEntry", "", json!({ "allOf": kinds() })),
        // ONNX has an output `outputs...`, at Split-1.
        ("ParameterEntry", "/properties/name", json!({ "pattern": format!("^{IDENTIFIER}([.]{{3}})?$") })),
        ("ParameterEntry", "/properties/type", parameter_type),
        (
            "ParameterEntry",
            "",
            json!({
                "if": { "not": { "properties": { "option": { "const": "variadic" } }, "required": ["option"] } },
                "then": { "properties": { "homogeneous": { "type": "null" }, "min_arity": { "type": "null" } } },
            }),
        ),
        ("TypeEntry", "/properties/name", identifier.clone()),
        ("TypeEntry", "/properties/allow", json!({ "minItems": 1 })),
        ("TypeEntry", "/properties/allow/items", word.clone()),
        ("TypeEntry", "/properties/add/items", word.clone()),
        ("TypeEntry", "/properties/remove/items", word),
        (
            "TypeEntry",
            "",
            json!({
                "if": { "properties": { "allow": { "type": "array" } }, "required": ["allow"] },
                "then": { "properties": { "add": { "maxItems": 0 }, "remove": { "maxItems": 0 } } },
            }),
        ),
        ("ExampleEntry", "/properties/name", identifier),
        ("ExampleEntry", "/properties/since", json!({ "minimum": 1 })),
        ("ExampleEntry", "/properties/until", json!({ "minimum": 1 })),
        ("ExampleEntry", "/properties/error", json!({ "enum": with_null(&codes) })),
        ("RequirementEntry", "/properties/code", json!({ "enum": codes })),
        (
            "ExampleEntry",
            "",
            json!({
                "anyOf": [{ "required": ["outputs"] }, { "required": ["error"] }],
                "if": { "properties": { "outputs": { "type": "array" } }, "required": ["outputs"] },
                "then": { "properties": { "error": { "type": "null" } } },
            }),
        ),
        ("TensorEntry", "/properties/type", value_type.clone()),
        (
            "TensorEntry",
            "",
            json!({
                "anyOf": [
                    { "required": ["dims"] },
                    { "required": ["values"] },
                    { "required": ["unchecked"] },
                    { "properties": { "type": { "pattern": OTHER_TYPE } }, "required": ["type"] },
                ],
            }),
        ),
        ("TensorEntry", "/properties/unchecked", sentence.clone()),
        ("ArgumentEntry", "/properties/type", value_type),
        ("ArgumentEntry", "", json!({ "anyOf": ways })),
        ("Erratum", "/properties/ruling", sentence),
    ]
}

/// The words of the tables, which the bounds refer to.
fn words(tables: &Tables) -> Vec<(&'static str, Value)> {
    let elements: Vec<&str> = tables.elements.iter().map(|element| &*element.name).collect();
    let groups: Vec<&str> = tables.groups.iter().map(|(name, _)| &**name).collect();
    vec![
        ("ElementType", json!({ "description": "An element type.", "enum": elements })),
        (
            "TypeWord",
            json!({
                "description": "A word of a type list.",
                "anyOf": [
                    { "description": "An element type, for a tensor of it.", "enum": elements },
                    { "description": "A group of types.yaml.", "enum": groups },
                    { "description": "A type, such as `seq(tensor(float))`.", "pattern": TYPE },
                ],
            }),
        ),
    ]
}

/// In this draft, a reference cannot have siblings.
fn refer(name: &str) -> Value {
    json!({ "allOf": [{ "$ref": format!("#/definitions/{name}") }] })
}

/// An optional field may also be written without a value.
fn with_null(words: &[&str]) -> Vec<Value> {
    words.iter().map(|word| json!(word)).chain([Value::Null]).collect()
}

/// The constraints for domains whose opsets are known. The newest one stands in `opsets.yaml` alone, and not here: `shape
/// specs lint` compares with it.
fn domains() -> Vec<Value> {
    let rule = |domain: &str| {
        let version = json!({ "properties": { "sources": { "minItems": 1 } }, "required": ["sources"] });
        json!({
            "if": { "properties": { "domain": { "const": domain } }, "required": ["domain"] },
            "then": { "properties": { "versions": { "items": version } } },
        })
    };
    ["ai.onnx", "ai.onnx.ml"].map(rule).to_vec()
}

/// The constraints on the default and the values of an attribute by its kind; an attribute with a default is not marked
/// optional.
fn kinds() -> Vec<Value> {
    let or_nothing = |value: &Value| {
        let mut or_nothing = value.clone();
        or_nothing["type"] = json!([value["type"], "null"]);
        or_nothing
    };
    let of = |kind: AttributeKind, value: Value, element: &Value| {
        let bound = if element["type"] == "string" { json!({ "type": "null" }) } else { or_nothing(element) };
        let properties = json!({
            "default": or_nothing(&value), "values": { "items": element }, "min": bound, "max": bound,
        });
        json!({
            "if": { "properties": { "type": { "const": kind.name() } }, "required": ["type"] },
            "then": { "properties": properties },
        })
    };
    let list = |value: &Value| json!({ "type": "array", "items": value });
    let (int, float, text) = (json!({ "type": "integer" }), json!({ "type": "number" }), json!({ "type": "string" }));
    vec![
        of(AttributeKind::Int, int.clone(), &int),
        of(AttributeKind::Float, float.clone(), &float),
        of(AttributeKind::String, text.clone(), &text),
        of(AttributeKind::Ints, list(&int), &int),
        of(AttributeKind::Floats, list(&float), &float),
        of(AttributeKind::Strings, list(&text), &text),
        json!({
            "if": { "properties": { "default": { "not": { "type": "null" } } }, "required": ["default"] },
            "then": { "properties": { "optional": { "type": "null" } } },
        }),
    ]
}

/// The schema of a file.
fn schema<T: JsonSchema>(title: &str) -> Value {
    // The draft that editors support.
    let schema = SchemaSettings::draft07().into_generator().into_root_schema_for::<T>().to_value();
    let mut ordered = Map::from_iter([("$schema".to_owned(), schema["$schema"].clone())]);
    ordered.insert("title".to_owned(), json!(title));
    for key in ["description", "type"] {
        ordered.insert(key.to_owned(), schema[key].clone());
    }
    let Value::Object(rest) = schema else { panic!("a schema is an object") };
    for (key, value) in rest {
        ordered.entry(key).or_insert(value);
    }
    ordered.into()
}

fn descriptor(tables: &Tables) -> Value {
    let mut schema = schema::<Document>("An operator's descriptor");
    for (name, words) in words(tables) {
        schema["definitions"][name] = words;
    }
    for (definition, place, bound) in bounds(tables) {
        let root = if definition.is_empty() { String::new() } else { format!("/definitions/{definition}") };
        let at = schema.pointer_mut(&format!("{root}{place}")).and_then(Value::as_object_mut);
        let at = at.unwrap_or_else(|| panic!("{definition}{place} is not in the schema"));
        add(at, bound);
    }
    schema
}

/// What a manifest is; which versions and type variables an operator has, only the reader knows.
fn manifest(tables: &Tables) -> Value {
    let mut schema = schema::<ManifestFile>("The manifest of a runtime");
    for (name, words) in words(tables) {
        schema["definitions"][name] = words;
    }
    let places = [
        ("/definitions/CastRow/properties/from", refer("ElementType")),
        ("/definitions/CastRow/properties/to", refer("ElementType")),
        ("/definitions/OpsetRow/properties/newest", json!({ "minimum": 1 })),
        ("/definitions/Row/properties/opsets", json!({ "minItems": 1 })),
        ("/definitions/Row/properties/types", json!({ "minItems": 1 })),
        ("/definitions/Row/properties/types/items", refer("TypeWord")),
        ("/definitions/Row/properties/versions", json!({ "minItems": 1 })),
        ("/definitions/Variable/properties/types", json!({ "minItems": 1 })),
        ("/definitions/Variable/properties/types/items", refer("TypeWord")),
    ];
    for (place, bound) in places {
        let at = schema.pointer_mut(place).and_then(Value::as_object_mut);
        add(at.unwrap_or_else(|| panic!("{place} is not in the schema")), bound);
    }
    schema
}

fn add(to: &mut Map<String, Value>, bound: Value) {
    let Value::Object(bound) = bound else { panic!("a bound is an object") };
    for (key, value) in bound {
        let had = to.insert(key.clone(), value);
        assert!(had.is_none() || key == "minimum", "{key} stands there already");
    }
}

#[test]
fn the_committed_schemas_are_those_of_the_language() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tables = Tables::builtin().unwrap();
    let schemas = [
        ("descriptor.schema.json", descriptor(tables)),
        ("types.schema.json", schema::<TypesFile>("types.yaml")),
        ("opsets.schema.json", schema::<OpsetsFile>("opsets.yaml")),
        ("codes.schema.json", schema::<CodesFile>("codes.yaml")),
        ("rules.schema.json", schema::<RulesFile>("rules.yaml")),
        ("checks.schema.json", schema::<ChecksFile>("checks.yaml")),
        ("runtimes.schema.json", schema::<RuntimesFile>("runtimes.yaml")),
        ("manifest.schema.json", manifest(tables)),
        ("limits.schema.json", schema::<LimitsFile>("What a runtime refuses of valid nodes")),
        ("profile.schema.json", schema::<ProfileFile>("A profile")),
        ("overlay.schema.json", schema::<OverlayFile>("An operator of a profile")),
        ("errata.schema.json", schema::<ErrataFile>("What documents contradict")),
    ];
    for (name, found) in schemas {
        let found = serde_json::to_string_pretty(&found).unwrap() + "\n";
        shape_bless::expect(&root.join(name), &found);
    }
}
