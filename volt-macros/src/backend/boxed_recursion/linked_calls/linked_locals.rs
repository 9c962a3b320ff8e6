//! `LinkedLocals`: the locals that hold futures for an `.await`, and for nothing else.
//!
//! ```text
//! let future = Box::pin(odd(n));            future.await
//! let mut all = FuturesUnordered::new();    all.push(odd(n)); all.next().await
//! let mut list = Vec::new();                list.push(Box::pin(odd(n))); for it in list { it.await }
//! ```
//!
//! The future of a copy may have another type than the machine. So each occurrence of the name must
//! be one of these, and no type of the local may be written.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, ExprAwait, ExprForLoop, ExprMethodCall, Local, Macro, Member, Pat, Signature,
};

use super::linked_operands::{has_neutral_types, single_name};

/// The types of lists of futures.
const LISTS: [&str; 4] = ["FuturesOrdered", "FuturesUnordered", "Vec", "VecDeque"];

/// The methods of lists that take a future.
const TAKING: [&str; 3] = ["push", "push_back", "push_front"];

/// The methods of lists that return no future.
const READING: [&str; 4] = ["is_empty", "len", "next", "select_next_some"];

/// Returns `true` if the arguments of a method become elements of its receiver.
pub(super) fn takes_futures(method: &Ident) -> bool {
    TAKING.iter().any(|taking| method == taking)
}

/// The names of the locals.
pub(super) struct LinkedLocals(BTreeSet<String>);

impl LinkedLocals {
    /// Finds the locals in the body of a function. `is_neutral` returns `true` for a function that
    /// requires no auto trait of its arguments.
    pub(super) fn find(
        signature: &Signature,
        body: &Block,
        is_neutral: &dyn Fn(&Expr) -> bool,
    ) -> Self {
        let mut found = LocalUses {
            is_neutral,
            others: BTreeMap::new(),
            declared: BTreeSet::new(),
            filled: BTreeSet::new(),
            taking: BTreeSet::new(),
            moves: Vec::new(),
        };
        found.visit_signature(signature);
        found.visit_block(body);
        Self(found.linked())
    }

    /// Returns `true` for the name of such a local.
    pub(super) fn has(&self, name: &Ident) -> bool {
        !self.0.is_empty() && self.0.contains(&name.to_string())
    }
}

/// The occurrences of names in a function.
struct LocalUses<'n> {
    is_neutral: &'n dyn Fn(&Expr) -> bool,
    /// The number of occurrences that may do anything, by name.
    others: BTreeMap<String, isize>,
    declared: BTreeSet<String>,
    /// The locals that are declared with another value than an empty list.
    filled: BTreeSet<String>,
    /// The locals that take futures by a method.
    taking: BTreeSet<String>,
    /// The locals whose futures move to another one.
    moves: Vec<[String; 2]>,
}

