//! Dimensions as expressions: their text, their arithmetic, and the laws that these keep.

use proptest::prelude::*;
use shape_core::dimension::{Dimension, Product};
use shape_core::symbolic::{Cause, Dim, MAX_ARGUMENTS, MAX_DEPTH, MAX_FACTORS, MAX_TERMS, Reason, Symbols};

fn text(dim: Option<Dim>, symbols: &Symbols) -> String {
    match dim {
        Some(Dim::Unknown(reason)) => format!("? {}", reason.cause),
        Some(dim) => dim.display(symbols).to_string(),
        None => "never".to_owned(),
    }
}

/// `left operator right`, as text.
#[track_caller]
fn check(left: &str, operator: char, right: &str, expected: &str) {
    let mut symbols = Symbols::default();
    let mut read = |text: &str| text.parse().map_or_else(|_| symbols.dim(text), Dim::Known);
    let (a, b) = (read(left), read(right));
    let found = match operator {
        '+' => a.add(&b),
        '-' => a.sub(&b),
        '|' => b.known().and_then(|by| a.floor_div(by)),
        '^' => b.known().and_then(|by| a.ceil_div(by)),
        '>' => a.max(&b),
        '<' => a.min(&b),
        '*' => a.mul(&b),
        '/' => a.div_exact(&b),
        _ => return assert_eq!(a.may_equal(&b).to_string(), expected, "{left} = {right}"),
    };
    assert_eq!(text(found, &symbols), expected, "{left} {operator} {right}");
}

#[test]
fn arithmetic() {
    for (left, operator, right, expected) in [
        ("N", '+', "N", "2*N"),
        ("N", '+', "0", "N"),
        ("T", '+', "B", "B + T"),
        ("3*B", '+', "2*B*T", "2*B*T + 3*B"),
        ("N", '*', "0", "0"),
        ("0", '*', "N", "0"),
        ("N", '*', "1", "N"),
        ("T", '*', "B", "B*T"),
        ("N + 1", '*', "N", "N*N + N"),
        ("N + 1", '*', "N - 1", "N*N - 1"),
        ("4294967296", '*', "4294967296", "never"),
        ("4611686018427387904*N", '*', "2", "? an expression for it is too large"),
        ("12*N", '/', "12", "N"),
        ("4*N*T", '/', "N", "4*T"),
        ("4*N*T", '/', "4*N*T", "1"),
        ("3*N + 3", '/', "N + 1", "3"),
        ("N*T + T", '/', "N + 1", "T"),
        ("N*N - 1", '/', "N + 1", "N - 1"),
        ("12", '/', "5", "never"),
        ("12", '/', "0", "never"),
        ("0", '/', "N", "0"),
        ("N", '/', "1", "N"),
        ("5*N", '/', "2", "(5*N)//2"),
        ("12", '/', "N", "12//N"),
        ("B", '/', "T", "B//T"),
        ("2*N + 1", '/', "2", "never"),
        ("4*N + 2", '/', "2", "2*N + 1"),
        ("6*N + 2", '/', "4", "(3*N + 1)//2"),
        ("2", '=', "3", "false"),
        ("N", '=', "T", "true"),
        ("N", '=', "5", "true"),
        ("N", '=', "N + 1", "false"),
        ("12*B", '=', "12", "true"),
        ("12*B", '=', "6", "false"),
        ("2*N + 2*T", '=', "3", "false"),
        ("2*N", '=', "N", "true"),
        ("N + T + 1", '=', "0", "false"),
        ("N*T", '=', "0", "true"),
        ("max(N, 3)", '=', "2", "false"),
        ("max(N, 3)", '=', "3", "true"),
        ("N % 4", '=', "4", "false"),
        ("min(N, 7)", '=', "8", "false"),
        ("N - N//2", '=', "max(N, 1)", "true"),
        ("2*(N//3)", '=', "5", "false"),
        ("N + 1", '=', "N - N//2", "false"),
        ("max(N, T)", '=', "N - 1", "false"),
        ("9223372036854775807", '+', "1", "never"),
        ("N", '-', "N", "0"),
        ("N", '-', "5", "N - 5"),
        ("5", '-', "N", "-N + 5"),
        ("3", '-', "5", "never"),
        ("N", '-', "N + 1", "never"),
        ("N//2", '-', "N + 1", "never"),
        ("N", '|', "0", "never"),
        ("N", '|', "1", "N"),
        ("N", '|', "2", "N//2"),
        ("N", '^', "2", "(N + 1)//2"),
        ("2*N", '^', "2", "N"),
        ("7", '^', "2", "4"),
        ("N", '^', "0", "never"),
        ("N", '>', "0", "N"),
        ("N", '>', "T", "max(N, T)"),
        ("N", '<', "0", "0"),
        ("N + 1", '<', "N", "N"),
    ] {
        check(left, operator, right, expected);
    }
}

