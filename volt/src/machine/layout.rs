//! In which of the two layouts a machine is kept.

use core::fmt;

/// How a machine keeps what lives across its awaits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layout {
    /// A place for each local that lives across an await. Locals that never live at the same time share theirs.
    Explicit,
    /// The coroutine that the compiler makes of the function.
    Native {
        /// Why the machine is not explicit.
        why: &'static str,
        /// The line of what makes it so.
        line: u32,
        /// Where the coroutine lies.
        storage: Storage,
    },
}

/// Where a native machine keeps its coroutine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Storage {
    /// In the machine itself.
    Inline,
    /// In a box that the first poll allocates: the function has type parameters, so that the size
    /// of the coroutine is not known where the machine is declared.
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
