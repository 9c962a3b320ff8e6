//! The pinned locals whose addresses an await needs.
//!
//! A coroutine stores the address and kind of a pinned local from its declaration on. Only awaits
//! beside the local read them, and these come after it. So a copy of the body is marked first, to
//! find the locals beside no await. The marks of the body itself leave them out.

use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Macro, Stmt};

use super::await_marker::AwaitMarker;
use super::pinned_locals::PinnedLocals;

impl AwaitMarker {
    /// Marks the awaits of the body of a function or `async` block.
    pub(super) fn mark_block(&mut self, block: &mut Block) {
        if self.is_traced && pins(block) {
            let (blocks, block_count) = (self.blocks.clone(), self.block_count);
            self.visit_block_mut(&mut block.clone());
            self.pinned = PinnedLocals::new(self.pinned.unheld());
            self.sites.clear();
            (self.label, self.hidden) = (None, None);
            (self.blocks, self.block_count) = (blocks, block_count);
        }
        self.visit_block_mut(block);
    }
}

impl PinnedLocals {
    /// Returns the pinned local of the current block that a statement awaits to its end: `x.await;`
    /// or `let n = x.as_mut().await?;`.
    pub(super) fn consumed_by(&self, stmt: &Stmt, block: (usize, usize)) -> Option<usize> {
        let expr = match stmt {
            Stmt::Local(local) => &*local.init.as_ref()?.expr,
            Stmt::Expr(expr, _) => expr,
            _ => return None,
        };
        let Expr::Await(node) = without_try(expr) else {
            return None;
        };
        let mut of_block = self.in_scope[block.0..].iter().copied();
        of_block.find(|index| self.is_only_of(&node.base, *index))
    }

    /// Removes a local that has ended, so that no later await is beside it.
    pub(super) fn end(&mut self, consumed: Option<usize>) {
        self.in_scope.retain(|index| Some(*index) != consumed);
    }
}

fn without_try(expr: &Expr) -> &Expr {
    match expr {
        Expr::Try(node) => without_try(&node.expr),
        other => other,
    }
}

/// Returns `true` if a statement of the body may pin a local.
fn pins(body: &Block) -> bool {
    struct Pins(bool);

    impl<'ast> Visit<'ast> for Pins {
        fn visit_macro(&mut self, mac: &'ast Macro) {
            let name = mac.path.segments.last();
            self.0 |= name.is_some_and(|name| name.ident == "pin" || name.ident == "pin_mut");
        }
    }

    let mut found = Pins(false);
    found.visit_block(body);
    found.0
}
