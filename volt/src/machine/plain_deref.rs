//! Pointers that only find what they point to.

use core::cell::{LazyCell, Ref, RefMut};
use core::mem::ManuallyDrop;
use core::ops::Deref;
use core::panic::AssertUnwindSafe;
use core::pin::Pin;

/// A pointer whose `deref` and `deref_mut` do nothing but find the same place, each time.
///
/// A machine does not store what it lends to a call, and finds it again at each poll. Where a pointer
/// is on the way, its `deref` is called again, and if that counted, say, or pointed somewhere else
/// the next time, the machine would behave otherwise than the function as it was written. So on the
/// way to what is lent, and to what stands before an await in the same expression, only pointers of the
/// standard library are allowed, and those for which this trait makes the promise:
///
/// ```
/// use std::ops::Deref;
/// use volt::machine::PlainDeref;
/// # use volt::task::yield_now;
///
/// struct Settings {
///     name: String,
/// }
///
/// struct Handle(Box<Settings>);
///
/// impl Deref for Handle {
///     type Target = Settings;
///
///     fn deref(&self) -> &Settings {
///         &self.0
///     }
/// }
///
/// impl PlainDeref for Handle {}
///
/// #[volt::state_machine]
/// async fn length(name: &str) -> usize {
///     yield_now().await;
///     name.len()
/// }
///
/// #[volt::state_machine]
/// async fn of_handle(handle: Handle) -> usize {
///     length(&handle.name).await
/// }
/// # let handle = Handle(Box::new(Settings { name: "volt".to_owned() }));
/// # assert_eq!(volt::block_on(of_handle(handle)), 4);
/// ```
///
/// A pointer that breaks the promise does no harm but that.
#[diagnostic::on_unimplemented(
    message = "`{Self}` may do more in its `deref` than to find a place",
    label = "what `*` gives here would be looked for later, or again at each poll",
    note = "take the value before: `let value: T = ..;`, and use `value`",
    note = "if its `deref` does but find the same place: `impl volt::machine::PlainDeref for ..`",
    note = "book: rules.md#pointers-of-your-own"
)]
pub trait PlainDeref: Deref {}

impl<T: ?Sized> PlainDeref for &T {}
impl<T: ?Sized> PlainDeref for &mut T {}
impl<P: PlainDeref> PlainDeref for Pin<P> {}
impl<T: ?Sized> PlainDeref for Ref<'_, T> {}
impl<T: ?Sized> PlainDeref for RefMut<'_, T> {}
impl<T: ?Sized> PlainDeref for ManuallyDrop<T> {}
impl<T> PlainDeref for AssertUnwindSafe<T> {}
impl<T, F: FnOnce() -> T> PlainDeref for LazyCell<T, F> {}

#[cfg(feature = "std")]
mod of_std {
    use std::borrow::Cow;
    use std::collections::binary_heap::PeekMut;
    use std::ffi::{CStr, CString, OsStr, OsString};
    use std::path::{Path, PathBuf};
    use std::rc::Rc;
    use std::sync::{Arc, LazyLock, MutexGuard, RwLockReadGuard, RwLockWriteGuard};

    use super::PlainDeref;

    impl<T: ?Sized> PlainDeref for Box<T> {}
    impl<T: ?Sized> PlainDeref for Rc<T> {}
    impl<T: ?Sized> PlainDeref for Arc<T> {}
    impl<T> PlainDeref for Vec<T> {}
    impl PlainDeref for String {}
    impl PlainDeref for PathBuf {}
    impl PlainDeref for OsString {}
    impl PlainDeref for CString {}
    impl PlainDeref for Cow<'_, str> {}
    impl PlainDeref for Cow<'_, Path> {}
    impl PlainDeref for Cow<'_, OsStr> {}
    impl PlainDeref for Cow<'_, CStr> {}
    impl<T: Clone> PlainDeref for Cow<'_, [T]> {}
    impl<T: ?Sized> PlainDeref for MutexGuard<'_, T> {}
    impl<T: ?Sized> PlainDeref for RwLockReadGuard<'_, T> {}
    impl<T: ?Sized> PlainDeref for RwLockWriteGuard<'_, T> {}
    impl<T: Ord> PlainDeref for PeekMut<'_, T> {}
    impl<T, F: FnOnce() -> T> PlainDeref for LazyLock<T, F> {}
}
