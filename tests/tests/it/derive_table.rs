//! The table of the fields of a descriptor and the words of the derive, in the README of the macros: it has each field of the
//! language, and the derive takes what it shows.

use std::collections::BTreeSet;
use std::fs;

use quote::quote;
use shape_specs::DESCRIPTOR_SCHEMA;
use shape_tests::root;

/// How the table calls the mappings of the JSON Schema.
const MAPPINGS: [(&str, &str); 15] = [
    ("Source", "a source"),
    ("VersionDelta", "a version"),
    ("Remove", "a removal"),
    ("ActionEntry", "an action"),
    ("AttributeEntry", "an attribute"),
    ("ParameterEntry", "an input or output"),
    ("TypeEntry", "a type variable"),
    ("ExclusiveEntry", "an exclusion"),
    ("RequirementEntry", "a relation"),
    ("RuleEntry", "a rule"),
    ("Erratum", "an erratum"),
    ("ExampleEntry", "an example"),
    ("TensorEntry", "a value"),
    ("ArgumentEntry", "an argument"),
    ("GraphEntry", "a graph"),
];

/// The fields of all mappings of a descriptor, each with the mapping.
fn fields() -> BTreeSet<(String, String)> {
    let schema: serde_json::Value = serde_json::from_str(DESCRIPTOR_SCHEMA).unwrap();
    let definitions = schema["definitions"].as_object().unwrap().iter().map(|(name, of)| (&**name, of));
    let mut fields = BTreeSet::new();
    for (name, of) in definitions.chain([("", &schema)]) {
        let called = match name {
            "" => "the file",
            name => MAPPINGS.iter().find(|(known, _)| *known == name).map_or(name, |(_, called)| called),
        };
        let names = of["properties"].as_object().into_iter().flatten().map(|(field, _)| field.clone());
        fields.extend(names.map(|field| (called.to_owned(), field)));
    }
    fields
}

/// What stands in backticks.
fn codes(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn each_field_has_its_word_or_a_reason() {
    let page = fs::read_to_string(root().join("shape-macros/README.md")).unwrap();
    let (_, table) = page.split_once("<!-- words -->").unwrap();
    let (table, _) = table.split_once("<!-- end of words -->").unwrap();
    let mut listed = BTreeSet::new();
    for row in table.lines().filter(|line| line.starts_with("| a") || line.starts_with("| the")) {
        let [_, of, names, says, _] = *row.split('|').map(str::trim).collect::<Vec<_>>() else { panic!("{row}") };
        let names: Vec<&str> = codes(names).collect();
        let shown: Vec<&str> = codes(says).filter(|code| code.starts_with("#[") && !code.contains("derive")).collect();
        assert!(says.starts_with("none: ") || says.starts_with("the ") || !shown.is_empty(), "{row}");
        for attribute in &shown {
            let attribute: proc_macro2::TokenStream = attribute.parse().unwrap();
            let (on_struct, on_field) = match attribute.to_string().contains("operator") {
                true => (Some(&attribute), None),
                false => (None, Some(&attribute)),
            };
            let code = shape_codegen::derive_operator(quote!(#on_struct struct Frame { #on_field size: i64 }));
            let code = code.to_string();
            let is_unknown =
                ["there is no field", "in `#[", "expected a", "is no value"].iter().find(|of| code.contains(**of));
            assert!(is_unknown.is_none(), "{row}: {code}");
        }
        // A single one may have another name; of several, each has its own.
        let is_shown = |name: &&str| shown.iter().any(|code| code.contains(*name));
        assert!(shown.is_empty() || names.len() == 1 || names.iter().all(is_shown), "{row}");
        listed.extend(names.iter().map(|name| (of.to_owned(), (*name).to_owned())));
    }
    let fields = fields();
    assert_eq!(fields.difference(&listed).collect::<Vec<_>>(), Vec::<&(String, String)>::new(), "without a row");
    assert_eq!(listed.difference(&fields).collect::<Vec<_>>(), Vec::<&(String, String)>::new(), "of no field");
}
