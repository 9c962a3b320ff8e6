//! The effect of a child's panic on its siblings.

/// The effect of a child's panic on its siblings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Cancels the siblings. [`Group::wait`](super::Group::wait) resumes the panic when all have
    /// been dropped.
    #[default]
    FailFast,
    /// Does not affect the siblings.
    Supervise,
}
