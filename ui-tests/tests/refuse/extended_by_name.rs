use std::option::Option::Some as just;

struct Permit(u32);

impl Drop for Permit {
    fn drop(&mut self) {}
}

#[allow(non_camel_case_types, reason = "it looks like a function")]
struct pair<'a>(&'a Permit);

macro_rules! reference {
    ($value:expr) => {
        &$value
    };
}

#[volt::state_machine(explicit)]
async fn named() -> u32 {
    let first = just(&Permit(1));
    let second = pair(&Permit(2));
    let third = reference!(Permit(3));
    let sum: u32 = second.0.0 + third.0;
    pause().await;
    sum
}

enum State {
    Ok(u32),
    Bad,
}

impl Drop for State {
    fn drop(&mut self) {}
}

fn state() -> State {
    State::Bad
}

#[volt::state_machine(explicit)]
async fn matched() {
    use State::Ok;
    if let Ok(_n) = state() {
        pause().await;
    }
}

#[volt::state_machine(explicit)]
async fn pause() {}

fn main() {
    let _ = (named(), matched());
}
