//! Types that nobody wrote, taken from the initial value where one is needed.
//!
//! One is needed for what is used behind an await, and for what lives on to be dropped.

use super::body::{Body, Glue, LocalId};
use super::flow::{Event, Flow};
use super::owned::owns;
use super::presence::presence;
use super::used::used_later;

/// Gives its likely type to each local that a state keeps.
pub(crate) fn adopt(body: &mut Body, flow: &Flow) {
    if body.locals.iter().all(|local| local.guess.is_none()) {
        return;
    }
    let count = body.locals.len();
    let (used, present) = (used_later(flow, count, &[]), presence(flow, count));
    let is_used =
        |place: usize, local: LocalId| flow.next[place].iter().any(|&next| used[next][local]);
    for (place, scope) in &flow.in_scope {
        let suspends = matches!(flow.events[*place], Event::Suspend(_));
        for &local in scope {
            let info = &mut body.locals[local];
            // What a pattern takes out of a value of a known type is as sure as that.
            let is_part = info.in_pattern && !info.customary;
            let drops = match &info.guess {
                Some((ty, glue)) => {
                    let is_there = suspends && present[*place][local].there;
                    is_part || owns(ty) || is_there && *glue != Glue::None
                }
                None => false,
            };
            if !drops && !is_used(*place, local) {
                continue;
            }
            if let Some((ty, glue)) = info.guess.take() {
                (info.ty, info.glue, info.ascribed) = (Some(ty), glue, true);
            }
        }
    }
}
