//! What is kept over an await, and what is done with it: one function a reason.

use volt::task::yield_now;

#[derive(Clone, Default)]
struct Page {
    title: String,
    list: Vec<u32>,
}

impl Page {
    fn go(&mut self) {}

    async fn look(&mut self) -> u32 {
        1
    }
}

async fn takes(_: Page) {}

async fn named(_: &str) {}

async fn changed(_: &mut str) {}

macro_rules! show {
    ($text:expr) => {
        drop(format!("{}", $text))
    };
}

macro_rules! leave {
    () => {
        return
    };
}

#[volt::state_machine(explicit)]
async fn moved_or_used(page: Page) {
    page.list.iter().map(drop).for_each(drop);
    let mut other = page;
    other.go();
    yield_now().await;
}

#[volt::state_machine(explicit)]
async fn conditional_move(page: Page, now: bool) {
    if now {
        drop(page);
    }
    yield_now().await;
}

#[volt::state_machine(explicit)]
async fn renewed() {
    let (one, mut page) = (1, Page::default());
    takes(page).await;
    page = Page::default();
    takes(page).await;
    drop(one);
}

#[volt::state_machine(explicit)]
async fn partial_move(page: Page) {
    drop(page.title);
    yield_now().await;
}

#[volt::state_machine(explicit)]
async fn borrow(page: Page) {
    let title = page.title.clone();
    let _words = title.split(' ');
    drop(title);
    yield_now().await;
}

#[volt::state_machine(explicit)]
async fn copied_or_borrowed(mut page: Page) -> usize {
    let title = page.title.as_mut_str();
    changed(title).await;
    title.len()
}

#[volt::state_machine(explicit)]
async fn lent_then_moved(mut page: Page) {
    let _seen = page.look().await;
    let later = || takes(page);
    drop(later());
    yield_now().await;
}

#[volt::state_machine(explicit)]
async fn lent_in_macro(mut page: Page) {
    let _seen = page.look().await;
    let () = show!(page.title);
    page.look().await;
}

#[volt::state_machine(explicit)]
async fn captured_lent(mut page: Page) -> usize {
    let _seen = page.look().await;
    let count = move || page.list.len();
    count()
}

#[volt::state_machine(explicit)]
async fn shadowed_in_macro(page: Page) -> usize {
    let title = page.title.clone();
    {
        let title = title.len();
        yield_now().await;
        let () = show!(title);
    }
    title.len()
}

#[volt::state_machine(explicit)]
async fn call_in_event(page: Page) {
    tracing::debug!("{}", page.title.len());
    yield_now().await;
}

#[volt::state_machine(explicit)]
async fn unknown_macro(page: Page) {
    if page.list.is_empty() {
        leave!();
    }
    yield_now().await;
}

struct Own(u32);

#[volt::state_machine(explicit)]
impl Own {
    async fn self_in_macro(&self) -> u32 {
        let () = show!(self.0);
        yield_now().await;
        self.0
    }
}

#[volt::state_machine(explicit)]
async fn coercion(far: bool) -> String {
    let value = if far {
        yield_now().await;
        Box::new("far")
    } else {
        Box::new("near")
    };
    shown(value)
}

fn shown(value: Box<dyn std::fmt::Debug + Send>) -> String {
    format!("{value:?}")
}

#[volt::state_machine(explicit)]
async fn lent_in_parts(mut page: Page) -> usize {
    let _seen = page.look().await;
    for line in &page.list {
        page.title.push_str(&line.to_string());
    }
    page.title.len()
}

#[volt::state_machine(explicit)]
async fn never_reached(page: Page) -> usize {
    let list = page.list.clone();
    loop {
        assert!(page.list.is_empty(), "it never ends");
    }
    yield_now().await;
    list.len()
}

fn main() {}
