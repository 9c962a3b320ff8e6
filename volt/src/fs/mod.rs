//! Files, by the standard library on threads that may block.
//!
//! Systems have no readiness for files, so each operation is a job of the runtime's pool for what
//! blocks, as in [`spawn_blocking`](crate::spawn_blocking). Each costs a hand-over to another thread
//! and back: many small ones are better done together in one `spawn_blocking` with [`std::fs`].
//!
//! The functions are those of [`std::fs`], as futures. A [`File`] has the traits of `futures-io`, and
//! with them the methods of [`AsyncReadExt`](crate::io::AsyncReadExt) and
//! [`AsyncWriteExt`](crate::io::AsyncWriteExt) and [`AsyncSeekExt`](crate::io::AsyncSeekExt).
//!
//! # Cancel safety
//!
//! Nothing happens before the first poll. From then on the operation takes place, also when the future
//! is dropped and when the runtime ends: its job is one that
//! [must run](crate::spawn_blocking_mandatory). The end of the runtime waits for such jobs, as
//! [`Builder::jobs_on_drop`](crate::Builder::jobs_on_drop) says. A process that is ended by
//! [`std::process::exit`] or a signal ends no runtime: what is on its way then is lost.
//!
//! # Panics
//!
//! The futures panic when they are polled first on a thread that is in no runtime, and when they are
//! polled after they were ready.

mod operation;
mod path_functions;
mod directory;
mod result_slot;
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
