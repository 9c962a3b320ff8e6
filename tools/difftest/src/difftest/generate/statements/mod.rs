//! Productions of statements.

pub(crate) mod branching;
pub(crate) mod construct;
pub(crate) mod counters;
pub(crate) mod counting;
pub(crate) mod leaving;
pub(crate) mod looping;
pub(crate) mod partial_moves;
pub(crate) mod reassign;
pub(crate) mod reborrow;
pub(crate) mod simple;
pub(crate) mod statement;
pub(crate) mod temporaries;
