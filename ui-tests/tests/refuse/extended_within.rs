use std::future::{Ready, ready};

struct Permit<const N: usize>;

impl<const N: usize> Drop for Permit<N> {
    fn drop(&mut self) {}
}

struct Unit;

impl Drop for Unit {
    fn drop(&mut self) {}
}

fn get<const N: usize>() -> Permit<N> {
    Permit
}

#[volt::state_machine(explicit)]
async fn borrows(which: bool, first: Ready<u8>) -> u8 {
    let _a = Some(&get::<1>());
    let _b = if which { &get::<2>() } else { &get::<2>() };
    let _c = match which {
        true => &get::<4>(),
        false => {
            println!("no");
            &get::<4>()
        }
    };
    let _d = std::pin::pin!(get::<5>());
    let _e = &Unit;
    first.await
}

fn main() {
    let mut machine = std::pin::pin!(borrows(true, ready(1)));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let _ = machine.as_mut().poll(&mut cx);
}
