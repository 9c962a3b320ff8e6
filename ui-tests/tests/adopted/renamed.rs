//! A test attribute under another name.

use volt::test as async_test;

#[volt::state_machine]
#[async_test]
async fn renamed_attribute_makes_a_test() {
    crate::turn().await;
}

// The function of a test stays on its thread, so its boxes need not be `Send`.
#[volt::state_machine]
#[async_test]
async fn test_may_box_what_is_not_send() {
    // Nothing that is written here shows it.
    let shared = std::cell::Cell::new(3);
    let mut boxed = Box::pin(async {
        crate::turn().await;
        shared.get()
    });
    assert_eq!(boxed.as_mut().await, 3);
}
