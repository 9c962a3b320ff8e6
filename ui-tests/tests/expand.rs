//! The machine of each construct, as the code that it becomes.
//!
//! The inside of the macro crate is included as modules, so nothing is compiled but the macro.
//! `INSTA_UPDATE=always cargo test -p ui-tests --test expand` accepts what it writes now, and with
//! `UPDATE_BOOK=1` too, the book's page of expansions is written anew.
//! `VOLT_PRINT=function.rs cargo test -p ui-tests --test expand print_one -- --nocapture` prints
//! another one.

macro_rules! room {
    ($($name:ident = $path:literal;)*) => { $(
        #[path = $path]
        #[allow(dead_code, unreachable_pub, unused_imports, reason = "the macro crate uses it")]
        mod $name;
    )* };
}

room! {
    names = "../../volt-macros/src/names/mod.rs";
    syntax = "../../volt-macros/src/syntax/mod.rs";
    errors = "../../volt-macros/src/errors/mod.rs";
    options = "../../volt-macros/src/options/mod.rs";
    signature = "../../volt-macros/src/signature/mod.rs";
    backend = "../../volt-macros/src/backend/mod.rs";
    fallback = "../../volt-macros/src/fallback/mod.rs";
    resolve = "../../volt-macros/src/resolve/mod.rs";
    hir = "../../volt-macros/src/hir/mod.rs";
    cfg = "../../volt-macros/src/cfg/mod.rs";
    liveness = "../../volt-macros/src/liveness/mod.rs";
    layout = "../../volt-macros/src/layout/mod.rs";
    explicit = "../../volt-macros/src/explicit/mod.rs";
    native = "../../volt-macros/src/native/mod.rs";
    pipeline = "../../volt-macros/src/pipeline.rs";
    attribute = "../../volt-macros/src/attribute/mod.rs";
}

#[path = "expand/printing.rs"]
mod printing;

use printing::printed;
use proc_macro2::TokenStream;

/// A function and its expansion, printed.
fn shown(source: &str) -> String {
    let item: TokenStream = source.parse().expect("tokens");
    let tokens = attribute::expand(TokenStream::new(), item);
    format!("{}\n\n{}", source.trim(), printed(tokens))
}

/// The blocks of a function, as the book shows them: with paths cut short.
fn shown_in_book(source: &str) -> String {
    const PATHS: &[&str] = &[
        "::core::task::",
        "::core::pin::",
        "::core::mem::",
        "__volt::",
    ];
    let mut shown = shown(source);
    for path in PATHS {
        shown = shown.replace(path, "");
    }
    let advance = piece(&shown, "    fn advance(", "\n    }\n");
    let advance = advance
        .lines()
        .map(|line| line.strip_prefix("    ").unwrap_or(line));
    let advance = advance.collect::<Vec<_>>().join("\n");
    format!("{}\n\n// becomes\n\n{advance}\n", source.trim())
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
fn print_one() {
    if let Ok(path) = std::env::var("VOLT_PRINT") {
        let source = std::fs::read_to_string(path).expect("a file");
        println!("{}", shown(&source));
    }
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
    let page = load(id).await;
    page
}";
    question_mark: "
async fn fetch(id: u32) -> io::Result<u32> {
    let a = load(id).await?;
    let b = load(a + 1).await?;
    Ok(a + b)
}";
    question_mark_on_option: "
async fn find(id: u32) -> Option<u32> {
    let a: u32 = load(id).await?;
    Some(a + first(a)?)
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
    let x = if on { load(1).await } else { 2 };
    tick().await;
    x
}";
    match_arms: "
async fn pick(kind: Kind) -> u32 {
    match kind {
        Kind::A => load(1).await,
        Kind::C => 3,
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
            Err(Error::Final) => return Err(Error::Final),
            Err(_error) => tick().await,
        }
    }
}";
    while_loop: "
async fn count(limit: u32) -> u32 {
    let mut i = 0;
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
    if check(id).await {
        load(id).await
    } else {
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
    taken_receiver: "
async fn body(checked: Result<Vec<u8>, Refusal>, name: String, guard: Guard) -> Result<u32, Error> {
    if name.is_empty() {
        tick().await;
    }
    let request: Vec<u8> = checked.map_err(|refusal| refusal.reason())?;
    let bytes: Vec<u8> = name.into_bytes();
    tick().await;
    Ok(request.len() + bytes.len())
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
    lent_locals: "
async fn total(mut stream: Stream) -> Result<usize, Error> {
    let mut line = String::new();
    let mut total = 0;
    while stream.read_line(&mut line).await? > 0 {
        total += line.len();
        line.clear();
    }
    Ok(total)
}";
    lent_operands: "
async fn both(url: &str, conn: &mut Conn, limit: Duration) -> Result<(usize, u32), Elapsed> {
    let head: String = String::from(\"head\");
    timeout(limit, join(fetch(&head, url), send(conn, 7))).await
}";
    under_a_test: "
#[crate::test]
#[ignore]
async fn routes(app: App) {
    let app = app.nest(\"/a\", handler()).layer(Trace);
    app.get(\"/a\").await;
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

#[test]
fn hidden_function_hides_its_machine() {
    let hidden = "#[doc(hidden)] async fn fetch() { wait().await }";
    let of_condition = "#[cfg_attr(all(), doc(hidden))] async fn fetch() { wait().await }";
    let shown = "/// Is hidden.\nasync fn fetch() { wait().await }";
    for options in ["explicit", "native"] {
        let is_hidden = |source: &str| {
            let (options, item) = (options.parse(), source.parse());
            let tokens = attribute::expand(options.expect("tokens"), item.expect("tokens"));
            let text = tokens.to_string();
            let (before, _) = text.split_once("struct Fetch").expect("the machine");
            let (_, attributes) = before.rsplit_once("fn fetch").expect("the function");
            attributes.contains("hidden")
        };
        assert!(is_hidden(hidden), "{options}");
        assert!(is_hidden(of_condition), "{options}");
        assert!(!is_hidden(shown), "{options}");
    }
}

#[test]
fn hidden_block_hides_its_machines() {
    let block = "#[doc(hidden)] impl Page { async fn fetch(&self) { wait().await } }";
    let text = attribute::expand(TokenStream::new(), block.parse().expect("tokens")).to_string();
    let (before, _) = text.split_once("struct PageFetch").expect("the machine");
    let (_, attributes) = before.rsplit_once("fn fetch").expect("the method");
    assert!(attributes.contains("hidden"));
}

/// Returns `true` if a function with this number of steps is accepted.
fn accepts_steps(options: &str, steps: usize) -> bool {
    let step = |number| format!("#[step{options}] #[state(S{number})] let _ = send(&to).await;\n");
    let steps: String = (0..steps).map(step).collect();
    let item = format!("async fn f(to: String) {{ {steps} }}");
    let arguments = "derive(Serialize, Deserialize)".parse().expect("tokens");
    let tokens = attribute::expand(arguments, item.parse().expect("tokens"));
    !tokens.to_string().contains("too-large")
}

/// The numbers of the page *Steps* of the book.
#[test]
fn steps_of_a_function_are_limited() {
    let limits = [
        ("", 59),
        ("(retry = 3)", 29),
        ("(retry = 3, backoff = wait)", 23),
    ];
    for (options, limit) in limits {
        assert!(accepts_steps(options, limit), "{limit} steps {options}");
        assert!(
            !accepts_steps(options, limit + 1),
            "more than {limit} steps {options}"
        );
    }
}
