//! The locals that `pin!` binds in a body, and the awaits that name them.
//!
//! ```text
//! let mut written = pin!(write(..));
//! race(written.as_mut(), soon()).await;      names `written`, and may poll it
//! log().await;                               is beside `written`
//! written.await;                             consumes `written`
//! ```
//!
//! The macro sees no types. So an await may poll each pinned local that its operand names, by the
//! local's own name or by that of a local that was created from it. A wrong assumption changes only
//! the trees of dumps: each address that an await stores is that of a local in its scope.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Local, Macro, Pat, Stmt, Token};

use crate::names::{pins_locals, pins_value, user_name};
use crate::syntax::{contains_ident, imports_only_from};

/// A local that `pin!` binds.
struct PinnedLocal {
    name: String,
    /// The number of loops around the statement.
    loops: usize,
    /// The line of the first await that names it, if that is before this place.
    named_in: Option<usize>,
    /// The awaits beside it.
    awaits_beside: Vec<Span>,
}

/// A pinned local in the documentation of its machine.
#[derive(Clone, Debug)]
pub(in crate::native) struct PinnedRow {
    pub(in crate::native) name: String,
    /// The lines of the awaits that hold it and do not poll it.
    pub(in crate::native) lines: BTreeSet<usize>,
}

/// The pinned locals of a body, and the names that are in scope.
#[derive(Default)]
pub(super) struct PinnedLocals {
    locals: Vec<PinnedLocal>,
    /// The pinned locals in scope.
    pub(super) in_scope: Vec<usize>,
    /// The names in scope, each with the pinned locals of which its value may consist. A later name
    /// hides an earlier one.
    names: Vec<(String, BTreeSet<usize>)>,
    /// The number of loops around the current place.
    loops: usize,
    /// The locals of which no await needs the address.
    unheld: BTreeSet<usize>,
    /// `true` if a `pin!` without a path was recognized.
    pub(super) has_bare_pin: bool,
}

/// The pinned locals of an await.
#[derive(Default)]
pub(super) struct AwaitLocals {
    /// The locals that the operand names.
    pub(super) named: BTreeSet<usize>,
    /// The other locals that an await before this one names.
    pub(super) beside: Vec<usize>,
    /// `true` if the operand is nothing but a pinned local.
    pub(super) is_consumed: bool,
}

impl AwaitLocals {
    /// The pinned locals of awaits in a macro, whose arguments name these.
    pub(super) fn in_macro(named: BTreeSet<usize>) -> Self {
        Self {
            named,
            ..Self::default()
        }
    }

    /// Returns the method by which the named locals record the await.
    pub(super) fn record(&self) -> &'static str {
        if self.is_consumed {
            "consumed"
        } else {
            "polled"
        }
    }
}

/// The names that a statement binds.
pub(super) enum Bindings {
    Pinned(Vec<Ident>),
    Other(Vec<Ident>, BTreeSet<usize>),
}

impl PinnedLocals {
    /// The locals with these numbers record nothing.
    pub(super) fn new(unheld: BTreeSet<usize>) -> Self {
        Self {
            unheld,
            ..Self::default()
        }
    }

    /// Returns the locals beside no await. Nothing reads their addresses.
    pub(super) fn unheld(&self) -> BTreeSet<usize> {
        let locals = self.locals.iter().enumerate();
        let unheld = locals.filter(|(_, local)| local.awaits_beside.is_empty());
        unheld.map(|(index, _)| index).collect()
    }

    /// Returns `true` if an await needs the address of the local.
    pub(super) fn is_held(&self, index: usize) -> bool {
        !self.unheld.contains(&index)
    }

    /// Begins a block, and returns a mark for its end.
    pub(super) fn enter(&self) -> (usize, usize) {
        (self.in_scope.len(), self.names.len())
    }

    /// Ends a block.
    pub(super) fn leave(&mut self, (in_scope, names): (usize, usize)) {
        self.in_scope.truncate(in_scope);
        self.names.truncate(names);
    }

    pub(super) fn enter_loop(&mut self) {
        self.loops += 1;
    }

    pub(super) fn leave_loop(&mut self) {
        self.loops -= 1;
    }

    /// Returns the tokens of a statement, or none if they cannot name a pinned local.
    pub(super) fn tokens_of(&self, stmt: &Stmt) -> TokenStream {
        if self.in_scope.is_empty() {
            return TokenStream::new();
        }
        stmt.to_token_stream()
    }

