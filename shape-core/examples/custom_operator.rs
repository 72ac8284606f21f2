//! Declares an operator as a Rust struct, adds it to the registry, and checks a node against it.
//!
//! ```text
//! com.acme::Tile2d, version 1: Repeats an image.
//! the attribute `columns` has no value for the node, so it is 1
//! Tile2d-1 has no attribute `lines`
//! ```

use shape_core::node::{AttributeValue, NodeAttribute};
use shape_core::{Operator, Registry, check};

/// Repeats an image.
#[derive(Debug, Operator)]
#[operator(domain = "com.acme", since_version = 1, types(T: [float, uint8]), inputs(image: T), outputs(tiled: T))]
#[operator(rules(tiled = "[image[0], rows * image[1], columns * image[2]]"))]
struct Tile2d {
    #[attribute(default = 1, min = 1)]
    rows: i64,
    #[attribute(default = 1, min = 1)]
    columns: i64,
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = Registry::builtin().with([Tile2d::SCHEMA])?;
    // A model that imports opset 3 of the domain gets the newest version up to that.
    let schema = registry.resolve("com.acme", "Tile2d", 3).map_err(|_| "the registry has no such version")?;
    println!("{}::{}, version {}: {}", schema.domain, schema.name, schema.since_version, schema.summary);

    let rows = NodeAttribute::new("rows", AttributeValue::Int(2));
    let tile = Tile2d::read(&[rows]).map_err(|problem| problem.to_string())?;
    println!("the attribute `columns` has no value for the node, so it is {}", tile.columns);

    // The check tells everything that is wrong with a node.
    let lines = NodeAttribute::new("lines", AttributeValue::Int(2));
    check::attributes(schema, &[rows, lines], &mut |problem| println!("{problem}"));
    Ok(())
}
