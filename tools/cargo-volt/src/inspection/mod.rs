//! `cargo volt dump`, `top` and `diff`: the tasks of a running program, by its inspection server.

mod http;
mod process;
mod target;
mod dump_data;
mod text;
mod dump;
mod difference;
mod diff_json;
mod diff;
mod screen;
mod top;

pub(crate) use self::diff::{DiffArgs, diff};
pub(crate) use self::dump::{DumpArgs, dump};
pub(crate) use self::top::{TopArgs, top};
