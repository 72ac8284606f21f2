//! Random models from descriptors, for testing what reads, checks, converts or runs models.
//!
//! A node is found by asking: attributes, inputs and their elements are proposed at random, the check of the version says
//! what is wrong, and that is changed until nothing is. So whatever a descriptor says is used, and nothing else: an
//! operator of one's own is generated as soon as it has a descriptor.
//!
//! ```
//! use shape_core::Registry;
//! use shape_model::ModelFile;
//! use shape_model::generate::{GenerateOptions, Generator};
//! let options = GenerateOptions { operators: vec![(String::new(), "Conv".to_owned(), Some(11))], ..GenerateOptions::default() };
//! for case in Generator::new(Registry::builtin(), &options).take(5) {
//!     let model = ModelFile::from_bytes(case.model_bytes())?;
//!     assert_eq!(model.model().graph().unwrap().nodes().first().unwrap().op_type(), "Conv");
//! }
//! # Ok::<(), shape_model::file::ModelError>(())
//! ```

mod body;
mod case;
mod change;
mod coverage;
mod draft;
mod facet;
mod fill;
mod generator;
mod graph;
mod invalid;
mod judge;
mod model;
mod node;
mod numbers;
mod propose;
mod search;
mod value;

pub use case::{Case, Expected, value_bytes};
pub use coverage::{Coverage, Missed};
pub use generator::{GenerateOptions, Generator};
pub use graph::graph;
pub use value::{Data, Tensor, Value};

#[cfg(test)]
mod trial {
    use super::*;
    #[test]
    #[ignore = "trial"]
    fn reach() {
        let start = std::time::Instant::now();
        let mut generator = Generator::new(shape_core::Registry::builtin(), &GenerateOptions::default());
        let mut count = 0;
        let mut bad = std::collections::BTreeMap::<String, usize>::new();
        while let Some(case) = generator.next_uncovered() {
            count += 1;
            let file = crate::ModelFile::from_bytes(case.model_bytes()).unwrap();
            let findings = crate::check(file.model(), &crate::Options::of(&file)).unwrap();
            for finding in findings.iter().filter(|f| f.code.severity() == shape_core::code::Severity::Error) {
                *bad.entry(format!("{} {} {}", case.schema.unwrap().name, finding.code, finding.message))
                    .or_default() += 1;
            }
        }
        println!("{count} in {:?}", start.elapsed());
        for (b, c) in &bad {
            println!("{c} {b}");
        }
        let all = generator.coverage();
        println!(
            "choices {} of {}, pairs {} of {}",
            all.iter().map(|c| c.choices_made).sum::<usize>(),
            all.iter().map(|c| c.choices).sum::<usize>(),
            all.iter().map(|c| c.pairs_made).sum::<usize>(),
            all.iter().map(|c| c.pairs).sum::<usize>()
        );
        let mut lines: Vec<_> = all
            .iter()
            .map(|c| {
                (
                    c.nodes,
                    format!(
                        "{}-{} nodes {} choices {}/{} pairs {}/{} missed {:?}",
                        c.schema.name,
                        c.schema.since_version,
                        c.nodes,
                        c.choices_made,
                        c.choices,
                        c.pairs_made,
                        c.pairs,
                        c.missed
                            .iter()
                            .filter(|m| m.choices.len() == 1)
                            .map(|m| m.choices[0].clone())
                            .collect::<Vec<_>>()
                    ),
                )
            })
            .collect();
        lines.sort();
        for l in lines {
            println!("{}", l.1);
        }
    }
}
