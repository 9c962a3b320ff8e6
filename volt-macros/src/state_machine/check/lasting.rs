//! Temporaries that live through an await.
//!
//! What an expression makes on its way and does not move lives to the end of its statement: the
//! receiver of a method that only looks, what is borrowed, what a place is found through. If there
//! is an await before that end, the machine would drop it too early. So each of them is passed
//! through a proof that nobody could tell, by its type.
//!
//! What a branch makes, an operand of `&&` or a statement within a block, ends there.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{BinOp, Block, Expr, Macro, Pat, Path, Stmt, UnOp, parse_quote_spanned, parse2};

use super::edition::{probe, temporaries};
use super::extended::{Proofs, constant, promoted};
use super::promoted::{is_constant, is_named_constant, is_value};
use super::residue::residue;
use super::written::drops;
use crate::state_machine::composing::is_combinator;
use crate::state_machine::errors::Rule;
use crate::state_machine::names::{self, path_at};
use crate::state_machine::place::may_hold_temporary;
use crate::state_machine::scope::{formats, macro_arguments};
use crate::state_machine::taking::{Question, gives_guard, question};

/// Macros of the standard library that leave nothing behind.
const CLOSED: &[&str] = &[
    "cfg",
    "column",
    "concat",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "include_bytes",
    "include_str",
    "line",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "stringify",
    "todo",
    "unimplemented",
    "unreachable",
];

/// Those that format and keep what they format.
const OPEN: &[&str] = &["format_args", "write", "writeln"];

/// Puts proofs around temporaries.
pub(super) struct Lasting<'a> {
    pub(super) at: Proofs<'a>,
    /// The macro that lets a proof stand before edition 2024 only, where it is one for a tail.
    pub(super) tail: Option<&'a Ident>,
    /// Whether the next expression is what a builder is made of.
    pub(super) builds: bool,
    /// Whether there is one that shows to have a destructor, or that cannot be seen.
    pub(super) shows: bool,
}

/// Proves, before edition 2024, what the last expression of a block leaves behind. Whether there may
/// be something.
pub(crate) fn prove_tail(tail: &mut Expr, volt: &Path, edition: &Ident) -> bool {
    let before = tail.clone();
    let mut lasting = Lasting {
        at: Proofs { volt, generic: &[] },
        tail: Some(edition),
        builds: false,
        shows: false,
    };
    lasting.value(tail);
    *tail != before
}

