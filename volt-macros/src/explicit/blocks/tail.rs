//! The function's last expression: what it leaves without a name ends with the locals, as the edition says.
//!
//! ```text
//! let mut page = slot_0.guard();                arguments stay outside
//! return Ready(tag.returned({                  the user's own braces: their edition decides
//!     let mut list = list;                     what the body declares
//!     count(&list.lock())                      before 2024 the lock ends behind `list`
//! }))
//! ```

use proc_macro2::{Delimiter, Group, TokenStream};
use quote::{ToTokens, quote};

use super::block::BlockWriter;
use crate::cfg::End;
use crate::hir::{LocalId, Value, has_temporary};

impl BlockWriter<'_> {
    /// Opens the braces of the tail before a local of the body is declared, if the tail leaves anything. A `let _` may
    /// keep something alive, and declares none.
    pub(crate) fn open_tail(&mut self, locals: &[LocalId]) {
        let body = self.input.body;
        let is_parameter =
            |local: &LocalId| body.locals[local.0].is_argument() || body.parameters.contains(local);
        let own = |local: &LocalId| !is_parameter(local);
        let is_first = locals.is_empty() || locals.iter().any(own);
        if self.before_tail.is_none() && is_first && self.tail_has_temporaries() {
            self.before_tail = Some(std::mem::take(&mut self.code));
        }
    }

    /// Whether the block gives the value of the function's own block by an expression with temporaries; those of a
    /// branch end with the branch. Nothing in it jumps: it stands in no loop.
    fn tail_has_temporaries(&self) -> bool {
        let body = self.input.body;
        let end = &self.input.cfg.blocks[self.id.0].end;
        let root = &body.scopes[body.root.0];
        match (end, &root.value) {
            (End::Return(Some(value)), Some(Value::Expr(tail))) if value == tail => {
                self.open.is_empty() && has_temporary(&body.exprs[value.0])
            }
            _ => false,
        }
    }

    /// How many braces are open.
    pub(crate) fn open_count(&self) -> usize {
        self.open.len() + usize::from(self.before_tail.is_some())
    }

    /// Closes the braces behind the function's value.
    pub(crate) fn close_tail(&mut self, value: Option<TokenStream>) -> Option<TokenStream> {
        let Some(before) = self.before_tail.take() else {
            return value;
        };
        let inner = std::mem::replace(&mut self.code, before);
        let inner: TokenStream = inner.into_iter().collect();
        let mut braces = Group::new(Delimiter::Brace, quote!(#inner #value));
        braces.set_span(self.input.item.block.brace_token.span.join());
        Some(braces.into_token_stream())
    }
}
