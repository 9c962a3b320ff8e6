#![allow(non_upper_case_globals, reason = "a name like that of a local")]

mod numbers {
    pub fn first() -> u32 {
        1
    }
}

#[volt::state_machine(explicit)]
async fn all(first: String) -> u32 {
    let number: u32 = {
        use numbers::*;
        let make: fn() -> u32 = first;
        make()
    };
    tick().await;
    number
}

mod limits {
    pub const most: u32 = 7;
}

#[volt::state_machine(explicit)]
async fn kept() -> u32 {
    let most: u32 = 1;
    {
        use limits::*;
        tick().await;
    }
    most
}

#[volt::state_machine(explicit)]
async fn tick() {}

fn main() {
    let _ = (all(String::new()), kept());
}
