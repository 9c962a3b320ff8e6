//! Functions that call another one of their name, which is no call of themselves.

use std::rc::Rc;

use crate::{run, turn};

struct Stream;

impl Stream {
    async fn connect(port: u32) -> u32 {
        turn().await;
        port
    }
}

#[volt::state_machine]
async fn connect(port: u32) -> u32 {
    Stream::connect(port).await + 1
}

async fn sleep() {
    turn().await;
}

struct Local(Rc<u32>);

#[volt::state_machine]
impl Local {
    #[allow(clippy::new_ret_no_self, reason = "it calls another function `new`")]
    async fn new(number: u32) -> Vec<u32> {
        turn().await;
        let mut list = Vec::new();
        list.extend([number]);
        list
    }

    async fn sleep(&self) -> u32 {
        sleep().await;
        *self.0
    }
}

#[test]
fn machine_with_callee_of_its_name_is_sync() {
    fn is_sync<T: Sync>(value: T) -> T {
        value
    }
    assert_eq!(run(is_sync(connect(3))), 4);
    assert_eq!(run(is_sync(Local::new(3))), [3]);
    assert_eq!(run(Local(Rc::new(5)).sleep()), 5);
}
