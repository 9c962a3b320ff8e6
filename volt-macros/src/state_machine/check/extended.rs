//! Temporaries that a `let` keeps alive to the end of its block.
//!
//! In `let x = &make();` the value has no name, but it lives as long as `x` could. So it does in
//! `Some(&make())`, in the last expression of a block, of a branch or an arm, and in `pin!(make())`.
//! If there is an await behind, the machine would drop it too early, so it is proven to have no
//! destructor.
//!
//! What is promoted to a constant stays in its form, for it lives for ever.

use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Block, Expr, Local as SynLocal, Macro, Path, Stmt, UnOp, parse_quote};

use super::promoted::{is_constant, is_constructor, is_made_of_constants};
use crate::state_machine::body::holds_await;
use crate::state_machine::names::{self, path_at};
use crate::state_machine::scope::{bindings, macro_arguments};

/// The block, with its extended temporaries proven to have no destructor where awaits follow.
pub(super) fn proven(block: &Block, volt: &Path) -> Block {
    let mut block = block.clone();
    let last = block.stmts.iter().rposition(holds_await);
    for stmt in block.stmts.iter_mut().take(last.unwrap_or(0)) {
        if let Stmt::Local(local) = stmt {
            prove_let(local, volt);
        }
    }
    block
}

fn prove_let(local: &mut SynLocal, volt: &Path) {
    let by_ref = bindings(&local.pat).iter().any(|binding| binding.by_ref);
    let Some(init) = &mut local.init else { return };
    if by_ref {
        prove_root(&mut init.expr, volt);
    }
    prove(&mut init.expr, volt);
}

/// Proves what an expression borrows for as long as its value may live.
fn prove(expr: &mut Expr, volt: &Path) {
    match expr {
        Expr::Reference(node) if node.mutability.is_none() && is_made_of_constants(&node.expr) => {
            prove_constant(expr, volt);
        }
        Expr::Reference(node) => {
            prove(&mut node.expr, volt);
            prove_root(&mut node.expr, volt);
        }
        Expr::Paren(node) => prove(&mut node.expr, volt),
        Expr::Group(node) => prove(&mut node.expr, volt),
        Expr::Cast(node) => prove(&mut node.expr, volt),
        Expr::Tuple(node) => prove_each(&mut node.elems, volt),
        Expr::Array(node) => prove_each(&mut node.elems, volt),
        Expr::Call(node) if is_constructor(&node.func) => prove_each(&mut node.args, volt),
        Expr::Struct(node) => prove_each(node.fields.iter_mut().map(|field| &mut field.expr), volt),
        Expr::Macro(node) => prove_macro(&mut node.mac, volt),
        branching => prove_last(branching, volt),
    }
}

fn prove_each<'e>(exprs: impl IntoIterator<Item = &'e mut Expr>, volt: &Path) {
    exprs.into_iter().for_each(|expr| prove(expr, volt));
}

/// Proves the last expressions of blocks.
fn prove_last(expr: &mut Expr, volt: &Path) {
    match expr {
        Expr::Block(node) => prove_block(&mut node.block, volt),
        Expr::Unsafe(node) => prove_block(&mut node.block, volt),
        Expr::If(node) => {
            prove_block(&mut node.then_branch, volt);
            if let Some((_, otherwise)) = &mut node.else_branch {
                prove(otherwise, volt);
            }
        }
        Expr::Match(node) => {
            let bodies = node.arms.iter_mut().map(|arm| &mut *arm.body);
            prove_each(bodies, volt);
        }
        _ => {}
    }
}

fn prove_block(block: &mut Block, volt: &Path) {
    match block.stmts.last_mut() {
        Some(Stmt::Expr(last, None)) => prove(last, volt),
        Some(Stmt::Macro(last)) if last.semi_token.is_none() => prove_macro(&mut last.mac, volt),
        _ => {}
    }
}

