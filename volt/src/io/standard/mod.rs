//! The standard streams of the process.
//!
//! No system lets a program wait for all that they may be: terminals, pipes, files. Input is read by a
//! thread of the process's own, and output is written on the runtime's pool for what blocks.

mod standard_input;
mod standard_output;

pub use self::standard_input::{Stdin, stdin};
pub use self::standard_output::{Stderr, Stdout, stderr, stdout};
