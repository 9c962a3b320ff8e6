use volt::task::yield_now;

/// Has a destructor, so that it matters when it is made.
struct Loud(u32);

impl Drop for Loud {
    fn drop(&mut self) {
        println!("{}", self.0);
    }
}

impl Loud {
    fn add(&self, n: u32) -> u32 {
        self.0 + n
    }
}

const LOUD: Loud = Loud(1);

static mut COUNT: u32 = 1;

fn pair(a: u32, b: u32) -> u32 {
    a + b
}

#[volt::state_machine(explicit)]
async fn next(n: u32) -> u32 {
    yield_now().await;
    n
}

#[volt::state_machine(explicit)]
async fn show(n: &u32) -> u32 {
    yield_now().await;
    *n
}

#[volt::state_machine(explicit)]
async fn receiver() -> u32 {
    LOUD.add(next(1).await)
}

/// Others may change it meanwhile.
#[volt::state_machine(explicit)]
async fn of_all() -> u32 {
    // SAFETY: never called.
    unsafe { pair(COUNT, next(1).await) }
}

static mut CURRENT: &u32 = &1;

#[volt::state_machine(explicit)]
async fn of_all_again() -> u32 {
    // SAFETY: never called.
    unsafe { show(CURRENT).await + show(&*CURRENT).await }
}

/// As in the editions before.
#[allow(unsafe_op_in_unsafe_fn, reason = "as in the editions before")]
#[volt::state_machine(explicit)]
async unsafe fn of_all_within() -> u32 {
    pair(COUNT, next(1).await)
}

fn main() {}
