//! `StepDriver`: polls a machine with steps, and reports the snapshots to store.

use core::fmt;
use core::future::{Future, poll_fn};
use core::pin::Pin;
use core::task::{Context, Poll};
use std::boxed::Box;

use super::driver_state::{DriverState, finds_step, with_state};
use super::step_store::{StepStore, StoredState};

/// Polls a machine with `#[step]` statements, and reports each snapshot that must be stored.
///
/// A machine waits before each step until its snapshot is stored. So after a crash the machine
/// continues there. A finished step never runs again once the next snapshot is stored. A snapshot
/// can be any type `S` that implements `PartialEq`, for example `String` for JSON text.
///
/// The driver works on any runtime, because it has neither timers nor tasks.
///
/// # Examples
///
/// ```
/// use volt::machine::StepDriver;
///
/// async fn charge(cents: u64) -> String {
///     format!("receipt for {cents}")
/// }
///
/// #[volt::state_machine(derive(Serialize, Deserialize))]
/// async fn buy(cents: u64) -> String {
///     #[step]
///     #[state(Paying)]
///     let receipt = charge(cents).await;
///     receipt
/// }
///
/// let mut stored = Vec::new();
/// let mut machine = std::pin::pin!(buy(5));
/// let mut driver = StepDriver::new();
/// let output = volt::block_on(driver.run(
///     machine.as_mut(),
///     |machine| serde_json::to_string(machine),
///     async |snapshot: &String, next_step| {
///         stored.push((snapshot.clone(), next_step));
///         Ok::<_, serde_json::Error>(())
///     },
/// ));
/// assert_eq!(output.unwrap(), "receipt for 5");
/// let (snapshot, next_step) = stored.remove(0);
/// assert_eq!(snapshot, r#"{"Paying":{"cents":5,"await":0}}"#);
///
/// // After a crash:
/// let machine: Buy = serde_json::from_str(&snapshot).unwrap();
/// let mut driver = StepDriver::resume(snapshot, next_step);
/// # let output = volt::block_on(driver.run(
/// #     std::pin::pin!(machine),
/// #     |machine| serde_json::to_string(machine),
/// #     async |_: &String, _| Ok::<_, serde_json::Error>(()),
/// # ));
/// # assert_eq!(output.unwrap(), "receipt for 5");
/// ```
pub struct StepDriver<S> {
    state: DriverState,
    /// The snapshot that was reported last, or from which the machine was read.
    snapshot: Option<S>,
    /// The snapshot was reported, and is not stored yet.
    is_reported: bool,
}

/// The result of [`StepDriver::poll`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driven<T> {
    /// The output of the machine.
    Output(T),
    /// The machine has reached a state whose snapshot is not stored yet. [`StepDriver::snapshot`]
    /// returns it. After it is stored, call [`StepDriver::set_stored`] and poll again.
    Snapshot,
    /// A step with `#[step(tx)]` waits for its transaction. Call
    /// [`StepDriver::set_transaction`] and poll again.
    Transaction,
}

impl<S> Default for StepDriver<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S> StepDriver<S> {
    /// Creates the driver of a new machine.
    #[must_use]
    pub fn new() -> Self {
        Self {
            state: DriverState::default(),
            snapshot: None,
            is_reported: false,
        }
    }

    /// Creates the driver of a machine that was read from a stored snapshot. `next_step` is the
    /// number that [`StepDriver::next_step`] returned when the snapshot was stored.
    #[must_use]
    pub fn resume(snapshot: S, next_step: u64) -> Self {
        let mut driver = Self::new();
        driver.state.next = next_step;
        driver.state.stored = next_step;
        driver.snapshot = Some(snapshot);
        driver
    }

    /// Sets the number of the machine, which is a part of each [`StepKey`](super::StepKey).
    #[must_use]
    pub fn with_machine_number(mut self, number: u64) -> Self {
        self.state.machine = number;
        self
    }

    /// Returns the number of the next step. Store it with each snapshot.
    #[must_use]
    pub fn next_step(&self) -> u64 {
        self.state.next
    }

    /// Returns the snapshot that was reported last, or from which the machine was read.
    #[must_use]
    pub fn snapshot(&self) -> Option<&S> {
        self.snapshot.as_ref()
    }

    /// Sets the transaction of the current step, which [`transaction`](super::transaction) clones.
    pub fn set_transaction<T: Clone + Send + 'static>(&mut self, transaction: T) {
        self.state.transaction = Some(Box::new(transaction));
        self.state.wake();
    }

    /// Returns `true` if the current step has a transaction. The failure of an attempt of a step
    /// with `retry` drops it.
    #[must_use]
    pub fn has_transaction(&self) -> bool {
        self.state.transaction.is_some()
    }

    /// Removes and returns the transaction of the last step. Commit it with the next snapshot.
    pub fn take_transaction<T: 'static>(&mut self) -> Option<T> {
        let transaction = self.state.transaction.take_if(|found| found.is::<T>())?;
        transaction.downcast().ok().map(|found| *found)
    }

    /// Drops the transaction of the last step, whatever its type is.
    pub fn drop_transaction(&mut self) {
        self.state.transaction = None;
    }

    /// Records that the reported snapshot is stored. The next step begins at the next poll.
    pub fn set_stored(&mut self) {
        self.is_reported = false;
        self.state.set_stored();
    }
}

