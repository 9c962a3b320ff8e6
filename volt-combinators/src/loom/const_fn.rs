//! Functions that loom does not let be constant.

/// A function that is `const`, but not under loom, whose atomics are made at run time.
macro_rules! const_unless_loom {
    ($(#[$meta:meta])* $vis:vis fn $($rest:tt)+) => {
        #[cfg(not(loom))]
        $(#[$meta])*
        $vis const fn $($rest)+
        #[cfg(loom)]
        $(#[$meta])*
        $vis fn $($rest)+
    };
}
pub(crate) use const_unless_loom;
