//! Names in refutable patterns that may be those of items of another crate.
//!
//! ```text
//! use codes::*;
//! if let Some(limit) = code { .. }      a constant of `codes`, or a local
//! ```
//!
//! No text of the package shows the items of another crate, so the compiler has to decide. Some
//! patterns decide it by themselves: `let limit = ..` cannot hide a constant, and `(limit, limit)`
//! cannot bind a local twice.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{
    Arm, Block, Expr, ExprClosure, ExprForLoop, ExprLet, FnArg, Item, Local, Pat, PatIdent,
    Signature,
};

use super::super::file_modules::place_of;

/// The names in a function that may be those of items of another crate.
#[derive(Default)]
pub(crate) struct ForeignNames {
    /// Names of locals, unless the compiler knows an item of the name.
    pub(crate) possible: Vec<Ident>,
    /// Names that a local cannot have.
    pub(crate) certain: Vec<Ident>,
}

/// Finds the names in the patterns of a function.
pub(crate) fn foreign_names(sig: &Signature, block: &Block) -> ForeignNames {
    let mut patterns = Patterns::default();
    for input in &sig.inputs {
        if let FnArg::Typed(input) = input {
            patterns.certain_local(&input.pat);
        }
    }
    patterns.visit_block(block);
    let Patterns {
        locals,
        names,
        items,
    } = patterns;
    let mut found = ForeignNames::default();
    for name in names {
        let is_known = locals.contains(&name.to_string()) || found.possible.contains(&name);
        if !is_known && is_imported(&name) {
            found.possible.push(name);
        }
    }
    let is_foreign = |name: &Ident| found.possible.contains(name);
    found.certain = items.into_iter().filter(is_foreign).collect();
    found
}

/// Returns `true` if the scope of a name may import it from another crate.
fn is_imported(name: &Ident) -> bool {
    place_of(name.span()).is_some_and(|(file, place)| {
        let text = name.to_string();
        let text = text.trim_start_matches("r#");
        file.item_scopes().may_be_foreign(place, text)
    })
}

#[derive(Default)]
struct Patterns {
    /// Names that an irrefutable pattern binds.
    locals: BTreeSet<String>,
    /// Names in a refutable pattern without anything else.
    names: Vec<Ident>,
    /// The names among them to which no pattern can bind a value.
    items: Vec<Ident>,
}

/// Collects the names in an irrefutable pattern.
struct Bound<'n>(&'n mut BTreeSet<String>);

impl<'ast> Visit<'ast> for Bound<'_> {
    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        self.0.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }

    fn visit_expr(&mut self, _: &'ast Expr) {}
}

impl Patterns {
    fn certain_local(&mut self, pat: &Pat) {
        Bound(&mut self.locals).visit_pat(pat);
    }

    fn refutable(&mut self, pat: &Pat) {
        let found = self.bare_names(pat);
        self.names.extend(found);
    }

    /// Returns the names that a pattern binds or that it compares with an item, each once.
    fn bare_names(&mut self, pat: &Pat) -> Vec<Ident> {
        if let Pat::Or(node) = pat {
            let cases = node.cases.iter().map(|case| self.bare_names(case));
            let cases: Vec<_> = cases.collect();
            let mut all: Vec<Ident> = Vec::new();
            for name in cases.iter().flatten() {
                if !all.contains(name) {
                    all.push(name.clone());
                }
            }
            // Each case of a pattern binds the same names.
            let is_bound = |name: &&Ident| cases.iter().all(|case| case.contains(name));
            let items = all.iter().filter(|name| !is_bound(name));
            self.items.extend(items.cloned());
            return all;
        }
        let mut parts = BareNames {
            patterns: self,
            found: Vec::new(),
        };
        match pat {
            Pat::Guard(node) => parts.visit_pat(&node.pat),
            pat => visit_inner(&mut parts, pat),
        }
        parts.found
    }
}

