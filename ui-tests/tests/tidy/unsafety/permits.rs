//! The files that may contain `unsafe`.

/// Every file that may contain `unsafe`, and the reason.
pub(super) const PERMITS: &[(&str, &str)] = &[
    ("integration/peers/src/contestants/ring.rs", "io_uring"),
    (
        "volt-combinators/src/slots/pinned.rs",
        "pins of storages passed on to their slots",
    ),
    (
        "volt-combinators/src/wake_set/block.rs",
        "groups found by their head, and it by them",
    ),
    (
        "volt-combinators/src/wake_set/heap.rs",
        "one allocation for a head and its groups",
    ),
    (
        "volt-combinators/src/wake_set/memory.rs",
        "a block that the last who reaches it frees",
    ),
    (
        "volt-combinators/src/wake_set/tests/models.rs",
        "cells that loom watches",
    ),
    (
        "volt-combinators/src/wake_set/parent_waker.rs",
        "wakers that are replaced while they are called",
    ),
    (
        "volt-combinators/src/wake_set/waker.rs",
        "the vtables of children's wakers",
    ),
    (
        "adapters/hyper/src/uninit.rs",
        "hyper's memory, which is read into as it is",
    ),
    (
        "volt-combinators/benches/combinators/meter.rs",
        "an allocator that counts",
    ),
    (
        "volt-combinators/tests/memory.rs",
        "an allocator that counts",
    ),
    (
        "volt-combinators/tests/sizes.rs",
        "an allocator that counts",
    ),
    (
        "volt/benches/operations/clock.rs",
        "a clock in place of that of the C library",
    ),
    (
        "volt/src/loom/leak_once.rs",
        "values in statics that are never dropped",
    ),
    (
        "volt/src/net/impls/read_uninit.rs",
        "tokio's memory, which is read into as it is",
    ),
    (
        "volt/src/net/unix/credentials_linux.rs",
        "a structure that the system fills",
    ),
    ("volt-inspect/src/held.rs", "a static place"),
    (
        "volt-inspect/src/machine/register.rs",
        "a walk over a machine whose type is erased",
    ),
    (
        "volt-inspect/src/machine/introspect.rs",
        "a machine promises that what its type names fits it",
    ),
    (
        "volt-inspect/src/type_id.rs",
        "types without their lifetimes",
    ),
    (
        "volt-inspect/src/inspector.rs",
        "calls by the type of a future",
    ),
    ("volt-inspect/src/inspect.rs", "a promise about lifetimes"),
    (
        "volt-inspect/src/registry/trace_fn.rs",
        "functions for a future whose type is erased",
    ),
    (
        "volt-inspect/src/registry/type_facts.rs",
        "a future whose type is erased",
    ),
    (
        "volt-inspect/src/registry/registration.rs",
        "a pointer to a future, and the hook of a runtime",
    ),
    ("volt-inspect/src/boxed.rs", "a promise about lifetimes"),
    (
        "volt-inspect/src/machine/state_machine.rs",
        "a call of the function that is registered for a type",
    ),
    (
        "volt-inspect/src/machine/register_once.rs",
        "a list of statics",
    ),
    ("volt/src/machine/walk.rs", "futures by their addresses"),
    (
        "volt/src/machine/expansion/inferred/slots/slot_inspect.rs",
        "a walk over the future in a field",
    ),
    ("volt-combinators/src/multi/combinator.rs", "lifetimes"),
    ("volt-combinators/src/scope.rs", "lifetimes"),
    ("volt/src/net/stream/connection_trees.rs", "lifetimes"),
    ("volt/src/net/datagram/datagram_trees.rs", "lifetimes"),
    (
        "volt/src/machine/wrapper.rs",
        "the place of a future in the wrapper around it",
    ),
    (
        "volt/src/machine/forgotten.rs",
        "a hook as a pointer in one atomic",
    ),
    (
        "volt/src/machine/expansion/waker_check.rs",
        "a waker on the stack that notes what is done with it",
    ),
    (
        "volt/src/machine/expansion/inferred/slots/memory.rs",
        "bytes that hold fields of any type",
    ),
    (
        "volt/src/machine/expansion/inferred/explicit_macros.rs",
        "what a machine with inferred fields promises its slots",
    ),
    (
        "volt/src/machine/expansion/inferred/derive",
        "a machine that is cloned or compared, as the address of its bytes",
    ),
    (
        "volt/src/machine/expansion/inferred/snapshot",
        "a machine that is written or filled, as the address of its bytes",
    ),
    (
        "volt/src/machine/expansion/inferred/run/advance.rs",
        "what a machine with inferred fields promises whoever polls it",
    ),
    (
        "volt/src/machine/expansion/inferred/slots/box_content.rs",
        "a future in a box, by the type with which the box was created",
    ),
    (
        "volt/src/machine/expansion/inferred/run/polled_types.rs",
        "a future that is inspected by the type of its polls",
    ),
    (
        "volt/src/machine/expansion/inferred/run/tag.rs",
        "the byte that says where a machine stands",
    ),
    (
        "volt/src/machine/expansion/inferred/run/drive.rs",
        "a machine as the address of its bytes",
    ),
    (
        "volt/src/machine/expansion/inferred/run/machine_tables.rs",
        "a machine that is asked by its tag",
    ),
    (
        "volt/src/machine/expansion/inferred/run/poll.rs",
        "a machine as the address of its bytes, and the numbers that its tag may have",
    ),
    (
        "volt/src/machine/expansion/inferred/run/fallback.rs",
        "a coroutine in the bytes of a machine",
    ),
    (
        "volt/src/machine/expansion/inferred/probe/fallback_vtable.rs",
        "a coroutine made of the arguments in the bytes of a machine",
    ),
    (
        "volt/src/machine/expansion/inferred/run/slot_set.rs",
        "where the fields of a machine are",
    ),
    (
        "volt/src/machine/expansion/inferred/slots/slot.rs",
        "a field whose type the compiler infers",
    ),
    (
        "volt/src/machine/expansion/inferred/slots/stack_slot.rs",
        "a local that goes from block to block",
    ),
    (
        "volt/src/machine/expansion/native/await_site.rs",
        "the awaited future at its address, read between polls",
    ),
    (
        "volt/src/machine/expansion/native/await_point.rs",
        "the storage that a trace reads between polls",
    ),
    (
        "volt/src/machine/expansion/native/traced_await.rs",
        "the progress of the machine that an await is a part of",
    ),
    (
        "volt/src/machine/expansion/native/nested_await.rs",
        "the progress of the machine that an await in a block is a part of",
    ),
    (
        "volt/src/machine/expansion/native/compact_await.rs",
        "the awaited future, pinned because its await is",
    ),
    (
        "volt/src/machine/expansion/native/compact",
        "a coroutine in the bytes of its machine, and its tag",
    ),
    (
        "volt/src/machine/expansion/native/coroutine/compact_layout.rs",
        "bytes of which a constant reads the discriminant",
    ),
    (
        "volt/src/machine/expansion/native/position/suspended_at.rs",
        "a static reference that a slot contains",
    ),
    (
        "volt/src/machine/expansion/native/pinned",
        "futures that `pin!` stores in a coroutine, read between polls",
    ),
    (
        "volt/src/machine/expansion/native/storage/machine_header.rs",
        "where a machine stands, read at its address",
    ),
    (
        "volt/src/machine/expansion/native/storage/boxed.rs",
        "a coroutine in a box whose type only its polls know",
    ),
    (
        "volt/src/machine/expansion/native/native_macros.rs",
        "what a native machine promises its storage",
    ),
    (
        "volt/src/machine/expansion/native/coroutine/coroutine_vtable.rs",
        "a coroutine whose type one constant of its machine knows",
    ),
    (
        "volt/src/machine/expansion/native/storage/inline_machine.rs",
        "a machine made and polled at its address",
    ),
    (
        "volt/src/machine/expansion/native/storage/traced_block.rs",
        "an `async` block with its progress, pinned and traced as a machine is",
    ),
    (
        "volt/src/machine/expansion/native/storage/inline.rs",
        "a coroutine in bytes",
    ),
    (
        "volt/src/machine/expansion/native/coroutine/coroutine_info.rs",
        "`Send` and `Sync` by the answer of the coroutine",
    ),
    (
        "volt/src/machine/expansion/native/position/position_store.rs",
        "what the notes of a machine promise its storage",
    ),
    (
        "volt/src/machine/expansion/native/storage/generic_storage.rs",
        "arguments and coroutine in one place",
    ),
    (
        "volt/src/machine/expansion/native/position/compact_ptr.rs",
        "a cell without bytes, and arguments that their machine checks",
    ),
    (
        "volt/src/machine/expansion/native/position/progress.rs",
        "a pointer from the coroutine to its machine",
    ),
    (
        "volt/src/machine/expansion/native/position/untraced.rs",
        "the address of arguments in a waker",
    ),
    (
        "volt/src/scheduler/worker/current.rs",
        "the worker of this thread",
    ),
    (
        "volt/src/scheduler/queue/lifo.rs",
        "a task as an atomic pointer",
    ),
    (
        "volt/src/scheduler/batched_arc.rs",
        "one strong count for many tasks",
    ),
    (
        "volt/src/scheduler/queue/ring.rs",
        "slots that a thief reads",
    ),
    ("volt/src/scheduler/shared.rs", "a task as a raw pointer"),
    ("volt/src/scheduler/observe/stack_signal.rs", "signals"),
    (
        "volt/src/task/memory/cell.rs",
        "one storage for future and result",
    ),
    ("volt/src/driver/timing/coarse_instant.rs", "a call of libc"),
    ("volt/src/driver/readiness/peers.rs", "open sockets"),
    (
        "volt/src/task/current_task.rs",
        "the reference of the task that this thread is in",
    ),
    (
        "volt/src/task/error.rs",
        "a payload that is only read through `&mut`",
    ),
    (
        "volt/src/task/memory/harness.rs",
        "types found again behind the erased pointer",
    ),
    (
        "volt/src/task/reference/header.rs",
        "the erased pointer's vtable",
    ),
    (
        "volt/src/task/inspect/claim_guard.rs",
        "a reference while nobody else has the task",
    ),
    (
        "volt/src/task/reference/raw_task.rs",
        "one counted reference",
    ),
    (
        "volt/src/task/reference/join_waker.rs",
        "a slot that changes hands by a bit",
    ),
    (
        "volt/src/task/inspect/inspection_map.rs",
        "futures behind the types of others, which register themselves",
    ),
    (
        "volt/src/task/inspect/inspected.rs",
        "the future that does so",
    ),
    (
        "volt/src/task/inspect/recording_waker.rs",
        "the vtable of a waker that borrows another one",
    ),
    ("volt/src/task/handle/join_interest.rs", "takes the output"),
    (
        "volt/src/task/local_task.rs",
        "a future that stays on its thread, in a task that does not",
    ),
    (
        "volt/src/task/registry/registry_entry.rs",
        "tasks by their address",
    ),
    (
        "volt/src/task/inspect/erased_future.rs",
        "a walk over a machine whose type is erased",
    ),
    (
        "volt/src/task/reference/runnable.rs",
        "the reference of a queue",
    ),
    (
        "volt/src/task/memory/running.rs",
        "polls and drops what the owner of a running task has",
    ),
    (
        "volt/src/task/new_task.rs",
        "hands out the handle's reference",
    ),
    ("volt/src/task/reference/waker.rs", "the vtables of wakers"),
    (
        "volt/src/task/reference/canceller.rs",
        "the vtable of wakers that cancel",
    ),
    (
        "volt/src/task/blocking/stack.rs",
        "asks the system where a thread's stack lies",
    ),
    (
        "volt/src/task/reference/waker_events.rs",
        "a function of the table of tasks",
    ),
    ("volt/tests/fork_first.rs", "an allocator that waits"),
    (
        "volt/tests/acting/mod.rs",
        "wakers that act when they are cloned or dropped",
    ),
    ("volt/tests/forking/mod.rs", "a fork of the process"),
    ("volt/tests/span_memory.rs", "an allocator that counts"),
    ("volt/tests/signals.rs", "a fork of the process"),
    ("volt/tests/sockets.rs", "memory that a read fills"),
    ("ui-tests/tests/auto_traits.rs", "`Send` for one lifetime"),
    (
        "ui-tests/tests/auto_traits/linked_copies/other_modules.rs",
        "an `unsafe` block in a cycle of machines",
    ),
    (
        "ui-tests/edition-2021/src/lib.rs",
        "an `unsafe fn` machine of edition 2021",
    ),
    ("ui-tests/tests/native.rs", "an `unsafe fn` machine"),
];
