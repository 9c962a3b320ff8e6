//! Children of durable machines: each is started once, and its outcome is received once.

mod families;
mod family_runs;
mod each_crash;
mod family_ends;
mod random_crashes;
