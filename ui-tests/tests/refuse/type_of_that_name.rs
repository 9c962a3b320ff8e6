#![allow(non_camel_case_types, non_upper_case_globals, reason = "names of the language")]

struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {}
}

struct Option<T>(Guard, T);

struct u8(Guard);

const None: Guard = Guard;

fn number(_: &Guard) -> u32 {
    1
}

#[volt::state_machine(explicit)]
async fn kept(number: u8) {
    let option: Option<u32> = Option(Guard, 1);
    tick().await;
}

#[volt::state_machine(explicit)]
async fn within() {
    {
        struct bool(Guard);
        let truth: bool = bool(Guard);
        tick().await;
    }
}

#[volt::state_machine(explicit)]
async fn constant() {
    match number(&None) {
        0 => {}
        _ => tick().await,
    }
}

#[volt::state_machine(explicit)]
async fn tick() {}

fn main() {
    let _ = (kept(u8(Guard)), within(), constant());
}
