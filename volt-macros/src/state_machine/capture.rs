//! What a closure or an `async` block captures of the locals around it, and how much of it.
//!
//! With `move` a local that is named is moved into it, and is gone. Of a local whose field is named,
//! only that is captured: a copy, or a move of a part. And a name may mean something else there.

use proc_macro2::{Ident, TokenStream};
use syn::visit::{self, Visit};
use syn::{
    Arm, Block, Expr, ExprAssign, ExprClosure, ExprForLoop, ExprIf, ExprLet, ExprMatch, ExprWhile,
    Item, Local, Macro, Pat,
};

use super::heads::read_variant;
use super::macros::{Known, formatted, known};
use super::pattern::{is_binding, unascribed};
use super::scope::{bindings, items, mentioned, names_of_item, plain_name};

/// How much of a local is captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Captured {
    /// A part of it, or nobody knows what a macro does with it.
    Part,
    Whole,
}

/// What is captured of the local `name` in a closure or an `async` block.
pub(crate) fn captured(expr: &Expr, name: &str) -> Option<Captured> {
    captured_by(expr, name).0
}

/// The same, and the macros and variants that this is so by, if they are those of the standard library.
pub(crate) fn captured_by(expr: &Expr, name: &str) -> (Option<Captured>, Vec<Ident>) {
    let mut captures = Captures {
        name,
        hidden: false,
        found: None,
        relied: Vec::new(),
    };
    match expr {
        Expr::Closure(closure) => captures.visit_expr_closure(closure),
        other => visit::visit_expr(&mut captures, other),
    }
    (captures.found, captures.relied)
}

struct Captures<'n> {
    name: &'n str,
    /// Whether the name means something else here.
    hidden: bool,
    found: Option<Captured>,
    /// The macros and variants that take it whole, or others.
    relied: Vec<Ident>,
}

impl Captures<'_> {
    fn note(&mut self, captured: Captured) {
        if !self.hidden {
            self.found = self.found.max(Some(captured));
        }
    }

    fn is_it(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(paren) => self.is_it(&paren.expr),
            _ => plain_name(expr).is_some_and(|name| name == self.name),
        }
    }

    fn scoped(&mut self, body: impl FnOnce(&mut Self)) {
        let hidden = self.hidden;
        body(self);
        self.hidden = hidden;
    }

    fn hide(&mut self, pat: &Pat) {
        self.hidden |= bindings(pat).iter().any(|it| it.ident == self.name);
    }

    /// What is matched by a pattern: by name as a whole, or part by part.
    fn matched(&mut self, expr: &Expr, whole: bool) {
        match self.is_it(expr) {
            true if whole => self.note(Captured::Whole),
            true => self.note(Captured::Part),
            false => self.visit_expr(expr),
        }
    }

    fn reads<'p>(&mut self, pats: impl Iterator<Item = &'p Pat>) -> bool {
        let (whole, relied) = read_variant(pats);
        self.relied.extend(relied);
        whole
    }

    fn tokens(&mut self, tokens: TokenStream) {
        let mut words = Vec::new();
        mentioned(tokens, &mut words);
        if words.iter().any(|word| word == self.name) {
            self.note(Captured::Part);
        }
    }
}

/// `x` in `x.a.b`.
fn root(place: &Expr) -> &Expr {
    match place {
        Expr::Field(field) => root(&field.base),
        Expr::Paren(paren) => root(&paren.expr),
        Expr::Group(group) => root(&group.expr),
        other => other,
    }
}

