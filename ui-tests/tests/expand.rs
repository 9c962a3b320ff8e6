//! The machine of each construct, as a model and as the code it becomes.
//!
//! The inside of the macro crate is included as a module, so nothing is compiled but the macro.
//! `INSTA_UPDATE=always cargo test -p ui-tests --test expand` accepts what it writes now, and with
//! `UPDATE_BOOK=1` too, the book's page of expansions is written anew.

#[path = "../../volt-macros/src/state_machine/mod.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "the macro crate uses it"
)]
mod state_machine;
#[path = "expand/printing.rs"]
mod printing;

use printing::printed;
use proc_macro2::TokenStream;
use quote::quote;
use state_machine::{Errors, Function, Options, expand, model};

/// The model of a function, and its expansion printed.
fn shown(source: &str) -> String {
    shown_with(TokenStream::new(), source)
}

/// The same, with options.
fn shown_with(options: TokenStream, source: &str) -> String {
    let item: syn::ItemFn = syn::parse_str(source).expect("a function");
    let mut errors = Errors::default();
    let options = Options::parse(options, &mut errors);
    let function = Function::parse(item, &mut errors).expect("a signature");
    let machine = model(function, options, &mut errors);
    let machine = machine.unwrap_or_else(|_| panic!("refused: {:?}", errors.rules()));
    let tokens = expand::machine(&machine);
    format!("{}\n{machine}\n{}", source.trim(), printed(tokens))
}

/// The states and the poll of a function, as the book shows them: with paths cut short.
fn shown_in_book(source: &str) -> String {
    const PATHS: &[&str] = &[
        "::core::task::",
        "::core::pin::",
        "::core::mem::",
        "::volt::__private::",
    ];
    let mut shown = shown(source);
    for path in PATHS {
        shown = shown.replace(path, "");
    }
    let enums = piece(&shown, "\nenum ", "\n}\n");
    let advance = piece(&shown, "    fn advance(", "\n    }\n");
    let advance = advance
        .lines()
        .map(|line| line.strip_prefix("    ").unwrap_or(line));
    let advance = advance.collect::<Vec<_>>().join("\n");
    format!("{}\n\n// becomes\n{enums}{advance}\n", source.trim())
}

/// From one text to the end of the other.
fn piece<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let text = &text[text.find(from).expect("it begins")..];
    &text[..text.find(to).expect("it ends") + to.len()]
}

#[test]
fn book_shows_the_expansions_as_they_are() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../book/src/expansions.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let mut parts = page.split("<!-- ");
    let mut made = parts.next().expect("the top").to_owned();
    for part in parts {
        let (name, rest) = part.split_once(" -->").expect("a marker");
        let after = match rest.split_once("\n```\n") {
            Some((block, after)) if block.starts_with("\n```text\n") => after,
            _ => rest,
        };
        let found = SOURCES.iter().find(|(known, _)| *known == name);
        let (_, source) = found.expect("a snapshot of that name");
        let shown = shown_in_book(source);
        let after = after.trim_start_matches('\n');
        made += &format!("<!-- {name} -->\n```text\n{shown}```\n\n{after}");
    }
    let made = format!("{}\n", made.trim_end());
    if std::env::var_os("UPDATE_BOOK").is_some() {
        std::fs::write(path, made).expect("the page is writable");
    } else {
        assert_eq!(page, made, "UPDATE_BOOK=1 writes it anew");
    }
}

#[test]
fn derived_traits() {
    let source = "
async fn derived<F: Future>(guard: Guard, future: F, text: &str) -> F::Output {
    tick().await;
    let output: F::Output = future.await;
    output
}";
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        let shown = shown_with(quote!(derive(Clone, PartialEq, Eq, Hash), twin = false), source);
        insta::assert_snapshot!("derived_traits", shown);
    });
}

macro_rules! snapshots {
    ($($name:ident: $source:literal;)*) => {
        /// The functions, by the names of their snapshots.
        const SOURCES: &[(&str, &str)] = &[$((stringify!($name), $source)),*];

        $(#[test]
        fn $name() {
            insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
                insta::assert_snapshot!(stringify!($name), shown($source));
            });
        })*
    };
}

