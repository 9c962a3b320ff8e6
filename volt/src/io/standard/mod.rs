//! The standard streams of the process.
//!
//! They can be terminals, pipes or files, and no system reports readiness for all of these. So a
//! separate thread of the process reads the input, and the blocking pool of the runtime writes the
//! output.

mod standard_input;
mod standard_output;

pub use self::standard_input::{Stdin, stdin};
pub use self::standard_output::{Stderr, Stdout, stderr, stdout};
