//! Arithmetic on elements: what it says of expressions is what ONNX makes of the numbers in their place.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use shape_core::DataType;
use shape_core::dimension::Dimension;
use shape_core::elements::Scalar;
use shape_core::symbolic::{Cause, Dim, Reason, Symbol, Symbols};

type Element = Scalar<Dim>;

/// An element from its text: a number, a truth value, a float, an expression, or unknown.
fn read(text: &str, symbols: &mut Symbols) -> Element {
    match (text, text.parse::<i64>(), text.parse::<f64>()) {
        ("?", ..) => Scalar::Unknown(Reason { cause: Cause::GivenAtRun, value: 3 }),
        ("size?", ..) => Scalar::Size(Dim::Unknown(Reason { cause: Cause::NotDeclared, value: 4 })),
        ("true" | "false", ..) => Scalar::Bool(text == "true"),
        (_, Ok(number), _) => Scalar::Int(number),
        (_, _, Ok(number)) => Scalar::Float(number),
        _ => match symbols.dim(text) {
            dim if dim.lower_bound().is_some_and(|least| least >= 0) => Scalar::Size(dim),
            dim => Scalar::Expression(dim),
        },
    }
}

/// The text of an element; an expression that may be negative is marked, and what is unknown has its reason.
fn text(element: &Element, symbols: &Symbols) -> String {
    let text = element.display(symbols);
    match element {
        Scalar::Expression(_) => format!("{text} (signed)"),
        Scalar::Float(number) => format!("{number:?}"),
        Scalar::Unknown(reason) => format!("? {}", reason.cause),
        Scalar::Size(Dim::Unknown(reason)) => format!("size? {}", reason.cause),
        _ => text.to_string(),
    }
}

/// The result of an operation by its name in ONNX.
fn run<D: Dimension>(operation: &str, a: &Scalar<D>, b: &Scalar<D>) -> Scalar<D> {
    match operation {
        "Add" => a.add(b),
        "Sub" => a.sub(b),
        "Mul" => a.mul(b),
        "Div" => a.divided(b),
        "Mod" => a.remainder(b, false),
        "fmod" => a.remainder(b, true),
        "Max" => a.max(b),
        "Min" => a.min(b),
        "Pow" => a.power(b),
        "Neg" => a.negated(),
        "Abs" => a.absolute(),
        "Equal" => a.equals(b),
        "Less" => a.is_less(b),
        "LessOrEqual" => a.is_at_most(b),
        "Greater" => a.is_greater(b),
        "GreaterOrEqual" => a.is_at_least(b),
        "And" => a.and(b),
        "Or" => a.or(b),
        "Xor" => a.xor(b),
        "Not" => a.negation(),
        other => panic!("{other}"),
    }
}

#[track_caller]
fn check(a: &str, operation: &str, b: &str, expected: &str) {
    let mut symbols = Symbols::default();
    let (left, right) = (read(a, &mut symbols), read(b, &mut symbols));
    let found = text(&run(operation, &left, &right), &symbols);
    let expected = match expected {
        "overflow" => "? an element overflows its type",
        "zero" => "? an element is divided by zero",
        "sign" => "? an element depends on whether an expression is negative",
        "open" => "? an element of it depends on a comparison that holds for some sizes only",
        "kind" => "? an element of it is of a kind that the operation is not followed on",
        "?" => "? its elements are known only when the model runs",
        "size?" => "size? the model does not declare it",
        "undeclared" => "? the model does not declare it",
        expected => expected,
    };
    assert_eq!(found, expected, "{operation}({a}, {b})");
}

