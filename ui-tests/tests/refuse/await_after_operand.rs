#[volt::state_machine(explicit)]
async fn sum(id: u32, names: Vec<String>) -> u32 {
    let first: u32 = combine(offset(), load(id).await);
    let second: u32 = lookup(&name(), load(id).await);
    names.iter().map(|name| name.len()).fold(0, combine_all(load(first).await)) as u32 + second
}

/// What is called is read first, too.
#[volt::state_machine(explicit)]
async fn call(mut function: fn(u32) -> u32, other: fn(u32) -> u32) -> u32 {
    function({
        function = other;
        load(function(1)).await
    })
}

fn main() {
    let _ = sum(1, vec![]);
}

#[volt::state_machine(explicit)]
async fn load(id: u32) -> u32 {
    id
}

fn offset() -> u32 {
    1
}

fn name() -> String {
    String::new()
}

fn lookup(_: &str, id: u32) -> u32 {
    id
}

fn combine(a: u32, b: u32) -> u32 {
    a + b
}

fn combine_all(_: u32) -> impl FnMut(usize, usize) -> usize {
    |a, b| a + b
}
