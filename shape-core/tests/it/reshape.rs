//! What holds between the faces of Reshape: symbols and numbers, one version and the next.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use shape_core::check;
use shape_core::code::{Code, Severity};
use shape_core::dimension::Dimension;
use shape_core::elements::{Elements, Scalar};
use shape_core::facts::{Dims, EachElement, Fact, Inputs, Outputs, UnknownCause};
use shape_core::node::{AttributeValue, NodeAttribute};
use shape_core::problem::Problem;
use shape_core::schema::Schema;
use shape_core::symbolic::{Dim, Symbol, Symbols};
use shape_core::{DataType, Registry, Tensor, Type};

/// What a rule says of the first output: each dimension, where it is known; `None` where not even the rank is.
#[derive(Debug)]
struct Found<D>(Option<Vec<Option<D>>>);

impl<D: Dimension> Outputs<D> for Found<D> {
    fn dims(&mut self, _: usize, dims: Dims<'_, D>) {
        self.0 = dims.rank().ok().map(|rank| (0..rank).map(|axis| dims.dim(axis).ok()).collect());
    }

    fn elements(&mut self, _: usize, _: Result<EachElement<'_, D>, UnknownCause>) {}

    fn elements_of(&mut self, _: usize, _: usize) {}
}

fn newest() -> &'static Schema {
    Registry::builtin().operator("", "Reshape").last().unwrap()
}

type Outcome<D> = Result<Option<Vec<Option<D>>>, Code>;

fn attributes(allowzero: bool) -> [NodeAttribute<'static>; 1] {
    [NodeAttribute::new("allowzero", AttributeValue::Int(allowzero.into()))]
}

fn fact<'a, D: Dimension>(ty: DataType, dims: &'a [D], elements: Option<Elements<'a, D>>) -> Option<Fact<'a, D>> {
    Some(Fact { ty: Some(Type::tensor(ty)), dims: Some(dims), elements })
}

fn concrete(dims: &[u64], target: &[i64], allowzero: bool) -> Outcome<u64> {
    let mut found = Found(None);
    let len = [target.len() as u64];
    let inputs = [fact(DataType::Float, dims, None), fact(DataType::Int64, &len, Some(Elements::Ints(target)))];
    newest().infer(&attributes(allowzero), Inputs(&inputs), &mut found).map_err(|problem| problem.code())?;
    Ok(found.0)
}

fn symbolic(dims: &[Dim], target: &[Scalar<Dim>], allowzero: bool) -> Outcome<Dim> {
    let mut found = Found(None);
    let len = [Dim::from(target.len() as u64)];
    let inputs = [fact(DataType::Float, dims, None), fact(DataType::Int64, &len, Some(Elements::Scalars(target)))];
    newest().infer_symbolic(&attributes(allowzero), Inputs(&inputs), &mut found).map_err(|problem| problem.code())?;
    Ok(found.0)
}

/// A dimension as it may stand in a model.
fn dim() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        4 => prop::sample::select(vec!["1", "2", "3", "4", "6", "12"]),
        1 => Just("0"),
        5 => prop::sample::select(vec!["B", "T", "2*T", "B*T", "B + 1", "2*B*T + 4*B"]),
    ]
}

/// An entry of a target: a marker, or a dimension.
fn entry() -> impl Strategy<Value = &'static str> {
    prop_oneof![2 => Just("-1"), 2 => Just("0"), 1 => Just("-2"), 8 => dim()]
}

/// Dimensions, and a target that often fits them.
fn case() -> impl Strategy<Value = (Vec<&'static str>, Vec<&'static str>)> {
    (vec(dim(), 0..5), vec(entry(), 0..5), any::<prop::sample::Index>(), 0..4).prop_map(|(dims, other, at, how)| {
        let mut target = dims.clone();
        if !target.is_empty() {
            let at = at.index(target.len());
            match how {
                0 => target = other,
                1 => target[at] = "-1",
                2 => target[at] = "0",
                _ => target.rotate_left(at),
            }
        }
        (dims, target)
    })
}

