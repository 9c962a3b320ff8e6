use std::ops::{AddAssign, Deref, DerefMut, Neg};

use volt::task::yield_now;

/// A pointer whose `deref` may do anything.
struct Guard(Count);

impl Deref for Guard {
    type Target = Count;

    fn deref(&self) -> &Count {
        &self.0
    }
}

impl DerefMut for Guard {
    fn deref_mut(&mut self) -> &mut Count {
        &mut self.0
    }
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Count(u32);

impl Count {
    fn plus(self, n: u32) -> u32 {
        self.0 + n
    }
}

impl AddAssign<u32> for Count {
    fn add_assign(&mut self, n: u32) {
        self.0 += n;
    }
}

impl Neg for Count {
    type Output = u32;

    fn neg(self) -> u32 {
        self.0
    }
}

struct Numbers;

impl Deref for Numbers {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &[1, 2, 3]
    }
}

struct Callee;

impl Deref for Callee {
    type Target = fn(u32) -> u32;

    fn deref(&self) -> &fn(u32) -> u32 {
        &(number as fn(u32) -> u32)
    }
}

const ONE: Count = Count(1);

fn number(n: u32) -> u32 {
    n
}

fn pair(a: &Count, b: u32) -> u32 {
    a.0 + b
}

fn first<T>(_: T, b: u32) -> u32 {
    b
}

#[volt::state_machine(explicit)]
async fn next(n: u32) -> u32 {
    yield_now().await;
    n
}

#[volt::state_machine(explicit)]
async fn index() -> usize {
    yield_now().await;
    1
}

#[volt::state_machine(explicit)]
async fn counted() -> Count {
    yield_now().await;
    Count(1)
}

/// What a method is called on, what is compared, what is lent and copied.
#[volt::state_machine(explicit)]
async fn before(guard: Guard, numbers: Numbers, callee: Callee) -> u32 {
    let a: u32 = guard.plus(next(1).await);
    let b: bool = *guard < counted().await;
    let c: u32 = pair(&*guard, next(1).await);
    let d: u32 = pair(&guard, next(1).await);
    let e: u32 = first(*guard, next(1).await);
    let f: u32 = numbers[index().await];
    let g: u32 = callee(next(1).await);
    a + c + d + e + f + g + u32::from(b)
}

/// What is changed, by operators that may look for it first.
#[volt::state_machine(explicit)]
async fn changed(mut guard: Guard) -> u32 {
    *guard += next(1).await;
    guard.0.0
}

/// What a pointer points to may be something else after the await; so may be what an operator makes
/// of a constant.
#[volt::state_machine(explicit)]
async fn raw(pointer: *const u32) -> u32 {
    // SAFETY: never called.
    let a: u32 = unsafe { first(*pointer, next(1).await) };
    a + first(-ONE, next(1).await)
}

fn main() {}
