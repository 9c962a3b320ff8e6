//! The header of a task, which does not depend on the type of its future.

use super::join_waker::JoinWaker;
use crate::loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use crate::machine;
use crate::task::id::TaskId;
use crate::task::word::StateWord;
use std::any::Any;
use std::any::TypeId;
use std::fmt;
#[cfg(not(any(loom, all(test, shuttle))))]
use std::mem::offset_of;
#[cfg(feature = "tracing")]
use std::num::NonZeroU64;
use std::num::NonZeroUsize;
use std::panic::Location;
use std::ptr::NonNull;
#[cfg(any(feature = "inspect", all(test, loom)))]
use std::task::RawWakerVTable;
use volt_inspect::Visitor;

/// The untyped first part of a task: 48 bytes.
#[repr(C)]
pub(in crate::task) struct Header {
    pub(in crate::task) state: StateWord,
    pub(in crate::task) vtable: &'static Vtable,
    id: AtomicU64,
    polls: AtomicU32,
    since: AtomicU32,
    pub(in crate::task) join_waker: JoinWaker,
}

/// The offsets of the fields of a header and of its vtable, for debuggers.
#[cfg(not(any(loom, all(test, shuttle))))]
#[repr(C)]
pub(in crate::task) struct HeaderLayout {
    state: usize,
    vtable: usize,
    id: usize,
    polls: usize,
    /// The offset of the [`TaskLayout`] in the vtable.
    layout: usize,
}

#[cfg(not(any(loom, all(test, shuttle))))]
impl HeaderLayout {
    pub(in crate::task) const NEW: Self = Self {
        state: offset_of!(Header, state),
        vtable: offset_of!(Header, vtable),
        id: offset_of!(Header, id),
        polls: offset_of!(Header, polls),
        layout: offset_of!(Vtable, layout),
    };
}

/// The places of the parts of a task, for debuggers.
#[repr(C)]
pub(in crate::task) struct TaskLayout {
    /// The type of the future.
    pub(in crate::task) type_id: TypeId,
    /// The offset of the future in the task.
    pub(in crate::task) future: usize,
    /// The offset of the metadata in the task.
    pub(in crate::task) metadata: usize,
    /// The kind of the metadata, see `MetadataLayout`.
    pub(in crate::task) metadata_kind: usize,
}

/// A pointer to a task that owns no reference.
pub(in crate::task) type Erased = NonNull<Header>;

/// The vtable of the waker of a poll.
///
/// Without inspection polls there is one table, and this type has no value. So a poll knows the
/// table, and LLVM keeps no register for it.
#[derive(Clone, Copy)]
pub(in crate::task) struct WakerTable(
    #[cfg(any(feature = "inspect", all(test, loom)))] &'static RawWakerVTable,
);

#[cfg(any(feature = "inspect", all(test, loom)))]
impl WakerTable {
    /// # Safety
    ///
    /// - The functions of the table uphold the contract of `RawWaker`, if the data is the address
    ///   of a live task.
    pub(super) const unsafe fn new(table: &'static RawWakerVTable) -> Self {
        Self(table)
    }

    #[inline]
    pub(super) fn get(self) -> &'static RawWakerVTable {
        self.0
    }
}

#[cfg(not(any(feature = "inspect", all(test, loom))))]
impl WakerTable {
    /// Returns the only table.
    pub(super) const fn only() -> Self {
        Self()
    }
}

/// The functions that know the types of the task behind the pointer.
///
/// # Safety
///
/// Each function requires a pointer to a live task of the types of the table, and:
/// - `poll`, `cancel`: the task is running, and the caller owns it and its life reference, which
///   the call consumes; if the result is [`Polled::Woken`], the caller owns the reference again;
/// - `schedule`, `reschedule`: the task is scheduled, and the caller owns its life reference,
///   which the call consumes, and another reference during the call;
/// - `take_output`, `drop_output`: the task is complete, and the stage belongs to the caller; it is
///   empty afterwards. `take_output` writes a `Result<T, JoinError>`;
/// - `describe`, `runtime_id`, `is_inherited`, `is_job`, `span`: no more than that;
/// - `store_foreign_runtime`: the caller owns a reference during the call;
/// - `position`, `inspect`, `report_orphan`: the task is running, the caller owns it, and its
///   future is in place;
/// - `dealloc`: the caller owns the last reference, and the stage is empty.
#[doc(alias = "VTable")]
pub(in crate::task) struct Vtable {
    pub(in crate::task) poll: unsafe fn(Erased, WakerTable) -> Polled,
    pub(in crate::task) cancel: unsafe fn(Erased),
    pub(in crate::task) schedule: unsafe fn(Erased),
    pub(in crate::task) reschedule: unsafe fn(Erased),
    pub(in crate::task) take_output: unsafe fn(Erased, *mut ()),
    pub(in crate::task) drop_output: unsafe fn(Erased),
    pub(in crate::task) describe: unsafe fn(Erased) -> Description,
    pub(in crate::task) position: unsafe fn(Erased) -> Vec<&'static machine::State>,
    pub(in crate::task) inspect: unsafe fn(Erased, &mut dyn Visitor),
    pub(in crate::task) report_orphan: unsafe fn(Erased),
    pub(in crate::task) runtime_id: unsafe fn(Erased) -> Option<NonZeroUsize>,
    pub(in crate::task) is_inherited: unsafe fn(Erased) -> bool,
    pub(in crate::task) is_job: unsafe fn(Erased) -> bool,
    pub(in crate::task) store_foreign_runtime: unsafe fn(Erased, &mut dyn Any),
    #[cfg(feature = "tracing")]
    pub(in crate::task) span: unsafe fn(Erased) -> Option<NonZeroU64>,
    pub(in crate::task) dealloc: unsafe fn(Erased),
    /// The places of the parts of the task, for debuggers.
    #[cfg_attr(
        any(loom, all(test, shuttle)),
        expect(dead_code, reason = "models have no table for debuggers")
    )]
    pub(in crate::task) layout: TaskLayout,
}

