//! Why a task has no output.

use super::id::TaskId;
use std::any::Any;
use std::error::Error;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, RefUnwindSafe, UnwindSafe, catch_unwind};

/// What a panic carries.
pub(super) type Payload = Box<dyn Any + Send>;

/// What stands in the stage of a task that failed: nothing if it was cancelled, else what it
/// panicked with. One pointer wide, so that it makes no task larger.
pub(super) type Failure = Option<Box<Payload>>;

/// How many bytes of a message are quoted. An `unwrap` quotes the error, and escapes what it
/// quotes: without an end, each of a chain of them would be twice as long as the one before.
const MAX_QUOTED: usize = 256;

/// The error of a task that was cancelled or panicked, or of a join that was refused.
///
/// # Examples
///
/// ```
/// use volt::task::JoinError;
///
/// /// Goes on with the panic of a task that panicked.
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
    /// Nobody was left to wake it, and it was cancelled.
    Orphaned,
    /// A join that would have had no end was refused.
    Deadlock,
    NeedsThisThread,
    /// A join was refused, as the thread that has to stand in for the joiner's is not to be had.
    NoThread(io::Error),
    /// The system granted no thread for it.
    Unstarted(io::Error),
    Panicked(SyncPayload),
}

/// A payload that is reached through `&mut`, by value, or as a type known to be `Sync`.
struct SyncPayload(Payload);

// SAFETY: A shared `SyncPayload` gives out nothing but `&str`s of payloads that are `&'static str`
// or `String`, and both are `Sync`.
unsafe impl Sync for SyncPayload {}

impl SyncPayload {
    fn message(&self) -> Option<&str> {
        let payload: &dyn Any = &*self.0;
        let text = payload.downcast_ref::<&'static str>().copied();
        text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
    }
}

impl JoinError {
    pub(super) fn new(id: TaskId, failure: Failure, orphaned: bool) -> Self {
        let cause = match failure {
            None if orphaned => Cause::Orphaned,
            None => Cause::Cancelled,
            Some(payload) => Cause::Panicked(SyncPayload(*payload)),
        };
        Self { id, cause }
    }

    /// True if the task was cancelled before it was done.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        matches!(self.cause, Cause::Cancelled | Cause::Orphaned)
    }

    /// True if nobody had been left to wake the task, and the runtime ended it: by its
    /// [policy](crate::Builder::orphans), or because the runtime itself ended. Then
    /// [`is_cancelled`](Self::is_cancelled) is true too.
    #[must_use]
    pub fn is_orphaned(&self) -> bool {
        matches!(self.cause, Cause::Orphaned)
    }

    /// The join of this task was refused.
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

    /// True if it was a job of [`spawn_blocking`](crate::spawn_blocking) that never began, because
    /// there was no thread for it and the system would start none: its
    /// [`source`](Error::source) says why. It may be tried again. Then
    /// [`is_out_of_threads`](Self::is_out_of_threads) is true too.
    #[must_use]
    pub fn is_unstarted(&self) -> bool {
        matches!(self.cause, Cause::Unstarted(_))
    }

    /// True if the task was not waited for, because it waits itself, by blocking joins, for the
    /// one that wanted to join it, or for the only thread that runs it: a cycle, in which nobody
    /// would ever have gone on.
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

    /// True if a thread was wanting. Either the task was not waited for, because the join would have
    /// blocked the last worker that is awake, and no thread could stand in for it: all of
    /// [`Builder::max_spare_threads`](crate::Builder::max_spare_threads) are in use, or the system
    /// grants none. Or it is a job that never began: then [`is_unstarted`](Self::is_unstarted) is
    /// true too. Both may be tried again.
    #[must_use]
    pub fn is_out_of_threads(&self) -> bool {
        matches!(self.cause, Cause::NoThread(_) | Cause::Unstarted(_))
    }

    /// True if the task panicked: its future in a poll, or the destructor of its future.
    #[must_use]
    pub fn is_panic(&self) -> bool {
        matches!(self.cause, Cause::Panicked(_))
    }

    /// What the task panicked with, for [`std::panic::resume_unwind`].
    ///
    /// # Panics
    ///
    /// If the task did not panic.
    #[must_use]
    #[track_caller]
    pub fn into_panic(self) -> Box<dyn Any + Send + 'static> {
        match self.try_into_panic() {
            Ok(payload) => payload,
            Err(error) => panic!("no panic to take: {error}"),
        }
    }

    /// What the task panicked with.
    ///
    /// # Errors
    ///
    /// The error itself, if the task did not panic.
    pub fn try_into_panic(self) -> Result<Box<dyn Any + Send + 'static>, Self> {
        match self.cause {
            Cause::Panicked(payload) => Ok(payload.0),
            _ => Err(self),
        }
    }

    /// The task that has no output.
    #[must_use]
    pub fn id(&self) -> TaskId {
        self.id
    }
}

// It is never changed, and a payload is given out by value only.
impl UnwindSafe for JoinError {}
impl RefUnwindSafe for JoinError {}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Cause::Cancelled => write!(f, "task {} was cancelled", self.id),
            Cause::Orphaned => write!(
                f,
                "task {} was cancelled: nobody was left to wake it",
                self.id
            ),
            Cause::Deadlock => write!(f, "task {} waits for the one that joins it", self.id),
            Cause::NeedsThisThread => write!(
                f,
                "task {} runs on the thread that joins it: await it in the `block_on` of its runtime",
                self.id
            ),
            Cause::NoThread(error) => write!(
                f,
                "task {} was not waited for, as no thread could stand in for this one: {error}",
                self.id
            ),
            Cause::Unstarted(error) => {
                write!(f, "task {} found no thread to run on: {error}", self.id)
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

/// So that `task.await?` stands in functions whose errors are the system's.
impl From<JoinError> for std::io::Error {
    fn from(error: JoinError) -> Self {
        Self::other(error)
    }
}

/// Calls what belongs to the user and answers with what it panicked with.
#[inline]
pub(super) fn catch<R>(call: impl FnOnce() -> R) -> Result<R, Payload> {
    catch_unwind(AssertUnwindSafe(call))
}

/// Calls what belongs to the user where nobody can take its panic; the panic hook has told of
/// it already.
#[inline]
pub(super) fn catch_and_discard(call: impl FnOnce()) {
    if let Err(payload) = catch(call) {
        discard(payload);
    }
}

/// The failure of a task that panicked.
pub(super) fn fail(payload: Payload) -> Failure {
    Some(Box::new(payload))
}

/// Drops a payload. If that panics too, what comes of it is leaked.
#[cold]
pub(super) fn discard(payload: Payload) {
    if let Err(payload) = catch(|| drop(payload)) {
        std::mem::forget(payload);
    }
}
