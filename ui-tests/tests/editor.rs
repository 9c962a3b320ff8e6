//! Completion and hover of rust-analyzer in functions under the attribute: what they offer in the
//! plain functions, and no name of the macro's.
//!
//! The test needs rust-analyzer in the pinned toolchain, and the sources of the standard library in
//! any toolchain: `rustup component add rust-analyzer`, `rustup toolchain install nightly -c
//! rust-src`. Without them it reports that it is skipped, and passes.

#[path = "editor/client.rs"]
mod client;

use client::{Client, Place, toolchain};

/// The functions, compiled twice: plain and under the attribute. A place is marked by a number
/// between two signs, and `@` is replaced by the attribute.
const FUNCTIONS: &str = r"
    use std::future::{Future, ready};
    pub struct Page { size: u32, title: Vec<u32> }
    pub struct Shelf<T> { first: T, pages: Vec<Page> }
    pub trait Read { fn read(&self, n: u32) -> impl Future<Output = u32>; }
    impl Page { pub fn length(&self) -> usize { 3 } }

    @ pub async fn of_argument(page: Page) -> u32 { ready(3).await; let x = page.§1§; 3 }
    @(native) pub async fn native(page: Page) -> u32 { ready(3).await; let x = page.§2§; 3 }
    @ pub async fn generic<T: Read>(t: T, page: &Page) -> u32 { ready(3).await; let x = t.§3§; 3 }
    @ pub async fn unfinished(page: Page) -> u32 {
        ready(3).await;
        let x = page.§4§
    }
    @ pub async fn of_pattern((page, n): (Page, u32)) -> u32 { let x = page.§5§; ready(n).await }
    @ pub async fn of_local() -> u32 { let list = vec![1]; ready(3).await; list.§6§; 3 }
    @ pub async fn in_closure(page: Page) -> u32 { ready(3).await; let f = || page.§7§; 3 }
    @ pub async fn in_block(page: Page) -> u32 { async { page.§8§ }.await; 3 }
    @ pub async fn in_loop(pages: Vec<Page>) { for page in pages { ready(page.§9§).await; } }

    @ impl Page {
        pub async fn of_self(&self) -> u32 { ready(3).await; self.§10§; 3 }
        pub async fn unfinished_self(&mut self) -> u32 {
            ready(3).await;
            let x = self.§11§
        }
        pub async fn by_value(mut self) -> u32 { self.size = 3; ready(3).await; self.§12§ }
        pub async fn boxed(self: Box<Self>) -> u32 { ready(3).await; self.§13§ }
        pub async fn of_type(&self) -> u32 { Self::§14§ }
    }

    @ impl<T: Clone> Shelf<T> {
        pub async fn of_generic_type(&self) -> u32 { let t = self.first.§15§; ready(3).await }
        pub async fn of_element<N>(&self, n: N) -> u32 { ready(3).await; self.pages[0].§16§; 3 }
    }

    @ impl Read for Page {
        async fn read(&self, n: u32) -> u32 { ready(n).await; let x = self.§17§; 3 }
    }

    @ impl<T> Read for Shelf<T> {
        async fn read(&self, n: u32) -> u32 {
            ready(n).await;
            let x = self.pages.§18§
        }
    }

    @ pub async fn number(page: &Page, n: u64) -> Result<u64, String> { Ok(n) }
    @ pub async fn hovers(page: Page, mut argument: u64) -> Result<u64, String> {
        let si§30§ze = page.size;
        let out§31§put = number(&page, argu§32§ment).await?;
        let clo§33§sure = |x: u8| x;
        for ele§34§ment in page.title { argument += ready(3).await; }
        let (fir§35§st, second) = (siz§36§e, 'c');
        Ok(outp§37§ut + argument)
    }
    @ impl<T: Clone> Shelf<T> {
        pub async fn hovers(&se§38§lf) -> T { let fir§39§st = self.first.clone(); ready(first).await }
    }
";

/// The functions without signs, and the place of each number in the order of the numbers.
fn marked(functions: &str, attribute: &str, first_line: usize) -> (String, Vec<(u32, Place)>) {
    let functions = functions.replace("@(native)", "@").replace('@', attribute);
    let (mut text, mut places) = (String::new(), Vec::new());
    for (index, part) in functions.split('§').enumerate() {
        if index % 2 == 0 {
            text.push_str(part);
            continue;
        }
        let line = first_line + text.matches('\n').count();
        let column = text.rsplit('\n').next().unwrap_or_default().chars().count();
        places.push((part.parse().expect("a number"), (line, column)));
    }
    (text, places)
}

/// Runs the check with a server that has both versions, and the places of both.
fn with_server(check: impl Fn(&mut Client, &str, [Place; 2], u32)) {
    let Some(toolchain) = toolchain() else {
        eprintln!("SKIPPED: no rust-analyzer, or no sources of the standard library");
        eprintln!("run `rustup component add rust-analyzer`");
        eprintln!("and `rustup toolchain install nightly --profile minimal -c rust-src`");
        return;
    };
    for attribute in ["#[volt::state_machine]", "#[volt::state_machine(native)]"] {
        let (plain, places) = marked(FUNCTIONS, "", 0);
        let plain = format!("mod plain {{ {plain} }}\n");
        let (machine, same) = marked(FUNCTIONS, attribute, plain.matches('\n').count());
        let text = format!("{plain}mod machine {{ {machine} }}\n");
        let folder = std::env::temp_dir().join(format!("volt-editor-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut client = Client::start(&toolchain, &folder.join("case.rs"), &text);
        assert!(!places.is_empty());
        for ((number, of_plain), (_, of_machine)) in places.into_iter().zip(same) {
            check(&mut client, attribute, [of_plain, of_machine], number);
        }
        drop(client);
        _ = std::fs::remove_dir_all(folder);
    }
}

#[test]
fn completion_and_hover_match_plain_function() {
    with_server(|client, attribute, [of_plain, of_machine], number| {
        if number >= 30 {
            let (plain, machine) = (client.hover(of_plain), client.hover(of_machine));
            assert!(!plain.is_empty(), "nothing is shown at {number}");
            let plain = plain.replace("case::plain", "case::machine");
            assert_eq!(machine, plain, "{attribute} {number}");
            return;
        }
        let (plain, machine) = (client.completions(of_plain), client.completions(of_machine));
        assert!(!plain.is_empty(), "nothing is offered at {number}");
        assert_eq!(machine, plain, "{attribute} {number}");
        let of_macro = machine.iter().find(|label| label.starts_with("__"));
        assert_eq!(of_macro, None, "{attribute} {number}");
    });
}
