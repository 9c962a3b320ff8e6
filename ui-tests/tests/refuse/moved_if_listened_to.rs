macro_rules! debug {
    ($($tokens:tt)*) => {
        if cfg!(debug_assertions) {
            println!($($tokens)*)
        }
    };
}

fn told(text: String) -> usize {
    text.len()
}

#[volt::state_machine(explicit)]
async fn wait(text: String) {
    debug!("{}", told(text));
    tick().await;
}

#[volt::state_machine(explicit)]
async fn tick() {}

fn main() {
    let _ = wait(String::new());
}
