//! An unsafe operation outside of `unsafe` is reported once, at its place.

#![deny(warnings)]

static mut COUNT: u32 = 0;

unsafe fn raw(number: u32) -> u32 {
    number
}

async fn pause() {}

async fn load(number: u32) -> u32 {
    number
}

#[volt::state_machine]
async fn in_an_operand(number: u32) -> u32 {
    load(raw(number)).await
}

#[volt::state_machine(explicit)]
async fn in_a_stored_local(pointer: *const u32) -> u32 {
    pause().await;
    let number = *pointer;
    load(number).await + number
}

#[volt::state_machine(native)]
async fn in_a_native_machine() -> u32 {
    pause().await;
    COUNT
}

#[volt::state_machine]
async unsafe fn in_an_unsafe_function(number: u32) -> u32 {
    pause().await;
    raw(number)
}

struct Page(u32);

#[volt::state_machine]
impl Page {
    async fn in_a_closure(&self) -> u32 {
        let read = |number| raw(number);
        pause().await;
        read(self.0)
    }
}

fn main() {}
