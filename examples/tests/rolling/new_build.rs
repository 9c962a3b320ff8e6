//! The newer of two builds of one function, for the test `rolling`.
//!
//! A state and a local have other names, and a local was added.
#![forbid(unsafe_code)]

mod build_program;

use volt_durable::signal;

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn ship(
    #[stored(was = "purchase")] order: u64,
    #[stored(default = 1)] parcels: u32,
) -> String {
    #[state(WaitingForTruck, was = "Waiting")]
    let truck: String = signal("truck").await;
    #[state(WaitingForDriver)]
    let driver: String = signal("driver").await;
    format!("{order}: {parcels} parcels, {truck}, {driver}")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    build_program::run::<Ship>(|order| ship(order, 2))
}
