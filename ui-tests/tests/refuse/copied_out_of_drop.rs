use std::future::{Ready, ready};

enum Lease {
    Numbered(u32),
    Lost,
}

impl Drop for Lease {
    fn drop(&mut self) {}
}

#[volt::state_machine(explicit)]
async fn outermost(lease: Lease, delay: Ready<()>) -> u32 {
    match lease {
        Lease::Numbered(n) => {
            let n: u32 = n;
            delay.await;
            n
        }
        Lease::Lost => 0,
    }
}

#[volt::state_machine(explicit)]
async fn within(lease: Option<Lease>, delay: Ready<()>) -> u32 {
    let n: u32 = match lease {
        Some(Lease::Numbered(n)) => n,
        _ => 0,
    };
    delay.await;
    n
}

fn main() {
    let _ = outermost(Lease::Numbered(1), ready(()));
    let _ = within(Some(Lease::Lost), ready(()));
}
