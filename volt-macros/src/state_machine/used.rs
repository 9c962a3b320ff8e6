//! What is used later.

use super::body::LocalId;
use super::flow::{Event, Flow};

/// For each place and local, whether its value is used at the place or later. A new value makes an
/// end of an old one, unless the local stays in its place: then it is that place that is used.
pub(crate) fn used_later(flow: &Flow, locals: usize, in_place: &[LocalId]) -> Vec<Vec<bool>> {
    let mut used = vec![vec![false; locals]; flow.events.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for place in (0..flow.events.len()).rev() {
            let mut now = vec![false; locals];
            for &next in &flow.next[place] {
                now.iter_mut()
                    .zip(&used[next])
                    .for_each(|(now, next)| *now |= next);
            }
            match flow.events[place] {
                Event::Use(local) | Event::Move(local) | Event::Open(local) => now[local] = true,
                Event::Assign(local) => now[local] = in_place.contains(&local),
                Event::Declare(local, _) => now[local] = false,
                _ => {}
            }
            changed |= now != used[place];
            used[place] = now;
        }
    }
    used
}
