//! References in the place of locals that a macro names.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Macro;

use super::print_expr::Printer;
use crate::hir::facts::Use;
use crate::names::is_event;
use crate::resolve::{LocalId, named_in};
use crate::syntax::Arguments;

impl Printer<'_> {
    /// Returns a macro that is known only by its crate, with references in the places of the locals
    /// that are in their fields.
    pub(super) fn with_references(&self, mac: &Macro) -> Option<TokenStream> {
        if Arguments::of(mac).is_some() || !is_event(mac) {
            return None;
        }
        let named: BTreeSet<LocalId> = named_in(&mac.tokens, &self.body.names)
            .into_iter()
            .collect();
        let named = named.into_iter().map(|id| {
            let name = self.body.locals[id.0].ident.to_token_stream();
            (name, self.rewrite.local(id, Use::Shared))
        });
        let in_fields = named.filter(|(name, place)| name.to_string() != place.to_string());
        let (names, places): (Vec<_>, Vec<_>) = in_fields.unzip();
        (!names.is_empty()).then(|| quote!(match (#(&#places,)*) { (#(#names,)*) => #mac }))
    }
}
