//! A local that is moved away on some paths only, inside a segment.
//!
//! In a state such a local is there or it is not: there is a variant for each. Between two states
//! the code is written once for both, and the local is a [`Maybe`]. The compiler has checked the
//! user's own text, in the native twin, so a value that is looked at or taken is there.
//!
//! A pattern takes it apart in every edition:
//!
//! ```edition2021
//! #[volt::state_machine]
//! async fn told(checked: Result<u32, String>, early: bool, delay: std::future::Ready<()>) -> usize {
//!     if early {
//!         if let Err(error) = checked {
//!             return error.len();
//!         }
//!     }
//!     delay.await;
//!     0
//! }
//!
//! let machine = told(Err(String::from("four")), true, std::future::ready(()));
//! assert_eq!(futures_lite::future::block_on(machine), 4);
//! ```

use core::fmt;
use core::ops::{Deref, DerefMut};

/// A value that may have been moved away.
pub struct Maybe<T>(Option<T>);

impl<T> Maybe<T> {
    /// A local with a value.
    #[inline]
    #[must_use]
    pub const fn some(value: T) -> Self {
        Self(Some(value))
    }

    /// A local whose value was moved away, or that has none yet.
    #[inline]
    #[must_use]
    pub const fn none() -> Self {
        Self(None)
    }

    /// Moves the value away.
    ///
    /// # Panics
    ///
    /// Panics if it is gone, which the compiler rules out in the native twin.
    #[inline]
    #[must_use = "the value is moved out of the local"]
    #[track_caller]
    pub fn take(&mut self) -> T {
        match self.0.take() {
            Some(value) => value,
            None => gone(),
        }
    }

    /// What becomes of the local at a suspend point.
    #[inline]
    #[must_use = "the value is moved out of the local"]
    pub fn into_option(self) -> Option<T> {
        self.0
    }

    /// The local in another form.
    #[inline]
    #[must_use = "the value is moved out of the local"]
    pub fn map<U>(self, form: impl FnOnce(T) -> U) -> Maybe<U> {
        Maybe(self.0.map(form))
    }
}

impl<T> Deref for Maybe<T> {
    type Target = T;

    #[inline]
    #[track_caller]
    fn deref(&self) -> &T {
        match &self.0 {
            Some(value) => value,
            None => gone(),
        }
    }
}

impl<T> DerefMut for Maybe<T> {
    #[inline]
    #[track_caller]
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.0 {
            Some(value) => value,
            None => gone(),
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Maybe<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: fmt::Display> fmt::Display for Maybe<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// Where a local is asked for that is gone, which the native twin rules out.
///
/// # Panics
///
/// Always.
#[cold]
#[track_caller]
pub fn gone() -> ! {
    panic!("a local of a state machine was used after it was moved")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taken_value_is_gone() {
        let mut local = Maybe::some(String::from("there"));
        assert_eq!(local.len(), 5);
        local.push('!');
        assert_eq!(format!("{local} {local:?}"), "there! \"there!\"");
        assert_eq!(local.take(), "there!");
        assert!(local.into_option().is_none());
    }

    #[test]
    #[should_panic(expected = "used after it was moved")]
    fn second_take_panics() {
        let mut local = Maybe::some(1);
        let _ = local.take();
        let _ = local.take();
    }

    #[test]
    fn form_of_nothing_is_nothing() {
        assert!(Maybe::<u8>::none().map(u16::from).into_option().is_none());
        assert_eq!(Maybe::some(3_u8).map(u16::from).into_option(), Some(3));
    }
}
