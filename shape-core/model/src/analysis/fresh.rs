//! Gives each unknown size a fresh symbol, a name such as `n0` that the model does not have, so that values which share the
//! size say so.
//!
//! That a size is not known does not mean that nothing is known of it: it is the same number wherever the tensor goes. So
//! each unknown dimension of a tensor becomes a fresh symbol, and [`Analysis::origin`] says where it comes from. Holes remain
//! in two places: where not even the rank is known, and in sequences, whose tensors may differ from each other. The elements
//! of a short tensor of int64 get symbols too: mostly they become sizes, and then each is known wherever it is used.
//!
//! A symbol that is made in a subgraph stands for a size of one round. A tensor that leaves the subgraph is that of the last
//! round, so its symbols may leave with it; a sequence has tensors of all rounds, and may not.

use std::iter;

use super::analyzer::Analyzer;
use super::result::Analysis;
use crate::declaration::Declared;
use crate::value::{Known, Value, element_count};
use shape_core::data_type::DataType;
use shape_core::elements::Scalar;
use shape_core::symbolic::{Cause, Dim, Reason, Symbol};
use shape_core::types::Type;

/// How many elements of a tensor get symbols: as many as a tensor has dimensions, mostly.
const MAX_NAMED: usize = 8;

impl Analyzer<'_, '_> {
    /// Replaces the unknown sizes of a value: its dimensions, and those among its elements.
    pub(super) fn name_unknown(
        &mut self,
        value: u32,
        Declared { ty, dims }: &mut Declared,
        elements: &mut Known<Box<[Scalar<Dim>]>>,
    ) {
        if !ty.as_ref().is_ok_and(|ty| ty.element().is_some()) {
            return;
        }
        // Elements that go along under other dimensions, of which there are more or fewer: such a node does not run.
        if let (Ok(of), Ok(list)) = (&*dims, &*elements)
            && element_count(of).is_some_and(|count| count != list.len() as u64)
        {
            *elements = Err(Reason { cause: Cause::Refused, value });
        }
        for dim in dims.iter_mut().flatten() {
            self.name_size(dim, value);
        }
        if let (Ok(dims), Err(reason)) = (&*dims, &*elements)
            && *ty == Ok(Type::tensor(DataType::Int64))
            && let Some(named) = self.name_elements(dims, &reason.clone().at(value))
        {
            *elements = Ok(named);
        }
        for element in elements.iter_mut().flatten() {
            if let Scalar::Size(size) = element {
                self.name_size(size, value);
            }
        }
    }

    /// Replaces sizes that all outputs of a node have in common by one symbol, which the first of them makes.
    pub(super) fn name_common(&mut self, value: u32, dims: &mut Known<Box<[Dim]>>, common: &mut Option<Dim>) {
        for dim in dims.iter_mut().flatten() {
            if let Dim::Unknown(Reason { cause: cause @ Cause::Common, .. }) = dim {
                *cause = Cause::DependsOnData;
                if common.is_none() {
                    self.name_size(dim, value);
                    *common = Some(dim.clone());
                } else if let Some(common) = common {
                    dim.clone_from(common);
                }
            }
        }
    }

    /// Symbols for the elements of a short list, or of one with a single element.
    fn name_elements(&mut self, dims: &[Dim], reason: &Reason) -> Option<Box<[Scalar<Dim>]>> {
        let count = usize::try_from(element_count(dims)?).ok().filter(|count| (1..=MAX_NAMED).contains(count))?;
        let bytes = count * (size_of::<Reason>() + size_of::<String>() + size_of::<Scalar<Dim>>());
        if reason.cause == Cause::TooLarge || !self.memory.pay(bytes) {
            return None;
        }
        self.analysis.origins.extend(iter::repeat_n(reason, count).cloned());
        let symbols = &mut self.analysis.symbols;
        Some((0..count).map(|_| Scalar::Expression(Dim::Symbol(symbols.make_fresh(false)))).collect())
    }