#[test]
fn operations() {
    for (a, operation, b, expected) in [
        ("N", "Add", "1", "N + 1"),
        ("N", "Add", "-1", "N - 1 (signed)"),
        ("N", "Add", "?", "?"),
        ("N", "Add", "size?", "size?"),
        ("-1", "Add", "size?", "undeclared"),
        ("9223372036854775807", "Add", "1", "overflow"),
        ("1.5", "Add", "2.0", "3.5"),
        ("true", "Add", "1", "kind"),
        ("N", "Sub", "5", "N - 5 (signed)"),
        ("N + 5", "Sub", "N", "5"),
        ("N", "Sub", "N//2", "N - N//2"),
        ("N", "Sub", "min(N, 3)", "N - min(N, 3)"),
        ("size?", "Sub", "size?", "undeclared"),
        ("N", "Mul", "-1", "-N (signed)"),
        ("N", "Mul", "T", "N*T"),
        ("0", "Mul", "?", "0"),
        ("9223372036854775807", "Mul", "2", "overflow"),
        ("7", "Div", "2", "3"),
        ("-7", "Div", "2", "-3"),
        ("7", "Div", "0", "zero"),
        ("N", "Div", "0", "zero"),
        ("-9223372036854775808", "Div", "-1", "overflow"),
        ("7.0", "Div", "2.0", "3.5"),
        ("N", "Div", "2", "N//2"),
        ("N", "Div", "-2", "-(N//2) (signed)"),
        ("-N", "Div", "2", "-(N//2) (signed)"),
        ("N - 5", "Div", "2", "max(N - 5, 0)//2 - max(-N + 5, 0)//2 (signed)"),
        ("N - 3", "Div", "4", "max(N - 3, 0)//4"),
        ("N - 1", "Div", "4", "max(N - 1, 0)//4"),
        ("N - 5", "Div", "M - 1", "sign"),
        ("2*N - 6", "Div", "2", "N - 3 (signed)"),
        ("N", "Div", "T", "N//T"),
        ("N*T", "Div", "T", "N"),
        ("7", "Mod", "-3", "-2"),
        ("7", "fmod", "-3", "1"),
        ("-9223372036854775808", "fmod", "-1", "0"),
        ("-9223372036854775808", "Mod", "-1", "0"),
        ("-7.5", "fmod", "2.0", "-1.5"),
        ("7.5", "Mod", "2.0", "kind"),
        ("N", "Mod", "2", "N % 2"),
        ("4*N", "Mod", "2", "0"),
        ("N - 5", "Mod", "3", "(N + 1) % 3"),
        ("N - 5", "fmod", "3", "max(N - 5, 0) % 3 - max(-N + 5, 0) % 3 (signed)"),
        ("3*N - 6", "fmod", "3", "0"),
        ("-N", "fmod", "3", "-(N % 3) (signed)"),
        ("N", "fmod", "-3", "N % 3"),
        ("N", "Max", "1", "max(N, 1)"),
        ("N", "Max", "-1", "N"),
        ("N - 5", "Max", "0", "max(N - 5, 0)"),
        ("1.0", "Max", "NaN", "NaN"),
        ("N", "Min", "-1", "-1"),
        ("N - 5", "Min", "N", "N - 5 (signed)"),
        ("N", "Min", "size?", "size?"),
        ("N - 5", "Neg", "", "-N + 5 (signed)"),
        ("-9223372036854775808", "Neg", "", "overflow"),
        ("0.0", "Neg", "", "-0.0"),
        ("N", "Abs", "", "N"),
        ("N - 5", "Abs", "", "max(-N + 5, N - 5)"),
        ("-N", "Abs", "", "N"),
        ("-9223372036854775808", "Abs", "", "overflow"),
        ("size?", "Abs", "", "size?"),
        ("N", "Pow", "2", "N*N"),
        ("N", "Pow", "0", "1"),
        ("N", "Pow", "17", "kind"),
        ("N", "Pow", "N", "kind"),
        ("2", "Pow", "62", "4611686018427387904"),
        ("2", "Pow", "63", "overflow"),
        ("2", "Pow", "-1", "kind"),
        ("3", "Pow", "2.0", "9"),
        ("3", "Pow", "0.5", "kind"),
        ("1.5", "Pow", "2", "kind"),
        ("1.5", "Pow", "3", "kind"),
    ] {
        check(a, operation, b, expected);
    }
}

