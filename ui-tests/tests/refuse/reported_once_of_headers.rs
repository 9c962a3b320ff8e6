//! A header that the compiler rejects is reported once: it leaves out a lifetime, is
//! `const`, or declares a reserved lifetime.

use std::future::ready;

struct Page<'a>(&'a str);

trait Show<'a> {
    async fn show(&self) -> usize;
}

#[volt::state_machine]
impl Page {
    async fn size(&self) -> usize {
        ready(()).await;
        self.0.len()
    }

    #[state_machine(explicit)]
    async fn with_options(&self) -> usize {
        ready(()).await;
        self.0.len()
    }
}

#[volt::state_machine]
impl<'a> Show<'a> for Option<Page> {
    async fn show(&self) -> usize {
        ready(()).await;
        0
    }
}

#[volt::state_machine(native)]
impl Show for u8 {
    async fn show(&self) -> usize {
        ready(()).await;
        0
    }
}

#[volt::state_machine]
async fn length(page: &Page, other: Option<Page<'_>>) -> usize {
    ready(()).await;
    page.0.len() + other.map_or(0, |other| other.0.len())
}

struct Reader(u8);

#[volt::state_machine]
impl Reader {
    async fn read(&self, page: Page) -> usize {
        ready(()).await;
        page.0.len()
    }
}

/// A parameter has the name of a type with a lifetime.
#[volt::state_machine]
async fn shadowed<Page: Clone>(page: Page) -> Page {
    ready(()).await;
    page
}

#[volt::state_machine(explicit)]
const async fn constant(number: u32) -> u32 {
    ready(number).await
}

#[volt::state_machine]
async fn reserved<'static>(text: &'static str) -> usize {
    ready(text.len()).await
}

fn is_machine<M: volt::machine::StateMachine>(_: M) {}

fn main() {
    is_machine(shadowed(1));
}
