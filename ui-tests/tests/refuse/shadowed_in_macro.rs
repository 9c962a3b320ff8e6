macro_rules! custom {
    ($name:ident => $value:expr) => {
        drop($value);
        let _ = $name;
    };
}

#[volt::state_machine]
async fn shadow(x: String) -> usize {
    {
        let x: u32 = 5;
        tick().await;
        custom!(x => x + 1);
    }
    x.len()
}

fn main() {
    let _ = shadow(String::new());
}

async fn tick() {}
