//! Generates the static schema of a version.

use proc_macro2::TokenStream;
use quote::quote;
use shape_specs::Operator;
use shape_specs::lower::{self, Struct};
use shape_specs::operator::Version;
use shape_specs::tables::Tables;

use crate::constant::{Printer, schema_name};

/// The schema of a version, written as its differences from the schema of the version before it.
pub(super) fn schema(operator: &Operator, version: &Version, before: Option<&Version>, tables: &Tables) -> TokenStream {
    let printer = Printer { version: Some((operator, version)), packed: true, ..Printer::new(tables) };
    of_printer(&printer, version, &lower::schema(operator, version, before))
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
    of_printer(&printer, version, schema)
}

fn of_printer(printer: &Printer<'_>, version: &Version, schema: &Struct<'_>) -> TokenStream {
    let (name, value) = (schema_name(version.since), printer.fields(schema));
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