/// Whether a `dim_param` is an expression, and its canonical text.
#[test]
fn texts() {
    for (text, expected) in [
        ("N", "N"),
        ("past_sequence_length + 1", "past_sequence_length + 1"),
        ("1 + past", "past + 1"),
        ("T*B*2 + B * 3", "2*B*T + 3*B"),
        ("N - N + M", "M"),
        ("-N + M", "M - N"),
        ("a.b*2", "2*a.b"),
        // Names, whatever they look like.
        ("batch-size", "batch-size"),
        ("N+1", "N+1"),
        ("2*3", "2*3"),
        ("2N", "2N"),
        ("N*", "N*"),
        ("*", "*"),
        ("N + ", "N + "),
        ("N  +  1", "N + 1"),
        ("floor(N/2)", "floor(N/2)"),
        ("max(N)+1", "max(N)+1"),
        ("max(1, 2)", "max(1, 2)"),
        ("N//0", "N//0"),
        ("max(N", "max(N"),
        ("-5", "-5"),
        // Quotients.
        ("N//2", "N//2"),
        ("N // 2", "N//2"),
        ("N//1", "N"),
        ("(2*N)//2", "N"),
        ("(2*N + 1)//2", "N"),
        ("(2*N + 1)//4", "N//2"),
        ("(4*N + 2*T + 5)//4", "N + T//2 + 1"),
        ("(N + 5)//2", "(N + 1)//2 + 2"),
        ("(N - 1)//2", "(N + 1)//2 - 1"),
        ("(3*N)//2", "(3*N)//2"),
        ("(-N)//2", "(-N)//2"),
        ("-N//2", "(-N)//2"),
        ("-(N//2)", "-(N//2)"),
        ("T - N//2", "T - N//2"),
        ("N//-2", "(-N)//2"),
        ("(N//2)//3", "N//6"),
        ("N//2//3", "N//6"),
        ("(N//2 + 1)//3", "(N + 2)//6"),
        ("((N - 1)//2 + 1 - 1)//2 + 1", "(N + 3)//4"),
        ("(2*(N//3) + 1)//2", "N//3"),
        ("(N % 4)//4", "0"),
        ("(N*T)//T", "N"),
        ("(N*T)//(2*T)", "N//2"),
        ("(2*N)//(2*T)", "N//T"),
        ("N//(N + 1)", "0"),
        ("B*(N//2)*2", "2*B*(N//2)"),
        // Remainders.
        ("N % 1", "0"),
        ("N%2", "N % 2"),
        ("(4*N) % 2", "0"),
        ("(5*N + 7) % 3", "(2*N + 1) % 3"),
        ("(4*N + 3) % 6", "2*((2*N + 1) % 3) + 1"),
        ("(N % 6) % 3", "N % 3"),
        ("(N % 2) % 6", "N % 2"),
        ("(N % 3 - 3) % 3", "N % 3"),
        ("N % -2", "-(N % 2)"),
        ("N % (N + 1)", "N"),
        ("(N//2) % 3", "(N//2) % 3"),
        ("(2*N) % N", "0"),
        ("3*(N % 2)", "3*(N % 2)"),
        // The larger and the smaller.
        ("max(N, N)", "N"),
        ("max(N, 0)", "N"),
        ("max(N, -1)", "N"),
        ("max(1, N)", "max(N, 1)"),
        ("max(T, B)", "max(B, T)"),
        ("max(max(N, 1), 3)", "max(N, 3)"),
        ("max(N, max(T, B), T)", "max(B, N, T)"),
        ("max(max(N, 1) + 1, 3)", "max(N + 1, 3)"),
        ("max(T - min(N, 1), 3)", "max(T - min(N, 1), 3)"),
        ("max(2 - min(N, T), 1)", "max(-N + 2, -T + 2, 1)"),
        ("max(2*N, 4)", "2*max(N, 2)"),
        ("max(2*N, 4*max(T, 1))", "2*max(2*T, N, 2)"),
        ("max(2*N, 2)//2", "max(N, 1)"),
        ("max(N + 1, N)", "N + 1"),
        ("max(N//2, N)", "N"),
        ("max(N, min(N, T))", "N"),
        ("min(N, 0)", "0"),
        ("min(N, -1) + T", "T - 1"),
        ("min(N, max(N, T))", "N"),
        ("min(N, 5, 7)", "min(N, 5)"),
        ("min(max(N, 1), 1)", "1"),
        ("max(N - N//2, 0)", "N - N//2"),
        ("max(N - min(N, 5), 0)", "N - min(N, 5)"),
        ("max(N - 1, 0)", "max(N - 1, 0)"),
        ("max( N , 1 )", "max( N , 1 )"),
        ("max(N,1)", "max(N, 1)"),
        ("N*99999999999999999999", "N*99999999999999999999"),
        ("Größe + 1", "Größe + 1"),
        ("Größe + Größe", "2*Größe"),
        // Names that are no words.
        ("sqrt(n)+1", "sqrt(n)+1"),
        ("(sqrt(n)+1)", "sqrt(n)+1"),
        ("(sqrt(n)+1)*2", "2*(sqrt(n)+1)"),
        ("(batch-size)//2 + max((a b), 3)", "(batch-size)//2 + max((a b), 3)"),
        ("(2d) % 4", "(2d) % 4"),
        ("( N + 1 )*2", "2*N + 2"),
        ("(N)", "N"),
        ("3", "3"),
        ("(3)", "(3)"),
        ("N*(\"3\")", "(\"3\")*N"),
        ("N*(\"a)\"\"b\")", "(\"a)\"\"b\")*N"),
        ("(\"T + 1\")*2", "2*T + 2"),
        ("N*()", "N*()"),
        ("?", "?"),
    ] {
        let mut symbols = Symbols::default();
        let dim = symbols.dim(text);
        assert_eq!(dim.display(&symbols).to_string(), expected, "{text}");
        // A number alone is a name to the reader.
        let read = if dim.known().is_some() { dim.clone() } else { symbols.dim(expected) };
        assert_eq!(read, dim, "{text}, read from its canonical text");
    }
}

