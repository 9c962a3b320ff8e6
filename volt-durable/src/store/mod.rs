//! The store of machines: the trait, the values that it exchanges, and the stores of this crate.
//!
//! A row of a store is a machine: its type, its key, and its last snapshot. A worker claims rows
//! for the time of a lease, runs the machines, and saves their snapshots:
//!
//! ```text
//!            start              claim                 save: ends
//! (no row) ────────▶ Runnable ────────▶ (a worker) ────────────────▶ Done
//!                       ▲  ▲               │   │
//!      message or timer │  │ lease expires │   │ the machine or its snapshot is faulty
//!                       │  └───────────────┤   └────────────────────▶ Parked
//!                    Waiting ◀─────────────┘                            │
//!                           save: waits         retry: back to Runnable ┘
//! ```
//!
//! **Fencing.** Each claim of a row increments its fence. Every write of a worker names its fence,
//! and the store compares it in the same operation. So of two workers with one machine, only the
//! one with the later claim can write. Each save also names the next sequence number of the row, so
//! a save that is sent twice is stored once.
//!
//! **Clock.** All times are those of the store's clock. A worker never compares its own clock with
//! that of the store.
//!
//! **Messages.** A message to a machine stays in the store until a save of the machine takes it.
//! The id of a taken message stays, so a message that is sent again is not delivered again.
//!
//! **Children.** A save can start further machines, whose parent is the saved machine. When a child
//! ends or is parked, the same operation stores a message to its parent. A child that its parent no
//! longer awaits gets a request for its cancellation instead.
//!
//! **Transactions.** A step with `#[step(tx)]` writes in a transaction of the store, which is
//! committed with the next save. A save whose claim has ended undoes it.
//!
//! **Attempts.** Each claim counts an attempt, and each save resets the number. A machine that ends
//! its process does so a limited number of times: the claim after that parks its row.

mod timestamp;
mod new_machine;
mod family;
mod claim;
mod save;
mod message;
mod row;
mod summary;
mod open_transaction;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod transaction_jobs;
mod store_trait;
mod encrypted;
mod memory;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite;

#[cfg(feature = "postgres")]
pub use self::postgres::{PostgresStore, PostgresTransaction};
pub use crate::machine_id::MachineId;
pub use claim::{Claim, ClaimToken, Claimed, Delivered, KnownType};
pub(crate) use encrypted::is_encrypted;
pub use encrypted::{Cipher, CipherError, EncryptedStore, ValueKind};
pub(crate) use family::CHILD_KEY;
pub use family::{CANCEL, ChildReport, Family, NewChild};
pub use memory::{Crash, CrashingStore, MemoryStore, MemoryTransaction};
pub use message::{Message, Sent};
pub use new_machine::{NewMachine, Started};
pub use open_transaction::OpenTransaction;
pub use row::{Filter, Row, Status};
pub use save::{AfterFailure, Continuation, Failure, Lost, Save, Wait};
#[cfg(feature = "sqlite")]
pub use sqlite::{SqliteStore, SqliteTransaction};
pub use store_trait::Store;
pub use summary::{Summary, SummaryGroup};
pub use timestamp::Timestamp;
