use volt::task::yield_now;

struct Page {
    title: Option<String>,
}

impl Page {
    fn title(&self) -> &str {
        self.title.as_deref().unwrap_or("none")
    }
}

#[volt::state_machine(explicit)]
async fn show(text: &str, times: usize) -> usize {
    yield_now().await;
    text.len() * times
}

#[volt::state_machine(explicit)]
impl Page {
    async fn print(&self, text: &str) -> usize {
        yield_now().await;
        text.len()
    }

    async fn all(&self) -> usize {
        self.print(self.title()).await
    }
}

#[volt::state_machine(explicit)]
async fn by_method(page: &Page) -> usize {
    show(page.title(), 2).await
}

#[volt::state_machine(explicit)]
async fn by_pattern(page: &Page) -> usize {
    match &page.title {
        Some(title) => show(title, 1).await,
        None => 0,
    }
}

#[volt::state_machine(explicit)]
async fn by_choice(page: &Page, short: bool) -> usize {
    show(if short { "-" } else { page.title() }, 1).await
}

fn main() {}
