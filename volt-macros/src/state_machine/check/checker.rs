//! What walks the function: the locals in scope, the ids given, the errors found.

use proc_macro2::{Ident, Span};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Expr, Generics, Item, Label, Pat, Path, Token, Type, parse_quote};

use super::written::drops;
use crate::state_machine::body::{Glue, Kind, Local, LocalId, Node, NodeId, Origin, first_await};
use crate::state_machine::claim::Claim;
use crate::state_machine::errors::{Errors, Rule};
use crate::state_machine::generics::shortened;
use crate::state_machine::lending::Lent;
use crate::state_machine::method::Home;
use crate::state_machine::scope::{Binding, bindings, holds_word};

pub(super) struct Check<'a> {
    /// Where volt is.
    pub(super) volt: &'a Path,
    pub(super) generics: &'a Generics,
    /// The parameters for types and constants.
    pub(super) generic: Vec<String>,
    pub(super) lent: Vec<Lent>,
    /// The `impl` that the function was lifted out of.
    pub(super) home: Option<&'a Home>,
    /// The const parameters.
    pub(super) consts: Vec<(Ident, Type)>,
    /// Every name that the function mentions.
    pub(super) words: Vec<String>,
    pub(super) locals: Vec<Local>,
    pub(super) scope: Vec<LocalId>,
    /// The labels of the loops around, where they have one.
    pub(super) turns: Vec<Label>,
    /// `unsafe`, within a block of it.
    pub(super) unsafety: Option<Token![unsafe]>,
    /// How deep in an expression that lives on the one is that is looked at.
    pub(super) nested: usize,
    /// Whether the next block is part of an expression, and what it ends with may live longer.
    pub(super) is_inner: bool,
    /// Whether the next expression ends a block that has locals, or is part of one.
    pub(super) at_end: bool,
    /// What is assigned to the local that is declared next without a value.
    pub(super) later: Option<Expr>,
    pub(super) next: NodeId,
    /// The label of the statement, until its first await takes it.
    pub(super) label: Option<Ident>,
    /// What is to be proven.
    pub(super) claims: Vec<Claim>,
    /// The items of the blocks around, but for those of the function's own.
    pub(super) items: Vec<Item>,
    /// Whether the function itself is `unsafe`.
    pub(super) is_unsafe: bool,
    pub(super) errors: &'a mut Errors,
}

impl Check<'_> {
    pub(super) fn node(&mut self, kind: impl FnOnce(&mut Self) -> Kind) -> Node {
        let id = self.next;
        self.next += 1;
        let kind = kind(self);
        Node {
            id,
            end: self.next,
            kind,
        }
    }

    pub(super) fn refused(&mut self, rule: Rule, expr: &Expr) -> Kind {
        let span = first_await(expr).unwrap_or_else(|| expr.span());
        self.errors.refuse_at(rule, span);
        Kind::Plain(parse_quote!({}))
    }

    /// Enters something to be proven, with the items that it names.
    pub(super) fn claim(&mut self, mut claim: Claim) {
        let names = |item: &&Item| match named(item) {
            Some(name) => holds_word(claim.proofs.clone(), &name.to_string()).is_some(),
            None => matches!(item, Item::Use(_)),
        };
        claim.items = self.items.iter().filter(names).cloned().collect();
        self.claims.push(claim);
    }

    /// Whether `unsafe` stands around.
    pub(super) fn is_in_unsafe(&self) -> bool {
        self.is_unsafe || self.unsafety.is_some()
    }

    // Locals.

    /// The local that a name means.
    pub(super) fn local(&self, name: &Ident) -> Option<&Local> {
        let mut scope = self.scope.iter().rev().map(|&id| &self.locals[id]);
        scope.find(|local| local.name == *name)
    }

    pub(super) fn declare(
        &mut self,
        binding: &Binding,
        ty: Option<Type>,
        origin: Origin,
    ) -> LocalId {
        let glue = ty.as_ref().map_or(Glue::Concrete, |ty| self.glue(ty));
        let id = self.locals.len();
        self.locals.push(Local {
            name: binding.ident.clone(),
            mutable: binding.mutable,
            ty,
            origin,
            glue,
            in_place: false,
            guess: None,
            customary: false,
            ascribed: false,
            type_text: None,
            ends_block: None,
            advice: None,
            in_pattern: origin == Origin::Pattern,
        });
        self.scope.push(id);
        id
    }

    /// What is known of the destructor of a type.
    pub(super) fn glue(&self, ty: &Type) -> Glue {
        match ty {
            ty if !drops(ty) => Glue::None,
            ty if self.is_generic(&shortened(ty)) => Glue::Generic,
            _ => Glue::Concrete,
        }
    }

    /// Whether a type depends on parameters that are not lifetimes.
    pub(super) fn is_generic(&self, ty: &Type) -> bool {
        let mentions = |name: &String| holds_word(quote!(#ty), name).is_some();
        self.generic.iter().any(mentions)
    }

    pub(super) fn declare_pattern(&mut self, pat: &Pat) -> Vec<LocalId> {
        let bound = bindings(pat);
        let declared = bound
            .iter()
            .map(|binding| self.declare(binding, None, Origin::Pattern));
        declared.collect()
    }

    /// A name that stands nowhere in the function.
    pub(super) fn unused(&mut self, base: &str, span: Span) -> Ident {
        let mut name = base.to_owned();
        let mut count = 1;
        while self.words.contains(&name) {
            count += 1;
            name = format!("{base}_{count}");
        }
        self.words.push(name.clone());
        Ident::new(&name, span)
    }

    pub(super) fn scoped<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.scope.len();
        let result = body(self);
        self.scope.truncate(depth);
        result
    }
}

/// The name of an item.
fn named(item: &Item) -> Option<&Ident> {
    match item {
        Item::Const(item) => Some(&item.ident),
        Item::Static(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        _ => None,
    }
}
