//! Children of durable machines: each is started once, and its outcome is received once.

#[path = "../crashing/mod.rs"]
mod crashing;
mod families;
mod family_runs;
mod each_crash;
mod family_ends;
mod random_crashes;
