//! The function's last expression: its temporaries are dropped before or after the locals, by the
//! edition.
//!
//! ```text
//! let mut page = slot_0.guard();                arguments stay outside
//! return Ready(tag.returned({                  the user's own braces: their edition decides
//!     let mut list = list;                     what the body declares
//!     count(&list.lock())                      before edition 2024 the lock is dropped after `list`
//! }))
//! ```

use proc_macro2::{Delimiter, Group, TokenStream};
use quote::{ToTokens, quote};

use super::block::BlockWriter;
use crate::cfg::End;
use crate::hir::{LocalId, Value, has_temporary};

impl BlockWriter<'_> {
    /// Opens the braces of the tail before a local of the body is declared, if the tail has
    /// temporaries. A `let _` may extend a temporary, and declares no local.
    ///
    /// The labels of all exits are opened before, because the braces end before the labels do:
    /// `let Some(page) = next else { wait().await; .. };` in front of the tail.
    pub(crate) fn open_tail(&mut self, locals: &[LocalId]) {
        let body = self.input.body;
        let is_parameter =
            |local: &LocalId| body.locals[local.0].is_argument() || body.parameters.contains(local);
        let own = |local: &LocalId| !is_parameter(local);
        let is_first = locals.is_empty() || locals.iter().any(own);
        if !self.code.is_tail_open() && is_first && self.tail_has_temporaries() {
            for to in self.exits.closed() {
                self.open(to);
            }
            self.code.open_tail();
        }
    }

    /// Returns `true` if the block returns the value of the function's body by an expression with
    /// temporaries. Temporaries of a branch end with the branch. The expression contains no jump,
    /// because it is in no loop. A `let` before it may continue in its `else`.
    fn tail_has_temporaries(&self) -> bool {
        let body = self.input.body;
        let end = &self.input.cfg.blocks[self.id.0].end;
        let root = &body.scopes[body.root.0];
        match (end, &root.value) {
            (End::Return(Some(value)), Some(Value::Expr(tail))) if value == tail => {
                has_temporary(&body.exprs[value.0])
            }
            _ => false,
        }
    }

    /// Closes the braces after the function's value.
    pub(crate) fn close_tail(&mut self, value: Option<TokenStream>) -> Option<TokenStream> {
        let Some(inner) = self.code.close_tail() else {
            return value;
        };
        let mut braces = Group::new(Delimiter::Brace, quote!(#inner #value));
        braces.set_span(self.input.item.block.brace_token.span.join());
        Some(braces.into_token_stream())
    }
}
