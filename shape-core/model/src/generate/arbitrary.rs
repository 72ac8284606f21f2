//! Models from the bytes of a fuzzer.

use std::sync::OnceLock;

use arbitrary::{Arbitrary, Error, Result, Unstructured};
use shape_core::registry::Registry;

use super::case::Case;
use super::generator::GenerateOptions;
use super::random::Source;

/// The largest number of nodes of a graph.
const MOST: u8 = 31;

/// A valid model: the first byte says whether it is one node or a graph of as many as the byte says, the next two which
/// version of an operator or which opset, and four are the seed of all else. So a fuzzer that finds a byte that matters keeps
/// the operator, and varies the node.
///
/// ```
/// use arbitrary::{Arbitrary, Unstructured};
/// use shape_model::generate::Case;
/// let node = Case::arbitrary(&mut Unstructured::new(&[0, 7, 1, 2, 3, 4, 5])).unwrap();
/// assert_eq!(node.model.graph.unwrap().node.len(), 1);
/// let graph = Case::arbitrary(&mut Unstructured::new(&[12, 10, 0, 2, 3, 4, 5])).unwrap();
/// assert!(graph.schema.is_none());
/// ```
impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        static SOURCE: OnceLock<Source> = OnceLock::new();
        let source = SOURCE.get_or_init(|| Source::new(Registry::builtin(), &GenerateOptions::default()));
        let (nodes, which, seed): (u8, u16, u32) = (bytes.arbitrary()?, bytes.arbitrary()?, bytes.arbitrary()?);
        let case = match usize::from(nodes & MOST) {
            0 => source.node(which.into(), seed.into()),
            nodes => source.graph(which.into(), seed.into(), nodes),
        };
        case.ok_or(Error::IncorrectFormat)
    }

    fn size_hint(_: usize) -> (usize, Option<usize>) {
        (7, Some(7))
    }
}
