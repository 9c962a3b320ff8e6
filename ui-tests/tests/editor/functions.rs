//! The functions of the test. A place is marked by a kind and a number between two signs. `@` is
//! replaced by the attribute, and in the plain version by as many spaces.
//!
//! The kinds: `c` completion, `n` completion of names, `h` hover, `d` definition, `r` renaming,
//! `s` the parameters of a call.

/// Functions that parse, apart from names that are absent.
pub(crate) const FUNCTIONS: &str = r#"
    use std::future::{Future, ready};
    pub struct Page { size: u32, title: Vec<u32> }
    pub struct Shelf<T> { first: T, pages: Vec<Page> }
    pub trait Read { fn read(&self, n: u32) -> impl Future<Output = u32>; }
    impl Page {
        pub fn length(&self) -> usize { 3 }
        pub fn open(&self, line: u32, word: &str) -> Option<Page> { None }
        pub fn of(size: u32) -> Self { Page { size, title: Vec::new() } }
    }

    @ pub async fn of_argument(page: Page) -> u32 { ready(3).await; let x = page.§c1§; 3 }
    @ pub async fn generic<T: Read>(t: T, page: &Page) -> u32 { ready(3).await; let x = t.§c3§; 3 }
    @ pub async fn unfinished(page: Page) -> u32 {
        ready(3).await;
        let x = page.§c4§
    }
    @ pub async fn of_pattern((page, n): (Page, u32)) -> u32 { let x = page.§c5§; ready(n).await }
    @ pub async fn of_local() -> u32 { let list = vec![1]; ready(3).await; list.§c6§; 3 }
    @ pub async fn in_closure(page: Page) -> u32 { ready(3).await; let f = || page.§c7§; 3 }
    @ pub async fn in_block(page: Page) -> u32 { async { page.§c8§ }.await; 3 }
    @ pub async fn in_loop(pages: Vec<Page>) { for page in pages { ready(page.§c9§).await; } }

    @ impl Page {
        pub async fn of_self(&self) -> u32 { ready(3).await; self.§c10§; 3 }
        pub async fn unfinished_self(&mut self) -> u32 {
            ready(3).await;
            let x = self.§c11§
        }
        pub async fn by_value(mut self) -> u32 { self.size = 3; ready(3).await; self.§c12§ }
        pub async fn boxed(self: Box<Self>) -> u32 { ready(3).await; self.§c13§ }
        pub async fn of_type(&self) -> u32 { Self::§c14§ }
        pub async fn in_call_of_self(&self) { ready(3).await; self.open(self.§c20§, "a"); }
        pub async fn in_closure_of_self(&self) { ready(3).await; let f = |n: u32| self.§c21§; }
        pub async fn in_async_move(self) { async move { let x = self.§c22§ }.await; }
        pub async fn in_arm_of_self(&self, n: u32) { match ready(n).await { 0 => self.§c23§, _ => {} } }
        pub async fn names_of_self(&self, n: u32) { ready(n).await; §n24§ }
        pub async fn in_loop_of_self(&mut self) {
            loop {
                ready(3).await;
                let x = self.§c25§
            }
        }
    }

    @ impl<T: Clone> Shelf<T> {
        pub async fn of_generic_type(&self) -> u32 { let t = self.first.§c15§; ready(3).await }
        pub async fn of_element<N>(&self, n: N) -> u32 { ready(3).await; self.pages[0].§c16§; 3 }
        pub async fn unfinished_generic(&self) {
            ready(3).await;
            let x = self.§c26§
        }
        pub async fn names_of_generic<N>(&self, n: N) { ready(3).await; §n27§ }
    }

    @ impl Read for Page {
        async fn read(&self, n: u32) -> u32 { ready(n).await; let x = self.§c17§; 3 }
    }

    @ impl<T> Read for Shelf<T> {
        async fn read(&self, n: u32) -> u32 {
            ready(n).await;
            let x = self.pages.§c18§
        }
    }

    @ pub async fn in_call(page: Page) { ready(3).await; page.open(page.§c40§, "a"); }
    @ pub async fn in_second(page: Page) { ready(3).await; page.open(3, page.§c41§); }
    @ pub async fn in_empty_call(page: Page) { ready(3).await; page.open(§n42§); }
    @ pub async fn in_arm(page: Page, n: u32) { match ready(n).await { 0 => page.§c43§, _ => {} } }
    @ pub async fn in_match(page: Page) { ready(3).await; match page.§c44§ { _ => {} } }
    @ pub async fn in_guard(page: Page) { match ready(3).await { 0 if page.§c45§ => {}, _ => {} } }
    @ pub async fn in_async_move(page: Page) { async move { let x = page.§c46§ }.await; }
    @ pub async fn in_closure_block(page: Page) { ready(3).await; let f = || { let x = page.§c47§ }; }
    @ pub async fn of_closure_argument() { ready(3).await; let f = |p: Page| p.§c48§; }
    @ pub async fn in_async_closure(page: Page) { let f = async |n: u32| { page.§c49§ }; f(3).await; }
    @ pub async fn in_let_else(page: Option<Page>) { let Some(p) = page else { return }; p.§c50§ }
    @ pub async fn in_while(mut pages: Vec<Page>) {
        while let Some(page) = pages.pop() {
            ready(3).await;
            let x = page.§c51§
        }
    }
    @ pub async fn in_for(pages: Vec<Page>) {
        for page in &pages {
            let x = page.§c52§
            ready(3).await;
        }
    }
    @ pub async fn in_condition(page: Page) { if page.§c53§ { ready(3).await; } }
    @ pub async fn in_if_let(page: Option<Page>) { if let Some(p) = page { ready(p.§c54§).await; } }
    @ pub async fn in_literal(n: u32) { ready(3).await; let page = Page { §c55§ }; }
    @ pub async fn in_pattern(page: Page) { ready(3).await; let Page { §c56§ } = page; }
    @ pub async fn in_println(page: Page) { ready(3).await; println!("{}", page.§c57§); }
    @ pub async fn in_assert(page: Page) { ready(3).await; assert!(page.§c59§); }
    @ pub async fn of_awaited() { ready(Page::of(3)).await.§c60§ }
    @ pub async fn of_questioned(page: Page) -> Option<u32> { page.open(3, "a")?.§c61§ }
    @ pub async fn in_chain(page: Page) { ready(3).await; page.open(1, "a").map(|p| p.§c62§); }
    @ pub async fn names(page: Page, n: u32) { let local = ready(n).await; §n63§ }
    @ pub async fn unfinished_word(page: Page, n: u32) { let local = ready(n).await; let x = pa§n64§ }
    @ pub async fn unfinished_assignment(page: Page) { let mut n = 3; ready(3).await; n = page.§c65§ }
    @ pub async fn unfinished_return(page: Page) -> u32 { ready(3).await; return page.§c66§ }
    @ pub async fn of_where<T>(t: T) -> u32 where T: Read { ready(3).await; t.§c67§ }
    @ pub async fn of_impl(t: impl Read) -> u32 { ready(3).await; t.§c68§ }
    @ pub async fn of_dyn(t: &dyn Fn(u32) -> Page) -> u32 { ready(3).await; t(3).§c69§ }
    @ pub async fn of_const<const N: usize>(t: [Page; N]) -> u32 { ready(3).await; t[N].§c70§ }
    @ pub async fn awaits_unfinished(page: Page) { let x = ready(page.§c71§).await; }
    @ pub async fn of_path() { ready(3).await; let x = Page::§c72§ }
    @ pub async fn before_await(page: Page) { let x = page.§c73§
        ready(3).await; }
    @ pub async fn item_in_body(page: Page) {
        fn inner(page: &Page) -> u32 { page.§c74§ }
        ready(inner(&page)).await;
    }
    @ pub async fn block_in_let(page: Page) { let x = { ready(3).await; page.§c75§ }; }
    @ pub async fn field_then_more(page: Page) { ready(3).await; page.§c76§.len(); }
    @ pub async fn in_binary(page: Page) { let n = 3; ready(3).await; let x = n + page.§c77§; }
    @ pub async fn in_range(page: Page) { for n in 0..page.§c78§ { ready(n).await; } }
    @ pub async fn type_of_local(n: u32) { ready(3).await; let page: Pa§n79§ }

    @ pub async fn number(page: &Page, n: u64) -> Result<u64, String> { Ok(n) }
    @ pub async fn hovers(page: Page, mut argument: u64) -> Result<u64, String> {
        let si§h100§ze = page.size;
        let out§h101§put = number(&page, argu§h102§ment).await?;
        let clo§h103§sure = |x: u8| x;
        for ele§h104§ment in page.title { argument += ready(3).await; }
        let (fir§h105§st, second) = (siz§h106§e, 'c');
        Ok(outp§h107§ut + argument)
    }
    @ impl<T: Clone> Shelf<T> {
        pub async fn hovers(&se§h108§lf) -> T { let fir§h109§st = self.first.clone(); ready(first).await }
        pub async fn places(&self, po§d110§s: u32) -> u32 { ready(3).await; let p§r111§2 = po§d112§s; p2 }
        pub async fn uses(&self) { ready(3).await; se§h113§lf.pages.fir§d114§st(); self.pa§d115§ges.len(); }
    }
    @ pub async fn argument_hovers(pa§h120§ge: Page, (fi§h121§rst, Page { si§h122§ze, .. }): (u8, Page)) {
        ready(3).await;
        match fir§h123§st { numb§h124§er if number < 3 => {} rest => drop(re§h125§st) }
        if let Some(op§h126§ened) = pag§h127§e.open(si§h128§ze, "a") { ready(ope§h129§ned.si§h130§ze).await; }
        for (ind§h131§ex, ch§h132§ar) in "text".char_indices() { ready(in§h133§dex).await; }
        while let Some(p) = None::<Page> { p§h134§; }
        let add = |le§h135§ft: u32, right: u32| lef§h136§t + right;
        async move { let in§h137§ner = 3u8; inn§h138§er }.await;
        println!("{ad§h139§d} {}", firs§h140§t);
    }
    @ pub async fn goes_to(page: Page, n: u32) -> u32 {
        let local = ready(n).await;
        let other = lo§d150§cal + n§d151§;
        for entry in 0..oth§d152§er { ready(en§d153§try).await; }
        let f = |x: u32| x§d154§ + loc§d155§al;
        page.op§d156§en(local, "a");
        numb§d157§er(&pa§d158§ge, 3).await;
        async move { lo§d159§cal }.await
    }
    @ pub async fn renames(page: Page, n§r160§umber: u32) -> u32 {
        let lo§r161§cal = ready(number).await;
        let other = loc§r162§al + number;
        for en§r163§try in 0..other { ready(entry).await; }
        let f = |x§r164§: u32| x + local;
        if let Some(p§r165§) = page.open(local, "a") { p.length(); }
        println!("{local} {}", other§r166§);
        async move { local }.await
    }
    @ pub async fn renames_generic<T: Read>(t§r167§: T, page: &Page) -> u32 {
        let re§r168§ad = t.read(3).await;
        read + pa§r169§ge.size
    }
    @ pub async fn parameters(page: Page) {
        ready(3).await;
        page.open(§s170§);
        page.open(3, §s171§);
        Page::of(§s172§);
        let f = |x: u32, y: u8| x;
        f(3, §s173§);
        async move { page.open(§s174§) }.await;
    }
    @ impl Page {
        pub async fn parameters_of_self(&self) { ready(3).await; self.open(§s175§); }
    }
    @ pub async fn hints(page: Page, pages: Vec<Page>) -> u32 {
        let size = page.size;
        let opened = page.open(size, "a");
        for (index, page) in pages.iter().enumerate() { let length = page.length(); }
        let add = |left, right| left + right + size;
        let awaited = ready(add(3, 4)).await;
        match opened { Some(inner) => ready(inner.size).await, None => awaited }
    }
    @ pub async fn generic_hints<T: Read>(t: T) -> u32 {
        let read = t.read(3).await;
        let pair = (read, 'c');
        async move { let inner = pair; inner.0 }.await
    }
