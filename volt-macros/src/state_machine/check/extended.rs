//! Temporaries that a `let` keeps alive to the end of its block.
//!
//! In `let x = &make();` the value has no name, but it lives as long as `x` could. So it does in
//! `Some(&make())`, in the last expression of a block, of a branch or an arm, and in `pin!(make())`.
//! If there is an await behind, the machine would drop it too early, so it is proven to have no
//! destructor.
//!
//! What is promoted to a constant stays in its form, for it lives for ever.

use proc_macro2::Span;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprPath, ExprReference, Local as SynLocal, Macro, Stmt, UnOp};
use syn::{parse_quote, parse_quote_spanned};

use super::promoted::{
    Proofs, is_constant, is_constructor, is_made_of_constants, is_named_constant, is_value,
    named_root,
};
use crate::state_machine::body::holds_await;
use crate::state_machine::names::{self, path_at};
use crate::state_machine::scope::{bindings, macro_arguments};

/// The block, with its extended temporaries proven to have no destructor where awaits follow.
pub(super) fn proven(block: &Block, at: Proofs<'_>) -> Block {
    let mut block = block.clone();
    let last = block.stmts.iter().rposition(holds_await);
    for stmt in block.stmts.iter_mut().take(last.unwrap_or(0)) {
        if let Stmt::Local(local) = stmt {
            prove_let(local, at);
        }
    }
    block
}

fn prove_let(local: &mut SynLocal, at: Proofs<'_>) {
    let by_ref = bindings(&local.pat).iter().any(|binding| binding.by_ref);
    let Some(init) = &mut local.init else { return };
    if by_ref {
        prove_root(&mut init.expr, at);
    }
    prove(&mut init.expr, at);
}

/// Proves what an expression borrows for as long as its value may live.
fn prove(expr: &mut Expr, at: Proofs<'_>) {
    match expr {
        Expr::Reference(node) => match promoted(node, at) {
            Some(proven) => *expr = proven,
            None => {
                prove(&mut node.expr, at);
                prove_root(&mut node.expr, at);
            }
        },
        Expr::Paren(node) => prove(&mut node.expr, at),
        Expr::Group(node) => prove(&mut node.expr, at),
        Expr::Cast(node) => prove(&mut node.expr, at),
        Expr::Tuple(node) => prove_each(&mut node.elems, at),
        Expr::Array(node) => prove_each(&mut node.elems, at),
        Expr::Call(node) if is_constructor(&node.func) => prove_each(&mut node.args, at),
        Expr::Struct(node) => prove_each(node.fields.iter_mut().map(|field| &mut field.expr), at),
        Expr::Macro(node) => prove_macro(&mut node.mac, at),
        branching => prove_last(branching, at),
    }
}

fn prove_each<'e>(exprs: impl IntoIterator<Item = &'e mut Expr>, at: Proofs<'_>) {
    exprs.into_iter().for_each(|expr| prove(expr, at));
}

/// Proves the last expressions of blocks.
fn prove_last(expr: &mut Expr, at: Proofs<'_>) {
    match expr {
        Expr::Block(node) => prove_block(&mut node.block, at),
        Expr::Unsafe(node) => prove_block(&mut node.block, at),
        Expr::If(node) => {
            prove_block(&mut node.then_branch, at);
            if let Some((_, otherwise)) = &mut node.else_branch {
                prove(otherwise, at);
            }
        }
        Expr::Match(node) => {
            let bodies = node.arms.iter_mut().map(|arm| &mut *arm.body);
            prove_each(bodies, at);
        }
        _ => {}
    }
}

fn prove_block(block: &mut Block, at: Proofs<'_>) {
    match block.stmts.last_mut() {
        Some(Stmt::Expr(last, None)) => prove(last, at),
        Some(Stmt::Macro(last)) if last.semi_token.is_none() => prove_macro(&mut last.mac, at),
        _ => {}
    }
}

