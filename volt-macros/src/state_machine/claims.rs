//! What has to be proven of places that are looked for again, or later than they are written.
//!
//! The source does not show what a `.`, a `*`, an index or a coercion calls. So beside a place that
//! is lent, and beside one that stands before an await, goes a question to the compiler about the types
//! on the way. It stands in the native twin, in a closure that is never called, and is given what it
//! names by type:
//!
//! ```text
//! leaf(&x.name).await      let _ = |mut x: X| { (&&..Found(&x)).volt_again(); .. };
//! ```

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Type, UnOp};

use super::claim::Claim;
use super::lending::Surroundings;
use super::parse::peel;
use super::scope::plain_name;

/// When a place is looked for, other than where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// At each poll.
    Again,
    /// After an await that stands behind it.
    Later,
}

/// Puts a claim together.
pub(crate) struct Claiming<'s> {
    pub(super) at: &'s Surroundings<'s>,
    when: When,
    /// Whether `unsafe` stands around.
    unsafety: bool,
    /// Whether the value of the place is read later.
    reads: bool,
    locals: Vec<usize>,
    lent: Vec<(Ident, bool, Type)>,
    /// What has to hold outside of `unsafe` too.
    safe: TokenStream,
    pub(super) proofs: TokenStream,
}

impl<'s> Claiming<'s> {
    pub(crate) fn new(at: &'s Surroundings<'s>, when: When, unsafety: bool) -> Self {
        Self {
            at,
            when,
            unsafety,
            reads: false,
            locals: Vec::new(),
            lent: Vec::new(),
            safe: TokenStream::new(),
            proofs: TokenStream::new(),
        }
    }

