//! Makes the tables of onnxspec-core from descriptors at run time, with the constants of `shape_specs::lower`.
//!
//! The macro prints the same constants as Rust. What is read lives as long as the process, since the core borrows it for
//! that long.

use shape_core::DataType;
use shape_core::adapter::{Action, Deed, Formula, Function, NewNode, Way};
use shape_core::code::Code;
use shape_core::dimension::Operation;
#[cfg(feature = "authoring")]
use shape_core::example::{self, Example};
use shape_core::node::{AttributeKind, AttributeValue, StringsView};
use shape_core::opset::Release;
use shape_core::rule::{
    Alternative, Amount, Argument, Call, Condition, DimsRule, Expression, OutputRule, Rule, Term, TypeOf, TypeSource,
};
use shape_core::rules;
use shape_core::runtime::{ReleaseNumber, RuntimeRelease};
use shape_core::schema::{
    Attribute, Claim, Comparison, Exclusive, FormalParameter, Operand, ParameterOption, ParameterType, Part,
    Requirement, Schema, SubgraphKind, SupportLevel, TypeConstraint,
};
use shape_core::types::{Type, TypeSet};
use shape_specs::lower::{self, Constant, Rest, SchemaName};
use shape_specs::operator::Operator;
use shape_specs::{Tables, tables};

/// The schemas of all versions of an operator, without rules of other crates; `None` if onnxspec-core cannot represent
/// one of its types, which the check of descriptors rules out.
pub(crate) fn schemas(operator: &Operator) -> Option<Vec<&'static Schema>> {
    let mut operator = operator.clone();
    for rule in operator.versions.iter_mut().flat_map(|version| &mut version.rules) {
        rule.dims.take_if(|dims| dims.calls().iter().any(|call| call.is_custom()));
        rule.elements.take_if(|call| call.is_custom());
    }
    let mut known: Vec<(SchemaName, &'static Schema)> = Vec::new();
    let mut before = None;
    for version in &operator.versions {
        let newest = (SchemaName::newest(version), lower::schema(&operator, version, before));
        for (name, schema) in lower::earlier_schemas(&operator, version, before).into_iter().chain([newest]) {
            let schema = Constant::Reference(Box::new(Constant::Struct(schema)));
            known.push((name, Read::read(&schema, &known)?));
        }
        before = Some(version);
    }
    known.retain(|(name, _)| name.earlier.is_none());
    Some(known.into_iter().map(|(_, schema)| schema).collect())
}

/// The examples of an operator, for the core's runner; `None` as for [`schemas`].
#[cfg(feature = "authoring")]
pub(crate) fn examples(operator: &Operator) -> Option<Vec<Example>> {
    example::read(lower::examples(operator, &mut |position| position).leak(), &[]).ok()
}

/// The releases of ONNX.
pub(crate) fn releases(tables: &Tables) -> &'static [Release] {
    let releases = Constant::List(tables.releases.iter().map(lower::release).collect());
    Read::read(&releases, &[]).unwrap_or_default()
}

/// A type; `None` where it nests deeper than the core's word holds.
pub(crate) fn ty(ty: &tables::Type) -> Option<Type> {
    let element = |element: &tables::Element| DataType::from_name(&element.name);
    match ty {
        tables::Type::Tensor(of) => element(of).map(Type::tensor),
        tables::Type::SparseTensor(of) => element(of).map(Type::sparse_tensor),
        tables::Type::Sequence(of) => self::ty(of)?.sequence(),
        tables::Type::Optional(of) => self::ty(of)?.optional(),
        tables::Type::Map(key, of) => self::ty(of)?.map(element(key)?),
    }
}

