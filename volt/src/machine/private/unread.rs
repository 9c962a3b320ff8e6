//! A body that the macro cannot read.

/// The body itself: somebody is still typing it. The compiler reads it here as it did in front of the macro, finds the same
/// wrong, and shows that once.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_unread {
    ($body:tt) => {
        $body
    };
}
