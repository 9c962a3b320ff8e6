//! `OpenTransaction`: the transaction of a step, which is committed with the next snapshot.

use std::any::Any;
use std::fmt;
use std::pin::Pin;

use volt::machine::StepDriver;

use super::save::{Lost, Save};
use crate::error::Result;
use crate::snapshot_text::SnapshotText;

/// The transaction of a step with `#[step(tx)]`. Its writes are committed with the next save of the
/// machine, or not at all.
///
/// Dropping it undoes the writes, and so does a save whose claim has ended.
pub struct OpenTransaction {
    handle: Box<dyn Handle>,
    commit: Commit,
}

/// Commits a transaction with a save.
pub(super) type Commit = Box<dyn FnOnce(Save) -> Committing + Send>;

pub(super) type Committing = Pin<Box<dyn Future<Output = Result<Option<Lost>>> + Send>>;

/// A handle of any type.
trait Handle: Send {
    fn set(&self, driver: &mut StepDriver<SnapshotText>);

    fn as_any(&self) -> &dyn Any;
}

impl<T: Clone + Send + 'static> Handle for T {
    fn set(&self, driver: &mut StepDriver<SnapshotText>) {
        driver.set_transaction(self.clone());
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl OpenTransaction {
    /// Creates a transaction. The step receives a clone of `handle`, by
    /// [`transaction`](volt::machine::transaction). `commit` stores a save in the transaction and
    /// commits it, or undoes the transaction and returns the save's claim as lost.
    ///
    /// If `commit` is dropped without a call, it undoes the transaction.
    pub fn new<T, F>(handle: T, commit: impl FnOnce(Save) -> F + Send + 'static) -> Self
    where
        T: Clone + Send + 'static,
        F: Future<Output = Result<Option<Lost>>> + Send + 'static,
    {
        Self {
            handle: Box::new(handle),
            commit: Box::new(move |save| Box::pin(commit(save))),
        }
    }

    /// Returns a clone of the handle, or `None` if it has another type.
    #[must_use]
    pub fn handle<T: Clone + 'static>(&self) -> Option<T> {
        (*self.handle).as_any().downcast_ref().cloned()
    }

    /// Stores a save in the transaction and commits both, or returns the save's claim if it has
    /// ended. In that case, and after an error, neither is stored, except that after the error of a
    /// lost connection both may be.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails, or if the step has ended the transaction itself.
    pub async fn commit(self, save: Save) -> Result<Option<Lost>> {
        (self.commit)(save).await
    }

    /// Returns the transaction with another function that commits it. The function receives the
    /// save, and the function of this transaction.
    pub(super) fn map_commit(
        self,
        map: impl FnOnce(Save, Commit) -> Committing + Send + 'static,
    ) -> Self {
        let Self { handle, commit } = self;
        Self {
            handle,
            commit: Box::new(move |save| map(save, commit)),
        }
    }

    /// Sets the transaction of the driver's current step.
    pub(crate) fn set_in(&self, driver: &mut StepDriver<SnapshotText>) {
        self.handle.set(driver);
    }
}

impl fmt::Debug for OpenTransaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenTransaction").finish_non_exhaustive()
    }
}