/// The schemas of the same operator that are read already: a schema takes from one of them what it does not say.
type Known<'k> = &'k [(SchemaName, &'static Schema)];

fn named(name: SchemaName, known: Known<'_>) -> Option<&'static Schema> {
    known.iter().find(|(of, _)| *of == name).map(|(_, schema)| *schema)
}

/// What can be made of a constant; `None` for one of another type, or one that the core cannot hold.
trait Read: Sized {
    fn read(constant: &Constant<'_>, known: Known<'_>) -> Option<Self>;

    /// What has a name, which schemas alone do.
    fn named(_: SchemaName, _: Known<'_>) -> Option<&'static Self> {
        None
    }
}

impl<T: Read> Read for Option<T> {
    fn read(constant: &Constant<'_>, known: Known<'_>) -> Option<Self> {
        match constant {
            Constant::None => Some(None),
            Constant::Some(value) => T::read(value, known).map(Some),
            _ => None,
        }
    }
}

impl<T: Read> Read for &'static [T] {
    fn read(constant: &Constant<'_>, known: Known<'_>) -> Option<Self> {
        let Constant::List(values) = constant else { return None };
        let values: Option<Box<[T]>> = values.iter().map(|value| T::read(value, known)).collect();
        values.map(|values| &*Box::leak(values))
    }
}

impl<T: Read> Read for &'static T {
    fn read(constant: &Constant<'_>, known: Known<'_>) -> Option<Self> {
        match constant {
            Constant::Reference(value) => T::read(value, known).map(|value| &*Box::leak(Box::new(value))),
            Constant::Schema(name) => T::named(*name, known),
            _ => None,
        }
    }
}

impl<A: Read, B: Read> Read for (A, B) {
    fn read(constant: &Constant<'_>, known: Known<'_>) -> Option<Self> {
        let Constant::Tuple(values) = constant else { return None };
        let [first, second] = &**values else { return None };
        Some((A::read(first, known)?, B::read(second, known)?))
    }
}

/// `read!(Type: pattern => value)`: reads a type from one form of constant.
macro_rules! read {
    ($($type:ty: $pattern:pat => $value:expr;)*) => {
        $(impl Read for $type {
            fn read(constant: &Constant<'_>, _: Known<'_>) -> Option<Self> {
                if let $pattern = constant { $value } else { None }
            }
        })*
    };
}

read! {
    bool: Constant::Bool(value) => Some(*value);
    i64: Constant::Int(value) => Some(*value);
    u32: Constant::Int(value) => u32::try_from(*value).ok();
    u16: Constant::Int(value) => u16::try_from(*value).ok();
    usize: Constant::Int(value) => usize::try_from(*value).ok();
    f32: Constant::Float(value) => Some(*value);
    &'static str: Constant::Text(text) => Some(Box::leak(Box::from(*text)));
    &'static [u8]: Constant::Bytes(bytes) => Some(Box::leak(Box::from(*bytes)));
    Type: Constant::Type(of) => ty(of);
    Rule: Constant::Named { name, .. } => rules::by_name(name);
    Code: Constant::Named { name, .. } => Code::from_name(name);
    DataType: Constant::Named { name, .. } => DataType::from_name(name);
    TypeSet: Constant::TypeSet(allow) => {
        let (mut set, mut others) = (TypeSet::new(&[]), Vec::new());
        for allowed in *allow {
            let ty = ty(allowed)?;
            match set.and(ty) {
                Some(more) => set = more,
                None => others.push(ty),
            }
        }
        Some(set.listing(Box::leak(others.into_boxed_slice())))
    };
    StringsView<'static>: Constant::Variant { fields, .. } => {
        Read::read(fields.first()?, &[]).map(StringsView::new)
    };
}

/// Structs by the names of their fields. A field that is not named here does not compile. What a constant does not give
/// comes from what stands behind `rest`, if that gives anything.
macro_rules! structs {
    ($($type:ident { $($field:ident),* } $(named $named:ident)? $(rest $rest:expr)?;)*) => {
        $(#[allow(unused_variables, reason = "some have no rest")]
        impl Read for $type {
            fn read(constant: &Constant<'_>, known: Known<'_>) -> Option<Self> {
                let Constant::Struct(lower::Struct { fields, rest, .. }) = constant else { return None };
                let others: Option<Self> = None;
                $(let others = others.or_else(|| {
                    let others: fn(Rest, Known<'_>) -> Option<$type> = $rest;
                    others((*rest)?, known)
                });)?
                let field = |name: &str| fields.iter().find(|(field, _)| *field == name).map(|(_, value)| value);
                Some(Self {
                    $($field: match field(stringify!($field)) {
                        Some(value) => Read::read(value, known)?,
                        None => others?.$field,
                    }),*
                })
            }

            $(fn named(name: SchemaName, known: Known<'_>) -> Option<&'static Self> {
                $named(name, known)
            })?
        })*
    };
}

structs! {
    Schema {
        domain, name, since_version, release, earlier, later, summary, details, deprecated, support_level, has_function, has_shape_inference,
        deterministic, other_attributes, semantics, adapter, subgraphs, attributes, inputs, outputs, types, exclusive, requires,
        rules
    } named named rest |rest, known| match rest {
        Rest::Schema(name) => named(name, known).copied(),
        Rest::Constant(_) => Some(Schema::EMPTY),
    };
    RuntimeRelease { runtime, number };
    ReleaseNumber { major, minor, patch };
    Attribute { name, kind, required, default, values, min, max, legacy, doc } rest |_, _| Some(Attribute::PLAIN);
    FormalParameter { name, ty, option, homogeneous, min_arity, doc } rest |_, _| Some(FormalParameter::PLAIN);
    TypeConstraint { name, allow, doc };
    Exclusive { of, required };
    Action { way, when, unless, deed };
    NewNode { operator, attributes, inputs, outputs };
    Requirement { text, alternatives, operands, code, doc };
    OutputRule { output, types, dims, elements, multiply_adds };
    Amount { text, condition, number };
    TypeSource { of, condition };
    Call { rule, arguments };
    Alternative { text, condition, dims };
    Release { release, ir, opset, ml };
}

/// Enums by their variants. A variant that is not named here does not compile.
macro_rules! enums {
    ($($type:ty { $($variant:ident $(($($item:ident),*))? $({ $($field:ident),* })?),* })*) => {
        $(#[allow(unused_variables, unused_mut, reason = "some have no fields, or no rest")]
        impl Read for $type {
            fn read(constant: &Constant<'_>, known: Known<'_>) -> Option<Self> {
                let all = |value: &Self| match value {
                    $(Self::$variant $(($($item),*))? $({$($field),*})? => {})*
                };
                let (no_items, no_fields) = (Vec::new(), Vec::new());
                let (name, items, fields) = match constant {
                    Constant::Variant { name, fields, .. } => (&**name, fields, &no_fields),
                    Constant::Struct(lower::Struct { variant: Some(name), fields, .. }) => (*name, &no_items, fields),
                    _ => return None,
                };
                let mut items = items.iter();
                let field = |name: &str| fields.iter().find(|(field, _)| *field == name).map(|(_, value)| value);
                match name {
                    $(stringify!($variant) => {
                        $($(let $item = Read::read(items.next()?, known)?;)*)?
                        $($(let $field = Read::read(field(stringify!($field))?, known)?;)*)?
                        Some(Self::$variant $(($($item),*))? $({$($field),*})?)
                    })*
                    _ => None,
                }
            }
        })*
    };
}

enums! {
    SupportLevel { Common, Experimental }
    SubgraphKind { Branch, Loop, Scan, BatchedScan, Map }
    AttributeKind {
        Float, Int, String, Tensor, Graph, SparseTensor, TypeProto, Floats, Ints, Strings, Tensors, Graphs, SparseTensors,
        TypeProtos
    }
    ParameterOption { Single, Optional, Variadic }
    ParameterType { Variable(index), Fixed(ty) }
    DimsRule { Call(call), Terms(terms), Alternatives(alternatives) }
    Argument { Absent, Int(number), Attribute(index), Input(index), ChannelsLast(index), Every(index, step) }
    Condition { Attribute(index), Input(index), AttributeIs(index, value), InputOf(index, ty) }
    TypeOf {
        Type(ty), Input(index), Attribute { index, from }, Sequence(of), Optional(of), Element(of), Value(of),
        Updated { input, groups }
    }
    Term { Data, Dim(expression), Axes { input, from, to }, Entries { attribute, from, to } }
    Expression {
        Int(number), Attribute(index), Entry(index, entry), Length(lists), Element(index), Axis(index, axis), Rank(index),
        Size(index), AxisAt(index, axis), FoldEntries(operation, index), FoldElements(operation, index), Type(index),
        AttributeType(index), ElementType(ty), Operation(operation, left, right)
    }
    Claim { Compare(left, comparison, right), Given(part, is), Word(index, word, is) }
    Comparison { Equal, NotEqual, Less, AtMost, Greater, AtLeast }
    Part { Attribute(index), Input(index), Output(index) }
    Operand { Number(expression), Given(part) }
    Operation { Add, Sub, Mul, FloorDiv, Mod, Min, Max }
    Way { Up, Down }
    Deed {
        Move { attribute, input, one, absent }, Rename { old, new }, Respell { attribute, old, new }, Assume { name, value },
        CountFromFront { name, of }, Drop(names), Through(node), Rewrite(nodes), Keep,
        Refuse { why }
    }
    Formula {
        Int(number), Float(number), Text(text), ElementType(ty), Name(name), List(terms),
        Operation(operation, left, right), Compare(left, comparison, right), Call(function, arguments)
    }
    Function {
        Rank, Size, Entry, Len, Min, Max, Type, Range, Swap, Parts, Spread, Fill, Given, Constant, Same, Suffix,
        Inputs, Outputs, Agree, And, Or, Not
    }
}

impl Read for AttributeValue<'static> {
    fn read(constant: &Constant<'_>, known: Known<'_>) -> Option<Self> {
        let Constant::Variant { name, fields, .. } = constant else { return None };
        let value = fields.first()?;
        // Values of other kinds cannot be written in a descriptor.
        match &**name {
            "Int" => Read::read(value, known).map(Self::Int),
            "Float" => Read::read(value, known).map(Self::Float),
            "String" => Read::read(value, known).map(Self::String),
            "Ints" => Read::read(value, known).map(Self::Ints),
            "Floats" => Read::read(value, known).map(Self::Floats),
            "Strings" => Read::read(value, known).map(Self::Strings),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use shape_core::Registry;

    use super::*;

    #[test]
    fn what_is_read_is_what_the_macro_prints() {
        for operator in shape_specs::builtin().unwrap() {
            let read = schemas(&operator).unwrap();
            let printed = Registry::builtin().operator(&operator.domain, &operator.name);
            assert_eq!(format!("{read:#?}"), format!("{printed:#?}"), "{}", operator.file);
        }
    }

    /// The examples as they stand in descriptors, without the text between.
    #[cfg(feature = "authoring")]
    mod examples {
        use shape_core::example::{Argument, Entry, Expectation, Graph, Place, Value};
        use shape_specs::operator;
        use shape_specs::yaml::Position;

        use super::*;

        /// What a text could lose: blanks, marks of the text itself, nothing, and numbers without digits.
        const ODD: &str = r###"
operator: Odd
domain: com.example
summary: Has what is rare.
versions:
  - since: 1
    attributes:
      - { name: text, type: STRING, default: "" }
      - { name: texts, type: STRINGS, default: [] }
      - { name: number, type: FLOAT, default: 0.0 }
      - { name: numbers, type: FLOATS, default: [] }
    inputs: [{ name: x, type: tensor(string) }, { name: y, type: tensor(float), option: optional }]
    outputs: [{ name: z, type: "map(int64, tensor(string))" }]
examples:
  - name: odd
    inputs: [{ type: string, values: ["-", "", " ", "a: b", "3:abc", "\n\u00e9\"##"] }, ~]
    attributes:
      - { name: text, value: " -\n: " }
      - { name: texts, value: ["-", "", "4:\u00e9\n", "\r"] }
      - { name: number, value: -.inf }
      - { name: numbers, value: [.nan, 1.0e+38, -0.0, 0.1] }
    outputs: [{ type: "map(int64, tensor(string))", dims: "?", unchecked: "it says: nothing - or \"##" }]
"###;

        fn leak<T, U>(items: &[T], each: impl FnMut(&T) -> U) -> &'static [U] {
            items.iter().map(each).collect::<Vec<U>>().leak()
        }

        fn place(Position { line, column }: Position) -> Place {
            Place { line: line.try_into().unwrap(), column: column.try_into().unwrap() }
        }

        fn value(of: &operator::Tensor) -> Value {
            let entry = |of: &operator::Entry| Entry { text: String::leak(of.text.clone()), place: place(of.position) };
            Value {
                ty: ty(&of.ty).unwrap(),
                place: place(of.position),
                dims: of.dims.as_ref().map(|dims| leak(dims, entry)),
                elements: of.values.as_ref().map(|values| leak(values, entry)),
                unchecked: of.unchecked.clone().map(|why| &*why.leak()),
            }
        }

        fn argument(of: &operator::Argument) -> Argument {
            match of {
                operator::Argument::Value(literal) => {
                    let kind = lower::kind_of(literal).unwrap();
                    let fields = vec![lower::value(kind, literal).unwrap()];
                    let name = format!("{kind:?}").into();
                    let value = Constant::Variant { of: "AttributeValue", name, fields };
                    Argument::Value(Read::read(&value, &[]).unwrap())
                }
                operator::Argument::Tensor(of) => Argument::Tensor(value(of)),
                operator::Argument::Type(of) => Argument::Type(ty(of).unwrap()),
                operator::Argument::Graph(of) => {
                    Argument::Graph(Graph { inputs: leak(&of.inputs, value), outputs: leak(&of.outputs, value) })
                }
            }
        }

        fn example(of: &operator::Example) -> Example {
            let values = |list: &[Option<operator::Tensor>]| leak(list, |of| of.as_ref().map(value));
            Example {
                name: String::leak(of.name.clone()),
                place: place(of.position),
                since: of.since,
                until: of.until,
                release: of.release.map(|of| of.to_string().parse().unwrap()),
                inputs: values(&of.inputs),
                attributes: leak(&of.attributes, |(name, of)| (&*String::leak(name.clone()), argument(of))),
                expect: match &of.expect {
                    operator::Expectation::Outputs(outputs) => Expectation::Outputs(values(outputs)),
                    operator::Expectation::Error(code) => Expectation::Error(Code::from_name(code).unwrap()),
                },
            }
        }

        #[test]
        fn what_is_read_is_what_descriptors_say() {
            let odd = shape_specs::resolve("odd.yaml", ODD.as_bytes(), Tables::builtin().unwrap()).unwrap();
            for operator in shape_specs::builtin().unwrap().into_iter().chain([odd]) {
                let said: Vec<Example> = operator.examples.iter().map(example).collect();
                let read = examples(&operator).unwrap();
                assert_eq!(format!("{read:?}"), format!("{said:?}"), "{}", operator.file);
            }
        }
    }
}
