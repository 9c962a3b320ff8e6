//! The two layouts of a machine.

use core::fmt;

/// The layout of the values that are live across the awaits of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layout {
    /// Each local that is live across an await has a slot. Locals that are never live at the same
    /// time share bytes.
    Explicit,
    /// The coroutine that the compiler makes of the function.
    Native {
        /// The reason for which the machine is not explicit.
        why: &'static str,
        /// The source line of that reason.
        line: u32,
        /// The storage of the coroutine.
        storage: Storage,
    },
}

/// The storage of the coroutine of a native machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Storage {
    /// In the machine itself.
    Inline,
    /// In a box that the first poll allocates. The function has type parameters, so the size of the
    /// coroutine is not known where the machine is declared.
    Boxed,
}

impl fmt::Display for Layout {
    /// Writes `explicit`, `native` or `native, boxed`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Explicit => "explicit",
            Self::Native {
                storage: Storage::Inline,
                ..
            } => "native",
            Self::Native { .. } => "native, boxed",
        })
    }
}
