//! Finds the form of a type by calls of its `Deserialize`.
//!
//! A deserializer learns from each call which form the type expects at one place. `Probe` has a
//! path to the place, and passes the parts of the path to the type as input:
//!
//! ```text
//! path            Order::deserialize calls          the probe
//! (none)          deserialize_struct([id, items])   records a struct, and returns an error
//! items           deserialize_struct(..)            has the only field `items`
//!                 ╰ Vec::deserialize_seq            records a list, and returns an error
//! items, element  .. ╰ deserialize_seq              has one element
//!                      ╰ deserialize_string         records a string, and returns an error
//! ```
//!
//! So no value of any type has to be made, except for those before an element of a tuple. `sample`
//! makes them, and the part behind a type that rejects its sample is `unknown`.

mod probe_error;
mod shape;
mod sample;
mod probe;
mod tracer;

pub(super) use tracer::Tracer;