    /// Returns the awaits beside a pinned local, and the line of the first await that names it. A
    /// local that no await names is not polled.
    pub(super) fn awaits_beside(&self, index: usize) -> Option<(&[Span], usize)> {
        let local = &self.locals[index];
        Some((&local.awaits_beside, local.named_in?))
    }

    /// Returns all pinned locals, each with the lines of the awaits that hold it.
    pub(super) fn into_rows(self) -> Vec<PinnedRow> {
        let row = |local: PinnedLocal| {
            let is_polled = local.named_in.is_some();
            let beside = local.awaits_beside.iter().filter(|_| is_polled);
            PinnedRow {
                lines: beside.map(|place| place.start().line).collect(),
                name: local.name,
            }
        };
        self.locals.into_iter().map(row).collect()
    }

    /// Returns the names that a statement binds. `rest` are the statements after it: a pinned local
    /// that none of them names is left out.
    pub(super) fn bindings(&mut self, stmt: &mut Stmt, rest: &[Stmt]) -> Option<Bindings> {
        if let Some(names) = self.pinned_by(stmt) {
            let rest: TokenStream = rest.iter().map(ToTokens::to_token_stream).collect();
            let is_named = |name: &Ident| contains_ident(rest.clone(), &name.to_string());
            return Some(Bindings::Pinned(
                names.into_iter().filter(is_named).collect(),
            ));
        }
        match stmt {
            Stmt::Local(local) if !self.in_scope.is_empty() => {
                Some(Bindings::Other(bound_by(&local.pat), self.sources(local)))
            }
            _ => None,
        }
    }

    /// Adds the names to the scope, and returns the new pinned locals.
    pub(super) fn bind(&mut self, bindings: Option<Bindings>) -> Vec<(usize, Ident)> {
        match bindings {
            None => Vec::new(),
            Some(Bindings::Other(names, sources)) => {
                let names = names.into_iter();
                self.names
                    .extend(names.map(|name| (name.to_string(), sources.clone())));
                Vec::new()
            }
            Some(Bindings::Pinned(names)) => {
                let add = |name: Ident| {
                    let index = self.locals.len();
                    self.locals.push(PinnedLocal {
                        name: user_name(&name),
                        loops: self.loops,
                        named_in: None,
                        awaits_beside: Vec::new(),
                    });
                    self.in_scope.push(index);
                    self.names.push((name.to_string(), BTreeSet::from([index])));
                    (index, name)
                };
                names.into_iter().map(add).collect()
            }
        }
    }

    /// Returns the pinned locals of an await.
    pub(super) fn of_await(&mut self, operand: &Expr, place: Span) -> AwaitLocals {
        if self.in_scope.is_empty() {
            return AwaitLocals::default();
        }
        let named = self.named_in(operand.to_token_stream(), place);
        let is_beside = |index: &usize| {
            let local = &self.locals[*index];
            !named.contains(index) && (local.named_in.is_some() || local.loops < self.loops)
        };
        let beside: Vec<_> = self.in_scope.iter().copied().filter(is_beside).collect();
        for index in &beside {
            self.locals[*index].awaits_beside.push(place);
        }
        let is_consumed = named.len() == 1 && is_only(operand, &self.locals[first(&named)].name);
        AwaitLocals {
            named: self.held(named),
            beside,
            is_consumed,
        }
    }

    /// Returns the pinned locals that record an await in a macro, whose tokens name them.
    pub(super) fn held_in(&mut self, tokens: TokenStream, place: Span) -> BTreeSet<usize> {
        let named = self.named_in(tokens, place);
        self.held(named)
    }

    fn held(&self, named: BTreeSet<usize>) -> BTreeSet<usize> {
        let named = named.into_iter();
        named.filter(|index| self.is_held(*index)).collect()
    }

    /// Returns `true` if an operand is only this local, and no other one of its name.
    pub(super) fn is_only_of(&self, operand: &Expr, index: usize) -> bool {
        let mut named = BTreeSet::new();
        self.add_named(operand.to_token_stream(), &mut named);
        named == BTreeSet::from([index]) && is_only(operand, &self.locals[index].name)
    }

    /// Returns the pinned locals that tokens name, which an await in the tokens may poll.
    fn named_in(&mut self, tokens: TokenStream, place: Span) -> BTreeSet<usize> {
        let mut named = BTreeSet::new();
        if !self.in_scope.is_empty() {
            self.add_named(tokens, &mut named);
        }
        for index in &named {
            let line = &mut self.locals[*index].named_in;
            line.get_or_insert(place.start().line);
        }
        named
    }