snapshots! {
    straight_line: "
async fn fetch(id: u32, delay: Duration) -> Page {
    sleep(delay).await;
    let page: Page = load(id).await;
    page
}";
    question_mark: "
async fn fetch(id: u32) -> io::Result<u32> {
    let a: u32 = load(id).await?;
    let b: u32 = load(a + 1).await?;
    Ok(a + b)
}";
    question_mark_on_option: "
async fn find(id: u32) -> Option<u32> {
    let a: u32 = load(id).await?;
    Some(a + first(a)?)
}";
    conditional_move: "
async fn send(request: Request, guard: Guard, now: bool) -> Reply {
    if now {
        drop(guard);
    }
    let reply: Reply = exchange(request).await;
    reply
}";
    early_return: "
async fn fetch(id: u32) -> u32 {
    if id == 0 {
        return load(1).await;
    }
    load(id).await
}";
    if_joins_behind: "
async fn branch(on: bool) -> u32 {
    let x: u32 = if on { load(1).await } else { 2 };
    tick().await;
    x
}";
    match_arms: "
async fn pick(kind: Kind) -> u32 {
    match kind {
        Kind::A => load(1).await,
        Kind::B(n) if n > 3 => n,
        Kind::B(n) => {
            let n: u32 = n;
            tick().await;
            n
        }
    }
}";
    match_on_await: "
async fn retry(id: u32) -> Result<u32, Error> {
    loop {
        match load(id).await {
            Ok(n) => return Ok(n),
            Err(e) if e.is_final() => return Err(e),
            Err(_) => tick().await,
        }
    }
}";
    while_loop: "
async fn count(limit: u32) -> u32 {
    let mut i: u32 = 0;
    while i < limit {
        if i == 3 {
            break;
        }
        i += load(i).await;
    }
    i
}";
    while_let_await: "
async fn drain(queue: Queue) -> u32 {
    let mut sum: u32 = 0;
    while let Some(n) = pop().await {
        sum += n;
    }
    sum
}";
    for_range: "
async fn count(end: u32) -> u32 {
    let mut sum: u32 = 0;
    for i in 0..end {
        sum += load(i).await;
    }
    sum
}";
    for_items: "
async fn send_all(items: Vec<(u32, Message)>) {
    for (id, message) in items.into_iter().rev() {
        let id: u32 = id;
        let message: Message = message;
        tick().await;
        send(id, message).await;
    }
}";
    condition: "
async fn both(id: u32) -> u32 {
    if id > 0 && check(id).await {
        load(id).await
    } else {
        0
    }
}";
    condition_chain: "
async fn chain(id: Option<u32>) -> u32 {
    if let Some(id) = id && let Ok(n) = load(1).await {
        n
    } else {
        tick().await;
        0
    }
}";
    else_of_a_let: "
async fn or(id: Option<u32>) -> u32 {
    let Some(id) = id else {
        return load(0).await;
    };
    let id: u32 = id;
    load(id).await
}";
    labelled_break: "
async fn search(limit: u32) -> u32 {
    let mut i: u32 = 0;
    let found: u32 = 'outer: loop {
        loop {
            i += load(i).await;
            if i > limit {
                break 'outer i;
            }
            if i == 7 {
                continue 'outer;
            }
        }
    };
    found
}";
    inner_block: "
async fn nest() -> u32 {
    let a: Guard = guard();
    let x: u32 = {
        let b: Guard = guard();
        load(b.id()).await
    };
    tick().await;
    x + a.id()
}";
    shadowed_name: "
async fn shadow(x: String) -> usize {
    {
        let x: u32 = 5;
        tick().await;
        println!(\"{x}\");
    }
    x.len()
}";
    generics: "
async fn call<S: Service<R>, R, const N: usize>(service: S, request: R) -> [S::Output; N]
where
    S::Output: Default,
{
    let future: S::Future = service.call(request);
    future.await;
    Default::default()
}";
    inlined_poll_fn: "
async fn read_some(buf: Vec<u8>, mut socket: Socket) -> io::Result<usize> {
    let mut buf: Vec<u8> = buf;
    let n: usize = poll_fn(|cx| socket.poll_read(cx, &mut buf)).await?;
    Ok(n + buf.len())
}";
    lent_arguments: "
async fn read_frame(conn: &mut Conn, buf: &mut [u8], limit: usize) -> io::Result<usize> {
    let mut head: [u8; 4] = [0; 4];
    fill(conn, &mut head).await?;
    let n: usize = length(head).min(limit);
    fill(conn, &mut buf[..n]).await?;
    Ok(n)
}";
    argument_patterns: "
async fn parts((head, _, mut tail): (Head, Guard, Vec<u8>), Point { x, y }: Point, last: Guard) -> u32 {
    tail.push(x.low(y));
    tick().await;
    tail.len() + head.size()
}";
    taken_receiver: "
async fn body(checked: Result<Request, Refusal>, name: String, guard: Guard) -> Result<u32, Error> {
    if name.is_empty() {
        tick().await;
    }
    let request: Request = checked.map_err(|refusal| refusal.reason())?;
    let bytes: Vec<u8> = name.into_bytes();
    tick().await;
    Ok(request.size() + bytes.len())
}";
    untyped_locals: "
async fn untyped(id: u32, text: &str) -> Result<u32, Error> {
    let first = load(id).await?;
    let line = format!(\"{text}\");
    let half = id / 2;
    let length = text.len();
    tick().await;
    send(line).await;
    Ok(first + half + length as u32)
}";
    state_labels: "
async fn labels(id: u32) -> u32 {
    #[state(Loading)]
    let x: u32 = load(id).await;
    #[state(Resting)]
    tick().await;
    x
}";
    large_local: "
async fn pump(limit: u32) -> u32 {
    let mut left: u32 = limit;
    let mut buffer: [u8; 1024] = [0; 1024];
    while left > 0 {
        let got: usize = poll_fn(|cx| read(cx, &mut buffer)).await;
        flush(left).await;
        left -= u32::from(buffer[got]);
    }
    finish(left).await
}";
    large_locals_nested: "
async fn pages(#[in_place] mut index: Index, guard: Guard, from: u64) -> u32 {
    loop {
        let page: u32 = next(index.len(), from).await;
        let mut bytes: [u8; SIZE] = [0; SIZE];
        while load(page, &mut bytes).await {
            index.add(&bytes);
        }
        if index.is_full() {
            return index.len();
        }
    }
}";
    locals_beside: "
async fn drain(limit: u64, page: [u8; 64]) -> u64 {
    let mut sum: u64 = 0;
    let mut at: u64 = 0;
    while at < limit {
        let more: u64 = if at % 2 == 0 { load(at).await } else { 1 };
        tick().await;
        sum += more + u64::from(page[0]);
        at += 1;
    }
    sum
}";
    lent_operands: "
async fn both(url: &str, conn: &mut Conn, limit: Duration) -> Result<(usize, u32), Elapsed> {
    let head: String = String::from(\"head\");
    timeout(limit, join(fetch(&head, url), send(conn, 7))).await
}";
    boxed_call: "
async fn deep(n: u32) -> u32 {
    if n == 0 {
        return 0;
    }
    let below: u32 = Box::pin(deep(n - 1)).await;
    below + 1
}";
}