#[test]
fn comparisons() {
    for (a, operation, b, expected) in [
        ("N", "Equal", "-1", "false"),
        ("N", "Equal", "0", "open"),
        ("N + 1", "Equal", "0", "false"),
        ("N", "Equal", "N", "true"),
        ("N", "Equal", "N + 1", "false"),
        ("2*N", "Equal", "7", "false"),
        ("N", "Equal", "T", "open"),
        ("size?", "Equal", "-1", "false"),
        ("size?", "Equal", "0", "undeclared"),
        ("?", "Equal", "?", "?"),
        ("N % 4", "Equal", "4", "false"),
        ("true", "Equal", "false", "false"),
        ("0.5", "Equal", "0.5", "true"),
        ("NaN", "Equal", "NaN", "false"),
        ("N + 1", "Greater", "0", "true"),
        ("N", "Greater", "0", "open"),
        ("N", "GreaterOrEqual", "0", "true"),
        ("size?", "GreaterOrEqual", "0", "true"),
        ("size?", "Less", "0", "false"),
        ("N", "Less", "N + 1", "true"),
        ("N//2", "LessOrEqual", "N", "true"),
        ("N//2", "Less", "N", "open"),
        ("min(N, 7)", "Less", "8", "true"),
        ("max(N, 3)", "Less", "3", "false"),
        ("N - 5", "Less", "0", "open"),
        ("-3", "Less", "2", "true"),
        ("1.5", "Less", "NaN", "false"),
        ("true", "Less", "1", "kind"),
        ("N", "Less", "100000.0", "open"),
        ("N", "Equal", "0.3", "kind"),
    ] {
        check(a, operation, b, expected);
    }
}

#[test]
fn logic() {
    for (a, operation, b, expected) in [
        ("true", "And", "false", "false"),
        ("false", "And", "?", "false"),
        ("true", "And", "?", "?"),
        ("?", "Or", "true", "true"),
        ("?", "Or", "false", "?"),
        ("true", "Xor", "true", "false"),
        ("true", "Xor", "?", "?"),
        ("true", "Not", "", "false"),
        ("?", "Not", "", "?"),
        ("1", "Not", "", "kind"),
        ("N", "And", "true", "kind"),
    ] {
        check(a, operation, b, expected);
    }
    for (condition, then, otherwise, expected) in [
        ("true", "N", "T", "N"),
        ("false", "N", "?", "? its elements are known only when the model runs"),
        ("?", "N", "N", "N"),
        ("?", "1", "1", "1"),
        ("?", "N", "T", "? its elements are known only when the model runs"),
        ("?", "size?", "size?", "? its elements are known only when the model runs"),
    ] {
        let mut symbols = Symbols::default();
        let [condition, then, otherwise] = [condition, then, otherwise].map(|text| read(text, &mut symbols));
        assert_eq!(text(&condition.select(&then, &otherwise), &symbols), expected);
    }
}

#[test]
fn casts() {
    for (element, to, expected) in [
        ("N", DataType::Int32, "N"),
        ("N", DataType::Uint32, "N"),
        ("N - 5", DataType::Int32, "N - 5 (signed)"),
        ("N - 5", DataType::Uint64, "kind"),
        ("N", DataType::Int8, "kind"),
        ("N", DataType::Float, "N"),
        ("N", DataType::Float16, "kind"),
        ("N + 1", DataType::Bool, "true"),
        ("N", DataType::Bool, "open"),
        ("300", DataType::Int32, "300"),
        ("300", DataType::Uint8, "overflow"),
        ("-1", DataType::Uint64, "overflow"),
        ("-128", DataType::Int8, "-128"),
        ("3", DataType::Float, "3.0"),
        ("16777217", DataType::Float, "16777216.0"),
        ("16777217", DataType::Double, "16777217.0"),
        ("2049", DataType::Float16, "kind"),
        ("256", DataType::Bfloat16, "256.0"),
        ("0", DataType::Bool, "false"),
        ("-2.9", DataType::Int64, "-2"),
        ("2.9", DataType::Int64, "2"),
        ("1e19", DataType::Int64, "overflow"),
        ("NaN", DataType::Int64, "overflow"),
        ("0.1", DataType::Float, "0.10000000149011612"),
        ("0.5", DataType::Bool, "true"),
        ("true", DataType::Int64, "1"),
        ("true", DataType::Float, "1.0"),
        ("false", DataType::Bool, "false"),
        ("?", DataType::Bool, "?"),
        ("1", DataType::String, "kind"),
    ] {
        let mut symbols = Symbols::default();
        let element = read(element, &mut symbols);
        let found = text(&element.cast(to), &symbols);
        let expected = match expected {
            "overflow" => "? an element overflows its type",
            "kind" => "? an element of it is of a kind that the operation is not followed on",
            "open" => "? an element of it depends on a comparison that holds for some sizes only",
            "?" => "? its elements are known only when the model runs",
            expected => expected,
        };
        assert_eq!(found, expected, "{element:?} as {to}");
    }
}

