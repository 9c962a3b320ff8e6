//! Uses of a function's own name that mean the function.
//!
//! An argument, a local, an inner item or an import of the body may have the name of the function.
//! The scopes of the body show it, except for a glob import and a macro that declares items. In a
//! block with one of these, an await of a call by the name shows it: a valid function does not
//! await its own future without a box.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{
    Arm, Attribute, Block, Expr, ExprAsync, ExprAwait, ExprClosure, ExprForLoop, ExprIf, ExprPath,
    ExprWhile, Item, ItemFn, Macro, Pat, PatIdent, Signature, Stmt, UseTree,
};

use crate::names::known;

/// Returns `true` if a function may use its own name for itself.
pub(super) fn names_itself(item: &ItemFn) -> bool {
    let name = &item.sig.ident;
    let mut uses = OwnUses { name, found: false };
    uses.visit_item_fn(item);
    uses.found
}

struct OwnUses<'a> {
    name: &'a Ident,
    found: bool,
}

impl OwnUses<'_> {
    /// Returns `true` if a pattern binds the name.
    fn is_bound(&self, pat: &Pat) -> bool {
        let mut bound = NameBindings {
            name: self.name,
            found: false,
        };
        bound.visit_pat(pat);
        bound.found
    }

    /// Visits a condition. Returns `true` if it binds the name: `if let name = ..`.
    fn condition_binds(&mut self, condition: &Expr) -> bool {
        match condition {
            Expr::Let(condition) => {
                self.visit_expr(&condition.expr);
                self.is_bound(&condition.pat)
            }
            Expr::Binary(chain) => {
                self.condition_binds(&chain.left) || self.condition_binds(&chain.right)
            }
            _ => {
                self.visit_expr(condition);
                false
            }
        }
    }

    fn is_bound_by_argument(&self, sig: &Signature) -> bool {
        let mut inputs = sig.inputs.iter();
        inputs.any(|input| matches!(input, syn::FnArg::Typed(input) if self.is_bound(&input.pat)))
    }

    /// Returns `true` if an item of a block has the name, or imports it.
    fn is_declared_in(&self, block: &Block) -> bool {
        let mut items = block.stmts.iter().filter_map(item_of);
        items.any(|item| match item {
            Item::Fn(item) => item.sig.ident == *self.name,
            Item::Const(item) => item.ident == *self.name,
            Item::Static(item) => item.ident == *self.name,
            Item::Use(item) => imports(&item.tree, self.name),
            _ => false,
        })
    }

    fn is_path(&self, path: &syn::Path) -> bool {
        let mut segments = path.segments.iter().rev().map(|segment| &segment.ident);
        segments.next().is_some_and(|last| last == self.name) && segments.last().is_none_or(is_near)
    }

    fn scan(&mut self, tokens: TokenStream) {
        let mut before = [String::new(), String::new(), String::new()];
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match &token {
                // `stringify!(..)` calls nothing.
                TokenTree::Group(_) if before[1] == "stringify" && before[2] == "!" => {}
                TokenTree::Group(group) => self.scan(group.stream()),
                TokenTree::Ident(word) if word == self.name => {
                    let [module, colon, mark] = &before;
                    let is_other = match mark.as_str() {
                        "." => true,
                        ":" if colon == ":" => !["crate", "self", "super"].contains(&&**module),
                        _ => false,
                    };
                    let begins_path =
                        matches!(tokens.peek(), Some(TokenTree::Punct(it)) if it.as_char() == ':');
                    // A path of types may follow: `name::<u32>`.
                    self.found |= !is_other && (!begins_path || has_generics(&tokens));
                }
                _ => {}
            }
            before.rotate_left(1);
            before[2] = match token {
                TokenTree::Group(_) => String::new(),
                token => token.to_string(),
            };
        }
    }
}

/// Returns `true` if the tokens begin with `::<`.
fn has_generics(tokens: &(impl Iterator<Item = TokenTree> + Clone)) -> bool {
    let third = tokens.clone().nth(2);
    matches!(third, Some(TokenTree::Punct(third)) if third.as_char() == '<')
}

fn is_near(root: &Ident) -> bool {
    ["crate", "self", "super"].iter().any(|word| root == word)
}

fn item_of(stmt: &Stmt) -> Option<&Item> {
    match stmt {
        Stmt::Item(item) => Some(item),
        _ => None,
    }
}

