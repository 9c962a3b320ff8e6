//! Charts of benchmarks: bars, and marks with a spread.

pub(crate) mod bars;
pub(crate) mod dots;