impl<S: PartialEq> StepDriver<S> {
    /// Polls a machine. If it is pending and its snapshot has changed, returns
    /// [`Driven::Snapshot`], again at each poll until [`StepDriver::set_stored`] is called.
    ///
    /// If a step waits for its transaction, returns [`Driven::Transaction`].
    ///
    /// While the machine is in a step there is no snapshot. If one future of a join is in a step,
    /// the others wait before their steps until it ends.
    ///
    /// # Errors
    ///
    /// Returns the error of `write`.
    pub fn poll<M: Future, E>(
        &mut self,
        mut machine: Pin<&mut M>,
        cx: &mut Context<'_>,
        write: impl FnOnce(&M) -> Result<S, E>,
    ) -> Poll<Result<Driven<M::Output>, E>> {
        self.state.needs_transaction = false;
        let polled = with_state(&mut self.state, || machine.as_mut().poll(cx));
        if let Poll::Ready(output) = polled {
            return Poll::Ready(Ok(Driven::Output(output)));
        }
        if self.state.needs_transaction {
            return Poll::Ready(Ok(Driven::Transaction));
        }
        match finds_step(|| write(&machine)) {
            (Ok(snapshot), _) if !self.is_reported && self.snapshot.as_ref() == Some(&snapshot) => {
                Poll::Pending
            }
            (Ok(snapshot), _) => {
                self.snapshot = Some(snapshot);
                self.is_reported = true;
                Poll::Ready(Ok(Driven::Snapshot))
            }
            (Err(_), true) => Poll::Pending,
            (Err(error), false) => Poll::Ready(Err(error)),
        }
    }

    /// Runs a machine to its end, and stores each snapshot before the next step begins. `store`
    /// receives the snapshot and the number of the next step. Steps have no transaction.
    ///
    /// # Errors
    ///
    /// Returns the first error of `write` or `store`. After an error of `store`, call this function
    /// again with the same machine: it stores the same snapshot first. Or drop the machine, and
    /// read it again from its last stored snapshot.
    pub async fn run<M: Future, E, W: Into<E>>(
        &mut self,
        mut machine: Pin<&mut M>,
        mut write: impl FnMut(&M) -> Result<S, W>,
        mut store: impl AsyncFnMut(&S, u64) -> Result<(), E>,
    ) -> Result<M::Output, E> {
        loop {
            let driven = self.next(machine.as_mut(), &mut write).await;
            match driven.map_err(Into::into)? {
                Driven::Output(output) => return Ok(output),
                Driven::Transaction => self.set_transaction(()),
                Driven::Snapshot => {
                    if let Some(snapshot) = &self.snapshot {
                        store(snapshot, self.state.next).await?;
                    }
                    let _: Option<()> = self.take_transaction();
                    self.set_stored();
                }
            }
        }
    }

    /// Runs a machine to its end in a store with transactions.
    ///
    /// # Errors
    ///
    /// Returns the first error of `write` or of the store. The transaction is not committed then;
    /// drop the machine, and read it again from its last snapshot.
    pub async fn run_in<M, B, W>(
        &mut self,
        mut machine: Pin<&mut M>,
        mut write: impl FnMut(&M) -> Result<S, W>,
        store: &mut B,
    ) -> Result<M::Output, B::Error>
    where
        M: Future,
        B: StepStore<S, M::Output>,
        W: Into<B::Error>,
    {
        loop {
            let driven = self.next(machine.as_mut(), &mut write).await;
            let driven = driven.map_err(Into::into)?;
            if matches!(driven, Driven::Transaction) {
                let transaction = store.begin().await?;
                self.set_transaction(transaction);
                continue;
            }
            let transaction = match self.take_transaction() {
                Some(transaction) => transaction,
                None => store.begin().await?,
            };
            if let Driven::Output(output) = driven {
                let state = StoredState::Returned(&output);
                store.commit(transaction, state).await?;
                return Ok(output);
            }
            if let Some(snapshot) = &self.snapshot {
                let next_step = self.state.next;
                let state = StoredState::Waits {
                    snapshot,
                    next_step,
                };
                store.commit(transaction, state).await?;
            }
            self.set_stored();
        }
    }

    /// Polls the machine until there is a result.
    async fn next<M: Future, W>(
        &mut self,
        mut machine: Pin<&mut M>,
        write: &mut impl FnMut(&M) -> Result<S, W>,
    ) -> Result<Driven<M::Output>, W> {
        poll_fn(|cx| self.poll(machine.as_mut(), cx, &mut *write)).await
    }
}

impl<S> fmt::Debug for StepDriver<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StepDriver")
            .field("next_step", &self.state.next)
            .finish_non_exhaustive()
    }
}