impl LocalUses<'_> {
    /// Returns the names of which all occurrences are known.
    fn linked(self) -> BTreeSet<String> {
        let is_known = |name: &String| {
            self.others.get(name) == Some(&0)
                && !(self.filled.contains(name) && self.taking.contains(name))
        };
        let mut linked: BTreeSet<String> = self
            .declared
            .iter()
            .filter(|it| is_known(it))
            .cloned()
            .collect();
        while let Some([from, _]) = self
            .moves
            .iter()
            .find(|[from, to]| linked.contains(from) && !linked.contains(to))
        {
            linked.remove(from);
        }
        linked
    }

    /// Enters an occurrence that does nothing else than to await or to keep a future.
    fn know(&mut self, name: &Ident) {
        *self.others.entry(name.to_string()).or_default() -= 1;
    }

    fn declare(&mut self, name: &Ident) {
        self.know(name);
        self.declared.insert(name.to_string());
    }

    /// Enters the names in tokens that are not parsed.
    fn enter_all(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => self.visit_ident(&name),
                TokenTree::Group(group) => self.enter_all(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// Enters the locals that an operand of `.await`, or an argument in it, consists of.
    fn awaited(&mut self, operand: &Expr) {
        match operand {
            Expr::Paren(node) => self.awaited(&node.expr),
            Expr::Reference(node) if node.mutability.is_some() => self.awaited(&node.expr),
            Expr::Array(node) => node.elems.iter().for_each(|it| self.awaited(it)),
            Expr::Tuple(node) => node.elems.iter().for_each(|it| self.awaited(it)),
            other => {
                if let Some(name) = single_name(other) {
                    self.know(name);
                }
            }
        }
    }
}

impl<'ast> Visit<'ast> for LocalUses<'_> {
    fn visit_ident(&mut self, name: &'ast Ident) {
        *self.others.entry(name.to_string()).or_default() += 1;
    }

    fn visit_member(&mut self, _: &'ast Member) {}

    fn visit_macro(&mut self, node: &'ast Macro) {
        self.enter_all(node.tokens.clone());
    }

    fn visit_local(&mut self, node: &'ast Local) {
        if let (Some(name), Some(init)) = (declared_name(&node.pat), &node.init) {
            self.declare(name);
            if !is_new_list(&init.expr) {
                self.filled.insert(name.to_string());
            }
        }
        visit::visit_local(self, node);
    }

    fn visit_expr_await(&mut self, node: &'ast ExprAwait) {
        match &*node.base {
            Expr::Call(call) if (self.is_neutral)(&call.func) => {
                call.args.iter().for_each(|it| self.awaited(it))
            }
            base => self.awaited(base),
        }
        visit::visit_expr_await(self, node);
    }

    fn visit_expr_for_loop(&mut self, node: &'ast ExprForLoop) {
        if let (Some(item), Some(list)) = (declared_name(&node.pat), single_name(&node.expr)) {
            self.declare(item);
            self.know(list);
            self.moves.push([list.to_string(), item.to_string()]);
        }
        visit::visit_expr_for_loop(self, node);
    }

    fn visit_expr_method_call(&mut self, node: &'ast ExprMethodCall) {
        if let Some(list) = single_name(&node.receiver) {
            let is_taking = takes_futures(&node.method);
            if is_taking || READING.iter().any(|reading| node.method == reading) {
                self.know(list);
            }
            if is_taking {
                self.taking.insert(list.to_string());
                for future in node.args.iter().filter_map(single_name) {
                    self.know(future);
                    self.moves.push([future.to_string(), list.to_string()]);
                }
            }
        }
        self.visit_expr(&node.receiver);
        node.args.iter().for_each(|it| self.visit_expr(it));
        self.enter_all(node.turbofish.to_token_stream());
    }
}

/// Returns the name that a pattern declares, if no written type may be that of a machine.
fn declared_name(pat: &Pat) -> Option<&Ident> {
    match pat {
        Pat::Ident(node) if node.by_ref.is_none() && node.subpat.is_none() => Some(&node.ident),
        Pat::Type(node) if has_neutral_types(node.ty.to_token_stream()) => declared_name(&node.pat),
        _ => None,
    }
}

/// Returns `true` for an empty list, such as `Vec::new()`.
fn is_new_list(init: &Expr) -> bool {
    let Expr::Call(call) = init else {
        return false;
    };
    let Expr::Path(function) = &*call.func else {
        return false;
    };
    let mut segments = function.path.segments.iter().rev();
    let is_new = segments.next().is_some_and(|it| {
        ["new", "with_capacity"].iter().any(|new| it.ident == new) && it.arguments.is_none()
    });
    let list = segments.next().filter(|_| is_new);
    list.is_some_and(|list| {
        LISTS.iter().any(|known| list.ident == known)
            && has_neutral_types(list.arguments.to_token_stream())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(code: &str) -> Vec<String> {
        let item: syn::ItemFn =
            syn::parse_str(&format!("async fn odd(n: u32, f: u8) {{ {code} }}"))
                .expect("the function is parsed");
        let found = LinkedLocals::find(&item.sig, &item.block, &|function| {
            ["join", "join_all"]
                .iter()
                .any(|name| single_name(function).is_some_and(|it| it == name))
        });
        found.0.into_iter().collect()
    }

    #[test]
    fn awaited_locals_are_linked() {
        assert_eq!(linked("let a = even(n); a.await"), ["a"]);
        assert_eq!(
            linked("let a = even(n); let b = even(1); join(a, b).await"),
            ["a", "b"]
        );
        let list =
            "let mut all = FuturesUnordered::new(); for c in &self.all { all.push(c.sum()); }
            while let Some(n) = all.next().await {}";
        assert_eq!(linked(list), ["all"]);
        let list = "let mut all: Vec<_> = Vec::new(); let a = even(n); all.push(a);
            for it in all { it.await; }";
        assert_eq!(linked(list), ["a", "all", "it"]);
    }

    #[test]
    fn locals_with_other_uses_are_not_linked() {
        for code in [
            "let a: Even = even(n); a.await",
            "let a = even(n); spawn(a); a.await",
            "let a = even(n); spawn(a).await",
            "let a = even(n); println!(\"{}\", a); a.await",
            "let f = even(n); f.await",
            "let Some(a) = even(n) else { return }; a.await",
            "let all = Vec::<Even>::new(); all.push(even(n)); join_all(all).await",
            "let all = others(); all.push(even(n)); join_all(all).await",
        ] {
            assert!(linked(code).is_empty(), "{code}");
        }
        let code =
            "let mut all = Vec::new(); all.push(even(n)); for it in all { send(it).await; it.x }";
        assert!(linked(code).is_empty());
    }
}
