//! Names that the function declares for itself, as far as its machine needs them.
//!
//! The machine stands beside the function, and its fields know nothing of a `use` in the body. So
//! in the types of fields the names it brings are written out. What else is declared in the
//! body has no path that leads to it.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Item, Path, PathSegment, Type, UseTree};

use super::body::{Await, Block, Body, Kind, Node, Operand, Stmt};
use super::errors::{Errors, Rule};
use super::flow::{Event, Flow};
use super::liveness::Points;
use super::parse::Function;
use super::scope::holds_word;

/// What is declared in a body.
#[derive(Debug, Default)]
pub(crate) struct Imports {
    /// Names, and the paths that they stand for.
    paths: Vec<(Ident, Path)>,
    /// Names of items.
    items: Vec<Ident>,
}

impl Imports {
    /// What the body of the function declares.
    pub(crate) fn of(function: &Function) -> Self {
        let mut imports = Self::default();
        imports.visit_block(&function.item.block);
        imports
    }

    /// Writes out what stands for something else, in the types of fields.
    pub(crate) fn resolve(&self, body: &mut Body) {
        if self.paths.is_empty() {
            return;
        }
        for local in &mut body.locals {
            let types = local.ty.iter_mut();
            let types = types.chain(local.guess.as_mut().map(|(ty, _)| ty));
            types.for_each(|ty| self.resolve_type(ty));
        }
        each_await(&mut body.root, &mut |point| {
            for ty in types_of(point) {
                if let Ok(mut found) = syn::parse2::<Type>(ty.clone()) {
                    self.resolve_type(&mut found);
                    *ty = found.into_token_stream();
                }
            }
        });
    }

    fn resolve_type(&self, ty: &mut Type) {
        // What the macro put together is read as what it is.
        if let Ok(whole) = syn::parse2(quote!(#ty)) {
            *ty = whole;
        }
        Resolve(self).visit_type_mut(ty);
    }

    /// Refuses fields of types that are declared in the body.
    pub(crate) fn check(&self, body: &mut Body, flow: &Flow, points: &Points, errors: &mut Errors) {
        let mut types: Vec<TokenStream> = Vec::new();
        for (place, kept) in &points.kept {
            if matches!(flow.events[*place], Event::Suspend(_)) {
                let kept = kept.iter().map(|kept| &body.locals[kept.local].ty);
                types.extend(kept.map(ToTokens::to_token_stream));
            }
        }
        each_await(&mut body.root, &mut |point| {
            types.extend(types_of(point).into_iter().map(|ty| ty.clone()));
        });
        for item in &self.items {
            let word = item.to_string();
            let mut found = types.iter();
            if let Some(word) = found.find_map(|ty| holds_word(ty.clone(), &word)) {
                errors.refuse(Rule::LocalItem, &word);
            }
        }
    }

    /// Enters what a tree of a `use` brings, of which `path` leads to the branch.
    fn import(&mut self, tree: &UseTree, path: &Path) {
        match tree {
            UseTree::Path(node) => self.import(&node.tree, &longer(path, &node.ident)),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, path)),
            UseTree::Name(node) if node.ident == "self" => {
                let last = path.segments.last();
                let name = last.map(|last| last.ident.clone());
                self.paths.extend(name.map(|name| (name, path.clone())));
            }
            UseTree::Name(node) => {
                let name = node.ident.clone();
                self.paths.push((name, longer(path, &node.ident)));
            }
            UseTree::Rename(node) if node.ident == "self" => {
                self.paths.push((node.rename.clone(), path.clone()));
            }
            UseTree::Rename(node) => {
                let name = node.rename.clone();
                self.paths.push((name, longer(path, &node.ident)));
            }
            // Whoever brings everything does not say what.
            _ => {}
        }
    }
}

fn longer(path: &Path, name: &Ident) -> Path {
    let mut path = path.clone();
    path.segments.push(PathSegment::from(name.clone()));
    path
}

impl<'ast> Visit<'ast> for Imports {
    fn visit_item(&mut self, item: &'ast Item) {
        let name = match item {
            Item::Use(item) => {
                let root = Path {
                    leading_colon: item.leading_colon,
                    segments: syn::punctuated::Punctuated::new(),
                };
                return self.import(&item.tree, &root);
            }
            Item::Struct(item) => &item.ident,
            Item::Enum(item) => &item.ident,
            Item::Union(item) => &item.ident,
            Item::Type(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::Const(item) => &item.ident,
            Item::Mod(item) => &item.ident,
            Item::Fn(item) => &item.sig.ident,
            _ => return,
        };
        self.items.push(name.clone());
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}
}

/// Writes imported names out.
struct Resolve<'a>(&'a Imports);

impl VisitMut for Resolve<'_> {
    fn visit_path_mut(&mut self, path: &mut Path) {
        visit_mut::visit_path_mut(self, path);
        if path.leading_colon.is_some() || path.segments.is_empty() {
            return;
        }
        let first = path.segments[0].clone();
        let mut known = self.0.paths.iter();
        let Some((_, whole)) = known.find(|(name, _)| *name == first.ident) else {
            return;
        };
        let mut whole = whole.clone();
        for segment in &mut whole.segments {
            segment.ident.set_span(first.ident.span());
        }
        if let Some(last) = whole.segments.last_mut() {
            last.arguments = first.arguments;
        }
        whole.segments.extend(path.segments.iter().skip(1).cloned());
        *path = whole;
    }
}

/// The type that an await stores, and those within it that are spoken of alone.
fn types_of(point: &mut Await) -> Vec<&mut TokenStream> {
    match &mut point.operand {
        Operand::Stored { ty, .. } | Operand::Call { ty, .. } => vec![ty],
        Operand::Composed { ty, parts, .. } => {
            let mut types = vec![ty];
            parts.iter_mut().for_each(|part| part.types(&mut types));
            types
        }
        Operand::Closure(_) | Operand::Borrowed(_) => Vec::new(),
    }
}

fn each_await(block: &mut Block, visit: &mut impl FnMut(&mut Await)) {
    for stmt in &mut block.stmts {
        match stmt {
            Stmt::Let(stmt) => {
                let nodes = stmt.init.iter_mut().chain(&mut stmt.otherwise);
                nodes.for_each(|node| each_await_in(node, visit));
            }
            Stmt::Item(_) => {}
            Stmt::Expr { node, .. } => each_await_in(node, visit),
        }
    }
}

fn each_await_in(node: &mut Node, visit: &mut impl FnMut(&mut Await)) {
    match &mut node.kind {
        Kind::Plain(_) => {}
        Kind::Await(point) => visit(point),
        Kind::Spine(spine) => each_await_in(&mut spine.inner, visit),
        Kind::Block(block) => each_await(block, visit),
        Kind::If(found) => {
            each_await_in(&mut found.cond, visit);
            each_await(&mut found.then, visit);
            let otherwise = found.otherwise.iter_mut();
            otherwise.for_each(|node| each_await_in(node, visit));
        }
        Kind::Match(found) => {
            each_await_in(&mut found.scrutinee, visit);
            let arms = found.arms.iter_mut();
            arms.for_each(|arm| each_await_in(&mut arm.body, visit));
        }
        Kind::Loop(found) => each_await(&mut found.body, visit),
    }
}
