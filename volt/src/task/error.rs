//! The error of a task without an output.

use super::id::TaskId;
use crate::util::Payload;
use std::any::Any;
use std::error::Error;
use std::fmt;
use std::io;
use std::panic::{RefUnwindSafe, UnwindSafe};

/// The failure in the stage of a task: `None` if the task was cancelled, else the payload of its
/// panic. It has the size of a pointer, so that it makes no task larger.
pub(super) type Failure = Option<Box<Payload>>;

/// The maximum number of bytes of a message that `Debug` quotes. `unwrap` quotes an error and
/// escapes the quotes in it, so without a limit each message of a chain would double in length.
const MAX_QUOTED: usize = 256;

/// The error of a task that was cancelled or panicked, or of a join that was refused.
///
/// # Examples
///
/// ```
/// use volt::task::JoinError;
///
/// /// Resumes the panic of a task that panicked.
/// fn unless_cancelled<T>(result: Result<T, JoinError>) -> Option<T> {
///     match result {
///         Ok(output) => Some(output),
///         Err(error) if error.is_cancelled() => None,
///         Err(error) => std::panic::resume_unwind(error.into_panic()),
///     }
/// }
/// ```
#[doc(alias = "TaskResult")]
pub struct JoinError {
    id: TaskId,
    cause: Cause,
}

enum Cause {
    Cancelled,
    /// The task had no waker left, and was cancelled.
    Orphaned,
    /// The join was refused, because it would never return.
    Deadlock,
    NeedsThisThread,
    /// The join was refused, because no thread could replace the one that would block.
    NoThread(io::Error),
    /// The system started no thread for the job.
    Unstarted(io::Error),
    Panicked(SyncPayload),
}

/// A payload that is accessed by value, or as a type that is `Sync`.
struct SyncPayload(Payload);

// SAFETY: A shared `SyncPayload` only returns `&str`s of payloads that are `&'static str` or
// `String`, and both are `Sync`.
unsafe impl Sync for SyncPayload {}

impl SyncPayload {
    fn message(&self) -> Option<&str> {
        let payload: &dyn Any = &*self.0;
        let text = payload.downcast_ref::<&'static str>().copied();
        text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
    }
}

impl JoinError {
    pub(super) fn cancelled(id: TaskId) -> Self {
        Self {
            id,
            cause: Cause::Cancelled,
        }
    }

    pub(super) fn orphaned(id: TaskId) -> Self {
        Self {
            id,
            cause: Cause::Orphaned,
        }
    }

    pub(super) fn panicked(id: TaskId, payload: Payload) -> Self {
        Self {
            id,
            cause: Cause::Panicked(SyncPayload(payload)),
        }
    }

