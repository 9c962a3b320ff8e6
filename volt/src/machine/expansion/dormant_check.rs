//! The check of the option `deny(dormant)`.
//!
//! The macro sees no types, so it lists the locals that one await may poll and that another one
//! holds. The expansion calls a method for each: autoref specialization finds the method with a
//! bound that never holds if the local is a future.

/// A future that may be held across an await that does not poll it. No type implements it.
#[diagnostic::on_unimplemented(
    message = "a future is held across an `await` that does not poll it",
    label = "the future is not polled here",
    note = "the `await` on line {LINE} may have polled it; it makes no progress here, and may own a lock or the next place in its queue",
    note = "drop the future before this `await`, `join` it with the awaited one, or spawn it; a future that needs no polls, such as a handle of a task, implements `RunsUnpolled`",
    note = "see book/src/hangs/held-futures.md"
)]
pub trait HeldUnpolled<const LINE: u32> {}
