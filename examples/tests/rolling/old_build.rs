//! The older of two builds of one function, for the test `rolling`.
#![forbid(unsafe_code)]

mod build_program;

use volt_durable::signal;

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn ship(purchase: u64) -> String {
    #[state(Waiting)]
    let truck: String = signal("truck").await;
    #[state(WaitingForDriver)]
    let driver: String = signal("driver").await;
    format!("{purchase}: {truck}, {driver}")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    build_program::run::<Ship>(ship)
}
