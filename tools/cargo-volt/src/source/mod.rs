//! The sources of a project: fetched, scanned for async functions, and rewritten.

pub(crate) mod manifest;
pub(crate) mod origin;
pub(crate) mod paths;
pub(crate) mod rewrite;
pub(crate) mod scan;
pub(crate) mod strip;
pub(crate) mod workspace;