    fn add_named(&self, tokens: TokenStream, named: &mut BTreeSet<usize>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.add_named(group.stream(), named),
                TokenTree::Ident(word) => {
                    let mut known = self.names.iter().rev();
                    let found = known.find(|(name, _)| word == name);
                    named.extend(found.iter().flat_map(|(_, sources)| sources));
                }
                _ => {}
            }
        }
    }

    /// Returns the pinned locals of which the value of a local may consist. The output of an await
    /// is no such value.
    fn sources(&self, local: &Local) -> BTreeSet<usize> {
        struct Outside<'a>(&'a PinnedLocals, BTreeSet<usize>);

        impl<'ast> Visit<'ast> for Outside<'_> {
            fn visit_expr_await(&mut self, _: &'ast syn::ExprAwait) {}

            fn visit_ident(&mut self, name: &'ast Ident) {
                self.0.add_named(name.to_token_stream(), &mut self.1);
            }

            fn visit_macro(&mut self, mac: &'ast Macro) {
                self.0.add_named(mac.tokens.clone(), &mut self.1);
            }
        }

        let mut outside = Outside(self, BTreeSet::new());
        if let Some(init) = &local.init {
            outside.visit_expr(&init.expr);
        }
        outside.1
    }

    /// Returns the locals that a statement pins.
    fn pinned_by(&mut self, stmt: &mut Stmt) -> Option<Vec<Ident>> {
        let is_from =
            |name: &Ident, root: &str| imports_only_from(name.span(), root, &name.to_string());
        match stmt {
            Stmt::Local(local) => {
                let name = plain_name(&local.pat)?;
                let init = local.init.as_mut().filter(|init| init.diverge.is_none())?;
                let Expr::Macro(node) = &mut *init.expr else {
                    return None;
                };
                if !pins_value(&node.mac, is_from) {
                    return None;
                }
                if node.mac.path.get_ident().is_some() {
                    self.has_bare_pin = true;
                } else {
                    // A module of the user may have the name of the crate.
                    node.mac.path.leading_colon.get_or_insert_default();
                }
                Some(vec![name])
            }
            Stmt::Macro(node) if pins_locals(&node.mac, is_from) => rebound(&node.mac),
            _ => None,
        }
    }
}

fn first(set: &BTreeSet<usize>) -> usize {
    set.first().copied().unwrap_or_default()
}

/// Returns the name of a pattern that is nothing else.
fn plain_name(pat: &Pat) -> Option<Ident> {
    match pat {
        Pat::Ident(node) if node.by_ref.is_none() && node.subpat.is_none() => {
            Some(node.ident.clone())
        }
        Pat::Type(node) => plain_name(&node.pat),
        _ => None,
    }
}

/// Returns the names that a pattern binds.
fn bound_by(pat: &Pat) -> Vec<Ident> {
    struct Names(Vec<Ident>);

    impl<'ast> Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, node: &'ast syn::PatIdent) {
            self.0.push(node.ident.clone());
            visit::visit_pat_ident(self, node);
        }
    }

    let mut names = Names(Vec::new());
    names.visit_pat(pat);
    names.0
}

/// Returns the locals in the arguments of a macro that rebinds them: `a, b` or `let a = value;`.
fn rebound(mac: &Macro) -> Option<Vec<Ident>> {
    let listed = Punctuated::<Ident, Token![,]>::parse_terminated;
    if let Ok(names) = listed.parse2(mac.tokens.clone()) {
        return Some(names.into_iter().collect());
    }
    let declared = |input: ParseStream<'_>| input.call(syn::Block::parse_within);
    let stmts = declared.parse2(mac.tokens.clone()).ok()?;
    let name = |stmt: &Stmt| match stmt {
        Stmt::Local(local) => plain_name(&local.pat),
        _ => None,
    };
    stmts.iter().map(name).collect()
}

/// Returns `true` if an operand is only the local: `written`, `&mut written` or `written.as_mut()`.
fn is_only(operand: &Expr, local: &str) -> bool {
    match operand {
        Expr::Path(node) => node
            .path
            .get_ident()
            .is_some_and(|name| user_name(name) == local),
        Expr::Reference(node) => is_only(&node.expr, local),
        Expr::Paren(node) => is_only(&node.expr, local),
        Expr::Group(node) => is_only(&node.expr, local),
        Expr::MethodCall(node) => node.method == "as_mut" && is_only(&node.receiver, local),
        _ => false,
    }
}
