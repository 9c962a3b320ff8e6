//! The results: for each function, for a project, and for a list of projects.

pub(crate) mod data;
pub(crate) mod table;
pub(crate) mod verdict;
