//! Temporaries that live through an await.
//!
//! What an expression makes on its way and does not move lives to the end of its statement: the
//! receiver of a method that only looks, what is borrowed, what a place is found through. If there
//! is an await before that end, the machine would drop it too early. So each of them is refused. What
//! only lives on before edition 2024 is passed through a proof that nobody could tell, by its type.
//!
//! What a branch makes, an operand of `&&` or a statement within a block, ends there. Before edition
//! 2024, what is left at the end of a block or of an `if let` does not: that is proven for those editions.

use std::cell::RefCell;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{BinOp, Block, Expr, Pat, Path, Stmt, UnOp, parse_quote_spanned};

use super::edition::{unless_since_2024, unmatched};
use super::extended::{constant, constant_or_static, promoted};
use super::promoted::{Proofs, is_constant, is_named_constant, is_value};
use super::residue::{is_bare_place, residue};
use super::written::drops;
use crate::state_machine::composing::is_combinator;
use crate::state_machine::names::{self, path_at};
use crate::state_machine::operators::is_comparison;
use crate::state_machine::taking::{Question, question};

/// Puts proofs around temporaries.
pub(super) struct Lasting<'a> {
    pub(super) at: Proofs<'a>,
    pub(super) when: When<'a>,
    /// Whether the next expression is what a builder is made of.
    pub(super) builds: bool,
    /// Whether there is one in which the machine is not sure that it has no destructor.
    pub(super) shows: bool,
}

/// In which editions the proofs stand.
#[derive(Clone, Copy)]
pub(super) enum When<'a> {
    /// In all of them.
    Always,
    /// Before edition 2024; what would live longer there is proven as well.
    Before2024,
    /// The same, in code that the macro of this name is for.
    Tail(&'a Ident),
}

/// Proves, before edition 2024, what the last expression of a block leaves behind. Whether there may
/// be something.
pub(crate) fn prove_tail(tail: &mut Expr, volt: &Path, edition: &Ident) -> bool {
    let before = tail.clone();
    let at = Proofs {
        volt,
        generic: &[],
        bound: &[],
        relied: &RefCell::default(),
    };
    Lasting::new(at, When::Tail(edition)).value(tail);
    *tail != before
}

impl<'a> Lasting<'a> {
    pub(super) fn new(at: Proofs<'a>, when: When<'a>) -> Self {
        Self {
            at,
            when,
            builds: false,
            shows: false,
        }
    }

    /// Whether what is proven would live on past ends that it has since edition 2024.
    pub(super) fn lives_on(&self) -> bool {
        !matches!(self.when, When::Always)
    }