impl<'ast> Visit<'ast> for Captures<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            _ if self.is_it(expr) => self.note(Captured::Whole),
            Expr::Field(_) if self.is_it(root(expr)) => self.note(Captured::Part),
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_expr_assign(&mut self, node: &'ast ExprAssign) {
        if !(matches!(*node.left, Expr::Infer(_)) && self.is_it(&node.right)) {
            visit::visit_expr_assign(self, node);
        }
    }

    fn visit_local(&mut self, local: &'ast Local) {
        if let Some(init) = &local.init {
            let pat = unascribed(&local.pat);
            match pat {
                Pat::Wild(_) if self.is_it(&init.expr) => {}
                _ if init.diverge.is_some() => {
                    let whole = self.reads([pat].into_iter());
                    self.matched(&init.expr, whole);
                }
                _ => {
                    let binds = is_binding(pat) && !bindings(pat).is_empty();
                    self.matched(&init.expr, binds);
                }
            }
            if let Some((_, otherwise)) = &init.diverge {
                self.visit_expr(otherwise);
            }
        }
        self.hide(&local.pat);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        self.scoped(|this| {
            let mut names = items(&block.stmts).flat_map(names_of_item);
            this.hidden |= names.any(|name| name == this.name);
            visit::visit_block(this, block);
        });
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        self.scoped(|this| {
            closure.inputs.iter().for_each(|pat| this.hide(pat));
            this.visit_expr(&closure.body);
        });
    }

    fn visit_expr_let(&mut self, node: &'ast ExprLet) {
        let whole = self.reads([&*node.pat].into_iter());
        self.matched(&node.expr, whole);
        self.hide(&node.pat);
    }

    fn visit_expr_if(&mut self, node: &'ast ExprIf) {
        self.scoped(|this| {
            this.visit_expr(&node.cond);
            this.visit_block(&node.then_branch);
        });
        if let Some((_, otherwise)) = &node.else_branch {
            self.visit_expr(otherwise);
        }
    }

    fn visit_expr_while(&mut self, node: &'ast ExprWhile) {
        self.scoped(|this| {
            this.visit_expr(&node.cond);
            this.visit_block(&node.body);
        });
    }

    fn visit_expr_for_loop(&mut self, node: &'ast ExprForLoop) {
        self.visit_expr(&node.expr);
        self.scoped(|this| {
            this.hide(&node.pat);
            this.visit_block(&node.body);
        });
    }

    fn visit_expr_match(&mut self, node: &'ast ExprMatch) {
        let whole = self.reads(node.arms.iter().map(|arm| &arm.pat));
        self.matched(&node.expr, whole);
        node.arms.iter().for_each(|arm| self.visit_arm(arm));
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        self.scoped(|this| {
            this.hide(&arm.pat);
            if let Pat::Guard(pat) = &arm.pat {
                this.visit_expr(&pat.guard);
            }
            this.visit_expr(&arm.body);
        });
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        let (Some(known), Some(mut formatted)) = (known(mac), formatted(mac)) else {
            return self.tokens(mac.tokens.clone());
        };
        if known == Known::Text {
            self.relied.extend(mac.path.get_ident().cloned());
            return;
        }
        let before = self.found;
        if formatted.captures(self.name) {
            self.note(Captured::Whole);
        }
        for argument in &formatted.arguments {
            match argument {
                Expr::Assign(named) if known != Known::List => self.visit_expr(&named.right),
                other => self.visit_expr(other),
            }
        }
        if self.found != before && known != Known::Logs {
            self.relied.extend(mac.path.get_ident().cloned());
        }
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::Captured::{Part, Whole};
    use super::*;

    fn of(expr: Expr) -> Option<Captured> {
        captured(&expr, "held")
    }

    #[test]
    fn name_of_something_else_captures_nothing() {
        assert_eq!(of(parse_quote!(move || row.held)), None);
        assert_eq!(of(parse_quote!(move || row.held())), None);
        assert_eq!(of(parse_quote!(move || Row { held: 7 })), None);
        assert_eq!(of(parse_quote!(move |held| drop(held))), None);
        assert_eq!(
            of(parse_quote!(async move {
                let held = other();
                drop(held);
            })),
            None
        );
        assert_eq!(
            of(parse_quote!(move || for held in list {
                drop(held)
            })),
            None
        );
        assert_eq!(
            of(parse_quote!(move || if let Some(held) = next() {
                drop(held)
            })),
            None
        );
        assert_eq!(
            of(parse_quote!(move || match next() {
                held => drop(held),
            })),
            None
        );
        assert_eq!(
            of(parse_quote!(move || 'held: loop {
                break 'held;
            })),
            None
        );
        assert_eq!(of(parse_quote!(move || held::f())), None);
        assert_eq!(
            of(parse_quote!(move || {
                let _ = held;
            })),
            None
        );
        assert_eq!(
            of(parse_quote!(move || {
                _ = held;
            })),
            None
        );
    }

    #[test]
    fn field_is_a_part() {
        assert_eq!(of(parse_quote!(move || held.id)), Some(Part));
        assert_eq!(of(parse_quote!(move || (held.a).b.look())), Some(Part));
        assert_eq!(
            of(parse_quote!(move || println!("{}", held.id))),
            Some(Part)
        );
        assert_eq!(
            of(parse_quote!(move || {
                let (a, _) = held;
            })),
            Some(Part)
        );
        assert_eq!(of(parse_quote!(move || unknown!(held))), Some(Part));
    }

    #[test]
    fn name_is_the_whole() {
        assert_eq!(of(parse_quote!(move || drop(held))), Some(Whole));
        assert_eq!(of(parse_quote!(move || held.id + held.sum())), Some(Whole));
        assert_eq!(
            of(parse_quote!(async move {
                let held = held;
            })),
            Some(Whole)
        );
        assert_eq!(of(parse_quote!(move || Row { held })), Some(Whole));
        assert_eq!(of(parse_quote!(move || println!("{held}"))), Some(Whole));
        assert_eq!(of(parse_quote!(move || println!("{}", held))), Some(Whole));
        assert_eq!(
            of(parse_quote!(move || match held {
                Some(x) => x,
                None => y,
            })),
            Some(Whole)
        );
        assert_eq!(
            of(parse_quote!(move || {
                held;
                let held = 1;
            })),
            Some(Whole)
        );
        assert_eq!(of(parse_quote!(move || move || held)), Some(Whole));
    }
}