    /// Returns `true` if the task was cancelled before it was complete.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        matches!(self.cause, Cause::Cancelled | Cause::Orphaned)
    }

    /// Returns `true` if the task had no waker left, and the runtime cancelled it.
    ///
    /// The runtime does so by its [policy](crate::Builder::orphans), or at its own end.
    /// [`is_cancelled`](Self::is_cancelled) returns `true` then too.
    #[must_use]
    pub fn is_orphaned(&self) -> bool {
        matches!(self.cause, Cause::Orphaned)
    }

    /// Creates the error of a join that would never return.
    pub(crate) fn deadlock(id: TaskId) -> Self {
        Self {
            id,
            cause: Cause::Deadlock,
        }
    }

    pub(crate) fn needs_this_thread(id: TaskId) -> Self {
        Self {
            id,
            cause: Cause::NeedsThisThread,
        }
    }

    pub(super) fn unstarted(id: TaskId, error: io::Error) -> Self {
        Self {
            id,
            cause: Cause::Unstarted(error),
        }
    }

    /// Returns `true` if a job of [`spawn_blocking`](crate::spawn_blocking) never began, because
    /// the system started no thread for it.
    ///
    /// [`source`](Error::source) is the error of the system. The job may be spawned again.
    /// [`is_out_of_threads`](Self::is_out_of_threads) returns `true` then too.
    #[must_use]
    pub fn is_unstarted(&self) -> bool {
        matches!(self.cause, Cause::Unstarted(_))
    }

    /// Returns `true` if a blocking join was refused because it would deadlock.
    ///
    /// Either the task waits, by blocking joins, for the task that joins it. Or it only runs on the
    /// thread that would block.
    #[must_use]
    pub fn is_deadlock(&self) -> bool {
        matches!(self.cause, Cause::Deadlock | Cause::NeedsThisThread)
    }

    pub(crate) fn no_thread(id: TaskId, error: io::Error) -> Self {
        Self {
            id,
            cause: Cause::NoThread(error),
        }
    }

    /// Returns `true` if no thread was available.
    ///
    /// Either a blocking join was refused. It would have blocked the last active worker, and no
    /// thread could replace it: all
    /// [`Builder::max_spare_threads`](crate::Builder::max_spare_threads) are in use, or the system
    /// started none. Or a job of `spawn_blocking` never began; [`is_unstarted`](Self::is_unstarted)
    /// returns `true` then too. Both may be tried again.
    #[must_use]
    pub fn is_out_of_threads(&self) -> bool {
        matches!(self.cause, Cause::NoThread(_) | Cause::Unstarted(_))
    }

    /// Returns `true` if the task panicked: its future in a poll, or the destructor of its future.
    #[must_use]
    pub fn is_panic(&self) -> bool {
        matches!(self.cause, Cause::Panicked(_))
    }

    /// Returns the payload of the panic of the task, for [`std::panic::resume_unwind`].
    ///
    /// # Panics
    ///
    /// Panics if the task did not panic.
    #[must_use]
    #[track_caller]
    pub fn into_panic(self) -> Box<dyn Any + Send + 'static> {
        match self.try_into_panic() {
            Ok(payload) => payload,
            Err(error) => panic!("no panic to take: {error}"),
        }
    }

    /// Returns the payload of the panic of the task.
    ///
    /// # Errors
    ///
    /// Returns the error itself if the task did not panic.
    pub fn try_into_panic(self) -> Result<Box<dyn Any + Send + 'static>, Self> {
        match self.cause {
            Cause::Panicked(payload) => Ok(payload.0),
            _ => Err(self),
        }
    }

    /// Returns the id of the task.
    #[must_use]
    pub fn id(&self) -> TaskId {
        self.id
    }
}

// The error is never changed, and its payload is only returned by value.
impl UnwindSafe for JoinError {}
impl RefUnwindSafe for JoinError {}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Cause::Cancelled => write!(f, "task {} was cancelled", self.id),
            Cause::Orphaned => write!(f, "task {} was cancelled: it had no waker left", self.id),
            Cause::Deadlock => write!(f, "task {} waits for the task that joins it", self.id),
            Cause::NeedsThisThread => write!(
                f,
                "task {} runs on the thread that joins it: await it in the `block_on` of its runtime",
                self.id
            ),
            Cause::NoThread(error) => write!(
                f,
                "the join of task {} was refused, because no thread could replace this one: {error}",
                self.id
            ),
            Cause::Unstarted(error) => {
                write!(f, "no thread was started to run task {}: {error}", self.id)
            }
            Cause::Panicked(payload) => match payload.message() {
                Some(text) => write!(f, "task {} panicked: {text}", self.id),
                None => write!(f, "task {} panicked", self.id),
            },
        }
    }
}

impl fmt::Debug for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Cause::Cancelled => write!(f, "JoinError::Cancelled({:?})", self.id),
            Cause::Orphaned => write!(f, "JoinError::Orphaned({:?})", self.id),
            Cause::Deadlock | Cause::NeedsThisThread => {
                write!(f, "JoinError::Deadlock({:?})", self.id)
            }
            Cause::NoThread(error) => {
                write!(f, "JoinError::OutOfThreads({:?}, {error:?})", self.id)
            }
            Cause::Unstarted(error) => {
                write!(f, "JoinError::Unstarted({:?}, {error:?})", self.id)
            }
            Cause::Panicked(payload) => {
                let text = payload.message().unwrap_or("..");
                let quoted = &text[..text.floor_char_boundary(MAX_QUOTED)];
                let rest = if quoted == text { "" } else { ".." };
                write!(f, "JoinError::Panicked({:?}, {quoted:?}{rest})", self.id)
            }
        }
    }
}

impl Error for JoinError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.cause {
            Cause::NoThread(error) | Cause::Unstarted(error) => Some(error),
            _ => None,
        }
    }
}

/// Converts the error, so that `task.await?` works in functions that return an [`io::Error`].
impl From<JoinError> for std::io::Error {
    fn from(error: JoinError) -> Self {
        Self::other(error)
    }
}

/// Returns the failure of a task that panicked.
pub(super) fn fail(payload: Payload) -> Failure {
    Some(Box::new(payload))
}
