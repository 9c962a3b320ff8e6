//! The stages of the macro's front, on small functions: the tree, the graph, liveness, fallback
//! reasons.
//!
//! The inside of the macro crate is included, so nothing is compiled but the macro.
//! `INSTA_UPDATE=always cargo test -p ui-tests --test stages` accepts what it writes now.

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
    pipeline = "../../volt-macros/src/pipeline.rs";
}

#[path = "stages/fallbacks.rs"]
mod fallbacks;
#[path = "stages/fallback_places.rs"]
mod fallback_places;
#[path = "stages/durable.rs"]
mod durable;
#[path = "stages/corpus.rs"]
mod corpus;
#[path = "stages/text.rs"]
mod text;

/// All stages of a function as text.
fn stages(source: &str) -> String {
    let item: syn::ItemFn = syn::parse_str(source).expect("a function");
    let analysis = pipeline::analyse(&item.sig, &item.block, hir::StoredTypes::Any);
    format!("{}\n\n{}", source.trim(), analysis.text())
}

macro_rules! snapshots {
    ($($name:ident: $source:literal;)*) => { $(
        #[test]
        fn $name() {
            insta::assert_snapshot!(stages($source));
        }
    )* };
}

snapshots! {
    loop_with_lends: "async fn handle(mut stream: Stream) -> Result<usize, String> {
    let mut buf = Vec::new();
    let mut total = 0;
    loop {
        let n: usize = stream.read_buf(&mut buf).await?;
        if n == 0 { break }
        let line = count(n).await;
        total += line;
        buf.clear();
    }
    Ok(total)
}";
    branches_with_values: "async fn pick(a: A, c: bool) -> u32 {
    let x: u32 = if c { first(a).await } else { 3 };
    let y: u32 = match second(x).await { Some(v) => third(v).await, None => 0 };
    x + y
}";
    shadowed_names: "async fn page(x: Req) -> Page {
    let x = x.body;
    { let x = load(x).await; show(x).await }
}";
    for_over_range: "async fn ticks(n: u32) {
    for _ in 0..n { tick().await; }
}";
    while_let: "async fn drain(rx: &mut Queue) -> u64 {
    let mut sum = 0;
    while let Some(item) = rx.next().await { sum += cost(item).await; }
    sum
}";
    awaits_in_operands: "async fn both(a: u32) -> u32 {
    add(first(a).await, second(a).await).await + 1
}";
    labelled_break: "async fn find(mut q: Q) -> Option<u32> {
    let found = 'search: loop {
        for i in 0..9u32 { if probe(i).await { break 'search Some(i) } }
        if q.done() { break None }
    };
    found
}";
}
