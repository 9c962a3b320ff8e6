//! Auto traits of the public types.

use std::panic::{RefUnwindSafe, UnwindSafe};

use volt::runtime::{BlockedThread, Dump, OrphanPolicy, Stats};
use volt::task::{AbortHandle, CancelOnDrop, Orphan, TaskInfo};
use volt::{Builder, Group, Handle, JoinError, JoinHandle, LocalRuntime, Runtime, TaskBuilder};
use volt::{net, raw, time};

fn is_send_and_sync<T: Send + Sync + Unpin>() {}

/// Values that can be used after a caught panic.
fn is_unwind_safe<T: UnwindSafe + RefUnwindSafe>() {}

#[test]
fn types_go_to_any_thread() {
    is_send_and_sync::<Runtime>();
    is_send_and_sync::<Handle>();
    is_send_and_sync::<JoinHandle<u8>>();
    is_send_and_sync::<CancelOnDrop<u8>>();
    is_send_and_sync::<raw::Task<u8>>();
    is_send_and_sync::<raw::Runnable>();
    is_send_and_sync::<JoinError>();
    is_send_and_sync::<AbortHandle>();
    is_send_and_sync::<Dump>();
    is_send_and_sync::<Group<u8>>();
    is_send_and_sync::<net::TcpStream>();
    is_send_and_sync::<net::TcpListener>();
    is_send_and_sync::<net::UdpSocket>();
    is_send_and_sync::<time::Sleep>();
    is_send_and_sync::<time::Interval>();
}

#[test]
fn types_are_unwind_safe() {
    is_unwind_safe::<Runtime>();
    is_unwind_safe::<LocalRuntime>();
    is_unwind_safe::<Handle>();
    is_unwind_safe::<Builder>();
    is_unwind_safe::<TaskBuilder>();
    is_unwind_safe::<JoinHandle<u8>>();
    is_unwind_safe::<CancelOnDrop<u8>>();
    is_unwind_safe::<raw::Task<u8>>();
    is_unwind_safe::<raw::Runnable>();
    is_unwind_safe::<JoinError>();
    is_unwind_safe::<AbortHandle>();
    is_unwind_safe::<Orphan>();
    is_unwind_safe::<TaskInfo>();
    is_unwind_safe::<BlockedThread>();
    is_unwind_safe::<OrphanPolicy>();
    is_unwind_safe::<Stats>();
    is_unwind_safe::<Dump>();
    is_unwind_safe::<Group<u8>>();
    is_unwind_safe::<net::TcpStream>();
    is_unwind_safe::<net::TcpListener>();
    is_unwind_safe::<net::UdpSocket>();
    is_unwind_safe::<time::Sleep>();
    is_unwind_safe::<time::Interval>();
    #[cfg(unix)]
    is_unwind_safe::<net::UnixStream>();
    #[cfg(unix)]
    is_unwind_safe::<net::UnixListener>();
    #[cfg(unix)]
    is_unwind_safe::<net::UnixDatagram>();
}
