//! The arguments of a rule, and the output that it gives.
//!
//! A rule is handed its arguments under the names of its parameters, each as what its kind says: a tensor, a number, a
//! list of numbers, a flag. Where they come from, an attribute, an input or the call itself, it does not see.

use crate::check::Problem;
use crate::data_type::DataType;
use crate::dims::{Dimension, Dims, EachElement, Fact, Input, Inputs, Outputs, Subgraphs, UnknownCause, copy};
use crate::elements::{Elements, Scalar};
use crate::node::{AttributeValue, GraphView, NodeAttribute};
use crate::operator::Field;
use crate::rules::Argument;
use crate::schema::{FormalParameter, Schema};

/// The arguments of a call, as a node gives them.
///
/// Generated code reads them by their places among the parameters of `specs/rules.yaml`, and nothing else does.
pub struct RuleArguments<'n, 'a, D: Dimension> {
    pub(super) arguments: &'static [Argument],
    pub(super) schema: &'static Schema,
    pub(super) attributes: &'n [NodeAttribute<'a>],
    pub(super) inputs: Inputs<'n, D>,
    pub(super) graphs: &'n dyn Subgraphs<D>,
}

impl<'n, 'a: 'n, D: Dimension> RuleArguments<'n, 'a, D> {
    /// The attributes of the node.
    #[must_use]
    pub fn attributes(&self) -> &'n [NodeAttribute<'a>] {
        self.attributes
    }

    /// The inputs of the node.
    #[must_use]
    pub fn inputs(&self) -> Inputs<'n, D> {
        self.inputs
    }

    fn argument(&self, place: usize) -> Argument {
        self.arguments.get(place).copied().unwrap_or(Argument::Absent)
    }

    /// The attribute at a place of the schema: the node's, or the default.
    pub(super) fn attribute(&self, index: usize) -> Option<AttributeValue<'n>> {
        let attribute = self.schema.attributes.get(index)?;
        let given = self.attributes.iter().find(|given| given.name == attribute.name);
        given.map(|given| given.value).or(attribute.default)
    }

    /// An input of the node, if it gives it.
    pub(super) fn given_input(&self, index: usize) -> Option<Input<'n, D>> {
        (*self.inputs.0.get(index)?).map(|fact| Input { index, fact })
    }

    /// An attribute as what a Rust function takes; `None` where there is none, or it is of another kind.
    #[must_use]
    pub fn field<T: Field<'n>>(&self, place: usize) -> Option<T> {
        self.value(place).and_then(T::from_value)
    }

    /// An attribute that is required or has a default.
    ///
    /// # Errors
    /// It is not given, or of another kind; both are problems of the node that a check tells.
    pub fn required_field<T: Field<'n>>(&self, place: usize) -> Result<T, UnknownCause> {
        self.field(place).ok_or(UnknownCause::NotGiven)
    }

    /// A number that stands in the call.
    #[must_use]
    pub fn number(&self, place: usize) -> i64 {
        if let Argument::Int(number) = self.argument(place) { number } else { 0 }
    }

    /// A required input. One that the node does not give counts as one of which nothing is known: that it is absent is
    /// the checker's to tell.
    #[must_use]
    pub fn tensor(&self, place: usize) -> Input<'n, D> {
        match self.argument(place) {
            Argument::Input(index) => self.inputs.required(index),
            _ => Input::default(),
        }
    }

    /// An input that the node need not give.
    #[must_use]
    pub fn optional_tensor(&self, place: usize) -> Option<Input<'n, D>> {
        match self.argument(place) {
            Argument::Input(index) => self.given_input(index),
            _ => None,
        }
    }

    /// All inputs from an argument on: those of a variadic input, or several that the call names.
    #[must_use]
    pub fn tensors(&self, place: usize) -> InputList<'n, D> {
        let Self { schema, inputs, .. } = *self;
        InputList { named: self.arguments.get(place..).unwrap_or_default(), schema, inputs }
    }

    /// The inputs of one argument alone, which is variadic.
    #[must_use]
    pub fn variadic(&self, place: usize) -> InputList<'n, D> {
        let Self { schema, inputs, .. } = *self;
        InputList { named: self.arguments.get(place..=place).unwrap_or_default(), schema, inputs }
    }

    /// One number; `None` where it is left out.
    #[must_use]
    pub fn integer(&self, place: usize) -> Option<Integer<'n, D>> {
        match self.argument(place) {
            Argument::Absent => None,
            Argument::Int(number) => Some(Integer(Source::Number(number))),
            Argument::Attribute(_) => match self.value(place)? {
                AttributeValue::Int(number) => Some(Integer(Source::Number(number))),
                AttributeValue::Float(number) => Some(Integer(Source::Float(number))),
                _ => None,
            },
            Argument::Input(index) => self.given_input(index).map(|input| Integer(Source::Input(input))),
        }
    }

    /// One number, or a default.
    #[must_use]
    pub fn integer_or(&self, place: usize, default: i64) -> Integer<'n, D> {
        self.integer(place).unwrap_or(Integer(Source::Number(default)))
    }

    /// One number that must be there; unknown where the node lacks it.
    #[must_use]
    pub fn required_integer(&self, place: usize) -> Integer<'n, D> {
        self.integer(place).unwrap_or(Integer(Source::Input(Input::default())))
    }

    /// Several numbers; `None` where they are left out.
    #[must_use]
    pub fn list(&self, place: usize) -> Option<List<'n, D>> {
        match self.argument(place) {
            Argument::Absent => None,
            Argument::Int(number) => Some(List::Known(Numbers::One(number))),
            Argument::Attribute(_) => match self.value(place)? {
                AttributeValue::Int(number) => Some(List::Known(Numbers::One(number))),
                AttributeValue::Ints(numbers) => Some(List::Known(Numbers::Many(Elements::Ints(numbers)))),
                AttributeValue::Floats(numbers) => Some(List::Known(Numbers::Many(Elements::Floats(numbers)))),
                _ => None,
            },
            Argument::Input(index) => self.given_input(index).map(List::Input),
        }
    }

    /// Several numbers that must be there; unknown where the node lacks them.
    #[must_use]
    pub fn required_list(&self, place: usize) -> List<'n, D> {
        self.list(place).unwrap_or(List::Input(Input::default()))
    }

    /// 0 or 1, as a truth value.
    #[must_use]
    pub fn flag(&self, place: usize, default: bool) -> bool {
        match self.argument(place) {
            Argument::Int(number) => number != 0,
            Argument::Attribute(_) => self.field::<i64>(place).map_or(default, |number| number != 0),
            Argument::Absent | Argument::Input(_) => default,
        }
    }

    /// A text; empty where it is left out.
    #[must_use]
    pub fn text(&self, place: usize) -> &'n [u8] {
        self.field(place).unwrap_or_default()
    }

    /// The value of an attribute, whatever its kind.
    #[must_use]
    pub fn value(&self, place: usize) -> Option<AttributeValue<'n>> {
        match self.argument(place) {
            Argument::Attribute(index) => self.attribute(index),
            _ => None,
        }
    }

    /// The element type that an attribute names, or an input has.
    #[must_use]
    pub fn element_type(&self, place: usize) -> Option<DataType> {
        match self.value(place) {
            Some(AttributeValue::Int(number)) => DataType::from_number(i32::try_from(number).ok()?),
            // The first opsets wrote the name of `TensorProto.DataType`, in capitals.
            Some(AttributeValue::String(name)) => {
                DataType::all().find(|ty| ty.name().as_bytes().eq_ignore_ascii_case(name))
            }
            _ => self.optional_tensor(place)?.fact.ty?.element(),
        }
    }

    /// A graph in an attribute.
    #[must_use]
    pub fn graph(&self, place: usize) -> Graph<'n, D> {
        let attribute = if let Argument::Attribute(index) = self.argument(place) { index } else { usize::MAX };
        Graph { attribute, view: self.field(place), graphs: self.graphs }
    }

    /// A number, or how many entries a list attribute has; `None` where it is left out.
    #[must_use]
    pub fn count(&self, place: usize) -> Option<Count> {
        match (self.argument(place), self.value(place)) {
            (Argument::Int(number), _) | (_, Some(AttributeValue::Int(number))) => Some(Count::Number(number)),
            (_, Some(value)) => entries(value).map(Count::Listed),
            _ => None,
        }
    }
}

