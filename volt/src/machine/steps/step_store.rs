//! `StepStore`: a store whose transaction contains the writes of a step and the next snapshot.

/// The state of a machine, which a store writes at the end of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredState<'a, S, T> {
    /// The machine waits. Its driver resumes it from the snapshot, and from the number of the next
    /// step.
    Waits {
        /// The snapshot.
        snapshot: &'a S,
        /// The number of the next step.
        next_step: u64,
    },
    /// The machine has returned.
    Returned(&'a T),
}

/// A store of one machine with transactions.
///
/// A step with `#[step(tx)]` writes in the transaction that [`begin`](Self::begin) returns, by
/// [`transaction`](super::transaction). [`commit`](Self::commit) adds the next snapshot and
/// commits, so both are stored or neither.
#[allow(async_fn_in_trait, reason = "the driver is generic over the store")]
pub trait StepStore<S, T> {
    /// A handle of a transaction. Dropping the last handle without a commit rolls it back.
    type Transaction: Clone + Send + 'static;
    /// The error of the store.
    type Error;

    /// Begins a transaction.
    async fn begin(&mut self) -> Result<Self::Transaction, Self::Error>;

    /// Writes the state of the machine in the transaction, and commits it.
    async fn commit(
        &mut self,
        transaction: Self::Transaction,
        state: StoredState<'_, S, T>,
    ) -> Result<(), Self::Error>;
}
