//! `Command`: the configuration of a child process.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::Stdio;

use super::child::Child;
use super::child_outcome::{Output, Status};
use super::reaper;
use super::streams::Streams;

/// Configures and starts a child process.
///
/// It wraps a [`std::process::Command`].
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
    /// Creates a command for a program, without arguments. The name is searched in `PATH`.
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

    /// Removes a variable from its environment.
    pub fn env_remove(&mut self, key: impl AsRef<OsStr>) -> &mut Self {
        self.command.env_remove(key);
        self
    }

    /// Removes all variables from its environment.
    pub fn env_clear(&mut self) -> &mut Self {
        self.command.env_clear();
        self
    }

    /// Sets its working directory.
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

    /// Sets whether the process is killed when its [`Child`], or the future of
    /// [`status`](Self::status) or [`output`](Self::output), is dropped before the exit. By default
    /// it runs on.
    pub fn kill_on_drop(&mut self, kill_on_drop: bool) -> &mut Self {
        self.kill_on_drop = kill_on_drop;
        self
    }

    /// Returns the command of the standard library.
    pub fn as_std(&self) -> &std::process::Command {
        &self.command
    }

    /// Returns the command of the standard library, for settings that have no method here.
    pub fn as_std_mut(&mut self) -> &mut std::process::Command {
        self.streams.share();
        &mut self.command
    }

    /// Starts the process.
    ///
    /// # Errors
    ///
    /// Fails as [`std::process::Command::spawn`] does. Returns an error if the driver cannot watch
    /// the process or a pipe; the process is killed then.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    #[track_caller]
    pub fn spawn(&mut self) -> io::Result<Child> {
        reaper::reap_orphans();
        // Without a runtime this panics, before the process is started.
        drop(crate::runtime::context::driver());
        Child::new(self.command.spawn()?, self.kill_on_drop)
    }

    /// Starts the process in this call, and waits for its exit.
    ///
    /// Output to pipes is read and dropped, so that a full pipe does not block the process.
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
        Status::new(self.spawn())
    }

    /// Starts the process in this call, waits for its exit, and returns its standard output and
    /// standard error.
    ///
    /// Like in [`std::process::Command::output`], streams that were set are not changed: output to
    /// a file is not returned. The other output streams are pipes, and the standard input is empty.
    /// Afterwards the command has the same settings as before.
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
    /// **Not cancel safe:** dropping the future loses the output that was read, and drops the
    /// child; see [`kill_on_drop`](Self::kill_on_drop).
    #[track_caller]
    pub fn output(&mut self) -> Output {
        // Without a runtime this panics, before the settings are changed.
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
