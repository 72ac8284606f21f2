//! Sets of element types: as constants for the check at run time, as traits for the one at compile time.

include!(concat!(env!("OUT_DIR"), "/type_sets.rs"));
