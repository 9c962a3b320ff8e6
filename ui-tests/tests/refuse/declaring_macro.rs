struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {}
}

macro_rules! guard {
    () => {
        let _guard = Guard;
    };
}

#[volt::state_machine(explicit)]
async fn wait() {
    guard!();
    tick().await;
}

macro_rules! own {
    ($name:ident) => {
        let $name = Guard;
    };
}

#[volt::state_machine(explicit)]
async fn hidden(guard: Guard) {
    {
        own!(guard);
        drop(guard);
    }
    tick().await;
}

macro_rules! println {
    ($name:ident) => {
        let $name = Guard;
    };
}

macro_rules! assert {
    ($guard:expr) => {
        let _guard = $guard;
    };
}

macro_rules! trace {
    ($guard:expr) => {
        let _guard = $guard;
    };
}

macro_rules! lazy_static {
    ($guard:expr) => {
        let _guard = $guard;
    };
}

#[volt::state_machine(explicit)]
async fn named_like_others() {
    println!(guard);
    assert!(Guard);
    trace!(Guard);
    lazy_static!(Guard);
    tick().await;
}

macro_rules! thread_local {
    (static $guard:expr) => {
        let _guard = $guard;
    };
}

#[volt::state_machine(explicit)]
async fn named_like_statics() {
    thread_local!(static Guard);
    tick().await;
}

#[volt::state_machine(explicit)]
async fn tick() {}

fn main() {
    let _ = (wait(), hidden(Guard), named_like_others(), named_like_statics());
}
