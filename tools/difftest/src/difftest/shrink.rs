//! Shrinks a function whose two versions differ.
//!
//! Each step tries all single edits in one batch. It keeps the shortest candidate that still
//! differs. The search ends when no candidate differs.

use std::io;
use std::path::Path;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ItemFn, Stmt};

use crate::batch::{Compiler, Member, Verdict, judge};

/// Returns the smallest family in which the function `name` still differs, and the difference.
///
/// # Errors
///
/// Returns an error if a program cannot be written, compiled or run.
pub(crate) fn shrink(
    compiler: &Compiler,
    folder: &Path,
    member: &Member,
    name: &str,
    difference: &str,
) -> io::Result<(Member, String)> {
    let mut best = member.clone();
    best.keep_only(name);
    let mut difference = difference.to_owned();
    let kind = kind(&difference);
    loop {
        let candidates = smaller(&best);
        let verdicts = judge(compiler, folder, &candidates)?;
        let differing =
            verdicts
                .into_iter()
                .filter_map(|(index, function, verdict)| match verdict {
                    Verdict::Differs(found) if function == name && self::kind(&found) == kind => {
                        Some((index, found))
                    }
                    _ => None,
                });
        let shortest = differing.min_by_key(|(index, _)| candidates[*index].length());
        let Some((index, found)) = shortest else {
            return Ok((best, difference));
        };
        best = candidates[index].clone();
        difference = found;
    }
}

/// Returns the kind of a difference: `true` if the machine is larger. Another kind is another bug.
fn kind(difference: &str) -> bool {
    difference.starts_with("larger")
}

/// Returns all variants of the family that one edit makes shorter.
fn smaller(member: &Member) -> Vec<Member> {
    let mut all = Vec::new();
    for (place, function) in member.functions.iter().enumerate() {
        let Ok(item) = syn::parse_str::<ItemFn>(&function.source) else {
            continue;
        };
        for target in 0.. {
            let mut item = item.clone();
            let mut edit = Edit { target, seen: 0 };
            edit.visit_block_mut(&mut item.block);
            if edit.seen <= target {
                break;
            }
            let mut smaller = member.clone();
            smaller.name = format!(
                "{}-{place}-{target}",
                member.name.split('-').next().unwrap_or("")
            );
            smaller.functions[place].source = printed(&item);
            if let Some(last) = member.functions.last() {
                smaller.keep_only(&last.name);
            }
            if smaller.length() < member.length() {
                all.push(smaller);
            }
        }
    }
    all
}

fn printed(item: &ItemFn) -> String {
    let file = syn::File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items: vec![syn::Item::Fn(item.clone())],
    };
    prettyplease::unparse(&file).trim().to_owned()
}

/// Makes the `target`-th of all edits.
struct Edit {
    target: usize,
    /// The number of edits that were possible so far.
    seen: usize,
}

impl Edit {
    /// Returns `true` if the next edit is the selected one.
    fn is_selected(&mut self) -> bool {
        self.seen += 1;
        self.seen - 1 == self.target
    }

    /// Returns the block that replaces the construct around it, if that is the selected edit.
    fn inner(&mut self, expr: &Expr) -> Option<Block> {
        let blocks = blocks(expr);
        blocks.into_iter().find(|_| self.is_selected())
    }
}

impl VisitMut for Edit {
    fn visit_block_mut(&mut self, block: &mut Block) {
        for index in 0..block.stmts.len() {
            if self.is_selected() {
                block.stmts.remove(index);
                return;
            }
            let Stmt::Expr(expr, _) = &block.stmts[index] else {
                continue;
            };
            if let Some(inner) = self.inner(&expr.clone()) {
                block.stmts.splice(index..=index, inner.stmts);
                return;
            }
        }
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(inner) = self.inner(&expr.clone()) {
            *expr = match &inner.stmts[..] {
                [Stmt::Expr(only, None)] => only.clone(),
                _ => Expr::Block(syn::ExprBlock {
                    attrs: Vec::new(),
                    label: None,
                    block: inner,
                }),
            };
            return;
        }
        match expr {
            Expr::If(node) if node.else_branch.is_some() && self.is_selected() => {
                node.else_branch = None
            }
            Expr::Match(node) => {
                for index in 0..node.arms.len() {
                    if self.is_selected() {
                        node.arms.remove(index);
                        return;
                    }
                }
            }
            Expr::Call(node) if node.args.len() == 1 && self.is_selected() => {
                *expr = node.args[0].clone();
                return;
            }
            Expr::Await(node) => {
                // Replaces the await by the last argument of the awaited call.
                if let Expr::Call(call) = &*node.base
                    && let Some(value) = call.args.last()
                    && self.is_selected()
                {
                    *expr = value.clone();
                    return;
                }
            }
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_macro_mut(&mut self, _: &mut syn::Macro) {}
}

/// Returns the blocks of a construct.
fn blocks(expr: &Expr) -> Vec<Block> {
    match expr {
        Expr::If(node) => {
            let mut found = vec![node.then_branch.clone()];
            match node.else_branch.as_ref().map(|(_, otherwise)| &**otherwise) {
                Some(Expr::Block(otherwise)) => found.push(otherwise.block.clone()),
                Some(other) => found.extend(blocks(other)),
                None => {}
            }
            found
        }
        Expr::Match(node) => node
            .arms
            .iter()
            .filter_map(|arm| as_block(&arm.body))
            .collect(),
        Expr::Loop(node) => vec![node.body.clone()],
        Expr::While(node) => vec![node.body.clone()],
        Expr::ForLoop(node) => vec![node.body.clone()],
        Expr::Block(node) if node.label.is_some() => vec![node.block.clone()],
        Expr::Block(node) => vec![node.block.clone()],
        _ => Vec::new(),
    }
}

fn as_block(expr: &Expr) -> Option<Block> {
    match expr {
        Expr::Block(node) => Some(node.block.clone()),
        _ => syn::parse2(braced(expr.to_token_stream())).ok(),
    }
}

fn braced(tokens: TokenStream) -> TokenStream {
    quote::quote!({ #tokens })
}
