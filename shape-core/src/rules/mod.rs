//! What decides the outputs of a node, as descriptors say it: where a type comes from, and which rule gives the
//! dimensions.
//!
//! A rule serves every operator that shares it, and says nothing of names: a descriptor calls it with attributes, inputs
//! and numbers in the order of its parameters, `reduce(data, axes, keepdims)`. So the same lines read axes that one
//! version has as an attribute and the next one as an input.
//!
//! **Architecture Invariant.** A rule knows no operator and no version. Like a [kernel](crate::kernels), it allocates
//! nothing, never panics, and is generic over the dimension.

mod arithmetic;
mod attention;
mod axes;
mod blocks;
mod broadcast;
mod constant;
mod each;
mod einsum;
mod given;
mod grid;
mod image;
mod indexing;
mod layout;
mod range;
mod recurrent;
mod reduce;
mod resize;
mod sequence;
mod signal;
mod slice;
mod transposed;
mod types;
mod window;

use core::fmt;

use crate::check::Problem;
use crate::dims::{Dimension, Inputs, Outputs};
use crate::node::NodeAttribute;
use crate::schema::{FormalParameter, Schema};

#[cfg(feature = "model")]
pub(crate) use axes::axis;
pub use given::{Given as Arguments, Numbers};
pub use types::{Asked, Given, TypeOf, TypeSource};

/// What decides an output.
#[derive(Clone, Copy, Debug)]
pub struct OutputRule {
    /// The place of the output in [`Schema::outputs`]; a variadic one stands for every place from its own on.
    pub output: usize,
    /// Where its type comes from, if the inputs leave it open; the first that says something decides.
    pub types: &'static [TypeSource],
    /// What gives its dimensions, and where it only moves elements, these too.
    pub dims: Option<Call>,
    /// What gives its elements, where that is another rule.
    pub elements: Option<Call>,
}

/// A rule with what it is given.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The rule.
    pub rule: Rule,
    /// What it is given, in the order of its parameters.
    pub arguments: &'static [Argument],
}

/// What a rule is given.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// Nothing.
    Absent,
    /// A number.
    Int(i64),
    /// The attribute at this place of [`Schema::attributes`], or its default.
    Attribute(usize),
    /// The input at this place; of a variadic one all from there on.
    Input(usize),
}