/// How many entries a list attribute has; `None` for one that is no list.
pub(super) fn entries(value: AttributeValue<'_>) -> Option<u64> {
    let entries = match value {
        AttributeValue::Ints(list) => list.len(),
        AttributeValue::Floats(list) => list.len(),
        AttributeValue::Strings(list) => list.len(),
        _ => return None,
    };
    Some(entries as u64)
}

/// A graph in an attribute.
pub struct Graph<'n, D: Dimension> {
    attribute: usize,
    view: Option<GraphView<'n>>,
    graphs: &'n dyn Subgraphs<D>,
}

impl<'n, D: Dimension> Graph<'n, D> {
    /// One of its outputs, as far as it is known.
    #[must_use]
    pub fn output(&self, index: usize) -> GraphOutput<'n, D> {
        let fact = self.view.and_then(|view| self.graphs.output(view, index)).unwrap_or_default();
        GraphOutput { attribute: self.attribute, index, fact }
    }
}

/// What is known of an output of a graph in an attribute.
pub struct GraphOutput<'n, D: Dimension> {
    attribute: usize,
    index: usize,
    fact: Fact<'n, D>,
}

impl<'n, D: Dimension> GraphOutput<'n, D> {
    /// Its dimensions.
    ///
    /// # Errors
    /// They are not known.
    pub fn dims(&self) -> Result<&'n [D], UnknownCause> {
        let Self { attribute, index: output, .. } = *self;
        self.fact.dims.ok_or(UnknownCause::GraphDims { attribute, output })
    }

    /// Its elements, each known or not.
    ///
    /// # Errors
    /// Nothing is known of them.
    pub fn elements(&self) -> Result<Elements<'n, D>, UnknownCause> {
        let Self { attribute, index: output, .. } = *self;
        self.fact.elements.ok_or(UnknownCause::GraphElements { attribute, output })
    }
}

