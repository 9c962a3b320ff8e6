macro_rules! vec {
    ($value:expr) => {
        drop(&$value)
    };
}

mod other {
    macro_rules! quiet {
        ($($tokens:tt)*) => {
            ()
        };
    }
    pub(crate) use quiet;
}

use other::quiet as println;

fn told(text: String) -> usize {
    text.len()
}

#[volt::state_machine(explicit)]
async fn listed(text: String) {
    vec![text];
    tick().await;
}

#[volt::state_machine(explicit)]
async fn printed(text: String) {
    println!("{}", told(text));
    tick().await;
}

#[volt::state_machine(explicit)]
async fn captured(text: String) {
    let job = move || println!("{text}");
    drop(job);
    tick().await;
}

#[volt::state_machine(explicit)]
async fn tick() {}

fn main() {
    let text = String::new;
    let _ = (listed(text()), printed(text()), captured(text()));
}
