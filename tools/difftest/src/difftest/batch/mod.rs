//! Many functions in one program: screened, compiled, run.

mod chosen;
mod program;
mod screen;
mod other_volt;
mod rustc;
mod run;
mod verdict;

pub(crate) use chosen::is_explicit;
pub(crate) use program::{Member, STORED, members};
pub(crate) use rustc::Compiler;
pub(crate) use screen::expanded;
pub(crate) use verdict::{Verdict, judge};
