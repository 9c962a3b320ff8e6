//! Types that were taken from initial values, written on their `let`s.

use quote::quote;
use syn::Pat;

use super::segment::Segment;
use crate::state_machine::body::LocalId;

impl Segment<'_> {
    /// Writes the type that a local was given, for the compiler to compare.
    pub(super) fn ascribe(&self, pat: &mut Pat, locals: &[LocalId]) {
        if let &[local] = locals
            && let info = &self.machine.body.locals[local]
            && info.ascribed
            && !info.in_pattern
            && let Some(ty) = &info.ty
        {
            *pat = Pat::Verbatim(quote!(#pat: #ty));
        }
    }
}
