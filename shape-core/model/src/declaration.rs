//! Reads what a model declares about a value: from `TypeProto` to a type and dimensions.

use crate::file::proto::{Dimension, DimensionValue, TensorShapeProto, TypeProto, TypeValue};
use crate::finding::{Finding, Findings};
use crate::value::Known;
use shape_core::code::Code;
use shape_core::data_type::DataType;
use shape_core::symbolic::{Cause, Dim, Reason, Symbols};
use shape_core::types::Type;

/// The maximum length of the name or the expression of a dimension, in bytes.
pub(crate) const MAX_SYMBOL: usize = 4_096;

/// A type and dimensions, as far as they are declared.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) ty: Known<Type>,
    pub(crate) dims: Known<Box<[Dim]>>,
}

impl Declared {
    /// Everything is unknown, for the same reason.
    pub(crate) fn nothing(cause: Cause, value: u32) -> Self {
        let reason = Reason { cause, value };
        Self { ty: Err(reason.clone()), dims: Err(reason) }
    }
}

/// The declared type; errors in the declaration are not reported.
pub(crate) fn type_of(ty: &TypeProto) -> Option<Type> {
    let mut findings = Findings::default();
    Reader { symbols: &mut Symbols::default(), findings: &mut findings, graph: "", named: &|_| () }
        .read("", Some(ty), 0)
        .ty
        .ok()
}

/// Reads declarations and reports errors in them.
pub(crate) struct Reader<'a> {
    pub(crate) symbols: &'a mut Symbols,
    pub(crate) findings: &'a mut Findings,
    pub(crate) graph: &'a str,
    /// Called with the name or the expression of each dimension that has one.
    pub(crate) named: &'a dyn Fn(&str),
}

impl Reader<'_> {
    /// Reads the declaration of a value; `value` is its index, for reasons.
    pub(crate) fn read(&mut self, name: &str, ty: Option<&TypeProto>, value: u32) -> Declared {
        let not_declared = Declared::nothing(Cause::NotDeclared, value);
        let Some(declared) = ty.and_then(|ty| ty.value.as_ref()) else { return not_declared };
        match declared {
            TypeValue::TensorType(tensor) => {
                let ty = self.element(name, tensor.elem_type, value).map(Type::tensor);
                Declared { ty, dims: self.dims(name, tensor.shape.as_ref(), value) }
            }
            TypeValue::SparseTensorType(tensor) => {
                let ty = self.element(name, tensor.elem_type, value).map(Type::sparse_tensor);
                Declared { ty, dims: self.dims(name, tensor.shape.as_ref(), value) }
            }
            other => {
                let no_dims = || Err(Reason { cause: Cause::NotATensor, value });
                let dims = other.shape().map_or_else(no_dims, |shape| self.dims(name, Some(shape), value));
                let ty = self.nested(name, other, value);
                Declared { ty: ty.map_or(not_declared.ty, Ok), dims }
            }
        }
    }

    fn nested(&mut self, name: &str, ty: &TypeValue, value: u32) -> Option<Type> {
        let mut of = |ty: Option<&Box<TypeProto>>| {
            let ty = ty?.value.as_ref()?;
            self.nested(name, ty, value)
        };
        match ty {
            TypeValue::TensorType(tensor) => self.element(name, tensor.elem_type, value).ok().map(Type::tensor),
            TypeValue::SparseTensorType(tensor) => {
                self.element(name, tensor.elem_type, value).ok().map(Type::sparse_tensor)
            }
            TypeValue::SequenceType(sequence) => of(sequence.elem_type.as_ref())?.sequence(),
            TypeValue::OptionalType(optional) => of(optional.elem_type.as_ref())?.optional(),
            TypeValue::MapType(map) => {
                let to = of(map.value_type.as_ref())?;
                to.map(self.element(name, map.key_type, value).ok()?)
            }
            TypeValue::OpaqueType(_) => None,
        }
    }

    /// The element type of a number; `None` and 0 mean that none is declared.
    pub(crate) fn element(&mut self, name: &str, number: Option<i32>, value: u32) -> Known<DataType> {
        let number = number.unwrap_or(0);
        DataType::from_number(number).ok_or_else(|| {
            if number == 0 {
                return Reason { cause: Cause::NotDeclared, value };
            }
            self.findings.push(
                Finding::new(
                    Code::ElementTypeUnknown,
                    self.graph,
                    format!("`{name}` has the unknown element type {number}"),
                )
                .expected("a number from 1 to 28")
                .found(number)
                .help("correct the number; a newer version of this program may know it"),
            );
            Reason { cause: Cause::BadDeclaration, value }
        })
    }

    fn dims(&mut self, name: &str, shape: Option<&TensorShapeProto>, value: u32) -> Known<Box<[Dim]>> {
        let shape = shape.ok_or(Reason { cause: Cause::NotDeclared, value })?;
        let dim = |(axis, dim): (usize, &Dimension)| match (&dim.value, dim.symbol()) {
            (Some(DimensionValue::DimValue(size)), _) => self.declared_size(name, axis, *size, value),
            // Each value that has the dimension would repeat it.
            (_, Some(symbol)) if symbol.len() > MAX_SYMBOL => {
                Dim::Unknown(Reason { cause: Cause::ExpressionTooLarge, value })
            }
            (_, Some(symbol)) => {
                (self.named)(symbol);
                self.symbols.dim(symbol)
            }
            _ => Dim::Unknown(Reason { cause: Cause::NotDeclared, value }),
        };
        Ok(shape.dim.iter().enumerate().map(dim).collect())
    }

    /// A dimension of a declared type from its signed size.
    fn declared_size(&mut self, name: &str, axis: usize, size: i64, value: u32) -> Dim {
        let (finding, cause) = match size {
            0.. => return Dim::Known(size.unsigned_abs()),
            // Many tools write an unknown size so, and runtimes read it so.
            -1 => {
                let message = format!("dimension {axis} of `{name}` is -1, which is read as unknown");
                let found = Finding::new(Code::DimsMinusOne, self.graph, message);
                let found = found.expected("a size that is 0 or greater, a name, or nothing").found(size);
                (found.help("leave the dimension empty, or give it a name"), Cause::NotDeclared)
            }
            ..-1 => (self.negative(name, axis, size), Cause::BadDeclaration),
        };
        self.findings.push(finding.of_declaration());
        Dim::Unknown(Reason { cause, value })
    }

    /// A dimension of a tensor with elements from its signed size.
    pub(crate) fn size(&mut self, name: &str, axis: usize, size: i64, value: u32) -> Dim {
        if let Ok(size) = u64::try_from(size) {
            return Dim::Known(size);
        }
        let finding = self.negative(name, axis, size);
        self.findings.push(finding);
        Dim::Unknown(Reason { cause: Cause::BadDeclaration, value })
    }

    fn negative(&self, name: &str, axis: usize, size: i64) -> Finding {
        let message = format!("dimension {axis} of `{name}` is {size}, which is negative");
        let found = Finding::new(Code::DimsNegative, self.graph, message);
        let found = found.expected("a size that is 0 or greater, a name, or nothing").found(size);
        found.help("write an unknown size as a name, or leave it empty")
    }
}
