#[volt::state_machine]
async fn even(n: u32) -> bool {
    if n == 0 {
        return true;
    }
    odd(n - 1).await
}

#[volt::state_machine]
async fn odd(n: u32) -> bool {
    if n == 0 {
        return false;
    }
    even(n - 1).await
}

fn main() {
    let _ = even(3);
}
