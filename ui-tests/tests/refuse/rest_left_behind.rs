struct Settings {
    name: String,
    port: u16,
}

#[volt::state_machine(explicit)]
async fn wait(base: Settings) -> u16 {
    let made: Settings = Settings {
        name: String::new(),
        ..base
    };
    tick().await;
    made.port
}

#[volt::state_machine(explicit)]
async fn on_a_path(base: Settings, way: bool) -> u16 {
    let mut port: u16 = 0;
    if way {
        let made: Settings = Settings {
            name: String::new(),
            ..base
        };
        port = made.port;
    }
    tick().await;
    port
}

#[volt::state_machine(explicit)]
async fn tick() {}

fn main() {
    let base = |port| Settings {
        name: String::new(),
        port,
    };
    volt::block_on(wait(base(1)));
    volt::block_on(on_a_path(base(2), true));
    let _ = base(3).name;
}
