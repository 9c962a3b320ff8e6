//! The `#[volt::state_machine]` attribute.
