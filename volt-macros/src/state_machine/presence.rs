//! Which locals have a value, where.

use super::body::LocalId;
use super::flow::{Event, Flow, START};

/// Whether a local has a value: each of the two may hold on some path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Presence {
    pub(super) there: bool,
    pub(super) gone: bool,
    /// Gone for being taken apart.
    pub(super) opened: bool,
}

const THERE: Presence = Presence {
    there: true,
    gone: false,
    opened: false,
};
const GONE: Presence = Presence {
    there: false,
    gone: true,
    opened: false,
};
const OPENED: Presence = Presence {
    opened: true,
    ..GONE
};

/// For each place and local, whether it may have a value, or none, after the place.
pub(super) fn presence(flow: &Flow, locals: usize) -> Vec<Vec<Presence>> {
    let mut present = vec![vec![Presence::default(); locals]; flow.events.len()];
    let mut open = vec![START];
    let mut seen = vec![false; flow.events.len()];
    while let Some(place) = open.pop() {
        let now = present[place].clone();
        for &next in &flow.next[place] {
            let mut after = present[next].clone();
            for (local, after) in after.iter_mut().enumerate() {
                let effect = effect(&flow.events[next], local).unwrap_or(now[local]);
                after.there |= effect.there;
                after.gone |= effect.gone;
                after.opened |= effect.opened;
            }
            let first = !std::mem::replace(&mut seen[next], true);
            if first || after != present[next] {
                present[next] = after;
                open.push(next);
            }
        }
    }
    present
}

fn effect(event: &Event, local: LocalId) -> Option<Presence> {
    match *event {
        Event::Move(moved) if moved == local => Some(GONE),
        Event::Open(opened) if opened == local => Some(OPENED),
        Event::Assign(assigned) if assigned == local => Some(THERE),
        Event::Declare(declared, true) if declared == local => Some(THERE),
        Event::Declare(declared, false) if declared == local => Some(GONE),
        Event::Leave(left) if left == local => Some(GONE),
        _ => None,
    }
}
