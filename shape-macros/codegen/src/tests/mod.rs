//! Snapshots of what is generated: a page for each operator, and the Rust of a few.

mod edits;
mod review;

use std::collections::HashSet;
use std::mem;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens as _;
use shape_bless::sides;
use shape_bless::snapshot::{WIDTH, is_too_long, numberless, rust as short_lines};
use shape_specs::signature::RuleParameterKind;
use shape_specs::{Operator, Tables};

const SHAPE: &str = "ai.onnx/Shape.yaml";

fn read(file: &str, text: &str) -> Operator {
    let tables = Tables::builtin().unwrap();
    shape_specs::resolve(file, text.as_bytes(), tables).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Generated code as text.
fn rust(tokens: TokenStream) -> String {
    short_lines(&prettyplease::unparse(&syn::parse2(tokens).unwrap()))
}

/// Compares with the snapshot of this name in a folder of `snapshots`.
fn snapshot(folder: &str, name: &str, text: &str) {
    assert_eq!(text.lines().find(|line| is_too_long(line)), None, "{folder}/{name}");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("../../snapshots/{folder}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// The operators whose snapshots have the generated Rust too, which show each form of it.
const IN_FULL: &[&str] = &[SHAPE, "ai.onnx/Conv.yaml", "ai.onnx/If.yaml", "com.microsoft/FusedMatMul.yaml"];

/// The snapshot of an operator, and the digest of its code.
fn page(file: &str, operator: &Operator, tables: &Tables) -> (String, u64) {
    let tokens = crate::operator(operator, tables);
    let digest = digest(tokens.clone(), FNV);
    let mut page = review::review(tokens.clone(), tables);
    if IN_FULL.contains(&file) {
        page = page + "\n" + &rust(tokens);
    }
    (page, digest)
}

/// The first state of FNV-1a, which is the same on each machine and in each release.
const FNV: u64 = 0xcbf2_9ce4_8422_2325;

/// A digest of tokens, without the line numbers of descriptors.
fn digest(tokens: TokenStream, state: u64) -> u64 {
    let add = |state: u64, text: &str| {
        text.bytes().chain([0]).fold(state, |state, byte| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    };
    tokens.into_iter().fold(state, |state, token| match token {
        TokenTree::Group(group) => {
            let state = add(state, &format!("{:?}", group.delimiter()));
            add(digest(group.stream(), state), "end")
        }
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            if text.contains(".yaml:") { add(state, &numberless(&text)) } else { add(state, &text) }
        }
        token => add(state, &token.to_string()),
    })
}

/// The digests of the code of the tables that all descriptors share.
fn table_digests(tables: &Tables) -> Vec<(&'static str, u64)> {
    crate::builtin::TABLES.iter().map(|(name, _, write)| (*name, digest(write(tables), FNV))).collect()
}

/// A snapshot for each operator, in the folder of its descriptor, so that an edit is a single change to review; and a
/// line for the code of each, and of each table.
#[test]
fn builtin() {
    let tables = Tables::builtin().unwrap();
    let mut digests = String::new();
    for (file, bytes) in shape_specs::DESCRIPTORS.iter().chain(shape_specs::RUNTIME_DESCRIPTORS) {
        let (page, digest) = page(file, &read(file, str::from_utf8(bytes).unwrap()), tables);
        let (folder, name) = file.trim_end_matches(".yaml").rsplit_once('/').unwrap();
        digests += &format!("{digest:016x} {folder}/{name}\n");
        snapshot(folder, name, &page);
    }
    for (table, digest) in table_digests(tables) {
        digests += &format!("{digest:016x} {table}\n");
    }
    snapshot("", "digests", &digests);
}

/// The items in tokens: each up to its braces or its semicolon, without attributes, and what is in the braces.
fn items(tokens: TokenStream) -> Vec<(String, TokenStream)> {
    let (mut items, mut head) = (Vec::new(), String::new());
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                items.push((mem::take(&mut head), group.stream()));
            }
            TokenTree::Group(_) if head == "# " => head.clear(),
            TokenTree::Punct(mark) if mark.as_char() == ';' => items.push((mem::take(&mut head), TokenStream::new())),
            token => head += &format!("{token} "),
        }
    }
    items
}

