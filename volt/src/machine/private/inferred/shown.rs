//! The question whether a local is `Debug`, asked without a bound.
//!
//! `(&Value(&local)).shown()` finds the method of [`WithDebug`] if the local's type is `Debug`, and one
//! reference away that of [`WithName`] if not: then the name of its type is shown.

use core::any::type_name;
use core::fmt;

/// A local, as a question.
#[derive(Debug)]
pub struct Value<'a, T>(pub &'a T);

/// What a local that is `Debug` is shown by.
pub trait WithDebug {
    /// Itself.
    fn shown(&self) -> &dyn fmt::Debug;
}

impl<T: fmt::Debug> WithDebug for Value<'_, T> {
    fn shown(&self) -> &dyn fmt::Debug {
        self.0
    }
}

/// What any other local is shown by.
pub trait WithName {
    /// The name of its type.
    fn shown(&self) -> &dyn fmt::Debug;
}

impl<T> WithName for &Value<'_, T> {
    fn shown(&self) -> &dyn fmt::Debug {
        const { &TypeName(type_name::<T>) }
    }
}

struct TypeName(fn() -> &'static str);

impl fmt::Debug for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str((self.0)())
    }
}

/// What a local is shown by that the awaited future has borrowed.
pub struct Lent;

impl fmt::Debug for Lent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<lent>")
    }
}
