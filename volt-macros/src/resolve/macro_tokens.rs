//! The tokens of a macro: names of locals, and formatted addresses.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::Macro;

use super::scopes::Scopes;
use crate::fallback::FallbackReason;
use crate::names::{any_token, is_json};
use crate::syntax::{captured, contains_ident, words};

impl Scopes<'_> {
    /// Notes the locals that occur in the tokens of an unknown macro.
    pub(super) fn check_unknown_macro(&mut self, mac: &Macro) {
        for (name, span) in words(mac.tokens.clone()) {
            let Some(local) = self.lookup(&name) else {
                continue;
            };
            let place = Ident::new(local.name.trim_start_matches("r#"), span);
            if local.ident != name {
                self.fallbacks.note(FallbackReason::ShadowedInMacro, &place);
            }
            self.check_expansion(&name, &place);
        }
    }

    /// Notes a macro whose texts capture a local that none of its words names. Liveness reads only
    /// the words.
    pub(super) fn captures(&mut self, mac: &Macro) {
        let is_hidden =
            |name: &str| self.lookup(name).is_some() && !contains_ident(mac.tokens.clone(), name);
        let mut names = words(mac.tokens.clone()).into_iter();
        if !is_json(mac) && names.any(|(name, _)| is_hidden(&name)) {
            self.fallbacks.note(FallbackReason::UnknownMacro, mac);
        }
    }

    /// Notes a text that formats an address, and the names that texts capture and no local has.
    pub(super) fn check_texts(&mut self, tokens: &TokenStream) {
        any_token(tokens.clone(), &mut |token| {
            if let TokenTree::Literal(literal) = token {
                let text = literal.to_string();
                if prints_address(&text) {
                    self.fallbacks.note(FallbackReason::Address, literal);
                }
                let is_named = |name: &&str| contains_ident(tokens.clone(), name);
                for name in captured(&text).filter(|name| !is_named(name)) {
                    if self.lookup(name).is_none() {
                        let visible = self.visible.iter().map(|(_, id)| &self.locals[id.0]);
                        self.similar.add(name, visible);
                    }
                }
            }
            false
        });
    }
}

/// Returns `true` if a literal formats an address: `"{x:p}"`, `"{:#p}"`.
fn prints_address(literal: &str) -> bool {
    let pieces = literal.split('{').skip(1);
    let mut inside = pieces.filter_map(|piece| piece.split_once('}'));
    inside.any(|(inside, _)| {
        let format = inside.split_once(':').map(|(_, format)| format.trim_end());
        format.is_some_and(|format| format.ends_with('p'))
    })
}
