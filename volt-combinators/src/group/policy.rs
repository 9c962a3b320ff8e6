//! What the panic of a child means for its siblings.

/// What the panic of a child means for its siblings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// It cancels them; [`Group::wait`](super::Group::wait) resumes it when all are gone.
    #[default]
    FailFast,
    /// It is one child's own affair.
    Supervise,
}
