//! Types that nobody wrote, taken from the initial value where one is needed.

use super::body::{Body, LocalId};
use super::flow::Flow;
use super::used::used_later;

/// Gives its likely type to each local that is used behind an await.
pub(crate) fn adopt(body: &mut Body, flow: &Flow) {
    if body.locals.iter().all(|local| local.guess.is_none()) {
        return;
    }
    let used = used_later(flow, body.locals.len(), &[]);
    let is_used =
        |place: usize, local: LocalId| flow.next[place].iter().any(|&next| used[next][local]);
    for (place, scope) in &flow.in_scope {
        for &local in scope.iter().filter(|&&local| is_used(*place, local)) {
            let info = &mut body.locals[local];
            if let Some((ty, glue)) = info.guess.take() {
                (info.ty, info.glue, info.ascribed) = (Some(ty), glue, true);
            }
        }
    }
}
