//! Sets of element types: as constants for the check at run time, as traits for the one at compile time.

shape_macros::tables!(type_sets);