type Run<D> = fn(&Arguments<'_, D>, &mut dyn Outputs<D>) -> Result<(), Problem<'static>>;

/// What gives the dimensions of an output, behind function pointers, so that a table can hold it.
#[derive(Clone, Copy)]
pub struct Rule {
    name: &'static str,
    concrete: Run<u64>,
    #[cfg(feature = "alloc")]
    symbolic: Run<crate::symbolic::Dim>,
}

impl fmt::Debug for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

macro_rules! rules {
    ($($name:ident = $constant:ident: $module:ident),* $(,)?) => {
        $(
            #[doc = concat!("The rule `", stringify!($name), "`.")]
            pub const $constant: Rule = Rule {
                name: stringify!($name),
                concrete: $module::$name::<u64>,
                #[cfg(feature = "alloc")]
                symbolic: $module::$name::<crate::symbolic::Dim>,
            };
        )*

        /// The rules by the names that descriptors have for them.
        pub const ALL: &[Rule] = &[$($constant),*];
    };
}
rules! {
    absolute = ABSOLUTE: arithmetic,
    affine_grid = AFFINE_GRID: image,
    alike = ALIKE: sequence,
    and = AND: arithmetic,
    at_least = AT_LEAST: arithmetic,
    at_most = AT_MOST: arithmetic,
    attention = ATTENTION: attention,
    attention_cache = ATTENTION_CACHE: attention,
    attention_scores = ATTENTION_SCORES: attention,
    broadcast = BROADCAST: broadcast,
    cast = CAST: arithmetic,
    ceiling = CEILING: arithmetic,
    col2im = COL2IM: blocks,
    columns = COLUMNS: each,
    concat = CONCAT: layout,
    constant = CONSTANT: constant,
    conv = CONV: window,
    conv_state = CONV_STATE: recurrent,
    conv_transpose = CONV_TRANSPOSE: transposed,
    count = COUNT: each,
    counts = COUNTS: each,
    depth_to_space = DEPTH_TO_SPACE: blocks,
    det = DET: image,
    dft = DFT: signal,
    difference = DIFFERENCE: arithmetic,
    each = EACH: each,
    einsum = EINSUM: einsum,
    equals = EQUALS: arithmetic,
    expand = EXPAND: broadcast,
    filled = FILLED: constant,
    fit = FIT: image,
    flatten = FLATTEN: layout,
    floor = FLOOR: arithmetic,
    gather = GATHER: indexing,
    gather_nd = GATHER_ND: indexing,
    gemm = GEMM: broadcast,
    global_pool = GLOBAL_POOL: reduce,
    greater = GREATER: arithmetic,
    grid_sample = GRID_SAMPLE: image,
    identity = IDENTITY: layout,
    insert = INSERT: each,
    joined = JOINED: sequence,
    larger = LARGER: arithmetic,
    less = LESS: arithmetic,
    loss = LOSS: image,
    magnify = MAGNIFY: resize,
    matmul = MATMUL: broadcast,
    mel = MEL: signal,
    negated = NEGATED: arithmetic,
    nonzero = NONZERO: indexing,
    not = NOT: arithmetic,
    or = OR: arithmetic,
    pad = PAD: layout,
    picked = PICKED: each,
    pieces = PIECES: sequence,
    pixels = PIXELS: each,
    pool = POOL: window,
    power = POWER: arithmetic,
    product = PRODUCT: arithmetic,
    product_state = PRODUCT_STATE: recurrent,
    quotient = QUOTIENT: arithmetic,
    range = RANGE: range,
    recurrent = RECURRENT: recurrent,
    reduce = REDUCE: reduce,
    reduce_from = REDUCE_FROM: reduce,
    reduced_larger = REDUCED_LARGER: reduce,
    reduced_product = REDUCED_PRODUCT: reduce,
    reduced_smaller = REDUCED_SMALLER: reduce,
    reduced_sum = REDUCED_SUM: reduce,
    remainder = REMAINDER: arithmetic,
    resize = RESIZE: resize,
    root = ROOT: arithmetic,
    rounded = ROUNDED: arithmetic,
    rows = ROWS: each,
    same = SAME: layout,
    scalar = SCALAR: layout,
    select = SELECT: arithmetic,
    size_of = SIZE_OF: layout,
    sizes = SIZES: layout,
    slice = SLICE: slice,
    smaller = SMALLER: arithmetic,
    some = SOME: each,
    space_to_depth = SPACE_TO_DEPTH: blocks,
    split = SPLIT: layout,
    squeeze = SQUEEZE: layout,
    stft = STFT: signal,
    sum = SUM: arithmetic,
    tile = TILE: layout,
    topk = TOPK: indexing,
    transpose = TRANSPOSE: layout,
    unpool = UNPOOL: transposed,
    unsqueeze = UNSQUEEZE: layout,
    updated = UPDATED: each,
    xor = XOR: arithmetic,
}

impl Rule {
    /// The name that descriptors have for it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The rule of a name.
    ///
    /// ```
    /// use shape_core::rules::Rule;
    /// assert_eq!(Rule::by_name("reduce").unwrap().name(), "reduce");
    /// assert!(Rule::by_name("reduces").is_none());
    /// ```
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        ALL.iter().find(|rule| rule.name == name).copied()
    }
}

/// A kind of dimension that rules are run with.
pub(crate) trait Runs: Dimension {
    fn of(rule: Rule) -> Run<Self>;
}

impl Runs for u64 {
    fn of(rule: Rule) -> Run<Self> {
        rule.concrete
    }
}

#[cfg(feature = "alloc")]
impl Runs for crate::symbolic::Dim {
    fn of(rule: Rule) -> Run<Self> {
        rule.symbolic
    }
}

/// Runs the rules of a version, output by output.
pub(crate) fn run<D: Runs>(
    schema: &'static Schema,
    attributes: &[NodeAttribute<'_>],
    inputs: Inputs<'_, D>,
    outputs: &mut dyn Outputs<D>,
) -> Result<(), Problem<'static>> {
    let count = outputs.count();
    for rule in schema.rules {
        // A variadic output comes last.
        let last = schema.outputs.get(rule.output).is_some_and(FormalParameter::is_variadic);
        let places = rule.output..if last { count } else { count.min(rule.output + 1) };
        for (call, output) in places.flat_map(|output| [(&rule.dims, output), (&rule.elements, output)]) {
            let Some(call) = call else { continue };
            let given = Arguments { call, schema, attributes, inputs, output, first: rule.output, outputs: count };
            D::of(call.rule)(&given, outputs)?;
        }
    }
    Ok(())
}
