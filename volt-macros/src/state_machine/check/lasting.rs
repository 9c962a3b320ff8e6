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
use syn::{BinOp, Expr, Macro, UnOp, parse_quote, parse_quote_spanned, parse2};

use super::checker::Check;
use super::extended::{Proofs, promoted};
use super::promoted::is_constant;
use super::residue::residue;
use crate::state_machine::composed::operands_mut;
use crate::state_machine::errors::Rule;
use crate::state_machine::names::{self, path_at};
use crate::state_machine::scope::macro_arguments;
use crate::state_machine::taking::{Question, question};

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

/// Puts proofs around temporaries.
struct Lasting<'a> {
    at: Proofs<'a>,
    /// Whether there is one that shows to have a destructor, or that cannot be seen.
    shows: bool,
}

impl Check<'_> {
    /// Proves what an expression leaves behind whose value is moved.
    pub(super) fn prove_lasting(&mut self, expr: &mut Expr, rule: Rule) {
        self.lasting(expr, rule, |lasting, expr| lasting.value(expr));
    }

    /// Proves what an expression leaves behind that is looked at.
    pub(super) fn prove_place(&mut self, expr: &mut Expr, rule: Rule) {
        self.lasting(expr, rule, |lasting, expr| lasting.place(expr));
    }

    pub(super) fn proofs(&self) -> Proofs<'_> {
        Proofs {
            volt: self.volt,
            generic: &self.generic,
        }
    }

    fn lasting(
        &mut self,
        expr: &mut Expr,
        rule: Rule,
        prove: impl FnOnce(&mut Lasting<'_>, &mut Expr),
    ) {
        let mut proven = expr.clone();
        let mut lasting = Lasting {
            at: self.proofs(),
            shows: false,
        };
        prove(&mut lasting, &mut proven);
        match lasting.shows {
            true => self.errors.refuse(rule, expr),
            false => *expr = proven,
        }
    }

    /// Proves what the operand of an await leaves behind.
    pub(super) fn prove_operand(&mut self, operand: &mut Expr) {
        for argument in operands_mut(operand) {
            self.prove_lasting(argument, Rule::LastingTemporary);
        }
        if let Expr::MethodCall(call) = operand {
            for argument in &mut call.args {
                self.prove_lasting(argument, Rule::LastingTemporary);
            }
        }
    }

    /// Proves what the head of a `for` leaves behind. The type of the iterator is written, and
    /// tells that its methods are those of the language.
    pub(super) fn prove_iterable(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Paren(node) => self.prove_iterable(&mut node.expr),
            Expr::Group(node) => self.prove_iterable(&mut node.expr),
            Expr::MethodCall(node) => {
                self.prove_iterable(&mut node.receiver);
                let arguments = node.args.iter_mut();
                arguments.for_each(|argument| self.prove_iterable(argument));
            }
            other => self.prove_lasting(other, Rule::ScrutineeTemporary),
        }
    }
}

impl Lasting<'_> {
    fn value(&mut self, expr: &mut Expr) {
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
                self.receiver(&mut node.receiver, &node.method);
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
                Some(proven) => *expr = proven,
                None => self.place(&mut node.expr),
            },
            Expr::RawAddr(node) => self.place(&mut node.expr),
            Expr::Binary(node) => self.binary(node),
            Expr::Assign(node) => self.value(&mut node.right),
            Expr::Match(node) => self.scrutinee_within(node),
            Expr::Macro(node) => self.made_by_macro(&mut node.mac),
            _ => {}
        }
    }

    fn values<'e>(&mut self, exprs: impl IntoIterator<Item = &'e mut Expr>) {
        exprs.into_iter().for_each(|expr| self.value(expr));
    }

    /// Proves what a place is found through.
    fn place(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Paren(node) => self.place(&mut node.expr),
            Expr::Group(node) => self.place(&mut node.expr),
            Expr::Path(_) => {}
            Expr::Field(_) | Expr::Index(_) | Expr::Reference(_) | Expr::Cast(_) => {
                self.value(expr);
            }
            Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => self.value(expr),
            value if is_constant(value) => {}
            value => self.prove(value, "left"),
        }
    }

    fn receiver(&mut self, receiver: &mut Expr, method: &Ident) {
        match peeled(receiver) {
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::Unary(_) => {
                return self.place(receiver);
            }
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
        *rest = parse_quote_spanned!(span=> #volt::__private::parted(#rest, |#name| #answer));
    }

    /// A `match` within an expression does not end what it matches.
    fn scrutinee_within(&mut self, node: &mut syn::ExprMatch) {
        let residue = residue(
            &node.expr,
            node.arms.iter().map(|arm| &arm.pat),
            self.at.volt,
        );
        self.value(&mut node.expr);
        if let Some(residue) = residue {
            let proven = residue.proven(&node.expr, self.at.volt);
            *node.expr = parse_quote!(#proven);
        }
    }

    fn made_by_macro(&mut self, mac: &mut Macro) {
        let name = mac.path.segments.last().map(|last| last.ident.to_string());
        let tokens = mac.tokens.clone();
        mac.tokens = match name.as_deref().unwrap_or_default() {
            name if CLOSED.contains(&name) => return,
            "vec" => self.made_by_vec(tokens),
            "dbg" => self.each(mac, Self::value),
            "matches" => self.matched(tokens),
            "format_args" | "pin" | "write" | "writeln" => self.each(mac, Self::place),
            _ => None,
        }
        .unwrap_or_else(|| {
            self.shows = true;
            TokenStream::new()
        });
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
    fn matched(&mut self, tokens: TokenStream) -> Option<TokenStream> {
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

    fn prove(&mut self, value: &mut Expr, question: &str) {
        self.shows |= gives_guard(value, question == "left");
        self.value(value);
        let span = Span::call_site().located_at(value.span());
        let volt = path_at(self.at.volt, span);
        let it = names::local_at("it", span);
        let question = Ident::new(question, Span::mixed_site().located_at(span));
        *value = parse_quote_spanned! {span=>
            #volt::__private::lasting(#value, |#it| #it.#question())
        };
    }
}

fn peeled(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(node) => peeled(&node.expr),
        Expr::Group(node) => peeled(&node.expr),
        other => other,
    }
}

/// Whether the value is a guard, as far as its name tells: then it is said where it is seen.
fn gives_guard(value: &Expr, left: bool) -> bool {
    const LOCKS: &[&str] = &["lock", "borrow", "borrow_mut", "read", "write"];
    match value {
        Expr::Paren(node) => gives_guard(&node.expr, left),
        Expr::Group(node) => gives_guard(&node.expr, left),
        Expr::Try(node) => gives_guard(&node.expr, true),
        Expr::MethodCall(node) if node.method == "unwrap" || node.method == "expect" => {
            gives_guard(&node.receiver, true)
        }
        Expr::MethodCall(node) => {
            let locks = LOCKS.iter().any(|name| node.method == name);
            left && locks && node.args.is_empty()
        }
        _ => false,
    }
}
