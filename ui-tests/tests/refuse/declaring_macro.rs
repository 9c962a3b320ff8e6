struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {}
}

macro_rules! guard {
    () => {
        let _guard = Guard;
    };
}

#[volt::state_machine]
async fn wait() {
    guard!();
    tick().await;
}

macro_rules! own {
    ($name:ident) => {
        let $name = Guard;
    };
}

#[volt::state_machine]
async fn hidden(guard: Guard) {
    {
        own!(guard);
        drop(guard);
    }
    tick().await;
}

#[volt::state_machine]
async fn tick() {}

fn main() {
    let _ = (wait(), hidden(Guard));
}
