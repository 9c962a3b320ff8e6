//! Descriptors that tasks can wait for: what every socket stands on.

mod attempt;
mod registered;

pub(crate) use self::attempt::attempted;
pub(crate) use self::registered::Registered;
