//! A process whose threads run on simulated processors, one for each thread.
//!
//! 1. `Process` starts the subject and stops all of its threads with `ptrace`.
//! 2. `Simulation` repeats: it takes the thread with the earliest time, decodes its next
//!    instruction, charges the cost, and executes that instruction with a single step.
//! 3. `Caches` decides for each access whether another processor owns the line.
//! 4. `Counts` has the sums between the two marks of the subject.
//! 5. `Places` has the instructions and the lines of the transfers.
//!
//! Time is simulated too: the function of the clock and the timeouts of system calls are replaced.

mod caches;
mod code;
mod counts;
mod places;
mod process;
mod system_calls;
mod simulation;

pub(crate) use counts::Counts;
pub(crate) use places::{Place, Places};
pub(crate) use simulation::count;
