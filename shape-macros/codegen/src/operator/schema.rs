//! Generates the static schemas of a version.

use proc_macro2::TokenStream;
use quote::quote;
use shape_specs::Operator;
use shape_specs::lower::{self, SchemaName, Struct};
use shape_specs::operator::Version;
use shape_specs::tables::Tables;

use crate::constant::{Printer, schema_name};

/// The schemas of a version in each release, written as their differences from the one before.
pub(super) fn schemas(
    operator: &Operator,
    version: &Version,
    before: Option<&Version>,
    tables: &Tables,
) -> TokenStream {
    let print = |name, version, schema: &Struct<'_>| {
        let printer = Printer { version: Some((operator, version)), packed: true, ..Printer::new(tables) };
        of_printer(&printer, name, schema)
    };
    let earlier = lower::earlier_schemas(operator, version, before).into_iter().zip(&version.earlier);
    let mut tokens: TokenStream = earlier.map(|((name, schema), version)| print(name, version, &schema)).collect();
    tokens.extend(print(SchemaName::newest(version), version, &lower::schema(operator, version, before)));
    tokens
}

/// The same from a schema that is lowered already, with the code that it refers to.
pub(crate) fn schema_of(
    operator: &Operator,
    version: &Version,
    schema: &Struct<'_>,
    tables: &Tables,
    code: &[TokenStream],
) -> TokenStream {
    let printer = Printer { version: Some((operator, version)), code, ..Printer::new(tables) };
    of_printer(&printer, SchemaName::newest(version), schema)
}

fn of_printer(printer: &Printer<'_>, name: SchemaName, schema: &Struct<'_>) -> TokenStream {
    let (name, value) = (schema_name(name), printer.fields(schema));
    let value = match printer.packed {
        true => quote!({ use ::shape_core::operator::names::*; #value }),
        false => value,
    };
    let has_rules = printer.packed && schema.fields.iter().any(|(field, _)| *field == "rules");
    let rules = has_rules.then(|| printer.custom_rules());
    // A derived schema may say all there is.
    let allow = (!printer.packed).then(|| quote!(#[allow(clippy::needless_update)]));
    quote! {
        #rules

        #allow
        static #name: ::shape_core::schema::Schema = #value;
    }
}
