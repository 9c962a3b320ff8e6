//! What is awaited, and where: one function a reason.

use volt::task::yield_now;

#[derive(Clone, Default)]
struct Page(Vec<u32>);

struct Sealed(u32);

impl Drop for Sealed {
    fn drop(&mut self) {}
}

impl Page {
    fn sealed(&self) -> Sealed {
        Sealed(1)
    }

    async fn get(&self, _: u32) -> u32 {
        1
    }

    async fn both(&self, other: &Page) -> u32 {
        self.0[0] + other.0[0]
    }

    fn lines(&self) -> Page {
        self.clone()
    }
}

async fn number(n: u32) -> u32 {
    n
}

async fn holds(_: &Page) -> u32 {
    1
}

async fn both(page: &Page, _: u32, _: Page) -> u32 {
    page.0[0]
}

async fn named(page: &Page, _: u32, name: String) -> u32 {
    page.0[0] + name.len() as u32
}

fn one() -> u32 {
    1
}

async fn even(n: u32) -> bool {
    n % 2 == 0
}

#[volt::state_machine(explicit)]
async fn await_in_macro(holds: bool, n: u32) {
    assert!(holds, "{}", number(n).await);
}

#[volt::state_machine(explicit)]
async fn await_in_guard(n: u32) -> u32 {
    match n {
        m if even(m).await => m,
        _ => 0,
    }
}

#[volt::state_machine(explicit)]
async fn await_in_condition(page: Option<u32>) -> u32 {
    if let Some(n) = page && even(n).await && let Some(m) = page {
        m
    } else {
        0
    }
}

#[volt::state_machine(explicit)]
async fn await_in_place(mut list: Vec<u32>) -> u32 {
    list[number(0).await as usize] += 1;
    list[0]
}

#[volt::state_machine(explicit)]
async fn await_after_operand(page: Page) -> (usize, u32) {
    (page.lines().0.len(), number(1).await)
}

#[volt::state_machine(explicit)]
async fn unknown_expression() -> u32 {
    let there = number(if even(1).await { 1 } else { 2 });
    there.await
}

#[volt::state_machine(explicit)]
async fn diverging_block() -> u32 {
    let there: u32 = {
        yield_now().await;
        return 1;
    };
    there
}

#[volt::state_machine(explicit)]
async fn operand_temporary(page: Page) -> u32 {
    page.both(&page.lines()).await
}

#[volt::state_machine(explicit)]
async fn operand_leaves(page: Page, n: Option<u32>) -> Option<u32> {
    Some(both(&page, n?, Page::default()).await)
}

#[volt::state_machine(explicit)]
async fn taken_late(page: Page, name: String) -> u32 {
    named(&page, one(), name).await + page.0[0]
}

#[volt::state_machine(explicit)]
async fn stored_closure(page: Page) -> usize {
    let count = || page.0.len();
    yield_now().await;
    count()
}

#[volt::state_machine(explicit)]
async fn scrutinee_temporary(page: Page) -> u32 {
    match page.lines().0.first() {
        Some(n) => number(*n).await,
        None => 0,
    }
}

#[volt::state_machine(explicit)]
async fn tail_temporary(page: Page) -> u32 {
    let own = &page.lines();
    yield_now().await;
    own.0[0]
}

#[volt::state_machine(explicit)]
async fn remainder(page: Page) -> u32 {
    match (page.lines(), page.lines()) {
        (one, _) => holds(&one).await,
    }
}

#[volt::state_machine(explicit)]
async fn own_destructor(page: Page) -> u32 {
    match page.sealed() {
        Sealed(one) => number(one).await,
    }
}

#[volt::state_machine(explicit)]
async fn moved_late(page: Page, other: Page) -> u32 {
    both(&page, one(), other).await + page.0[0]
}

#[volt::state_machine(explicit)]
async fn borrowing_pattern(page: Option<Page>) -> u32 {
    match page {
        Some(ref one) => holds(one).await,
        None => 0,
    }
}

#[volt::state_machine(explicit)]
async fn array_pattern(pages: [Page; 2]) -> u32 {
    holds(&pages[0]).await;
    let [one, two] = pages;
    holds(&one).await + holds(&two).await
}

/// A method of all futures that boxes them.
trait InBox: Future + Sized {
    fn in_box(self) -> std::pin::Pin<Box<Self>> {
        Box::pin(self)
    }
}

impl<F: Future> InBox for F {}

#[volt::state_machine(explicit)]
async fn recursive_receiver(n: u32) -> u32 {
    match n {
        0 => 0,
        _ => recursive_receiver(n - 1).in_box().await,
    }
}

fn main() {}
