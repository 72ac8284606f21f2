//! The text in which the examples of a descriptor are compiled.

use shape_core::code::Code;
use shape_core::example::{Argument, Entry, Example, Expectation, Place, Value, read};
use shape_core::node::{AttributeValue, StringsView};
use shape_core::runtime::ReleaseNumber;
use shape_core::{DataType, Type};

const PLACES: [Place; 1] = [Place { line: 30, column: 40 }];
const TEXT: &str = "one 12 5 1 7 1.23.0 2 18:map(int64, string) 0 0 1 N 13 2 - 5:a: \nb - 1 text Strings 2 1:- 0: outputs 0\n\
                    two 14 5 7 - - 0 1 of TypeProto seq(tensor(bool)) error rank-mismatch\n";

#[test]
fn each_part_is_where_the_grammar_says() {
    const STRINGS: &[&[u8]] = &[b"-", b""];
    const VALUE: Value = Value {
        ty: Type::tensor(DataType::String).map(DataType::Int64).unwrap(),
        place: PLACES[0],
        dims: Some(&[Entry { text: "N", place: Place { line: 13, column: 2 } }]),
        elements: None,
        unchecked: Some("a: \nb"),
    };
    const ONE: Example = Example {
        name: "one",
        place: Place { line: 12, column: 5 },
        since: 1,
        until: Some(7),
        release: Some(ReleaseNumber { major: 1, minor: 23, patch: 0 }),
        inputs: &[Some(VALUE), None],
        attributes: &[("text", Argument::Value(AttributeValue::Strings(StringsView::new(STRINGS))))],
        expect: Expectation::Outputs(&[]),
    };
    let [one, two] = read(TEXT, &PLACES).unwrap().try_into().unwrap();
    assert_eq!(format!("{one:?}"), format!("{ONE:?}"));
    let bools = Type::tensor(DataType::Bool).sequence().unwrap();
    assert!(matches!(two.attributes, [("of", Argument::Type(ty))] if *ty == bools));
    assert!(matches!((two.until, two.expect), (None, Expectation::Error(Code::RankMismatch))));
}

#[test]
fn a_text_of_another_form() {
    for end in 1..TEXT.len() {
        let whole = ["outputs 0", "rank-mismatch"].iter().any(|last| TEXT[..end].trim_end().ends_with(last));
        assert_eq!(read(&TEXT[..end], &PLACES).is_ok(), whole, "{}", &TEXT[..end]);
    }
    let deep = format!("a 1 1 1 - - 1 {} 1 1 - - - outputs 0", "seq(".repeat(100_000));
    let cases = [
        (TEXT.replace("map", "mad"), "expected a type, found `18:mad(int64, string) 0 0 1 N 13 2 - 5:a: `"),
        (TEXT.replace("0 0 1", "1 0 1"), "expected a row of the table of places, found `1 0 1 N 13 2 - 5:a: `"),
        (TEXT.replace("rank-mismatch", "rank"), "expected a code, found `rank`"),
        (
            TEXT.replace("TypeProto", "Types"),
            "expected the kind of an attribute, found `Types seq(tensor(bool)) error rank-mismatch`",
        ),
        (TEXT.replace("error", "errors"), "expected `outputs` or `error`, found `errors rank-mismatch`"),
        (
            TEXT.replace("0 1 of", "0 18446744073709551615 of"),
            "expected the kind of an attribute, found `rank-mismatch`",
        ),
        (TEXT.replace("18:", "180:"), "expected a text, found `180:map(int64, string) 0 0"),
        (TEXT.replace("18:", "-1:"), "expected a text, found `-1:map(int64, string) 0 0"),
        ("one 1".to_string(), "expected a number, found the end"),
        (deep, "expected a type"),
    ];
    for (text, message) in cases {
        let found = read(text.leak(), &PLACES).unwrap_err().to_string();
        assert!(found.starts_with(message), "{found}");
    }
}
