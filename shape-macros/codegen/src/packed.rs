//! Packs the rows of attributes, inputs and outputs into texts and a few bytes, which compile in a fraction of the time
//! of struct literals. `packed` of `onnxspec-core` reads them, in the same order.

use shape_specs::lower::{Constant, Fields, Rest, Struct};

/// A list of rows.
#[derive(Default)]
pub(crate) struct Packed<'c, 'd> {
    /// The function of onnxspec-core that reads it.
    pub(crate) function: &'static str,
    pub(crate) texts: Vec<&'c str>,
    pub(crate) bytes: Vec<u8>,
    /// What the bytes refer to by index: values or types.
    pub(crate) others: Vec<&'c Constant<'d>>,
    /// For attributes, the lists of allowed values.
    pub(crate) lists: Vec<&'c Constant<'d>>,
}

/// The list in this form; `None` if it is a list of something else, or a row does not fit.
pub(crate) fn pack<'c, 'd>(rows: &'c [Constant<'d>]) -> Option<Packed<'c, 'd>> {
    let mut packed = Packed::default();
    for row in rows {
        let Constant::Struct(Struct { of, fields, rest: Some(Rest::Constant("PLAIN")), .. }) = row else { return None };
        match *of {
            "Attribute" => packed.attribute(fields)?,
            "FormalParameter" => packed.parameter(fields)?,
            _ => return None,
        }
    }
    (!rows.is_empty()).then_some(packed)
}

fn field<'c, 'd>(fields: &'c Fields<'d>, name: &str) -> Option<&'c Constant<'d>> {
    fields.iter().find(|(field, _)| *field == name).map(|(_, value)| value)
}

fn is(fields: &Fields<'_>, name: &str) -> bool {
    field(fields, name) == Some(&Constant::Bool(true))
}

/// The kinds of attributes by their numbers in `AttributeProto.type`, from 1.
const KINDS: [&str; 14] = [
    "Float",
    "Int",
    "String",
    "Tensor",
    "Graph",
    "Floats",
    "Ints",
    "Strings",
    "Tensors",
    "Graphs",
    "SparseTensor",
    "SparseTensors",
    "TypeProto",
    "TypeProtos",
];

impl<'c, 'd> Packed<'c, 'd> {
    fn attribute(&mut self, fields: &'c Fields<'d>) -> Option<()> {
        self.function = "attributes";
        let Some(Constant::Variant { name: kind, .. }) = field(fields, "kind") else { return None };
        let kind = KINDS.iter().position(|known| known == kind)?;
        self.texts.extend([text(fields, "name")?, text(fields, "doc")?]);
        let values = field(fields, "values");
        let bounds = ["default", "min", "max"].map(|name| field(fields, name));
        let has = [is(fields, "required"), is(fields, "legacy"), values.is_some()].into_iter();
        let has = has.chain(bounds.iter().map(Option::is_some));
        let flags = has.zip(0..).fold(0, |flags, (has, bit)| flags | u8::from(has) << bit);
        self.bytes.extend([u8::try_from(kind + 1).ok()?, flags]);
        if let Some(values) = values {
            self.bytes.push(u8::try_from(self.lists.len()).ok()?);
            self.lists.push(values);
        }
        for value in bounds.into_iter().flatten() {
            let Constant::Some(value) = value else { return None };
            self.value(value)?;
        }
        Some(())
    }

    fn parameter(&mut self, fields: &'c Fields<'d>) -> Option<()> {
        self.function = "parameters";
        self.texts.extend([text(fields, "name")?, text(fields, "doc")?]);
        let option = match field(fields, "option") {
            None => b'1',
            Some(Constant::Variant { name, .. }) if name == "Variadic" => b'*',
            // Of the three there are, this one is left.
            Some(Constant::Variant { .. }) => b'?',
            Some(_) => return None,
        };
        let min_arity = match field(fields, "min_arity") {
            None => 1,
            Some(Constant::Int(min)) => u8::try_from(*min).ok()?,
            Some(_) => return None,
        };
        let Some(Constant::Variant { name, fields: ty, .. }) = field(fields, "ty") else { return None };
        let (fixed, ty) = match &**ty {
            [Constant::Int(index)] if name == "Variable" => (0, u8::try_from(*index).ok()?),
            [ty @ Constant::Type(_)] => {
                self.others.push(ty);
                (1, u8::try_from(self.others.len() - 1).ok()?)
            }
            _ => return None,
        };
        let mixed = if field(fields, "homogeneous").is_some() { 2 } else { 0 };
        self.bytes.extend([option, fixed | mixed, min_arity, ty]);
        Some(())
    }

    /// A value that is there.
    fn value(&mut self, value: &'c Constant<'d>) -> Option<()> {
        let inner = match value {
            Constant::Variant { of: "AttributeValue", fields, .. } => &**fields,
            _ => &[],
        };
        let number = match inner {
            [Constant::Int(number)] => i8::try_from(*number).ok(),
            _ => None,
        };
        let text = match inner {
            [Constant::Bytes(bytes)] => str::from_utf8(bytes).ok(),
            _ => None,
        };
        if let Some(number) = number {
            self.bytes.extend([b'i', number.cast_unsigned()]);
        } else if let Some(text) = text {
            self.bytes.push(b's');
            self.texts.push(text);
        } else {
            self.bytes.extend([b'o', u8::try_from(self.others.len()).ok()?]);
            self.others.push(value);
        }
        Some(())
    }
}

fn text<'c>(fields: &'c Fields<'_>, name: &str) -> Option<&'c str> {
    match field(fields, name) {
        None => Some(""),
        Some(Constant::Text(text)) => Some(text),
        Some(_) => None,
    }
}
