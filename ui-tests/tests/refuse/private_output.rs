struct Secret(u32);

#[volt::state_machine(explicit)]
pub async fn tell(number: u32) -> Secret {
    volt::task::yield_now().await;
    Secret(number)
}

fn main() {
    drop(tell(1));
}
