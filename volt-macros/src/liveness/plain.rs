//! Which locals have no destructor, as far as the source tells without a guess.

use syn::{Expr, Pat};

use crate::cfg::{Cfg, End, Step};
use crate::hir::{Body, ExprId, LocalKind, is_plain, is_plain_value};
use crate::resolve::named_in;

/// For each local whether it surely has no destructor.
pub(super) fn plain(body: &Body, cfg: &Cfg) -> Vec<bool> {
    let written = body
        .locals
        .iter()
        .map(|local| local.ty.as_ref().is_some_and(is_plain));
    let mut plain: Vec<bool> = written.collect();
    for step in cfg.blocks.iter().flat_map(|block| &block.steps) {
        if let Step::Let {
            pat: Pat::Ident(_),
            value: Some(value),
            binds,
            ..
        } = step
            && is_plain_value(&body.exprs[value.0])
            && let [local] = binds[..]
        {
            plain[local.0] = true;
        }
    }
    for block in &cfg.blocks {
        if let End::Match { scrutinee, arms } = &block.end
            && counts(body, cfg, *scrutinee)
        {
            arms.iter()
                .flat_map(|arm| &arm.binds)
                .for_each(|local| plain[local.0] = true);
        }
    }
    plain
}

/// Whether it is the next value of a range: what counts in steps has no destructor.
fn counts(body: &Body, cfg: &Cfg, scrutinee: ExprId) -> bool {
    let named = named_in(&body.exprs[scrutinee.0], &body.names);
    let [iterator] = named[..] else { return false };
    let mut steps = cfg.blocks.iter().flat_map(|block| &block.steps);
    body.locals[iterator.0].kind == LocalKind::Iterator
        && steps.any(|step| match step {
            Step::Let {
                value: Some(value),
                binds,
                ..
            } => binds[..] == [iterator] && is_made_of_range(&body.exprs[value.0]),
            _ => false,
        })
}

/// Whether it is `into_iter(a..b)`.
fn is_made_of_range(expr: &Expr) -> bool {
    let Expr::Call(node) = expr else { return false };
    let mut given = node.args.first();
    while let Some(Expr::Paren(inner)) = given {
        given = Some(&inner.expr);
    }
    matches!(given, Some(Expr::Range(_)))
}
