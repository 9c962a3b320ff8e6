//! Many functions in one program: screened, compiled, run.

mod screen;
mod program;
mod rustc;
mod run;
mod verdict;

pub(crate) use program::{Member, members};
pub(crate) use rustc::Compiler;
pub(crate) use screen::expanded;
pub(crate) use verdict::{Verdict, judge};
