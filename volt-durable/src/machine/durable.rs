//! `Durable`: the machines that a worker can run.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A machine that a worker can run.
///
/// Each machine of `#[volt::state_machine(derive(Serialize, Deserialize))]` whose output can be
/// stored implements it, if the machine is `Send`. So does any other future that serde reads and
/// writes as an enum of its states.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a durable machine",
    note = "a durable machine is a `Send` future with `derive(Serialize, Deserialize)`, and so is its output"
)]
pub trait Durable:
    Future<Output = Self::Outcome> + Serialize + DeserializeOwned + Send + 'static
{
    /// The output of the machine.
    type Outcome: Serialize + DeserializeOwned;
}

impl<M> Durable for M
where
    M: Future + Serialize + DeserializeOwned + Send + 'static,
    M::Output: Serialize + DeserializeOwned,
{
    type Outcome = M::Output;
}