    pub(super) fn value(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Paren(node) => self.value(&mut node.expr),
            Expr::Group(node) => self.value(&mut node.expr),
            Expr::Try(node) => self.value(&mut node.expr),
            Expr::Cast(node) => self.value(&mut node.expr),
            Expr::Repeat(node) => self.value(&mut node.expr),
            Expr::Let(node) => self.value(&mut node.expr),
            Expr::Tuple(node) => self.values(&mut node.elems),
            Expr::Array(node) => self.values(&mut node.elems),
            Expr::Struct(node) => self.structure(node),
            Expr::Range(node) => {
                let ends = node.start.iter_mut().chain(&mut node.end);
                ends.for_each(|end| self.value(end));
            }
            Expr::Call(node) => {
                self.callee(&mut node.func);
                self.values(&mut node.args);
            }
            Expr::MethodCall(node) => {
                if !self.is_consumed(node) {
                    self.receiver(&mut node.receiver, &node.method);
                }
                self.values(&mut node.args);
            }
            Expr::Field(node) => self.place(&mut node.base),
            Expr::Index(node) => {
                self.place(&mut node.expr);
                self.value(&mut node.index);
            }
            Expr::Unary(node) => match node.op {
                UnOp::Deref(_) => self.place(&mut node.expr),
                _ => self.value(&mut node.expr),
            },
            Expr::Reference(node) => match promoted(node, self.at) {
                Some(proven) if !self.lives_on() => *expr = proven,
                Some(_) => {}
                None => self.place(&mut node.expr),
            },
            Expr::RawAddr(node) => self.place(&mut node.expr),
            Expr::Binary(node) => self.binary(node),
            Expr::Assign(node) => {
                self.value(&mut node.right);
                self.written(&mut node.left);
            }
            Expr::Match(node) => self.matched(node),
            Expr::If(node) => self.condition(node),
            Expr::Block(node) => self.block(&mut node.block),
            Expr::Unsafe(node) => self.block(&mut node.block),
            Expr::Macro(_) => self.made_by_macro(expr),
            _ => {}
        }
    }

    fn values<'e>(&mut self, exprs: impl IntoIterator<Item = &'e mut Expr>) {
        exprs.into_iter().for_each(|expr| self.value(expr));
    }

    /// Proves what a place is found through.
    pub(super) fn place(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Paren(node) => self.place(&mut node.expr),
            Expr::Group(node) => self.place(&mut node.expr),
            Expr::Path(path) => match path {
                path if path.path.is_ident("None") => {}
                path if self.lives_on() || !is_named_constant(path, self.at) => {}
                path if is_value(path) => self.prove(expr, "left"),
                _ => *expr = constant_or_static(expr, self.at),
            },
            Expr::Field(_) | Expr::Index(_) | Expr::Reference(_) => self.value(expr),
            Expr::Cast(node) if !drops(&node.ty) => self.value(expr),
            Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => self.value(expr),
            value if is_constant(value) => {}
            value => self.prove(value, "left"),
        }
    }

    /// What is called is a function, or a place.
    fn callee(&mut self, callee: &mut Expr) {
        match peeled(callee) {
            Expr::Path(_) => {}
            _ => self.place(callee),
        }
    }

    /// What is written to is no constant.
    fn written(&mut self, place: &mut Expr) {
        match place {
            Expr::Path(_) => {}
            Expr::Field(node) => self.written(&mut node.base),
            place => self.place(place),
        }
    }

    fn receiver(&mut self, receiver: &mut Expr, method: &Ident) {
        match peeled(receiver) {
            Expr::Path(path) if !self.lives_on() && is_named_constant(path, self.at) => {
                match question(method) {
                    Question::Ask("left") if is_value(path) => self.prove(receiver, "left"),
                    Question::Ask("left") => *receiver = constant(receiver, self.at),
                    _ => {}
                }
                return;
            }
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::Unary(_) => {
                return self.place(receiver);
            }
            // Its type is written where it is awaited, and tells whose method that is.
            Expr::Tuple(_) if is_combinator(method) => return self.value(receiver),
            _ => {}
        }
        match question(method) {
            Question::None => self.value(receiver),
            Question::Ask("left") => self.place(receiver),
            _ if is_constant(receiver) => {}
            Question::Ask(question) => self.prove(receiver, question),
        }
    }

    /// Comparisons look at their operands, and other operators take them.
    fn binary(&mut self, node: &mut syn::ExprBinary) {
        match node.op {
            BinOp::And(_) | BinOp::Or(_) => {}
            op if is_comparison(&op) => {
                self.place(&mut node.left);
                self.place(&mut node.right);
            }
            _ => {
                self.value(&mut node.left);
                self.value(&mut node.right);
            }
        }
    }

    /// Of the value behind `..` the fields that are written stay behind.
    fn structure(&mut self, node: &mut syn::ExprStruct) {
        self.values(node.fields.iter_mut().map(|field| &mut field.expr));
        let Some(rest) = node.rest.as_deref_mut() else {
            return;
        };
        self.value(rest);
        if matches!(
            peeled(rest),
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_)
        ) {
            return;
        }
        let span = Span::call_site().located_at(rest.span());
        let (volt, name) = (path_at(self.at.volt, span), names::local_at("rest", span));
        let members = node.fields.iter().map(|field| &field.member);
        let left = members
            .map(|member| quote_spanned!(span=> #volt::__private::Like::of(&#name.#member).left()));
        let goes = quote_spanned!(span=> #volt::__private::Goes);
        let answer = left.fold(goes, |answer, left| quote_spanned!(span=> (#left, #answer)));
        *rest = self.proof(rest, "parted", (&name, answer), span);
    }

    /// A `match` within an expression does not end what it matches.
    fn matched(&mut self, node: &mut syn::ExprMatch) {
        let pats = node.arms.iter().map(|arm| &arm.pat);
        self.scrutinee(&mut node.expr, pats);
    }

    fn scrutinee<'p>(&mut self, expr: &mut Expr, pats: impl Iterator<Item = &'p Pat> + Clone) {
        let residue = residue(expr, pats, self.at.volt);
        self.value(expr);
        let Some(residue) = residue else { return };
        *expr = match self.when {
            When::Always => {
                let proven = residue.proven(expr, self.at.volt);
                parse_quote_spanned!(residue.span=> #proven)
            }
            _ => {
                let (name, answer) = residue.question(self.at.volt);
                self.proof(expr, "parted", (&name, answer), residue.span)
            }
        };
    }

    /// An `if let` ends what it matches since edition 2024.
    fn condition(&mut self, node: &mut syn::ExprIf) {
        let outer = self.before_2024();
        self.conditions(&mut node.cond);
        self.when = outer;
    }

    /// From here on it is about what has ended since edition 2024.
    fn before_2024(&mut self) -> When<'a> {
        let before = match self.when {
            When::Always => When::Before2024,
            late => late,
        };
        std::mem::replace(&mut self.when, before)
    }

    fn conditions(&mut self, cond: &mut Expr) {
        match cond {
            Expr::Let(node) => {
                let matched = is_bare_place(&node.expr);
                self.scrutinee(&mut node.expr, std::iter::once(&*node.pat));
                if !matched {
                    self.unmatched(&mut node.expr, &node.pat);
                }
            }
            Expr::Binary(node) if matches!(node.op, BinOp::And(_)) => {
                self.conditions(&mut node.left);
                self.conditions(&mut node.right);
            }
            _ => {}
        }
    }

    /// What a pattern does not match stays too.
    pub(super) fn unmatched(&mut self, value: &mut Expr, pat: &Pat) {
        if let Some((name, answer)) = unmatched(pat, self.at.volt) {
            let span = Span::call_site().located_at(pat.span());
            *value = self.proof(value, "parted", (&name, answer), span);
        }
    }

    /// So does a block with what its last expression leaves behind.
    fn block(&mut self, block: &mut Block) {
        let outer = self.before_2024();
        if let Some(Stmt::Expr(last, None)) = block.stmts.last_mut() {
            self.value(last);
        }
        self.when = outer;
    }

    /// The value, passed through a function with a question that is answered by its type.
    pub(super) fn proof(
        &self,
        value: &Expr,
        function: &str,
        (name, answer): (&Ident, TokenStream),
        span: Span,
    ) -> Expr {
        let volt = path_at(self.at.volt, span);
        let function = Ident::new(function, span);
        let function = quote_spanned!(span=> #volt::__private::#function);
        match self.when {
            When::Always => parse_quote_spanned!(span=> #function(#value, |#name| #answer)),
            When::Before2024 => {
                let answer = unless_since_2024(&answer, self.at.volt, span);
                parse_quote_spanned!(span=> #function(#value, |#name| #answer))
            }
            When::Tail(edition) => {
                parse_quote_spanned!(span=> #edition!(_; #value; #function; , |#name| #answer))
            }
        }
    }

    pub(super) fn prove(&mut self, value: &mut Expr, question: &str) {
        if is_bool(value) {
            return self.value(value);
        }
        self.shows |= !self.lives_on();
        self.value(value);
        let span = Span::call_site().located_at(value.span());
        let it = names::local_at("it", span);
        let question = Ident::new(question, Span::mixed_site().located_at(span));
        let answer = quote_spanned!(span=> #it.#question());
        *value = self.proof(value, "lasting", (&it, answer), span);
    }
}

/// Whether it is a comparison, which gives nothing to drop.
fn is_bool(expr: &Expr) -> bool {
    match peeled(expr) {
        Expr::Binary(node) => {
            let is_lazy = matches!(node.op, BinOp::And(_) | BinOp::Or(_));
            is_lazy || is_comparison(&node.op)
        }
        _ => false,
    }
}

fn peeled(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(node) => peeled(&node.expr),
        Expr::Group(node) => peeled(&node.expr),
        other => other,
    }
}
