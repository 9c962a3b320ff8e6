//! Functions that await each other through functions of other packages, whose heads the macro does
//! not read. Their machines have the auto traits of the compiler's futures.

use std::future::Future;
use std::pin::Pin;

use futures::future::{LocalFutureObj, OptionFuture, join_all};

use super::super::{Ask, AskSync, NotSend as _, NotSync as _, local_number};

struct KeptFuture<F> {
    kept_future: Pin<Box<F>>,
}

#[volt::state_machine]
async fn foreign_left(n: u32) -> u32 {
    if n == 0 {
        0
    } else {
        OptionFuture::from(Some(Box::pin(foreign_right(n - 1))))
            .await
            .unwrap_or(0)
            + 1
    }
}

#[volt::state_machine]
async fn foreign_right(n: u32) -> u32 {
    if n == 0 {
        0
    } else {
        OptionFuture::from(Some(Box::pin(foreign_left(n - 1))))
            .await
            .unwrap_or(0)
            + 2
    }
}

#[volt::state_machine]
async fn erased_left(n: u32) -> u32 {
    if n == 0 {
        0
    } else {
        LocalFutureObj::new(Box::pin(erased_right(n - 1))).await + 1
    }
}

#[volt::state_machine]
async fn erased_right(n: u32) -> u32 {
    if n == 0 {
        0
    } else {
        LocalFutureObj::new(Box::pin(erased_left(n - 1))).await + 2
    }
}

struct Tree;

#[volt::state_machine]
impl Tree {
    async fn erased_method(&self, n: u32) -> u32 {
        if n == 0 {
            0
        } else {
            LocalFutureObj::new(Box::pin(self.method_in_list(n - 1))).await + 1
        }
    }

    async fn method_in_list(&self, n: u32) -> u32 {
        if n == 0 {
            return 0;
        }
        let outputs = join_all(vec![
            self.erased_method(n - 1),
            Self::erased_method(self, 0),
        ]);
        outputs.await.into_iter().sum::<u32>() + 2
    }
}

#[volt::state_machine]
async fn foreign_beside_rc(n: u32) -> u32 {
    let number = local_number(n);
    if n > 0 {
        OptionFuture::from(Some(Box::pin(to_foreign_beside_rc(n - 1)))).await;
    }
    *number.0
}

#[volt::state_machine]
async fn to_foreign_beside_rc(n: u32) -> u32 {
    OptionFuture::from(Some(Box::pin(foreign_beside_rc(n))))
        .await
        .unwrap_or(0)
}

#[volt::state_machine]
async fn branch_left(n: u32) -> u32 {
    let held = if n > 3 {
        Box::pin(branch_right(3))
    } else {
        Box::pin(branch_right(n))
    };
    held.await + 1
}

#[volt::state_machine]
async fn branch_right(n: u32) -> u32 {
    let held = (n > 0).then(|| Box::pin(branch_left(n - 1)));
    OptionFuture::from(held).await.unwrap_or(1)
}

#[volt::state_machine]
async fn branch_beside_rc(n: u32) -> u32 {
    let number = local_number(n);
    let held = KeptFuture {
        kept_future: Box::pin(to_branch_beside_rc(n)),
    };
    held.kept_future.await + *number.0
}

#[volt::state_machine]
async fn to_branch_beside_rc(n: u32) -> u32 {
    match n {
        0 => 0,
        n => futures::join!(Box::pin(branch_beside_rc(n - 1))).0,
    }
}

/// Compares `Send`, `Sync` and the output with those of the plain function.
macro_rules! assert_futures {
    ($($future:expr => $expected:expr;)*) => { $(
        let traits = (is_send!($future), is_sync!($future));
        assert_eq!((traits, volt::block_on($future)), $expected, stringify!($future));
    )* };
}

#[path = "other_modules.rs"]
mod other_modules;

#[test]
fn assumed_calls_in_a_cycle_are_as_plain() {
    assert_futures! {
        foreign_left(4) => ((true, true), 6);
        foreign_right(3) => ((true, true), 5);
        erased_left(4) => ((false, false), 6);
        erased_right(3) => ((false, false), 5);
        Tree.erased_method(4) => ((false, false), 6);
        Tree.method_in_list(3) => ((false, false), 5);
        foreign_beside_rc(2) => ((false, false), 2);
        to_foreign_beside_rc(2) => ((false, false), 2);
        branch_left(4) => ((true, true), 5);
        branch_right(3) => ((true, true), 4);
        branch_beside_rc(2) => ((false, false), 3);
        to_branch_beside_rc(2) => ((false, false), 1);
    }
}

macro_rules! through_plain {
    ($module:ident [$(#[$attr:meta])*]) => {
        mod $module {
            use super::*;

            $(#[$attr])*
            pub(super) async fn beside_rc_of_plain(n: u32) -> u32 {
                let number = local_number(n);
                if n == 0 { *number.0 } else { plain_function(n).await + *number.0 }
            }

            fn plain_function(n: u32) -> impl Future<Output = u32> {
                Box::pin(beside_rc_of_plain(n - 1))
            }
        }
    };
}

through_plain! { compiled [] }
through_plain! { chosen_of_plain [#[volt::state_machine]] }
through_plain! { native_of_plain [#[volt::state_machine(native)]] }

#[test]
fn machine_beside_rc_awaits_a_plain_function() {
    macro_rules! assert_future {
        ($($future:expr;)*) => { $(
            assert!(!is_send!($future) && !is_sync!($future));
            assert_eq!(volt::block_on($future), 6);
        )* };
    }
    assert_future! {
        compiled::beside_rc_of_plain(3);
        chosen_of_plain::beside_rc_of_plain(3);
        native_of_plain::beside_rc_of_plain(3);
    }
}