    fn name_size(&mut self, size: &mut Dim, value: u32) {
        if let Dim::Unknown(reason) = size
            && reason.cause != Cause::TooLarge
            && self.memory.pay(size_of::<Reason>() + size_of::<String>())
        {
            self.analysis.origins.push(reason.clone().at(value));
            *size = Dim::Symbol(self.analysis.symbols.make_fresh(true));
        }
    }

    /// Makes dimensions of a sequence unknown if they have fresh symbols of one round, which have this index or a later
    /// one.
    pub(super) fn of_all_rounds(&self, value: u32, Declared { ty, dims }: &mut Declared, first: usize) {
        if first == self.analysis.origins.len() || ty.as_ref().is_ok_and(|ty| ty.element().is_some()) {
            return;
        }
        for dim in dims.iter_mut().flatten().filter(|dim| dim.has_fresh(first)) {
            *dim = Dim::Unknown(Reason { cause: Cause::Varies, value });
        }
    }

    /// Forgets the fresh symbols from an index on; no value has them any more.
    pub(super) fn forget_fresh(&mut self, from: usize) {
        self.analysis.origins.truncate(from);
        self.analysis.symbols.forget_fresh(from);
        self.analysis.forget_assumptions(from);
        self.assumptions.forget_fresh(from);
    }
}

impl Analysis<'_> {
    /// Where a fresh symbol comes from: why the size is not known, and the value where that began. `None` for a symbol that the
    /// model names.
    #[must_use]
    pub fn origin(&self, symbol: Symbol) -> Option<&Reason> {
        self.origins.get(symbol.fresh()?)
    }

    /// The fresh symbols by name, each with its origin.
    pub fn fresh_symbols(&self) -> impl Iterator<Item = (&str, &Reason)> {
        self.symbols.fresh_names().filter_map(|(index, name)| Some((name, self.origins.get(index)?)))
    }

    /// Why a dimension is not known in the symbols of the model: it is unknown, or has a fresh symbol.
    #[must_use]
    pub fn unknown_dim<'d>(&'d self, dim: &'d Dim) -> Option<&'d Reason> {
        match dim {
            Dim::Unknown(reason) => Some(reason),
            dim => self.origin(dim.fresh()?),
        }
    }

    /// Why something about a value is not known in the symbols of the model; `None` if its type is known, and each dimension is
    /// a number or an expression over them.
    #[must_use]
    pub fn unknown<'v>(&'v self, value: &'v Value<'_>) -> Option<&'v Reason> {
        match (&value.ty, &value.dims) {
            (Err(reason), _) => Some(reason),
            // A sequence or a map has no dimensions.
            (Ok(ty), _) if ty.element().is_none() => None,
            (_, Err(reason)) => Some(reason),
            (_, Ok(dims)) => dims.iter().find_map(|dim| self.unknown_dim(dim)),
        }
    }

    /// Names the fresh symbols in the order in which the values have them, those outside of functions first.
    pub(super) fn name_fresh(&mut self) {
        if self.origins.is_empty() {
            return;
        }
        let outside = self.outside_functions();
        let is_outside = |value: &&Value<'_>| outside.get(value.graph) == Some(&true);
        let (of_model, of_functions): (Vec<_>, Vec<_>) = self.values.iter().partition(is_outside);
        let (mut order, mut seen) = (Vec::new(), vec![false; self.origins.len()]);
        let mut meet = |symbol: Symbol| {
            if let Some(seen) = symbol.fresh().and_then(|index| seen.get_mut(index))
                && !std::mem::replace(seen, true)
            {
                order.push(symbol);
            }
        };
        for value in of_model.into_iter().chain(of_functions) {
            for dim in value.dims.iter().flatten() {
                dim.each_symbol(&mut meet);
            }
            for element in value.elements.iter().flatten() {
                if let Some(dim) = element.dim() {
                    dim.each_symbol(&mut meet);
                }
            }
        }
        self.symbols.name_fresh(order);
    }
}