/// How many of something there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// As many as a number says.
    Number(i64),
    /// As many as a list has entries.
    Listed(u64),
}

/// Inputs of any number.
pub struct InputList<'a, D: Dimension> {
    named: &'static [Argument],
    schema: &'static Schema,
    inputs: Inputs<'a, D>,
}

impl<'a, D: Dimension> InputList<'a, D> {
    /// Those that the node gives, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Input<'a, D>> + Clone + use<'a, D> {
        let list = *self;
        (0..self.count()).filter_map(move |place| {
            let index = list.index(place)?;
            list.inputs.0.get(index)?.map(|fact| Input { index, fact })
        })
    }

    /// How many places there are, given or not.
    #[must_use]
    pub fn count(&self) -> usize {
        self.named.iter().filter_map(|argument| self.span(argument)).map(|(_, count)| count).sum()
    }

    /// The one at a place, given or not, and how many places there are.
    pub(super) fn place(&self, place: usize) -> (Input<'a, D>, usize) {
        (self.index(place).map_or_else(Input::default, |index| self.inputs.required(index)), self.count())
    }

    /// The place among the inputs of the node.
    fn index(&self, place: usize) -> Option<usize> {
        let mut before = 0_usize;
        for (first, count) in self.named.iter().filter_map(|argument| self.span(argument)) {
            match place.checked_sub(before) {
                Some(within) if within < count => return first.checked_add(within),
                _ => before = before.saturating_add(count),
            }
        }
        None
    }

    /// The first input that an argument stands for, and how many: a variadic one for all from its place on.
    fn span(&self, argument: &Argument) -> Option<(usize, usize)> {
        let Argument::Input(first) = *argument else { return None };
        let variadic = self.schema.inputs.get(first).is_some_and(FormalParameter::is_variadic);
        Some((first, if variadic { self.inputs.0.len().saturating_sub(first) } else { 1 }))
    }
}

/// One number: of an attribute, of the call, or the element of an input.
pub struct Integer<'a, D: Dimension>(Source<'a, D>);

enum Source<'a, D: Dimension> {
    Number(i64),
    Float(f32),
    Input(Input<'a, D>),
}

impl<'a, D: Dimension> Integer<'a, D> {
    /// It, where it is a number.
    #[must_use]
    pub fn known(&self) -> Option<i64> {
        if let Ok(Scalar::Int(number)) = self.scalar() { Some(number) } else { None }
    }

