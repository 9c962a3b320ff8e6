//! Jumps to loops and blocks of the tree, as leaf expressions contain them.

use syn::ExprBreak;

/// The label of a jump, without its number.
pub(in crate::hir) const JUMP: &str = "volt_jump_";

/// Returns the number of a jump: 3 for `break 'volt_jump_3 value`.
pub(crate) fn jump_of(node: &ExprBreak) -> Option<usize> {
    let label = node.label.as_ref()?.ident.to_string();
    label.strip_prefix(JUMP)?.parse().ok()
}
