//! The files of a workspace, read for the rules.

pub(crate) mod tokens;

pub(crate) mod quoted;

pub(crate) mod reading;

pub(crate) mod source;

pub(crate) mod modules;

pub(crate) mod prose;

pub(crate) mod definitions;