/// Proves what the macros of the standard library keep that borrow what they are given.
fn prove_macro(mac: &mut Macro, volt: &Path) {
    let last = mac.path.segments.last();
    let is = |name: &str| last.is_some_and(|last| last.ident == name);
    let (pins, formats) = (is("pin"), is("format_args"));
    if !pins && !formats {
        return;
    }
    let Some(mut arguments) = macro_arguments(mac) else {
        return;
    };
    for argument in &mut arguments {
        let value = match argument {
            Expr::Assign(named) if formats => &mut *named.right,
            argument => argument,
        };
        prove(value, volt);
        match pins {
            true => prove_value(value, volt),
            false => prove_root(value, volt),
        }
    }
    mac.tokens = quote!(#arguments);
}

/// Proves the value in which a place begins, if that is no local.
fn prove_root(place: &mut Expr, volt: &Path) {
    match place {
        Expr::Field(node) => prove_root(&mut node.base, volt),
        Expr::Index(node) => prove_root(&mut node.expr, volt),
        Expr::Paren(node) => prove_root(&mut node.expr, volt),
        Expr::Group(node) => prove_root(&mut node.expr, volt),
        Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => prove_root(&mut node.expr, volt),
        Expr::Path(_) => {}
        value if is_constant(value) => {}
        value => prove_value(value, volt),
    }
}

fn prove_value(value: &mut Expr, volt: &Path) {
    let span = value.span();
    let volt = path_at(volt, span);
    let function = quote_spanned!(span=> #volt::__private::no_temporary);
    *value = parse_quote!(#function(#value));
}

/// Proves what a reference to constants leads to, which would be no constant behind a function.
/// A struct without fields tells its own type; what has fields may be told it by its user.
pub(super) fn prove_constant(reference: &mut Expr, volt: &Path) {
    let span = reference.span();
    let (volt, name) = (path_at(volt, span), names::local_at("constant", span));
    let function = quote_spanned!(span=> #volt::__private::no_temporary_behind);
    let is_unit =
        matches!(reference, Expr::Reference(node) if matches!(&*node.expr, Expr::Path(_)));
    *reference = match is_unit {
        true => parse_quote!({ #function(#reference); #reference }),
        false => parse_quote!(match (#reference) { #name => { #function(#name); #name } }),
    };
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    /// How many proofs the `let` of the initial value gets before an await.
    fn proofs(initial: &str) -> usize {
        let block = format!("{{ let kept = {initial}; tick().await; }}");
        let block: Block = syn::parse_str(&block).expect("a block");
        let proven = proven(&block, &parse_quote!(::volt));
        let text = proven.into_token_stream().to_string();
        text.matches("no_temporary").count()
    }

    #[test]
    fn extending_expressions_are_proven() {
        assert_eq!(proofs("&make()"), 1);
        assert_eq!(proofs("(&make(), [&make(), &make().field])"), 3);
        assert_eq!(proofs("Some(&make())"), 1);
        assert_eq!(
            proofs("Pair { left: &make(), right: Kind::Some(&make()) }"),
            2
        );
        assert_eq!(
            proofs("if c { &make() } else if d { &make() } else { &make() }"),
            3
        );
        assert_eq!(
            proofs("match c { true => &make(), false => { a(); &make() } }"),
            2
        );
        assert_eq!(proofs("{ a(); unsafe { &make() as &dyn Any } }"), 1);
        assert_eq!(proofs("pin!(make())"), 1);
        assert_eq!(proofs("{ std::pin::pin!(local) }"), 1);
        assert_eq!(proofs("format_args!(\"{} {}\", &make(), a = make())"), 2);
        assert_eq!(proofs("&(local, 1)"), 1);
    }

    #[test]
    fn constants_are_proven_in_their_form() {
        assert_eq!(proofs("&Unit"), 1);
        assert_eq!(proofs("Some(&Point { x: 1, y: Wrapping(2) })"), 1);
        assert_eq!(proofs("&[1, 2]"), 0);
        assert_eq!(proofs("(&None, &Kind::Empty, &LIMIT, &\"text\")"), 0);
    }

    #[test]
    fn values_of_other_expressions_are_not_proven() {
        assert_eq!(proofs("&local.field"), 0);
        assert_eq!(proofs("take(&make())"), 0);
        assert_eq!(proofs("{ a(&make()); local }"), 0);
        assert_eq!(proofs("loop { break &make(); }"), 0);
        assert_eq!(proofs("other!(make())"), 0);
    }
}