/// A tree of operations on integers.
#[derive(Clone, Debug)]
enum Tree {
    Symbol(usize),
    Number(i64),
    Operation(&'static str, Box<(Self, Self)>),
    /// Where, on a comparison.
    Where(&'static str, Box<(Self, Self)>, Box<(Self, Self)>),
}

const NAMES: [&str; 3] = ["B", "T", "N"];
const COMPARISONS: [&str; 5] = ["Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual"];

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![3 => (0..NAMES.len()).prop_map(Tree::Symbol), 2 => (-4_i64..9).prop_map(Tree::Number)];
    leaf.prop_recursive(5, 24, 2, |inner| {
        let operations =
            vec!["Add", "Add", "Sub", "Sub", "Mul", "Div", "Div", "Mod", "fmod", "Max", "Min", "Neg", "Abs"];
        let pair = (inner.clone(), inner.clone()).prop_map(Box::new);
        prop_oneof![
            6 => (prop::sample::select(operations), pair.clone()).prop_map(|(name, pair)| Tree::Operation(name, pair)),
            1 => (prop::sample::select(COMPARISONS.to_vec()), pair.clone(), pair)
                .prop_map(|(name, sides, values)| Tree::Where(name, sides, values)),
        ]
    })
}

fn holds(comparison: &str, a: i64, b: i64) -> bool {
    match comparison {
        "Equal" => a == b,
        "Less" => a < b,
        "LessOrEqual" => a <= b,
        "Greater" => a > b,
        _ => a >= b,
    }
}

impl Tree {
    fn scalar<D: Dimension>(&self, symbols: &[Scalar<D>; 3]) -> Scalar<D> {
        match self {
            Self::Symbol(index) => symbols[*index].clone(),
            Self::Number(number) => Scalar::Int(*number),
            Self::Operation(name, pair) => run(name, &pair.0.scalar(symbols), &pair.1.scalar(symbols)),
            Self::Where(name, sides, values) => {
                let condition = run(name, &sides.0.scalar(symbols), &sides.1.scalar(symbols));
                condition.select(&values.0.scalar(symbols), &values.1.scalar(symbols))
            }
        }
    }

