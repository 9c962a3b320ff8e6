//! Functions without types through the whole macro, and what the prototypes of inferred fields did
//! wrong: each fault of theirs is a test here, or does not compile in `refuse/inferred_*`.
#![forbid(unsafe_code)]

#[path = "compiled/arguments.rs"]
mod arguments;
#[path = "compiled/drops.rs"]
mod drops;
#[path = "compiled/generic.rs"]
mod generic;
#[path = "compiled/inference.rs"]
mod inference;
#[path = "compiled/marks.rs"]
mod marks;
#[path = "compiled/nested.rs"]
mod nested;
#[path = "compiled/run.rs"]
mod run;
#[path = "compiled/streams.rs"]
mod streams;
#[path = "compiled/unpin.rs"]
mod unpin;
