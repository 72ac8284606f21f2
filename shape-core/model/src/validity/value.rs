//! Checks what a model declares about its values.

use super::checker::{Checker, Location, Side};
use crate::file::Undecoded;
use crate::file::proto::{SparseTensorType, TensorShapeProto, TensorType, TypeProto, TypeValue, ValueInfoProto};
use shape_core::code::Code;
use shape_core::data_type::DataType;

impl<'m> Checker<'m, '_> {
    /// Checks a declaration, unless another of the same type had no finding.
    pub(super) fn declaration(&mut self, info: Undecoded<'m, ValueInfoProto>, side: Side, location: Location<'_>) {
        let said = info.only_type().filter(|_| !info.name().is_empty());
        if said.is_some_and(|said| self.in_order.contains(&(said, side))) {
            return;
        }
        let told =
            |checker: &Self| (checker.findings.added(), checker.placeholder.as_ref().map(|finding| finding.more));
        let before = told(self);
        self.value(info.message(), side, location);
        if let Some(said) = said
            && told(self) == before
        {
            self.in_order.insert((said, side));
        }
    }

    fn value(&mut self, info: &ValueInfoProto, side: Side, location: Location<'_>) {
        let name = &*info.name;
        self.metadata(&info.metadata_props, &format_args!("`{name}`"), location);
        let ty = info.r#type.as_ref();
        if let Some(ty) = ty {
            self.types(ty, name, location);
        }
        // The analysis already reported values without a name.
        let (what, code) = match side {
            _ if name.is_empty() => return,
            Side::Input => ("graph input", Code::InputUntyped),
            Side::Output => ("graph output", Code::DeclarationIncomplete),
            // Other values may be left undeclared; a sequence or an optional without an element type is an incomplete
            // declaration.
            Side::Inner if is_plain(ty) => return,
            Side::Inner => ("value", Code::DeclarationIncomplete),
        };
        let help = "declare the element type and the rank; an unknown dimension is a name, or empty";
        if let Some(missing) = missing(ty) {
            let found = location.finding(code, format!("the {what} `{name}` does not declare {missing}"));
            self.push(
                found.expected("a type with its elements and its rank").found(format!("not {missing}")).help(help),
            );
        } else if !is_ranked(ty) {
            let message = format!("the {what} `{name}` does not declare its rank");
            let found = location.finding(Code::DeclarationIncomplete, message);
            self.push(found.expected("a shape with a dimension for each axis").found("no shape").help(help));
        }
    }

    /// Checks a type and the types in it.
    pub(super) fn types(&mut self, ty: &TypeProto, name: &str, location: Location<'_>) {
        if let Some(
            TypeValue::TensorType(TensorType { shape, .. })
            | TypeValue::SparseTensorType(SparseTensorType { shape, .. }),
        ) = &ty.value
        {
            self.placeholders(shape.as_ref(), name, location);
        }
        let inner = match &ty.value {
            Some(TypeValue::SparseTensorType(_)) => {
                self.needs(8, "the type of a sparse tensor", location);
                None
            }
            Some(TypeValue::OptionalType(of)) => {
                self.needs(8, "the type of an optional", location);
                of.elem_type.as_deref()
            }
            Some(TypeValue::SequenceType(of)) => of.elem_type.as_deref(),
            Some(TypeValue::MapType(map)) => {
                if let Some(key) = map.key_type.and_then(DataType::from_number).filter(|key| !is_key(*key)) {
                    let found =
                        location.finding(Code::MapKeyType, format!("`{name}` is a map with an invalid key type"));
                    let found = found.expected("an integer of 8 to 64 bits, or string").found(key);
                    self.push(found.help("correct key_type"));
                }
                map.value_type.as_deref()
            }
            Some(TypeValue::TensorType(_) | TypeValue::OpaqueType(_)) | None => None,
        };
        if let Some(inner) = inner {
            self.types(inner, name, location);
        }
    }
}

impl Checker<'_, '_> {
    /// Notes the dimensions that have a placeholder: one finding for all of the model.
    fn placeholders(&mut self, shape: Option<&TensorShapeProto>, name: &str, location: Location<'_>) {
        for (axis, dim) in shape.iter().flat_map(|shape| &shape.dim).enumerate() {
            let Some(placeholder) = dim.placeholder() else { continue };
            match &mut self.placeholder {
                Some(finding) => finding.more += 1,
                None => {
                    let message =
                        format!("dimension {axis} of `{name}` is called `{placeholder}`, which names no size");
                    let found = location.finding(Code::DimsPlaceholder, message).of_declaration();
                    let found = found.expected("a name of its own, or nothing").found(format!("`{placeholder}`"));
                    let help =
                        "leave the dimension empty, or give it a name that no other size has; it is read as unknown";
                    self.placeholder = Some(found.help(help));
                }
            }
        }
    }
}

/// What a type leaves open, except for its dimensions.
fn missing(ty: Option<&TypeProto>) -> Option<&'static str> {
    let is_open = |number: Option<i32>| number.unwrap_or(0) == 0;
    match ty.and_then(|ty| ty.value.as_ref()) {
        None => Some("its type"),
        Some(TypeValue::TensorType(tensor)) => is_open(tensor.elem_type).then_some("its element type"),
        Some(TypeValue::SparseTensorType(tensor)) => is_open(tensor.elem_type).then_some("its element type"),
        Some(TypeValue::SequenceType(of)) => missing(of.elem_type.as_deref()).map(|_| "the type of its elements"),
        Some(TypeValue::OptionalType(of)) => missing(of.elem_type.as_deref()).map(|_| "the type of its element"),
        Some(TypeValue::MapType(map)) if is_open(map.key_type) => Some("the type of its keys"),
        Some(TypeValue::MapType(map)) => missing(map.value_type.as_deref()).map(|_| "the type of its values"),
        Some(TypeValue::OpaqueType(opaque)) => opaque.name.is_empty().then_some("the name of its type"),
    }
}

/// Whether a type contains no other types.
fn is_plain(ty: Option<&TypeProto>) -> bool {
    use TypeValue::{OpaqueType, SparseTensorType, TensorType};
    let value = ty.and_then(|ty| ty.value.as_ref());
    matches!(value, None | Some(TensorType(_) | SparseTensorType(_) | OpaqueType(_)))
}

/// Whether a type has a rank; types other than tensors always count as having one.
fn is_ranked(ty: Option<&TypeProto>) -> bool {
    match ty.and_then(|ty| ty.value.as_ref()) {
        Some(TypeValue::TensorType(tensor)) => tensor.shape.is_some(),
        Some(TypeValue::SparseTensorType(tensor)) => tensor.shape.is_some(),
        _ => true,
    }
}

fn is_key(ty: DataType) -> bool {
    use DataType::{Int8, Int16, Int32, Int64, String, Uint8, Uint16, Uint32, Uint64};
    matches!(ty, Int8 | Int16 | Int32 | Int64 | Uint8 | Uint16 | Uint32 | Uint64 | String)
}
