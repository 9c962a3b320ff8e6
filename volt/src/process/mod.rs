//! Child processes, on Unix.
//!
//! [`Command`] is like that of the standard library, with futures: [`Command::output`],
//! [`Command::status`], and [`Command::spawn`] for a [`Child`]. The driver of the runtime watches
//! the pipes and the exits of children, so no thread waits for a child.
//!
//! A child whose [`Child`] is dropped runs on, unless [`Command::kill_on_drop`] is set. In both
//! cases it leaves no zombie: a task waits for its exit. After the shutdown of the runtime, the
//! next start of a child by this process collects it.

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
