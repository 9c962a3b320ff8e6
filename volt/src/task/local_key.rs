//! Values that belong to a part of a task.

use std::cell::{BorrowError, RefCell};
use std::error::Error;
use std::fmt;
use std::thread;

/// A value that code in a task finds without being handed it; made by
/// [`task_local!`](crate::task_local).
///
/// The value is there while a [`scope`](super::scope()) is polled: its future, and whatever that
/// calls and awaits, sees it. Another task does not, and neither does one that is spawned within.
/// Nothing is allocated, and who has no scope pays nothing: the value stands in the scope's
/// future, and in the thread while that is polled.
pub struct LocalKey<T: 'static> {
    current: thread::LocalKey<RefCell<Option<T>>>,
}

impl<T: 'static> LocalKey<T> {
    /// Of a thread-local that nobody else knows.
    #[doc(hidden)]
    #[must_use]
    pub const fn __new(current: thread::LocalKey<RefCell<Option<T>>>) -> Self {
        Self { current }
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
        let lent = self.current.try_with(|current| {
            let current = current.try_borrow().map_err(being_changed)?;
            current.as_ref().map(access).ok_or(OutOfScope(()))
        });
        lent.unwrap_or(Err(OutOfScope(())))
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

    /// Calls `call` with the value set, for code that awaits nothing.
    ///
    /// # Panics
    ///
    /// As `call` does, and while [`with`](Self::with) lends a value of this key.
    #[track_caller]
    pub fn sync_scope<R>(&'static self, value: T, call: impl FnOnce() -> R) -> R {
        let mut value = Some(value);
        let _swapped = self.swap(&mut value);
        call()
    }

    /// Exchanges the value for that of the thread, until the guard is dropped.
    #[track_caller]
    pub(super) fn swap<'a>(&'static self, value: &'a mut Option<T>) -> Swapped<'a, T> {
        self.exchange(value);
        Swapped { key: self, value }
    }

    #[track_caller]
    fn exchange(&'static self, value: &mut Option<T>) {
        self.current.with(|current| match current.try_borrow_mut() {
            Ok(mut current) => std::mem::swap(&mut *current, value),
            Err(_) => panic!("a scope within `LocalKey::with` of the same key: its value is lent"),
        });
    }
}

/// A value of a key that is borrowed is on its way in or out.
fn being_changed(_: BorrowError) -> OutOfScope {
    OutOfScope(())
}

/// The time during which the thread has the value of a scope.
pub(super) struct Swapped<'a, T: 'static> {
    key: &'static LocalKey<T>,
    value: &'a mut Option<T>,
}

impl<T> Drop for Swapped<'_, T> {
    fn drop(&mut self) {
        self.key.exchange(self.value);
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
                static CURRENT: ::std::cell::RefCell<::std::option::Option<$value>> =
                    const { ::std::cell::RefCell::new(::std::option::Option::None) };
            }
            $crate::task::LocalKey::__new(CURRENT)
        };
    )*};
}
