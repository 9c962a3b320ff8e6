//! A name that a pattern binds has no error about the size of `str`, if the function has another error.

async fn count(text: &str) -> usize {
    text.len()
}

async fn load(number: u32) -> Result<String, u32> {
    Ok(number.to_string())
}

#[volt::state_machine]
async fn item_of_a_loop(items: Vec<String>) -> usize {
    for item in items {
        count(&item).await;
    }
    items.len()
}

#[volt::state_machine]
async fn name_of_an_arm(items: Vec<u32>) -> usize {
    match load(1).await {
        Ok(text) => {
            count(&text).await;
        }
        Err(_) => {}
    }
    drop(items);
    items.len()
}

#[volt::state_machine]
async fn name_of_a_condition(items: Vec<u32>) -> usize {
    if let Ok(text) = load(1).await {
        count(&text).await;
    }
    drop(items);
    items.len()
}

#[volt::state_machine]
async fn name_before_else(items: Vec<u32>) -> usize {
    let Ok(text) = load(1).await else { return 0 };
    count(&text).await;
    drop(items);
    items.len()
}

fn main() {}