    /// The number as int64 arithmetic has it; `None` where something in it is divided by zero or overflows.
    fn number(&self, sizes: &[u64; 3]) -> Option<i64> {
        Some(match self {
            Self::Symbol(index) => sizes[*index] as i64,
            Self::Number(number) => *number,
            Self::Operation(name, pair) => {
                let (a, b) = (pair.0.number(sizes)?, pair.1.number(sizes)?);
                match *name {
                    "Add" => a.checked_add(b)?,
                    "Sub" => a.checked_sub(b)?,
                    "Mul" => a.checked_mul(b)?,
                    "Div" => a.checked_div(b)?,
                    "Mod" => {
                        let rest = a.checked_rem(b)?;
                        if rest.signum() * b.signum() < 0 { rest + b } else { rest }
                    }
                    "fmod" => a.checked_rem(b)?,
                    "Max" => a.max(b),
                    "Min" => a.min(b),
                    "Neg" => a.checked_neg()?,
                    _ => a.checked_abs()?,
                }
            }
            Self::Where(name, sides, values) => {
                let (a, b) = (sides.0.number(sizes)?, sides.1.number(sizes)?);
                let (then, otherwise) = (values.0.number(sizes)?, values.1.number(sizes)?);
                if holds(name, a, b) { then } else { otherwise }
            }
        })
    }
}

const STEPS: [&str; 9] = ["Div", "Div", "Mul", "Add", "Sub", "Max", "Min", "Floor", "Ceil"];
const FLOATS: [f32; 16] = [1.0, 2.0, 3.0, 4.0, 7.0, 12.0, 16.0, 32.0, 100.0, 0.5, 0.25, 1.5, -2.0, -0.5, 0.1, -3.0];

fn step_of_scalar(step: &str, element: &Element, by: &Element) -> Element {
    match step {
        "Div" => element.ratio(by),
        "Floor" => element.floor(),
        "Ceil" => element.ceiling(),
        other => run(other, element, by),
    }
}

/// The step without rounding; `None` where a float has too few digits for it.
fn step_of_quotient(step: &str, (of, over): (i64, i64), by: f32) -> Option<(i64, i64)> {
    let by = if by == 0.1 { return None } else { ((by * 4.0) as i64, 4) };
    let (of, over) = match step {
        "Add" => (of * by.1 + by.0 * over, over * by.1),
        "Sub" => (of * by.1 - by.0 * over, over * by.1),
        "Mul" => (of * by.0, over * by.1),
        "Div" => (of * by.1 * by.0.signum(), over * by.0.abs()),
        "Max" => {
            if of * by.1 >= by.0 * over {
                (of, over)
            } else {
                by
            }
        }
        "Min" => {
            if of * by.1 <= by.0 * over {
                (of, over)
            } else {
                by
            }
        }
        "Floor" => (of.div_euclid(over), 1),
        _ => (-(-of).div_euclid(over), 1),
    };
    let mut divisor = (of.abs(), over);
    while divisor.0 != 0 {
        divisor = (divisor.1 % divisor.0, divisor.0);
    }
    let (of, over) = (of / divisor.1, over / divisor.1);
    (of.abs() <= 1 << 24 && over <= 1 << 24).then_some((of, over))
}

fn step_of_float(step: &str, number: f32, by: f32) -> f32 {
    match step {
        "Add" => number + by,
        "Sub" => number - by,
        "Mul" => number * by,
        "Div" => number / by,
        "Max" => number.max(by),
        "Min" => number.min(by),
        "Floor" => number.floor(),
        _ => number.ceil(),
    }
}

fn symbols() -> (Symbols, [Element; 3], [Symbol; 3]) {
    let mut symbols = Symbols::default();
    let dims = NAMES.map(|name| symbols.dim(name));
    let names = dims.clone().map(|dim| match dim {
        Dim::Symbol(symbol) => symbol,
        other => panic!("{other:?}"),
    });
    (symbols, dims.map(Scalar::Size), names)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    /// Operations on expressions, then numbers for the symbols, is operations on the numbers, wherever it is known.
    #[test]
    fn substitution(tree in tree(), other in tree(), sizes in [0_u64..7, 0_u64..12, 0_u64..40]) {
        let (mut table, elements, names) = symbols();
        let size = |symbol| names.iter().position(|name| *name == symbol).map(|at| sizes[at]);
        let (a, b) = (tree.scalar(&elements), other.scalar(&elements));
        let (Some(left), Some(right)) = (tree.number(&sizes), other.number(&sizes)) else { return Ok(()) };

        // On numbers everything is known.
        let numbers = sizes.map(|size| Scalar::<u64>::Int(size as i64));
        prop_assert_eq!(tree.scalar(&numbers), Scalar::Int(left));

        match &a {
            Scalar::Int(number) => prop_assert_eq!(*number, left),
            Scalar::Size(dim) | Scalar::Expression(dim) if a.is_known() => {
                let shown = a.display(&table).to_string();
                prop_assert_eq!(dim.integer(&size), Some(left), "{}", shown);
                prop_assert!(dim.lower_bound().is_none_or(|least| least <= left), "{} >= {:?}", shown, dim.lower_bound());
                prop_assert!(dim.upper_bound().is_none_or(|most| most >= left), "{} <= {:?}", shown, dim.upper_bound());
                let size = matches!(a, Scalar::Size(_));
                prop_assert!(if size { left >= 0 } else { dim.lower_bound().is_none_or(|least| least < 0) }, "{}", shown);
                prop_assert_eq!(&table.dim(&shown), dim, "{}", shown);
                prop_assert!(left != 0 || dim.may_equal(&Dim::Known(0)), "{}", shown);
            }
            Scalar::Size(_) => prop_assert!(left >= 0),
            Scalar::Unknown(_) => {}
            other => prop_assert!(false, "{other:?}"),
        }
        for name in COMPARISONS {
            match run(name, &a, &b) {
                Scalar::Bool(found) => prop_assert_eq!(found, holds(name, left, right), "{:?} {} {:?}", a, name, b),
                found => prop_assert!(matches!(found, Scalar::Unknown(_))),
            }
        }
    }

    /// Operations on sizes as floats are what 32-bit floats give, wherever it is known.
    #[test]
    fn floats(
        start in prop::sample::select(vec!["N", "N + 3", "N - 5", "-N", "2*N", "N//2"]),
        steps in prop::collection::vec((prop::sample::select(STEPS.to_vec()), prop::sample::select(FLOATS.to_vec())), 1..6),
        compared in prop::sample::select(FLOATS.to_vec()),
        size in 0_u64..3000,
    ) {
        let mut symbols = Symbols::default();
        let n = symbols.dim("N");
        let element = read(start, &mut symbols).cast(DataType::Float);
        let first = element.dim().and_then(|dim| dim.integer(&|_| Some(size))).unwrap();
        let (mut element, mut number, mut exact) = (element, first as f32, (first, 1));
        for (step, by) in &steps {
            let Some(next) = step_of_quotient(step, exact, *by) else { return Ok(()) };
            exact = next;
            element = step_of_scalar(step, &element, &Scalar::Float((*by).into())).of_type(Some(DataType::Float));
            number = step_of_float(step, number, *by);
        }
        let at_size = |element: &Element| {
            let size = |symbol| (Dim::Symbol(symbol) == n).then_some(Dim::Known(size));
            element.substituted(&size).unwrap_or_else(|| element.clone()).of_type(Some(DataType::Float))
        };
        let shown = element.display(&symbols).to_string();
        match at_size(&element) {
            Scalar::Float(found) => prop_assert_eq!(found, f64::from(number), "{}", shown),
            Scalar::Unknown(_) => {}
            other => prop_assert!(false, "{other:?} {shown}"),
        }
        let to_int = element.cast(DataType::Int64);
        match to_int.substituted(&|_| Some(Dim::Known(size))).unwrap_or(to_int) {
            Scalar::Int(found) => prop_assert_eq!(found, number as i64, "{}", shown),
            Scalar::Unknown(_) => {}
            other => prop_assert!(false, "{other:?} {shown}"),
        }
        for (name, holds) in [("Less", number < compared), ("Equal", number == compared), ("Greater", number > compared)] {
            if let Scalar::Bool(found) = run(name, &element, &Scalar::Float(compared.into())) {
                prop_assert_eq!(found, holds, "{} {} {}", shown, name, compared);
            }
        }
    }

    /// The arithmetic of dimensions, likewise; a difference is one where it is not negative.
    #[test]
    fn dimensions(tree in tree(), other in tree(), by in 0_u64..6, sizes in [0_u64..7, 0_u64..12, 0_u64..40]) {
        let (_, elements, names) = symbols();
        let size = |symbol| names.iter().position(|name| *name == symbol).map(|at| sizes[at]);
        let dim = |tree: &Tree| match tree.scalar(&elements) {
            Scalar::Int(number) => u64::try_from(number).ok().map(Dim::Known),
            Scalar::Size(dim) => Some(dim),
            _ => None,
        };
        let (Some(a), Some(b)) = (dim(&tree), dim(&other)) else { return Ok(()) };
        let (Some(left), Some(right)) = (a.value(&size), b.value(&size)) else { return Ok(()) };
        for (found, expected) in [
            (a.add(&b), left.add(&right)),
            (a.sub(&b), left.sub(&right)),
            (a.mul(&b), left.mul(&right)),
            (a.div_exact(&b), Dimension::div_exact(&left, &right)),
            (a.max(&b), Dimension::max(&left, &right)),
            (a.min(&b), Dimension::min(&left, &right)),
            (a.floor_div(by), left.floor_div(by)),
            (a.ceil_div(by), left.ceil_div(by)),
        ] {
            match (found, expected) {
                (None, expected) => prop_assert_eq!(expected, None),
                (Some(Dim::Unknown(_)), _) | (Some(_), None) => {}
                (Some(found), Some(expected)) => prop_assert_eq!(found.value(&size), Some(expected)),
            }
        }
        prop_assert!(a.may_equal(&b) || left != right, "{:?} {:?}", a, b);
    }
}

/// How much of what random trees give is known: the law above would hold of nothing known too.
#[test]
fn most_is_known() {
    let (_, elements, _) = symbols();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut known, mut all) = (0, 0);
    for _ in 0..2000 {
        let tree = tree().new_tree(&mut runner).unwrap().current();
        known += usize::from(tree.scalar(&elements).is_known());
        all += 1;
    }
    assert!(known * 2 > all, "{known} of {all}");
}
