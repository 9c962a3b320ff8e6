//! `cargo volt durable`: lists and repairs the machines of a store, without their program.

mod age;
mod any_client;
mod store_address;
mod filter_args;
mod list_machines;
mod show_machine;
mod check_schemas;
mod machine_actions;
mod durable_args;

pub(crate) use self::durable_args::{DurableArgs, durable};
