enum Lease {
    Numbered(u32),
    Lost,
}

impl Drop for Lease {
    fn drop(&mut self) {}
}

fn lease() -> Lease {
    Lease::Lost
}

fn some() -> Option<Lease> {
    None
}

#[volt::state_machine(explicit)]
async fn outermost() -> u32 {
    match lease() {
        Lease::Numbered(n) => {
            let n: u32 = n;
            pause().await;
            n
        }
        Lease::Lost => 0,
    }
}

#[volt::state_machine(explicit)]
async fn within() {
    while let Some(Lease::Lost) = some() {
        pause().await;
    }
    match awaited().await {
        Lease::Lost => pause().await,
        _ => {}
    }
}

#[volt::state_machine(explicit)]
async fn awaited() -> Lease {
    Lease::Numbered(1)
}

#[volt::state_machine(explicit)]
async fn pause() {}

fn main() {
    let _ = (outermost(), within());
}
