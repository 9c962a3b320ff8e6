//! Locals of the macro, and the locals that a pattern binds.

use std::mem;

use proc_macro2::{Ident, Span};
use syn::{Pat, Type};

use super::lowering::Lower;
use crate::fallback::FallbackReason;
use crate::hir::body::Value;
use crate::hir::built_exprs::moved;
use crate::hir::facts::{PartKind, constant_parts};
use crate::resolve::{LocalData, LocalId, LocalKind, bindings_of};

impl Lower<'_> {
    /// Declares a local of the macro.
    pub(in crate::hir) fn temp(
        &mut self,
        kind: LocalKind,
        ty: Option<Type>,
        span: Span,
    ) -> LocalId {
        let id = LocalId(self.body.locals.len());
        let base = match kind {
            LocalKind::Output(id) => format!("output_{}", id.0),
            LocalKind::Iterator => format!("iterator_{}", id.0),
            LocalKind::Receiver => format!("receiver_{}", id.0),
            _ => format!("value_{}", id.0),
        };
        let mut ident = self.unused(&base);
        ident.set_span(ident.span().located_at(span));
        let name = ident.to_string();
        self.body.names.insert(name.clone(), id);
        let mutable = matches!(kind, LocalKind::Iterator | LocalKind::Receiver);
        self.body.locals.push(LocalData {
            ident,
            name,
            ty,
            mutable,
            kind,
        });
        id
    }

    /// Returns the name, with underscores appended until no local has it.
    pub(in crate::hir) fn unused(&self, name: &str) -> Ident {
        let mut name = name.to_owned();
        while self.body.names.contains_key(&name) {
            name.push('_');
        }
        Ident::new(&name, Span::mixed_site())
    }

    /// The expression that moves a local.
    pub(super) fn moved(&mut self, local: LocalId) -> Value {
        self.moved_at(local, Span::mixed_site())
    }

    /// The expression that moves a local, with the place of the code that begins at `begin`.
    pub(in crate::hir) fn moved_at(&mut self, local: LocalId, begin: Span) -> Value {
        let ident = self.body.locals[local.0].ident.clone();
        Value::Expr(self.body.add(moved(ident, begin)))
    }

    /// Returns the only name that the pattern of a `let` binds.
    pub(in crate::hir) fn bound_name(&self, pat: &Pat) -> Option<String> {
        match &self.binds(pat)[..] {
            [local] => Some(self.body.locals[local.0].name.clone()),
            _ => None,
        }
    }

    /// Claims that the names with a capital in a pattern are not those of locals.
    pub(super) fn claim_constants(&mut self, pat: &Pat) {
        let is_generic = self.fallbacks.has(FallbackReason::TypeParameter);
        match constant_parts(pat) {
            Ok(parts) if is_generic => {
                let mut names = parts.into_iter().filter_map(|part| match part.kind {
                    PartKind::Constant(name) => Some(name),
                    _ => None,
                });
                self.assume_constant(names.next());
            }
            Ok(parts) => self.leaves.extend(parts),
            Err(name) => self.assume_constant(Some(name)),
        }
    }

    fn assume_constant(&mut self, name: Option<Ident>) {
        let known = self.body.assumed_constant.take();
        self.body.assumed_constant = known.or(name);
    }

    /// Claims the same for the pattern of a `let` with an `else`.
    pub(super) fn claim_constants_of_let(&mut self, pat: &Pat, value: Option<&Value>) {
        if let Some(Value::Expr(value)) = value {
            let outer = mem::take(&mut self.leaves);
            self.claim_constants(pat);
            let parts = mem::replace(&mut self.leaves, outer);
            if !parts.is_empty() {
                self.body.plain.entry(*value).or_default().extend(parts);
            }
        }
    }

    /// The locals that a pattern binds.
    pub(in crate::hir) fn binds(&self, pat: &Pat) -> Vec<LocalId> {
        let mut found = Vec::new();
        for name in bindings_of(pat) {
            let local = self.body.names.get(&name.ident.to_string());
            found.extend(local.filter(|local| !found.contains(*local)));
        }
        found
    }
}
