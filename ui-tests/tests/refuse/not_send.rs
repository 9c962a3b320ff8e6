use std::future::{Ready, ready};
use std::rc::Rc;

#[volt::state_machine(explicit, send)]
async fn counted(count: Rc<u32>, delay: Ready<()>) -> u32 {
    delay.await;
    *count
}

#[volt::state_machine(explicit, send)]
async fn fine<T: Send>(value: T, delay: Ready<()>) -> T {
    delay.await;
    value
}

#[volt::state_machine(explicit, send)]
async fn lent(text: &str, delay: Ready<()>) -> usize {
    delay.await;
    text.len()
}

fn main() {
    let _ = counted(Rc::new(1), ready(()));
    let _ = fine(1, ready(()));
    let _ = lent("", ready(()));
}
