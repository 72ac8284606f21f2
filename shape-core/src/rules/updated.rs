//! Values that an optimizer updates.

use super::parameters::Updated;
use crate::code::Code;
use crate::dimension::Dimension;
use crate::facts::{Dims, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

pub(super) fn updated<D: Dimension>(Updated { groups, inputs }: Updated<'_, D>, output: &mut Output<'_, D>) -> Done {
    let groups = groups.known().and_then(|groups| usize::try_from(groups).ok()).unwrap_or(1).max(1);
    let (part, _) = output.part();
    let (_, count) = inputs.at(0);
    if count % groups != 0 {
        return Err(Problem::Refused {
            code: Code::InputCount,
            message: "the number of inputs is not a multiple of the number of tensors in a group",
            expected: Detail::Counted(groups as u64, "inputs for each tensor"),
            found: Detail::Counted(count as u64, "inputs"),
        }
        .into());
    }
    let each = count / groups;
    // The second group are the gradients, which have no outputs.
    let position = if part < each { part } else { part.saturating_add(each) };
    let (input, _) = inputs.at(position);
    output.dims(Dims::Known(if position < count { input.dims()? } else { return Err(UnknownCause::NotGiven.into()) }));
    Ok(())
}
