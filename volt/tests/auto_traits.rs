//! What the public types may be sent, shared and caught with.

use std::panic::{RefUnwindSafe, UnwindSafe};

use volt::runtime::{BlockedThread, Dump, OrphanPolicy, Stats};
use volt::task::{AbortHandle, CancelOnDrop, Orphan, TaskInfo};
use volt::{Builder, Group, Handle, JoinError, JoinHandle, LocalRuntime, Runtime, TaskBuilder};
use volt::{net, raw, time};

fn goes_anywhere<T: Send + Sync + Unpin>() {}

/// A value that a panic has passed by can be used on.
fn is_unwind_safe<T: UnwindSafe + RefUnwindSafe>() {}

#[test]
fn types_go_to_any_thread() {
    goes_anywhere::<Runtime>();
    goes_anywhere::<Handle>();
    goes_anywhere::<JoinHandle<u8>>();
    goes_anywhere::<CancelOnDrop<u8>>();
    goes_anywhere::<raw::Task<u8>>();
    goes_anywhere::<raw::Runnable>();
    goes_anywhere::<JoinError>();
    goes_anywhere::<AbortHandle>();
    goes_anywhere::<Dump>();
    goes_anywhere::<Group<u8>>();
    goes_anywhere::<net::TcpStream>();
    goes_anywhere::<net::TcpListener>();
    goes_anywhere::<net::UdpSocket>();
    goes_anywhere::<time::Sleep>();
    goes_anywhere::<time::Interval>();
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