/// The names in the parts of a pattern, of which no two bind the same name.
struct BareNames<'p> {
    patterns: &'p mut Patterns,
    found: Vec<Ident>,
}

impl BareNames<'_> {
    fn add(&mut self, name: &Ident) {
        if self.found.contains(name) {
            self.patterns.items.push(name.clone());
        } else {
            self.found.push(name.clone());
        }
    }
}

impl<'ast> Visit<'ast> for BareNames<'_> {
    fn visit_pat(&mut self, pat: &'ast Pat) {
        match pat {
            Pat::Or(_) => {
                let names = self.patterns.bare_names(pat);
                names.iter().for_each(|name| self.add(name));
            }
            pat => visit_inner(self, pat),
        }
    }

    fn visit_expr(&mut self, _: &'ast Expr) {}
}

/// Visits a pattern that has no cases.
fn visit_inner(parts: &mut BareNames<'_>, pat: &Pat) {
    match pat {
        Pat::Ident(node) => {
            let binds = node.by_ref.is_some() || node.mutability.is_some() || node.subpat.is_some();
            if binds {
                parts.patterns.locals.insert(node.ident.to_string());
            } else if !node.ident.to_string().starts_with(char::is_uppercase) {
                parts.add(&node.ident);
            }
            if let Some((_, inner)) = &node.subpat {
                parts.visit_pat(inner);
            }
        }
        pat => visit::visit_pat(parts, pat),
    }
}

impl<'ast> Visit<'ast> for Patterns {
    fn visit_arm(&mut self, arm: &'ast Arm) {
        self.refutable(&arm.pat);
        visit::visit_arm(self, arm);
    }

    fn visit_expr_let(&mut self, node: &'ast ExprLet) {
        self.refutable(&node.pat);
        visit::visit_expr_let(self, node);
    }

    fn visit_local(&mut self, local: &'ast Local) {
        let has_else = local
            .init
            .as_ref()
            .is_some_and(|init| init.diverge.is_some());
        if has_else {
            self.refutable(&local.pat);
        } else {
            self.certain_local(&local.pat);
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_for_loop(&mut self, node: &'ast ExprForLoop) {
        self.certain_local(&node.pat);
        visit::visit_expr_for_loop(self, node);
    }

    fn visit_expr_closure(&mut self, node: &'ast ExprClosure) {
        node.inputs.iter().for_each(|pat| self.certain_local(pat));
        visit::visit_expr_closure(self, node);
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;
    use syn::parse_quote;

    use super::*;

    fn patterns(block: &Block) -> [String; 3] {
        let mut patterns = Patterns::default();
        patterns.visit_block(block);
        let text = |names: &[Ident]| {
            let names = names.iter().map(|name| name.to_token_stream().to_string());
            names.collect::<Vec<_>>().join(" ")
        };
        let locals: Vec<String> = patterns.locals.iter().cloned().collect();
        [
            text(&patterns.names),
            text(&patterns.items),
            locals.join(" "),
        ]
    }

    #[test]
    fn only_refutable_patterns_have_items() {
        let block = parse_quote! {{
            let a = 1;
            let (b, _) = pair;
            let Some(c) = d else { return };
            if let Some(e) = f && let Ok(g) = h {}
            while let Some(i) = j {}
            match k { Some(l) if m => {} Some(ref n) => {} mut o => {} p @ Some(q) => {} }
            for r in s { (|t| t)(r); }
        }};
        let [names, items, locals] = patterns(&block);
        assert_eq!(names, "c e g i l q");
        assert_eq!(items, "");
        assert_eq!(locals, "a b n o p r t");
    }

    #[test]
    fn unbound_name_is_an_item() {
        let block = parse_quote! {{
            match a { Some(b) | None => {} (c, c) => {} Ok(d) | Err(d) => {} [e | f, g] => {} }
        }};
        let [names, items, _] = patterns(&block);
        assert_eq!(names, "b c d e f g");
        assert_eq!(items, "b c e f");
    }
}
