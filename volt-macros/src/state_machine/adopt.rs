//! Types that nobody wrote, taken from the initial value where one is needed.
//!
//! One is needed for what is used behind an await, and for what lives on to be dropped.

use super::body::{Body, LocalId};
use super::flow::Flow;
use super::owned::owns;
use super::used::used_later;

/// Gives its likely type to each local that a state keeps.
pub(crate) fn adopt(body: &mut Body, flow: &Flow) {
    if body.locals.iter().all(|local| local.guess.is_none()) {
        return;
    }
    let used = used_later(flow, body.locals.len(), &[]);
    let is_used =
        |place: usize, local: LocalId| flow.next[place].iter().any(|&next| used[next][local]);
    for (place, scope) in &flow.in_scope {
        for &local in scope {
            let info = &mut body.locals[local];
            let drops = matches!(&info.guess, Some((ty, _)) if owns(ty));
            if !drops && !is_used(*place, local) {
                continue;
            }
            if let Some((ty, glue)) = info.guess.take() {
                (info.ty, info.glue, info.ascribed) = (Some(ty), glue, true);
            }
        }
    }
}
