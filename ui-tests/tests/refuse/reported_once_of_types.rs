//! Types that cannot be: one error each, as of the plain function, and none in a file of volt.

use std::future::ready;

#[volt::state_machine]
async fn awaits_a_parameter<T>(value: T) -> u32 {
    value.await
}

#[volt::state_machine]
async fn awaits_a_bounded_parameter<T: Clone>(value: T) -> u32 {
    value.await
}

#[volt::state_machine]
async fn awaits_a_reference<T>(value: &T) -> u32 {
    value.await
}

#[volt::state_machine]
async fn output_without_a_size() -> [u8] {
    ready(()).await;
    [1]
}

#[volt::state_machine]
async fn two_parameters_of_one_name<T, T>(value: T) -> u32 {
    ready(3).await
}

fn main() {}
