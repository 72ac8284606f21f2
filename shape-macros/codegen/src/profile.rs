//! Generates the checks that profiles call, and the table of rules of a profile.

use std::path::Path;

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use shape_specs::Tables;
use shape_specs::profile::{Check, Overlay, Profile, ProfileRule, Proof};
use shape_specs::tables::CheckScope;

use crate::names::{camel, ident};
use crate::tables::option;
use crate::types::type_set;

/// The checks of `checks.yaml`: an enum, and a table with the function of each. Each function is in the module named
/// like its file, next to the generated code; a check without its function does not compile.
pub(crate) fn checks(tables: &Tables) -> TokenStream {
    let variants = tables.checks.iter().map(|check| {
        let (variant, doc) = (camel(&check.name), format!("`{}`, in {}.", check.name, check.file));
        quote!(#[doc = #doc] #variant)
    });
    let rows = tables.checks.iter().map(|check| {
        let (variant, function, name, file) = (camel(&check.name), ident(&check.name), &check.name, &check.file);
        let module = ident(&Path::new(file).file_stem().unwrap_or_default().to_string_lossy());
        let has = |scope| check.of.contains(&scope);
        let (model, graph, node) = (has(CheckScope::Model), has(CheckScope::Graph), has(CheckScope::Node));
        quote!(Row {
            check: Check::#variant,
            name: #name,
            file: #file,
            model: #model,
            graph: #graph,
            node: #node,
            judge: super::#module::#function,
        })
    });
    quote! {
        /// A check that decides rules. `specs/checks.yaml` lists the arguments of each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Check {
            #(#variants),*
        }

        static ROWS: &[Row] = &[#(#rows),*];
    }
}

/// A profile as a constant expression.
pub(crate) fn constant(profile: &Profile, tables: &Tables) -> TokenStream {
    let Profile { name, title, version, summary, operators, .. } = profile;
    let documents =
        profile.sources.iter().map(|(id, title)| quote!(::shape_model::profile::Document { id: #id, title: #title }));
    let options = profile
        .options
        .iter()
        .map(|(name, says)| quote!(::shape_model::profile::ProfileOption { name: #name, says: #says }));
    let overlays = profile.overlays.iter().map(overlay);
    let rules = profile.rules.iter().map(|of| rule(of, tables));
    quote!(::shape_model::profile::Profile {
        name: #name,
        title: #title,
        version: #version,
        summary: #summary,
        documents: &[#(#documents),*],
        options: &[#(#options),*],
        operators: &[#(#operators),*],
        overlays: &[#(#overlays),*],
        rules: &[#(#rules),*],
    })
}

fn overlay(overlay: &Overlay) -> TokenStream {
    let Overlay { operator, since, page, errors, .. } = overlay;
    let variants = overlay.variants.iter().map(|variant| {
        let (name, title, says) = (&variant.name, &variant.title, &variant.says);
        quote!(::shape_model::profile::Variant { name: #name, title: #title, says: #says })
    });
    let names = overlay.names.iter().map(|(onnx, page)| quote!((#onnx, #page)));
    let family = option(overlay.family.as_ref());
    quote!(::shape_model::profile::Overlay {
        operator: #operator,
        since: #since,
        page: #page,
        names: &[#(#names),*],
        errors: #errors,
        family: #family,
        variants: &[#(#variants),*],
    })
}

fn rule(rule: &ProfileRule, tables: &Tables) -> TokenStream {
    let ProfileRule { id, file, title, says, why, variants, examples, tests, .. } = rule;
    let line = Literal::usize_unsuffixed(rule.line);
    let operator = option(rule.operator.as_ref());
    let references = rule
        .references
        .iter()
        .map(|(document, at)| quote!(::shape_model::profile::Reference { document: #document, at: #at }));
    let enabled_by = option(rule.option.as_ref());
    let when = option(
        rule.when
            .as_ref()
            .map(|(attribute, is)| quote!(::shape_model::profile::When { attribute: #attribute, is: #is })),
    );
    let Check { name, value, beside, attribute, types, values, number, most, codes } = &rule.check;
    let (check, types, codes) = (camel(name), type_set(types, tables, false), codes.iter().map(|code| camel(code)));
    let (number, most) = (Literal::i64_unsuffixed(*number), Literal::u32_unsuffixed(*most));
    let values = values.iter().map(|value| Literal::i64_unsuffixed(*value));
    let proof = match &rule.proof {
        Proof::Goals(goals) => quote!(::shape_model::profile::Proof::Goals(&[#(#goals),*])),
        Proof::None(why) => quote!(::shape_model::profile::Proof::None(#why)),
    };
    quote!(::shape_model::profile::ProfileRule {
        id: #id,
        file: #file,
        line: #line,
        operator: #operator,
        title: #title,
        says: #says,
        why: #why,
        references: &[#(#references),*],
        variants: &[#(#variants),*],
        option: #enabled_by,
        when: #when,
        check: ::shape_model::profile::Check::#check,
        arguments: ::shape_model::profile::Arguments {
            value: #value,
            beside: #beside,
            attribute: #attribute,
            types: #types,
            values: &[#(#values),*],
            number: #number,
            most: #most,
            codes: &[#(::shape_core::code::Code::#codes),*],
        },
        proof: #proof,
        examples: &[#(#examples),*],
        tests: &[#(#tests),*],
    })
}
