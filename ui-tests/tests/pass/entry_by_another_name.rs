//! An attribute that makes the program's `main`, whatever it is called, stays on a `main` that awaits the machine.

use volt::main as entry;

#[volt::state_machine]
#[entry]
async fn main() {
    let text = String::from("ready");
    std::future::ready(()).await;
    assert_eq!(text.len(), 5);
}
