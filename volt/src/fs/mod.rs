//! Files and folders.
//!
//! Systems report no readiness for files. So an operation is a blocking job, as in
//! [`spawn_blocking`](crate::spawn_blocking), which calls [`std::fs`]. A job costs the transfer to
//! another thread and back. For many small operations, one `spawn_blocking` with [`std::fs`] is
//! faster.
//!
//! On Linux, two operations of a [`File`] need no job: reads of up to 64 KiB from the page cache,
//! and seeks. The file must be a regular one, and its file system must support reads that never
//! wait. The first read of a file is always a job, which determines both.
//!
//! The functions are those of [`std::fs`], as futures. A [`File`] implements the traits of
//! `futures-io`, and so has the methods of [`AsyncReadExt`](crate::io::AsyncReadExt),
//! [`AsyncWriteExt`](crate::io::AsyncWriteExt) and [`AsyncSeekExt`](crate::io::AsyncSeekExt).
//!
//! # Cancel safety
//!
//! An operation begins at the first poll of its future. From then on it takes place even if the
//! future is dropped or the runtime is shut down, because its job [must
//! run](crate::spawn_blocking_mandatory). Shutdown waits for such jobs as
//! [`Builder::jobs_on_drop`](crate::Builder::jobs_on_drop) specifies. It does not wait for reads of
//! a [`File`]. If [`std::process::exit`] or a signal ends the process, operations that have not
//! ended are lost.
//!
//! # Panics
//!
//! The futures panic if their first poll is on a thread that is in no runtime, and if they are
//! polled after they were ready.

mod operation;
mod path_functions;
mod directory;
mod result_slot;
mod nonblocking;
mod open_file;
mod access;
mod file_state;
mod file_operation;
mod file;
mod open_options;

pub use self::directory::{DirEntry, NextEntry, ReadDir, read_dir};
pub use self::file::{File, TryClone};
pub use self::file_operation::{FileOperation, IntoStd};
pub use self::open_options::OpenOptions;
pub use self::operation::Operation;
#[cfg(unix)]
pub use self::path_functions::symlink;
pub use self::path_functions::{
    canonicalize, copy, create_dir, create_dir_all, hard_link, metadata, read, read_link,
    read_to_string, remove_dir, remove_dir_all, remove_file, rename, set_permissions,
    symlink_metadata, try_exists, write,
};
pub use std::fs::{FileType, Metadata, Permissions};