#[test]
fn sizes_are_capped() {
    let mut symbols = Symbols::default();
    let too_large = Dim::Unknown(Reason::here(Cause::ExpressionTooLarge));
    let n = symbols.dim("N");
    let mut product = n.clone();
    for _ in 1..MAX_FACTORS {
        product = product.mul(&n).unwrap();
    }
    assert_eq!(product.value(&|_| Some(2)), Some(1 << MAX_FACTORS));
    assert_eq!(product.mul(&n), Some(too_large.clone()));
    let mut sum = symbols.dim("S0");
    for index in 1..MAX_TERMS {
        sum = sum.add(&symbols.dim(&format!("S{index}"))).unwrap();
    }
    assert_eq!(sum.value(&|_| Some(1)), Some(MAX_TERMS as u64));
    assert_eq!(sum.add(&n), Some(too_large.clone()));
    let mut nested = n.clone();
    for depth in 0..MAX_DEPTH {
        assert_ne!(nested, too_large, "{depth}");
        nested = nested.floor_div(3).unwrap().mul(&n).unwrap().add(&Dim::Known(1)).unwrap();
    }
    assert_eq!(nested.floor_div(3), Some(too_large.clone()));
    assert_eq!(symbols.dim(&nested.display(&symbols).to_string()), nested);
    let mut largest = n.clone();
    for index in 1..MAX_ARGUMENTS {
        largest = largest.max(&symbols.dim(&format!("S{index}"))).unwrap();
    }
    assert_eq!(symbols.dim(&largest.display(&symbols).to_string()), largest);
    assert_eq!(largest.max(&symbols.dim("T")), Some(too_large.clone()));
    // A sum of large operations, where no other cap is met.
    let mut wide = Dim::Known(0);
    for index in 2..MAX_TERMS as u64 {
        wide = wide.add(&sum.floor_div(index).unwrap()).unwrap();
    }
    assert_eq!(wide, too_large);
}

