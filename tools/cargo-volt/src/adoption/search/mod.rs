//! The search for the attributes with which a project builds.

pub(crate) mod bisect;
pub(crate) mod blame;
pub(crate) mod reason;
pub(crate) mod subjects;
