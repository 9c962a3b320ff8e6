//! Errors of functions about which the macro makes claims, such as that a part of a local is
//! moved: one error each, as of the plain function.

struct Page {
    title: String,
    size: u32,
}

impl Page {
    fn grow(&mut self) {
        self.size += 1;
    }

    fn into_title(self) -> String {
        self.title
    }
}

enum Event {
    Pause,
    Load(u32),
    Named { name: String },
}

async fn pause() {}

async fn load(number: u32) -> u32 {
    number
}

#[volt::state_machine]
async fn unknown_field(page: Page) -> u32 {
    pause().await;
    let size = page.sise;
    load(size).await
}

#[volt::state_machine]
async fn number_as_reference(number: u32) -> u32 {
    pause().await;
    let copied = *number;
    load(copied).await
}

#[volt::state_machine]
async fn arm_of_another_type(event: Event) -> u32 {
    match event {
        Event::Pause => load(1).await,
        Event::Load(number) => number.to_string(),
        Event::Named { name } => {
            pause().await;
            name.len() as u32
        }
    }
}

#[volt::state_machine]
async fn moved_twice(page: Page) -> u32 {
    let moved = page;
    pause().await;
    let title = moved.into_title();
    pause().await;
    page.size + title.len() as u32
}

#[volt::state_machine]
async fn borrowed_twice(mut page: Page) -> u32 {
    let first = &mut page;
    let second = &mut page;
    pause().await;
    first.grow();
    second.grow();
    page.size
}

#[volt::state_machine]
async fn extended_while_borrowed(mut list: Vec<u32>) {
    for item in &list {
        load(*item).await;
        list.push(1);
    }
}

#[volt::state_machine]
async fn lives_too_short() -> u32 {
    let borrowed;
    {
        let number = load(1).await;
        borrowed = &number;
    }
    load(*borrowed).await
}

fn main() {}
