//! Findings about locks.
//!
//! `lock_places` has the places at which tasks wait for locks. `lock_rules` finds tasks that wait
//! for a lock without end, and `holder_rules` those that own a guard meanwhile. `passed_awaits`
//! finds the tasks that may own a lock since an earlier await.

mod lock_places;
mod passed_awaits;
mod holder_rules;
mod lock_rules;

pub(super) use self::lock_places::{crate_of, is_lock};