/// Returns `true` if a block may bring in names that it does not show.
fn brings_names(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| match stmt {
        Stmt::Item(Item::Use(item)) => has_glob(&item.tree),
        Stmt::Item(Item::Macro(item)) => item.ident.is_none(),
        Stmt::Macro(stmt) => known(&stmt.mac).is_none(),
        _ => false,
    })
}

/// Returns `true` if a `use` imports the name, other than by a glob.
pub(super) fn imports(tree: &UseTree, name: &Ident) -> bool {
    match tree {
        UseTree::Path(path) => imports(&path.tree, name),
        UseTree::Name(item) => item.ident == *name,
        UseTree::Rename(item) => item.rename == *name,
        UseTree::Glob(_) => false,
        UseTree::Group(group) => group.items.iter().any(|tree| imports(tree, name)),
    }
}

/// Returns `true` if a `use` imports all names of a module.
pub(super) fn has_glob(tree: &UseTree) -> bool {
    match tree {
        UseTree::Path(path) => has_glob(&path.tree),
        UseTree::Glob(_) => true,
        UseTree::Group(group) => group.items.iter().any(has_glob),
        UseTree::Name(_) | UseTree::Rename(_) => false,
    }
}

impl<'ast> Visit<'ast> for OwnUses<'_> {
    fn visit_item_fn(&mut self, node: &'ast ItemFn) {
        if !self.is_bound_by_argument(&node.sig) {
            self.visit_block(&node.block);
        }
    }

    fn visit_block(&mut self, node: &'ast Block) {
        if self.is_declared_in(node) || brings_names(node) && awaits_directly(self.name, node) {
            return;
        }
        for stmt in &node.stmts {
            self.visit_stmt(stmt);
            if matches!(stmt, Stmt::Local(local) if self.is_bound(&local.pat)) {
                return;
            }
        }
    }

    fn visit_expr_closure(&mut self, node: &'ast ExprClosure) {
        if !node.inputs.iter().any(|pat| self.is_bound(pat)) {
            self.visit_expr(&node.body);
        }
    }

    fn visit_arm(&mut self, node: &'ast Arm) {
        if !self.is_bound(&node.pat) {
            visit::visit_arm(self, node);
        }
    }

    fn visit_expr_if(&mut self, node: &'ast ExprIf) {
        if !self.condition_binds(&node.cond) {
            self.visit_block(&node.then_branch);
        }
        if let Some((_, branch)) = &node.else_branch {
            self.visit_expr(branch);
        }
    }

    fn visit_expr_while(&mut self, node: &'ast ExprWhile) {
        if !self.condition_binds(&node.cond) {
            self.visit_block(&node.body);
        }
    }

    fn visit_expr_for_loop(&mut self, node: &'ast ExprForLoop) {
        self.visit_expr(&node.expr);
        if !self.is_bound(&node.pat) {
            self.visit_block(&node.body);
        }
    }

    fn visit_expr_path(&mut self, node: &'ast ExprPath) {
        self.found |= node.qself.is_none() && self.is_path(&node.path);
    }

    fn visit_macro(&mut self, node: &'ast Macro) {
        let is_printed = node
            .path
            .segments
            .last()
            .is_some_and(|it| it.ident == "stringify");
        if !is_printed {
            self.scan(node.tokens.clone());
        }
    }

    fn visit_attribute(&mut self, _: &'ast Attribute) {}
}

/// The patterns that bind a name.
struct NameBindings<'a> {
    name: &'a Ident,
    found: bool,
}

impl<'ast> Visit<'ast> for NameBindings<'_> {
    fn visit_pat_ident(&mut self, node: &'ast PatIdent) {
        self.found |= node.ident == *self.name;
        visit::visit_pat_ident(self, node);
    }
}

/// Returns `true` if a block awaits a call by the name, and not in an `async` block or a closure.
fn awaits_directly(name: &Ident, block: &Block) -> bool {
    struct Awaits<'a>(&'a Ident, bool);
    impl<'ast> Visit<'ast> for Awaits<'_> {
        fn visit_expr_await(&mut self, node: &'ast ExprAwait) {
            if let Expr::Call(call) = &*node.base
                && let Expr::Path(callee) = &*call.func
            {
                self.1 |= callee.path.is_ident(self.0);
            }
            visit::visit_expr_await(self, node);
        }

        fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}

        fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}

        fn visit_item(&mut self, _: &'ast Item) {}
    }
    let mut awaits = Awaits(name, false);
    awaits.visit_block(block);
    awaits.1
}

#[cfg(test)]
mod tests;
