#![allow(non_upper_case_globals, non_camel_case_types, reason = "names that look like those of locals")]

struct Guard(u32);

impl Drop for Guard {
    fn drop(&mut self) {}
}

impl Guard {
    fn number(&self) -> u32 {
        self.0
    }
}

struct unit;

impl Drop for unit {
    fn drop(&mut self) {}
}

impl unit {
    fn number(&self) -> u32 {
        1
    }
}

mod limits {
    pub const low: super::Guard = super::Guard(1);
}

const limit: Guard = Guard(1);
const LIMITS: [Guard; 2] = [Guard(1), Guard(2)];

#[volt::state_machine(explicit)]
async fn looked_at() {
    match limit.number() {
        0 => {}
        _ => tick().await,
    }
    match unit.number() {
        0 => {}
        _ => tick().await,
    }
}

#[volt::state_machine(explicit)]
async fn matched() {
    match limit {
        Guard(_) => tick().await,
    }
}

#[volt::state_machine(explicit)]
async fn borrowed() -> u32 {
    let low = &limits::low;
    let number: u32 = low.0;
    tick().await;
    number
}

#[volt::state_machine(explicit)]
async fn part() {
    match LIMITS[1].0 {
        0 => {}
        _ => tick().await,
    }
}

#[volt::state_machine(explicit)]
async fn tick() {}

fn main() {
    let _ = (looked_at(), matched(), borrowed(), part());
}
