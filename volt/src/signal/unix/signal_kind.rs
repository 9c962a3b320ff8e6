//! `SignalKind`: the number of a signal.

use signal_hook::consts;

/// A signal, by its number on this system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SignalKind(i32);

impl SignalKind {
    /// Returns the signal with this number on this system.
    #[must_use]
    pub const fn from_raw(number: i32) -> Self {
        Self(number)
    }

    /// Returns the number of the signal on this system.
    #[must_use]
    pub const fn as_raw_value(self) -> i32 {
        self.0
    }
}

/// Declares a function for each signal.
macro_rules! kinds {
    ($($(#[$attribute:meta])* $name:ident: $SIGNAL:ident;)*) => {
        impl SignalKind {
            $(
                $(#[$attribute])*
                #[must_use]
                pub const fn $name() -> Self {
                    Self(consts::$SIGNAL)
                }
            )*
        }
    };
}

kinds! {
    /// `SIGALRM`: a timer of the system has expired.
    alarm: SIGALRM;
    /// `SIGCHLD`: a child has exited or was stopped.
    child: SIGCHLD;
    /// `SIGHUP`: the terminal was closed; many servers reload their configuration.
    hangup: SIGHUP;
    /// `SIGINT`: ctrl-c.
    interrupt: SIGINT;
    /// `SIGIO`: a descriptor with `O_ASYNC` is ready.
    io: SIGIO;
    /// `SIGPIPE`: a write to a pipe without readers.
    pipe: SIGPIPE;
    /// `SIGQUIT`: ctrl-\.
    quit: SIGQUIT;
    /// `SIGTERM`: a request to end the process.
    terminate: SIGTERM;
    /// `SIGUSR1`: the program defines its meaning.
    user_defined1: SIGUSR1;
    /// `SIGUSR2`: the program defines its meaning.
    user_defined2: SIGUSR2;
    /// `SIGWINCH`: the size of the terminal window has changed.
    window_change: SIGWINCH;
}

impl From<i32> for SignalKind {
    fn from(number: i32) -> Self {
        Self(number)
    }
}

impl From<SignalKind> for i32 {
    fn from(kind: SignalKind) -> Self {
        kind.0
    }
}
