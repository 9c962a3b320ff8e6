//! `show_machines`: the page of the machines of a store.

use async_io::block_on;
use serde::Serialize;
use serde_json::{Value, json};
use volt::runtime::{LibraryPage, LibraryRequest, add_inspect_page};

use super::machine_query::{filter_of, id_of};
use crate::client::Client;
use crate::error::Result;
use crate::machine_id::MachineId;
use crate::store::{Sent, Status, Store};

/// The page, without its nonce.
const PAGE: &str = include_str!("machines.html");

/// The text in place of values that the server may not show.
const NOT_SHOWN: &str = "not shown: see `InspectAddress::show_values`";

/// Adds the machines of a store to the inspection servers of this process, at the path `/durable/`.
/// They need no worker in this process.
///
/// The page lists machines by type, state, status and age, with attempts and last error. It shows
/// values if [`InspectAddress::show_values`](volt::runtime::InspectAddress::show_values) is set,
/// and never a [`Secret`](crate::Secret). Its actions retry, resume and cancel machines, and
/// require a server with a token.
///
/// The page of another store is replaced.
pub fn show_machines<S: Store>(client: Client<S>) {
    add_inspect_page("durable", MachinesPage { client });
}

/// The machines of a store.
struct MachinesPage<S> {
    client: Client<S>,
}

impl<S: Store> LibraryPage for MachinesPage<S> {
    fn html(&self) -> &'static str {
        PAGE
    }

    fn data(&self, request: &LibraryRequest) -> Option<String> {
        let filter = filter_of(request)?;
        let value = match request.path() {
            "list.json" => value(block_on(self.client.list(&filter))),
            "groups.json" => value(block_on(self.client.summary(&filter))),
            "show.json" => value(block_on(self.client.inspect(id_of(request)?)).transpose()?),
            _ => return None,
        };
        let mut value = value;
        if !request.shows_values() {
            hide_values(&mut value);
        }
        Some(value.to_string())
    }

    fn act(&self, request: &LibraryRequest) -> Option<String> {
        let id = id_of(request)?;
        let text = match request.path() {
            "retry" => block_on(self.retry(id)),
            "resume" => block_on(self.resume(id)),
            "cancel" => block_on(self.cancel(id)),
            "end" => block_on(self.end(id)),
            _ => return None,
        };
        let text = text.map(|text| json!({ "id": id, "result": text }));
        Some(value(text).to_string())
    }
}

impl<S: Store> MachinesPage<S> {
    async fn retry(&self, id: MachineId) -> Result<&'static str> {
        let is_retried = self.client.retry(id).await?;
        Ok(if is_retried {
            "runnable"
        } else {
            "not changed: it has not failed"
        })
    }

    async fn resume(&self, id: MachineId) -> Result<&'static str> {
        let row = self.client.inspect(id).await?;
        if row.is_none_or(|row| row.status != Status::Parked) {
            return Ok("not changed: it is not parked");
        }
        self.retry(id).await
    }

    async fn cancel(&self, id: MachineId) -> Result<&'static str> {
        Ok(match self.client.cancel_by_id(id).await? {
            Sent::Stored => {
                "the machine receives the request at its next `cancellable` await, and after a \
                 resume if it is parked"
            }
            Sent::Duplicate => "not changed: it has a request already",
            Sent::Ended => "not changed: it has ended",
            Sent::NoMachine => "not changed: it does not exist",
        })
    }

    async fn end(&self, id: MachineId) -> Result<&'static str> {
        let is_ended = self.client.store().cancel(id).await?;
        Ok(if is_ended {
            "cancelled, without running its code"
        } else {
            "not changed: it has ended"
        })
    }
}

/// Returns a value, or an error of the store, as JSON.
fn value(result: Result<impl Serialize>) -> Value {
    let written = result.and_then(|value| Ok(serde_json::to_value(value)?));
    written.unwrap_or_else(|error| {
        let source = std::error::Error::source(&error).map(ToString::to_string);
        json!({ "error_of_store": format!("{error}: {}", source.unwrap_or_default()) })
    })
}

/// Removes the values of rows.
fn hide_values(value: &mut Value) {
    let rows = match value.get_mut("rows") {
        Some(Value::Array(rows)) => rows.as_mut_slice(),
        _ => std::slice::from_mut(value),
    };
    for row in rows {
        for name in ["values", "outcome"] {
            if let Some(shown) = row.get_mut(name).filter(|shown| !shown.is_null()) {
                *shown = NOT_SHOWN.into();
            }
        }
    }
}
