//! The macros of a body, which may await.

use syn::visit::{self, Visit};
use syn::{Block, ExprAsync, ExprClosure, ExprConst, Ident, Item, Macro};

use crate::names::{BranchMacro, branch_macro, is_event, is_matches, known, last_of};
use crate::syntax::{contains_ident, imports_only_from, visible_awaits};

/// The macros of a body outside of its `async` blocks and closures.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::native) struct Macros {
    /// The number of macros.
    pub(in crate::native) count: usize,
    /// `true` if one of them may await.
    pub(in crate::native) may_await: bool,
    /// `true` if one of them may await, or is not known.
    pub(in crate::native) may_wait: bool,
    /// `true` if one of them has branches, which a trace shows.
    pub(in crate::native) has_branches: bool,
}

impl Macros {
    /// Returns the macros of a body.
    pub(in crate::native) fn of(body: &Block) -> Self {
        let mut macros = Self::default();
        macros.visit_block(body);
        macros
    }
}

impl<'ast> Visit<'ast> for Macros {
    fn visit_macro(&mut self, mac: &'ast Macro) {
        if let Some(arguments) = visible_awaits(mac) {
            let values = arguments.values();
            return values.for_each(|value| self.visit_expr(value));
        }
        self.count += 1;
        self.may_await |= awaits(mac);
        let is_known = known(mac).is_some() || is_matches(mac) || is_event(mac);
        self.may_wait |= awaits(mac) || !is_known;
        self.has_branches |= with_branches(mac).is_some();
        visit::visit_macro(self, mac);
    }

    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}

    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}

    fn visit_expr_const(&mut self, _: &'ast ExprConst) {}

    fn visit_item(&mut self, _: &'ast Item) {}
}

/// Returns the kind of a macro with branches, which is known by its path or its only import.
pub(in crate::native) fn with_branches(mac: &Macro) -> Option<BranchMacro> {
    let is_from =
        |name: &Ident, root: &str| imports_only_from(name.span(), root, &name.to_string());
    branch_macro(mac, is_from)
}

/// Returns `true` if a macro may await: its tokens contain `await`, or its name is known.
pub(in crate::native) fn awaits(mac: &Macro) -> bool {
    const KNOWN: &[&str] = &["select", "select_biased", "join", "try_join"];
    last_of(&mac.path).is_some_and(|last| KNOWN.iter().any(|name| last == name))
        || contains_ident(mac.tokens.clone(), "await")
}
