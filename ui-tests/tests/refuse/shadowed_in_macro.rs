macro_rules! custom {
    ($name:ident => $value:expr) => {
        drop($value);
        let _ = $name;
    };
}

macro_rules! say {
    ($($tokens:tt)*) => {
        println!($($tokens)*)
    };
}

#[volt::state_machine(explicit)]
async fn shadow(x: String) -> usize {
    {
        let x: u32 = 5;
        tick().await;
        custom!(x => x + 1);
    }
    x.len()
}

#[volt::state_machine(explicit)]
async fn captured(x: String) -> usize {
    {
        let x: u32 = 5;
        tick().await;
        say!("{x}");
        say!("{{x}} {}", 1);
    }
    x.len()
}

#[volt::state_machine(explicit)]
async fn told(x: String) -> usize {
    {
        let x: u32 = 5;
        tick().await;
        dbg!(x);
    }
    x.len()
}

#[volt::state_machine(explicit)]
async fn used_before(x: u32) -> u32 {
    {
        let x: u32 = 5;
        say!("{x}");
        tick().await;
    }
    x
}

fn main() {
    let _ = shadow(String::new());
    let _ = captured(String::new());
    let _ = told(String::new());
    let _ = used_before(1);
}

async fn tick() {}
