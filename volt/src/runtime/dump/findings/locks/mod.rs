//! Findings about locks.
//!
//! `lock_rules` finds tasks that wait for a lock without end, and `holder_rules` those that own a
//! guard meanwhile.

mod lock_rules;
mod holder_rules;
