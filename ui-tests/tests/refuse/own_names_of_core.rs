//! An enum that a macro declares has variants called as those of `core`. It does not pass for one of
//! `core`, as it may have a destructor.

macro_rules! own_reply {
    () => {
        pub enum Reply {
            Some(u32),
            None,
        }

        pub use self::Reply::*;

        impl Drop for Reply {
            fn drop(&mut self) {
                println!("dropped");
            }
        }
    };
}

mod own {
    own_reply!();
}

use own::*;

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
