//! The productions that the generator may write.

/// Productions that can be left out.
#[derive(Clone, Debug)]
pub(crate) struct Switches {
    /// A local with a destructor is moved away on one way, and not on the other.
    pub(crate) conditional_moves: bool,
    /// `let` beside other conditions: since the edition 2024.
    pub(crate) let_chains: bool,
}

impl Default for Switches {
    /// The productions that the macro accepts.
    fn default() -> Self {
        Self {
            conditional_moves: true,
            let_chains: true,
        }
    }
}
