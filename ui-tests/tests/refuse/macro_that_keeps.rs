struct Guard(u32);

impl Drop for Guard {
    fn drop(&mut self) {}
}

impl Guard {
    fn number(&self) -> u32 {
        self.0
    }
}

macro_rules! line {
    ($guard:expr) => {
        $guard.number()
    };
}

macro_rules! vec {
    ($guard:expr) => {
        &$guard
    };
}

macro_rules! format {
    ($guard:expr) => {
        $guard.number().to_string()
    };
}

#[volt::state_machine(explicit)]
async fn matched() {
    match line!(Guard(1)) {
        0 => {}
        _ => tick().await,
    }
}

#[volt::state_machine(explicit)]
async fn lent() {
    show(&format!(Guard(1))).await;
}

#[volt::state_machine(explicit)]
async fn kept() {
    let guard = vec![Guard(1)];
    let _ = guard.number();
    tick().await;
}

#[volt::state_machine(explicit)]
async fn tick() {}

#[volt::state_machine(explicit)]
async fn show(text: &str) {
    let _ = text;
}

fn main() {
    let _ = (matched(), lent(), kept());
}
