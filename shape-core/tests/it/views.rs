//! What nodes are read from: views of graphs, kinds of attributes, lists of strings.

use shape_core::node::{AttributeKind, GraphView, StringsView};

#[test]
fn what_it_was_made_of() {
    let (one, other) = (7_u8, 7_u8);
    let view = GraphView::new(&one);
    assert_eq!((view.get::<u8>(), view.get::<i8>()), (Some(&7), None));
    assert_eq!(view, GraphView::new(&one));
    assert_ne!(view, GraphView::new(&other));
}

#[test]
fn kinds_by_number() {
    assert_eq!([-1, 0, 15, i32::MAX].map(AttributeKind::from_number), [None; 4]);
    for number in 1..=14 {
        assert_eq!(AttributeKind::from_number(number).map(AttributeKind::number), Some(number));
    }
}

#[test]
fn the_same_wherever_they_are_kept() {
    let slices = StringsView::new(&[b"a\"", b""]);
    let strings = vec!["a\"".to_owned(), String::new()];
    let bytes: Vec<Vec<u8>> = strings.iter().map(|string| string.as_bytes().to_vec()).collect();
    for view in [StringsView::from(&strings), StringsView::from(&bytes)] {
        assert_eq!(view, slices);
        assert_eq!((view.len(), view.get(0), view.get(2)), (2, Some(&b"a\""[..]), None));
        assert_eq!(view.to_string(), r#"["a\"", ""]"#);
    }
    assert!(StringsView::new(&[]).is_empty());
}