"#;

/// The start of each text with an unfinished body.
pub(crate) const BEFORE: &str = r#"
    use std::future::{Future, ready};
    pub struct Page { size: u32, title: Vec<u32> }
    pub trait Read { fn read(&self, n: u32) -> impl Future<Output = u32>; }
    impl Page {
        pub fn length(&self) -> usize { 3 }
        pub fn open(&self, line: u32, word: &str) -> Option<Page> { None }
    }
"#;

/// A function for each unfinished body, which is in the place of `%`.
pub(crate) const FORMS: [&str; 6] = [
    "@ pub async fn f(page: Page, mut n: u32) -> Option<u32> { ready(3).await; % }",
    "@ pub async fn f<T: Read>(t: T, page: &Page) -> Option<u32> { let n = 3; ready(n).await; % }",
    "@ impl Page { pub async fn f(&self, mut n: u32) { let page = self; ready(3).await; % } }",
    "@ impl Read for Page {
        async fn read(&self, n: u32) -> u32 { let page = self; ready(3).await; % }
    }",
    "#[volt::main] async fn main() { let page: Page = todo!(); let n = ready(3u32).await; % }",
    "#[volt::test] async fn test() { let page: Page = todo!(); let n = ready(3u32).await; % }",
];

/// Bodies as their author types them: the sign is the place of the cursor.
pub(crate) const UNFINISHED: [&str; 52] = [
    "page.open(§",
    "page.open(page.§",
    "page.open(3, page.§",
    "page.open(page.§)",
    "let x = page.open(§",
    "ready(page.§).await",
    "page.§.await",
    "let x = page.§.await;",
    "page.§ let y = 3;",
    "let x = ; page.§",
    "page.§; let x = ;",
    "let x = n n; page.§",
    "let x: u32 = page.§",
    "const N: u32 = §;",
    "match n { 0 => page.§ }",
    "match page.§",
    "match n { 0 => { page.§",
    "match page { Page { size, .. } if page.§",
    "let f = |x: &Page| x.§",
    "let f = |x: &Page| { let y = x.§",
    "let f = || page.§",
    "async move { page.§",
    "async move { let x = page.§",
    "async move { page.open(§ }",
    "for p in page.§",
    "for p in page.title { p.§",
    "loop { let x = page.§",
    "'a: loop { page.§",
    "while page.§",
    "if page.§",
    "if n == 3 && page.§",
    "if let Some(p) = page.§",
    "if let Some(p) = page.open(1, \"a\") { p.§",
    "let Some(p) = page.§ else { return };",
    "let x = if n == 3 { 1 } else { page.§",
    "let x = match n { 0 => 1, _ => page.§",
    "let x = n + page.§",
    "let x = &page.§",
    "let x = (n, page.§",
    "let x = [n, page.§",
    "let x = Page { size: page.§",
    "let x = Page { size: 3, §",
    "println!(\"{}\", page.§);",
    "page.title.iter().map(|t| { t.§",
    "page.open(1, \"a\").unwrap().§",
    "return page.§",
    "let x = page.title[page.§",
    "let x = n..page.§",
    "ready(1).§",
    "let x = ready(1).await.§",
    "fn inner(p: Page) { p.§",
    "let x = pag§",
];
