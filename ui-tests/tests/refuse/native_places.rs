//! Errors of native machines have the places and the words of the plain function.

async fn pause() {}

async fn load(number: u32) -> u32 {
    number
}

#[volt::state_machine(native)]
async fn wrong_output(number: u32) {
    let text: String = load(number).await;
    drop(text);
}

#[volt::state_machine(native)]
async fn wrong_condition(number: u32) {
    if (load(number)).await {
        pause().await;
    }
}

#[volt::state_machine(native)]
async fn value_instead_of_a_future(number: u32) -> u32 {
    number.await
}

#[volt::state_machine(native)]
async fn output_is_missing(number: u32) {
    if number > 1 {
        return 1;
    }
    pause().await;
}

#[volt::state_machine(native)]
async fn wrong_assignment(mut number: u32) -> u32 {
    pause().await;
    number = "one";
    number
}

async fn copied<T: Clone>(value: T) -> T {
    value.clone()
}

#[volt::state_machine]
async fn bound_is_missing<T>(value: T) -> T {
    copied(value).await
}

fn main() {}
