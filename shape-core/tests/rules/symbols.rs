//! What the rules make of dimensions that are symbols or unknown, and of entries that are no numbers: what the proof
//! leaves out.

use shape_core::Operator as _;
use shape_core::elements::{Elements, Scalar};
use shape_core::facts::{Dims, EachElement, Fact, Inputs, Outputs, UnknownCause};
use shape_core::symbolic::{Cause, Dim, Reason, Symbols};

use crate::{Reshape, Shape};

/// What a rule says of the first output: its dimensions and, where it tells them, its elements.
#[derive(Default)]
struct Said(Option<Vec<Result<Dim, UnknownCause>>>, Option<Vec<Scalar<Dim>>>);

impl Outputs<Dim> for Said {
    fn dims(&mut self, _: usize, dims: Dims<'_, Dim>) {
        self.0 = dims.rank().ok().map(|rank| (0..rank).map(|axis| dims.dim(axis)).collect());
    }

    fn elements(&mut self, _: usize, elements: Result<EachElement<'_, Dim>, UnknownCause>) {
        self.1 = elements.ok().map(|(count, each)| (0..count).map(each).collect());
    }

    fn elements_of(&mut self, _: usize, _: usize) {}
}

fn unknown() -> Reason {
    Reason::here(Cause::ExpressionTooLarge)
}

fn read(symbols: &mut Symbols, text: &str) -> Dim {
    match text {
        "?" => Dim::Unknown(unknown()),
        text => text.parse().map_or_else(|_| symbols.dim(text), Dim::Known),
    }
}

/// The dimensions of a text such as `N, 4`; none for `?`.
fn dims(symbols: &mut Symbols, text: &str) -> Option<Vec<Dim>> {
    let items = text.split(", ").filter(|item| !item.is_empty());
    (text != "?").then(|| items.map(|item| read(symbols, item)).collect())
}

/// An entry: a number, `bool`, `float`, `?`, an expression after `=`, or a size.
fn entry(symbols: &mut Symbols, text: &str) -> Scalar<Dim> {
    match (text, text.strip_prefix('=')) {
        ("bool", _) => Scalar::Bool(true),
        ("float", _) => Scalar::Float(2.0),
        ("?", _) => Scalar::Unknown(unknown()),
        (_, Some(expression)) => Scalar::Expression(symbols.dim(expression)),
        _ => text.parse().map_or_else(|_| Scalar::Size(read(symbols, text.trim_start_matches('#'))), Scalar::Int),
    }
}

fn written(said: &Said, symbols: &Symbols) -> String {
    let dim = |dim: &Result<Dim, UnknownCause>| match dim {
        Ok(dim) => dim.display(symbols).to_string(),
        Err(because) => format!("{because:?}"),
    };
    said.0.as_ref().map_or_else(|| "?".to_owned(), |dims| dims.iter().map(dim).collect::<Vec<_>>().join(", "))
}

#[test]
fn shape_hands_symbols_on() {
    for (data, start, end, expected) in [
        ("N, 4, ?", 0, None, "N, 4, ?"),
        ("N, 4, ?", -2, Some(-1), "4"),
        ("N + 1, 4", 0, Some(1), "N + 1"),
        ("N", 1, None, ""),
    ] {
        let mut symbols = Symbols::default();
        let data = dims(&mut symbols, data);
        let mut said = Said::default();
        let fact = Fact { dims: data.as_deref(), ..Fact::default() };
        Shape { start, end }.infer_outputs(Inputs(&[Some(fact)]), &mut said).unwrap();
        let expected = dims(&mut symbols, expected).unwrap();
        assert_eq!(said.0, Some(vec![Ok(Dim::Known(expected.len() as u64))]));
        assert_eq!(said.1, Some(expected.into_iter().map(Scalar::size).collect()));
    }
}

