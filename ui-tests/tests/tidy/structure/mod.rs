//! Rules about crates, folders, files and the imports between them.

pub(crate) mod doors;
pub(crate) mod edges;
pub(crate) mod file_names;
pub(crate) mod floors;
pub(crate) mod loose_files;
pub(crate) mod order;
pub(crate) mod rooms;
pub(crate) mod type_names;
