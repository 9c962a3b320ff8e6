//! The standard streams of the process.
//!
//! No system lets a program wait for all that they may be: terminals, pipes, files. Input is read by a
//! thread of the process's own, and output is written on the runtime's pool for what blocks.

mod input;
mod output;

pub use self::input::{Stdin, stdin};
pub use self::output::{Stderr, Stdout, stderr, stdout};
