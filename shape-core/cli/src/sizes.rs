//! The options `--input` and `--set`, which give sizes to a model's inputs and symbols.

use std::collections::HashSet;

use shape_core::Registry;
use shape_model::ModelFile;
use shape_model::{Options, OptionsError};
use shape_specs::names::suggest;

/// The sizes that the command line gives.
#[derive(Debug, clap::Args)]
pub(crate) struct Sizes {
    /// Set the dimensions of an input, as in `x:1,3,224,224`; `x:` makes it a scalar; may be repeated
    ///
    /// The name ends at the last colon, because names may contain colons. A symbol that the model declares as a
    /// dimension of the input gets the number at the same position.
    #[arg(long = "input", value_name = "NAME:DIMS", value_parser = input)]
    inputs: Vec<(String, Vec<u64>)>,

    /// Set the size of a symbol, as in `batch=4`; may be repeated
    #[arg(long = "set", value_name = "SYMBOL=SIZE", value_parser = symbol)]
    symbols: Vec<(String, u64)>,
}

impl Sizes {
    /// Fails if an option names the same input or symbol twice.
    pub(crate) fn check(&self) -> Result<(), String> {
        let inputs = self.inputs.iter().map(|(name, _)| ("--input", name));
        let symbols = self.symbols.iter().map(|(name, _)| ("--set", name));
        let mut seen = HashSet::new();
        match inputs.chain(symbols).find(|name| !seen.insert(*name)) {
            Some((option, name)) => Err(format!("{option} names `{name}` twice")),
            None => Ok(()),
        }
    }

    /// Whether no size is given.
    pub(crate) fn is_empty(&self) -> bool {
        self.inputs.is_empty() && self.symbols.is_empty()
    }

    /// The sizes in the form that questions of a page have.
    #[cfg(feature = "pages")]
    pub(crate) fn json(&self) -> serde_json::Value {
        let set: std::collections::BTreeMap<&str, u64> =
            self.symbols.iter().map(|(name, size)| (&**name, *size)).collect();
        let input: std::collections::BTreeMap<&str, &[u64]> =
            self.inputs.iter().map(|(name, dims)| (&**name, &**dims)).collect();
        serde_json::json!({ "set": set, "input": input })
    }

    /// The options to analyse a model with these sizes.
    pub(crate) fn options(&self, model: &ModelFile, registry: Registry) -> Options {
        Options { inputs: self.inputs.clone(), symbols: self.symbols.clone(), registry, ..Options::of(model) }
    }
}

/// Says which input or symbol the model does not have, and which one may be meant.
pub(crate) fn unknown_name(error: &OptionsError) -> String {
    let (what, name, known) = match error {
        OptionsError::NoSuchInput { name, known } => ("input", name, known),
        OptionsError::NoSuchSymbol { name, known } => ("symbol", name, known),
    };
    let help = suggest(name, known.iter().map(String::as_str));
    format!("the model has no {what} `{name}`; {}", help.unwrap_or_else(|| format!("it has {} others", known.len())))
}

/// Parses `x:1,3,224,224`.
fn input(text: &str) -> Result<(String, Vec<u64>), String> {
    let (name, dims) = text
        .rsplit_once(':')
        .ok_or("expected a name, a colon and sizes, as in `x:1,3,224,224`, or `x:` for a scalar")?;
    if name.is_empty() {
        return Err("the name before the colon is empty".to_owned());
    }
    let dims = if dims.trim().is_empty() { Ok(Vec::new()) } else { dims.split(',').map(size).collect() };
    Ok((name.to_owned(), dims?))
}

/// Parses `batch=4`.
fn symbol(text: &str) -> Result<(String, u64), String> {
    let (name, number) =
        text.rsplit_once('=').ok_or("expected a symbol, an equals sign and a size, as in `batch=4`")?;
    if name.is_empty() {
        return Err("the symbol before the equals sign is empty".to_owned());
    }
    Ok((name.to_owned(), size(number)?))
}

/// Parses a size that fits into the `int64` of a model file.
fn size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let size = text.parse::<i64>().ok().and_then(|size| u64::try_from(size).ok());
    size.ok_or_else(|| format!("`{text}` is not a size; a size is a whole number, 0 or greater"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs() {
        let cases = [
            ("x:1,3", Ok(("x", vec![1, 3]))),
            ("x: 1, 3 ", Ok(("x", vec![1, 3]))),
            ("x:", Ok(("x", vec![]))),
            ("x:0", Ok(("x", vec![0]))),
            ("scope/x:0:2", Ok(("scope/x:0", vec![2]))),
            ("x,y:2", Ok(("x,y", vec![2]))),
            ("x", Err("a name, a colon")),
            (":1", Err("is empty")),
            ("x:1,", Err("`` is not a size")),
            ("x:-1", Err("`-1` is not a size")),
            ("x:batch", Err("`batch` is not a size")),
            ("x:9223372036854775808", Err("is not a size")),
        ];
        for (text, expected) in cases {
            match (input(text), expected) {
                (Ok((name, dims)), Ok(expected)) => assert_eq!((&*name, dims), expected, "{text}"),
                (Err(message), Err(part)) => assert!(message.contains(part), "{text}: {message}"),
                (found, _) => panic!("{text}: {found:?}"),
            }
        }
    }

    #[test]
    fn symbols() {
        let cases = [
            ("N=4", Ok(("N", 4))),
            ("a=b=4", Ok(("a=b", 4))),
            ("batch + 1=4", Ok(("batch + 1", 4))),
            ("N", Err("an equals sign")),
            ("=4", Err("is empty")),
            ("N=", Err("`` is not a size")),
            ("N=-1", Err("`-1` is not a size")),
        ];
        for (text, expected) in cases {
            match (symbol(text), expected) {
                (Ok((name, size)), Ok(expected)) => assert_eq!((&*name, size), expected, "{text}"),
                (Err(message), Err(part)) => assert!(message.contains(part), "{text}: {message}"),
                (found, _) => panic!("{text}: {found:?}"),
            }
        }
    }
}