    /// It as an element.
    ///
    /// # Errors
    /// It is an element of an input that is not known.
    pub fn scalar(&self) -> Result<Scalar<D>, UnknownCause> {
        match &self.0 {
            Source::Number(number) => Ok(Scalar::Int(*number)),
            Source::Float(number) => Ok(Scalar::Float((*number).into())),
            Source::Input(input) => input.elements()?.get(0).ok_or(UnknownCause::Elements(input.index)),
        }
    }

    /// It as a size.
    ///
    /// # Errors
    /// It is not known, or no size.
    pub fn size(&self) -> Result<D, UnknownCause> {
        size(self.scalar()?).ok_or(self.cause())
    }

    /// Why something is not known that it decides.
    #[must_use]
    pub fn cause(&self) -> UnknownCause {
        match &self.0 {
            Source::Number(_) | Source::Float(_) => UnknownCause::Data,
            Source::Input(input) => UnknownCause::Elements(input.index),
        }
    }
}

/// Several numbers: of an attribute, or the elements of an input.
pub enum List<'a, D: Dimension> {
    /// An attribute.
    Known(Numbers<'a, D>),
    /// An input.
    Input(Input<'a, D>),
}

impl<'a, D: Dimension> List<'a, D> {
    /// The numbers.
    ///
    /// # Errors
    /// They are the elements of an input, and nothing is known of them.
    pub fn numbers(&self) -> Result<Numbers<'a, D>, UnknownCause> {
        match self {
            Self::Known(numbers) => Ok(*numbers),
            Self::Input(input) if matches!(input.fact.dims, Some([len]) if len.known() == Some(0)) => {
                Ok(Numbers::Many(Elements::Ints(&[])))
            }
            Self::Input(input) => input.elements().map(Numbers::Many),
        }
    }

    /// How many there are, where that is known, though they may not be.
    #[must_use]
    pub fn len(&self) -> Option<usize> {
        match (self.numbers(), self) {
            (Ok(numbers), _) => Some(numbers.len()),
            (Err(_), Self::Input(input)) => match input.fact.dims? {
                [] => Some(1),
                [len] => usize::try_from(len.known()?).ok(),
                _ => None,
            },
            (Err(_), Self::Known(_)) => None,
        }
    }

    /// Whether there are none, where that is known.
    #[must_use]
    pub fn is_empty(&self) -> Option<bool> {
        self.len().map(|len| len == 0)
    }

    /// Why something is not known that one of them decides.
    #[must_use]
    pub fn cause(&self) -> UnknownCause {
        match self {
            Self::Known(_) => UnknownCause::NotGiven,
            Self::Input(input) => UnknownCause::Elements(input.index),
        }
    }

    /// One of them as a size.
    ///
    /// # Errors
    /// It is not known, not there, or no size.
    pub fn size(&self, index: usize) -> Result<D, UnknownCause> {
        self.numbers()?.get(index).and_then(size).ok_or(self.cause())
    }
}

/// Numbers that are an attribute, or the elements of an input.
#[derive(Debug)]
pub enum Numbers<'a, D: Dimension> {
    /// One.
    One(i64),
    /// Several.
    Many(Elements<'a, D>),
}

copy!(Graph, GraphOutput, InputList, Integer, Source, List, Numbers);

impl<D: Dimension> Numbers<'_, D> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Many(elements) => elements.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The one at a place.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Scalar<D>> {
        match self {
            Self::One(number) => (index == 0).then_some(Scalar::Int(*number)),
            Self::Many(elements) => elements.get(index),
        }
    }

    /// The one at a place, where it is an integer.
    #[must_use]
    pub fn int(&self, index: usize) -> Option<i64> {
        if let Scalar::Int(number) = self.get(index)? { Some(number) } else { None }
    }

    /// Whether each of them is an integer.
    #[must_use]
    pub fn all_ints(&self) -> bool {
        (0..self.len()).all(|index| self.int(index).is_some())
    }
}

/// An element as a dimension; `None` where it is none.
pub(super) fn size<D: Dimension>(scalar: Scalar<D>) -> Option<D> {
    match scalar {
        Scalar::Int(number) => u64::try_from(number).ok().map(D::from),
        Scalar::Size(size) | Scalar::Expression(size) => Some(size),
        // A dimension may tell why it is unknown.
        Scalar::Unknown(reason) => D::unknown(reason),
        Scalar::Float(number) => whole(number).filter(|size| *size as f64 == number).map(D::from),
        Scalar::Bool(_) => None,
    }
}

