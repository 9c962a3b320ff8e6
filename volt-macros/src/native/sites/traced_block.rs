//! The `async` blocks of a body: each records its own awaits, in a table of its own.
//!
//! ```text
//! async { leaf().await }
//!
//! compact_block::<__FetchBlock0Table, _>(async {
//!     let arguments_ptr = compact_block_ptr();
//!     AwaitOperand(leaf()).__volt_compact::<__FetchBlock0Table, 1, _>(..).await
//! })
//! ```
//!
//! A block with a macro that has branches becomes a `traced_block`, which records its position.
//!
//! An `async` closure keeps its own future: a block that a closure returns cannot borrow from the
//! captures of the closure. The blocks in an `async` closure are traced.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::token::Paren;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprAsync, ExprCall, ExprClosure, parse_quote_spanned};

use super::super::native_machine::arguments_ptr;
use super::super::rows::{number, slots, state, step};
use super::super::walks::{Macros, suspend_points, transitions};
use super::await_marker::AwaitMarker;
use super::pinned_locals::PinnedLocals;

impl AwaitMarker {
    /// Returns a marker for code whose awaits belong to another future.
    fn nested(&mut self, is_traced: bool) -> Self {
        Self {
            awaited: self.awaited.clone(),
            private: self.private.clone(),
            probe: self.probe.clone(),
            table: self.table.clone(),
            is_own: true,
            is_compact: false,
            depends_on_types: self.depends_on_types,
            is_traced,
            sites: Vec::new(),
            label: None,
            hidden: None,
            pinned: PinnedLocals::default(),
            denies_dormant: false,
            traces_blocks: self.traces_blocks,
            machine: self.machine.clone(),
            blocks: std::mem::take(&mut self.blocks),
            block_count: self.block_count,
        }
    }

    /// Ends nested code.
    fn end_nested(&mut self, nested: &mut Self) {
        self.blocks = std::mem::take(&mut nested.blocks);
        self.block_count = nested.block_count;
        self.pinned.has_bare_pin |= nested.pinned.has_bare_pin;
    }

    /// Traces the blocks in a closure.
    pub(super) fn trace_blocks_of(&mut self, closure: &mut ExprClosure) {
        if self.traces_blocks {
            let mut nested = self.nested(false);
            nested.visit_expr_mut(&mut closure.body);
            self.end_nested(&mut nested);
        }
    }

    /// Marks the awaits of a block, which becomes a future that records them. A block without
    /// awaits is not changed.
    pub(super) fn trace_block(&mut self, expr: &mut Expr) {
        let Expr::Async(block) = expr else {
            return;
        };
        if !self.traces_blocks {
            return;
        }
        let mut nested = self.nested(true);
        nested.table = format_ident!("__{}Block{}Table", self.machine, nested.block_count);
        nested.block_count += 1;
        let macros = Macros::of(&block.block);
        nested.is_compact = !macros.has_branches;
        let is_compact = nested.is_compact;
        nested.mark_block(&mut block.block);
        self.end_nested(&mut nested);
        if nested.sites.is_empty() {
            return;
        }
        let table = nested.table.clone();
        self.blocks.push(nested.table_of_block(block, macros));
        let (private, ptr) = (&self.private, arguments_ptr());
        let span = Span::mixed_site().located_at(block.span());
        let names = if is_compact {
            ["compact_block_ptr", "compact_block"]
        } else {
            ["block_ptr", "traced_block"]
        };
        let [begin, traced] = names.map(|name| Ident::new(name, span));
        let begin = parse_quote_spanned!(span=> let #ptr = #private::#begin(););
        block.block.stmts.insert(0, begin);
        let traced = quote_spanned!(span=> #private::#traced::<#table, _>);
        let block = std::mem::replace(expr, Expr::PLACEHOLDER);
        *expr = Expr::Call(ExprCall {
            attrs: Vec::new(),
            func: Box::new(Expr::Verbatim(traced)),
            paren_token: Paren(span),
            args: Punctuated::from_iter([block]),
        });
    }

    /// Returns the table of a block whose awaits are marked.
    fn table_of_block(self, block: &ExprAsync, macros: Macros) -> TokenStream {
        let (private, table) = (self.private, self.table);
        let name = format!("{}::{{async block}}", self.machine);
        let place = block.async_token.span;
        let last = self.sites.len() + 1;
        let sites = self.sites.iter();
        let sites = sites.map(|site| state(&site.title, site.span));
        let (start, done) = (state("start", place), state("done", place));
        let steps = transitions(&block.block, last);
        let (count, taken) = (number(last + 1), number(steps.len()));
        let steps = steps.into_iter().map(step);
        let line = number(place.start().line);
        let hides = (self.is_compact && macros.may_await).then(|| quote!(hides awaits true));
        let points = self.is_compact.then(|| {
            let count = suspend_points(self.sites.len(), macros, &block.block);
            let points = slots(count, self.depends_on_types);
            quote!(suspend points #points)
        });
        let pinned = self.pinned.into_rows().into_iter().map(|local| local.name);
        quote! {
            #private::block_table! {
                #table #name
                states #count [#start, #(#sites,)* #done]
                steps #taken [#(#steps),*]
                on #line
                pinned [#(#pinned),*]
                #hides
                #points
            }
        }
    }
}