fn number(text: &str) -> Option<i64> {
    text.parse().ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    /// What holds for symbols holds for every size of them, of 1 and more; of zero too, where none is in the target.
    #[test]
    fn numbers_for_symbols((dims, target) in case(), allowzero: bool, sizes in (0_u64..5, 0_u64..5)) {
        let in_target = target.iter().any(|entry| number(entry).is_none());
        let mut symbols = Symbols::default();
        let mut given = BTreeMap::new();
        for (name, size) in [("B", sizes.0), ("T", sizes.1)] {
            let Dim::Symbol(symbol) = symbols.dim(name) else { panic!("{name}") };
            given.insert(symbol, if in_target { size.max(1) } else { size });
        }
        let size = |symbol: Symbol| given.get(&symbol).copied();
        let mut read = |text: &str| number(text).map_or_else(|| symbols.dim(text), |size| Dim::Known(size as u64));
        let dims: Vec<Dim> = dims.iter().map(|text| read(text)).collect();
        let target: Vec<Scalar<Dim>> =
            target.iter().map(|text| number(text).map_or_else(|| Scalar::Size(read(text)), Scalar::Int)).collect();

        let dims_in_numbers: Vec<u64> = dims.iter().map(|dim| dim.value(&size).unwrap()).collect();
        let target_in_numbers: Vec<i64> = target.iter().map(|entry| match entry {
            Scalar::Int(number) => *number,
            Scalar::Size(dim) => dim.value(&size).unwrap() as i64,
            other => panic!("{other:?}"),
        }).collect();

        let numbers = concrete(&dims_in_numbers, &target_in_numbers, allowzero);
        match (symbolic(&dims, &target, allowzero), numbers) {
            (Err(code), numbers) => {
                prop_assert!(numbers.is_err(), "{code}: {dims:?} {target:?} give {numbers:?} with {given:?}");
            }
            (Ok(Some(inferred)), Ok(Some(numbers))) => {
                let sizes: Vec<Option<u64>> = inferred.iter().map(|dim| dim.as_ref()?.value(&size)).collect();
                let equal = |(size, number): (&Option<u64>, &Option<u64>)| size.is_none() || size == number;
                prop_assert_eq!(sizes.len(), numbers.len());
                prop_assert!(sizes.iter().zip(&numbers).all(equal), "{:?} {:?}", inferred, numbers);
            }
            (Ok(_), Err(_)) => {}
            (symbolic, numbers) => prop_assert!(false, "{symbolic:?} {numbers:?}"),
        }
    }

    /// On numbers both faces are one, refusals included.
    #[test]
    fn numbers_are_symbolic_too(dims in vec(0_u64..7, 0..5), target in vec(-2_i64..7, 0..5), allowzero: bool) {
        let numbers = concrete(&dims, &target, allowzero);
        let dims: Vec<Dim> = dims.iter().copied().map(Dim::from).collect();
        let target: Vec<Scalar<Dim>> = target.iter().copied().map(Scalar::Int).collect();
        let known = |dims: Vec<Option<Dim>>| dims.into_iter().map(|dim| dim.and_then(|dim| dim.known())).collect();
        prop_assert_eq!(symbolic(&dims, &target, allowzero).map(|found| found.map(known)), numbers);
    }

    /// What inference says of the dims is what the data can be seen under: no answer makes or loses an element.
    #[test]
    fn evaluating_is_inferring(
        dims in vec(0_u64..7, 0..5),
        target in vec(-1_i64..7, 0..5),
        ty in prop::sample::select(DataType::all().filter(|ty| ty.bits().is_some()).collect::<Vec<_>>()),
        allowzero: bool,
    ) {
        let elements = dims.iter().product();
        let bytes: Vec<u8> = (0..ty.bytes(elements).unwrap()).map(|at| at as u8).collect();
        let data = Tensor::new(ty, &dims, &bytes).unwrap();
        match concrete(&dims, &target, allowzero) {
            Ok(Some(found)) => {
                let found: Vec<u64> = found.into_iter().map(Option::unwrap).collect();
                let seen = data.reshaped(&found).unwrap();
                prop_assert_eq!((seen.dims(), seen.bytes()), (&found[..], &bytes[..]));
            }
            // What is refused names no dims that the data could be seen under.
            _ => {
                let copy = |(axis, &entry): (usize, &i64)| match entry {
                    0 if !allowzero => dims.get(axis).copied(),
                    entry => u64::try_from(entry).ok(),
                };
                if let Some(sizes) = target.iter().enumerate().map(copy).collect::<Option<Vec<u64>>>() {
                    prop_assert!(data.reshaped(&sizes).is_err(), "{:?}", sizes);
                }
            }
        }
    }

    /// No size makes it overflow or panic.
    #[test]
    fn any_size(dims in vec(any::<u64>(), 0..5), target in vec(any::<i64>(), 0..5), allowzero: bool) {
        if let Ok(Some(found)) = concrete(&dims, &target, allowzero) {
            prop_assert_eq!(found.len(), target.len());
        }
    }

    /// A version gives what the next one gives, wherever both accept the node.
    #[test]
    fn versions(
        dims in vec(0_u64..7, 0..4),
        target in vec(-2_i64..7, 0..4),
        ty in prop::sample::select(DataType::all().collect::<Vec<_>>()),
        allowzero in prop::option::of(0_i64..2),
    ) {
        let versions = Registry::builtin().operator("", "Reshape");
        for pair in versions.windows(2) {
            let outcomes = [pair[0], pair[1]].map(|schema| outcome(schema, ty, &dims, &target, allowzero));
            if let [Some(older), Some(newer)] = &outcomes {
                prop_assert_eq!(older, newer, "{} and {}", pair[0].since_version, pair[1].since_version);
            }
        }
    }
}

/// What a version makes of a node; `None` where its schema does not accept it.
fn outcome(
    schema: &'static Schema,
    ty: DataType,
    dims: &[u64],
    target: &[i64],
    allowzero: Option<i64>,
) -> Option<Outcome<u64>> {
    let as_attribute = schema.attribute("shape").is_some();
    let mut attributes = Vec::new();
    if as_attribute {
        attributes.push(NodeAttribute::new("shape", AttributeValue::Ints(target)));
    }
    if let Some(value) = allowzero {
        attributes.push(NodeAttribute::new("allowzero", AttributeValue::Int(value)));
    }
    let len = [target.len() as u64];
    let mut inputs = vec![fact(ty, dims, None)];
    if !as_attribute {
        inputs.push(fact(DataType::Int64, &len, Some(Elements::Ints(target))));
    }
    let types: Vec<Option<Type>> = inputs.iter().map(|fact| fact.and_then(|fact| fact.ty)).collect();
    let mut accepted = true;
    let mut report = |problem: Problem<'_>| accepted &= problem.code().severity() < Severity::Error;
    check::attributes(schema, &attributes, &mut report);
    check::types(schema, &types, &[], &mut |problem| report(problem));
    accepted.then(|| {
        let mut found = Found(None);
        let run = schema.infer(&attributes, Inputs(&inputs), &mut found);
        run.map(|()| found.0).map_err(|problem| problem.code())
    })
}
