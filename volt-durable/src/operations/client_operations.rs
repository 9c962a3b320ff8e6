//! The operations of `Client` for operators, which need no type of the machine.

use super::page::Page;
use crate::client::Client;
use crate::error::Result;
use crate::machine_id::MachineId;
use crate::store::{CANCEL, Filter, Message, Row, Sent, Store, Summary};

/// The operations for operators. They need no worker, and no type of the machine.
impl<S: Store> Client<S> {
    /// Returns a page of the machines that a filter selects.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    ///
    /// # Examples
    ///
    /// ```
    /// use volt_durable::Client;
    /// use volt_durable::store::{Filter, MemoryStore, Status};
    ///
    /// # futures_lite::future::block_on(async {
    /// let client = Client::new(MemoryStore::new());
    /// let parked = Filter {
    ///     status: Some(Status::Parked),
    ///     ..Filter::default()
    /// };
    /// let page = client.list(&parked).await?;
    /// assert!(page.rows.is_empty() && page.next.is_none());
    /// # Ok::<_, volt_durable::Error>(())
    /// # }).unwrap();
    /// ```
    pub async fn list(&self, filter: &Filter) -> Result<Page> {
        let rows = self.store().list(filter).await?;
        let is_full = rows.len() >= filter.limit;
        let last = rows.last().map(|row| row.id);
        Ok(Page {
            // No row of the page has changed after this time.
            now: self.store().now().await?,
            next: last.filter(|_| is_full),
            rows,
        })
    }

    /// Counts the machines that a filter selects, by type, status and state.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    pub async fn summary(&self, filter: &Filter) -> Result<Summary> {
        self.store().summary(filter).await
    }

    /// Returns a machine, if there is one with this id.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    pub async fn inspect(&self, id: MachineId) -> Result<Option<Row>> {
        let filter = Filter {
            after: Some(MachineId(id.0.saturating_sub(1))),
            limit: 1,
            ..Filter::default()
        };
        let row = self.store().list(&filter).await?.pop();
        Ok(row.filter(|row| row.id == id))
    }

    /// Makes a machine runnable that is parked, or that waits for its next attempt after a failure.
    /// Returns `false` if it has not failed.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    pub async fn retry(&self, id: MachineId) -> Result<bool> {
        self.store().retry(id).await
    }

    /// Requests the cancellation of a machine, as [`cancel`](Self::cancel) does.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    pub async fn cancel_by_id(&self, id: MachineId) -> Result<Sent> {
        let Some(row) = self.inspect(id).await? else {
            return Ok(Sent::NoMachine);
        };
        let request = Message {
            machine_type: row.machine_type,
            key: row.key,
            name: CANCEL.to_owned(),
            id: CANCEL.to_owned(),
            body: "null".to_owned(),
        };
        self.store().send(&request).await
    }
}
