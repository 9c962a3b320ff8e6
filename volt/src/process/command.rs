//! A program that is to be started.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::Stdio;

use super::child::Child;
use super::child_outcome::{Output, Status};
use super::reaper;
use super::streams::Streams;

/// A program with its arguments and surroundings, to be started.
///
/// It is a [`std::process::Command`], and reaches the system by that.
///
/// # Examples
///
/// ```
/// use volt::process::Command;
///
/// volt::block_on(async {
///     let output = Command::new("echo").arg("hello").output().await?;
///     assert!(output.status.success());
///     assert_eq!(output.stdout, b"hello\n");
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Command {
    command: std::process::Command,
    kill_on_drop: bool,
    streams: Streams,
}

impl Command {
    /// The program of that name, looked for as the shell does, without arguments.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Self {
            command: std::process::Command::new(program),
            kill_on_drop: false,
            streams: Streams::default(),
        }
    }

    /// Adds an argument.
    pub fn arg(&mut self, arg: impl AsRef<OsStr>) -> &mut Self {
        self.command.arg(arg);
        self
    }

    /// Adds arguments.
    pub fn args<I>(&mut self, args: I) -> &mut Self
    where
        I: IntoIterator<Item: AsRef<OsStr>>,
    {
        self.command.args(args);
        self
    }

    /// Sets a variable of its environment.
    pub fn env(&mut self, key: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> &mut Self {
        self.command.env(key, value);
        self
    }

    /// Sets variables of its environment.
    pub fn envs<I, K, V>(&mut self, variables: I) -> &mut Self
    where
        I: IntoIterator<Item = (K, V)>,
        K: AsRef<OsStr>,
        V: AsRef<OsStr>,
    {
        self.command.envs(variables);
        self
    }

    /// Takes a variable out of its environment.
    pub fn env_remove(&mut self, key: impl AsRef<OsStr>) -> &mut Self {
        self.command.env_remove(key);
        self
    }

    /// Starts it with an empty environment.
    pub fn env_clear(&mut self) -> &mut Self {
        self.command.env_clear();
        self
    }

    /// Sets the folder that it is started in.
    pub fn current_dir(&mut self, dir: impl AsRef<Path>) -> &mut Self {
        self.command.current_dir(dir);
        self
    }

    /// Sets its standard input. The default is that of this process, and for
    /// [`output`](Self::output) an empty input.
    pub fn stdin(&mut self, stdin: impl Into<Stdio>) -> &mut Self {
        self.streams.set_stdin();
        self.command.stdin(stdin);
        self
    }

    /// Sets its standard output. The default is that of this process, and for
    /// [`output`](Self::output) a pipe.
    pub fn stdout(&mut self, stdout: impl Into<Stdio>) -> &mut Self {
        self.streams.set_stdout();
        self.command.stdout(stdout);
        self
    }

    /// Sets its standard error. The default is that of this process, and for
    /// [`output`](Self::output) a pipe.
    pub fn stderr(&mut self, stderr: impl Into<Stdio>) -> &mut Self {
        self.streams.set_stderr();
        self.command.stderr(stderr);
        self
    }

    /// Whether the child is ended by force when its [`Child`], or the future of
    /// [`status`](Self::status) or [`output`](Self::output), is dropped before it has ended. Without
    /// this it goes on.
    pub fn kill_on_drop(&mut self, kill_on_drop: bool) -> &mut Self {
        self.kill_on_drop = kill_on_drop;
        self
    }

    /// What the standard library has for it.
    pub fn as_std(&self) -> &std::process::Command {
        &self.command
    }

    /// What the standard library has for it, to set what has no method here.
    pub fn as_std_mut(&mut self) -> &mut std::process::Command {
        self.streams.share();
        &mut self.command
    }

    /// Starts the program.
    ///
    /// # Errors
    ///
    /// Fails as the standard library's [`spawn`](std::process::Command::spawn) does, and when the child
    /// or a pipe cannot be watched; the child is then ended.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    #[track_caller]
    pub fn spawn(&mut self) -> io::Result<Child> {
        reaper::reap_orphans();
        // Before anything is started.
        drop(crate::runtime::context::driver());
        Child::new(self.command.spawn()?, self.kill_on_drop)
    }

    /// Starts the program in this call, and waits until it has ended.
    ///
    /// What the program writes to a pipe is read and thrown away, so that a full pipe does not stop
    /// it.
    ///
    /// # Errors
    ///
    /// The future fails as [`spawn`](Self::spawn) and [`Child::wait`] do.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future drops the child; see [`kill_on_drop`](Self::kill_on_drop).
    #[track_caller]
    pub fn status(&mut self) -> Status {
        Status {
            child: self.spawn().map_err(Some),
        }
    }

    /// Starts the program in this call, waits until it has ended, and returns what it has written
    /// to its standard output and standard error.
    ///
    /// As for `std::process::Command`, streams that were set stay as they are: what the program
    /// writes to a file is not returned. The others are pipes, and its standard input is empty. The
    /// command has the same settings afterwards as before.
    ///
    /// # Errors
    ///
    /// The future fails as [`spawn`](Self::spawn) and [`Child::wait_with_output`] do.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    ///
    /// # Cancel safety
    ///
    /// **Not cancel safe:** what was read is lost with the future. Dropping it drops the child; see
    /// [`kill_on_drop`](Self::kill_on_drop).
    #[track_caller]
    pub fn output(&mut self) -> Output {
        // Before anything is changed: it panics where there is no runtime.
        drop(crate::runtime::context::driver());
        let unset = self.streams.capture(&mut self.command);
        let child = self.spawn();
        self.streams.restore(&mut self.command, unset);
        match child {
            Ok(child) => child.wait_with_output(),
            Err(error) => Output::new(Err(error)),
        }
    }
}

impl From<std::process::Command> for Command {
    fn from(command: std::process::Command) -> Self {
        Self {
            command,
            kill_on_drop: false,
            streams: Streams::shared(),
        }
    }
}
