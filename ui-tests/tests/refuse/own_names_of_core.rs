//! An enum that has variants called as those of `core` does not pass for one of `core`, as it may have a destructor.

mod own {
    pub enum Reply {
        Some(u32),
        None,
    }

    impl Drop for Reply {
        fn drop(&mut self) {
            println!("dropped");
        }
    }
}

use own::Reply::{self, *};

async fn wait() {}

async fn reply() -> Reply {
    Some(1)
}

#[volt::state_machine]
async fn opened() -> u32 {
    if let Some(number) = reply().await {
        wait().await;
        return number;
    }
    0
}

#[volt::state_machine]
async fn compared(reply: Reply) -> u32 {
    wait().await;
    match reply {
        None => 0,
        _ => 1,
    }
}

#[volt::state_machine(native)]
async fn native(reply: Reply) -> u32 {
    wait().await;
    match reply {
        None => 0,
        _ => 1,
    }
}

fn main() {}
