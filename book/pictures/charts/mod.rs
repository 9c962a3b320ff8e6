//! Charts of benchmarks: bars, and marks with a range.

pub(crate) mod bars;
pub(crate) mod dots;
pub(crate) mod marks;
pub(crate) mod scale;
