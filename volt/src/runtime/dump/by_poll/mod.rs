//! Dumps by poll: the trees of a dump, completed by inspection polls.
//!
//! `poll_limits` has the options of a request. `poll_round` makes a worker poll the tasks, and
//! receives the addresses of the functions that wait. `frame_origin` and `stack_frame` find their
//! names and lines on the requesting thread. `worker_frames` does so for workers in long polls.
//! `frame_tree` adds the functions to the trees of the dump.

mod poll_limits;
mod frame_origin;
mod stack_frame;
mod worker_frames;
mod frame_tree;
mod poll_round;
mod dump_by_poll;

pub use self::poll_limits::PollLimits;
