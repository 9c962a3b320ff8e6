//! The native layout: the compiler's own coroutine, in a struct with a name.
//!
//! ```text
//!  struct Fetch<'a>                                   fn item  __fetch(late) -> coroutine
//! ┌──────────────────────────────────────┐
//! │ progress   site: which await, or the │◀───────────────┐
//! │            stage   inner: where in   │                │ Late: one pointer,
//! │            the machine it lies       │                │ captured by the coroutine
//! ├──────────────────────────────────────┤                │ and copied into each `At`
//! │ storage    the arguments, typed      │  start         │
//! │            the coroutine's bytes     │  running ──────┘
//! └──────────────────────────────────────┘
//! ```
//!
//! 1. The function stores its arguments and returns the machine. Nothing runs.
//! 2. The first poll moves the arguments to its own stack, makes the coroutine in their place and
//!    polls it. The coroutine's first statements read the arguments through [`Late`], but for those that it is made of: the
//!    receiver, and all where that is `self` by value. From then on they are its locals, dropped in the order of an
//!    `async fn`.
//! 3. Each `.await` in sight notes its site in [`Progress`] and is wrapped in [`At`]. That notes where the awaited
//!    future lies, and polls it with the caller's own context.
//! 4. Between polls a trace reads the site and goes on in the awaited future, if that is a machine.
//!
//! A function without type parameters has its bytes [`Inline`]: size and alignment of the coroutine
//! are constants of the machine's type. With type parameters a constant cannot name them on stable
//! Rust. There the coroutine's type is a parameter of the machine's, behind those of the function:
//! [`Open`]. Where the machine has to be named, the coroutine is [`Boxed`], or `Inline` with a number
//! of bytes that the user gives.
//!
//! # Invariants
//!
//! - N1: the stage says what the storage holds: the arguments at the start, a coroutine from the
//!   first poll on. One constant of the machine knows the type of its coroutine, and keeps the functions that make,
//!   poll and drop it ([`Hooks`]). The poll and the drop of a machine in a box name one function.
//! - N2: a machine that was polled stays where it is until it is dropped, by the contract of `Pin`.
//!   So the pointer in `Late` and the offset in `Progress` stay good.
//! - N3: `Progress` and storage are only touched through raw pointers and cells; nothing ever
//!   makes a reference to the bytes of a coroutine except to poll or drop it.
//! - N4: an `At` that is not awaited by the coroutine itself ([`AtNested`]) takes its offset back
//!   when it is dropped; one that is cannot be dropped while the coroutine waits elsewhere, because
//!   the next await of the coroutine notes its own site first, and with that that there is no offset. So the offset
//!   is always that of a future of the site's type. What lies around an `AtNested` notes its site at each poll, too.
//! - N5: `Late` carries the lifetime `'m`. The coroutine's function is generic over it, so what holds
//!   a `Late` cannot leave the coroutine. Nor can an [`At`], which carries none: it is made of a `Late`, whose name
//!   expanded code alone can say, and awaited in the same expression.
//! - N6: a machine with type parameters is awaited by its storage alone, and tells its caller once, at its first
//!   poll, where it lies ([`Opens`]). So it is awaited by the caller's coroutine itself, where it was made.
//! - N7: a machine is `repr(C)` and begins with its storage. An `Inline` begins with its notes, with the slot behind them
//!   ([`Holds`]); an `Open` with its tag, and the notes behind that ([`Told`]).

mod position;
mod coroutine;
mod storage;
mod await_point;
mod native_macros;

pub use crate::__volt_late as late;
pub use crate::__volt_native as native;
pub use crate::__volt_native_inline as native_inline;
pub use crate::__volt_native_machine as machine;
pub use crate::__volt_native_marked as marked;
pub use crate::__volt_native_measured as measured_parts;
pub use crate::__volt_native_open as open;
pub use crate::__volt_native_send as native_send;
pub use crate::__volt_native_start as start;
pub use crate::__volt_needs_alloc as needs_alloc;
pub use await_point::{At, AtNested, AwaitAny, AwaitNone, Awaited, Begin, Opens, nest};
pub(crate) use coroutine::another;
pub use coroutine::{
    Auto, AutoTraits, Captured, Hooks, IfBoth, IfOnlySend, IfOnlySync,
    KeptAcrossAwaitsTheOptionSendTellsWhat, Made, Marked, Measured, No, Parts, Proof, SendOrLocal,
    Yes, align, are_arguments_send, arguments_are_send, asked_by, asked_of, is_send,
    is_send_as_the_option_says, is_sync, measured, measured_and_asked, size, size_of_output, told,
};
pub(crate) use position::Rows;
pub use position::{
    Given, Late, Make, Notes, Plain, Progress, Quiet, Receive, Receiving, Stage, Table, Untraced,
    Written, tables,
};
pub use storage::{
    Align, Aligned, Holds, Inline, Makes, Nested, Open, Opened, Storage, Told, announce_first,
    held, is_terminated, layout, poll_held, put, state, trace,
};
#[cfg(feature = "alloc")]
pub use storage::{Boxed, EndsBoxed};

/// The traits by which an await is marked, for a body that has one.
pub mod awaits {
    pub use super::{AwaitAny as _, AwaitNone as _, Begin as _, Opens as _};
}

#[cfg(all(test, feature = "rt", not(loom)))]
mod tests;
