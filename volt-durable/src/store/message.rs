//! `Message`: a value that is sent to a machine.

/// A value that is sent to a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The name of the machine's type.
    pub machine_type: String,
    /// The key of the machine.
    pub key: String,
    /// The name of the signal.
    pub name: String,
    /// The id of the message, which is unique among the messages to the machine.
    pub id: String,
    /// The value, as JSON.
    pub body: String,
}

/// The result of sending a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// The message is stored, and will be delivered once.
    Stored,
    /// A message with this id was stored before. It is not delivered again.
    Duplicate,
    /// There is no machine with this type and key.
    NoMachine,
    /// The machine has returned, or was cancelled.
    Ended,
}