/// Texts that lie deep within each other, or are long, are names or expressions, and no stack ends.
#[test]
fn hostile_texts() {
    let mut symbols = Symbols::default();
    for text in ["(", "-", "max(", "N//", "N % ", "(N//", "N*", "max(N, ", "N + ", "N - (", "2*(N//"] {
        let long = text.repeat(100_000);
        assert_eq!(symbols.dim(&long).display(&symbols).to_string(), long);
        let (open, closed) = (long + "N", ")".repeat(100_000));
        for text in [format!("{open}{closed}"), open] {
            let dim = symbols.dim(&text);
            assert_eq!(symbols.dim(&dim.display(&symbols).to_string()), dim);
        }
    }
}

#[test]
fn what_is_unknown_stays_so_for_the_first_reason() {
    let mut symbols = Symbols::default();
    let n = symbols.dim("N");
    let unknown = Dim::Unknown(Reason { cause: Cause::NotDeclared, value: 3 });
    let other = Dim::Unknown(Reason { cause: Cause::NoRule, value: 7 });
    assert_eq!(unknown.mul(&n), Some(unknown.clone()));
    assert_eq!(n.mul(&unknown), Some(unknown.clone()));
    assert_eq!(unknown.mul(&other), Some(unknown.clone()));
    assert_eq!(n.div_exact(&unknown), Some(unknown.clone()));
    assert_eq!(unknown.mul(&Dim::Known(0)), Some(Dim::Known(0)));
    assert_eq!(unknown.div_exact(&Dim::Known(0)), None);
    assert!(unknown.may_equal(&Dim::Known(3)) && n.may_equal(&unknown));
}

/// Two dimensions that are unknown for one reason are still two.
#[test]
fn what_is_unknown_does_not_cancel() {
    let unknown = Dim::Unknown(Reason { cause: Cause::NotDeclared, value: 3 });
    let product = |dims: &[Dim]| dims.iter().collect::<Product<Dim>>();
    let (two, one) =
        (product(&[unknown.clone(), unknown.clone(), Dim::Known(4)]), product(std::slice::from_ref(&unknown)));
    assert_eq!(two.div_exact(&one), Some(unknown.clone()));
    assert!(two.may_equal(&one, true), "4 times one of them may be the other");
    assert!(!two.may_equal(&product(&[Dim::Known(6)]), false));
    let n = Symbols::default().dim("N");
    assert_eq!(product(&[n.clone(), Dim::Known(4)]).div_exact(&product(std::slice::from_ref(&n))), Some(Dim::Known(4)));
    assert!(!product(&[n.clone(), Dim::Known(4)]).may_equal(&product(&[n]), true));
}

