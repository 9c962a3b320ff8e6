//! The number of suspend points of a body.

use syn::Block;

use super::guards::repeated_awaits;
use super::hidden_awaits::Macros;

/// The most macros with slots for their awaits.
const MOST_MACROS: usize = 100;

/// Returns the number of slots for the suspend points of a body with marked awaits: one for each
/// site, two for each macro, which may await, and more if the compiler repeats guards. A suspend
/// point beyond them is not shown.
pub(in crate::native) fn suspend_points(sites: usize, macros: Macros, body: &Block) -> usize {
    sites + 2 * macros.count.min(MOST_MACROS) + repeated_awaits(body)
}