/// Proves what the macros of the standard library keep that borrow what they are given.
fn prove_macro(mac: &mut Macro, at: Proofs<'_>) {
    let last = mac.path.segments.last();
    let is = |name: &str| last.is_some_and(|last| last.ident == name);
    let (pins, formats) = (is("pin"), is("format_args"));
    if !pins && !formats {
        return;
    }
    let Some(mut arguments) = macro_arguments(mac) else {
        return;
    };
    let last = last.map(|last| last.ident.clone());
    at.relied.borrow_mut().extend(last);
    for argument in &mut arguments {
        let value = match argument {
            Expr::Assign(named) if formats => &mut *named.right,
            argument => argument,
        };
        prove(value, at);
        match pins {
            true => prove_value(value, at),
            false => prove_root(value, at),
        }
    }
    mac.tokens = quote!(#arguments);
}

/// Proves the value in which a place begins, if that is no local.
fn prove_root(place: &mut Expr, at: Proofs<'_>) {
    match place {
        Expr::Field(node) => prove_root(&mut node.base, at),
        Expr::Index(node) => prove_root(&mut node.expr, at),
        Expr::Paren(node) => prove_root(&mut node.expr, at),
        Expr::Group(node) => prove_root(&mut node.expr, at),
        Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => prove_root(&mut node.expr, at),
        value if is_constant(value) => {}
        Expr::Path(path) if is_value(path) => prove_value(place, at),
        Expr::Path(path) if is_named_constant(path, at) => *place = constant(place, at),
        Expr::Path(_) => {}
        value => prove_value(value, at),
    }
}

fn prove_value(value: &mut Expr, at: Proofs<'_>) {
    let span = value.span();
    let volt = path_at(at.volt, span);
    let function = quote_spanned!(span=> #volt::__private::no_temporary);
    *value = parse_quote!(#function(#value));
}

/// The reference with a proof, if it leads to constants, which would be none behind a function.
pub(super) fn promoted(reference: &ExprReference, at: Proofs<'_>) -> Option<Expr> {
    if reference.mutability.is_some() || is_constant(&reference.expr) {
        return None;
    }
    match named_root(&reference.expr, at) {
        Some(path) if !is_generic(path, at) => Some(lasts_for_ever(reference, at)),
        Some(_) => Some(without_destructor(reference, true, at)),
        None if is_made_of_constants(&reference.expr, at) => {
            let is_unit = matches!(*reference.expr, Expr::Path(_));
            Some(without_destructor(reference, is_unit, at))
        }
        None => None,
    }
}

/// The reference, if what it leads to is a static or is promoted to one.
fn lasts_for_ever(reference: &ExprReference, at: Proofs<'_>) -> Expr {
    let span = Span::call_site().located_at(reference.expr.span());
    let volt = path_at(at.volt, span);
    parse_quote_spanned!(span=> #volt::__private::for_ever(#reference))
}

/// The place of a constant, if that is a static or is promoted to one.
pub(super) fn constant(path: &Expr, at: Proofs<'_>) -> Expr {
    let reference = lasts_for_ever(&parse_quote!(&#path), at);
    match path {
        Expr::Path(path) if is_generic(path, at) => parse_quote!(#path),
        _ => parse_quote!((*#reference)),
    }
}

/// The same of a place that is read, which may be in a `static mut` too.
pub(super) fn constant_or_static(path: &Expr, at: Proofs<'_>) -> Expr {
    let span = Span::call_site().located_at(path.span());
    let (name, place) = (names::local_at("constant", span), constant(path, at));
    match place {
        Expr::Paren(_) => parse_quote_spanned! {span=>
            (*{
                #[allow(static_mut_refs, reason = "only what stands here is read")]
                let #name = &#place;
                #name
            })
        },
        generic => generic,
    }
}

/// The reference, if what it leads to has no destructor. A struct without fields tells its own
/// type; what has fields may be told it by its user.
fn without_destructor(reference: &ExprReference, is_unit: bool, at: Proofs<'_>) -> Expr {
    let span = reference.span();
    let (volt, name) = (path_at(at.volt, span), names::local_at("constant", span));
    let function = quote_spanned!(span=> #volt::__private::no_temporary_behind);
    match is_unit {
        true => parse_quote!({ #function(#reference); #reference }),
        false => parse_quote!(match (#reference) { #name => { #function(#name); #name } }),
    }
}

/// Whether a constant belongs to a type that is but a parameter.
fn is_generic(path: &ExprPath, at: Proofs<'_>) -> bool {
    let first = path.path.segments.first();
    let mut generic = at.generic.iter();
    path.qself.is_some() || generic.any(|name| first.is_some_and(|first| first.ident == name))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use quote::ToTokens;

    use super::*;

    /// How many proofs the `let` of the initial value gets before an await.
    fn proofs(initial: &str) -> usize {
        let block = format!("{{ let kept = {initial}; tick().await; }}");
        let block: Block = syn::parse_str(&block).expect("a block");
        let (volt, generic) = (parse_quote!(::volt), [String::from("T")]);
        let at = Proofs {
            volt: &volt,
            generic: &generic,
            bound: &[String::from("local")],
            relied: &RefCell::default(),
        };
        let proven = proven(&block, at);
        let text = proven.into_token_stream().to_string();
        text.matches("no_temporary").count() + text.matches("for_ever").count()
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
        assert_eq!(proofs("(&None, &-1, &(1..2), &\"text\")"), 0);
        assert_eq!(proofs("(&Kind::Empty, &LIMIT, &T::LIMIT, &LIMITS.low)"), 4);
        assert_eq!(proofs("(&-LIMIT, &(LOW..HIGH), &[LOW])"), 3);
        assert_eq!(proofs("(&limit, &limits::low, &limit.low)"), 3);
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
