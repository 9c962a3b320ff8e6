//! Functions that box the futures of others: their machines have the traits of the coroutine.

use std::future::Future;
use std::pin::Pin;

use volt::task::yield_now;

use super::{Ask, AskSync, Neither, local_number};

async fn waits() {
    yield_now().await;
}

async fn keeps_number(n: u32) -> u32 {
    let number = local_number(n);
    yield_now().await;
    *number.0
}

#[volt::state_machine]
async fn boxes_another(n: u32) -> u32 {
    Box::pin(waits()).await;
    n
}

#[volt::state_machine]
async fn boxes_beside_number(n: u32) -> u32 {
    let number = local_number(n);
    Box::pin(waits()).await;
    *number.0
}

#[volt::state_machine]
async fn boxes_future_with_number(n: u32) -> u32 {
    Box::pin(keeps_number(n)).await
}

struct Page(u32);

#[volt::state_machine]
impl Page {
    async fn show_in_box(&self) -> u32 {
        Box::pin(keeps_number(self.0)).await
    }

    async fn wait_in_box(&self) -> u32 {
        Box::pin(waits()).await;
        self.0
    }
}

#[volt::state_machine]
async fn boxes_block(n: u32) -> u32 {
    let block: Pin<Box<dyn Future<Output = u32> + Send>> = Box::pin(async move { n });
    let number = local_number(1);
    block.await + *number.0
}

macro_rules! alias {
    ($Alias:ident) => {
        type $Alias = Pin<Box<dyn Future<Output = u32>>>;
    };
}

alias!(NotSendOfMacro);

#[volt::state_machine]
async fn boxes_for_alias(n: u32) -> u32 {
    let boxed: NotSendOfMacro = Box::pin(keeps_number(n));
    boxed.await
}

mod distant {
    use super::*;

    pub(super) async fn helper(n: u32) -> u32 {
        match n {
            0 => 0,
            n => Box::pin(through_distant(n - 1)).await,
        }
    }
}

/// Contains itself by way of a plain function of another module.
#[volt::state_machine]
async fn through_distant(n: u32) -> u32 {
    Box::pin(distant::helper(n)).await
}

#[test]
fn boxed_future_of_another_function_is_queried() {
    assert_eq!(auto!(BoxesAnother), (true, true));
    assert_eq!(auto!(BoxesBesideNumber), (false, false));
    assert_eq!(auto!(BoxesFutureWithNumber), (false, false));
    assert_eq!(auto!(PageShowInBox<'static>), (false, false));
    assert_eq!(auto!(PageWaitInBox<'static>), (true, true));
    assert_eq!(auto!(BoxesBlock), (false, false));
    assert_eq!(auto!(BoxesForAlias), (false, false));
}

#[test]
fn recursion_through_another_module_is_send() {
    assert_eq!(auto!(ThroughDistant), (true, false));
}
