//! An await with parentheses is reported once.

async fn find(number: u32) -> Option<u32> {
    Some(number)
}

#[volt::state_machine]
async fn parentheses() -> Option<u32> {
    find(1).await()
}

fn main() {}
