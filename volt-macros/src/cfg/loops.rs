//! The awaits that are counted: at least one in each loop that awaits.
//!
//! ```text
//! loop {
//!     let page = next().await;            counted: each turn passes it
//!     if page.is_new() {
//!         store(page).await;              not counted
//!     }
//! }
//! ```
//!
//! A poll without a turn of a loop ends by itself. So an await is left out if each way from it back
//! to itself, within one poll, passes one that is counted. The last awaits are left out first,
//! because those before them are more likely to be on all ways.

use super::graph::{BlockId, Cfg, End};

/// Returns for each await whether it is counted.
pub(crate) fn counted(cfg: &Cfg) -> Vec<bool> {
    let mut waits: Vec<_> = cfg.suspensions().collect();
    waits.sort();
    let mut counted = vec![true; waits.len()];
    for (id, resume) in waits.into_iter().rev() {
        counted[id.0] = false;
        let mut seen = vec![false; cfg.blocks.len()];
        counted[id.0] = returns(cfg, resume, &counted, id.0, &mut seen);
    }
    counted
}

/// Returns `true` if a poll can come from a block to an await and passes none that is counted.
fn returns(cfg: &Cfg, from: BlockId, counted: &[bool], to: usize, seen: &mut [bool]) -> bool {
    if std::mem::replace(&mut seen[from.0], true) {
        return false;
    }
    let resume = match cfg.blocks[from.0].end {
        End::Suspend { id, .. } if id.0 == to => return true,
        End::Suspend { id, resume, .. } if !counted[id.0] => Some(resume),
        _ => None,
    };
    let mut next = cfg.exits(from).chain(resume);
    next.any(|block| returns(cfg, block, counted, to, seen))
}