    /// The claim, if there is anything to be proven.
    pub(crate) fn made(self) -> Option<Claim> {
        let Self {
            at,
            unsafety,
            locals,
            lent,
            safe,
            proofs,
            ..
        } = self;
        if safe.is_empty() && proofs.is_empty() {
            return None;
        }
        let volt = at.volt;
        // A function within an `unsafe fn` is safe, in every edition.
        let safe = (!safe.is_empty()).then(|| quote!(fn __volt_safe() { #safe }));
        let proofs = quote!(use #volt::__private::Find as _; #proofs);
        let proofs = match unsafety {
            // SAFETY: never run; the user's own `unsafe` stands around what is asked about.
            true => quote!(#safe unsafe { #proofs }),
            false => proofs,
        };
        Some(Claim {
            locals,
            lent,
            items: Vec::new(),
            proofs,
        })
    }

    /// The path to volt, as if the user had written it there: an error about what is reached by it and
    /// about words of the user's points at both.
    pub(super) fn volt_at(&self, span: Span) -> TokenStream {
        let tokens = self.at.volt.to_token_stream().into_iter();
        let tokens = tokens.map(|mut token| {
            token.set_span(span);
            token
        });
        tokens.collect()
    }

    /// Enters a name of the function's own.
    pub(super) fn is_own(&mut self, name: &Ident) -> bool {
        let mut scope = self.at.scope.iter().rev();
        let locals = self.at.locals;
        if let Some(&local) = scope.find(|&&id| locals[id].name == *name) {
            if !self.locals.contains(&local) {
                self.locals.push(local);
            }
            return true;
        }
        let Some(lent) = self.at.lent.iter().find(|lent| lent.name == *name) else {
            return false;
        };
        if !self.lent.iter().any(|(known, ..)| known == name) {
            let found = (lent.name.clone(), lent.mutable, lent.ty.clone());
            self.lent.push(found);
        }
        true
    }

    /// A place of which nothing but where it is has to be the same.
    pub(crate) fn place(&mut self, place: &Expr) {
        match place {
            Expr::Path(_) => self.path(place, false),
            Expr::Paren(node) => self.place(&node.expr),
            Expr::Group(node) => self.place(&node.expr),
            Expr::Field(node) => self.through(&node.base),
            Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => {
                self.value(&node.expr);
                let (pointer, span) = (&node.expr, node.expr.span());
                match self.reads {
                    _ if self.is_reference(pointer) => {}
                    true => self.ask(span, "read_later", &quote_spanned!(span=> &#pointer)),
                    false => self.find(span, "Followed", pointer),
                }
            }
            Expr::Index(node) => {
                self.value(&node.expr);
                self.index(&node.index);
                let (list, index, span) = (&node.expr, &node.index, node.expr.span());
                self.ask(span, "elements", &quote_spanned!(span=> &#list, &(#index)));
            }
            Expr::MethodCall(call) => {
                self.value(&call.receiver);
                let (receiver, span) = (&call.receiver, call.method.span());
                let looks = match call.method.to_string().as_str() {
                    "as_ref" | "as_mut" | "deref" | "deref_mut" => "opens",
                    "as_deref" | "as_deref_mut" => "opens_behind",
                    _ => "looks",
                };
                self.ask(span, looks, &quote_spanned!(span=> &#receiver));
            }
            _ => {}
        }
    }

    /// A place whose value is read, to find another one.
    pub(crate) fn through(&mut self, place: &Expr) {
        self.value(place);
        self.found(place);
    }

    /// A place whose value is read.
    pub(super) fn value(&mut self, place: &Expr) {
        match place {
            Expr::Path(_) => self.path(place, true),
            Expr::Paren(node) => self.value(&node.expr),
            Expr::Group(node) => self.value(&node.expr),
            place => self.place(place),
        }
    }

    /// A place that is copied after an await that stands behind it: what it is reached by must not lead
    /// to where others write.
    pub(crate) fn read(&mut self, place: &Expr) {
        self.reads = true;
        self.value(place);
        self.reads = false;
    }

    /// A place that a `.`, a call or a coercion may look behind.
    pub(crate) fn found(&mut self, place: &Expr) {
        self.find(place.span(), "Found", place);
    }

    fn find(&mut self, span: Span, what: &str, place: &Expr) {
        let volt = self.volt_at(span);
        let what = Ident::new(what, span);
        let when = match self.when {
            When::Again => quote_spanned!(span=> volt_again),
            When::Later => quote_spanned!(span=> volt_later),
        };
        self.proofs
            .extend(quote_spanned!(span=> (&&&&&&&#volt::__private::#what(&#place)).#when();));
    }

    fn ask(&mut self, span: Span, what: &str, of: &TokenStream) {
        let volt = self.volt_at(span);
        let what = Ident::new(what, span);
        self.proofs
            .extend(quote_spanned!(span=> #volt::__private::#what(#of);));
    }

    /// A name; of a constant, that it is one, and has no destructor.
    fn path(&mut self, path: &Expr, read: bool) {
        if plain_name(path).is_some_and(|name| self.is_own(name)) || self.is_generic(path) {
            return;
        }
        let span = path.span();
        let lives = quote_spanned!(span=> let _: &'static _ = &#path;);
        match read && self.unsafety {
            true => self.safe.extend(lives),
            false => self.proofs.extend(lives),
        }
    }

    /// Something that is neither a local nor `static mut`.
    pub(crate) fn constant(&mut self, path: &Expr) {
        if self.unsafety && !self.is_generic(path) {
            let span = path.span();
            self.safe.extend(quote_spanned!(span=> let _ = &#path;));
        }
    }

    /// A variant without fields, of a type that has no destructor of its own.
    pub(crate) fn variant(&mut self, variant: &Expr) {
        let span = variant.span();
        let volt = self.volt_at(span);
        self.proofs.extend(quote_spanned! {span=>
            use #volt::__private::LeavesNothing as _;
            #volt::__private::Opened(&#variant).leaves_nothing();
        });
    }

    /// Whether it belongs to a parameter of the function, or to what stands for one.
    fn is_generic(&self, path: &Expr) -> bool {
        let Expr::Path(path) = path else { return true };
        let first = path.path.segments.first();
        path.qself.is_some()
            || first.is_some_and(|first| {
                let mut known = self.at.generic.iter();
                first.ident == "Self" || known.any(|name| first.ident == name)
            })
    }

    /// The index of an element: a number that comes of numbers.
    fn index(&mut self, index: &Expr) {
        let mut part = |part: &Option<Box<Expr>>| part.iter().for_each(|part| self.index(part));
        match index {
            Expr::Range(node) => {
                part(&node.start);
                part(&node.end);
            }
            Expr::Binary(node) => {
                self.number(&node.left);
                self.number(&node.right);
            }
            Expr::Cast(node) => self.index(&node.expr),
            Expr::Reference(node) => self.index(&node.expr),
            Expr::Paren(node) => self.index(&node.expr),
            Expr::Lit(_) => {}
            other => self.value(other),
        }
    }

    /// A side of an operator, which is the language's own for numbers.
    pub(crate) fn number(&mut self, number: &Expr) {
        match number {
            Expr::Lit(_) => {}
            Expr::Paren(node) => self.number(&node.expr),
            Expr::Group(node) => self.number(&node.expr),
            Expr::Unary(node) if !matches!(node.op, UnOp::Deref(_)) => self.number(&node.expr),
            number => {
                self.index(number);
                self.ask(number.span(), "number", &number.to_token_stream());
            }
        }
    }

    /// Whether it is the name of a reference, by the type that is written.
    fn is_reference(&self, place: &Expr) -> bool {
        let name = plain_name(place);
        let is_lent =
            name.is_some_and(|name| self.at.local(name).is_none() && self.at.lent(name).is_some());
        is_lent || matches!(self.type_of(place), Some(Type::Reference(_)))
    }

    pub(super) fn type_of(&self, place: &Expr) -> Option<&Type> {
        let local = plain_name(place).and_then(|name| self.at.local(name));
        local.and_then(|local| local.ty.as_ref()).map(peel)
    }
}
