//! Dumps by poll: the trees of a dump, completed by inspection polls.
//!
//! `poll_limits` has the options of a request. `poll_round` makes a worker poll the tasks, and
//! receives the addresses of the functions that wait. `stack_frame` finds their names and lines on
//! the requesting thread, by `frame_origin`, `frame_role`, `frame_names`, `function_at`, and the
//! symbol table in `lookup`. `worker_frames` does so for workers in long polls, `await_loop` finds
//! those that pass awaits, and `poll_samples` records long polls. `frame_tree` adds the functions
//! to the trees of the dump.

mod poll_limits;
mod lookup;
mod frame_origin;
mod frame_role;
mod frame_names;
mod function_at;
mod stack_frame;
mod worker_frames;
mod await_loop;
mod poll_samples;
mod frame_tree;
mod poll_round;
mod dump_by_poll;

pub use self::poll_limits::PollLimits;
pub(in crate::runtime) use self::poll_samples::PollSamples;
