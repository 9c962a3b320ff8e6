//! Values that belong to a part of a task.

use super::task_local_storage::{SavedValue, TaskLocalStorage};
use std::error::Error;
use std::fmt;
use std::thread;

/// A value that code in a task finds without being handed it; made by
/// [`task_local!`](crate::task_local).
///
/// The value is there while a [`scope`](crate::task::scope()) is polled: its future, and whatever that
/// calls and awaits, sees it. Another task does not, and neither does one that is spawned within,
/// also where a blocking [`join`](crate::task::JoinHandle::join) or a
/// [`LocalRuntime`](crate::LocalRuntime) polls that task inside of the scope.
///
/// Nothing is allocated, and who has no scope pays nothing: the value stands in the scope's
/// future, and in the thread while that is polled. Only a scope that begins while
/// [`with`](Self::with) lends a value of the same key allocates.
pub struct LocalKey<T: 'static> {
    slots: thread::LocalKey<TaskLocalStorage<T>>,
}

impl<T: 'static> LocalKey<T> {
    /// Of a thread-local that nobody else knows.
    #[doc(hidden)]
    #[must_use]
    pub const fn __new(slots: thread::LocalKey<TaskLocalStorage<T>>) -> Self {
        Self { slots }
    }

    /// Lends the value of the innermost scope to `access`.
    ///
    /// # Panics
    ///
    /// Outside of every scope.
    #[track_caller]
    pub fn with<R>(&'static self, access: impl FnOnce(&T) -> R) -> R {
        match self.try_with(access) {
            Ok(result) => result,
            Err(error) => panic!("{error}: await this within `volt::task::scope`"),
        }
    }

    /// Lends the value of the innermost scope to `access`.
    ///
    /// # Errors
    ///
    /// Outside of every scope, and in destructors of other thread-locals when the thread ends.
    pub fn try_with<R>(&'static self, access: impl FnOnce(&T) -> R) -> Result<R, OutOfScope> {
        let lent = self.slots.try_with(|slots| slots.lend(access));
        lent.ok().flatten().ok_or(OutOfScope(()))
    }

    /// A copy of the value of the innermost scope.
    ///
    /// # Panics
    ///
    /// Outside of every scope.
    #[must_use]
    #[track_caller]
    pub fn get(&'static self) -> T
    where
        T: Clone,
    {
        self.with(T::clone)
    }

    /// A copy of the value of the innermost scope.
    ///
    /// # Errors
    ///
    /// As [`try_with`](Self::try_with).
    pub fn try_get(&'static self) -> Result<T, OutOfScope>
    where
        T: Clone,
    {
        self.try_with(T::clone)
    }

    /// Calls `call` with the value set, for code that awaits nothing.
    pub fn sync_scope<R>(&'static self, value: T, call: impl FnOnce() -> R) -> R {
        let mut value = Some(value);
        let _set = self.set(&mut value);
        call()
    }

    /// Moves the value to the thread, until the guard is dropped.
    ///
    /// In destructors of other thread-locals the thread may have no place for it any more. Then it
    /// stays where it is.
    pub(in crate::task) fn set<'a>(&'static self, value: &'a mut Option<T>) -> ScopeGuard<'a, T> {
        let enter = |slots: &TaskLocalStorage<T>| Some(slots.enter(value.take()?));
        let displaced = self.slots.try_with(enter).ok().flatten();
        ScopeGuard {
            key: self,
            value,
            displaced,
        }
    }
}

/// The time during which the thread has the value of a scope.
pub(in crate::task) struct ScopeGuard<'a, T: 'static> {
    key: &'static LocalKey<T>,
    value: &'a mut Option<T>,
    displaced: Option<SavedValue<T>>,
}

impl<T> Drop for ScopeGuard<'_, T> {
    fn drop(&mut self) {
        let Some(displaced) = self.displaced.take() else {
            return;
        };
        let left = self.key.slots.try_with(|slots| slots.leave(displaced));
        *self.value = left.ok().flatten();
    }
}

impl<T> fmt::Debug for LocalKey<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalKey").finish_non_exhaustive()
    }
}

/// There is no scope of a [`LocalKey`] here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfScope(());

impl fmt::Display for OutOfScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a task-local value outside of its scope")
    }
}

impl Error for OutOfScope {}

/// Declares [`LocalKey`](crate::task::LocalKey)s.
///
/// # Examples
///
/// ```
/// use volt::task::scope;
///
/// volt::task_local! {
///     /// Which request this is about.
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
