//! Rules about the code of one file.

pub(crate) mod attributes;
pub(crate) mod manners;
pub(crate) mod safety;
pub(crate) mod shape;
pub(crate) mod shim;