/// A float without its fraction, where that is a size.
pub(super) fn whole(number: f64) -> Option<u64> {
    (0.0..=crate::dims::LARGEST as f64).contains(&number).then_some(number as u64)
}

/// The output that a rule gives.
pub struct Output<'o, D: Dimension> {
    outputs: &'o mut dyn Outputs<D>,
    index: usize,
    first: usize,
    count: usize,
    has_dims: bool,
    has_elements: bool,
}

impl<'o, D: Dimension> Output<'o, D> {
    pub(super) fn new(outputs: &'o mut dyn Outputs<D>, index: usize, first: usize, count: usize) -> Self {
        Self { outputs, index, first, count, has_dims: false, has_elements: false }
    }

    /// Its place among the values of a variadic output, and how many of these there are.
    #[must_use]
    pub fn part(&self) -> (usize, usize) {
        (self.index.saturating_sub(self.first), self.count.saturating_sub(self.first))
    }

    /// Its dimensions.
    pub fn dims(&mut self, dims: Dims<'_, D>) {
        self.has_dims = true;
        self.outputs.dims(self.index, dims);
    }

    pub(super) fn has_dims(&self) -> bool {
        self.has_dims
    }

    pub(super) fn has_elements(&self) -> bool {
        self.has_elements
    }

    /// Its dimensions, each of them or why it is not known.
    pub fn each_dim(&mut self, dims: &[Result<D, UnknownCause>]) {
        let dim = |at: usize| dims.get(at).cloned().unwrap_or(Err(UnknownCause::NotGiven));
        self.dims(Dims::Each(dims.len(), &dim));
    }

    /// As many dimensions, of which nothing is known.
    pub fn rank(&mut self, rank: usize, cause: UnknownCause) {
        self.dims(Dims::Each(rank, &|_| Err(cause)));
    }

    /// That not even the number of its dimensions is known.
    pub fn unknown(&mut self, cause: UnknownCause) {
        self.dims(Dims::Unknown(cause));
    }

    /// Its elements in row-major order: how many, and each of them; or why none is known.
    pub fn elements(&mut self, elements: Result<EachElement<'_, D>, UnknownCause>) {
        self.has_elements = true;
        self.outputs.elements(self.index, elements);
    }

    /// That it has the elements of an input, all of them and in their order, whatever their type.
    pub fn elements_of(&mut self, input: &Input<'_, D>) {
        self.has_elements = true;
        self.outputs.elements_of(self.index, input.index);
    }

    /// All outputs of the node, for a rule that gives them at once.
    pub fn all(&mut self) -> &mut dyn Outputs<D> {
        self.outputs
    }
}

impl<'a, D: Dimension> Input<'a, D> {
    /// Its dimensions.
    ///
    /// # Errors
    /// They are not known.
    pub fn dims(&self) -> Result<&'a [D], UnknownCause> {
        self.fact.dims.ok_or(UnknownCause::Dims(self.index))
    }

    /// The size of one of its axes.
    ///
    /// # Errors
    /// It is not known, or there is no such axis.
    pub fn dim(&self, axis: usize) -> Result<D, UnknownCause> {
        self.dims()?.get(axis).cloned().ok_or(UnknownCause::Dims(self.index))
    }

    /// Its elements, each known or not.
    ///
    /// # Errors
    /// Nothing is known of them.
    pub fn elements(&self) -> Result<Elements<'a, D>, UnknownCause> {
        self.fact.elements.ok_or(UnknownCause::Elements(self.index))
    }

    /// The type of its elements, where it is a tensor of a known type.
    #[must_use]
    pub fn element_type(&self) -> Option<DataType> {
        self.fact.ty?.element()
    }

    /// That it has this rank, where its own is known.
    ///
    /// # Errors
    /// It has another one.
    pub(super) fn has_rank(&self, rank: usize, message: &'static str) -> Result<(), Problem<'static>> {
        match self.dims() {
            Ok(dims) if dims.len() != rank => Err(super::refuse::rank(message, rank, dims.len())),
            _ => Ok(()),
        }
    }
}