impl<'a> Lasting<'a> {
    pub(super) fn through_await(at: Proofs<'a>) -> Self {
        Self {
            at,
            tail: None,
            builds: false,
            shows: false,
        }
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
                self.place(&mut node.func);
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
                Some(proven) if self.tail.is_none() => *expr = proven,
                Some(_) => {}
                None => self.place(&mut node.expr),
            },
            Expr::RawAddr(node) => self.place(&mut node.expr),
            Expr::Binary(node) => self.binary(node),
            Expr::Assign(node) => {
                self.value(&mut node.right);
                self.place(&mut node.left);
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
            Expr::Path(_) => {}
            Expr::Field(_) | Expr::Index(_) | Expr::Reference(_) => self.value(expr),
            Expr::Cast(node) if !drops(&node.ty) => self.value(expr),
            Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => self.value(expr),
            value if is_constant(value) => {}
            value => self.prove(value, "left"),
        }
    }

    fn receiver(&mut self, receiver: &mut Expr, method: &Ident) {
        match peeled(receiver) {
            Expr::Path(path) if self.tail.is_none() && is_named_constant(path) => {
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
            BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_) => {
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
        let parted = quote_spanned!(span=> #volt::__private::parted);
        *rest = self.proof(
            rest,
            &parted,
            &quote_spanned!(span=> , |#name| #answer),
            span,
        );
    }

    /// A `match` within an expression does not end what it matches.
    fn matched(&mut self, node: &mut syn::ExprMatch) {
        let pats = node.arms.iter().map(|arm| &arm.pat);
        self.scrutinee(&mut node.expr, pats);
    }

    fn scrutinee<'p>(&mut self, expr: &mut Expr, pats: impl Iterator<Item = &'p Pat> + Clone) {
        let residue = residue(expr, pats, self.at.volt);
        self.value(expr);
        if let Some(residue) = residue {
            let (function, rest) = residue.proof(self.at.volt);
            *expr = self.proof(expr, &function, &rest, residue.span);
        }
    }

    /// An `if let` ends what it matches since edition 2024.
    fn condition(&mut self, node: &mut syn::ExprIf) {
        match self.tail {
            Some(_) => self.conditions(&mut node.cond),
            None => {
                let probes = temporaries(&node.cond).into_iter();
                let probes = probes.map(|it| probe(it, Rule::LastingTemporary));
                let probes: Vec<Stmt> = probes.collect();
                node.then_branch.stmts.splice(..0, probes);
            }
        }
    }

    fn conditions(&mut self, cond: &mut Expr) {
        match cond {
            Expr::Let(node) => {
                self.scrutinee(&mut node.expr, std::iter::once(&*node.pat));
            }
            Expr::Binary(node) if matches!(node.op, BinOp::And(_)) => {
                self.conditions(&mut node.left);
                self.conditions(&mut node.right);
            }
            _ => {}
        }
    }

    /// So does a block with what its last expression leaves behind.
    fn block(&mut self, block: &mut Block) {
        let Some(Stmt::Expr(last, None)) = block.stmts.last_mut() else {
            return;
        };
        if self.tail.is_some() {
            self.value(last);
        } else if may_hold_temporary(last) {
            let probe = probe(last, Rule::LastingTemporary);
            block.stmts.insert(0, probe);
        }
    }

    fn made_by_macro(&mut self, expr: &mut Expr) {
        let Expr::Macro(node) = expr else { return };
        let mac = &mut node.mac;
        let name = mac.path.segments.last().map(|last| last.ident.to_string());
        let name = name.as_deref().unwrap_or_default();
        let says = formats(mac) && !OPEN.contains(&name);
        let at_the_end = self.tail.is_some_and(|edition| says || edition == name);
        if at_the_end || CLOSED.contains(&name) {
            return;
        }
        let tokens = mac.tokens.clone();
        let tokens = match name {
            "vec" => self.made_by_vec(tokens),
            "dbg" => self.each(mac, Self::value),
            "matches" => self.matched_by_macro(tokens),
            "pin" => self.each(mac, Self::place),
            name if OPEN.contains(&name) => self.each(mac, Self::place),
            _ => None,
        };
        match tokens {
            Some(tokens) => mac.tokens = tokens,
            None => self.unseen(expr),
        }
    }

    /// A macro of which nobody sees what it leaves behind.
    fn unseen(&mut self, expr: &mut Expr) {
        self.shows = true;
        if self.tail.is_some() {
            let span = Span::call_site().located_at(expr.span());
            let volt = path_at(self.at.volt, span);
            let unseen = quote_spanned!(span=> #volt::__private::unseen);
            *expr = self.proof(expr, &unseen, &TokenStream::new(), span);
        }
    }

    /// What `vec!` is given is moved into it.
    fn made_by_vec(&mut self, tokens: TokenStream) -> Option<TokenStream> {
        let mut list: Expr = parse2(quote!([#tokens])).ok()?;
        self.value(&mut list);
        match list {
            Expr::Array(list) => Some(list.elems.into_token_stream()),
            Expr::Repeat(list) => {
                let (value, length) = (list.expr, list.len);
                Some(quote!(#value; #length))
            }
            _ => None,
        }
    }

    /// `matches!` looks at its first part.
    fn matched_by_macro(&mut self, tokens: TokenStream) -> Option<TokenStream> {
        let parts = |input: ParseStream<'_>| Ok((input.parse::<Expr>()?, input.parse()?));
        let (mut scrutinee, rest): (Expr, TokenStream) = parts.parse2(tokens).ok()?;
        self.place(&mut scrutinee);
        Some(quote!(#scrutinee #rest))
    }

    fn each(&mut self, mac: &Macro, prove: impl Fn(&mut Self, &mut Expr)) -> Option<TokenStream> {
        let mut arguments = macro_arguments(mac)?;
        for argument in &mut arguments {
            match argument {
                Expr::Assign(named) => prove(self, &mut named.right),
                argument => prove(self, argument),
            }
        }
        Some(arguments.into_token_stream())
    }

    /// The value, passed through a function.
    fn proof(&self, value: &Expr, function: &TokenStream, rest: &TokenStream, span: Span) -> Expr {
        match self.tail {
            None => parse_quote_spanned!(span=> #function(#value #rest)),
            Some(edition) => parse_quote_spanned!(span=> #edition!(_; #value; #function; #rest)),
        }
    }

    fn prove(&mut self, value: &mut Expr, question: &str) {
        self.shows |= gives_guard(value, question == "left");
        self.value(value);
        let span = Span::call_site().located_at(value.span());
        let volt = path_at(self.at.volt, span);
        let it = names::local_at("it", span);
        let question = Ident::new(question, Span::mixed_site().located_at(span));
        let lasting = quote_spanned!(span=> #volt::__private::lasting);
        let question = quote_spanned!(span=> , |#it| #it.#question());
        *value = self.proof(value, &lasting, &question, span);
    }
}

fn peeled(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(node) => peeled(&node.expr),
        Expr::Group(node) => peeled(&node.expr),
        other => other,
    }
}
