//! Locals that could stay in their place: of plain types, or said to be large.

use syn::{Expr, Pat, Type};

use super::body::{Block, Body, Kind, Let, Local, LocalId, Node, Origin, Stmt};
use super::flow::{Event, Flow, Place, START};
use super::hidden::is_hidden;
use super::parse::{Function, peel};
use super::pattern::unascribed;

/// From how many bytes on a local of a known size is large.
pub(super) const LARGE: u64 = 64;

/// What the states in a room may cost: a tag, aligned.
pub(super) const TAG: u64 = 8;

/// The suspend points that are reached.
pub(super) fn suspends(flow: &Flow) -> impl Iterator<Item = Place> {
    let reached = flow.reach(START, &[]);
    let events = flow.events.iter().enumerate();
    events.filter_map(move |(place, event)| {
        (matches!(event, Event::Suspend(_)) && reached[place]).then_some(place)
    })
}

/// The locals that are wanted, and used in no way that needs the local itself; with their sizes.
pub(super) fn possible(
    function: &Function,
    body: &Body,
    flow: &Flow,
    wanted: impl Fn(&Local, Option<u64>) -> bool,
) -> impl Iterator<Item = (LocalId, Option<u64>)> {
    let mut plain: Vec<LocalId> = (0..function.stored().count()).collect();
    lets(&body.root, &mut |stmt| plain.extend(plain_local(stmt)));
    plain.into_iter().filter_map(move |local| {
        let info = &body.locals[local];
        let ty = info.ty.as_ref()?;
        let is_copied = is_plain(ty);
        let size = array_size(ty).filter(|_| is_copied);
        let moves = |event: &Event| match *event {
            Event::Open(opened) => opened == local,
            Event::Move(moved) => moved == local && !is_copied,
            _ => false,
        };
        let has_value = info.origin != (Origin::Let { initialised: false });
        let possible = wanted(info, size)
            && has_value
            && !flow.events.iter().any(moves)
            && !is_hidden(function, &info.name.to_string(), !is_copied);
        possible.then_some((local, size))
    })
}

/// The local of a `let` that binds one name.
fn plain_local(stmt: &Let) -> Option<LocalId> {
    let pat = unascribed(&stmt.source.pat);
    let plain = matches!(pat, Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none());
    let diverges = stmt
        .source
        .init
        .as_ref()
        .is_some_and(|init| init.diverge.is_some());
    stmt.locals.first().copied().filter(|_| plain && !diverges)
}

/// Visits each `let` that is taken apart.
fn lets(block: &Block, visit: &mut impl FnMut(&Let)) {
    for stmt in &block.stmts {
        match stmt {
            Stmt::Let(stmt) => {
                visit(stmt);
                stmt.nodes().for_each(|node| lets_of(node, visit));
            }
            Stmt::Item(_) => {}
            Stmt::Expr { node, .. } => lets_of(node, visit),
        }
    }
}

fn lets_of(node: &Node, visit: &mut impl FnMut(&Let)) {
    match &node.kind {
        Kind::Plain(_) | Kind::Await(_) => {}
        Kind::Spine(spine) => lets_of(&spine.inner, visit),
        Kind::Block(block) => lets(block, visit),
        Kind::If(found) => {
            lets_of(&found.cond, visit);
            lets(&found.then, visit);
            found.otherwise.iter().for_each(|node| lets_of(node, visit));
        }
        Kind::Match(found) => {
            lets_of(&found.scrutinee, visit);
            found.arms.iter().for_each(|arm| lets_of(&arm.body, visit));
        }
        Kind::Loop(found) => lets(&found.body, visit),
    }
}

/// Whether the type is a primitive one, or an array of such.
pub(super) fn is_plain(ty: &Type) -> bool {
    match peel(ty) {
        Type::Array(array) => is_plain(&array.elem),
        other => primitive_size(other).is_some(),
    }
}

/// The size of an array of primitives, where it is written in numbers.
pub(super) fn array_size(ty: &Type) -> Option<u64> {
    match peel(ty) {
        Type::Array(array) => {
            let Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Int(length),
                ..
            }) = &array.len
            else {
                return None;
            };
            let length: u64 = length.base10_parse().ok()?;
            array_size(&array.elem)?.checked_mul(length)
        }
        other => primitive_size(other),
    }
}

/// The size of a primitive; that of a `usize` is the least that it may be.
fn primitive_size(ty: &Type) -> Option<u64> {
    let Type::Path(path) = ty else { return None };
    let name = path.path.get_ident()?.to_string();
    Some(match name.as_str() {
        "u8" | "i8" | "bool" => 1,
        "u16" | "i16" => 2,
        "u32" | "i32" | "f32" | "char" | "usize" | "isize" => 4,
        "u64" | "i64" | "f64" => 8,
        "u128" | "i128" => 16,
        _ => return None,
    })
}
