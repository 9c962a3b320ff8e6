//! The command line: its commands, their help, and their exit codes.

mod command_line;
mod run;

pub(crate) use self::run::run;