/// The result of a poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "PollResult_")]
pub(in crate::task) enum Polled {
    /// The task is idle.
    Idle,
    /// The task is scheduled.
    Woken,
    /// The task is complete.
    Complete,
    /// The task was cancelled during the poll, and is complete.
    Cancelled,
}

/// The description of a task, by its metadata.
pub(in crate::task) struct Description {
    pub(in crate::task) name: Option<Box<str>>,
    pub(in crate::task) location: &'static Location<'static>,
    pub(in crate::task) type_name: &'static str,
    pub(in crate::task) future_size: usize,
}

impl Header {
    pub(in crate::task) fn new(vtable: &'static Vtable, since: u32) -> Self {
        Self {
            state: StateWord::new(),
            vtable,
            id: AtomicU64::new(0),
            polls: AtomicU32::new(0),
            since: AtomicU32::new(since),
            join_waker: JoinWaker::new(),
        }
    }

    // ORDERING: Relaxed, for all methods below. The registry sets the id before the task is passed
    // to another thread. The owner of the task writes the other fields, which are for diagnostics.

    /// Returns the id. A task in no registry gets its id at the first call.
    #[inline]
    pub(in crate::task) fn id(&self) -> TaskId {
        let id = TaskId::try_from_bits(self.id.load(Ordering::Relaxed));
        id.unwrap_or_else(|| self.assign_id())
    }

    #[cold]
    fn assign_id(&self) -> TaskId {
        let new = TaskId::next_unregistered();
        let (own, relaxed) = (new.to_bits(), Ordering::Relaxed);
        match self.id.compare_exchange(0, own, relaxed, relaxed) {
            Ok(_) => new,
            Err(other) => TaskId::from_bits(other),
        }
    }

    pub(in crate::task) fn set_id(&self, id: TaskId) {
        self.id.store(id.to_bits(), Ordering::Relaxed);
    }

    pub(in crate::task) fn polls(&self) -> u32 {
        self.polls.load(Ordering::Relaxed)
    }

    /// Counts a poll that begins at `now`.
    #[inline]
    pub(in crate::task) fn begin_poll(&self, now: u32) {
        let polls = self.polls.load(Ordering::Relaxed);
        self.polls.store(polls.saturating_add(1), Ordering::Relaxed);
        self.since.store(now, Ordering::Relaxed);
    }

    /// Makes the next [`begin_poll`](Self::begin_poll) leave the number of polls as it is.
    ///
    /// The caller owns the task, which was polled before, and polls it next.
    #[cfg(any(feature = "inspect", all(test, loom)))]
    pub(in crate::task) fn uncount_next_poll(&self) {
        let polls = self.polls.load(Ordering::Relaxed);
        if polls < u32::MAX {
            self.polls.store(polls.wrapping_sub(1), Ordering::Relaxed);
        }
    }

    /// Restores the time of the last poll after an inspection poll that began at `now`. The time
    /// stays if another thread has queued or polled the task meanwhile.
    #[cfg(any(feature = "inspect", all(test, loom)))]
    pub(in crate::task) fn restore_since(&self, now: u32, before: u32) {
        let relaxed = Ordering::Relaxed;
        let _ = self.since.compare_exchange(now, before, relaxed, relaxed);
    }

    /// Records that the task is queued at `now`.
    #[inline]
    pub(in crate::task) fn set_since(&self, now: u32) {
        self.since.store(now, Ordering::Relaxed);
    }

    pub(in crate::task) fn since(&self) -> u32 {
        self.since.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Header")
            .field("state", &self.state)
            .field("id", &self.id())
            .field("polls", &self.polls())
            .field("since", &self.since())
            .finish_non_exhaustive()
    }
}
