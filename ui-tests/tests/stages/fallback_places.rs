//! The line and the source that a fallback reason of a local shows.

use crate::fallback::FallbackReason;
use crate::hir::StoredTypes;
use crate::pipeline::analyse;

/// The lines and the sources of the fallback reasons, except for that of a generic function.
fn places(source: &str) -> Vec<(usize, String)> {
    let item: syn::ItemFn = syn::parse_str(source).expect("a function");
    let analysis = analyse(&item.sig, &item.block, StoredTypes::Any);
    let found = analysis.fallbacks.all().iter();
    let found = found.filter(|found| found.reason != FallbackReason::TypeParameter);
    let places = found.map(|found| (found.span.start().line, found.place.clone()));
    places.collect()
}

/// The first of them.
fn place(source: &str) -> (usize, String) {
    places(source).swap_remove(0)
}

#[test]
fn receiver_of_macro_is_shown_as_its_expression() {
    let source = "async fn f<M>(pool: &Pool<M>) {
        let more: u32 = 1;
        pool
            .connect()
            .and_then(move |c| c + more)
            .await;
    }";
    assert_eq!(place(source), (3, "pool.connect()".to_owned()));
}

#[test]
fn receivers_of_macro_are_shown_in_each_other() {
    let source = "async fn f<M>(pool: &Pool<M>) {
        let n: u32 = 1;
        pool.list().map(|a| a + n).first(|a| a).next().await;
    }";
    let shown = "pool.list().map(|a| a + n)".to_owned();
    assert!(places(source).contains(&(3, shown)), "{:?}", places(source));
}

#[test]
fn output_of_await_is_shown_as_its_expression() {
    let source = "async fn f<M>(n: M) {
        open(n).await.part().next().await;
    }";
    assert_eq!(place(source), (2, "open(n).await".to_owned()));
}

#[test]
fn argument_is_shown_at_its_last_use() {
    let source = "async fn f<M>(pool: Pool<M>) {
        pool.check();
        let built = pool.build();
        send(built).await;
    }";
    assert_eq!(place(source), (3, "pool".to_owned()));
}

#[test]
fn argument_is_shown_at_use_of_its_part() {
    let source = "async fn f(mut pool: Pool) {
        loop {
            tick(&mut pool).await;
            let found = pool.list.upgrade();
            pool.report(found);
        }
    }";
    assert_eq!(place(source), (4, "pool".to_owned()));
}

#[test]
fn local_is_shown_at_its_declaration() {
    let source = "async fn f(n: u32) {
        let t = text();
        let word = t.split(' ');
        drop(t);
        send(n).await;
    }";
    assert_eq!(place(source), (3, "word".to_owned()));
}
