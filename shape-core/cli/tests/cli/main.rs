//! The command as its users meet it: the built binary, on models made here.

#![expect(clippy::unwrap_used, clippy::panic, reason = "clippy takes for tests only the functions with `#[test]`")]

mod assumptions;
mod check;
mod codes;
mod convert;
mod convert_models;
mod cost;
mod coverage;
mod decided;
mod elements;
mod errata;
mod expand;
mod families;
mod files;
mod flow;
mod fold;
mod formats;
mod hostile;
mod import;
mod infer;
mod info;
mod inputs;
mod invisible;
mod lint;
mod many;
mod matrix;
mod model;
mod new;
mod ops;
mod opsets;
mod outputs;
mod pages;
mod profile;
mod readme;
mod reshape;
mod rules;
mod run;
mod runtimes;
mod test_case;
mod text;
mod tolerant;
mod unknown;
mod usage;
mod vendor;
mod why;
