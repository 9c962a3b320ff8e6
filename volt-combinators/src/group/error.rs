//! The errors of children.

use std::any::Any;
use std::boxed::Box;
use std::error::Error;
use std::fmt;
use std::panic;
use std::string::String;
use std::vec::Vec;

use super::id::ChildId;
use crate::loom::sync::Mutex;

/// The payload of a panic.
pub(super) type Payload = Box<dyn Any + Send>;

/// The reason why a child of a group has no value.
pub enum TaskError {
    /// The child was cancelled, or its runtime dropped it.
    Cancelled,
    /// The child or its destructor panicked.
    Panicked(Panic),
}

/// The outcome of a child.
pub(super) type Outcome<T> = Result<T, TaskError>;

/// A caught panic.
// The lock is never contended. It makes the payload `Sync`, as errors should be.
pub struct Panic(Mutex<Payload>);

impl TaskError {
    pub(super) fn panicked(payload: Payload) -> Self {
        Self::Panicked(Panic(Mutex::new(payload)))
    }

    /// Returns `true` if the child was cancelled.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Cancelled)
    }

    /// Returns `true` if the child panicked.
    pub fn is_panic(&self) -> bool {
        matches!(self, Self::Panicked(_))
    }
}

impl Panic {
    /// Returns the payload that was passed to `panic!`.
    pub fn into_payload(self) -> Box<dyn Any + Send> {
        self.0.into_inner()
    }

    /// Resumes the panic, without calling the panic hook again.
    pub fn resume(self) -> ! {
        panic::resume_unwind(self.into_payload())
    }

    fn message(&self) -> Option<String> {
        let payload = self.0.lock();
        match payload.downcast_ref::<&str>() {
            Some(message) => Some(String::from(*message)),
            None => payload.downcast_ref::<String>().cloned(),
        }
    }
}

impl fmt::Debug for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Panic").field(&self.message()).finish()
    }
}

impl fmt::Debug for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("Cancelled"),
            Self::Panicked(panic) => f.debug_tuple("Panicked").field(&panic.message()).finish(),
        }
    }
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("child was cancelled"),
            Self::Panicked(panic) => match panic.message() {
                Some(message) => write!(f, "child panicked: {message}"),
                None => f.write_str("child panicked"),
            },
        }
    }
}

impl Error for TaskError {}

/// The errors of a group's children, with their ids, in spawn order. It has at least one error.
///
/// ```
/// use volt_combinators::{Group, Policy};
///
/// # struct Threads;
/// # impl volt_combinators::Spawn for Threads {
/// #     fn spawn<F>(&self, child: volt_combinators::Child<F>)
/// #     where
/// #         F: Future<Output: Send + 'static> + Send + 'static,
/// #     {
/// #         std::thread::spawn(|| futures::executor::block_on(child));
/// #     }
/// # }
/// # futures::executor::block_on(async {
/// let mut group = Group::new(Threads).policy(Policy::Supervise);
/// let bad = group.spawn(async { panic!("bad page") });
/// let error = group.wait().await.map(|values: Vec<()>| values).unwrap_err();
/// let (id, why) = error.into_errors().remove(0);
/// assert_eq!((id, why.to_string().as_str()), (bad, "child panicked: bad page"));
/// # });
/// ```
#[derive(Debug)]
pub struct GroupError {
    errors: Vec<(ChildId, TaskError)>,
}

impl GroupError {
    pub(super) fn new(errors: Vec<(ChildId, TaskError)>) -> Self {
        debug_assert!(!errors.is_empty());
        Self { errors }
    }

    /// Returns the errors.
    pub fn errors(&self) -> &[(ChildId, TaskError)] {
        &self.errors
    }

    /// Returns the errors, by value.
    pub fn into_errors(self) -> Vec<(ChildId, TaskError)> {
        self.errors
    }
}

impl fmt::Display for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let panics = self.errors.iter().filter(|(_, e)| e.is_panic()).count();
        let cancelled = self.errors.len() - panics;
        let children = if panics == 1 { "child" } else { "children" };
        let were = if cancelled == 1 { "was" } else { "were" };
        write!(
            f,
            "{panics} {children} panicked, {cancelled} {were} cancelled"
        )
    }
}

impl Error for GroupError {}