#[test]
fn reshape_follows_symbols() {
    let cases = [
        // Symbols in the tensor.
        ("N, 3, 4", "-1, 12", 0, "N, 12"),
        ("N, 4, T", "0, -1", 0, "N, 4*T"),
        ("N, 4", "0, 2, 2", 0, "N, 2, 2"),
        // No tensor of N = 0 has elements.
        ("N, 4", "0, 3", 0, "N, 3"),
        ("N, 0", "0, 5", 0, "N, 5"),
        ("N, 12", "2, 6", 0, "2, 6"),
        ("N, 4", "3", 0, "element-count"),
        ("N, 4", "0, -1, 3", 0, "element-count"),
        ("N, 0, 3", "0, 0, -1", 0, "target-zero"),
        ("N, 0", "-1", 0, "0"),
        ("?, 4", "0, -1", 0, "?, 4"),
        // Symbols in the target: sizes of 1 at least.
        ("N, 4", "N, -1", 0, "N, 4"),
        ("N, 4", "N, 4", 0, "N, 4"),
        ("N, 4", "N, 5", 0, "element-count"),
        ("3", "2*N, -1", 0, "2*N, 3//(2*N)"),
        ("6", "2*N", 0, "2*N"),
        ("5", "2*N", 0, "element-count"),
        ("N, 6", "0, =2*T", 0, "N, 2*T"),
        ("N, 5", "0, =2*T", 0, "N, 2*T"),
        ("N, 4", "=N - 5, -1", 0, "N - 5, (4*N)//(N - 5)"),
        ("N, 4", "#0, 4", 0, "N, 4"),
        ("0, 4", "#0, N", 1, "0, N"),
        ("4", "#0, -1", 1, "target-zero"),
        // Entries that are anything.
        ("2, 3", "?", 0, "Elements(1)"),
        ("2, 3", "?, -1", 0, "?, ?"),
        ("2*N + 1", "2, -1", 0, "element-count"),
        ("2*N + 1", "2*T, -1", 0, "2*T, (2*N + 1)//(2*T)"),
        ("2, 3", "bool, 7", 0, "Dims(0), 7"),
        ("2, 3", "float, -1", 0, "Dims(0), Dims(0)"),
        ("2, 3", "bool, -1, -1", 0, "target-entry"),
        // A tensor of which nothing is known.
        ("?", "0, 4, -1, N", 0, "Dims(0), 4, Dims(0), N"),
        ("?", "4611686018427387904, 2", 0, "element-overflow"),
        ("?", "0, 4611686018427387904, 2", 1, "0, 4611686018427387904, 2"),
        // Numbers that overflow beside symbols.
        ("N, 4611686018427387904, 2", "-1", 0, "element-overflow"),
        ("N, 4611686018427387904, 2", "2, 3", 0, "element-overflow"),
        ("N, 2", "N, 4611686018427387904, 2", 0, "element-overflow"),
        ("N, 2", "-1, N, 4611686018427387904, 2", 0, "element-overflow"),
        ("N, 2, 4611686018427387904", "N, 0, 4611686018427387904, -1", 0, "element-overflow"),
    ];
    let mut wrong = 0;
    for (data, target, allowzero, expected) in cases {
        let mut symbols = Symbols::default();
        let data_dims = dims(&mut symbols, data);
        let entries = target.split(", ").map(|text| entry(&mut symbols, text)).collect::<Vec<_>>();
        let len = [Dim::Known(entries.len() as u64)];
        let inputs = [
            Some(Fact { dims: data_dims.as_deref(), ..Fact::default() }),
            Some(Fact { dims: Some(&len), elements: Some(Elements::Scalars(&entries)), ..Fact::default() }),
        ];
        let mut said = Said::default();
        let found = match (Reshape { allowzero }).infer_outputs(Inputs(&inputs), &mut said) {
            Ok(()) => written(&said, &symbols),
            Err(problem) => problem.code().name().to_owned(),
        };
        if found != expected {
            eprintln!("[{data}] to [{target}], allowzero={allowzero}: {found}, not {expected}");
            wrong += 1;
        }
    }
    assert_eq!(wrong, 0);
}
