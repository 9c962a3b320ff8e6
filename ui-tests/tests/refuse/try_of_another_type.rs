//! `?` on a value that the output of the function does not accept is reported once, and the braces
//! are shown.

fn parse(number: u32) -> Result<u32, String> {
    Ok(number)
}

fn first(list: &[u32]) -> Option<u32> {
    list.first().copied()
}

async fn pause() {}

#[volt::state_machine]
async fn result_for_an_option(number: u32) -> Option<u32> {
    pause().await;
    let parsed = parse(number)?;
    pause().await;
    Some(parsed)
}

#[volt::state_machine]
async fn option_for_a_result(list: &[u32]) -> Result<u32, String> {
    pause().await;
    Ok(first(list)?)
}

#[volt::state_machine(native)]
async fn option_for_a_native_result(list: &[u32]) -> Result<u32, String> {
    pause().await;
    Ok(first(list)?)
}

#[volt::state_machine]
async fn result_for_nothing(number: u32) {
    pause().await;
    parse(number)?;
}

fn main() {}