/// Expressions over a few symbols, small enough that none of the caps is met.
fn expression() -> impl Strategy<Value = String> {
    let factor = prop::sample::select(vec!["B", "T", "N", "2", "3", "5", "B*T"]);
    let term = prop::collection::vec(factor, 1..3).prop_map(|factors| factors.join("*"));
    prop::collection::vec(term, 1..4).prop_map(|terms| terms.join(" + "))
}

/// Names that no expression has as they are, and some that are expressions.
fn odd_name() -> impl Strategy<Value = String> {
    let written =
        ["n", "sqrt(n)+1", "batch-size", "3", "(3)", "-1", "a)b", "(", "\"", "\"q\"", "a b", " n", "2d", ".5", "n + 1"];
    prop_oneof![prop::sample::select(written.map(str::to_owned).to_vec()), "[-nm3 ()\"+*/,%]{1,8}", ".{1,8}"]
}

proptest! {
    /// Arithmetic on expressions is arithmetic on what they are.
    #[test]
    fn values(a in expression(), b in expression(), sizes in [0_u64..9, 0_u64..9, 0_u64..9]) {
        let mut symbols = Symbols::default();
        let given: Vec<(Dim, u64)> = ["B", "T", "N"].iter().map(|name| symbols.dim(name)).zip(sizes).collect();
        let size = |symbol| given.iter().find(|(dim, _)| *dim == Dim::Symbol(symbol)).map(|(_, size)| *size);
        // A sum of numbers alone is a name to the reader.
        let mut read = |text: &str| symbols.dim(&format!("{text} + 0*N"));
        let (a, b) = (read(&a), read(&b));
        let value = |dim: &Dim| dim.value(&size).unwrap();

        prop_assert_eq!(value(&a.add(&b).unwrap()), value(&a) + value(&b));
        let product = a.mul(&b).unwrap();
        prop_assert_eq!(value(&product), value(&a) * value(&b));
        prop_assert_eq!(&product, &b.mul(&a).unwrap());
        prop_assert_eq!(product.div_exact(&b), Some(a.clone()));
        if value(&a) == value(&b) {
            prop_assert!(a.may_equal(&b));
        }
        match a.div_exact(&b) {
            None => prop_assert_ne!(value(&a).checked_rem(value(&b)), Some(0)),
            Some(Dim::Unknown(_)) => {}
            // Where it is not whole, nobody asks for it.
            Some(quotient) if value(&a).checked_rem(value(&b)) == Some(0) => {
                prop_assert_eq!(value(&quotient) * value(&b), value(&a));
            }
            Some(_) => {}
        }
    }

    /// Whatever a model calls its sizes, an expression over them reads as the expression: with their names known, and in another
    /// model.
    #[test]
    fn reads_odd_names(names in prop::array::uniform3(odd_name()), steps in prop::collection::vec((0..6_u8, 0..3_usize), 1..5)) {
        let mut symbols = Symbols::default();
        let named = names.each_ref().map(|name| symbols.dim(name));
        let mut dim = named[0].clone();
        for (step, with) in steps {
            let with = &named[with];
            let next = match step {
                0 => dim.add(with),
                1 => dim.mul(with),
                2 => dim.max(with),
                3 => dim.add(&Dim::Known(1)),
                4 => dim.floor_div(3),
                _ => dim.mul(&Dim::Known(2)).and_then(|twice| twice.sub(&dim.min(with)?)),
            };
            dim = next.unwrap();
        }
        let written = dim.display(&symbols).to_string();
        let mut other = Symbols::default();
        let read = other.dim(&written);
        prop_assert_eq!(&read.display(&other).to_string(), &written);
        prop_assert_eq!(symbols.dim(&written), dim, "{}", written);
    }

    /// The text of an expression reads as the expression; no text panics.
    #[test]
    fn reads_what_it_writes(a in expression(), any in ".{0,40}") {
        let mut symbols = Symbols::default();
        for text in [a, any] {
            let dim = symbols.dim(&text);
            let written = dim.display(&symbols).to_string();
            prop_assert_eq!(symbols.dim(&written), dim, "{} {}", text, written);
        }
    }
}
