//! That branches give different types is said once, also where one of them awaits and the machine takes them apart.

use std::future::ready;

#[volt::state_machine(explicit)]
async fn lacks_an_else(n: u32) -> u32 {
    let x = if n > 1 {
        ready(()).await;
        3
    };
    n
}

#[volt::state_machine(explicit)]
async fn differs_in_an_else(n: u32) -> u32 {
    let x = if n > 1 {
        ready(()).await;
        3
    } else {
        "x"
    };
    ready(()).await;
    x + n
}

#[volt::state_machine(explicit)]
async fn differs_in_an_arm(n: u32) -> u32 {
    let x = match n {
        1 => {
            ready(()).await;
            3
        }
        _ => "x",
    };
    n
}

#[volt::state_machine(explicit)]
async fn differs_in_a_break(n: u32) -> u32 {
    let x = loop {
        if n > 1 {
            break 3;
        }
        ready(()).await;
        break "x";
    };
    n
}

#[volt::state_machine(explicit)]
async fn gives_a_value_in_a_statement(n: u32) -> u32 {
    if n > 1 {
        ready(()).await;
        3
    }
    ready(()).await;
    n
}

#[volt::state_machine(explicit)]
async fn gives_a_value_in_an_arm(n: u32) {
    match n {
        1 => {
            ready(()).await;
        }
        _ => 3,
    }
    ready(()).await;
}

fn main() {}
