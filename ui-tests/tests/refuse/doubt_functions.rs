//! Signatures and bodies: one function a reason.

use volt::task::yield_now;

struct Pair(u32);

async fn number() -> u32 {
    1
}

#[volt::state_machine(explicit)]
async fn type_parameter<T>(value: T) -> T {
    const ONE: u32 = 1;
    let _n: u32 = number().await + ONE;
    value
}

#[volt::state_machine(explicit)]
async fn untyped_local<T>(value: T) -> T {
    let kept = (value, 1);
    yield_now().await;
    kept.0
}

#[volt::state_machine(explicit)]
async fn untyped_future<F: Future<Output = u32>>(first: impl Fn() -> F) -> u32 {
    { first }().await
}

#[volt::state_machine(explicit)]
async fn generic_lend<F: Future<Output = u32>>(mut list: Vec<u32>, future: F) -> u32 {
    pushed(&mut list).await;
    let n: u32 = future.await;
    n + list[0]
}

#[volt::state_machine(explicit)]
async fn generic_use<F: Future<Output = u32>>(list: Vec<u32>, future: F) -> u32 {
    list.into_iter().for_each(drop);
    future.await
}

#[volt::state_machine(derive(Clone))]
async fn derived_lend(mut list: Vec<u32>) -> usize {
    pushed(&mut list).await;
    list.len()
}

async fn pushed(list: &mut Vec<u32>) {
    list.push(1);
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn duplicate_state(n: u32) {
    if n > 0 {
        yield_now().await;
    }
    yield_now().await;
    #[state(start)]
    yield_now().await;
    #[state(Last)]
    yield_now().await;
}

#[volt::state_machine(explicit)]
async fn output_type() -> impl Iterator<Item = u32> {
    yield_now().await;
    0..3
}

#[volt::state_machine(explicit)]
async fn condition() {
    #[cfg(unix)]
    yield_now().await;
}

#[volt::state_machine(explicit)]
async fn unsafe_code(n: u32) -> u32 {
    yield_now().await;
    unsafe { std::mem::transmute::<u32, u32>(n) }
}

#[volt::state_machine(explicit)]
async fn address(n: u32) -> usize {
    yield_now().await;
    &raw const n as usize
}

#[volt::state_machine(explicit)]
async fn inner_item() -> u32 {
    {
        const N: u32 = 1;
        yield_now().await;
        N
    }
}

#[volt::state_machine(explicit)]
async fn item_once() {
    impl Pair {
        const ONE: u32 = 1;
    }
    yield_now().await;
}

#[volt::state_machine(explicit)]
async fn symbol_once() {
    #[unsafe(no_mangle)]
    extern "C" fn symbol_of_a_body() {}
    yield_now().await;
}

#[volt::state_machine(explicit)]
async fn capital_name() -> u32 {
    #[allow(non_snake_case, reason = "that is what is tested")]
    let N = number().await;
    yield_now().await;
    N
}

macro_rules! two_expansions {
    ($n:expr) => {
        #[volt::state_machine(explicit)]
        async fn two_expansions() -> u32 {
            let base = 1;
            yield_now().await;
            let n = {
                let base = $n;
                yield_now().await;
                base
            };
            n + base
        }
    };
}

two_expansions!({
    let base = 2;
    base
});

#[volt::state_machine(explicit)]
async fn macro_of_body() -> u32 {
    macro_rules! one {
        () => {
            1
        };
    }
    yield_now().await;
    one!()
}

#[derive(Debug)]
struct Shelf(u32);

#[volt::state_machine(explicit)]
impl Shelf {
    async fn self_in_text(&self) -> String {
        yield_now().await;
        format!("{self:?} {}", self.0)
    }
}

type Answer = Result<u32, String>;

struct Other;

#[volt::state_machine(explicit)]
async fn question_mark(text: Answer) -> std::task::Poll<Result<u32, String>> {
    yield_now().await;
    std::task::Poll::Ready(Ok(text?))
}

#[volt::state_machine(explicit)]
async fn never_output() -> ! {
    loop {
        yield_now().await;
    }
}

#[volt::state_machine(explicit)]
#[tracing::instrument]
async fn foreign_attribute() {
    yield_now().await;
}

fn main() {}