#[test]
fn a_version_is_a_part_of_the_whole() {
    let tables = Tables::builtin().unwrap();
    for (file, bytes) in shape_specs::DESCRIPTORS {
        let operator = read(file, str::from_utf8(bytes).unwrap());
        // The code of the whole is in a module.
        let whole = items(crate::operator(&operator, tables)).into_iter().flat_map(|(_, inner)| items(inner));
        let whole: HashSet<String> = whole.map(|(head, _)| head).collect();
        for version in &operator.versions {
            let (name, since) = (&operator.name, version.since);
            let part = items(crate::version(&operator, version, tables)).into_iter().map(|(head, _)| head);
            let part: Vec<String> =
                part.filter(|head| head.starts_with("pub ") || head.starts_with("static ")).collect();
            let schema = format!("static SCHEMA_{since} : : : shape_core : : schema : : Schema = ");
            assert!(part.contains(&schema), "{name}@{since}: {part:#?}");
            for head in &part {
                assert!(whole.contains(head), "{name}@{since}: {head}");
            }
            let schemas = part.iter().filter(|head| head.contains("static SCHEMA_")).count();
            let names = part.iter().filter(|head| head.starts_with("pub type ")).count();
            assert_eq!((schemas, names), (version.by_release().count(), 1), "{name}@{since}: {part:#?}");
        }
    }
}

/// Everything that Shape does not have: attributes of every kind that borrows, defaults that are not zero, required and
/// optional and variadic parameters, fixed types, types that are no tensors, keywords as names, rules of each form, and
/// the tests of examples.
#[test]
fn every_form() {
    let yaml = include_str!("../../tests/Everything.yaml");
    let operator = read("Everything.yaml", yaml);
    let tables = Tables::builtin().unwrap();
    let (code, tests) = (crate::operator(&operator, tables), crate::examples::tests(&operator));
    let page = page("Everything.yaml", &operator, tables).0;
    snapshot("", "Everything", &format!("{page}\n{}\n{}", rust(code), rust(tests)));
}

/// The table of rules as Rust, with a parameter of each kind.
#[test]
fn rules() {
    let yaml = include_str!("../../tests/rules.yaml");
    let tables = Tables::FILES.map(|(file, bytes)| (file, if file == "rules.yaml" { yaml.as_bytes() } else { bytes }));
    let tables = Tables::read(tables).unwrap_or_else(|errors| panic!("{errors}"));
    let kinds = |kind: &RuleParameterKind| tables.rules().any(|rule| rule.parameters.iter().any(|of| of.kind == *kind));
    assert!(RuleParameterKind::ALL.iter().all(kinds));
    let (parameters, rules) = (crate::rules::rule_parameters(&tables), crate::rules::rules(&tables));
    snapshot("", "rules.yaml", &rust(quote::quote!(#parameters #rules)));
}

/// A derived struct and the enum of one of its fields.
#[test]
fn derived() {
    let pooling = include_str!("../../tests/derived/Pooling.rs");
    let syn::File { items, .. } = syn::parse_file(pooling).unwrap();
    let mut code = TokenStream::new();
    for item in items {
        code.extend(match item {
            syn::Item::Struct(item) => crate::derive_operator(item.into_token_stream()),
            item => crate::derive_attribute_enum(item.into_token_stream()),
        });
    }
    snapshot("", "Pooling.rs", &rust(code));
}

#[test]
fn errors_become_compile_errors() {
    let tables = Tables::builtin().unwrap();
    let (_, shape) = shape_specs::DESCRIPTORS.iter().find(|(file, _)| *file == SHAPE).unwrap();
    let text =
        str::from_utf8(shape).unwrap().replace("type: INT\n", "type: INTEGER\n").replace("bfloat16]", "bfloat17]");
    let errors = shape_specs::resolve(SHAPE, text.as_bytes(), tables).unwrap_err();
    let tokens = errors.0.iter().map(crate::errors::compile_error).collect();
    let written = prettyplease::unparse(&syn::parse2(tokens).unwrap());
    assert_eq!(written.matches("compile_error!").count(), errors.0.len(), "{written}");
    assert!(written.contains("`INTEGER` is not one"), "{written}");
    assert!(written.contains("did you mean `bfloat16`?"), "{written}");
}

/// Which opset is the newest one changes with each release, so no file of expected messages has it.
#[test]
fn a_derived_operator_is_of_an_opset_that_is_known() {
    let newest = Tables::builtin().unwrap().newest_opset("ai.onnx").unwrap();
    let of_opset = |opset: u32| {
        let item = quote::quote!(
            #[operator(domain = "ai.onnx", since_version = #opset)]
            struct Sum;
        );
        crate::derive_operator(item).to_string()
    };
    let wrong = of_opset(newest + 1);
    assert!(
        wrong.contains(&format!("opset {} of ai.onnx is not known, the newest is {newest}", newest + 1)),
        "{wrong}"
    );
    let right = of_opset(newest);
    assert!(!right.contains("compile_error"), "{right}");
}

#[test]
fn a_folder_without_descriptors_is_told_once() {
    let call = quote::quote!(::shape_core; specs "ai.onnx.none");
    let code = crate::operators(call, Path::new("")).to_string();
    assert_eq!(code.matches("compile_error").count(), 1, "{code}");
    assert!(code.contains("there are no descriptors in `specs/ai.onnx.none`, but in ai.onnx, ai.onnx.ml"), "{code}");
}
