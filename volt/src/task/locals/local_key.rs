//! The keys of task-local values.

use super::task_local_storage::{SavedValue, TaskLocalStorage};
use std::error::Error;
use std::fmt;
use std::thread;

/// A key of a task-local value, which [`task_local!`](crate::task_local) declares.
///
/// The value is set while a [`scope`](crate::task::scope()) is polled. The future of the scope sees
/// it, and all code that the future calls and awaits. Other tasks do not see it, even if they are
/// spawned in the scope, or if a blocking [`join`](crate::task::JoinHandle::join) or a
/// [`LocalRuntime`](crate::LocalRuntime) polls them inside of it.
///
/// The value is stored in the future of the scope, and in the thread during a poll. So a scope
/// allocates nothing, and code without a scope has no cost. Only a scope that begins inside of a
/// call of [`with`](Self::with) for the same key allocates.
pub struct LocalKey<T: 'static> {
    slots: thread::LocalKey<TaskLocalStorage<T>>,
}

impl<T: 'static> LocalKey<T> {
    /// Creates a key with a thread-local of its own.
    #[doc(hidden)]
    #[must_use]
    pub const fn __new(slots: thread::LocalKey<TaskLocalStorage<T>>) -> Self {
        Self { slots }
    }

    /// Calls `access` with the value of the innermost scope.
    ///
    /// # Panics
    ///
    /// Panics outside of a scope.
    #[track_caller]
    pub fn with<R>(&'static self, access: impl FnOnce(&T) -> R) -> R {
        match self.try_with(access) {
            Ok(result) => result,
            Err(error) => panic!("{error}: await this within `volt::task::scope`"),
        }
    }

    /// Calls `access` with the value of the innermost scope.
    ///
    /// # Errors
    ///
    /// Returns an error outside of a scope, and in destructors of other thread-locals at the end of
    /// a thread.
    pub fn try_with<R>(&'static self, access: impl FnOnce(&T) -> R) -> Result<R, OutOfScope> {
        let result = self.slots.try_with(|slots| slots.with(access));
        result.ok().flatten().ok_or(OutOfScope(()))
    }

    /// Clones the value of the innermost scope.
    ///
    /// # Panics
    ///
    /// Panics outside of a scope.
    #[must_use]
    #[track_caller]
    pub fn get(&'static self) -> T
    where
        T: Clone,
    {
        self.with(T::clone)
    }

    /// Clones the value of the innermost scope.
    ///
    /// # Errors
    ///
    /// Returns an error if [`try_with`](Self::try_with) does.
    pub fn try_get(&'static self) -> Result<T, OutOfScope>
    where
        T: Clone,
    {
        self.try_with(T::clone)
    }

    /// Sets the value during a call of `call`, for code without awaits.
    pub fn sync_scope<R>(&'static self, value: T, call: impl FnOnce() -> R) -> R {
        let mut value = Some(value);
        let _set = self.set(&mut value);
        call()
    }

    /// Moves the value to the thread until the guard is dropped.
    ///
    /// In destructors of other thread-locals the storage of the thread may be destroyed. The value
    /// is not moved then.
    pub(in crate::task) fn set<'a>(&'static self, value: &'a mut Option<T>) -> ScopeGuard<'a, T> {
        let enter = |slots: &TaskLocalStorage<T>| Some(slots.enter(value.take()?));
        let saved = self.slots.try_with(enter).ok().flatten();
        ScopeGuard {
            key: self,
            value,
            saved,
        }
    }
}

/// Moves the value of a scope back from the thread when it is dropped.
pub(in crate::task) struct ScopeGuard<'a, T: 'static> {
    key: &'static LocalKey<T>,
    value: &'a mut Option<T>,
    saved: Option<SavedValue<T>>,
}

impl<T> Drop for ScopeGuard<'_, T> {
    fn drop(&mut self) {
        let Some(saved) = self.saved.take() else {
            return;
        };
        let left = self.key.slots.try_with(|slots| slots.leave(saved));
        *self.value = left.ok().flatten();
    }
}

impl<T> fmt::Debug for LocalKey<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalKey").finish_non_exhaustive()
    }
}

/// The error of an access to a [`LocalKey`] outside of its scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfScope(());

impl fmt::Display for OutOfScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a task-local value outside of its scope")
    }
}

impl Error for OutOfScope {}

/// Declares keys of task-local values, see [`LocalKey`].
///
/// # Examples
///
/// ```
/// use volt::task::scope;
///
/// volt::task_local! {
///     /// The number of the current request.
///     pub static REQUEST: u32;
/// }
///
/// async fn log(line: &str) -> String {
///     format!("[{}] {line}", REQUEST.get())
/// }
///
/// volt::block_on(async {
///     assert_eq!(scope(&REQUEST, 7, log("begun")).await, "[7] begun");
///     assert!(REQUEST.try_with(|_| ()).is_err());
/// });
/// ```
#[macro_export]
macro_rules! task_local {
    ($($(#[$attribute:meta])* $visibility:vis static $name:ident: $value:ty);* $(;)?) => {$(
        $(#[$attribute])*
        $visibility static $name: $crate::task::LocalKey<$value> = {
            ::std::thread_local! {
                static SLOTS: $crate::task::__TaskLocalStorage<$value> =
                    const { $crate::task::__TaskLocalStorage::new() };
            }
            $crate::task::LocalKey::__new(SLOTS)
        };
    )*};
}
