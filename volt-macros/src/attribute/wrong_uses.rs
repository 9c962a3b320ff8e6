//! Functions with a certain error, which stay as they are.

use syn::{Block, Signature};

use crate::signature::FunctionTokens;
use crate::syntax::{forgets_own_await, names_wrong_object};

/// Returns `true` if a function uses its own future as a value, or names a `dyn` type that does not
/// exist. `is_inherent` is that of a method outside of a trait, and none of a function.
///
/// The words decide first, because a search of the syntax takes longer.
pub(super) fn has_wrong_use(
    tokens: &FunctionTokens,
    sig: &Signature,
    body: &Block,
    is_inherent: Option<bool>,
) -> bool {
    !tokens.has_once(&sig.ident.to_string()) && forgets_own_await(sig, body, is_inherent)
        || tokens.contains("dyn") && names_wrong_object(tokens.tokens())
}
