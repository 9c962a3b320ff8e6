//! Workflows as functions that derive `Serialize` and `Deserialize`.
#![forbid(unsafe_code)]

use serde::{Deserialize, Serialize};

#[path = "snapshot/pausing.rs"]
mod pausing;
#[path = "workflows/agents.rs"]
mod agents;
#[path = "workflows/batches.rs"]
mod batches;
#[path = "workflows/driver.rs"]
mod driver;
#[path = "workflows/orders.rs"]
mod orders;
#[path = "workflows/people.rs"]
mod people;

/// A failure of a service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Failure {
    /// The call may succeed later.
    Temporary {
        after: u32,
    },
    Final(String),
}

/// A request to a service. The answer is a function of the request.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn call(service: String, request: String) -> Result<String, Failure> {
    pausing::pause(1).await;
    if request.contains("refused") {
        return Err(Failure::Final(format!("{service}: {request}")));
    }
    if request.contains("later") {
        return Err(Failure::Temporary { after: 2 });
    }
    Ok(format!("{service}-{request}"))
}

/// Waits for a message of a person.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn message(name: String, days: u32) -> Option<String> {
    pausing::pause(2).await;
    (!name.contains("silent")).then(|| format!("{name} after {days}"))
}

/// A timer.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn sleep(days: u32) {
    pausing::pause(days.min(2)).await;
}
