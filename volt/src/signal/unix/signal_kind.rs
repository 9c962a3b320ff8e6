//! The kinds of signals.

use signal_hook::consts;

/// Which signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SignalKind(i32);

impl SignalKind {
    /// The signal of this number, on this system.
    #[must_use]
    pub const fn from_raw(number: i32) -> Self {
        Self(number)
    }

    /// Its number, on this system.
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
    /// `SIGALRM`: a timer of the system has ended.
    alarm: SIGALRM;
    /// `SIGCHLD`: a child has ended or was stopped.
    child: SIGCHLD;
    /// `SIGHUP`: the terminal is gone; many servers read their configuration again.
    hangup: SIGHUP;
    /// `SIGINT`: ctrl-c.
    interrupt: SIGINT;
    /// `SIGPIPE`: written to a pipe that nobody reads.
    pipe: SIGPIPE;
    /// `SIGQUIT`: ctrl-\.
    quit: SIGQUIT;
    /// `SIGTERM`: the process is to end.
    terminate: SIGTERM;
    /// `SIGUSR1`: what the program makes of it.
    user_defined1: SIGUSR1;
    /// `SIGUSR2`: what the program makes of it.
    user_defined2: SIGUSR2;
    /// `SIGWINCH`: the window of the terminal has another size.
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
