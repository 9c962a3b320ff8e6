//! Other programs: started, spoken with, and waited for, on Unix.
//!
//! [`Command`] is that of the standard library with futures: [`Command::output`], [`Command::status`],
//! and [`Command::spawn`] for a [`Child`] whose pipes the runtime's driver watches. No thread waits for
//! a child.
//!
//! A child that is dropped before it has ended goes on, unless [`Command::kill_on_drop`] says
//! otherwise. Either way it leaves no zombie: a task waits for its end, or when the runtime is gone,
//! the next child that is started anywhere in the process.

mod pipes;
#[cfg(target_os = "linux")]
mod exit_linux;
#[cfg(not(target_os = "linux"))]
mod exit_elsewhere;
mod exit_watcher;
mod reaper;
mod child;
mod child_outcome;
mod streams;
mod command;

pub use self::child::{Child, Kill, Wait};
pub use self::child_outcome::{Output, Status};
pub use self::command::Command;
pub use self::pipes::{ChildStderr, ChildStdin, ChildStdout};
pub use std::process::{ExitStatus, Output as Captured, Stdio};
